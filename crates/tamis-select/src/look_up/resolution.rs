//! How a method is found by the class that code names (JVMS 5.4.3.3, 5.4.3.4).

use tamis_classfile::AccessFlags;
use tamis_facts::{Checksum, ClassName, MethodId};

use super::hierarchy::{Hierarchy, is_object};
use super::{is_dispatched, put};
use crate::digest::plain;

/// What is found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Resolution {
    /// A method that may be overridden. Everybody may call it if it is public; else it counts whose it is.
    Dispatched {
        /// Whether it is public or protected.
        flags: AccessFlags,
        /// The class that declares it, if it is not public.
        of: Option<ClassName>,
    },
    /// One that is static or private.
    Fixed {
        /// Which of both.
        flags: AccessFlags,
        /// The class that declares it.
        of: ClassName,
    },
    /// None where it is seen; an unseen supertype may have one.
    NotSeen,
}

/// The public methods of `java/lang/Object`, which are found before those of interfaces. They are the same since JDK 1.0,
/// and the Java language names them (JLS 4.3.2).
pub(super) const OF_OBJECT: &[(&str, &str)] = &[
    ("getClass", "()Ljava/lang/Class;"),
    ("hashCode", "()I"),
    ("equals", "(Ljava/lang/Object;)Z"),
    ("clone", "()Ljava/lang/Object;"),
    ("toString", "()Ljava/lang/String;"),
    ("notify", "()V"),
    ("notifyAll", "()V"),
    ("wait", "()V"),
    ("wait", "(J)V"),
    ("wait", "(JI)V"),
    ("finalize", "()V"),
];

impl Hierarchy {
    /// What is found where code names a method by this class.
    pub fn resolution(&self, method: &MethodId) -> Resolution {
        let mut chain = self.chain.iter();
        let found = chain.find_map(|(name, declared)| Some((name, declared.methods.get(method)?)));
        if let Some((name, flags)) = found {
            return of(name, *flags);
        }
        // What an interface declares itself comes before what it has from `java/lang/Object`.
        let own = self.interfaces.get(&self.class);
        if let Some(flags) = own.and_then(|declared| declared.methods.get(method)) {
            return of(&self.class, *flags);
        }
        let ends_unseen = self.unseen_superclass.as_ref();
        if ends_unseen.is_some_and(|name| !is_object(name) || is_of_object(method)) {
            return Resolution::NotSeen;
        }
        let is_found = !self.most_specific(method).is_empty();
        if is_found {
            // Methods of interfaces are public or private.
            return Resolution::Dispatched {
                flags: AccessFlags::PUBLIC,
                of: None,
            };
        }
        Resolution::NotSeen
    }
}

impl Resolution {
    /// Equal for equal answers.
    pub fn checksum(&self) -> Checksum {
        let mut bytes = Vec::new();
        let (kind, flags, of) = match self {
            Self::Dispatched { flags, of } => (b'd', *flags, of.as_ref()),
            Self::Fixed { flags, of } => (b'f', *flags, Some(of)),
            Self::NotSeen => (b'n', AccessFlags::default(), None),
        };
        bytes.push(kind);
        bytes.extend(flags.0.to_le_bytes());
        put(of.map_or(b"", |of| of.as_bytes()), &mut bytes);
        plain(&bytes)
    }
}

fn of(class: &ClassName, flags: AccessFlags) -> Resolution {
    const ACCESS: u16 = AccessFlags::PUBLIC.0 | AccessFlags::PROTECTED.0;
    if !is_dispatched(flags) {
        let fixed = AccessFlags::STATIC.0 | AccessFlags::PRIVATE.0 | ACCESS;
        return Resolution::Fixed {
            flags: AccessFlags(flags.0 & fixed),
            of: class.clone(),
        };
    }
    let is_public = flags.contains(AccessFlags::PUBLIC);
    Resolution::Dispatched {
        flags: AccessFlags(flags.0 & ACCESS),
        of: (!is_public).then(|| class.clone()),
    }
}

pub(super) fn is_of_object(method: &MethodId) -> bool {
    OF_OBJECT.iter().any(|(name, descriptor)| {
        (method.name.as_bytes(), method.descriptor.as_bytes())
            == (name.as_bytes(), descriptor.as_bytes())
    })
}
