//! The constant pool by position alone: where each constant begins, and nothing decoded.
//!
//! The entry probe and the smart checksum look at every class there is, and at few of its constants.

use std::collections::HashSet;

use crate::cursor::Cursor;
use crate::error::{Error, Result};

/// Where each constant begins.
#[derive(Clone)]
pub(crate) struct PoolIndex<'a> {
    bytes: &'a [u8],
    /// Offsets in `bytes` by constant index; 0 where there is no constant.
    offsets: Vec<u32>,
    /// Where the pool begins, with its count.
    pub(crate) start: usize,
    /// Where it ends.
    pub(crate) end: usize,
}

const POOL: &str = "the constant pool";
const TAG_UTF8: u8 = 1;
const TAG_CLASS: u8 = 7;
const TAG_STRING: u8 = 8;
const TAG_NAME_AND_TYPE: u8 = 12;

/// The sizes of constants by tag, the tag included; a Utf8 constant has its text besides.
const SIZES: [u8; 21] = [
    0, 3, 0, 5, 5, 9, 9, 3, 3, 5, 5, 5, 5, 0, 0, 4, 3, 5, 5, 3, 3,
];

impl<'a> PoolIndex<'a> {
    /// Finds the constants; `c` stands at the count and is moved behind the pool.
    pub(crate) fn scan(bytes: &'a [u8], c: &mut Cursor<'a>) -> Result<Self> {
        let start = c.offset();
        let count = usize::from(c.u16(POOL)?);
        // The smallest constant has three bytes: a count alone reserves no more than the input.
        let mut offsets = Vec::with_capacity(count.min(c.remaining() / 3 + 2));
        offsets.push(0);
        while offsets.len() < count {
            let offset = c.offset();
            let mut ahead = *c;
            let (tag, length) = (ahead.u8(POOL)?, ahead.u16(POOL)?);
            let size = match SIZES.get(usize::from(tag)) {
                None | Some(0) => {
                    let message = format!("a constant has the unknown tag {tag}");
                    return Err(Error::unsupported(offset, message));
                }
                Some(size) => usize::from(*size),
            };
            // Without a branch on the tag, which no processor could foresee.
            let text = usize::from(length) * usize::from(tag == TAG_UTF8);
            c.take(size + text, POOL)?;
            offsets.push(offset as u32);
            // A long or a double takes two indices.
            if size == 9 {
                offsets.push(0);
            }
        }
        if offsets.len() != count {
            return Err(Error::malformed(
                start,
                "the constant pool does not fit its count",
            ));
        }
        Ok(Self {
            bytes,
            offsets,
            start,
            end: c.offset(),
        })
    }

    /// The number of indices, the unusable index 0 included.
    pub(crate) fn n_constants(&self) -> u16 {
        self.offsets.len() as u16
    }

    /// A cursor at the tag of a constant.
    #[inline]
    pub(crate) fn constant(&self, index: u16) -> Result<Cursor<'a>> {
        match self.offsets.get(usize::from(index)) {
            Some(offset) if *offset != 0 => Ok(Cursor::at(
                &self.bytes[*offset as usize..],
                *offset as usize,
            )),
            _ => Err(Error::malformed(
                None,
                format!("there is no constant #{index}"),
            )),
        }
    }

    /// The text of a Utf8 constant.
    #[inline]
    pub(crate) fn utf8(&self, index: u16) -> Result<&'a [u8]> {
        self.find_utf8(index)
            .ok_or_else(|| Error::malformed(None, format!("constant #{index} is no Utf8")))
    }

    /// The text of a Utf8 constant that is named at byte `named_at` of the file.
    #[inline]
    pub(crate) fn utf8_named_at(&self, index: u16, named_at: usize) -> Result<&'a [u8]> {
        self.find_utf8(index)
            .ok_or_else(|| Error::malformed(named_at, format!("constant #{index} is no Utf8")))
    }

    /// The name that a Class constant holds.
    pub(crate) fn class(&self, index: u16) -> Result<&'a [u8]> {
        let mut c = self.tagged(index, TAG_CLASS, "Class")?;
        self.utf8(c.u16(POOL)?)
    }

    /// Where the name stands that a constant holds, if it is a Class constant.
    #[inline]
    pub(crate) fn class_name_index(&self, index: u16) -> Option<u16> {
        let offset = *self.offsets.get(usize::from(index))? as usize;
        let [TAG_CLASS, high, low] = *self.bytes.get(offset..)?.first_chunk()? else {
            return None;
        };
        Some(u16::from_be_bytes([high, low]))
    }

    /// The texts of a NameAndType constant.
    pub(crate) fn name_and_type(&self, index: u16) -> Result<(&'a [u8], &'a [u8])> {
        let mut c = self.tagged(index, TAG_NAME_AND_TYPE, "NameAndType")?;
        Ok((self.utf8(c.u16(POOL)?)?, self.utf8(c.u16(POOL)?)?))
    }

    /// The texts of all String constants.
    pub(crate) fn strings(&self) -> HashSet<&'a [u8]> {
        let string = |offset: &u32| {
            let bytes = self.bytes.get(*offset as usize..)?.first_chunk()?;
            let [TAG_STRING, high, low] = *bytes else {
                return None;
            };
            self.find_utf8(u16::from_be_bytes([high, low]))
        };
        self.offsets.iter().filter_map(string).collect()
    }

    fn tagged(&self, index: u16, tag: u8, what: &str) -> Result<Cursor<'a>> {
        let mut c = self.constant(index)?;
        if c.u8(POOL)? != tag {
            return Err(Error::malformed(
                c.offset(),
                format!("constant #{index} is no {what}"),
            ));
        }
        Ok(c)
    }

    #[inline]
    fn find_utf8(&self, index: u16) -> Option<&'a [u8]> {
        let offset = *self.offsets.get(usize::from(index))? as usize;
        let (head, rest) = self.bytes.get(offset..)?.split_first_chunk()?;
        let [TAG_UTF8, high, low] = *head else {
            return None;
        };
        rest.get(..usize::from(u16::from_be_bytes([high, low])))
    }
}
