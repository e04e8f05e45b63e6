//! Where the bytes of an archive are: in a file, in a member of another archive, or in memory.
//!
//! A class path may have more jars than a process may open files. So the jars of a class path are
//! closed once they are listed, and opened again to read a class; [`Stamp`] tells whether they are
//! still the same.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rawzip::{FileReader, ReaderAt};

use super::Archive;
use crate::stamp::Stamp;

/// The bytes of an archive.
#[derive(Debug)]
pub(crate) enum ArchiveBytes {
    /// A file that stays open.
    Open(FileReader),
    /// A file that is opened for each reading.
    Closed(StampedFile),
    /// A member that is stored as it is inside another archive.
    Part {
        of: Arc<Archive>,
        start: u64,
        size: u64,
    },
    /// A member that had to be expanded.
    Memory(Vec<u8>),
}

/// A file that must still be the one that was listed.
#[derive(Debug)]
pub(crate) struct StampedFile {
    path: PathBuf,
    stamp: Stamp,
}

impl ReaderAt for ArchiveBytes {
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        match self {
            Self::Open(file) => file.read_at(buffer, offset),
            Self::Closed(file) => file.open()?.read_at(buffer, offset),
            Self::Part { of, start, size } => {
                let left = size.saturating_sub(offset);
                let n_read = buffer
                    .len()
                    .min(usize::try_from(left).unwrap_or(usize::MAX));
                of.bytes()
                    .read_at(&mut buffer[..n_read], start.saturating_add(offset))
            }
            Self::Memory(bytes) => bytes.read_at(buffer, offset),
        }
    }
}

impl StampedFile {
    pub(crate) fn new(path: &Path, stamp: Stamp) -> Self {
        Self {
            path: path.to_path_buf(),
            stamp,
        }
    }

    fn open(&self) -> io::Result<FileReader> {
        let file = File::open(&self.path)?;
        if Stamp::of(&file.metadata()?) != self.stamp {
            return Err(io::Error::other("it has changed since it was listed"));
        }
        Ok(FileReader::from(file))
    }
}
