//! The last word. A JVM that ends without one was killed, or lost its agent.

use crate::error::WireError;
use crate::field::{Decoder, Encoder};

/// The JVM ends, and everything before has been sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Bye {
    /// All that ran was told.
    Complete,
    /// Something may be missing. The text says what happened.
    Incomplete(Vec<u8>),
}

impl Bye {
    pub(crate) fn encode(&self, out: &mut Encoder) {
        match self {
            Self::Complete => out.u8(0),
            Self::Incomplete(reason) => {
                out.u8(1);
                out.bytes(reason);
            }
        }
    }

    pub(crate) fn parse(fields: &mut Decoder<'_>) -> Result<Self, WireError> {
        match fields.u8("whether all was told")? {
            0 => Ok(Self::Complete),
            1 => Ok(Self::Incomplete(fields.bytes("the reason")?.to_vec())),
            other => Err(fields.unknown_value("whether all was told", other)),
        }
    }
}
