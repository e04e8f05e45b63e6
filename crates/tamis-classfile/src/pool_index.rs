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

/// The sizes of constants by tag, the tag included; a Utf8 constant has its text besides. 0 is no tag.
static SIZES: [u8; 256] = {
    let known = [
        0, 3, 0, 5, 5, 9, 9, 3, 3, 5, 5, 5, 5, 0, 0, 4, 3, 5, 5, 3, 3,
    ];
    let mut sizes = [0; 256];
    let mut tag = 0;
    while tag < known.len() {
        sizes[tag] = known[tag];
        tag += 1;
    }
    sizes
};

impl<'a> PoolIndex<'a> {
    /// Finds the constants; `c` stands at the count and is moved behind the pool.
    pub(crate) fn scan(bytes: &'a [u8], c: &mut Cursor<'a>) -> Result<Self> {
        Self::scan_into(Vec::new(), bytes, c)
    }

    /// The same with a buffer that [`into_buffer`](Self::into_buffer) gave back.
    pub(crate) fn scan_into(
        mut offsets: Vec<u32>,
        bytes: &'a [u8],
        c: &mut Cursor<'a>,
    ) -> Result<Self> {
        let start = c.offset();
        let count = usize::from(c.u16(POOL)?);
        offsets.clear();
        // The smallest constant has three bytes: a count alone reserves no more than the input.
        offsets.reserve(count.min(c.remaining() / 3 + 2));
        offsets.push(0);
        let mut position = c.offset();
        while offsets.len() < count {
            let rest = bytes.get(position..).unwrap_or_default();
            let Some([tag, high, low]) = rest.first_chunk().copied() else {
                return Err(Error::truncated(bytes.len(), POOL));
            };
            let size = SIZES[usize::from(tag)];
            if size == 0 {
                let message = format!("a constant has the unknown tag {tag}");
                return Err(Error::unsupported(position, message));
            }
            offsets.push(position as u32);
            // A long or a double takes two indices.
            if size == 9 {
                offsets.push(0);
            }
            // Without a branch on the tag, which no processor could foresee.
            let text = usize::from(u16::from_be_bytes([high, low])) * usize::from(tag == TAG_UTF8);
            position += usize::from(size) + text;
        }
        c.take(position - c.offset(), POOL)?;
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

    /// The memory, for the next class.
    pub(crate) fn into_buffer(self) -> Vec<u32> {
        self.offsets
    }

    /// Where a constant begins in the file; 0 if there is none.
    #[inline]
    pub(crate) fn offset(&self, index: u16) -> usize {
        let offset = self.offsets.get(usize::from(index));
        offset.map_or(0, |offset| *offset as usize)
    }

    /// Calls `visit` with the index of each Class constant, and with that of its name.
    #[inline]
    pub(crate) fn each_class(&self, buffer: &mut Vec<u16>, mut visit: impl FnMut(u16, u16)) {
        // First their indices, without a branch on the tag; there is room for all constants.
        buffer.resize(self.offsets.len().max(buffer.len()), 0);
        let mut n_classes = 0;
        for (index, offset) in (0..).zip(&self.offsets) {
            buffer[n_classes] = index;
            n_classes += usize::from(self.bytes[*offset as usize] == TAG_CLASS);
        }
        for index in &buffer[..n_classes] {
            if let Some(name) = self.class_name_index(*index) {
                visit(*index, name);
            }
        }
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
