//! What has to be known of a loaded class to say what its users rely on.

use std::collections::BTreeSet;

use tamis_classfile::ClassFile;
use tamis_classfile::Uses;
use tamis_classfile::probe::EntryPlan;
use tamis_facts::{ClassName, MethodId};

/// The methods of a class and the classes that each names.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct ClassShape {
    /// Methods that have code, in the order of their units.
    pub(crate) methods: Vec<MethodId>,
    /// The classes that each of them names.
    pub(crate) uses: Vec<BTreeSet<ClassName>>,
    /// The superclass and the interfaces.
    pub(crate) supertypes: Vec<ClassName>,
}

impl ClassShape {
    /// A class that cannot be read has no units either.
    pub(crate) fn of(bytes: &[u8]) -> Self {
        let Ok(plan) = EntryPlan::scan(bytes) else {
            return Self::default();
        };
        let methods = plan.methods().collect();
        let all =
            || -> BTreeSet<ClassName> { plan.class_names().into_iter().map(class_name).collect() };
        let Ok(class) = ClassFile::parse(bytes) else {
            let n_units = plan.n_units();
            return Self {
                methods,
                uses: vec![all(); n_units],
                supertypes: all().into_iter().collect(),
            };
        };
        let with_code = class
            .methods
            .iter()
            .filter(|method| method.code().is_some());
        let uses = with_code.map(|method| match Uses::of(&class, method) {
            Ok(uses) => uses.classes.into_iter().map(ClassName::from).collect(),
            // What cannot be told apart counts for each method.
            Err(_) => all(),
        });
        Self {
            methods,
            uses: uses.collect(),
            supertypes: supertypes(&class),
        }
    }

    /// A class of which only the names in its constants are known: each method may use all of them.
    pub(crate) fn of_names(names: &[Vec<u8>], n_units: u32) -> Self {
        let names: BTreeSet<ClassName> = names.iter().map(|name| class_name(name)).collect();
        Self {
            methods: Vec::new(),
            uses: vec![names.clone(); n_units as usize],
            supertypes: names.into_iter().collect(),
        }
    }
}

/// The class of an array is that of its elements.
fn class_name(constant: &[u8]) -> ClassName {
    let element = constant.iter().position(|byte| *byte != b'[').unwrap_or(0);
    match &constant[element..] {
        [b'L', class @ .., b';'] if element > 0 => ClassName::from(class),
        class => ClassName::from(class),
    }
}

fn supertypes(class: &ClassFile<'_>) -> Vec<ClassName> {
    let pool = &class.constant_pool;
    let all = [class.super_class]
        .into_iter()
        .chain(class.interfaces.iter().copied());
    all.filter_map(|index| pool.class(index).ok())
        .map(ClassName::from)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arrays_are_used_by_their_elements() {
        for (constant, expected) in [("a/B", "a/B"), ("[La/B;", "a/B"), ("[[I", "I"), ("", "")] {
            assert_eq!(class_name(constant.as_bytes()), ClassName::from(expected));
        }
    }

    #[test]
    fn what_is_no_class_has_no_units() {
        assert_eq!(ClassShape::of(b"none"), ClassShape::default());
        let generated = ClassShape::of_names(&[b"a/B".to_vec()], 2);
        assert_eq!(generated.uses.len(), 2);
        assert!(generated.uses[1].contains(&ClassName::from("a/B")));
    }
}
