//! Classes that count as changed as a file because of the kinds of their changes: the study variants of SPEC 3.6.
//!
//! Records keep checksums of parts, from which nobody can tell that *some* method was added. The old class file tells, where
//! the store keeps it (`docs/design/store.md`). Where it does not, the change may be of any kind, and the class counts.

use std::collections::{BTreeMap, BTreeSet};

use tamis_facts::{ChangeKind, Checksum, ClassName, SubjectKind};
use tamis_select::{ClassState, kinds};
use tamis_store::{FactSet, Facts, KnownFact};

use super::State;
use super::changed_methods::KeptClasses;
use super::class_states::ClassStates;
use super::class_sums::smart;

/// Why a class counts as changed as a file.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum AsFile {
    /// These changes of it, or some of them, were to count so.
    Kinds(BTreeSet<ChangeKind>),
    /// It is not known how it changed.
    Unknown,
}

/// Of the facts about whole classes that are `broken`, those whose class changed in one of the `wanted` kinds.
pub fn counting_as_file(
    facts: &Facts,
    broken: &FactSet,
    classes: &ClassStates<'_>,
    kept: &dyn KeptClasses,
    wanted: &BTreeSet<ChangeKind>,
) -> BTreeMap<u32, AsFile> {
    if wanted.is_empty() {
        return BTreeMap::new();
    }
    let counting = broken.iter().filter_map(|number| {
        let (class, then) = whole_class(&facts.fact(number))?;
        let as_file = match changes(class, then, classes, kept) {
            Some(happened) => {
                let happened: BTreeSet<ChangeKind> = &happened & wanted;
                (!happened.is_empty()).then_some(AsFile::Kinds(happened))?
            }
            None => AsFile::Unknown,
        };
        Some((number, as_file))
    });
    counting.collect()
}

/// A class that was there, with its checksum.
fn whole_class<'f>(fact: &KnownFact<'f>) -> Option<(&'f ClassName, Checksum)> {
    let class = fact.class().filter(|_| fact.kind == SubjectKind::Class);
    class.zip(fact.value)
}

/// The kinds of the changes of a class since it had this checksum, if they can be told.
pub(crate) fn changes(
    class: &ClassName,
    then: Checksum,
    classes: &ClassStates<'_>,
    kept: &dyn KeptClasses,
) -> Option<BTreeSet<ChangeKind>> {
    let debug_info = classes.debug_info();
    let new = match classes.bytes(class) {
        State::Absent => return Some(BTreeSet::from([ChangeKind::DeletedFile])),
        State::Unknown(_) => return None,
        State::Known((bytes, _)) => bytes,
    };
    let old = kept.class_file(then)?;
    let state = ClassState::of(&new, debug_info);
    // What is compared is what all other facts are compared with.
    let is_todays = classes.smart(class) == State::Known(state.smart());
    if !is_todays || smart(&old, debug_info) != then {
        return None;
    }
    kinds(&ClassState::of(&old, debug_info), &state)
}
