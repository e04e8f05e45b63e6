//! Whether a program compiles, as far as we can tell without a compiler.
//!
//! `javac` has the last word; this only keeps hopeless programs away from it. So a rule that is
//! rarely broken may be missing here.

use super::{
    Access, Body, Expression, Field, Kind, Method, Program, Receiver, Statement, Type, TypeIndex,
    ValueType,
};

/// Where an expression stands.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Scope {
    pub(crate) owner: TypeIndex,
    pub(crate) is_static: bool,
    pub(crate) parameter: Option<ValueType>,
}

impl Scope {
    pub(crate) fn of(owner: TypeIndex, method: &Method) -> Self {
        Self {
            owner,
            is_static: method.is_static,
            parameter: method.parameter,
        }
    }
}

impl Program {
    /// Whether the program should compile.
    pub(crate) fn is_sound(&self) -> bool {
        self.has_sound_declarations()
            && (0..self.types.len()).all(|index| self.has_sound_code(index))
    }

    /// The same for all but the code.
    pub(crate) fn has_sound_declarations(&self) -> bool {
        (0..self.types.len()).all(|index| {
            self.has_sound_supertypes(index)
                && has_distinct_members(&self.types[index])
                && self.overrides_soundly(index)
                && self.implements_all(index)
        })
    }

    fn has_sound_supertypes(&self, index: TypeIndex) -> bool {
        let part = &self.types[index];
        let is_class = |above: &TypeIndex| self.types[*above].kind != Kind::Interface;
        let is_acyclic = !self.supertypes(index).contains(&index);
        let has_sound_class = match part.kind {
            Kind::Interface => part.superclass.is_none(),
            _ => part.superclass.iter().all(is_class),
        };
        is_acyclic && has_sound_class && !part.interfaces.iter().any(is_class)
    }

    /// Whether each pair of methods with one signature that meet in the type go together.
    fn overrides_soundly(&self, index: TypeIndex) -> bool {
        let mut met: Vec<(TypeIndex, &Method)> = Vec::new();
        for owner in self.lineage(index) {
            for method in &self.types[owner].methods {
                let mut lower = met.iter().filter(|(_, m)| m.has_signature_of(method));
                if !lower.all(|lower| self.go_together(*lower, (owner, method))) {
                    return false;
                }
                met.push((owner, method));
            }
        }
        true
    }

    /// Whether a method may override, hide or implement another that lies above it or beside it.
    fn go_together(&self, lower: (TypeIndex, &Method), upper: (TypeIndex, &Method)) -> bool {
        let (owner, method) = lower;
        let (above, overridden) = upper;
        let kind = |index: TypeIndex| self.types[index].kind;
        let package = |index: TypeIndex| self.types[index].package;
        let is_unseen = overridden.access == Access::Private
            || (overridden.access == Access::Package && package(owner) != package(above))
            || (overridden.is_static && kind(above) == Kind::Interface);
        let is_below = self.is_subtype(owner, above);
        let is_clash_of_interfaces = !is_below
            && kind(owner) == Kind::Interface
            && !(method.is_abstract() && overridden.is_abstract());
        is_unseen
            || (method.is_static == overridden.is_static
                && method.access >= overridden.access
                && self.is_return_type_below(method.result, overridden.result)
                && !is_clash_of_interfaces)
    }

    fn is_return_type_below(&self, lower: ValueType, upper: ValueType) -> bool {
        lower == upper || (!lower.is_primitive() && self.is_assignable(lower, upper))
    }

    /// Whether a concrete class has a body for each abstract method above it.
    fn implements_all(&self, index: TypeIndex) -> bool {
        if self.types[index].kind != Kind::Class {
            return true;
        }
        let lineage = self.lineage(index);
        let methods = || {
            let owners = lineage.iter();
            owners.flat_map(|owner| self.types[*owner].methods.iter().map(|m| (*owner, m)))
        };
        let has_body = |(above, wanted): (TypeIndex, &Method)| {
            let mut same = methods().filter(|(_, m)| m.has_signature_of(wanted));
            same.any(|(owner, method)| {
                !method.is_abstract()
                    && !method.is_static
                    && method.access >= wanted.access
                    && owner != above
                    && self.wins_over(owner, above)
            })
        };
        methods()
            .filter(|(_, method)| method.is_abstract())
            .all(has_body)
    }

    /// Whether a body in `owner` implements what `above` leaves open, for a type below both: one from
    /// further down does, and a class's does for every interface.
    fn wins_over(&self, owner: TypeIndex, above: TypeIndex) -> bool {
        let is_interface = |index: TypeIndex| self.types[index].kind == Kind::Interface;
        self.is_subtype(owner, above) || (!is_interface(owner) && is_interface(above))
    }

    fn has_sound_code(&self, index: TypeIndex) -> bool {
        let part = &self.types[index];
        let in_static = Scope {
            owner: index,
            is_static: true,
            parameter: None,
        };
        part.fields
            .iter()
            .all(|field| self.is_sound_field(index, field))
            && part
                .static_initialiser
                .iter()
                .all(|statement| self.is_sound_statement(statement, in_static))
            && part
                .methods
                .iter()
                .all(|method| self.is_sound_method(index, method))
    }

    fn is_sound_field(&self, owner: TypeIndex, field: &Field) -> bool {
        let scope = Scope {
            owner,
            is_static: field.is_static,
            parameter: None,
        };
        let is_of_interface = self.types[owner].kind == Kind::Interface;
        if is_of_interface && !(field.is_static && field.is_final) {
            return false;
        }
        match &field.initial {
            None => !field.is_final,
            Some(initial) => self.gives(initial, field.value_type, scope),
        }
    }

    fn is_sound_method(&self, owner: TypeIndex, method: &Method) -> bool {
        let scope = Scope::of(owner, method);
        let is_interface = self.types[owner].kind == Kind::Interface;
        if is_interface && method.access != Access::Public {
            return false;
        }
        match &method.body {
            None => {
                self.types[owner].kind != Kind::Class
                    && !method.is_static
                    && method.access != Access::Private
            }
            Some(body) => self.is_sound_body(body, method.result, scope),
        }
    }

    /// Whether a body compiles where it stands.
    pub(crate) fn is_sound_body(&self, body: &Body, result: ValueType, scope: Scope) -> bool {
        let mut statements = body.statements.iter();
        statements.all(|statement| self.is_sound_statement(statement, scope))
            && self.gives(&body.result, result, scope)
    }

    pub(crate) fn is_sound_statement(&self, statement: &Statement, scope: Scope) -> bool {
        let Statement::Assign { on, field, value } = statement;
        let target = self.field_on(*on, field, scope);
        target.is_some_and(|target| !target.is_final && self.gives(value, target.value_type, scope))
    }

    fn gives(&self, expression: &Expression, wanted: ValueType, scope: Scope) -> bool {
        let given = self.type_of(expression, scope);
        given.is_some_and(|given| self.is_assignable(given, wanted))
    }

    /// The type of an expression, none if it does not compile.
    pub(crate) fn type_of(&self, expression: &Expression, scope: Scope) -> Option<ValueType> {
        match expression {
            Expression::Constant(value_type, _) | Expression::Computed(value_type, _) => {
                Some(*value_type)
            }
            Expression::Null(index) => Some(ValueType::Object(*index)),
            Expression::Parameter => scope.parameter,
            Expression::This => (!scope.is_static).then_some(ValueType::Object(scope.owner)),
            Expression::New(index) => self.new_object(*index),
            Expression::Field { on, name } => Some(self.field_on(*on, name, scope)?.value_type),
            Expression::Call { on, name, argument } => {
                let argument = match argument {
                    None => None,
                    Some(argument) => Some(self.type_of(argument, scope)?),
                };
                Some(self.method_on(*on, name, argument, scope)?.1.result)
            }
            Expression::Sum(left, right) => {
                let sides = [self.type_of(left, scope)?, self.type_of(right, scope)?];
                let is_long = sides.contains(&ValueType::Long);
                Some(if is_long {
                    ValueType::Long
                } else {
                    ValueType::Int
                })
            }
            Expression::Lambda(value_type, inner) => {
                // Boxing does not widen: an int is no `Long`.
                let given = self.type_of(inner, scope)?;
                let fits = given == *value_type
                    || (!given.is_primitive() && self.is_assignable(given, *value_type));
                fits.then_some(*value_type)
            }
            Expression::Java(_) => Some(ValueType::Int),
        }
    }

    fn new_object(&self, index: TypeIndex) -> Option<ValueType> {
        (self.types[index].kind == Kind::Class).then_some(ValueType::Object(index))
    }

    fn field_on(&self, on: Receiver, name: &str, scope: Scope) -> Option<&Field> {
        let (index, needs_static) = self.receiver_type(on, scope)?;
        let (_, field) = self.find_field(index, name)?;
        (!needs_static || field.is_static).then_some(field)
    }

    /// The method that a call means, and who declares it.
    pub(crate) fn method_on(
        &self,
        on: Receiver,
        name: &str,
        argument: Option<ValueType>,
        scope: Scope,
    ) -> Option<(TypeIndex, &Method)> {
        let (index, needs_static) = self.receiver_type(on, scope)?;
        let (owner, method) = self.find_method(index, name, argument, Some(scope.owner))?;
        let is_allowed = (!needs_static || method.is_static)
            && !(on == Receiver::Super && method.is_abstract())
            && !(method.is_static && self.types[owner].kind == Kind::Interface && !needs_static);
        is_allowed.then_some((owner, method))
    }

    /// The type where a member is looked up, and whether it must be static.
    fn receiver_type(&self, on: Receiver, scope: Scope) -> Option<(TypeIndex, bool)> {
        match on {
            Receiver::This if !scope.is_static => Some((scope.owner, false)),
            Receiver::Super if !scope.is_static => {
                Some((self.types[scope.owner].superclass?, false))
            }
            Receiver::This | Receiver::Super => None,
            Receiver::Type(index) => Some((index, true)),
            Receiver::New(index) => {
                self.new_object(index)?;
                Some((index, false))
            }
        }
    }
}

fn has_distinct_members(part: &Type) -> bool {
    let fields = &part.fields;
    let methods = &part.methods;
    let is_field_twice = (1..fields.len()).any(|at| {
        let mut before = fields[..at].iter();
        before.any(|field| field.name == fields[at].name)
    });
    let is_method_twice = (1..methods.len()).any(|at| {
        let mut before = methods[..at].iter();
        before.any(|method| method.has_signature_of(&methods[at]))
    });
    !is_field_twice && !is_method_twice
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::Package;
    use crate::program::sample::{method, sample};

    fn check(change: impl FnOnce(&mut Program)) -> bool {
        let mut program = sample();
        assert!(program.is_sound());
        change(&mut program);
        program.is_sound()
    }

    fn one() -> Expression {
        Expression::Constant(ValueType::Int, 1)
    }

    #[test]
    fn hierarchies() {
        assert!(
            !check(|program| program.types[0].superclass = Some(1)),
            "a cycle"
        );
        assert!(
            !check(|program| program.types[3].superclass = Some(2)),
            "an interface"
        );
        assert!(
            !check(|program| program.types[3].interfaces = vec![0]),
            "a class"
        );
        assert!(
            !check(|program| program.types[2].superclass = Some(0)),
            "of an interface"
        );
    }

    #[test]
    fn members_are_distinct() {
        assert!(!check(|program| program.types[0]
            .methods
            .push(method("m", one()))));
        assert!(!check(|program| {
            let again = program.types[0].fields[0].clone();
            program.types[0].fields.push(again);
        }));
    }

    #[test]
    fn overriding() {
        let lower = |change: fn(&mut Method)| {
            check(|program| {
                program.types[1].methods[0].body = Some(Body::returning(one()));
                change(&mut program.types[1].methods[0]);
            })
        };
        assert!(lower(|_| {}));
        assert!(!lower(|method| method.access = Access::Package));
        assert!(!lower(|method| method.is_static = true));
        assert!(!lower(|method| method.result = ValueType::Long));
    }

    #[test]
    fn what_is_private_to_a_package_is_not_overridden() {
        assert!(check(|program| {
            program.types[0].methods[0].access = Access::Package;
            program.types[1].methods[0].body = Some(Body::returning(one()));
            program.types[1].methods[0].access = Access::Private;
        }));
        assert!(!check(|program| {
            program.types[0].methods[0].access = Access::Package;
            program.types[1].package = Package::Main;
            program.types[1].methods[0].access = Access::Private;
        }));
    }

    #[test]
    fn abstract_methods_need_a_body_below() {
        assert!(!check(|program| {
            program.types[3].methods.remove(0);
        }));
        assert!(check(|program| {
            program.types[3].methods.remove(0);
            program.types[3].kind = Kind::AbstractClass;
        }));
        assert!(!check(|program| program.types[0].methods[0].body = None));
    }

    #[test]
    fn names_that_mean_nothing() {
        let returning = |result: Expression| {
            check(|program| program.types[3].methods[1].body = Some(Body::returning(result)))
        };
        let call = |on: Receiver| Expression::Call {
            on,
            name: "m".to_owned(),
            argument: None,
        };
        assert!(returning(call(Receiver::New(0))));
        assert!(!returning(call(Receiver::Type(0))), "not static");
        assert!(!returning(call(Receiver::This)), "in a static method");
        assert!(!returning(call(Receiver::New(2))), "an interface");
        assert!(!returning(call(Receiver::New(3))), "only with a parameter");
        assert!(!returning(Expression::Null(0)), "an object for a number");
    }

    #[test]
    fn a_lambda_does_not_widen() {
        let lambda = Expression::Lambda(ValueType::Long, Box::new(one()));
        assert!(!check(|program| {
            program.types[0].methods[2].body = Some(Body::returning(lambda));
        }));
    }
}
