//! Who asked for something that may be kept for whoever comes later.

use crate::error::WireError;
use crate::field::{Decoder, Encoder};

/// Who asks for a file, or for a member of an archive.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Asker {
    /// The JDK for itself, a test framework, a logging library, or nobody knows who: what was found may be kept where it
    /// is not seen, and others may get it without asking.
    Unknown,
    /// Code of the program, through methods of the JDK that keep nothing: what it keeps of it, it keeps itself.
    Program,
}

impl Asker {
    /// All of them, in the order of their numbers.
    pub const ALL: [Self; 2] = [Self::Unknown, Self::Program];

    pub(crate) fn encode(self, out: &mut Encoder) {
        out.u8(self as u8);
    }

    pub(crate) fn parse(fields: &mut Decoder<'_>) -> Result<Self, WireError> {
        let asker = fields.u8("who asked")?;
        let known = Self::ALL.get(usize::from(asker));
        known
            .copied()
            .ok_or_else(|| fields.unknown_value("who asked", asker))
    }
}
