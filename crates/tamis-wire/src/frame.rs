//! Frames: what cuts the stream of bytes into messages.

use crate::error::{WireError, WireErrorKind};

/// The longest frame, without the four bytes of its length.
///
/// The largest message is the set of all units of a JVM, at most two megabytes.
pub const MAX_FRAME: u32 = 8 << 20;

/// A message that has wholly arrived and has not been understood yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Frame<'a> {
    /// Which message it is.
    pub kind: u8,
    /// Its fields.
    pub body: &'a [u8],
}

const LENGTH: usize = 4;

impl<'a> Frame<'a> {
    /// The frame at the beginning of what has arrived so far, and how many bytes it takes; nothing
    /// while it is incomplete.
    pub fn parse(arrived: &'a [u8]) -> Result<Option<(Self, usize)>, WireError> {
        let Some((length, rest)) = arrived.split_first_chunk::<LENGTH>() else {
            return Ok(None);
        };
        let length = u32::from_le_bytes(*length);
        if length == 0 || length > MAX_FRAME {
            return Err(WireError::new(0, WireErrorKind::FrameLength(length)));
        }
        let Some(([kind, body @ ..], _)) = rest.split_at_checked(length as usize) else {
            return Ok(None);
        };
        let frame = Self { kind: *kind, body };
        Ok(Some((frame, LENGTH + length as usize)))
    }

    /// Appends the frame to what is to be sent; refuses one that the other side would refuse.
    pub fn encode(&self, out: &mut Vec<u8>) -> Result<(), WireError> {
        let length = u32::try_from(self.body.len() + 1).unwrap_or(u32::MAX);
        if length > MAX_FRAME {
            return Err(WireError::new(0, WireErrorKind::FrameLength(length)));
        }
        out.extend(length.to_le_bytes());
        out.push(self.kind);
        out.extend(self.body);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_frame_is_complete_with_its_last_byte() {
        let mut bytes = Vec::new();
        let frame = Frame {
            kind: 7,
            body: b"ab",
        };
        frame.encode(&mut bytes).unwrap();
        assert_eq!(bytes, [3, 0, 0, 0, 7, b'a', b'b']);
        for n_arrived in 0..bytes.len() {
            assert_eq!(Frame::parse(&bytes[..n_arrived]), Ok(None));
        }
        bytes.push(9);
        assert_eq!(Frame::parse(&bytes), Ok(Some((frame, 7))));
    }

    #[test]
    fn impossible_lengths_are_noticed_before_the_rest_arrives() {
        for length in [0, MAX_FRAME + 1, u32::MAX] {
            let error = Frame::parse(&length.to_le_bytes()).unwrap_err();
            assert_eq!(error.kind, WireErrorKind::FrameLength(length));
        }
        let largest = vec![0; MAX_FRAME as usize - 1];
        let mut out = Vec::new();
        let frame = |body| Frame { kind: 1, body };
        assert!(frame(&largest).encode(&mut out).is_ok());
        let larger = vec![0; MAX_FRAME as usize];
        assert!(frame(&larger).encode(&mut out).is_err());
    }
}
