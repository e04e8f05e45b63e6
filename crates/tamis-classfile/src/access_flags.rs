//! Access and property flags of classes, fields and methods (JVMS 4.1, 4.5, 4.6).

use std::fmt;

/// A set of flags. Some bits mean different things on classes, fields and methods.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct AccessFlags(pub u16);

#[allow(
    missing_docs,
    reason = "each is the flag of that name in the specification"
)]
impl AccessFlags {
    pub const PUBLIC: Self = Self(0x0001);
    pub const PRIVATE: Self = Self(0x0002);
    pub const PROTECTED: Self = Self(0x0004);
    pub const STATIC: Self = Self(0x0008);
    pub const FINAL: Self = Self(0x0010);
    pub const NATIVE: Self = Self(0x0100);
    pub const INTERFACE: Self = Self(0x0200);
    pub const ABSTRACT: Self = Self(0x0400);
    pub const SYNTHETIC: Self = Self(0x1000);
    pub const ENUM: Self = Self(0x4000);

    /// Whether all of these flags are set.
    pub fn contains(self, flags: Self) -> bool {
        self.0 & flags.0 == flags.0
    }
}

impl fmt::Debug for AccessFlags {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:#06x}", self.0)
    }
}
