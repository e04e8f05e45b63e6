//! Bytes that were read together with others, and are copied no more.
//!
//! What is kept of a hundred thousand records is read in pieces of some hundred. To take memory for each name and each set
//! would take longer than to read them; so a piece stays as it is, and what lies in it points there.

use std::fmt;
use std::ops::{Deref, Range};
use std::sync::Arc;

/// Bytes that lie among others.
#[derive(Clone, Default)]
pub(crate) struct Slice {
    all: Arc<Vec<u8>>,
    /// Within all of them.
    range: Range<usize>,
}

impl Slice {
    /// These of all bytes, which there are.
    pub(crate) fn new(all: &Arc<Vec<u8>>, range: Range<usize>) -> Self {
        debug_assert!(range.start <= range.end && range.end <= all.len());
        Self {
            all: Arc::clone(all),
            range,
        }
    }

    /// Only the first ones.
    pub(crate) fn truncate(&mut self, length: usize) {
        self.range.end = self.range.end.min(self.range.start + length);
    }
}

impl From<Vec<u8>> for Slice {
    fn from(bytes: Vec<u8>) -> Self {
        let range = 0..bytes.len();
        Self::new(&Arc::new(bytes), range)
    }
}

impl Deref for Slice {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.all[self.range.clone()]
    }
}

impl PartialEq for Slice {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl Eq for Slice {}

impl fmt::Debug for Slice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\"{}\"", self.escape_ascii())
    }
}

/// Rows that are read and handed over together: what has a fixed size, and the bytes of all of them.
pub(crate) struct Rows<R> {
    pub(crate) rows: Vec<R>,
    pub(crate) bytes: Vec<u8>,
}

/// About how many bytes are handed over together.
const BYTES_AT_ONCE: usize = 256 << 10;

/// No more rows than this are.
const ROWS_AT_ONCE: usize = 2_048;

impl<R> Rows<R> {
    /// Keeps the bytes of a row, and tells where.
    pub(crate) fn keep(&mut self, bytes: &[u8]) -> Range<usize> {
        let begin = self.bytes.len();
        self.bytes.extend_from_slice(bytes);
        begin..self.bytes.len()
    }

    /// Whether it is time to hand them over.
    pub(crate) fn is_full(&self) -> bool {
        self.bytes.len() >= BYTES_AT_ONCE || self.rows.len() >= ROWS_AT_ONCE
    }
}

impl<R> Default for Rows<R> {
    /// None, with room for as many as are handed over together.
    fn default() -> Self {
        Self {
            rows: Vec::new(),
            bytes: Vec::with_capacity(BYTES_AT_ONCE + BYTES_AT_ONCE / 16),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slice_is_its_bytes_wherever_they_lie() {
        let mut rows: Rows<()> = Rows::default();
        let ranges = [rows.keep(b"one"), rows.keep(b""), rows.keep(b"one")];
        let all = Arc::new(rows.bytes);
        let [mut one, nothing, other] = ranges.map(|range| Slice::new(&all, range));
        assert_eq!(&*one, b"one");
        assert_eq!(one, other);
        assert_eq!(nothing, Slice::default());
        assert_eq!(other, Slice::from(b"one".to_vec()));
        one.truncate(2);
        assert_eq!(&*one, b"on");
        one.truncate(9);
        assert_eq!(format!("{one:?}"), "\"on\"");
    }
}
