//! All messages, in both directions, and the numbers of their kinds.

use crate::accessed::{Accessed, Unseen};
use crate::bye::Bye;
use crate::class_loaded::ClassLoaded;
use crate::entity::{Discovered, EntityBegin, EntityEnd, Verdict};
use crate::error::{WireError, WireErrorKind};
use crate::field::{Decoder, Encoder};
use crate::frame::Frame;
use crate::hello::{Hello, Session};
use crate::marks::Marks;
use crate::notice::{Forked, Unsupported};
use crate::sighted::Sighted;
use crate::working::Working;

/// Makes an enum of messages from a table of their names and the numbers of their kinds: what is written
/// under a number is read under it.
macro_rules! messages {
    ($(#[$attribute:meta])* $name:ident { $($kind:literal $message:ident,)* }) => {
        $(#[$attribute])*
        #[expect(missing_docs, reason = "each variant is described by its content")]
        pub enum $name {
            $($message($message),)*
        }

        impl $name {
            /// Appends the message to what is to be sent.
            pub fn encode(&self, out: &mut Vec<u8>) -> Result<(), WireError> {
                let mut fields = Encoder::default();
                let kind = match self {
                    $(Self::$message(message) => {
                        message.encode(&mut fields);
                        $kind
                    })*
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
                    $($kind => Self::$message($message::parse(fields)?),)*
                    other => return Err(WireError::new(0, WireErrorKind::UnknownKind(other))),
                };
                fields.finish()?;
                Ok(message)
            }
        }
    };
}

messages! {
    /// What an agent says.
    #[derive(Clone, Debug, PartialEq, Eq)]
    FromAgent {
        1 Hello,
        2 ClassLoaded,
        3 Marks,
        4 Discovered,
        5 EntityBegin,
        6 EntityEnd,
        7 Bye,
        8 Forked,
        9 Unsupported,
        10 Accessed,
        11 Unseen,
        12 Sighted,
    }
}

// Numbers of the other direction are apart, so that no side can mistake its own echo for an answer.
messages! {
    /// What the process says.
    #[derive(Clone, Debug, PartialEq, Eq)]
    ToAgent {
        129 Session,
        130 Verdict,
        131 Working,
    }
}
