//! A class with everything above it.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::sync::Arc;

use tamis_classfile::AccessFlags;
use tamis_facts::{ClassName, MethodId};

use super::{Classes, Declared};

/// No class but one made to hurt has more supertypes.
const MAX_TYPES: usize = 10_000;

/// A class and its supertypes, as far as they are seen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hierarchy {
    pub(super) class: ClassName,
    /// The class, its superclass and so on; for an interface, none.
    pub(super) chain: Vec<(ClassName, Arc<Declared>)>,
    /// All superinterfaces; of an interface, itself too.
    pub(super) interfaces: BTreeMap<ClassName, Arc<Declared>>,
    /// Supertypes of which nothing is known.
    pub(super) unseen: BTreeSet<ClassName>,
    /// The first superclass of which nothing is known.
    pub(super) unseen_superclass: Option<ClassName>,
}

impl Hierarchy {
    /// What is above a class; nothing if the class itself is unseen. An error, for people, if that cannot be told.
    pub fn of(class: &ClassName, classes: &impl Classes) -> Result<Option<Self>, String> {
        let mut all = Self {
            class: class.clone(),
            chain: Vec::new(),
            interfaces: BTreeMap::new(),
            unseen: BTreeSet::new(),
            unseen_superclass: None,
        };
        let mut seen = HashSet::new();
        let mut interfaces = Vec::new();
        let mut next = Some(class.clone());
        while let Some(name) = next.take() {
            if !seen.insert(name.clone()) {
                return Err(format!("{class} is above itself"));
            }
            let Some(declared) = classes.declared(&name)? else {
                all.unseen.insert(name.clone());
                all.unseen_superclass = Some(name);
                break;
            };
            interfaces.extend(declared.interfaces.iter().cloned());
            next.clone_from(&declared.super_class);
            if declared.is_interface {
                all.interfaces.insert(name, declared);
            } else {
                all.chain.push((name, declared));
            }
            check_size(class, seen.len())?;
        }
        all.add_interfaces(class, interfaces, classes)?;
        let is_seen = !all.chain.is_empty() || !all.interfaces.is_empty();
        Ok(is_seen.then_some(all))
    }

    fn add_interfaces(
        &mut self,
        class: &ClassName,
        mut next: Vec<ClassName>,
        classes: &impl Classes,
    ) -> Result<(), String> {
        while let Some(name) = next.pop() {
            if self.interfaces.contains_key(&name) || self.unseen.contains(&name) {
                continue;
            }
            match classes.declared(&name)? {
                Some(declared) => {
                    next.extend(declared.interfaces.iter().cloned());
                    self.interfaces.insert(name, declared);
                }
                None => {
                    self.unseen.insert(name);
                }
            }
            check_size(class, self.interfaces.len() + self.unseen.len())?;
        }
        Ok(())
    }

    /// All classes and interfaces of it that are seen.
    pub(super) fn types(&self) -> impl Iterator<Item = (&ClassName, &Declared)> {
        let chain = self
            .chain
            .iter()
            .map(|(name, declared)| (name, &**declared));
        let interfaces = self.interfaces.iter();
        chain.chain(interfaces.map(|(name, declared)| (name, &**declared)))
    }

    /// The methods that can be called on an object of the class and are declared where it is seen; for each, whether the
    /// class itself has code for it. Where it has, that code runs, and deleting it is seen by who ran it.
    pub fn methods(&self) -> BTreeMap<&MethodId, bool> {
        let mut methods = BTreeMap::new();
        for (name, declared) in self.types() {
            for (method, flags) in declared.dispatched() {
                let has_no_code =
                    flags.contains(AccessFlags::ABSTRACT) || flags.contains(AccessFlags::NATIVE);
                let is_own = *name == self.class && !has_no_code;
                *methods.entry(method).or_default() |= is_own;
            }
        }
        methods
    }

    /// The methods of its superclasses that must not be overridden.
    pub fn final_methods(&self) -> BTreeSet<&MethodId> {
        let above = self.chain.iter().skip(1);
        let methods = above.flat_map(|(_, declared)| declared.dispatched());
        let methods = methods.filter(|(_, flags)| flags.contains(AccessFlags::FINAL));
        methods.map(|(method, _)| method).collect()
    }

    /// Whether types are above it, other than `java/lang/Object`, of which nothing is known.
    pub fn has_unseen(&self) -> bool {
        self.unseen.iter().any(|name| !is_object(name))
    }

    /// Whether it is an interface.
    pub fn is_interface(&self) -> bool {
        self.chain.is_empty()
    }

    /// All types above one of the interfaces, seen or not, as far as it leads.
    pub(super) fn above<'h>(&'h self, interface: &'h ClassName) -> HashSet<&'h ClassName> {
        let mut above = HashSet::new();
        let mut next: Vec<&ClassName> = self.parents(interface);
        while let Some(name) = next.pop() {
            if above.insert(name) {
                next.extend(self.parents(name));
            }
        }
        above
    }

    fn parents(&self, interface: &ClassName) -> Vec<&ClassName> {
        let declared = self.interfaces.get(interface);
        let parents = declared.map(|declared| declared.interfaces.iter());
        parents.into_iter().flatten().collect()
    }

    /// The seen types that are below an unseen one, `java/lang/Object` aside: it may know methods that they
    /// declare.
    pub(super) fn below_unseen(&self, counts: impl Fn(&ClassName) -> bool) -> Vec<&Declared> {
        let mut is_below: HashMap<&ClassName, bool> = HashMap::new();
        for interface in self.interfaces.keys() {
            let mut above = self.above(interface).into_iter();
            let is = above.any(|name| self.unseen.contains(name) && counts(name));
            is_below.insert(interface, is);
        }
        let mut below = Vec::new();
        let is_unseen = |name: &ClassName| self.unseen.contains(name) && counts(name);
        let mut is_superclass = self.unseen_superclass.as_ref().is_some_and(is_unseen);
        for (_, declared) in self.chain.iter().rev() {
            let mut interfaces = declared.interfaces.iter();
            is_superclass |=
                interfaces.any(|name| is_unseen(name) || is_below.get(name) == Some(&true));
            if is_superclass {
                below.push(&**declared);
            }
        }
        let interfaces = self.interfaces.iter();
        let interfaces = interfaces.filter(|(name, _)| is_below[name]);
        below.extend(interfaces.map(|(_, declared)| &**declared));
        below
    }
}

pub(super) fn is_object(name: &ClassName) -> bool {
    name.as_bytes() == b"java/lang/Object"
}

fn check_size(class: &ClassName, n_types: usize) -> Result<(), String> {
    if n_types > MAX_TYPES {
        return Err(format!("{class} has more than {MAX_TYPES} supertypes"));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::tests::{World, class, interface};
    use super::*;

    #[test]
    fn what_is_above_itself_cannot_be_told() {
        let world = World::new([
            ("A", class("B", &[])),
            ("B", class("A", &[])),
            ("I", interface(&["J"], &[])),
            ("J", interface(&["I"], &[])),
        ]);
        assert!(Hierarchy::of(&"A".into(), &world).is_err());
        // No JVM loads such interfaces; to look for something in them ends.
        let both = world.hierarchy("I");
        assert_eq!(both.interfaces.len(), 2);
        assert_eq!(both.target(&World::method("f")).chosen.runs(), None);
    }

    #[test]
    fn what_is_not_there_is_unseen() {
        let world = World::new([("A", class("Gone", &[]).with_interfaces(&["AlsoGone"]))]);
        let above = world.hierarchy("A");
        assert!(above.has_unseen());
        assert!(Hierarchy::of(&"Gone".into(), &world).unwrap().is_none());
    }

    #[test]
    fn too_many_supertypes_cannot_be_told() {
        let names: Vec<String> = (0..MAX_TYPES + 2)
            .map(|number| format!("I{number}"))
            .collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let world = World::new([("A", class("B", &[]).with_interfaces(&names))]);
        assert!(Hierarchy::of(&"A".into(), &world).is_err());
        let few = class("B", &[]).with_interfaces(&names[..MAX_TYPES / 2]);
        let world = World::new([("A", few)]);
        assert!(world.hierarchy("A").has_unseen());
    }
}
