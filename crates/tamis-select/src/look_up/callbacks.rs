//! What runs when code that is not seen calls methods on an object of a class.
//!
//! The JDK calls `hashCode`, `compareTo`, `run`: methods that unseen supertypes declare. Which these are is known of
//! `java/lang/Object`. Of any other unseen type it is not: each method that is declared below it may be one of them.

use std::collections::BTreeSet;

use tamis_facts::{Checksum, ClassName, MethodId};

use super::hierarchy::{Hierarchy, is_object};
use super::put;
use super::resolution::OF_OBJECT;
use crate::digest::plain;

/// Interfaces of the JDK that declare no methods, and never will: they only mark classes.
const MARKERS: &[&str] = &[
    "java/io/Serializable",
    "java/lang/Cloneable",
    "java/util/EventListener",
    "java/util/RandomAccess",
];

impl Hierarchy {
    /// A checksum over what runs for each method that unseen code may know.
    pub fn callbacks(&self) -> Checksum {
        let mut methods: BTreeSet<MethodId> = of_object().collect();
        let counts = |name: &ClassName| !is_object(name) && !is_marker(name);
        for declared in self.below_unseen(counts) {
            methods.extend(declared.dispatched().map(|(method, _)| method.clone()));
        }
        let mut bytes = Vec::new();
        for method in &methods {
            put(method.name.as_bytes(), &mut bytes);
            put(method.descriptor.as_bytes(), &mut bytes);
            self.target(method).put(&mut bytes);
        }
        // Whether the class can be loaded at all.
        for method in self.final_methods() {
            bytes.push(u8::from(self.target(method).is_forbidden));
        }
        plain(&bytes)
    }
}

/// Whether a type is one of the JDK's that declares nothing.
pub(super) fn is_marker(name: &ClassName) -> bool {
    MARKERS
        .iter()
        .any(|marker| marker.as_bytes() == name.as_bytes())
}

fn of_object() -> impl Iterator<Item = MethodId> {
    OF_OBJECT.iter().map(|(name, descriptor)| MethodId {
        name: (*name).into(),
        descriptor: (*descriptor).into(),
    })
}

#[cfg(test)]
mod tests {
    use super::super::Declared;
    use super::super::tests::{World, class, interface};
    use super::*;

    fn callbacks(types: [(&str, Declared); 3]) -> Checksum {
        World::new(types).hierarchy("A").callbacks()
    }

    #[test]
    fn only_methods_that_unseen_code_may_know_count() {
        let object = "java/lang/Object";
        let plain = |methods: &[&str]| {
            callbacks([
                ("A", class("B", methods)),
                ("B", class(object, &["f"])),
                ("I", interface(&[], &[])),
            ])
        };
        assert_eq!(plain(&[]), plain(&["f"]));
        assert_ne!(plain(&[]), plain(&["notify"]));
        // Of other types it is not known which methods they have.
        let below = |methods: &[&str], unseen: &str| {
            callbacks([
                ("A", class("B", methods)),
                ("B", class(object, &["f"]).with_interfaces(&["I"])),
                ("I", interface(&[unseen], &[])),
            ])
        };
        let runnable = "java/lang/Runnable";
        assert_ne!(below(&[], runnable), below(&["f"], runnable));
        let marker = "java/io/Serializable";
        assert_eq!(below(&[], marker), below(&["f"], marker));
    }
}
