//! What tells cheaply whether a file is still the one that was seen.

use std::fs::Metadata;
use std::os::unix::fs::MetadataExt as _;
use std::time::{Duration, SystemTime};

/// What changes when a file or a directory is written, replaced, or given other properties.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Stamp {
    /// The file system.
    pub device: u64,
    /// Which file of it.
    pub inode: u64,
    /// How many bytes.
    pub size: u64,
    /// Seconds and nanoseconds.
    pub modified: (i64, i64),
    /// The same; unlike the modification time it cannot be set back.
    pub changed: (i64, i64),
}

impl Stamp {
    /// The stamp of what has these metadata.
    pub fn of(metadata: &Metadata) -> Self {
        Self {
            device: metadata.dev(),
            inode: metadata.ino(),
            size: metadata.size(),
            modified: (metadata.mtime(), metadata.mtime_nsec()),
            changed: (metadata.ctime(), metadata.ctime_nsec()),
        }
    }

    /// One stamp for several files with these names: file system and number of the file stand for all there is of all of them, the
    /// times are the latest.
    pub(crate) fn together(files: &[(Vec<u8>, Self)]) -> Self {
        let mut bytes = Vec::with_capacity(files.len() * 100);
        for (name, stamp) in files {
            bytes.extend((name.len() as u64).to_le_bytes());
            bytes.extend(name);
            stamp.add_to(&mut bytes);
        }
        let checksum = blake3::hash(&bytes);
        let (numbers, _) = checksum.as_bytes().as_chunks::<8>();
        let stamps = || files.iter().map(|(_, stamp)| stamp);
        Self {
            device: u64::from_le_bytes(numbers[0]),
            inode: u64::from_le_bytes(numbers[1]),
            size: stamps().map(|stamp| stamp.size).fold(0, u64::wrapping_add),
            modified: stamps()
                .map(|stamp| stamp.modified)
                .max()
                .unwrap_or_default(),
            changed: stamps()
                .map(|stamp| stamp.changed)
                .max()
                .unwrap_or_default(),
        }
    }

    fn add_to(&self, bytes: &mut Vec<u8>) {
        for number in [self.device, self.inode, self.size] {
            bytes.extend(number.to_le_bytes());
        }
        for (seconds, nanoseconds) in [self.modified, self.changed] {
            bytes.extend(seconds.to_le_bytes());
            bytes.extend(nanoseconds.to_le_bytes());
        }
    }

    /// What stays the same under all names of a file.
    pub(crate) fn identity(&self) -> (u64, u64) {
        (self.device, self.inode)
    }

    /// Whether it was changed at that time or later. A time before 1970 is none.
    pub fn is_changed_since(&self, time: SystemTime) -> bool {
        let (seconds, nanoseconds) = self.changed;
        let (Ok(seconds), Ok(nanoseconds)) = (u64::try_from(seconds), u32::try_from(nanoseconds))
        else {
            return false;
        };
        let changed = SystemTime::UNIX_EPOCH.checked_add(Duration::new(seconds, nanoseconds));
        changed.is_none_or(|changed| changed >= time)
    }
}
