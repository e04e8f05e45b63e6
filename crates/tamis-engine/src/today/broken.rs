//! Which facts are broken today.
//!
//! A record that has a fact about a part of a class also has the checksum of the whole class. Where every
//! known checksum of the whole is the one of today, every known fact about a part is true, and the class
//! is not even read. Only classes of which several states are known, or which are new, are taken apart. So it is with
//! facts about a class and all above it, if nothing of that changed.

use tamis_build::map_in_parallel;
use tamis_facts::{Checksum, ClassName, Fact, Subject, SubjectKind};
use tamis_select::Hierarchy;
use tamis_store::{ClassFacts, FactSet, Facts, KnownFact};

use super::class_states::ClassStates;
use super::class_sums::{ClassParts, of_names};
use super::concerned::concerned;
use super::{State, World};
use crate::sabotage::Sabotage;
use crate::setters::of_setters;

/// The numbers of the facts that are not true today. What cannot be told counts as broken.
pub fn broken(facts: &Facts, world: &World<'_>) -> FactSet {
    let is_broken = |fact: &KnownFact<'_>| !is_true(&fact.to_fact(), world);
    let of_classes: Vec<ClassFacts<'_>> = facts.of_classes().collect();
    let chunks: Vec<_> = of_classes.chunks(CLASSES_AT_ONCE).collect();
    let wholes = map_in_parallel(&chunks, |chunk| {
        let mut broken = Vec::new();
        let standings = chunk.iter();
        let standings = standings.map(|class| standing(*class, world.classes, &mut broken));
        (standings.collect::<Vec<Standing>>(), broken)
    });
    let standings: Vec<Standing> = wholes.iter().flat_map(|(all, _)| all.clone()).collect();
    let is_set_otherwise = is_set_otherwise(facts, world);
    let asked = asked(facts, &of_classes, &standings, is_set_otherwise);
    let chunks: Vec<_> = asked.chunks(CLASSES_AT_ONCE).collect();
    let parts = map_in_parallel(&chunks, |chunk| {
        let mut broken = Vec::new();
        for (class, question) in *chunk {
            let parts = class.parts().filter(|fact| question.is_about(fact.kind));
            broken.extend(parts.filter(is_broken).map(|fact| fact.number));
        }
        broken
    });
    let others: Vec<KnownFact<'_>> = facts.of_no_class().collect();
    let chunks: Vec<_> = others.chunks(CLASSES_AT_ONCE).collect();
    let others = map_in_parallel(&chunks, |chunk| {
        let broken = chunk.iter().filter(|fact| is_broken(fact));
        broken.map(|fact| fact.number).collect::<Vec<u32>>()
    });
    let wholes = wholes.into_iter().map(|(_, broken)| broken);
    let all = wholes.chain(parts).chain(others);
    all.flatten().collect()
}

/// The classes of which parts are to be looked at, and which: nothing of those that are as known, and have nothing above them that is
/// not, unless other code sets fields than records know.
fn asked<'f>(
    facts: &Facts,
    of_classes: &[ClassFacts<'f>],
    standings: &[Standing],
    is_set_otherwise: bool,
) -> Vec<(ClassFacts<'f>, Question)> {
    let is_changed = |standing: &Standing| *standing == Standing::Changed;
    let changed: Vec<bool> = standings.iter().map(is_changed).collect();
    let is_concerned = concerned(facts, of_classes, changed);
    let questions = standings.iter().zip(is_concerned);
    let questions = questions.map(|(standing, is_concerned)| Question {
        of_itself: *standing != Standing::AsKnown,
        of_hierarchy: is_concerned || *standing != Standing::AsKnown,
        of_others: is_set_otherwise,
    });
    let asked = of_classes.iter().copied().zip(questions);
    asked.filter(|(_, question)| question.is_any()).collect()
}

/// Whether code in directories sets other fields of other classes than all records know. Only then any fact about who sets a single one
/// elsewhere may be broken: each record that has one has the one about all.
fn is_set_otherwise(facts: &Facts, world: &World<'_>) -> bool {
    let all = facts.of_no_class();
    let all = all.filter(|fact| fact.kind == SubjectKind::AllSettersElsewhere);
    let mut are_true = all.map(|fact| is_true(&fact.to_fact(), world)).peekable();
    are_true.peek().is_none() || are_true.any(|is_true| !is_true)
}

/// Which facts about parts of a class are to be looked at.
#[derive(Debug, Clone, Copy)]
struct Question {
    /// Those that its own file decides.
    of_itself: bool,
    /// Those that it decides together with those of the classes above.
    of_hierarchy: bool,
    /// Those that the code of others decides.
    of_others: bool,
}

impl Question {
    fn is_any(self) -> bool {
        self.of_itself || self.of_hierarchy || self.of_others
    }

    fn is_about(self, kind: SubjectKind) -> bool {
        match kind {
            SubjectKind::SettersElsewhere => self.of_others,
            kind if kind.is_of_hierarchy() => self.of_hierarchy,
            _ => self.of_itself,
        }
    }
}

/// What has become of a class, by the facts about the whole of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Standing {
    /// It is there, and as all of them say.
    AsKnown,
    /// It is not there, and they say so.
    Absent,
    /// It is another one, or there is no such fact.
    Changed,
}

/// How many classes, or other things, a thread compares before it looks for more.
const CLASSES_AT_ONCE: usize = 512;

/// What has become of a class. Facts about the whole of it that are not true are added to those that are broken.
fn standing(facts: ClassFacts<'_>, classes: &ClassStates<'_>, broken: &mut Vec<u32>) -> Standing {
    let class = facts.class();
    let mut wholes = facts.wholes().peekable();
    if wholes.peek().is_none() {
        return Standing::Changed;
    }
    if Sabotage::LibraryClassesIgnored.is_on() && classes.is_in_archive(class) {
        return Standing::AsKnown;
    }
    let today = classes.smart(class);
    let mut is_as_known = true;
    for whole in wholes {
        let is_same = is_value(whole.value, &today);
        let is_true =
            is_same || whole.kind == SubjectKind::Aspect && has_aspect(&whole.subject(), classes);
        if !is_true {
            broken.push(whole.number);
        }
        is_as_known &= is_same;
    }
    match today {
        State::Absent if is_as_known => Standing::Absent,
        State::Known(_) if is_as_known => Standing::AsKnown,
        _ => Standing::Changed,
    }
}

fn is_value(then: Option<Checksum>, today: &State<Checksum>) -> bool {
    match today {
        State::Absent => then.is_none(),
        State::Known(today) => then == Some(*today),
        State::Unknown(_) => false,
    }
}

/// Whether a class has what a fact is about that JVMs ask of it when they link or show another one.
fn has_aspect(subject: &Subject, classes: &ClassStates<'_>) -> bool {
    let Subject::Aspect(class, aspect) = subject else {
        return false;
    };
    let State::Known(sums) = classes.checksums(class) else {
        return false;
    };
    let parts = sums.parts.as_ref();
    parts.is_some_and(|parts| parts.has_aspect(*aspect))
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
    is_value(fact.value, &value(&fact.subject, world)) || has_aspect(&fact.subject, world.classes)
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
    let of_hierarchy = |class: &ClassName, value: &dyn Fn(&Hierarchy) -> Checksum| match classes
        .hierarchy(class)
    {
        Ok(Some(hierarchy)) => State::Known(value(&hierarchy)),
        Ok(None) => State::Absent,
        Err(reason) => State::Unknown(reason),
    };
    match subject {
        Subject::Class(class) | Subject::Whole(class) | Subject::Aspect(class, _) => {
            classes.smart(class)
        }
        Subject::Head(class) => part(class, &|parts| Some(parts.head)),
        Subject::Declaration(class) => part(class, &|parts| Some(parts.declaration)),
        Subject::Supertypes(class, _) => part(class, &|parts| {
            let supertypes = parts.declared.supertypes();
            Some(of_names(supertypes))
        }),
        Subject::Signatures(class) => part(class, &|parts| Some(parts.signatures)),
        Subject::Fields(class) => part(class, &|parts| Some(parts.visible_fields)),
        Subject::Resolution(class, method) => {
            of_hierarchy(class, &|above| above.resolution(method).checksum())
        }
        Subject::Dispatch(class, method) => {
            of_hierarchy(class, &|above| above.target(method).checksum())
        }
        Subject::Callbacks(class) => of_hierarchy(class, &Hierarchy::callbacks),
        Subject::Members(class) => part(class, &|parts| Some(parts.members)),
        Subject::Method(class, method) | Subject::Block(class, method, _) => {
            part(class, &|parts| parts.method(method))
        }
        Subject::Field(class, field) => part(class, &|parts| parts.field(field)),
        Subject::Setters(class, field) => part(class, &|parts| of_setters(parts.setters(field))),
        Subject::SettersElsewhere(class, field) => {
            let setters = classes.setters_elsewhere(class, field);
            setters.map_or_else(State::Unknown, |all| {
                of_setters(&all).map_or(State::Absent, State::Known)
            })
        }
        Subject::AllSettersElsewhere => classes.all_setters_elsewhere(),
        Subject::ClassNames => classes.names(),
        Subject::Resource(name) => classes.resource(name.as_bytes()),
        Subject::Archives => classes.archives(),
        Subject::File(_) | Subject::Presence(_) | Subject::Listing(_) | Subject::Link(_) => {
            paths.value(subject)
        }
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
