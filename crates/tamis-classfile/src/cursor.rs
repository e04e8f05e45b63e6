//! Reading and appending big-endian numbers. All bounds checks of the crate live here.

use crate::error::{Error, Result};

/// A position in the bytes of a class file; every read either succeeds or says where the bytes end.
#[derive(Clone, Copy)]
pub(crate) struct Cursor<'a> {
    /// What is left to be read.
    rest: &'a [u8],
    /// Where it ends in the file, so that errors give offsets in the file.
    end: usize,
}

impl<'a> Cursor<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        Self::at(bytes, 0)
    }

    /// A cursor over a part of the file that begins at byte `base` of it.
    #[inline]
    pub(crate) fn at(bytes: &'a [u8], base: usize) -> Self {
        Self {
            rest: bytes,
            end: base + bytes.len(),
        }
    }

    /// The offset in the file.
    #[inline]
    pub(crate) fn offset(&self) -> usize {
        self.end - self.rest.len()
    }

    #[inline]
    pub(crate) fn remaining(&self) -> usize {
        self.rest.len()
    }

    pub(crate) fn is_at_end(&self) -> bool {
        self.rest.is_empty()
    }

    #[inline]
    pub(crate) fn take(&mut self, length: usize, what: &str) -> Result<&'a [u8]> {
        match self.rest.split_at_checked(length) {
            Some((taken, rest)) => {
                self.rest = rest;
                Ok(taken)
            }
            None => Err(Error::truncated(self.end, what)),
        }
    }

    /// A cursor over the next `length` bytes, which are passed over here.
    #[inline]
    pub(crate) fn split(&mut self, length: usize, what: &str) -> Result<Self> {
        let base = self.offset();
        Ok(Self::at(self.take(length, what)?, base))
    }

    #[inline]
    pub(crate) fn array<const N: usize>(&mut self, what: &str) -> Result<[u8; N]> {
        match self.rest.split_first_chunk() {
            Some((taken, rest)) => {
                self.rest = rest;
                Ok(*taken)
            }
            None => Err(Error::truncated(self.end, what)),
        }
    }

    #[inline]
    pub(crate) fn u8(&mut self, what: &str) -> Result<u8> {
        self.array::<1>(what).map(|[byte]| byte)
    }

    #[inline]
    pub(crate) fn u16(&mut self, what: &str) -> Result<u16> {
        self.array(what).map(u16::from_be_bytes)
    }

    #[inline]
    pub(crate) fn u32(&mut self, what: &str) -> Result<u32> {
        self.array(what).map(u32::from_be_bytes)
    }

    #[inline]
    pub(crate) fn u64(&mut self, what: &str) -> Result<u64> {
        self.array(what).map(u64::from_be_bytes)
    }

    /// The name and the content of the attribute that begins here, which is passed over.
    #[inline]
    pub(crate) fn attribute(&mut self) -> Result<(u16, Self)> {
        const WHAT: &str = "an attribute";
        let [n1, n0, l3, l2, l1, l0] = self.array(WHAT)?;
        let length = u32::from_be_bytes([l3, l2, l1, l0]) as usize;
        Ok((u16::from_be_bytes([n1, n0]), self.split(length, WHAT)?))
    }

    /// Everything up to the end.
    pub(crate) fn rest(&mut self) -> &'a [u8] {
        std::mem::take(&mut self.rest)
    }

    /// Nothing may be left: `what` said that it ends here.
    pub(crate) fn finish(&self, what: &str) -> Result<()> {
        if self.is_at_end() {
            return Ok(());
        }
        let left = self.remaining();
        Err(Error::malformed(
            self.offset(),
            format!("{left} bytes too many in {what}"),
        ))
    }
}

/// Appends big-endian numbers: the mirror of [`Cursor`].
pub(crate) trait PutBytes {
    fn put_u8(&mut self, value: u8);
    fn put_u16(&mut self, value: u16);
    fn put_u32(&mut self, value: u32);
    fn put_u64(&mut self, value: u64);
}

impl PutBytes for Vec<u8> {
    #[inline]
    fn put_u8(&mut self, value: u8) {
        self.push(value);
    }

    #[inline]
    fn put_u16(&mut self, value: u16) {
        self.extend_from_slice(&value.to_be_bytes());
    }

    #[inline]
    fn put_u32(&mut self, value: u32) {
        self.extend_from_slice(&value.to_be_bytes());
    }

    #[inline]
    fn put_u64(&mut self, value: u64) {
        self.extend_from_slice(&value.to_be_bytes());
    }
}

/// Appends a 16-bit count, or says that there are too many of `what`.
pub(crate) fn put_count(out: &mut Vec<u8>, count: usize, what: &str) -> Result<()> {
    let count =
        u16::try_from(count).map_err(|_| Error::too_large(format!("more than 65535 {what}")))?;
    out.put_u16(count);
    Ok(())
}
