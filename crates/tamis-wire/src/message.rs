//! All messages, in both directions, and the numbers of their kinds.

use crate::bye::Bye;
use crate::class_loaded::ClassLoaded;
use crate::entity::{Discovered, EntityBegin, EntityEnd, Verdict};
use crate::error::{WireError, WireErrorKind};
use crate::field::{Decoder, Encoder};
use crate::frame::Frame;
use crate::hello::{Hello, Session};
use crate::marks::Marks;
use crate::notice::{Forked, Unsupported};

/// What an agent says.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "each variant is described by its content")]
pub enum FromAgent {
    Hello(Hello),
    ClassLoaded(ClassLoaded),
    Marks(Marks),
    Discovered(Discovered),
    EntityBegin(EntityBegin),
    EntityEnd(EntityEnd),
    Forked(Forked),
    Unsupported(Unsupported),
    Bye(Bye),
}

/// What the process says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "each variant is described by its content")]
pub enum ToAgent {
    Session(Session),
    Verdict(Verdict),
}

const HELLO: u8 = 1;
const CLASS_LOADED: u8 = 2;
const MARKS: u8 = 3;
const DISCOVERED: u8 = 4;
const ENTITY_BEGIN: u8 = 5;
const ENTITY_END: u8 = 6;
const BYE: u8 = 7;
const FORKED: u8 = 8;
const UNSUPPORTED: u8 = 9;
/// Numbers of the other direction are apart, so that no side can mistake its own echo for an answer.
const SESSION: u8 = 129;
const VERDICT: u8 = 130;

impl FromAgent {
    /// Appends the message to what is to be sent.
    pub fn encode(&self, out: &mut Vec<u8>) -> Result<(), WireError> {
        let mut fields = Encoder::default();
        let kind = match self {
            Self::Hello(message) => {
                message.encode(&mut fields);
                HELLO
            }
            Self::ClassLoaded(message) => {
                message.encode(&mut fields);
                CLASS_LOADED
            }
            Self::Marks(message) => {
                message.encode(&mut fields);
                MARKS
            }
            Self::Discovered(message) => {
                message.encode(&mut fields);
                DISCOVERED
            }
            Self::EntityBegin(message) => {
                message.encode(&mut fields);
                ENTITY_BEGIN
            }
            Self::EntityEnd(message) => {
                message.encode(&mut fields);
                ENTITY_END
            }
            Self::Forked(message) => {
                message.encode(&mut fields);
                FORKED
            }
            Self::Unsupported(message) => {
                message.encode(&mut fields);
                UNSUPPORTED
            }
            Self::Bye(message) => {
                message.encode(&mut fields);
                BYE
            }
        };
        Frame {
            kind,
            body: &fields.0,
        }
        .encode(out)
    }

    /// Reads the message in a frame.
    pub fn parse(frame: &Frame<'_>) -> Result<Self, WireError> {
        let fields = &mut Decoder::new(frame.body);
        let message = match frame.kind {
            HELLO => Self::Hello(Hello::parse(fields)?),
            CLASS_LOADED => Self::ClassLoaded(ClassLoaded::parse(fields)?),
            MARKS => Self::Marks(Marks::parse(fields)?),
            DISCOVERED => Self::Discovered(Discovered::parse(fields)?),
            ENTITY_BEGIN => Self::EntityBegin(EntityBegin::parse(fields)?),
            ENTITY_END => Self::EntityEnd(EntityEnd::parse(fields)?),
            FORKED => Self::Forked(Forked::parse(fields)?),
            UNSUPPORTED => Self::Unsupported(Unsupported::parse(fields)?),
            BYE => Self::Bye(Bye::parse(fields)?),
            other => return Err(WireError::new(0, WireErrorKind::UnknownKind(other))),
        };
        fields.finish()?;
        Ok(message)
    }
}

impl ToAgent {
    /// Appends the message to what is to be sent.
    pub fn encode(&self, out: &mut Vec<u8>) -> Result<(), WireError> {
        let mut fields = Encoder::default();
        let kind = match self {
            Self::Session(message) => {
                message.encode(&mut fields);
                SESSION
            }
            Self::Verdict(message) => {
                message.encode(&mut fields);
                VERDICT
            }
        };
        Frame {
            kind,
            body: &fields.0,
        }
        .encode(out)
    }

    /// Reads the message in a frame.
    pub fn parse(frame: &Frame<'_>) -> Result<Self, WireError> {
        let fields = &mut Decoder::new(frame.body);
        let message = match frame.kind {
            SESSION => Self::Session(Session::parse(fields)?),
            VERDICT => Self::Verdict(Verdict::parse(fields)?),
            other => return Err(WireError::new(0, WireErrorKind::UnknownKind(other))),
        };
        fields.finish()?;
        Ok(message)
    }
}
