//! The look-up changes of a class between two states of all classes (SPEC 2.5), statics and fields included.
//!
//! A call on an object of the class may find another method, and so may code that names a static or private method, or a
//! field, by the class. Of the pairs ⟨X, Y.m⟩ that the paper lists, Y is left out: what is compared is what is found.

use std::collections::BTreeSet;

use tamis_classfile::AccessFlags;
use tamis_facts::{ChangeKind, ClassName, FieldId, MethodId};

use super::callbacks::is_marker;
use super::change::{Found, LookUpChange};
use super::hierarchy::{Hierarchy, is_object};
use super::resolution::{Resolution, is_of_object};
use super::target::Target;
use super::{Classes, Declared, is_open, package};

/// A look-up that finds something else than before.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct ChangedLookUp {
    /// What is looked for.
    pub member: Member,
    /// The class by which it is.
    pub class: ClassName,
    /// Whether objects of the class are meant, or code that names it.
    pub by: By,
    /// What was found, what is, and why.
    pub change: LookUpChange,
}

/// What is looked for.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Member {
    /// A method.
    Method(MethodId),
    /// A field.
    Field(FieldId),
}

/// By what a member is looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum By {
    /// The class of an object, on which a method is called.
    Receiver,
    /// The class that code names.
    Name,
}

/// The look-ups by a class that find something else; none of one that is not on both sides. Sorted. An error, for people,
/// if that cannot be told.
pub fn changed_look_ups(
    class: &ClassName,
    old: &impl Classes,
    new: &impl Classes,
) -> Result<Vec<ChangedLookUp>, String> {
    let (Some(before), Some(now)) = (Hierarchy::of(class, old)?, Hierarchy::of(class, new)?) else {
        return Ok(Vec::new());
    };
    if before == now {
        return Ok(Vec::new());
    }
    let both = Both {
        old,
        new,
        before,
        now,
    };
    let mut all = Vec::new();
    for member in both.members() {
        all.extend(both.changes(&member)?);
    }
    all.sort();
    Ok(all)
}

/// A class in both states.
struct Both<'c, O, N> {
    old: &'c O,
    new: &'c N,
    before: Hierarchy,
    now: Hierarchy,
}

impl<O: Classes, N: Classes> Both<'_, O, N> {
    /// All that is declared in the class or above it.
    fn members(&self) -> BTreeSet<Member> {
        let types = self.before.types().chain(self.now.types());
        let members = types.flat_map(|(_, declared)| {
            // What a compiler makes for a class alone, such as the body of a lambda, has a number that means nothing.
            let is_own = |flags: AccessFlags| {
                flags.contains(AccessFlags::SYNTHETIC) && flags.contains(AccessFlags::PRIVATE)
            };
            let methods = declared.methods.iter().filter(move |it| !is_own(*it.1));
            let methods = methods.map(|(id, _)| Member::Method(id.clone()));
            methods.chain(declared.fields.keys().cloned().map(Member::Field))
        });
        members.collect()
    }

    fn changes(&self, member: &Member) -> Result<Vec<ChangedLookUp>, String> {
        let found = match member {
            Member::Method(method) => vec![
                (By::Receiver, self.by_receiver(method)),
                (By::Name, self.by_name(method)),
            ],
            Member::Field(field) => vec![(By::Name, self.of_field(field))],
        };
        let mut changes = Vec::new();
        for (by, found) in found {
            let Some((before, now)) = found else { continue };
            if before == Found::Nothing && !self.may_have_been_found(member) {
                continue;
            }
            if now == Found::Nothing && self.was_private(member) {
                continue;
            }
            let change = LookUpChange {
                change: self.cause(member, &before, &now)?,
                before: Some(before),
                now,
            };
            changes.push(ChangedLookUp {
                member: member.clone(),
                class: self.now.class.clone(),
                by,
                change,
            });
        }
        Ok(changes)
    }

    /// What a call on an object finds, if that is not the same. Flags of the one method that is found are no matter of
    /// looking for it.
    fn by_receiver(&self, method: &MethodId) -> Option<(Found, Found)> {
        let [before, now] = [&self.before, &self.now].map(|types| types.target(method));
        let found = [&before, &now].map(|target| Found::of(&target.chosen));
        let others = |target: &Target| (target.private.clone(), target.is_forbidden);
        let is_same = found[0] == found[1]
            && others(&before) == others(&now)
            && !self.is_overridden_otherwise(method, &before, &now);
        let [before, now] = found;
        (!is_same).then_some((before, now))
    }

    /// Whether a class has the method in both states, and something else runs where it is named there: who overrides it
    /// depends on packages.
    fn is_overridden_otherwise(&self, method: &MethodId, before: &Target, now: &Target) -> bool {
        let declares = |types: &Hierarchy, class: &ClassName| {
            let mut chain = types.chain.iter();
            chain.any(|(name, one)| name == class && one.dispatched_method(method).is_some())
        };
        let mut classes = self.before.chain.iter().map(|(class, _)| class);
        classes.any(|class| {
            let is_in_both = declares(&self.before, class) && declares(&self.now, class);
            is_in_both && runs(before, class) != runs(now, class)
        })
    }

    /// What code finds that names a method by the class, if that is not the same and the class of an object does not decide
    /// alone: the one or the other is static, private, or one that only its package overrides.
    fn by_name(&self, method: &MethodId) -> Option<(Found, Found)> {
        let [before, now] = [&self.before, &self.now].map(|types| {
            let resolution = types.resolution(method);
            let found = match &resolution {
                Resolution::Fixed { of, .. } => Found::Method(of.clone()),
                Resolution::Dispatched { .. } => Found::of(&types.chosen(method)),
                Resolution::NotSeen => Found::Nothing,
            };
            (Named::of(resolution), found)
        });
        before.0.differs(&now.0).then_some((before.1, now.1))
    }

    fn of_field(&self, field: &FieldId) -> Option<(Found, Found)> {
        let [before, now] = [&self.before, &self.now].map(|types| {
            let of = types.field(field);
            of.map_or(Found::Nothing, |of| Found::Method(of.clone()))
        });
        (before != now).then_some((before, now))
    }

    /// Whether something that no class file shows may have been found where nothing was seen. Else who looked for it failed,
    /// and that there is such a member now is all that there is to say.
    fn may_have_been_found(&self, member: &Member) -> bool {
        let mut unseen = self.before.unseen.iter();
        let is_of_object = matches!(member, Member::Method(method) if is_of_object(method));
        is_of_object || unseen.any(|name| !is_object(name) && !is_marker(name))
    }

    /// Whether only the class itself, which is another one now, can have found it.
    fn was_private(&self, member: &Member) -> bool {
        let mut own = self
            .before
            .types()
            .filter(|(name, _)| **name == self.before.class);
        let flags = own.find_map(|(_, declared)| declared.flags(member));
        flags.is_some_and(|flags| flags.contains(AccessFlags::PRIVATE))
    }

    /// What changed, and in which class: first where the member is found now and was before, then anywhere above.
    fn cause(
        &self,
        member: &Member,
        before: &Found,
        now: &Found,
    ) -> Result<Option<(ChangeKind, ClassName)>, String> {
        let all = [&self.now, &self.before];
        let above = all.iter().flat_map(|types| types.types());
        let above: Vec<&ClassName> = above.map(|(name, _)| name).collect();
        let found = now.classes().iter().chain(before.classes());
        for class in found.chain(above.iter().copied()) {
            if let Some(kind) = self.of_declaration(class, member)? {
                return Ok(Some((kind, class.clone())));
            }
        }
        for class in above {
            let (old, new) = (self.old.declared(class)?, self.new.declared(class)?);
            if let (Some(old), Some(new)) = (old, new)
                && !old.supertypes().eq(new.supertypes())
            {
                return Ok(Some((ChangeKind::HeadChanged, class.clone())));
            }
        }
        Ok(None)
    }

    /// What has become of the declaration of a member in a class.
    fn of_declaration(
        &self,
        class: &ClassName,
        member: &Member,
    ) -> Result<Option<ChangeKind>, String> {
        let (old, new) = (self.old.declared(class)?, self.new.declared(class)?);
        let flags = |one: &Declared| one.flags(member);
        Ok(match (old.as_deref(), new.as_deref()) {
            (None, Some(new)) => flags(new).map(|_| ChangeKind::AddedFile),
            (Some(old), None) => flags(old).map(|_| ChangeKind::DeletedFile),
            (Some(old), Some(new)) => match (flags(old), flags(new)) {
                (None, Some(new)) => Some(added(member, new)),
                (Some(old), None) => Some(deleted(member, old)),
                (Some(old), Some(new)) if old != new => Some(changed(member, old, new)),
                _ => None,
            },
            (None, None) => None,
        })
    }
}

/// What a name leads to, as far as the class of an object does not decide.
#[derive(PartialEq, Eq)]
enum Named {
    /// A static method, or a private one, of this class.
    Fixed(ClassName, bool),
    /// One that only this package overrides.
    OfPackage(Vec<u8>),
    /// One that any class overrides.
    Open,
    /// None that is seen.
    Nothing,
}

impl Named {
    fn of(resolution: Resolution) -> Self {
        match resolution {
            Resolution::Fixed { of, flags } => Self::Fixed(of, is_static(flags)),
            Resolution::Dispatched {
                flags,
                of: Some(of),
            } if !is_open(flags) => Self::OfPackage(package(&of)),
            Resolution::Dispatched { .. } => Self::Open,
            Resolution::NotSeen => Self::Nothing,
        }
    }

    /// Where there was none, or is none any more, calls on objects tell it, unless no object decides.
    fn differs(&self, other: &Self) -> bool {
        let is_fixed = |one: &Self| matches!(one, Self::Fixed(..));
        let is_none = *self == Self::Nothing || *other == Self::Nothing;
        self != other && (!is_none || is_fixed(self) || is_fixed(other))
    }
}

impl Declared {
    fn flags(&self, member: &Member) -> Option<AccessFlags> {
        match member {
            Member::Method(method) => self.methods.get(method).copied(),
            Member::Field(field) => self.fields.get(field).copied(),
        }
    }
}

/// What runs where the method of a class is named: what is chosen, unless only its package overrides it.
fn runs<'t>(target: &'t Target, named: &ClassName) -> Option<&'t ClassName> {
    let mut by_package = target.by_package.iter();
    match by_package.find(|one| one.named == *named) {
        Some(one) => (!one.is_abstract).then_some(&one.runs),
        None => target.chosen.runs(),
    }
}

fn is_static(flags: AccessFlags) -> bool {
    flags.contains(AccessFlags::STATIC)
}

fn added(member: &Member, flags: AccessFlags) -> ChangeKind {
    match member {
        Member::Field(_) => ChangeKind::AddedField,
        Member::Method(_) if is_static(flags) => ChangeKind::AddedStaticMethod,
        Member::Method(_) => ChangeKind::AddedInstanceMethod,
    }
}

fn deleted(member: &Member, flags: AccessFlags) -> ChangeKind {
    match member {
        Member::Field(_) => ChangeKind::DeletedField,
        Member::Method(_) if is_static(flags) => ChangeKind::DeletedStaticMethod,
        Member::Method(_) => ChangeKind::DeletedInstanceMethod,
    }
}

fn changed(member: &Member, old: AccessFlags, new: AccessFlags) -> ChangeKind {
    match member {
        Member::Field(_) => ChangeKind::ChangedField,
        // Another kind of method, as `diff` has it.
        Member::Method(_) if is_static(old) != is_static(new) => added(member, new),
        Member::Method(_) if is_static(new) => ChangeKind::ChangedStaticMethod,
        Member::Method(_) => ChangeKind::ChangedInstanceMethod,
    }
}
