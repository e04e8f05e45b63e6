//! Which facts are broken today.
//!
//! A record that has a fact about a part of a class also has the checksum of the whole class. Where every
//! known checksum of the whole is the one of today, every known fact about a part is true, and the class
//! is not even read. Only classes of which several states are known, or which are new, are taken apart.

use tamis_build::map_in_parallel;
use tamis_facts::{Checksum, ClassName, Fact, Subject};
use tamis_store::{ClassFacts, FactSet, Facts};

use super::class_states::ClassStates;
use super::class_sums::ClassParts;
use super::{State, World};

/// The numbers of the facts that are not true today. What cannot be told counts as broken.
pub fn broken(facts: &Facts, world: &World<'_>) -> FactSet {
    let is_broken = |(_, fact): &(u32, &Fact)| !is_true(fact, world);
    let of_classes: Vec<ClassFacts<'_>> = facts.of_classes().collect();
    let chunks: Vec<_> = of_classes.chunks(CLASSES_AT_ONCE).collect();
    let of_classes = map_in_parallel(&chunks, |chunk| {
        let mut broken = Vec::new();
        for class in *chunk {
            if !are_wholes_true(*class, world.classes, &mut broken) {
                broken.extend(class.parts().filter(is_broken).map(|(number, _)| number));
            }
        }
        broken
    });
    let others: Vec<(u32, &Fact)> = facts.of_no_class().collect();
    let chunks: Vec<_> = others.chunks(CLASSES_AT_ONCE).collect();
    let others = map_in_parallel(&chunks, |chunk| {
        let broken = chunk.iter().copied().filter(is_broken);
        broken.map(|(number, _)| number).collect::<Vec<u32>>()
    });
    let all = of_classes.into_iter().chain(others);
    all.flatten().collect()
}

/// How many classes, or other things, a thread compares before it looks for more.
const CLASSES_AT_ONCE: usize = 512;

/// Whether facts about the whole class are known, and all of them are true of a class that is there. The others are
/// added to those that are broken.
fn are_wholes_true(
    facts: ClassFacts<'_>,
    classes: &ClassStates<'_>,
    broken: &mut Vec<u32>,
) -> bool {
    let Some(class) = facts.class() else {
        return false;
    };
    let mut wholes = facts.wholes().peekable();
    if wholes.peek().is_none() {
        return false;
    }
    let today = classes.smart(class);
    let mut is_as_known = true;
    for (number, whole) in wholes {
        let is_true = is_value(whole.value, &today);
        if !is_true {
            broken.push(number);
        }
        is_as_known &= is_true && whole.value.is_some();
    }
    is_as_known
}

fn is_value(then: Option<Checksum>, today: &State<Checksum>) -> bool {
    match today {
        State::Absent => then.is_none(),
        State::Known(today) => then == Some(*today),
        State::Unknown(_) => false,
    }
}

/// Whether a fact is true today, by looking at what it is about.
fn is_true(fact: &Fact, world: &World<'_>) -> bool {
    // A block is as it was if its method is; else more has to be known to tell (`changed_methods.rs`).
    if let Subject::Method(class, method) | Subject::Block(class, method, _) = &fact.subject {
        return match world.classes.checksums(class) {
            State::Absent => fact.value.is_none(),
            State::Known(sums) => sums
                .parts
                .as_ref()
                .is_some_and(|parts| parts.is_method_true(method, fact.value)),
            State::Unknown(_) => false,
        };
    }
    is_value(fact.value, &value(&fact.subject, world))
}

/// Today's value of a subject.
pub fn value(subject: &Subject, world: &World<'_>) -> State<Checksum> {
    let World {
        classes,
        paths,
        variables,
        circumstances,
    } = world;
    let part = |class: &ClassName, part: &dyn Fn(&ClassParts) -> Option<Checksum>| match classes
        .checksums(class)
    {
        State::Absent => State::Absent,
        State::Known(sums) => match &sums.parts {
            Some(parts) => part(parts).map_or(State::Absent, State::Known),
            None => State::Unknown(class.to_string()),
        },
        State::Unknown(place) => State::Unknown(place),
    };
    match subject {
        Subject::Class(class) | Subject::Whole(class) => classes.smart(class),
        Subject::Head(class) => part(class, &|parts| Some(parts.head)),
        Subject::Members(class) => part(class, &|parts| Some(parts.members)),
        Subject::Method(class, method) | Subject::Block(class, method, _) => {
            part(class, &|parts| parts.method(method))
        }
        Subject::Field(class, field) => part(class, &|parts| parts.field(field)),
        Subject::ClassNames => classes.names(),
        Subject::Resource(name) => classes.resource(name.as_bytes()),
        Subject::Archives => classes.archives(),
        Subject::File(_) | Subject::Presence(_) | Subject::Listing(_) => paths.value(subject),
        Subject::Files => circumstances.files.clone(),
        Subject::Configuration => circumstances.configuration.clone(),
        Subject::Property(name) => {
            let value = circumstances.properties.value(name.as_bytes());
            value.map_or(State::Absent, State::Known)
        }
        Subject::Properties => State::Known(circumstances.properties.all()),
        Subject::Variable(name) => {
            let value = variables.value(name.as_bytes());
            value.map_or(State::Absent, State::Known)
        }
        Subject::Environment => circumstances.environment.clone(),
        Subject::Outside(what) if circumstances.untrusted.contains(what) => {
            State::Unknown("it is not trusted".to_owned())
        }
        Subject::Outside(_) => State::Absent,
        Subject::Jvm => circumstances.jvm.clone(),
        Subject::Semantics => State::Known(circumstances.semantics),
    }
}
