//! The same text for programs that differ in names only, to leave out repetitions.
//!
//! Types are put in every order that their outer shape leaves open and named by it; fields get
//! their names in the order of appearance. The smallest text is the canonical one. The order of
//! members stays, since programs can see it.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::{Expression, Method, Program, Receiver, Statement, Type, TypeIndex, ValueType};

/// The canonical text of revisions that have their types in common, as far as they have any.
pub(crate) fn canonical(revisions: &[&Program]) -> String {
    let n_types = revisions.iter().map(|program| program.types.len()).max();
    let orders = orders(revisions, n_types.unwrap_or(0));
    let texts = orders.into_iter().map(|order| text(revisions, &order));
    texts.min().unwrap_or_default()
}

/// What renaming does not change about a type.
fn outer_shape(revisions: &[&Program], index: TypeIndex) -> String {
    let mut shape = String::new();
    for program in revisions {
        match program.types.get(index) {
            None => shape.push_str("none "),
            Some(part) => {
                let (fields, methods) = (part.fields.len(), part.methods.len());
                let above = program.supertypes(index).len();
                let (kind, package) = (part.kind, part.package);
                // Writing to a string cannot fail.
                let _ = write!(shape, "{kind:?} {package:?} {above} {fields} {methods} ");
            }
        }
    }
    shape
}

/// The orders of types in which shapes ascend.
fn orders(revisions: &[&Program], n_types: usize) -> Vec<Vec<TypeIndex>> {
    let mut shapes: Vec<_> = (0..n_types)
        .map(|index| (outer_shape(revisions, index), index))
        .collect();
    shapes.sort();
    let mut orders = vec![Vec::new()];
    for place in 0..n_types {
        let fits = |index: &TypeIndex| {
            let same = shapes.iter().find(|(_, known)| known == index);
            same.is_some_and(|(shape, _)| *shape == shapes[place].0)
        };
        let longer = |order: Vec<TypeIndex>| {
            let free: Vec<_> = (0..n_types)
                .filter(|index| fits(index) && !order.contains(index))
                .collect();
            free.into_iter().map(move |index| {
                let mut longer = order.clone();
                longer.push(index);
                longer
            })
        };
        orders = orders.into_iter().flat_map(longer).collect();
    }
    orders
}

fn text(revisions: &[&Program], order: &[TypeIndex]) -> String {
    let mut writer = Writer {
        text: String::new(),
        order,
        names: BTreeMap::new(),
    };
    for program in revisions {
        for index in order {
            match program.types.get(*index) {
                None => writer.word("-"),
                Some(part) => writer.part(part),
            }
        }
        for graft in &program.grafts {
            writer.word(&graft.text);
        }
        for surrounding in &program.surroundings {
            writer.word(&format!("{surrounding:?}"));
        }
        writer.word("\n");
    }
    writer.text
}

/// Writes a program with types by their place in an order, and names of members by their first
/// appearance.
struct Writer<'a> {
    text: String,
    order: &'a [TypeIndex],
    names: BTreeMap<String, usize>,
}

impl Writer<'_> {
    fn word(&mut self, word: &str) {
        self.text.push_str(word);
        self.text.push(' ');
    }

    fn part(&mut self, part: &Type) {
        self.word(&format!("{:?} {:?} {{", part.kind, part.package));
        for above in part.superclass.iter().chain(&part.interfaces) {
            self.index(*above);
        }
        for field in &part.fields {
            self.name("field", &field.name);
            self.value_type(field.value_type);
            self.word(&format!("{} {}", field.is_static, field.is_final));
            if let Some(initial) = &field.initial {
                self.expression(initial);
            }
        }
        self.statements(&part.static_initialiser);
        for method in &part.methods {
            self.method(method);
        }
        self.word("}");
    }

    fn method(&mut self, method: &Method) {
        self.name("method", &method.name);
        self.word(&format!("{:?} {}", method.access, method.is_static));
        self.value_type(method.result);
        if let Some(parameter) = method.parameter {
            self.value_type(parameter);
        }
        if let Some(body) = &method.body {
            self.statements(&body.statements);
            self.expression(&body.result);
        }
    }

    fn statements(&mut self, statements: &[Statement]) {
        self.word("[");
        for Statement::Assign { on, field, value } in statements {
            self.receiver(*on);
            self.name("field", field);
            self.expression(value);
        }
        self.word("]");
    }

    fn expression(&mut self, expression: &Expression) {
        expression.visit(&mut |part| match part {
            Expression::Constant(value_type, value) => {
                self.word(&format!("{value}"));
                self.value_type(*value_type);
            }
            Expression::Computed(value_type, value) => {
                self.word(&format!("computed {value}"));
                self.value_type(*value_type);
            }
            Expression::Null(index) => {
                self.word("null");
                self.index(*index);
            }
            Expression::Parameter => self.word("parameter"),
            Expression::This => self.word("this"),
            Expression::New(index) => self.receiver(Receiver::New(*index)),
            Expression::Field { on, name } => {
                self.receiver(*on);
                self.name("field", name);
            }
            Expression::Call { on, name, argument } => {
                self.receiver(*on);
                self.name("method", name);
                self.word(if argument.is_some() { "with" } else { "()" });
            }
            Expression::Sum(..) => self.word("sum"),
            Expression::Lambda(..) => self.word("lambda"),
            Expression::Java(java) => self.word(java),
        });
    }

    fn receiver(&mut self, on: Receiver) {
        match on {
            Receiver::This => self.word("this."),
            Receiver::Super => self.word("super."),
            Receiver::Type(index) => {
                self.word("static.");
                self.index(index);
            }
            Receiver::New(index) => {
                self.word("new.");
                self.index(index);
            }
        }
    }

    fn value_type(&mut self, value_type: ValueType) {
        match value_type {
            ValueType::Object(index) => self.index(index),
            primitive => self.word(&format!("{primitive:?}")),
        }
    }

    fn index(&mut self, index: TypeIndex) {
        let place = self.order.iter().position(|known| *known == index);
        self.word(&format!("#{}", place.unwrap_or(usize::MAX)));
    }

    fn name(&mut self, kind: &str, name: &str) {
        let next = self.names.len();
        let number = *self.names.entry(format!("{kind} {name}")).or_insert(next);
        self.word(&format!("{kind}{number}"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::Kind;
    use crate::program::sample::{method, sample};

    /// Two classes of one shape, of which one returns a constant and the other has it called.
    fn pair(first: usize) -> Program {
        let mut program = Program::default();
        let second = 1 - first;
        program.types = ["A", "B"].map(|name| Type::new(name, Kind::Class)).to_vec();
        let one = Expression::Constant(ValueType::Int, 1);
        program.types[first].methods.push(method("m", one));
        let call = Expression::Call {
            on: Receiver::New(first),
            name: "m".to_owned(),
            argument: None,
        };
        program.types[second].methods.push(method("n", call));
        program
    }

    #[test]
    fn names_and_the_order_of_types_do_not_count() {
        assert_ne!(pair(0), pair(1));
        assert_eq!(canonical(&[&pair(0)]), canonical(&[&pair(1)]));
        let mut renamed = sample();
        renamed.types[0].name = "Other".to_owned();
        renamed.types[0].methods[2].name = "other".to_owned();
        assert_eq!(canonical(&[&sample()]), canonical(&[&renamed]));
    }

    #[test]
    fn constants_members_and_revisions_count() {
        let mut changed = sample();
        changed.types[0].fields.swap(0, 1);
        assert_ne!(canonical(&[&sample()]), canonical(&[&changed]));
        let mut changed = sample();
        changed.types[0].static_initialiser.clear();
        assert_ne!(canonical(&[&sample()]), canonical(&[&changed]));
        let evolutions = [[&sample(), &changed], [&changed, &sample()]];
        assert_ne!(canonical(&evolutions[0]), canonical(&evolutions[1]));
    }

    #[test]
    fn a_name_that_changes_between_revisions_counts() {
        let mut renamed = pair(0);
        renamed.types[0].methods[0].name = "other".to_owned();
        let same = canonical(&[&pair(0), &pair(0)]);
        assert_ne!(same, canonical(&[&pair(0), &renamed]));
    }
}
