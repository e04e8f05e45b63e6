//! Hierarchies of a few types, at random, and changes of them.

use std::collections::BTreeMap;
use std::sync::Arc;

use tamis_classfile::ClassFile;
use tamis_facts::{ClassName, MethodId};
use tamis_select::{Classes, Declared, Hierarchy};

use crate::class_bytes::{ABSTRACT, FINAL, METHOD, PRIVATE, PROTECTED, PUBLIC, STATIC, Type};
use crate::random::Random;

/// The flags that the method of a class may have; that it has none, twice.
const OF_CLASSES: &[Option<u16>] = &[
    None,
    None,
    Some(PUBLIC),
    Some(PUBLIC),
    Some(PROTECTED),
    Some(0),
    Some(0),
    Some(PRIVATE),
    Some(PUBLIC | STATIC),
    Some(PUBLIC | ABSTRACT),
    Some(PUBLIC | FINAL),
];
const OF_INTERFACES: &[Option<u16>] = &[
    None,
    None,
    Some(PUBLIC),
    Some(PUBLIC),
    Some(PUBLIC | ABSTRACT),
    Some(PRIVATE),
    Some(PUBLIC | STATIC),
];

/// Types, each above those behind it alone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Types(pub(crate) Vec<Type>);

impl Types {
    /// Three to seven types in two packages, whose names begin with `prefix`.
    pub(crate) fn random(prefix: &str, random: &mut Random) -> Self {
        let mut types: Vec<Type> = Vec::new();
        let n_types = 3 + random.below(5);
        for position in 0..n_types {
            let package = ["p", "q"][random.below(2)];
            let is_interface = random.below(3) == 0;
            let mut interfaces: Vec<String> = names(&types, true);
            interfaces.retain(|_| random.below(3) == 0);
            random.shuffle(&mut interfaces);
            let classes = names(&types, false);
            let super_class = (!is_interface && random.below(4) > 0)
                .then(|| classes.last().cloned())
                .flatten();
            types.push(Type {
                name: format!("{package}/{prefix}T{position}"),
                is_interface,
                super_class,
                interfaces,
                method: random_method(is_interface, random),
            });
        }
        Self(types)
    }

    /// The same with another method in one type, or without it.
    pub(crate) fn changed(&self, random: &mut Random) -> Self {
        let mut types = self.0.clone();
        let position = random.below(types.len());
        let one = &mut types[position];
        one.method = random_method(one.is_interface, random);
        Self(types)
    }

    /// The same with another method in one type, or with other types above it.
    pub(crate) fn changed_anyhow(&self, random: &mut Random) -> Self {
        let mut changed = self.changed(random);
        if random.below(4) > 0 {
            return changed;
        }
        let position = random.below(changed.0.len());
        let one = &mut changed.0[position];
        if random.below(2) == 0 {
            one.interfaces.pop();
        } else {
            one.super_class = None;
        }
        changed
    }

    /// Whether a type is another one, or below it.
    pub(crate) fn is_below(&self, below: &Type, above: &Type) -> bool {
        let supertypes = below.super_class.iter().chain(&below.interfaces);
        let mut supertypes =
            supertypes.filter_map(|name| self.0.iter().find(|one| one.name == *name));
        below == above || supertypes.any(|one| self.is_below(one, above))
    }

    /// What is declared, as class files have it.
    pub(crate) fn declared(&self) -> Declarations {
        let declared = self.0.iter().map(|one| {
            let bytes = one.bytes();
            let class = ClassFile::parse(&bytes).unwrap();
            let declared = Declared::of(&class).unwrap();
            (ClassName::from(one.name.as_str()), Arc::new(declared))
        });
        Declarations(declared.collect())
    }
}

fn names(types: &[Type], are_interfaces: bool) -> Vec<String> {
    let types = types
        .iter()
        .filter(|one| one.is_interface == are_interfaces);
    types.map(|one| one.name.clone()).collect()
}

fn random_method(is_interface: bool, random: &mut Random) -> Option<u16> {
    let flags = if is_interface {
        OF_INTERFACES
    } else {
        OF_CLASSES
    };
    flags[random.below(flags.len())]
}

/// What types declare.
pub(crate) struct Declarations(BTreeMap<ClassName, Arc<Declared>>);

impl Declarations {
    /// A type with all above it.
    pub(crate) fn hierarchy(&self, name: &str) -> Hierarchy {
        Hierarchy::of(&name.into(), self).unwrap().unwrap()
    }
}

impl Classes for Declarations {
    fn declared(&self, class: &ClassName) -> Result<Option<Arc<Declared>>, String> {
        Ok(self.0.get(class).cloned())
    }
}

/// The one method.
pub(crate) fn method() -> MethodId {
    MethodId {
        name: METHOD.0.into(),
        descriptor: METHOD.1.into(),
    }
}
