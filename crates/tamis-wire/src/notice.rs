//! What the process has to know of beside classes and entities: children, and what is not understood.

use crate::error::WireError;
use crate::field::{Decoder, Encoder};

/// The JVM starts another process. The entities that are open answer for what it does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Forked {
    /// The number of the fork in this JVM; a child that is watched names it in its hello.
    pub fork: u32,
    /// Whether the child is given the agent: it is a JVM that can load it.
    pub is_followed: bool,
    /// The program.
    pub program: Vec<u8>,
}

/// A framework is there whose tests the agent does not recognise: they run, and nothing is told of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unsupported {
    /// Which.
    pub framework: Vec<u8>,
    /// Why.
    pub reason: Vec<u8>,
}

impl Forked {
    pub(crate) fn encode(&self, out: &mut Encoder) {
        out.u32(self.fork);
        out.u8(u8::from(self.is_followed));
        out.bytes(&self.program);
    }

    pub(crate) fn parse(fields: &mut Decoder<'_>) -> Result<Self, WireError> {
        Ok(Self {
            fork: fields.u32("the fork")?,
            is_followed: match fields.u8("whether it is followed")? {
                0 => false,
                1 => true,
                other => return Err(fields.unknown_value("whether it is followed", other)),
            },
            program: fields.bytes("the program")?.to_vec(),
        })
    }
}

impl Unsupported {
    pub(crate) fn encode(&self, out: &mut Encoder) {
        out.bytes(&self.framework);
        out.bytes(&self.reason);
    }

    pub(crate) fn parse(fields: &mut Decoder<'_>) -> Result<Self, WireError> {
        Ok(Self {
            framework: fields.bytes("the framework")?.to_vec(),
            reason: fields.bytes("the reason")?.to_vec(),
        })
    }
}
