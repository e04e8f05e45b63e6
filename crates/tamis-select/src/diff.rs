//! The changes between two states of a class (SPEC 2.4).
//!
//! When the head stayed as it was, the changes are those of single members; when it changed too, the
//! whole file counts as changed, because nothing finer is safe.

mod blocks;
mod members;

use std::collections::BTreeSet;

use tamis_classfile::checksum::DebugInfo;
use tamis_facts::{ChangeKind, FieldId, MethodId};

use crate::class_state::{ClassState, Parts};
pub use blocks::{ChangedBlocks, blocks_changed};

/// One change.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Change {
    /// What kind of change.
    pub kind: ChangeKind,
    /// What it concerns.
    pub subject: Subject,
    /// Of a changed static or instance method: what changed in its body.
    pub blocks: Option<ChangedBlocks>,
}

/// What a change concerns.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Subject {
    /// The class as a whole.
    Class,
    /// A field.
    Field(FieldId),
    /// A method, constructor or static initialiser; by its old name where it has two.
    Method(MethodId),
}

impl Change {
    fn of_class(kind: ChangeKind) -> Self {
        Self {
            kind,
            subject: Subject::Class,
            blocks: None,
        }
    }

    fn forget_blocks(&mut self) {
        if let Some(blocks) = &mut self.blocks {
            let reason = blocks::DEBUG_INFO_COUNTS.to_owned();
            *blocks = ChangedBlocks::All { reason };
        }
    }
}

/// The changes from `old` to `new`; a class that is not there is `None`. Sorted.
pub fn diff(old: Option<&ClassState<'_>>, new: Option<&ClassState<'_>>) -> Vec<Change> {
    match (old, new) {
        (None, None) => Vec::new(),
        (None, Some(_)) => vec![Change::of_class(ChangeKind::AddedFile)],
        (Some(_), None) => vec![Change::of_class(ChangeKind::DeletedFile)],
        (Some(old), Some(new)) => match (&old.parts, &new.parts) {
            (Ok(old_parts), Ok(new_parts)) => {
                let mut changes = diff_parts(old_parts, new_parts);
                if new.debug_info == DebugInfo::Counted {
                    changes.iter_mut().for_each(Change::forget_blocks);
                }
                changes
            }
            _ if old.plain == new.plain => Vec::new(),
            _ => vec![Change::of_class(ChangeKind::FileChanged)],
        },
    }
}

/// The kinds of all changes between two states of a class. Where the head changed too, [`diff`] speaks of the file alone;
/// here the kinds of single members are named beside it. Nothing if a side is not understood: it may be any.
pub fn kinds(old: &ClassState<'_>, new: &ClassState<'_>) -> Option<BTreeSet<ChangeKind>> {
    let (Ok(old_parts), Ok(new_parts)) = (&old.parts, &new.parts) else {
        return None;
    };
    let mut changes = diff_parts(old_parts, new_parts);
    if old_parts.checksums.head != new_parts.checksums.head {
        changes.push(Change::of_class(ChangeKind::HeadChanged));
        changes.extend(of_members(old_parts, new_parts));
        changes.extend(of_order(old_parts, new_parts));
    }
    Some(changes.into_iter().map(|change| change.kind).collect())
}

fn of_members(old: &Parts<'_>, new: &Parts<'_>) -> Vec<Change> {
    let mut changes = members::of_fields(&old.checksums.fields, &new.checksums.fields);
    changes.extend(members::of_methods(old, new));
    changes
}

/// What only reflection shows.
fn of_order(old: &Parts<'_>, new: &Parts<'_>) -> Option<Change> {
    let (old, new) = (&old.checksums, &new.checksums);
    let is_other = old.listing != new.listing || members::are_reordered(old, new);
    is_other.then(|| Change::of_class(ChangeKind::MembersChanged))
}

fn diff_parts(old: &Parts<'_>, new: &Parts<'_>) -> Vec<Change> {
    let (old_sums, new_sums) = (&old.checksums, &new.checksums);
    if old_sums.smart == new_sums.smart {
        return Vec::new();
    }
    let mut changes = of_members(old, new);
    let is_head_changed = old_sums.head != new_sums.head;
    if is_head_changed {
        let kind = if changes.is_empty() {
            ChangeKind::HeadChanged
        } else {
            ChangeKind::FileChanged
        };
        return vec![Change::of_class(kind)];
    }
    changes.extend(of_order(old, new));
    if changes.is_empty() {
        // Whatever it is that no part shows, such as a dynamic constant that stands twice.
        changes.push(Change::of_class(ChangeKind::FileChanged));
    }
    changes.sort();
    changes
}
