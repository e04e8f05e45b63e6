//! Which method the JVM finds: by the class that code names (JVMS 5.4.3.3, 5.4.3.4), and by the class of the receiver
//! (JVMS 5.4.6). A change of that is a *look-up change* (SPEC 2.5).
//!
//! Class files do not say all: the superclass of a class may be the JDK's, of which nothing is known here. Such a type is
//! *unseen*. It stays the same as long as the JVM does, so an answer that leaves out what unseen types declare
//! still changes whenever a class file changes it; only what they may *call* has to be added (`callbacks.rs`).

mod callbacks;
mod change;
mod compare;
mod field;
mod hierarchy;
mod resolution;
mod target;

use std::collections::BTreeMap;
use std::sync::Arc;

use tamis_classfile::{AccessFlags, ClassFile, Error};
use tamis_facts::{ClassName, FieldId, MethodId};

pub use change::{Found, LookUpChange};
pub use compare::{By, ChangedLookUp, Member, changed_look_ups};
pub use hierarchy::Hierarchy;
pub use resolution::Resolution;
pub use target::{ByPackage, Chosen, Target};

/// What a class says that look-ups ask for.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Declared {
    /// Whether it is an interface.
    pub is_interface: bool,
    /// The superclass.
    pub super_class: Option<ClassName>,
    /// The interfaces, in order.
    pub interfaces: Vec<ClassName>,
    /// The methods, initialisers aside.
    pub methods: BTreeMap<MethodId, AccessFlags>,
    /// The fields.
    pub fields: BTreeMap<FieldId, AccessFlags>,
}

/// Where class files are found.
pub trait Classes {
    /// What a class says; nothing if it is unseen. An error, for people, if that cannot be told.
    fn declared(&self, class: &ClassName) -> Result<Option<Arc<Declared>>, String>;
}

impl Declared {
    /// What a class file says.
    pub fn of(class: &ClassFile<'_>) -> Result<Self, Error> {
        let pool = &class.constant_pool;
        let mut declared = Self {
            is_interface: class.access_flags.contains(AccessFlags::INTERFACE),
            super_class: class.super_name()?.map(ClassName::from),
            ..Self::default()
        };
        for interface in &class.interfaces {
            declared.interfaces.push(pool.class(*interface)?.into());
        }
        for method in &class.methods {
            let id = MethodId {
                name: pool.utf8(method.name)?.into(),
                descriptor: pool.utf8(method.descriptor)?.into(),
            };
            if !id.name.as_bytes().starts_with(b"<") {
                declared.methods.insert(id, method.access_flags);
            }
        }
        for field in &class.fields {
            let id = FieldId {
                name: pool.utf8(field.name)?.into(),
                descriptor: pool.utf8(field.descriptor)?.into(),
            };
            declared.fields.insert(id, field.access_flags);
        }
        Ok(declared)
    }

    /// The superclass, then the interfaces.
    pub fn supertypes(&self) -> impl Iterator<Item = &ClassName> {
        self.super_class.iter().chain(&self.interfaces)
    }

    /// The methods that can be found by the class of a receiver.
    pub fn dispatched(&self) -> impl Iterator<Item = (&MethodId, AccessFlags)> {
        let methods = self.methods.iter().map(|(id, flags)| (id, *flags));
        methods.filter(|(_, flags)| is_dispatched(*flags))
    }

    /// The flags of a method, if it can be found by the class of a receiver.
    fn dispatched_method(&self, method: &MethodId) -> Option<AccessFlags> {
        let flags = self.methods.get(method).copied();
        flags.filter(|flags| is_dispatched(*flags))
    }
}

/// Whether a method is found by the class of a receiver: not if it is static or private.
fn is_dispatched(flags: AccessFlags) -> bool {
    !flags.contains(AccessFlags::STATIC) && !flags.contains(AccessFlags::PRIVATE)
}

/// Whether subclasses in any package override a method.
fn is_open(flags: AccessFlags) -> bool {
    flags.contains(AccessFlags::PUBLIC) || flags.contains(AccessFlags::PROTECTED)
}

/// Whether two classes are in the same package. There is one class path, so the same run-time package too.
fn are_in_one_package(one: &ClassName, other: &ClassName) -> bool {
    package(one) == package(other)
}

fn package(class: &ClassName) -> Vec<u8> {
    let end = class.as_bytes().iter().rposition(|byte| *byte == b'/');
    class.as_bytes()[..end.unwrap_or(0)].to_vec()
}

/// Bytes with their length before them.
fn put(bytes: &[u8], out: &mut Vec<u8>) {
    out.extend((bytes.len() as u64).to_le_bytes());
    out.extend(bytes);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Types by their names.
    pub(super) struct World(BTreeMap<ClassName, Arc<Declared>>);

    impl World {
        pub(super) fn new<'n>(types: impl IntoIterator<Item = (&'n str, Declared)>) -> Self {
            let types = types.into_iter();
            Self(
                types
                    .map(|(name, declared)| (name.into(), Arc::new(declared)))
                    .collect(),
            )
        }

        pub(super) fn hierarchy(&self, name: &str) -> Hierarchy {
            Hierarchy::of(&name.into(), self).unwrap().unwrap()
        }

        pub(super) fn method(name: &str) -> MethodId {
            MethodId {
                name: name.into(),
                descriptor: "()V".into(),
            }
        }
    }

    impl Classes for World {
        fn declared(&self, class: &ClassName) -> Result<Option<Arc<Declared>>, String> {
            Ok(self.0.get(class).cloned())
        }
    }

    /// A class with public methods.
    pub(super) fn class(super_class: &str, methods: &[&str]) -> Declared {
        Declared {
            super_class: Some(super_class.into()),
            ..declaring(methods)
        }
    }

    /// An interface with default methods.
    pub(super) fn interface(above: &[&str], methods: &[&str]) -> Declared {
        let declared = Declared {
            is_interface: true,
            super_class: Some("java/lang/Object".into()),
            ..declaring(methods)
        };
        declared.with_interfaces(above)
    }

    fn declaring(methods: &[&str]) -> Declared {
        let methods = methods.iter();
        let methods = methods.map(|name| (World::method(name), AccessFlags::PUBLIC));
        Declared {
            methods: methods.collect(),
            ..Declared::default()
        }
    }

    impl Declared {
        pub(super) fn with_interfaces(mut self, names: &[&str]) -> Self {
            self.interfaces = names.iter().map(|name| (*name).into()).collect();
            self
        }
    }
}
