//! Which fields and methods were added, deleted or changed.
//!
//! Members are matched by name and descriptor. Methods that are known by content are matched by
//! content first, whatever their numbers; of those left over, the ones of equal names are *changed*.

use std::collections::{BTreeMap, BTreeSet};

use tamis_classfile::AccessFlags;
use tamis_classfile::checksum::{ClassChecksums, FieldChecksum, MethodChecksum};
use tamis_facts::{ChangeKind, FieldId, MethodId};

use super::blocks::changed_blocks;
use super::{Change, Subject};
use crate::class_state::Parts;

pub(super) fn of_fields(old: &[FieldChecksum], new: &[FieldChecksum]) -> Vec<Change> {
    let old_by_id: BTreeMap<_, _> = old.iter().map(|field| (&field.id, field)).collect();
    let new_by_id: BTreeMap<_, _> = new.iter().map(|field| (&field.id, field)).collect();
    let mut changes = Vec::new();
    let mut deleted = Vec::new();
    for (id, field) in &old_by_id {
        match new_by_id.get(id) {
            None => deleted.push(*id),
            Some(new) if new.checksum != field.checksum => {
                changes.push(of_field(ChangeKind::ChangedField, id));
            }
            Some(_) => {}
        }
    }
    for id in new_by_id.keys().filter(|id| !old_by_id.contains_key(*id)) {
        // A field of that name with another type was retyped.
        match deleted.iter().position(|old| old.name == id.name) {
            Some(position) => {
                changes.push(of_field(
                    ChangeKind::ChangedField,
                    deleted.swap_remove(position),
                ));
            }
            None => changes.push(of_field(ChangeKind::AddedField, id)),
        }
    }
    changes.extend(
        deleted
            .into_iter()
            .map(|id| of_field(ChangeKind::DeletedField, id)),
    );
    changes
}

/// Whether members that both states have stand in another order that reflection shows: fields, and
/// methods or constructors of one name.
pub(super) fn are_reordered(old: &ClassChecksums, new: &ClassChecksums) -> bool {
    let field_ids =
        |sums: &ClassChecksums| -> Vec<_> { sums.fields.iter().map(|f| f.id.clone()).collect() };
    let method_ids = |sums: &ClassChecksums| {
        let named = sums
            .methods
            .iter()
            .filter(|method| !method.is_known_by_content);
        let mut ids: Vec<_> = named.map(|method| method.id.clone()).collect();
        ids.sort_by(|left, right| left.name.cmp(&right.name));
        ids
    };
    is_common_order_different(&field_ids(old), &field_ids(new))
        || is_common_order_different(&method_ids(old), &method_ids(new))
}

fn is_common_order_different<T: Ord>(old: &[T], new: &[T]) -> bool {
    let old_set: BTreeSet<_> = old.iter().collect();
    let new_set: BTreeSet<_> = new.iter().collect();
    let old_common = old.iter().filter(|item| new_set.contains(item));
    let new_common = new.iter().filter(|item| old_set.contains(item));
    !old_common.eq(new_common)
}

fn of_field(kind: ChangeKind, id: &FieldId) -> Change {
    Change {
        kind,
        subject: Subject::Field(id.clone()),
        blocks: None,
    }
}

pub(super) fn of_methods(old: &Parts<'_>, new: &Parts<'_>) -> Vec<Change> {
    let (old_left, new_left) = without_equal_contents(old, new);
    let mut changes = Vec::new();
    for (id, (position, old_method)) in &old_left {
        let Some((new_position, new_method)) = new_left.get(id) else {
            changes.push(of_method(Happened::Deleted, old_method));
            continue;
        };
        if old_method.checksum == new_method.checksum {
            continue;
        }
        if is_static(old_method) != is_static(new_method) {
            // Another kind of method: whoever called the old one finds none.
            changes.push(of_method(Happened::Deleted, old_method));
            changes.push(of_method(Happened::Added, new_method));
            continue;
        }
        let mut change = of_method(Happened::Changed, old_method);
        if matches!(
            change.kind,
            ChangeKind::ChangedStaticMethod | ChangeKind::ChangedInstanceMethod
        ) {
            change.blocks = Some(changed_blocks(old, *position, new, *new_position));
        }
        changes.push(change);
    }
    let added = new_left
        .iter()
        .filter(|(id, _)| !old_left.contains_key(*id));
    changes.extend(added.map(|(_, (_, method))| of_method(Happened::Added, method)));
    changes
}

/// Methods by name and descriptor, with their positions in the class.
type ById<'p> = BTreeMap<&'p MethodId, (usize, &'p MethodChecksum)>;

/// All methods of both sides but those known by content whose content both sides have.
fn without_equal_contents<'p>(old: &'p Parts<'_>, new: &'p Parts<'_>) -> (ById<'p>, ById<'p>) {
    let mut by_content: BTreeMap<_, Vec<_>> = BTreeMap::new();
    for method in old
        .checksums
        .methods
        .iter()
        .filter(|method| method.is_known_by_content)
    {
        by_content
            .entry(method.checksum)
            .or_default()
            .push(&method.id);
    }
    let mut old_left = by_id(old);
    let mut new_left = by_id(new);
    for method in new
        .checksums
        .methods
        .iter()
        .filter(|method| method.is_known_by_content)
    {
        if let Some(same) = by_content.get_mut(&method.checksum).and_then(Vec::pop) {
            old_left.remove(same);
            new_left.remove(&method.id);
        }
    }
    (old_left, new_left)
}

fn by_id<'p>(parts: &'p Parts<'_>) -> ById<'p> {
    let methods = parts.checksums.methods.iter().enumerate();
    methods
        .map(|(position, method)| (&method.id, (position, method)))
        .collect()
}

fn is_static(method: &MethodChecksum) -> bool {
    method.access_flags.contains(AccessFlags::STATIC)
}

enum Happened {
    Added,
    Deleted,
    Changed,
}

fn of_method(happened: Happened, method: &MethodChecksum) -> Change {
    use ChangeKind as Kind;
    let kind = match (method.id.name.as_bytes(), is_static(method), happened) {
        (b"<clinit>", _, Happened::Added) => Kind::AddedStaticInitializer,
        (b"<clinit>", _, Happened::Deleted) => Kind::DeletedStaticInitializer,
        (b"<clinit>", _, Happened::Changed) => Kind::ChangedStaticInitializer,
        (b"<init>", _, Happened::Added) => Kind::AddedInstanceInitializer,
        (b"<init>", _, Happened::Deleted) => Kind::DeletedInstanceInitializer,
        (b"<init>", _, Happened::Changed) => Kind::ChangedInstanceInitializer,
        (_, true, Happened::Added) => Kind::AddedStaticMethod,
        (_, true, Happened::Deleted) => Kind::DeletedStaticMethod,
        (_, true, Happened::Changed) => Kind::ChangedStaticMethod,
        (_, false, Happened::Added) => Kind::AddedInstanceMethod,
        (_, false, Happened::Deleted) => Kind::DeletedInstanceMethod,
        (_, false, Happened::Changed) => Kind::ChangedInstanceMethod,
    };
    Change {
        kind,
        subject: Subject::Method(method.id.clone()),
        blocks: None,
    }
}
