//! Which method runs, by the class of the receiver (JVMS 5.4.6).

use tamis_classfile::AccessFlags;
use tamis_facts::{Checksum, ClassName, MethodId};

use super::hierarchy::Hierarchy;
use super::{are_in_one_package, is_open, put};
use crate::digest::plain;

/// What runs when a method is called on an object of a class.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Target {
    /// Where the method that is named is one that any subclass overrides.
    pub chosen: Chosen,
    /// Where it is one that only its package overrides.
    pub by_package: Vec<ByPackage>,
    /// Classes below the one whose method is chosen that have a private one. JDK 8, and some newer ones, find that one
    /// first where an interface is named, and fail.
    pub private: Vec<ClassName>,
    /// Whether it overrides one that must not be overridden: such a class cannot be loaded.
    pub is_forbidden: bool,
}

/// What runs where a method is named that only its package overrides.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ByPackage {
    /// The class that declares the one that is named.
    pub named: ClassName,
    /// The class whose method runs.
    pub runs: ClassName,
    /// Whether that one has no code.
    pub is_abstract: bool,
}

/// Which method is chosen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Chosen {
    /// That of a class.
    OfClass {
        /// The class that declares it.
        class: ClassName,
        /// Whether it is public, protected, abstract.
        flags: AccessFlags,
    },
    /// Those of interfaces that no other overrides, with whether they are abstract. One of them that is not runs; none
    /// or several are an error. Where a superclass is unseen, its method comes first.
    OfInterfaces(Vec<(ClassName, bool)>),
}

/// What of the flags decides whether a call succeeds.
const COUNTING: u16 = AccessFlags::PUBLIC.0 | AccessFlags::PROTECTED.0 | AccessFlags::ABSTRACT.0;

impl Hierarchy {
    /// What runs when a method is called on an object of the class.
    pub fn target(&self, method: &MethodId) -> Target {
        Target {
            chosen: self.chosen(method),
            by_package: self.by_package(method),
            private: self.private(method),
            is_forbidden: self.is_forbidden(method),
        }
    }

    /// The first class upwards that declares it; else the interfaces.
    pub(super) fn chosen(&self, method: &MethodId) -> Chosen {
        let declaring = self.declaring(method).next();
        match declaring {
            Some((class, flags)) => Chosen::OfClass {
                class: class.clone(),
                flags: AccessFlags(flags.0 & COUNTING),
            },
            None => Chosen::OfInterfaces(self.most_specific(method)),
        }
    }

    /// The classes that declare it, upwards.
    fn declaring<'h>(
        &'h self,
        method: &'h MethodId,
    ) -> impl DoubleEndedIterator<Item = (&'h ClassName, AccessFlags)> {
        self.chain
            .iter()
            .filter_map(|(name, declared)| Some((name, declared.dispatched_method(method)?)))
    }

    /// The superinterfaces that declare it and are not above others that do (JVMS 5.4.3.3).
    pub(super) fn most_specific(&self, method: &MethodId) -> Vec<(ClassName, bool)> {
        let candidates = self.interfaces.iter().filter_map(|(name, declared)| {
            let flags = declared.dispatched_method(method)?;
            Some((name, flags.contains(AccessFlags::ABSTRACT)))
        });
        let candidates: Vec<(&ClassName, bool)> = candidates.collect();
        if candidates.len() < 2 {
            let owned = |(name, is_abstract): &(&ClassName, bool)| ((*name).clone(), *is_abstract);
            return candidates.iter().map(owned).collect();
        }
        let above: Vec<_> = candidates
            .iter()
            .map(|(name, _)| (*name, self.above(name)))
            .collect();
        let is_above_another = |name: &ClassName| {
            // Interfaces above each other are above none: no JVM loads them.
            let mut others = above.iter().filter(|(other, _)| *other != name);
            others.any(|(_, above)| above.contains(name))
        };
        let specific = candidates
            .iter()
            .filter(|(name, _)| !is_above_another(name));
        specific
            .map(|(name, is_abstract)| ((*name).clone(), *is_abstract))
            .collect()
    }

    /// For each declaration that only its package overrides, what runs where that one is named. Who overrides one that
    /// overrides it, overrides it too (JVMS 5.4.5).
    fn by_package(&self, method: &MethodId) -> Vec<ByPackage> {
        let declaring: Vec<(&ClassName, AccessFlags)> = self.declaring(method).collect();
        let mut all = Vec::new();
        for (position, (named, flags)) in declaring.iter().enumerate() {
            if is_open(*flags) {
                continue;
            }
            let mut overriding = vec![(*named, *flags)];
            for (class, flags) in declaring[..position].iter().rev() {
                let overrides = |(above, flags): &(&ClassName, AccessFlags)| {
                    is_open(*flags) || are_in_one_package(above, class)
                };
                if overriding.iter().any(overrides) {
                    overriding.push((*class, *flags));
                }
            }
            let (runs, flags) = overriding.last().copied().unwrap_or((named, *flags));
            all.push(ByPackage {
                named: (*named).clone(),
                runs: runs.clone(),
                is_abstract: flags.contains(AccessFlags::ABSTRACT),
            });
        }
        all
    }

    fn private(&self, method: &MethodId) -> Vec<ClassName> {
        let below = self
            .chain
            .iter()
            .take_while(|(_, declared)| declared.dispatched_method(method).is_none());
        let private = below.filter(|(_, declared)| {
            let flags = declared.methods.get(method);
            flags.is_some_and(|flags| {
                flags.contains(AccessFlags::PRIVATE) && !flags.contains(AccessFlags::STATIC)
            })
        });
        private.map(|(name, _)| name.clone()).collect()
    }

    fn is_forbidden(&self, method: &MethodId) -> bool {
        let declaring: Vec<(&ClassName, AccessFlags)> = self.declaring(method).collect();
        let overrides = |above: (&ClassName, AccessFlags), below: &ClassName| {
            is_open(above.1) || are_in_one_package(above.0, below)
        };
        declaring.iter().enumerate().any(|(position, above)| {
            let mut below = declaring[..position].iter();
            above.1.contains(AccessFlags::FINAL) && below.any(|(class, _)| overrides(*above, class))
        })
    }
}

impl Target {
    /// Equal for equal answers.
    pub fn checksum(&self) -> Checksum {
        let mut bytes = Vec::new();
        self.put(&mut bytes);
        plain(&bytes)
    }

    /// Bytes that differ where two answers do.
    pub(super) fn put(&self, out: &mut Vec<u8>) {
        self.chosen.put(out);
        // No name begins so.
        out.push(b'.');
        out.push(u8::from(self.is_forbidden));
        out.extend((self.by_package.len() as u64).to_le_bytes());
        for one in &self.by_package {
            put(one.named.as_bytes(), out);
            let runs: &[u8] = if one.is_abstract {
                b""
            } else {
                one.runs.as_bytes()
            };
            put(runs, out);
        }
        out.extend((self.private.len() as u64).to_le_bytes());
        for class in &self.private {
            put(class.as_bytes(), out);
        }
    }
}

impl Chosen {
    /// Whose method without code is found does not matter: it fails.
    fn put(&self, out: &mut Vec<u8>) {
        match self {
            Self::OfClass { flags, .. } if flags.contains(AccessFlags::ABSTRACT) => out.push(b'a'),
            Self::OfClass { class, flags } => {
                out.push(b'c');
                put(class.as_bytes(), out);
                out.extend(flags.0.to_le_bytes());
            }
            Self::OfInterfaces(interfaces) if interfaces.is_empty() => out.push(b'n'),
            Self::OfInterfaces(interfaces) if interfaces.iter().all(|one| one.1) => out.push(b'a'),
            Self::OfInterfaces(interfaces) => {
                out.push(b'i');
                let with_code = interfaces.iter().filter(|(_, is_abstract)| !is_abstract);
                for (name, _) in with_code {
                    put(name.as_bytes(), out);
                }
            }
        }
    }

    /// The class or interface whose method runs, if one does that is seen.
    pub fn runs(&self) -> Option<&ClassName> {
        match self {
            Self::OfClass { class, flags } => {
                (!flags.contains(AccessFlags::ABSTRACT)).then_some(class)
            }
            Self::OfInterfaces(interfaces) => {
                let mut with_code = interfaces.iter().filter(|(_, is_abstract)| !is_abstract);
                match (with_code.next(), with_code.next()) {
                    (Some((name, _)), None) => Some(name),
                    _ => None,
                }
            }
        }
    }
}
