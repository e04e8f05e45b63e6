//! What can be wrong with received bytes.

use std::error::Error;
use std::fmt;

/// Received bytes are no message; whoever sent them is not to be believed any further.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WireError {
    /// Where in the body of the frame it was noticed.
    pub offset: usize,
    /// What is wrong.
    pub kind: WireErrorKind,
}

/// What is wrong with received bytes. The text names the field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WireErrorKind {
    /// A frame is longer than [`MAX_FRAME`](crate::MAX_FRAME), or has no room for its kind.
    FrameLength(u32),
    /// No message has this kind.
    UnknownKind(u8),
    /// The frame ends inside a field.
    Truncated(&'static str),
    /// The frame goes on behind the message.
    Surplus,
    /// A field has a value that means nothing.
    UnknownValue(&'static str, u64),
    /// A field has a value that is out of its range.
    OutOfRange(&'static str, u64),
}

impl WireError {
    #[cold]
    pub(crate) fn new(offset: usize, kind: WireErrorKind) -> Self {
        Self { offset, kind }
    }
}

impl fmt::Display for WireError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind {
            WireErrorKind::FrameLength(length) => {
                write!(f, "a frame cannot have {length} bytes")
            }
            WireErrorKind::UnknownKind(kind) => write!(f, "no message is of kind {kind}"),
            WireErrorKind::Truncated(what) => write!(f, "a message ends inside {what}"),
            WireErrorKind::Surplus => write!(f, "bytes follow the end of a message"),
            WireErrorKind::UnknownValue(what, value) => {
                write!(f, "{what} cannot be {value}: it means nothing")
            }
            WireErrorKind::OutOfRange(what, value) => {
                write!(f, "{what} cannot be {value}: it is out of range")
            }
        }?;
        write!(f, " (at byte {})", self.offset)
    }
}

impl Error for WireError {}
