//! Where the bytes of an archive are: in a file, in a member of another archive, or in memory.
//!
//! A class path may have more jars than a process may open files. So the jars of a class path are
//! closed once they are listed, and opened again to read a class; [`Stamp`] tells whether they are
//! still the same.

use std::fs::{File, Metadata};
use std::io;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use rawzip::{FileReader, ReaderAt};

use super::Archive;

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

/// What changes when a file or a directory is written, replaced, or given other properties.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Stamp {
    device: u64,
    inode: u64,
    size: u64,
    /// Seconds and nanoseconds.
    modified: (i64, i64),
    /// The same; unlike the modification time it cannot be set back.
    changed: (i64, i64),
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

impl Stamp {
    pub(crate) fn of(metadata: &Metadata) -> Self {
        Self {
            device: metadata.dev(),
            inode: metadata.ino(),
            size: metadata.size(),
            modified: (metadata.mtime(), metadata.mtime_nsec()),
            changed: (metadata.ctime(), metadata.ctime_nsec()),
        }
    }

    pub(crate) fn size(&self) -> u64 {
        self.size
    }

    /// What stays the same under all names of a file.
    pub(crate) fn identity(&self) -> (u64, u64) {
        (self.device, self.inode)
    }

    /// Whether it was changed at that time or later. A time before 1970 is none.
    pub(crate) fn is_changed_since(&self, time: SystemTime) -> bool {
        let (seconds, nanoseconds) = self.changed;
        let (Ok(seconds), Ok(nanoseconds)) = (u64::try_from(seconds), u32::try_from(nanoseconds))
        else {
            return false;
        };
        let changed = SystemTime::UNIX_EPOCH.checked_add(Duration::new(seconds, nanoseconds));
        changed.is_none_or(|changed| changed >= time)
    }
}
