//! What objects of a class keep for later tests, wherever these have them from.
//!
//! A test gets objects that others made in many ways which no static field shows that it names: below another static field, from a framework
//! that keeps one object for all tests, from a cache of the JDK's, as a constant that is looked up by its name. But what it does with one is seen:
//! it runs its methods or names its fields. So a class is a place where something may be left, and who handles objects of it without having made
//! one of them looks there.

use std::collections::BTreeSet;

use tamis_classfile::AccessFlags;
use tamis_facts::{ClassName, MethodId};

use super::FactTable;
use super::changes::{ArrayKinds, Changes};
use super::class_table::{ClassTable, NameId};
use super::left_state::Keeper;
use super::reach::is_immutable;

/// What can change in an object of a class, in what the class itself declares. What its fields lead to are objects of other classes.
#[derive(Debug, Default)]
pub(super) struct ObjectState {
    /// Its fields that are not final, by number.
    pub(super) fields: BTreeSet<u32>,
    arrays: ArrayKinds,
    /// Whether it may hold objects of which nothing is seen: the JDK's collections above all.
    is_open: bool,
}

/// What some code did with objects; classes of which objects never change are left out.
#[derive(Debug, Default, Clone)]
pub(super) struct Handling {
    /// The classes of which it ran methods or named fields.
    pub(super) handled: BTreeSet<NameId>,
    /// Those of which it made objects.
    pub(super) made: BTreeSet<NameId>,
    /// Those of which it set fields.
    pub(super) set: BTreeSet<NameId>,
}

impl ObjectState {
    /// What can change in objects of a class; nothing in those of test frameworks, logging libraries and classes that are not seen.
    pub(super) fn of(id: NameId, classes: &mut ClassTable<'_>, facts: &mut FactTable) -> Self {
        let mut state = Self::default();
        let name = classes.name(id).clone();
        let used = classes.get(id, facts);
        let Some(file) = used
            .file
            .as_ref()
            .filter(|file| !file.keeps_own_state(&name))
        else {
            return state;
        };
        for (field, info) in &file.info.fields {
            if info.is_static {
                continue;
            }
            if !info.is_final {
                state.fields.insert(classes.field_number(id, field));
            }
            state.add_type(field.descriptor.as_bytes(), classes, facts);
        }
        state
    }

    /// What a field of this type leads to that is no object of a class that is seen.
    fn add_type(&mut self, descriptor: &[u8], classes: &mut ClassTable<'_>, facts: &mut FactTable) {
        self.arrays.add(ArrayKinds::of_type(descriptor));
        let n_dimensions = descriptor.iter().take_while(|byte| **byte == b'[').count();
        let [b'L', name @ .., b';'] = &descriptor[n_dimensions..] else {
            return;
        };
        let name = ClassName::from(name);
        if is_immutable(&name) {
            return;
        }
        let id = classes.id(&name);
        let used = classes.get(id, facts);
        let is_class = |file: &super::class_table::UsedFile| {
            !file.info.access_flags.contains(AccessFlags::INTERFACE)
        };
        self.is_open |= !used.file.as_ref().is_some_and(is_class);
    }

    /// Whether nothing can change.
    pub(super) fn is_nothing(&self) -> bool {
        !self.is_open && self.fields.is_empty() && self.arrays.is_empty()
    }

    /// Whether code that handles such an object may change something in it, other than by setting its fields.
    pub(super) fn is_touched_by(&self, changes: &Changes) -> bool {
        self.is_open || changes.is_any || changes.arrays.intersect(self.arrays)
    }
}

impl Handling {
    pub(super) fn extend(&mut self, other: &Self) {
        self.handled.extend(&other.handled);
        self.made.extend(&other.made);
        self.set.extend(&other.set);
    }

    /// The classes of which it has objects that it did not make itself.
    pub(super) fn looked_at(&self) -> impl Iterator<Item = NameId> {
        self.handled.difference(&self.made).copied()
    }

    /// The classes in whose objects it may have left something.
    pub(super) fn left_at(&self, changes: &Changes, classes: &ClassTable<'_>) -> BTreeSet<NameId> {
        let had = self.handled.union(&self.made).copied();
        let touched = had.filter(|class| {
            let state = classes.known_object_state(*class);
            state.is_none_or(|state| state.is_touched_by(changes))
        });
        touched.chain(self.set.iter().copied()).collect()
    }
}

/// Methods by which code gets what something other than a static field keeps.
const KEEPERS: &[(&str, Keeper)] = &[
    ("java/beans/Introspector", Keeper::Beans),
    ("java/util/ResourceBundle", Keeper::Bundles),
    (
        "org/junit/jupiter/api/extension/ExtensionContext$Store",
        Keeper::Store,
    ),
    (
        "org/junit/platform/engine/support/store/NamespacedHierarchicalStore",
        Keeper::Store,
    ),
];

/// What keeps objects that a method of this class may get.
pub(super) fn keeper_asked_by(owner: &ClassName, method: &MethodId) -> Option<Keeper> {
    if method.name.as_bytes() == b"getStore" {
        return Some(Keeper::Store);
    }
    let found = KEEPERS
        .iter()
        .find(|(class, _)| class.as_bytes() == owner.as_bytes());
    found.map(|(_, keeper)| *keeper)
}

/// What keeps objects of a class with this supertype, which the JDK makes of it.
pub(super) fn keeper_of_below(supertype: &ClassName) -> Option<Keeper> {
    match supertype.as_bytes() {
        b"java/util/ResourceBundle" | b"java/util/ListResourceBundle" => Some(Keeper::Bundles),
        b"java/beans/BeanInfo" | b"java/beans/SimpleBeanInfo" => Some(Keeper::Beans),
        _ => None,
    }
}
