//! What has to be known of a loaded class to say what its users rely on.

use std::collections::BTreeSet;

use tamis_classfile::probe::{BlockPlan, EntryPlan};
use tamis_classfile::{ClassFile, Uses, named_classes};
use tamis_facts::{ClassName, MethodId};

use crate::declared::declared_classes;

/// The methods of a class and the classes that each names.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct ClassShape {
    /// Methods that have code, in the order of their units.
    pub(crate) methods: Vec<MethodId>,
    /// The classes that each of them names.
    pub(crate) uses: Vec<BTreeSet<ClassName>>,
    /// The superclass and the interfaces.
    pub(crate) supertypes: Vec<ClassName>,
    /// All classes that it names, also where no code runs.
    pub(crate) named: BTreeSet<ClassName>,
    /// Those that it names in what it declares.
    pub(crate) declared: BTreeSet<ClassName>,
    /// Of a class that has block probes, what each unit behind those of the methods stands for.
    blocks: Vec<BlockUnit>,
}

/// What a unit stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct BlockUnit {
    /// The position of the method among those that have code, which is also that of its unit.
    pub(crate) method: usize,
    /// The number of the block; none of a method that has no block probes.
    pub(crate) block: Option<u32>,
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
                named: all(),
                declared: all(),
                blocks: Vec::new(),
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
            named: named_classes(&class).map_or_else(|_| all(), named),
            declared: declared_classes(&class).unwrap_or_else(|_| all()),
            blocks: Vec::new(),
        }
    }

    /// The class file with these bytes, which was loaded with so many units. If they are more than its methods, they stand for
    /// blocks, laid out as the agent did it.
    pub(crate) fn with_units(bytes: &[u8], n_units: u32) -> Self {
        let mut shape = Self::of(bytes);
        if n_units as usize > shape.methods.len() {
            shape.blocks = blocks(bytes, n_units).unwrap_or_default();
        }
        shape
    }

    /// Nobody knows which blocks ran.
    pub(crate) fn forget_blocks(&mut self) {
        self.blocks.clear();
    }

    /// What the unit at a position stands for; none if nobody knows.
    pub(crate) fn unit(&self, position: usize) -> Option<BlockUnit> {
        let n_methods = self.uses.len();
        if let Some(unit) = position.checked_sub(n_methods) {
            return self.blocks.get(unit).copied();
        }
        // They are in the order of the methods.
        let has_blocks = self
            .blocks
            .binary_search_by_key(&position, |unit| unit.method);
        Some(BlockUnit {
            method: position,
            block: has_blocks.is_ok().then_some(0),
        })
    }

    /// A class of which only the names in its constants are known: each method may use all of them.
    pub(crate) fn of_names(names: &[Vec<u8>], n_units: u32) -> Self {
        let names: BTreeSet<ClassName> = names.iter().map(|name| class_name(name)).collect();
        Self {
            methods: Vec::new(),
            uses: vec![names.clone(); n_units as usize],
            supertypes: names.iter().cloned().collect(),
            declared: names.clone(),
            named: names,
            blocks: Vec::new(),
        }
    }
}

/// What the units behind those of the methods stand for; none if the agent cannot have laid them out like that.
fn blocks(bytes: &[u8], n_units: u32) -> Option<Vec<BlockUnit>> {
    let plan = BlockPlan::scan(bytes).ok()??;
    if plan.n_units() != n_units as usize {
        return None;
    }
    let class = ClassFile::parse(bytes).ok()?;
    let mut n_with_code = 0;
    let mut ordinals = Vec::with_capacity(class.methods.len());
    for method in &class.methods {
        ordinals.push(n_with_code);
        n_with_code += usize::from(method.code().is_some());
    }
    let units = plan.methods().flat_map(|blocks| {
        let method = ordinals[usize::from(blocks.method)];
        (1..blocks.n_blocks).map(move |block| BlockUnit {
            method,
            block: Some(block),
        })
    });
    Some(units.collect())
}

/// The class of an array is that of its elements.
fn class_name(constant: &[u8]) -> ClassName {
    let element = constant.iter().position(|byte| *byte != b'[').unwrap_or(0);
    match &constant[element..] {
        [b'L', class @ .., b';'] if element > 0 => ClassName::from(class),
        class => ClassName::from(class),
    }
}

/// Names without those that only the JDK can define.
fn named(names: BTreeSet<&[u8]>) -> BTreeSet<ClassName> {
    let names = names.into_iter();
    let others = names.filter(|name| !name.starts_with(b"java/"));
    others.map(ClassName::from).collect()
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
