//! Selecting by test method (SPEC 1.6): a class that has to run need not run all its tests.
//!
//! A class is decided about first, by its own records. If it runs, each of its methods may still be skipped by records of its own. The
//! record of the class is then put together: what ran, and for methods that were skipped what their records say. So
//! it knows all tests of the class, whichever way they are selected the next time.
//!
//! Methods that may rely on each other are *tied*: they have no records of their own, and run together.

use std::collections::BTreeSet;

use tamis_classfile::AccessFlags;
use tamis_facts::{ClassName, EntityId, ModifiedUtf8, TestOutcome};
use tamis_select::{Decision, Reason};
use tamis_wire::{Discovered, EntityKind};

use super::analysis::Analysis;
use crate::class_info::{ClassInfo, internal_name};
use crate::held::Held;
use crate::today::{ClassStates, State};

/// The class of a test method; none of what is no method.
pub(super) fn class_of_method(id: &EntityId, discovered: &Discovered) -> Option<EntityId> {
    let [test] = &discovered.tests[..] else {
        return None;
    };
    if discovered.kind != EntityKind::Method {
        return None;
    }
    let class = id.test.as_bytes().strip_suffix(&test[..])?;
    Some(EntityId {
        test: class.strip_suffix(b"#")?.into(),
        ..id.clone()
    })
}

/// The method of a class, as an entity.
pub(super) fn method_of_class(class: &EntityId, test: &ModifiedUtf8) -> EntityId {
    let name = [class.test.as_bytes(), b"#", test.as_bytes()].concat();
    EntityId {
        test: name[..].into(),
        ..class.clone()
    }
}

/// Whether an entity is a method of the class whose method with an empty name this is.
pub(super) fn is_method_of(id: &EntityId, nameless: &EntityId) -> bool {
    (&id.realm, &id.framework) == (&nameless.realm, &nameless.framework)
        && id.test.as_bytes().starts_with(nameless.test.as_bytes())
}

/// What would be the class, if an entity is a method.
pub(super) fn class_part(id: &EntityId) -> Option<EntityId> {
    let name = id.test.as_bytes();
    let end = name.iter().position(|byte| *byte == b'#')?;
    Some(EntityId {
        test: name[..end].into(),
        ..id.clone()
    })
}

/// What is to be done with a method whose class was decided about.
pub(super) fn decide_method(
    method: &EntityId,
    test: &ModifiedUtf8,
    class: &EntityId,
    of_class: &Decision,
    analysis: &Analysis,
) -> Decision {
    let own = || analysis.decide(method, &BTreeSet::from([test.clone()]));
    match of_class {
        // What a class runs for as a whole is not a matter of one method.
        Decision::Skip(_) | Decision::Run(Reason::Always | Reason::Companion(_)) => {
            of_class.clone()
        }
        // Red stays red, but only where it was.
        Decision::Run(Reason::NotPassed(position, _)) => {
            let outcome = analysis.outcome(class, *position, test);
            if outcome == Some(TestOutcome::Passed) {
                own()
            } else {
                of_class.clone()
            }
        }
        Decision::Run(Reason::New | Reason::Old | Reason::Broken | Reason::NotCovered(..)) => own(),
    }
}

/// Annotations that make the tests of a class follow each other in some order, or share an object.
const TYING: &[&str] = &[
    "org/junit/FixMethodOrder",
    "org/junit/jupiter/api/Order",
    "org/junit/jupiter/api/TestInstance",
    "org/junit/jupiter/api/TestMethodOrder",
];

/// By this file all classes may be tied.
const SETTINGS_OF_JUNIT: &[u8] = b"junit-platform.properties";

/// Frameworks that make an object of the class for each test.
const KNOWN_FRAMEWORKS: &[&str] = &["junit4", "junit-jupiter", "junit-vintage"];

/// Whether the methods of a class may rely on each other: by an order, by an object that they share, by static fields of the
/// class, of those that it extends, holds or is held by. So it is where that cannot be told.
pub(super) fn is_tied(class: &EntityId, classes: &ClassStates<'_>) -> bool {
    let is_known = KNOWN_FRAMEWORKS
        .iter()
        .any(|framework| framework.as_bytes() == class.framework.as_bytes());
    if !is_known || !matches!(classes.resource(SETTINGS_OF_JUNIT), State::Absent) {
        return true;
    }
    let mut next = vec![(internal_name(class.test.as_bytes()), Role::Holds)];
    let mut seen = BTreeSet::new();
    while let Some((name, role)) = next.pop() {
        if is_of_jdk(&name) || !seen.insert(name.clone()) {
            continue;
        }
        let bytes = match classes.bytes(&name) {
            State::Known((bytes, _)) => bytes,
            // One that is not there is not seen by JUnit either.
            State::Absent if role == Role::Annotates => continue,
            State::Absent | State::Unknown(_) => return true,
        };
        let Some(info) = ClassInfo::of(&bytes) else {
            return true;
        };
        let holds = role == Role::Holds;
        if info.annotations.iter().any(is_tying) || holds && has_state(&info) {
            return true;
        }
        let others = info.supertypes().chain(info.nested(&name));
        let others = others.filter(|_| holds);
        next.extend(others.map(|name| (name.clone(), Role::Holds)));
        let annotations = info.annotations.iter();
        next.extend(annotations.map(|name| (name.clone(), Role::Annotates)));
    }
    false
}

/// What a class has to do with tests.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    /// It holds tests, or what they share.
    Holds,
    /// It is an annotation of such a class, or of an annotation.
    Annotates,
}

fn is_tying(annotation: &ClassName) -> bool {
    let mut tying = TYING.iter();
    tying.any(|name| name.as_bytes() == annotation.as_bytes())
}

/// Whether a class has static fields that tests may leave something in. (Those of interfaces are constants.)
fn has_state(info: &ClassInfo) -> bool {
    let is_interface = info.access_flags.contains(AccessFlags::INTERFACE);
    let mut fields = info.fields.iter();
    !is_interface
        && fields.any(|(id, field)| {
            let is_value = matches!(
                id.descriptor.as_bytes(),
                [_] | b"Ljava/lang/String;" | b"Ljava/lang/Class;"
            );
            let is_fixed = field.is_final && (is_value || field.held == Some(Held::Fixed));
            field.is_static && !is_fixed
        })
}

fn is_of_jdk(name: &ClassName) -> bool {
    name.as_bytes().starts_with(b"java/")
}
