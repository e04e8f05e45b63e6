//! Fields of a message: numbers in little-endian order, bytes behind their length. Each writer has
//! its reader beside it, and bounds are checked here only.

use crate::error::{WireError, WireErrorKind};

/// Writes the fields of a message, one behind the other.
#[derive(Debug, Default)]
pub(crate) struct Encoder(pub(crate) Vec<u8>);

/// Reads what an [`Encoder`] wrote.
#[derive(Debug)]
pub(crate) struct Decoder<'a> {
    bytes: &'a [u8],
    offset: usize,
}

type Result<T> = std::result::Result<T, WireError>;

impl Encoder {
    pub(crate) fn u8(&mut self, value: u8) {
        self.0.push(value);
    }

    pub(crate) fn u16(&mut self, value: u16) {
        self.0.extend(value.to_le_bytes());
    }

    pub(crate) fn u32(&mut self, value: u32) {
        self.0.extend(value.to_le_bytes());
    }

    pub(crate) fn u64(&mut self, value: u64) {
        self.0.extend(value.to_le_bytes());
    }

    pub(crate) fn array<const N: usize>(&mut self, value: &[u8; N]) {
        self.0.extend(value);
    }

    /// A number in as few bytes as it needs: seven bits each, the lowest first, a set top bit means
    /// that more follow.
    pub(crate) fn varint(&mut self, mut value: u32) {
        while value >= 0x80 {
            self.u8(value as u8 | 0x80);
            value >>= 7;
        }
        self.u8(value as u8);
    }

    /// Bytes, behind their length in 32 bits. No field of four gigabytes fits a frame anyway: it is
    /// cut here and the frame refused for its length.
    pub(crate) fn bytes(&mut self, value: &[u8]) {
        let length = u32::try_from(value.len()).unwrap_or(u32::MAX);
        self.u32(length);
        self.0.extend(value);
    }

    /// 0 for nothing, else 1 and the value.
    pub(crate) fn option<T>(&mut self, value: Option<T>, encode: impl FnOnce(&mut Self, T)) {
        match value {
            None => self.u8(0),
            Some(value) => {
                self.u8(1);
                encode(self, value);
            }
        }
    }

    /// A list, behind its length in 32 bits.
    pub(crate) fn list(&mut self, values: &[Vec<u8>]) {
        self.u32(u32::try_from(values.len()).unwrap_or(u32::MAX));
        for value in values {
            self.bytes(value);
        }
    }
}

impl<'a> Decoder<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, offset: 0 }
    }

    pub(crate) fn u8(&mut self, what: &'static str) -> Result<u8> {
        self.array(what).map(|[byte]| byte)
    }

    pub(crate) fn u16(&mut self, what: &'static str) -> Result<u16> {
        self.array(what).map(u16::from_le_bytes)
    }

    pub(crate) fn u32(&mut self, what: &'static str) -> Result<u32> {
        self.array(what).map(u32::from_le_bytes)
    }

    pub(crate) fn u64(&mut self, what: &'static str) -> Result<u64> {
        self.array(what).map(u64::from_le_bytes)
    }

    pub(crate) fn array<const N: usize>(&mut self, what: &'static str) -> Result<[u8; N]> {
        let (value, rest) = self
            .bytes
            .split_first_chunk()
            .ok_or_else(|| self.error(WireErrorKind::Truncated(what)))?;
        self.advance(rest);
        Ok(*value)
    }

    /// A number has one encoding only: the last of several bytes is not zero, and it fits 32 bits.
    pub(crate) fn varint(&mut self, what: &'static str) -> Result<u32> {
        let mut value: u64 = 0;
        for shift in (0..35).step_by(7) {
            let byte = self.u8(what)?;
            value |= u64::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                let is_padded = byte == 0 && shift > 0;
                let number = u32::try_from(value).ok().filter(|_| !is_padded);
                return number.ok_or_else(|| self.out_of_range(what, value));
            }
        }
        Err(self.out_of_range(what, value))
    }

    /// The bytes are part of the frame: a length alone reserves nothing.
    pub(crate) fn bytes(&mut self, what: &'static str) -> Result<&'a [u8]> {
        let length = self.u32(what)? as usize;
        let parts = self.bytes.split_at_checked(length);
        let (value, rest) = parts.ok_or_else(|| self.error(WireErrorKind::Truncated(what)))?;
        self.advance(rest);
        Ok(value)
    }

    pub(crate) fn option<T>(
        &mut self,
        what: &'static str,
        parse: impl FnOnce(&mut Self) -> Result<T>,
    ) -> Result<Option<T>> {
        match self.u8(what)? {
            0 => Ok(None),
            1 => parse(self).map(Some),
            other => Err(self.unknown_value(what, other)),
        }
    }

    pub(crate) fn list(&mut self, what: &'static str) -> Result<Vec<Vec<u8>>> {
        let n_values = self.u32(what)?;
        // Not reserved: the count has not been compared with anything.
        let mut values = Vec::new();
        for _ in 0..n_values {
            values.push(self.bytes(what)?.to_vec());
        }
        Ok(values)
    }

    /// Checks that nothing is left.
    pub(crate) fn finish(&self) -> Result<()> {
        if self.bytes.is_empty() {
            return Ok(());
        }
        Err(self.error(WireErrorKind::Surplus))
    }

    pub(crate) fn unknown_value(&self, what: &'static str, value: impl Into<u64>) -> WireError {
        self.error(WireErrorKind::UnknownValue(what, value.into()))
    }

    pub(crate) fn out_of_range(&self, what: &'static str, value: impl Into<u64>) -> WireError {
        self.error(WireErrorKind::OutOfRange(what, value.into()))
    }

    fn advance(&mut self, rest: &'a [u8]) {
        self.offset += self.bytes.len() - rest.len();
        self.bytes = rest;
    }

    fn error(&self, kind: WireErrorKind) -> WireError {
        WireError::new(self.offset, kind)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn varints_are_short_and_have_one_form() {
        for (value, expected) in [
            (0, &[0][..]),
            (127, &[0x7f]),
            (128, &[0x80, 1]),
            (u32::MAX, &[0xff, 0xff, 0xff, 0xff, 0x0f]),
        ] {
            let mut encoder = Encoder::default();
            encoder.varint(value);
            assert_eq!(encoder.0, expected);
            assert_eq!(Decoder::new(expected).varint("x"), Ok(value));
        }
        for wrong in [
            &[0x80, 0][..],
            &[0xff, 0xff, 0xff, 0xff, 0x10],
            &[0x80, 0x80, 0x80, 0x80, 0x80, 1],
        ] {
            let error = Decoder::new(wrong).varint("x").unwrap_err();
            assert!(
                matches!(error.kind, WireErrorKind::OutOfRange("x", _)),
                "{error}"
            );
        }
    }

    #[test]
    fn a_length_is_not_believed() {
        let huge = [0xff, 0xff, 0xff, 0xff, 1];
        let truncated = WireErrorKind::Truncated("x");
        assert_eq!(Decoder::new(&huge).bytes("x").unwrap_err().kind, truncated);
        assert_eq!(Decoder::new(&huge).list("x").unwrap_err().kind, truncated);
    }
}
