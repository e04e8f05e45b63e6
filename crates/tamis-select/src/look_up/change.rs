//! A look-up change in words that can be shown: what ran before, what runs now, and which change of a class does it.

use tamis_classfile::AccessFlags;
use tamis_facts::{ChangeKind, Checksum, ClassName, MethodId};

use super::hierarchy::Hierarchy;
use super::target::{ByPackage, Chosen, Target};

/// A call on an object of a class finds something else than before.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct LookUpChange {
    /// What changed, and in which class, if that can be told.
    pub change: Option<(ChangeKind, ClassName)>,
    /// What was found before, if that can be told.
    pub before: Option<Found>,
    /// What is found now.
    pub now: Found,
}

/// What a call finds.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Found {
    /// The method, or field, of this class or interface.
    Method(ClassName),
    /// One without code.
    Abstract,
    /// Several, of which none is the right one.
    Ambiguous(Vec<ClassName>),
    /// None; or one that no class file shows.
    Nothing,
}

impl Hierarchy {
    /// What has become of a look-up whose answer had this checksum.
    pub fn look_up_change(&self, method: &MethodId, before: Checksum) -> LookUpChange {
        let now = Found::of(&self.chosen(method));
        let before = self.found_before(method, before);
        let change = before
            .as_ref()
            .and_then(|before| self.cause(method, before, &now));
        LookUpChange {
            change,
            before,
            now,
        }
    }

    /// The answer is kept as a checksum alone. Nearly always it is the method of one of the types that are still there:
    /// each is tried.
    fn found_before(&self, method: &MethodId, before: Checksum) -> Option<Found> {
        let of_classes = self.chain.iter().flat_map(|(class, _)| {
            let flags = [AccessFlags::PUBLIC, AccessFlags::PROTECTED, AccessFlags(0)];
            let flags = flags
                .into_iter()
                .flat_map(|access| [access, AccessFlags(access.0 | AccessFlags::ABSTRACT.0)]);
            flags.map(|flags| Chosen::OfClass {
                class: class.clone(),
                flags,
            })
        });
        let of_interfaces = self.interfaces.keys().flat_map(|interface| {
            [false, true]
                .map(|is_abstract| Chosen::OfInterfaces(vec![(interface.clone(), is_abstract)]))
        });
        let today = self.target(method);
        let nothing = [Chosen::OfInterfaces(Vec::new())];
        let mut all = of_classes.chain(of_interfaces).chain(nothing);
        let found = all.find(|chosen| today.with(chosen).any(|one| one.checksum() == before));
        found.map(|chosen| Found::of(&chosen))
    }

    /// A method was added where the one that is found now is, unless the one before is gone.
    fn cause(
        &self,
        method: &MethodId,
        before: &Found,
        now: &Found,
    ) -> Option<(ChangeKind, ClassName)> {
        let added = |class: &ClassName| Some((ChangeKind::AddedInstanceMethod, class.clone()));
        let deleted = |class: &ClassName| Some((ChangeKind::DeletedInstanceMethod, class.clone()));
        let changed = |class: &ClassName| Some((ChangeKind::ChangedInstanceMethod, class.clone()));
        let declares = |class: &ClassName| {
            let mut types = self.types();
            types.any(|(name, one)| name == class && one.dispatched_method(method).is_some())
        };
        match (before, now) {
            (Found::Method(old), _) if !declares(old) => deleted(old),
            (Found::Method(old), Found::Method(new)) if old == new => changed(old),
            (_, Found::Method(new)) => added(new),
            (Found::Method(old), Found::Ambiguous(all)) => {
                added(all.iter().find(|class| *class != old)?)
            }
            (Found::Method(old), Found::Abstract) => changed(old),
            _ => None,
        }
    }
}

impl Target {
    /// The same with another choice: where only the package overrides the method, itself, or what is known today.
    fn with(&self, chosen: &Chosen) -> impl Iterator<Item = Self> {
        let own = match chosen {
            Chosen::OfClass { class, flags } => vec![ByPackage {
                named: class.clone(),
                runs: class.clone(),
                is_abstract: flags.contains(AccessFlags::ABSTRACT),
            }],
            Chosen::OfInterfaces(_) => Vec::new(),
        };
        let by_package = [Vec::new(), own, self.by_package.clone()];
        by_package
            .map(|by_package| Self {
                chosen: chosen.clone(),
                by_package,
                private: Vec::new(),
                is_forbidden: false,
            })
            .into_iter()
    }
}

impl Found {
    /// The classes of what is found, if there are any to name.
    pub(super) fn classes(&self) -> &[ClassName] {
        match self {
            Self::Method(class) => std::slice::from_ref(class),
            Self::Ambiguous(classes) => classes,
            Self::Abstract | Self::Nothing => &[],
        }
    }

    pub(super) fn of(chosen: &Chosen) -> Self {
        if let Some(class) = chosen.runs() {
            return Self::Method(class.clone());
        }
        match chosen {
            Chosen::OfInterfaces(all) if all.is_empty() => Self::Nothing,
            Chosen::OfInterfaces(all) if all.iter().any(|(_, is_abstract)| !is_abstract) => {
                let with_code = all.iter().filter(|(_, is_abstract)| !is_abstract);
                Self::Ambiguous(with_code.map(|(name, _)| name.clone()).collect())
            }
            Chosen::OfClass { .. } | Chosen::OfInterfaces(_) => Self::Abstract,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Declared;
    use super::super::tests::{World, class, interface};
    use super::*;

    /// What is said of calls of `f` on an `A` after its types have changed.
    fn said(before: &[(&str, Declared)], after: &[(&str, Declared)]) -> LookUpChange {
        let method = World::method("f");
        let then = World::new(before.iter().cloned()).hierarchy("A");
        let now = World::new(after.iter().cloned()).hierarchy("A");
        now.look_up_change(&method, then.target(&method).checksum())
    }

    fn expected(change: Option<(ChangeKind, &str)>, before: Found, now: Found) -> LookUpChange {
        LookUpChange {
            change: change.map(|(kind, class)| (kind, class.into())),
            before: Some(before),
            now,
        }
    }

    #[test]
    fn the_kind_and_the_class_of_a_change_are_named() {
        use ChangeKind::{AddedInstanceMethod, DeletedInstanceMethod};
        let found = |class: &str| Found::Method(class.into());
        let object = "java/lang/Object";
        let base = |methods: &[&str]| ("B", class(object, methods));
        let (without, with) = (("A", class("B", &[])), ("A", class("B", &["f"])));
        let added = said(&[without.clone(), base(&["f"])], &[with, base(&["f"])]);
        let change = Some((AddedInstanceMethod, "A"));
        assert_eq!(added, expected(change, found("B"), found("A")));
        let deleted = said(&[without.clone(), base(&["f"])], &[without, base(&[])]);
        let change = Some((DeletedInstanceMethod, "B"));
        assert_eq!(deleted, expected(change, found("B"), Found::Nothing));
        let both = || ("A", class(object, &[]).with_interfaces(&["I", "J"]));
        let one = ("I", interface(&[], &["f"]));
        let ambiguous = said(
            &[both(), one.clone(), ("J", interface(&[], &[]))],
            &[both(), one, ("J", interface(&[], &["f"]))],
        );
        let change = Some((AddedInstanceMethod, "J"));
        let all = Found::Ambiguous(vec!["I".into(), "J".into()]);
        assert_eq!(ambiguous, expected(change, found("I"), all));
    }
}
