//! A sign of life: an answer takes a while, and is being worked on.

use crate::error::WireError;
use crate::field::{Decoder, Encoder};

/// The process works on what it was asked. Whoever waits may go on doing so.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Working;

impl Working {
    /// That it was sent says everything.
    #[expect(
        clippy::unused_self,
        reason = "called like the encoder of any other message"
    )]
    pub(crate) fn encode(self, _out: &mut Encoder) {}

    #[expect(
        clippy::unnecessary_wraps,
        reason = "called like the parser of any other message"
    )]
    pub(crate) fn parse(_fields: &mut Decoder<'_>) -> Result<Self, WireError> {
        Ok(Self)
    }
}
