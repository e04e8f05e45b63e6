//! The parts that can be taken out of an evolving program, and the program without some of them.
//!
//! Whether the rest compiles is for javac to say. Only where it is plain what must go with a part, it goes.

use std::collections::BTreeSet;

use crate::evolving::EvolvingProgram;
use crate::program::{Body, Method, Program, TypeIndex, ValueType};

/// A part; types, tests and steps by their places in the whole program.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Part {
    TestClass(usize),
    Test(usize, usize),
    Type(TypeIndex),
    /// A type that an operator brought along.
    Graft(String),
    /// Something beside the code, by its name in no package.
    Surrounding(String),
    /// What a type extends and implements.
    Supertypes(TypeIndex),
    Method(TypeIndex, Signature),
    Field(TypeIndex, String),
    /// A static initialiser.
    Initialiser(TypeIndex),
    /// What a method does before it returns.
    Statements(TypeIndex, Signature),
    /// What a method returns, if it is more than a constant.
    Result(TypeIndex, Signature),
    TestStep(usize, usize, usize),
}

/// What tells methods of a type apart.
pub(super) type Signature = (String, Option<ValueType>);

/// All parts of a program, the larger ones first.
pub(super) fn parts(whole: &EvolvingProgram) -> Vec<Part> {
    let mut parts = BTreeSet::new();
    for (class, tests) in whole.test_list().iter().enumerate() {
        parts.insert(Part::TestClass(class));
        for (method, test) in tests.methods.iter().enumerate() {
            parts.insert(Part::Test(class, method));
            parts.extend((0..test.n_steps()).map(|step| Part::TestStep(class, method, step)));
        }
    }
    for program in whole.revisions() {
        parts_of(program, &mut parts);
    }
    parts.into_iter().collect()
}

fn parts_of(program: &Program, parts: &mut BTreeSet<Part>) {
    let grafts = program.grafts.iter();
    parts.extend(grafts.map(|graft| Part::Graft(graft.name.clone())));
    let surroundings = program.surroundings.iter();
    parts.extend(surroundings.map(|one| Part::Surrounding(one.name(""))));
    for (index, part) in program.types.iter().enumerate() {
        parts.insert(Part::Type(index));
        if part.superclass.is_some() || !part.interfaces.is_empty() {
            parts.insert(Part::Supertypes(index));
        }
        if !part.static_initialiser.is_empty() {
            parts.insert(Part::Initialiser(index));
        }
        let fields = part.fields.iter();
        parts.extend(fields.map(|field| Part::Field(index, field.name.clone())));
        for method in &part.methods {
            parts.insert(Part::Method(index, signature(method)));
            if let Some(body) = &method.body {
                if !body.statements.is_empty() {
                    parts.insert(Part::Statements(index, signature(method)));
                }
                if body.result != method.result.constant(0) {
                    parts.insert(Part::Result(index, signature(method)));
                }
            }
        }
    }
}

fn signature(method: &Method) -> Signature {
    (method.name.clone(), method.parameter)
}

/// The program without some parts; nothing, if no test is left, or if a part must stay.
pub(super) fn without(
    whole: &EvolvingProgram,
    removed: &BTreeSet<&Part>,
) -> Option<EvolvingProgram> {
    let mut rest = whole.clone();
    for program in rest.revisions_mut() {
        for part in removed {
            remove(program, part);
        }
        let types = removed.iter().filter_map(|part| match part {
            Part::Type(index) => Some(*index),
            _ => None,
        });
        for index in types.collect::<Vec<_>>() {
            remove_type(program, index);
        }
    }
    let is_kept = |part: Part| !removed.contains(&part);
    rest.keep_tests(
        |class| is_kept(Part::TestClass(class)),
        |class, method| is_kept(Part::Test(class, method)),
        |class, method, step| is_kept(Part::TestStep(class, method, step)),
    )
    .then_some(rest)
}

fn remove(program: &mut Program, part: &Part) {
    match part {
        Part::Graft(name) => program.grafts.retain(|graft| graft.name != *name),
        Part::Surrounding(name) => program.surroundings.retain(|one| one.name("") != *name),
        Part::Supertypes(index) => {
            if let Some(part) = program.types.get_mut(*index) {
                part.superclass = None;
                part.interfaces.clear();
            }
        }
        Part::Initialiser(index) => {
            if let Some(part) = program.types.get_mut(*index) {
                part.static_initialiser.clear();
            }
        }
        Part::Field(index, name) => {
            if let Some(part) = program.types.get_mut(*index) {
                part.fields.retain(|field| field.name != *name);
            }
        }
        Part::Method(index, wanted) => {
            if let Some(part) = program.types.get_mut(*index) {
                part.methods.retain(|method| signature(method) != *wanted);
            }
        }
        Part::Statements(index, wanted) => {
            change_body(program, *index, wanted, |_, body| body.statements.clear());
        }
        Part::Result(index, wanted) => change_body(program, *index, wanted, |result, body| {
            body.result = result.constant(0);
        }),
        Part::TestClass(_) | Part::Test(..) | Part::TestStep(..) | Part::Type(_) => {}
    }
}

fn change_body(
    program: &mut Program,
    index: TypeIndex,
    wanted: &Signature,
    change: impl Fn(ValueType, &mut Body),
) {
    let Some(part) = program.types.get_mut(index) else {
        return;
    };
    let mut methods = part.methods.iter_mut();
    if let Some(method) = methods.find(|method| signature(method) == *wanted)
        && let Some(body) = &mut method.body
    {
        change(method.result, body);
    }
}

/// A type goes, and with it what has it as a type. What extends it extends what is above it.
fn remove_type(program: &mut Program, index: TypeIndex) {
    let Some(gone) = program.types.get(index).cloned() else {
        return;
    };
    program.absent.insert(index);
    let is_of = |value_type: &ValueType| *value_type == ValueType::Object(index);
    for part in &mut program.types {
        if part.superclass == Some(index) {
            part.superclass = gone.superclass;
        }
        part.interfaces.retain(|above| *above != index);
        part.fields.retain(|field| !is_of(&field.value_type));
        let methods = &mut part.methods;
        methods.retain(|method| !is_of(&method.result) && !method.parameter.iter().any(is_of));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::constraint::Constraint;
    use crate::evolving::{Bounds, Framework, Plan, Side};
    use crate::operator::Operator;

    fn plan() -> Plan {
        Plan {
            seed: 1,
            bounds: Bounds::default(),
            frameworks: Framework::ALL.to_vec(),
            constraints: Constraint::ALL.to_vec(),
            operators: Operator::ALL.to_vec(),
        }
    }

    #[test]
    fn without_no_part_it_is_the_same_and_without_all_there_is_no_test() {
        for whole in plan().programs().take(60) {
            assert_eq!(without(&whole, &BTreeSet::new()), Some(whole.clone()));
            let parts = parts(&whole);
            assert_eq!(without(&whole, &parts.iter().collect()), None);
        }
    }

    /// Each part is one: without it there is less text, or nothing that could be tested.
    #[test]
    fn each_part_makes_a_difference() {
        let length = |program: &EvolvingProgram| {
            let sides = [Side::Before, Side::After];
            let files = sides.map(|side| [program.code(side, "p"), program.tests(side, "p", None)]);
            let files = files.iter().flatten().flatten();
            let surroundings = program.revisions().map(|it| it.surroundings.len());
            let text: usize = files.map(|file| file.text.len()).sum();
            text + surroundings.iter().sum::<usize>()
        };
        for whole in plan().programs().take(60) {
            for part in parts(&whole) {
                let Some(rest) = without(&whole, &BTreeSet::from([&part])) else {
                    continue;
                };
                let is_less = length(&rest) < length(&whole);
                // A null may be longer than what it stands for.
                let may_be_longer = matches!(part, Part::Result(..));
                assert!(is_less || may_be_longer, "{}: {part:?}", whole.id);
            }
        }
    }

    #[test]
    fn the_test_that_is_switched_on_stays() {
        let plan = Plan {
            operators: vec![Operator::EnableTest],
            ..plan()
        };
        let whole = plan.programs().next().unwrap();
        let tests = parts(&whole).into_iter();
        let tests = tests.filter(|part| matches!(part, Part::Test(..)));
        let kept = tests.map(|part| without(&whole, &BTreeSet::from([&part])));
        assert_eq!(kept.filter(Option::is_none).count(), 1);
    }
}
