//! The kind of change (SPEC 2.4) that a fact which is not true any more tells of.
//!
//! Most of it is told by the fact and by today's class file. What a class was like, be it only that a method which is gone was static, is told by
//! the class file of then, where the store keeps it (`docs/design/store.md`); else no kind is named.

use std::collections::{BTreeMap, BTreeSet};

use tamis_facts::{ChangeKind, Checksum, ClassName, MethodId, Subject, SubjectKind};
use tamis_store::{FactSet, Facts, KnownFact};

use crate::report::Difference;
use crate::today::{AsFile, ClassParts, ClassStates, ClassSums, KeptClasses, State, changes};

/// What tells kinds of changes.
pub(super) struct ChangeKinds<'k> {
    classes: &'k ClassStates<'k>,
    kept: &'k dyn KeptClasses,
    /// The classes that declare something else than a record knows, members aside.
    declared_otherwise: BTreeSet<&'k ClassName>,
    /// What classes were as a whole that are not so any more.
    wholes: BTreeMap<&'k ClassName, Vec<Checksum>>,
}

impl<'k> ChangeKinds<'k> {
    pub(super) fn new(
        facts: &'k Facts,
        broken: &FactSet,
        classes: &'k ClassStates<'k>,
        kept: &'k dyn KeptClasses,
    ) -> Self {
        let mut declared_otherwise = BTreeSet::new();
        let mut wholes: BTreeMap<_, Vec<Checksum>> = BTreeMap::new();
        for fact in broken.iter().map(|number| facts.fact(number)) {
            match (fact.kind, fact.class(), fact.value) {
                (SubjectKind::Declaration, Some(class), _) => {
                    declared_otherwise.insert(class);
                }
                (SubjectKind::Class, Some(class), Some(then)) => {
                    wholes.entry(class).or_default().push(then);
                }
                _ => {}
            }
        }
        Self {
            classes,
            kept,
            declared_otherwise,
            wholes,
        }
    }

    /// The kind of what became of something; nothing if it is not about a class, or cannot be told.
    pub(super) fn of(&self, fact: &KnownFact<'_>, difference: &Difference) -> Option<ChangeKind> {
        match difference {
            Difference::LookUp(found) => found.change.as_ref().map(|(kind, _)| *kind),
            Difference::AsFile(AsFile::Kinds(kinds)) => only(kinds),
            Difference::AsFile(AsFile::Unknown)
            | Difference::Unknown(_)
            | Difference::Setters(_) => None,
            Difference::Gone if self.is_class_gone(fact) => Some(ChangeKind::DeletedFile),
            Difference::Appeared => self.of_three(&fact.subject(), fact.value)?.first().copied(),
            Difference::Gone => self.of_three(&fact.subject(), fact.value)?.get(1).copied(),
            Difference::Changed => self.of_changed(&fact.subject(), fact.value),
        }
    }

    /// Whether something is gone because its class is.
    fn is_class_gone(&self, fact: &KnownFact<'_>) -> bool {
        let class = fact.class();
        class.is_some_and(|class| matches!(self.classes.checksums(class), State::Absent))
    }

    fn of_changed(&self, subject: &Subject, then: Option<Checksum>) -> Option<ChangeKind> {
        match subject {
            Subject::Class(class) | Subject::Whole(class)
                if self.declared_otherwise.contains(class) =>
            {
                let kinds = changes(class, then?, self.classes, self.kept)?;
                Some(only(&kinds).unwrap_or(ChangeKind::FileChanged))
            }
            Subject::Head(class) | Subject::Declaration(class)
                if self.declared_otherwise.contains(class) =>
            {
                Some(ChangeKind::HeadChanged)
            }
            // Members of it that others can see.
            Subject::Head(class) => self.of_members(class, then, |old| old.head, VISIBLE),
            Subject::Fields(class) => {
                self.of_members(class, then, |old| old.visible_fields, FIELDS)
            }
            Subject::Signatures(class) => {
                self.of_members(class, then, |old| old.signatures, METHODS)
            }
            // And as reflection lists them.
            Subject::Members(class) => self.of_members(class, then, |old| old.members, LISTED),
            subject => self.of_three(subject, then)?.last().copied(),
        }
    }

    /// The kind of a change that a part of a class shows, if these are all that it shows.
    fn of_members(
        &self,
        class: &ClassName,
        then: Option<Checksum>,
        part: impl Fn(&ClassParts) -> Checksum,
        shown: &[&[ChangeKind]],
    ) -> Option<ChangeKind> {
        let (whole, _) = self.old(class, |old| Some(part(old)) == then)?;
        let mut kinds = changes(class, whole, self.classes, self.kept)?;
        kinds.retain(|kind| shown.iter().any(|some| some.contains(kind)));
        only(&kinds)
    }

    /// The kinds of something: that it is new, gone, or changed.
    fn of_three(&self, subject: &Subject, then: Option<Checksum>) -> Option<[ChangeKind; 3]> {
        use ChangeKind as Kind;
        match subject {
            Subject::Class(_) | Subject::Whole(_) => {
                Some([Kind::AddedFile, Kind::DeletedFile, Kind::FileChanged])
            }
            Subject::Field(class, field) => {
                let is_retyped = then.is_some() && self.has_field(class, field.name.as_bytes());
                let gone = if is_retyped {
                    Kind::ChangedField
                } else {
                    Kind::DeletedField
                };
                Some([Kind::AddedField, gone, Kind::ChangedField])
            }
            Subject::Method(class, method) | Subject::Block(class, method, _) => {
                self.of_method(class, method, then)
            }
            _ => None,
        }
    }

    fn of_method(
        &self,
        class: &ClassName,
        method: &MethodId,
        then: Option<Checksum>,
    ) -> Option<[ChangeKind; 3]> {
        use ChangeKind as Kind;
        Some(match method.name.as_bytes() {
            b"<clinit>" => [
                Kind::AddedStaticInitializer,
                Kind::DeletedStaticInitializer,
                Kind::ChangedStaticInitializer,
            ],
            b"<init>" => [
                Kind::AddedInstanceInitializer,
                Kind::DeletedInstanceInitializer,
                Kind::ChangedInstanceInitializer,
            ],
            _ if self.is_static(class, method, then)? => [
                Kind::AddedStaticMethod,
                Kind::DeletedStaticMethod,
                Kind::ChangedStaticMethod,
            ],
            _ => [
                Kind::AddedInstanceMethod,
                Kind::DeletedInstanceMethod,
                Kind::ChangedInstanceMethod,
            ],
        })
    }

    /// Whether a method is static today, or was when it had this checksum.
    fn is_static(
        &self,
        class: &ClassName,
        method: &MethodId,
        then: Option<Checksum>,
    ) -> Option<bool> {
        let today = self.today(class, |parts| parts.is_static(method));
        today.or_else(|| {
            let (_, old) = self.old(class, |old| then.is_some() && old.method(method) == then)?;
            old.is_static(method)
        })
    }

    /// Whether a class has a field of this name today, of whatever type.
    fn has_field(&self, class: &ClassName, name: &[u8]) -> bool {
        let has_field = |parts: &ClassParts| parts.has_field(name).then_some(());
        self.today(class, has_field).is_some()
    }

    fn today<T>(&self, class: &ClassName, ask: impl FnOnce(&ClassParts) -> Option<T>) -> Option<T> {
        match self.classes.checksums(class) {
            State::Known(sums) => ask(sums.parts.as_ref()?),
            State::Absent | State::Unknown(_) => None,
        }
    }

    /// What a class was when this was so, if its file is kept: as a whole, and its parts.
    fn old(
        &self,
        class: &ClassName,
        was_so: impl Fn(&ClassParts) -> bool,
    ) -> Option<(Checksum, ClassParts)> {
        self.wholes.get(class)?.iter().find_map(|whole| {
            let bytes = self.kept.class_file(*whole)?;
            let parts = ClassSums::of(&bytes, self.classes.debug_info()).parts?;
            was_so(&parts).then_some((*whole, parts))
        })
    }
}

const OF_METHODS: &[ChangeKind] = &[
    ChangeKind::AddedInstanceMethod,
    ChangeKind::DeletedInstanceMethod,
    ChangeKind::ChangedInstanceMethod,
];

const OF_FIELDS: &[ChangeKind] = &[
    ChangeKind::AddedField,
    ChangeKind::DeletedField,
    ChangeKind::ChangedField,
];

/// What a listing shows beside fields and methods of objects. No kind tells a changed declaration from a changed body.
const OF_LISTING: &[ChangeKind] = &[
    ChangeKind::AddedInstanceInitializer,
    ChangeKind::DeletedInstanceInitializer,
    ChangeKind::AddedStaticMethod,
    ChangeKind::DeletedStaticMethod,
    ChangeKind::MembersChanged,
];

/// What others may see of a class beside what it declares of itself.
const VISIBLE: &[&[ChangeKind]] = &[OF_METHODS, OF_FIELDS];
const METHODS: &[&[ChangeKind]] = &[OF_METHODS];
const FIELDS: &[&[ChangeKind]] = &[OF_FIELDS];
const LISTED: &[&[ChangeKind]] = &[OF_METHODS, OF_FIELDS, OF_LISTING];

fn only(kinds: &BTreeSet<ChangeKind>) -> Option<ChangeKind> {
    kinds.first().filter(|_| kinds.len() == 1).copied()
}
