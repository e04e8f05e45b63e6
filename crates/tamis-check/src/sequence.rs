//! Random tests of the first revision (SPEC 7.4 b): sequences of calls.
//!
//! A test begins with nothing. Each step takes a random constructor, method or field of the
//! program; arguments come from a pool of values per type, null for references, or from earlier
//! results. A variable has the type that a call is made through, its object any class below that.
//! What a call answers goes to the oracle, and so does what it throws, which ends the test.
//!
//! Most test classes of a program have types of their own that they begin at, as they do in
//! projects: a tool that tells test classes apart selects other ones than a tool that does not.

mod java;

use std::collections::{BTreeMap, BTreeSet};

use crate::evolving::Bounds;
use crate::program::{Kind, Method, Program, TypeIndex, ValueType};
use crate::random::Random;

pub(crate) use java::{TestStyle, files};

/// The numbers that are given to methods.
const POOL: [i64; 4] = [0, 1, 7, -1];

/// A test class.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TestClass {
    pub(crate) name: String,
    pub(crate) methods: Vec<TestMethod>,
}

/// A test method.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TestMethod {
    pub(crate) name: String,
    /// The types of the objects that it keeps.
    variables: Vec<TypeIndex>,
    steps: Vec<Step>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Step {
    New {
        variable: usize,
        class: TypeIndex,
    },
    Call {
        on: Target,
        name: String,
        argument: Option<Argument>,
        /// Where an object goes; numbers go to the oracle.
        variable: Option<usize>,
    },
    Read {
        on: Target,
        field: String,
    },
    /// A number from a grafted type, in Java.
    Java(String),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Target {
    Variable(usize),
    Type(TypeIndex),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Argument {
    Constant(ValueType, i64),
    Null(TypeIndex),
    Variable(usize),
}

/// What a step may do.
#[derive(Debug, Clone, Copy)]
enum Action<'a> {
    New(TypeIndex),
    Method(TypeIndex, &'a Method),
    Field {
        on: TypeIndex,
        name: &'a str,
        is_static: bool,
    },
}

impl Action<'_> {
    fn on(&self) -> TypeIndex {
        match self {
            Self::New(on) | Self::Method(on, _) | Self::Field { on, .. } => *on,
        }
    }
}

/// The test classes `T1`, `T2`, … of a program.
pub(crate) fn generate(program: &Program, bounds: &Bounds, random: &mut Random) -> Vec<TestClass> {
    let all = actions(program);
    // With one class nothing would be shared between classes.
    let n_classes = bounds.n_test_classes.max(2);
    let has_own_types = random.below(OWN_TYPES) > 0;
    let mut class = |number: usize| {
        let methods = 1..=bounds.n_test_methods.max(1);
        let mut actions = all.clone();
        if has_own_types {
            actions = own_actions(&all, number - 1, n_classes);
        }
        TestClass {
            name: format!("T{number}"),
            methods: methods
                .map(|number| {
                    let n_steps = 1 + random.below(bounds.n_calls);
                    let mut test = Writer::new(program, random);
                    test.append(&actions, n_steps);
                    test.finish(number)
                })
                .collect(),
        }
    };
    (1..=n_classes).map(&mut class).collect()
}

/// Of so many programs all but one have test classes with types of their own.
const OWN_TYPES: usize = 4;

/// What a test class takes its steps from that has every `n_classes`-th type for itself, from `first` on; everything,
/// if these have nothing.
fn own_actions<'a>(all: &[Action<'a>], first: usize, n_classes: usize) -> Vec<Action<'a>> {
    let is_own = |action: &&Action<'_>| action.on() % n_classes == first;
    let own: Vec<_> = all.iter().filter(is_own).copied().collect();
    if own.is_empty() { all.to_vec() } else { own }
}

/// Everything that tests may use: what the main package sees.
fn actions(program: &Program) -> Vec<Action<'_>> {
    let mut actions = Vec::new();
    for (index, part) in program.types.iter().enumerate() {
        let is_concrete = part.kind == Kind::Class;
        if is_concrete {
            actions.push(Action::New(index));
        }
        let has_objects = !program.concrete_subtypes(index).is_empty();
        let methods = program.visible_methods(index, None);
        let usable = methods
            .into_iter()
            .filter(|(_, m)| m.is_static || has_objects);
        actions.extend(usable.map(|(_, method)| Action::Method(index, method)));
        let fields = part.fields.iter().filter(|f| f.is_static || has_objects);
        actions.extend(fields.map(|field| Action::Field {
            on: index,
            name: &field.name,
            is_static: field.is_static,
        }));
    }
    actions
}

/// Makes one test.
struct Writer<'a> {
    program: &'a Program,
    random: &'a mut Random,
    variables: Vec<TypeIndex>,
    steps: Vec<Step>,
}

impl<'a> Writer<'a> {
    fn new(program: &'a Program, random: &'a mut Random) -> Self {
        Self {
            program,
            random,
            variables: Vec::new(),
            steps: Vec::new(),
        }
    }

    fn append(&mut self, actions: &[Action<'_>], n_steps: usize) {
        for _ in 0..n_steps {
            match self.random.choose(actions) {
                Some(Action::New(class)) => {
                    self.create(*class);
                }
                Some(Action::Method(on, method)) => self.call(*on, method),
                Some(Action::Field {
                    on,
                    name,
                    is_static,
                }) => self.read(*on, name, *is_static),
                None => {}
            }
        }
    }

    fn finish(self, number: usize) -> TestMethod {
        TestMethod {
            name: format!("test{number}"),
            variables: self.variables,
            steps: self.steps,
        }
    }

    fn create(&mut self, class: TypeIndex) -> usize {
        self.create_as(class, class)
    }

    /// An object of a class, known by the name of a type above it.
    fn create_as(&mut self, known_as: TypeIndex, class: TypeIndex) -> usize {
        let variable = self.declare(known_as);
        self.steps.push(Step::New { variable, class });
        variable
    }

    fn declare(&mut self, value_type: TypeIndex) -> usize {
        self.variables.push(value_type);
        self.variables.len() - 1
    }

    fn call(&mut self, on: TypeIndex, method: &Method) {
        let argument = method.parameter.map(|wanted| self.argument(wanted));
        let argument_type = argument.map(|argument| type_of(argument, &self.variables));
        let found = self
            .program
            .find_method(on, &method.name, argument_type, None);
        // Another overload may fit better, or two equally well.
        let Some((_, found)) = found.filter(|(_, found)| found.is_static == method.is_static)
        else {
            return;
        };
        let on = self.target(on, method.is_static);
        let variable = match found.result {
            ValueType::Object(index) => Some(self.declare(index)),
            _ => None,
        };
        self.steps.push(Step::Call {
            on,
            name: method.name.clone(),
            argument,
            variable,
        });
    }

    fn read(&mut self, on: TypeIndex, field: &str, is_static: bool) {
        let on = self.target(on, is_static);
        let field = field.to_owned();
        self.steps.push(Step::Read { on, field });
    }

    /// The type for static members, otherwise an object that is known by exactly this type.
    fn target(&mut self, on: TypeIndex, is_static: bool) -> Target {
        if is_static {
            return Target::Type(on);
        }
        let known = self.some_variable(|_, index| index == on);
        Target::Variable(known.unwrap_or_else(|| {
            let classes = self.program.concrete_subtypes(on);
            let class = self.random.choose(&classes).copied().unwrap_or(on);
            self.create_as(on, class)
        }))
    }

    fn argument(&mut self, wanted: ValueType) -> Argument {
        let value = self.random.choose(&POOL).copied().unwrap_or_default();
        match wanted {
            // An int will do for a long, and may mean another overload.
            ValueType::Long if self.random.below(2) == 0 => {
                Argument::Constant(ValueType::Int, value)
            }
            ValueType::Object(upper) => match self.random.below(3) {
                0 => Argument::Null(upper),
                _ => self.object_argument(upper),
            },
            primitive => Argument::Constant(primitive, value),
        }
    }

    fn object_argument(&mut self, upper: TypeIndex) -> Argument {
        let known = self.some_variable(|program, index| program.is_subtype(index, upper));
        if let Some(variable) = known {
            return Argument::Variable(variable);
        }
        let classes = self.program.concrete_subtypes(upper);
        match self.random.choose(&classes) {
            Some(class) => Argument::Variable(self.create(*class)),
            None => Argument::Null(upper),
        }
    }

    fn some_variable(&mut self, is_wanted: impl Fn(&Program, TypeIndex) -> bool) -> Option<usize> {
        let all = 0..self.variables.len();
        let fitting: Vec<_> = all
            .filter(|variable| is_wanted(self.program, self.variables[*variable]))
            .collect();
        self.random.choose(&fitting).copied()
    }
}

fn type_of(argument: Argument, variables: &[TypeIndex]) -> ValueType {
    match argument {
        Argument::Constant(value_type, _) => value_type,
        Argument::Null(index) => ValueType::Object(index),
        Argument::Variable(variable) => ValueType::Object(variables[variable]),
    }
}

impl TestMethod {
    /// Begins the test with a number from Java.
    pub(crate) fn graft(&mut self, java: &str) {
        self.steps.insert(0, Step::Java(java.to_owned()));
    }

    pub(crate) fn n_steps(&self) -> usize {
        self.steps.len()
    }

    /// Keeps some steps, and of these those that name no type which was taken out; variables that no step sets go too.
    pub(crate) fn keep_steps(&mut self, program: &Program, keeps: impl Fn(usize) -> bool) {
        let mut steps = std::mem::take(&mut self.steps).into_iter().enumerate();
        let mut set = BTreeSet::new();
        let mut kept = Vec::new();
        steps.by_ref().for_each(|(number, step)| {
            let is_there = self
                .types_of(&step)
                .all(|index| !program.absent.contains(&index));
            let has_variables = used_variables(&step).all(|variable| set.contains(&variable));
            if keeps(number) && is_there && has_variables {
                set.extend(set_variable(&step));
                kept.push(step);
            }
        });
        let new: BTreeMap<usize, usize> = set.into_iter().zip(0..).collect();
        for step in &mut kept {
            rename_variables(step, &new);
        }
        let old = std::mem::take(&mut self.variables).into_iter().enumerate();
        self.variables = old
            .filter(|(number, _)| new.contains_key(number))
            .map(|(_, it)| it)
            .collect();
        self.steps = kept;
    }

    /// The types that a step names, those of its variables too.
    fn types_of<'a>(&'a self, step: &'a Step) -> impl Iterator<Item = TypeIndex> + 'a {
        let named = match step {
            Step::New { class, .. } => vec![*class],
            Step::Call {
                on: Target::Type(on),
                argument: Some(Argument::Null(index)),
                ..
            } => vec![*on, *index],
            Step::Call {
                argument: Some(Argument::Null(index)),
                ..
            } => vec![*index],
            Step::Call {
                on: Target::Type(on),
                ..
            }
            | Step::Read {
                on: Target::Type(on),
                ..
            } => vec![*on],
            _ => Vec::new(),
        };
        let variables = used_variables(step).chain(set_variable(step));
        named
            .into_iter()
            .chain(variables.map(|variable| self.variables[variable]))
    }

    /// Whether the test, written for one revision, should compile with another.
    pub(crate) fn compiles_with(&self, first: &Program, other: &Program) -> bool {
        let mut variables = self.variables.iter();
        variables.all(|index| is_same_type(first, other, *index))
            && self
                .steps
                .iter()
                .all(|step| self.step_compiles_with(step, first, other))
    }

    /// Whether a null can be cast to the same type.
    fn knows_argument(&self, argument: Option<Argument>, first: &Program, other: &Program) -> bool {
        match argument.map(|argument| type_of(argument, &self.variables)) {
            Some(ValueType::Object(index)) => is_same_type(first, other, index),
            _ => true,
        }
    }

    fn step_compiles_with(&self, step: &Step, first: &Program, other: &Program) -> bool {
        let on_type = |on: Target| match on {
            Target::Variable(variable) => self.variables[variable],
            Target::Type(index) => index,
        };
        let is_known = |on: Target| is_same_type(first, other, on_type(on));
        let is_type = |on: Target| matches!(on, Target::Type(_));
        match step {
            Step::New { variable, class } => {
                let is_concrete = other.types.get(*class);
                let is_concrete = is_concrete.is_some_and(|class| class.kind == Kind::Class);
                is_concrete && other.is_subtype(*class, self.variables[*variable])
            }
            Step::Call {
                on,
                name,
                argument,
                variable,
            } if is_known(*on) && self.knows_argument(*argument, first, other) => {
                let argument = argument.map(|argument| type_of(argument, &self.variables));
                let found = other.find_method(on_type(*on), name, argument, None);
                let variable = variable.map(|variable| self.variables[variable]);
                found.is_some_and(|(owner, method)| {
                    let is_of_interface = other.types[owner].kind == Kind::Interface;
                    let is_reached = if is_type(*on) {
                        method.is_static
                    } else {
                        !(method.is_static && is_of_interface)
                    };
                    is_reached && gives(other, method.result, variable)
                })
            }
            Step::Read { on, field } if is_known(*on) => {
                let found = other.find_field(on_type(*on), field);
                found.is_some_and(|(_, field)| field.is_static || !is_type(*on))
            }
            Step::Java(_) => true,
            Step::Call { .. } | Step::Read { .. } => false,
        }
    }
}

/// The variables that a step takes objects from.
fn used_variables(step: &Step) -> impl Iterator<Item = usize> + use<> {
    let (on, argument) = match step {
        Step::Call { on, argument, .. } => (Some(*on), *argument),
        Step::Read { on, .. } => (Some(*on), None),
        Step::New { .. } | Step::Java(_) => (None, None),
    };
    let on = on.and_then(|on| match on {
        Target::Variable(variable) => Some(variable),
        Target::Type(_) => None,
    });
    let argument = argument.and_then(|argument| match argument {
        Argument::Variable(variable) => Some(variable),
        _ => None,
    });
    on.into_iter().chain(argument)
}

/// The variable that a step puts an object into.
fn set_variable(step: &Step) -> Option<usize> {
    match step {
        Step::New { variable, .. } => Some(*variable),
        Step::Call { variable, .. } => *variable,
        Step::Read { .. } | Step::Java(_) => None,
    }
}

fn rename_variables(step: &mut Step, new: &BTreeMap<usize, usize>) {
    let rename = |variable: &mut usize| {
        if let Some(new) = new.get(variable) {
            *variable = *new;
        }
    };
    match step {
        Step::New { variable, .. } => rename(variable),
        Step::Call {
            on,
            argument,
            variable,
            ..
        } => {
            if let Target::Variable(on) = on {
                rename(on);
            }
            if let Some(Argument::Variable(argument)) = argument {
                rename(argument);
            }
            variable.iter_mut().for_each(rename);
        }
        Step::Read {
            on: Target::Variable(on),
            ..
        } => rename(on),
        Step::Read { .. } | Step::Java(_) => {}
    }
}

/// Whether a result can go where the test puts it.
fn gives(program: &Program, result: ValueType, variable: Option<TypeIndex>) -> bool {
    match variable {
        None => result.is_primitive(),
        Some(wanted) => program.is_assignable(result, ValueType::Object(wanted)),
    }
}

/// Whether tests can name the type in both revisions.
fn is_same_type(first: &Program, other: &Program, index: TypeIndex) -> bool {
    let name = |program: &Program| program.types.get(index).map(|part| part.name.clone());
    name(first).is_some() && name(first) == name(other)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::sample::sample;

    fn generated() -> Vec<TestClass> {
        generate(&sample(), &Bounds::default(), &mut Random::new(1))
    }

    #[test]
    fn the_same_chances_give_the_same_tests() {
        assert_eq!(generated(), generated());
        let other = generate(&sample(), &Bounds::default(), &mut Random::new(2));
        assert_ne!(generated(), other);
    }

    #[test]
    fn test_classes_have_types_of_their_own() {
        let program = sample();
        let all = actions(&program);
        let types =
            |actions: &[Action<'_>]| actions.iter().map(Action::on).collect::<BTreeSet<_>>();
        let own = [0, 1].map(|first| types(&own_actions(&all, first, 2)));
        assert_eq!(own, [BTreeSet::from([0, 2]), BTreeSet::from([1, 3])]);
        assert_eq!(types(&own_actions(&all, 9, 10)), types(&all));
    }

    #[test]
    fn tests_see_when_a_revision_lacks_what_they_use() {
        let tests = generated();
        let compile = |other: &Program| {
            let mut methods = tests.iter().flat_map(|class| &class.methods);
            methods.all(|test| test.compiles_with(&sample(), other))
        };
        assert!(compile(&sample()));
        let mut without = sample();
        for part in &mut without.types {
            part.methods.retain(|method| method.name != "m");
        }
        assert!(!compile(&without));
        let mut renamed = sample();
        renamed.types[0].name = "Other".to_owned();
        assert!(!compile(&renamed));
        let mut abstracted = sample();
        for part in &mut abstracted.types {
            part.kind = Kind::AbstractClass;
        }
        assert!(!compile(&abstracted));
    }
}
