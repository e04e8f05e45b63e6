//! The one error of this crate: what is wrong, of which kind, and at which byte.
//!
//! It is a single boxed word, so that results on the hot path stay small, and its constructors are
//! cold, so that the path without errors stays straight.

use std::fmt;

/// The result of everything in this crate that can fail.
pub type Result<T> = std::result::Result<T, Error>;

/// A class file could not be read, written, understood or probed.
pub struct Error(Box<Inner>);

/// What sort of failure it was, for callers that branch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErrorKind {
    /// The bytes end before the structure does.
    Truncated,
    /// The bytes are no class file, or contradict JVMS 4.
    Malformed,
    /// Well formed as far as can be seen, but something this crate does not know or does not do.
    Unsupported,
    /// The result would not fit into the class file's 16- or 32-bit fields.
    TooLarge,
}

struct Inner {
    kind: ErrorKind,
    offset: Option<usize>,
    message: String,
}

impl Error {
    #[cold]
    fn new(kind: ErrorKind, offset: impl Into<Option<usize>>, message: String) -> Self {
        Self(Box::new(Inner {
            kind,
            offset: offset.into(),
            message,
        }))
    }

    /// The bytes end at `offset`, while `what` is still to come.
    #[cold]
    pub(crate) fn truncated(offset: usize, what: &str) -> Self {
        Self::new(
            ErrorKind::Truncated,
            offset,
            format!("the bytes end inside {what}"),
        )
    }

    /// The bytes at `offset` contradict the class file format.
    #[cold]
    pub(crate) fn malformed(offset: impl Into<Option<usize>>, message: impl Into<String>) -> Self {
        Self::new(ErrorKind::Malformed, offset, message.into())
    }

    /// The bytes at `offset` use something that is refused by name.
    #[cold]
    pub(crate) fn unsupported(
        offset: impl Into<Option<usize>>,
        message: impl Into<String>,
    ) -> Self {
        Self::new(ErrorKind::Unsupported, offset, message.into())
    }

    /// `what` has outgrown the format.
    #[cold]
    pub(crate) fn too_large(what: impl Into<String>) -> Self {
        Self::new(ErrorKind::TooLarge, None, what.into())
    }

    /// What sort of failure it was.
    pub fn kind(&self) -> ErrorKind {
        self.0.kind
    }

    /// The byte it was noticed at: in the file, or in a method's code where the message says so;
    /// none for what concerns no single byte.
    pub fn offset(&self) -> Option<usize> {
        self.0.offset
    }

    /// What is wrong, in words, without the offset.
    pub fn message(&self) -> &str {
        &self.0.message
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.offset() {
            None => f.write_str(self.message()),
            Some(offset) => write!(f, "{} (at byte {offset})", self.message()),
        }
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}: {self}", self.kind())
    }
}

impl std::error::Error for Error {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn is_one_word() {
        assert_eq!(size_of::<Result<()>>(), size_of::<usize>());
    }

    #[test]
    fn names_what_and_where() {
        let error = Error::truncated(7, "the constant pool");
        assert_eq!(
            error.to_string(),
            "the bytes end inside the constant pool (at byte 7)"
        );
    }
}
