//! Tables of rows of one fixed size, decoded row by row when asked.
//!
//! Line numbers, local variables, exception handlers and the like are most of what a class file
//! holds besides names and code, and most readers never look at them. So a table stays the bytes it
//! was read from until somebody iterates or changes it.

use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;

use crate::cursor::{Cursor, PutBytes, put_count};
use crate::error::Result;

/// Rows of type `R`, borrowed from a class file or owned.
pub struct Table<'a, R> {
    bytes: Cow<'a, [u8]>,
    rows: PhantomData<R>,
}

/// A row of fixed size.
pub trait Row: Sized {
    /// The number of 16-bit numbers in a row.
    const WIDTH: usize;

    /// The row that these numbers stand for; there are exactly [`Self::WIDTH`] of them.
    fn from_numbers(numbers: &[u16]) -> Self;

    /// The numbers, of which the first [`Self::WIDTH`] count.
    fn to_numbers(&self) -> [u16; MAX_WIDTH];
}

/// No row is wider than that of a local variable.
pub const MAX_WIDTH: usize = 5;

impl<'a, R: Row> Table<'a, R> {
    pub(crate) fn parse(cursor: &mut Cursor<'a>, n_rows: u16, what: &str) -> Result<Self> {
        let bytes = cursor.take(usize::from(n_rows) * R::WIDTH * 2, what)?;
        Ok(Self {
            bytes: Cow::Borrowed(bytes),
            rows: PhantomData,
        })
    }

    /// A 16-bit count and then that many rows.
    pub(crate) fn parse_counted(cursor: &mut Cursor<'a>, what: &str) -> Result<Self> {
        let n_rows = cursor.u16(what)?;
        Self::parse(cursor, n_rows, what)
    }

    pub(crate) fn encode_counted(&self, out: &mut Vec<u8>, what: &str) -> Result<()> {
        put_count(out, self.len(), what)?;
        out.extend_from_slice(&self.bytes);
        Ok(())
    }

    /// The number of rows.
    pub fn len(&self) -> usize {
        self.bytes.len() / (R::WIDTH * 2)
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// The rows in their order.
    pub fn iter(&self) -> impl Iterator<Item = R> + '_ {
        self.bytes.chunks_exact(R::WIDTH * 2).map(|row| {
            let mut numbers = [0; MAX_WIDTH];
            for (number, pair) in numbers.iter_mut().zip(row.chunks_exact(2)) {
                *number = u16::from_be_bytes([pair[0], pair[1]]);
            }
            R::from_numbers(&numbers[..R::WIDTH])
        })
    }

    /// Appends a row.
    pub fn push(&mut self, row: &R) {
        put_row(self.bytes.to_mut(), row);
    }

    /// Replaces each row by what `change` makes of it.
    pub fn update(&mut self, mut change: impl FnMut(&mut R)) {
        let mut bytes = Vec::with_capacity(self.bytes.len());
        for mut row in self.iter() {
            change(&mut row);
            put_row(&mut bytes, &row);
        }
        self.bytes = Cow::Owned(bytes);
    }
}

impl<R> Table<'_, R> {
    /// The same rows, borrowing nothing.
    pub fn into_owned(self) -> Table<'static, R> {
        Table {
            bytes: Cow::Owned(self.bytes.into_owned()),
            rows: PhantomData,
        }
    }
}

impl<R: Row> FromIterator<R> for Table<'_, R> {
    fn from_iter<I: IntoIterator<Item = R>>(rows: I) -> Self {
        let mut bytes = Vec::new();
        for row in rows {
            put_row(&mut bytes, &row);
        }
        Self {
            bytes: Cow::Owned(bytes),
            rows: PhantomData,
        }
    }
}

impl<R> Clone for Table<'_, R> {
    fn clone(&self) -> Self {
        Self {
            bytes: self.bytes.clone(),
            rows: PhantomData,
        }
    }
}

impl<R> PartialEq for Table<'_, R> {
    fn eq(&self, other: &Self) -> bool {
        self.bytes == other.bytes
    }
}

impl<R: Row + fmt::Debug> fmt::Debug for Table<'_, R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

fn put_row<R: Row>(bytes: &mut Vec<u8>, row: &R) {
    for number in &row.to_numbers()[..R::WIDTH] {
        bytes.put_u16(*number);
    }
}

/// Declares a row type: a struct of 16-bit numbers in the order of the class file, those marked
/// `index` being constant-pool indices, which a remapping visits.
macro_rules! row {
    (
        $(#[$doc:meta])*
        $name:ident { $( $(#[$field_doc:meta])* $field:ident $(: $index:ident)? ),+ $(,)? }
    ) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[allow(missing_docs, reason = "rows that are one bare index document the row alone")]
        pub struct $name { $( $(#[$field_doc])* pub $field: u16 ),+ }

        impl $crate::table::Row for $name {
            const WIDTH: usize = [$( stringify!($field) ),+].len();

            fn from_numbers(numbers: &[u16]) -> Self {
                let mut numbers = numbers.iter().copied();
                $( let $field = numbers.next().unwrap_or_default(); )+
                Self { $( $field ),+ }
            }

            fn to_numbers(&self) -> [u16; $crate::table::MAX_WIDTH] {
                let mut numbers = [0; $crate::table::MAX_WIDTH];
                for (number, value) in numbers.iter_mut().zip([$( self.$field ),+]) {
                    *number = value;
                }
                numbers
            }
        }

        impl $crate::remap::VisitConstants for $name {
            #[allow(unused_variables, reason = "rows without indices visit nothing")]
            fn visit_constants(&mut self, visit: &mut dyn FnMut(&mut u16)) {
                $( $( $crate::table::$index!(visit, self.$field); )? )+
            }
        }
    };
}

/// Visits a field that is marked as an index.
macro_rules! index {
    ($visit:ident, $place:expr) => {
        $visit(&mut $place)
    };
}

pub(crate) use {index, row};

#[cfg(test)]
mod tests {
    #![expect(unreachable_pub, reason = "the macro declares public rows")]

    use super::*;

    row! {
        /// A row for these tests.
        Pair { left, right: index }
    }

    #[test]
    fn rows_come_back_as_they_were_put() {
        let rows = [
            Pair { left: 1, right: 2 },
            Pair {
                left: 3,
                right: 65535,
            },
        ];
        let table: Table<'_, Pair> = rows.into_iter().collect();
        let mut bytes = Vec::new();
        table.encode_counted(&mut bytes, "pairs").unwrap();
        assert_eq!(bytes, [0, 2, 0, 1, 0, 2, 0, 3, 255, 255]);
        let mut cursor = Cursor::new(&bytes);
        let read = Table::<Pair>::parse_counted(&mut cursor, "pairs").unwrap();
        assert_eq!(read.iter().collect::<Vec<_>>(), rows);
    }

    #[test]
    fn a_count_beyond_the_bytes_is_truncation() {
        let mut cursor = Cursor::new(&[0, 2, 0, 1, 0, 2]);
        let error = Table::<Pair>::parse_counted(&mut cursor, "pairs").unwrap_err();
        assert_eq!(error.to_string(), "the bytes end inside pairs (at byte 6)");
    }
}
