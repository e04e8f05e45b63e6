//! Why a class file, or a place that holds class files, could not be read.
//!
//! The errors can be cloned: a place is listed once and may be read several times, and what went
//! wrong while listing is told each time.

use std::io;
use std::path::Path;
use std::sync::Arc;

use crate::path_text::path_text;

/// The largest class file that is read: 64 MiB, far above what any compiler writes.
pub const MAX_CLASS_SIZE: u64 = 64 << 20;

/// One file, archive, archive member or directory cannot be read; the others are not concerned.
#[derive(Debug, Clone, thiserror::Error)]
#[error("cannot read `{location}`")]
pub struct ReadError {
    /// The path, or `archive!member`.
    pub location: String,
    /// What went wrong.
    #[source]
    pub kind: ReadErrorKind,
}

/// What went wrong while reading.
#[derive(Debug, Clone, thiserror::Error)]
pub enum ReadErrorKind {
    /// The operating system refused.
    #[error(transparent)]
    Io(Arc<io::Error>),
    /// Neither the content nor the name is that of something that holds classes.
    #[error("it is neither a class file, nor a jar, nor a directory")]
    NotClasses,
    /// A pipe, socket or device: reading it might never end.
    #[error("it is not a regular file")]
    NotRegular,
    /// A symbolic link leads to a directory around it.
    #[error("it is a symbolic link to a directory that contains it")]
    LinkLoop,
    /// More than [`MAX_CLASS_SIZE`].
    #[error("it has {0} bytes; a class file is read up to {MAX_CLASS_SIZE}")]
    TooLarge(u64),
    /// The structure of the archive is broken at or around this place.
    #[error("the archive is damaged")]
    DamagedArchive(#[source] Arc<rawzip::Error>),
    /// The archive's directory ends early.
    #[error("the archive is damaged: it announces {announced} members and lists {listed}")]
    MembersMissing {
        /// The count at the end of the archive.
        announced: u64,
        /// The members that were found.
        listed: u64,
    },
    /// The data of this member reaches into those of another one, as in a decompression bomb.
    #[error("the archive is damaged: the data of this member overlap those of another")]
    Overlap,
    /// The data of this member reach beyond the end of the archive.
    #[error("the archive is damaged: it ends before the data of this member do")]
    Truncated,
    /// Archives may lie inside archives, but not too deep, and not take too much memory.
    #[error("it lies too deep inside other archives, or those inside are too large")]
    NestingLimit,
    /// A password would be needed.
    #[error("it is encrypted")]
    Encrypted,
    /// Neither stored nor deflated, so no JVM could read it either.
    #[error("its compression method {0} is unknown to Java")]
    UnknownCompression(u16),
    /// The compressed data cannot be expanded.
    #[error("its compressed data are damaged")]
    DamagedData,
    /// The data expand to another size than the archive's directory says.
    #[error("it has {actual} bytes, and the archive says {declared}")]
    WrongSize {
        /// The size in the archive's directory.
        declared: u64,
        /// The size found.
        actual: u64,
    },
    /// The CRC-32 differs from the one in the archive's directory.
    #[error("its CRC-32 is {actual:08x}, and the archive says {declared:08x}")]
    WrongCrc {
        /// The value in the archive's directory.
        declared: u32,
        /// The value of the data.
        actual: u32,
    },
}

impl ReadError {
    pub(crate) fn new(location: impl Into<String>, kind: impl Into<ReadErrorKind>) -> Self {
        Self {
            location: location.into(),
            kind: kind.into(),
        }
    }

    pub(crate) fn at_path(path: &Path, kind: impl Into<ReadErrorKind>) -> Self {
        Self::new(path_text(path), kind)
    }
}

impl From<io::Error> for ReadErrorKind {
    fn from(error: io::Error) -> Self {
        Self::Io(Arc::new(error))
    }
}

impl From<rawzip::Error> for ReadErrorKind {
    fn from(error: rawzip::Error) -> Self {
        Self::DamagedArchive(Arc::new(error))
    }
}
