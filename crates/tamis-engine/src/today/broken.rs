//! Which facts are broken today.
//!
//! A record that has a fact about a part of a class also has the checksum of the whole class. Where every
//! known checksum of the whole is the one of today, every known fact about a part is true, and the class
//! is not even read. Only classes of which several states are known, or which are new, are taken apart.

use std::collections::{BTreeMap, HashMap};

use tamis_facts::{Checksum, ClassName, Fact, Subject};
use tamis_store::FactSet;

use super::class_states::ClassStates;
use super::class_sums::ClassParts;
use super::{Circumstances, State};

/// The numbers of the facts that are not true today. What cannot be told counts as broken.
pub fn broken(
    facts: &BTreeMap<u32, Fact>,
    classes: &ClassStates<'_>,
    circumstances: &Circumstances,
) -> FactSet {
    let mut broken = FactSet::new();
    let mut wholes = Wholes(HashMap::with_capacity(facts.len() / FACTS_OF_CLASS));
    let mut parts = Vec::with_capacity(facts.len());
    for (number, fact) in facts {
        match &fact.subject {
            Subject::Class(class) | Subject::Whole(class) => {
                if !wholes.is_true(class, fact.value, classes) {
                    broken.insert(*number);
                }
            }
            subject => match subject.class() {
                Some(class) => parts.push((class, *number, fact)),
                None if is_true(fact, classes, circumstances) => {}
                None => drop(broken.insert(*number)),
            },
        }
    }
    // Facts about one class are mostly neighbours.
    for parts in parts.chunk_by(|(a, ..), (b, ..)| a == b) {
        if !wholes.are_all_true(parts[0].0) {
            let untrue = parts
                .iter()
                .filter(|(_, _, fact)| !is_true(fact, classes, circumstances));
            broken.extend(untrue.map(|(_, number, _)| *number));
        }
    }
    broken
}

/// How many facts about a class are known, about: growing maps of many names costs time.
const FACTS_OF_CLASS: usize = 8;

/// Classes of which facts about the whole are known.
struct Wholes<'f>(HashMap<&'f ClassName, Whole>);

struct Whole {
    today: State<Checksum>,
    /// Whether all facts so far are true, and that there is such a class.
    is_as_known: bool,
}

impl<'f> Wholes<'f> {
    /// Whether a fact about a whole class is true.
    fn is_true(
        &mut self,
        class: &'f ClassName,
        value: Option<Checksum>,
        classes: &ClassStates<'_>,
    ) -> bool {
        let whole = self.0.entry(class).or_insert_with(|| Whole {
            today: classes.smart(class),
            is_as_known: true,
        });
        let is_true = match whole.today {
            State::Absent => value.is_none(),
            State::Known(today) => value == Some(today),
            State::Unknown(_) => false,
        };
        whole.is_as_known &= is_true && value.is_some();
        is_true
    }

    /// Whether facts about the whole class are known, and all of them are true of a class that is there.
    fn are_all_true(&self, class: &ClassName) -> bool {
        self.0.get(class).is_some_and(|whole| whole.is_as_known)
    }
}

/// Whether a fact is true today, by looking at what it is about.
fn is_true(fact: &Fact, classes: &ClassStates<'_>, circumstances: &Circumstances) -> bool {
    if let Subject::Method(class, method) = &fact.subject {
        return match classes.checksums(class) {
            State::Absent => fact.value.is_none(),
            State::Known(sums) => sums
                .parts
                .as_ref()
                .is_some_and(|parts| parts.is_method_true(method, fact.value)),
            State::Unknown(_) => false,
        };
    }
    match value(&fact.subject, classes, circumstances) {
        State::Absent => fact.value.is_none(),
        State::Known(today) => fact.value == Some(today),
        State::Unknown(_) => false,
    }
}

/// Today's value of a subject.
pub fn value(
    subject: &Subject,
    classes: &ClassStates<'_>,
    circumstances: &Circumstances,
) -> State<Checksum> {
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
        Subject::Method(class, method) => part(class, &|parts| parts.method(method)),
        Subject::Field(class, field) => part(class, &|parts| parts.field(field)),
        Subject::ClassNames => classes.names(),
        Subject::Files => circumstances.files.clone(),
        Subject::Configuration => circumstances.configuration.clone(),
        Subject::Environment => circumstances.environment.clone(),
        Subject::Jvm => circumstances.jvm.clone(),
        Subject::Semantics => State::Known(circumstances.semantics),
    }
}
