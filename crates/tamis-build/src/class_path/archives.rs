//! The archives that the class paths of a process's JVMs share: each is listed once, as long as it
//! stays the same.

use std::collections::HashMap;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use super::kept_place::KeptPlace;
use crate::archive::ArchiveIndex;
use crate::parallel;
use crate::read_error::ReadErrorKind;
use crate::stamp::Stamp;

/// The archives that were listed so far.
#[derive(Debug, Default)]
pub struct Archives {
    known: Mutex<HashMap<PathBuf, (Stamp, Arc<ArchiveIndex>)>>,
}

/// What is at a path.
#[derive(Debug)]
pub(crate) enum OnDisk {
    Directory,
    Archive(Arc<ArchiveIndex>),
    /// A file that no JVM takes classes from.
    NoClasses,
    Absent,
}

impl Archives {
    /// Lists the archives among these places, several at once, so that they are known when somebody
    /// looks. What cannot be read is told then.
    pub(crate) fn list_all(&self, places: &[KeptPlace]) {
        parallel::map(places, |place| {
            if let KeptPlace::Entry(path) = place {
                drop(self.look(path));
            }
        });
    }

    /// Looks what is at `path`.
    pub(crate) fn look(&self, path: &Path) -> Result<OnDisk, ReadErrorKind> {
        let metadata = match fs::metadata(path) {
            Ok(metadata) => metadata,
            Err(error) if is_absence(&error) => return Ok(OnDisk::Absent),
            Err(error) => return Err(error.into()),
        };
        if metadata.is_dir() {
            return Ok(OnDisk::Directory);
        }
        if !metadata.is_file() {
            return Ok(OnDisk::NoClasses);
        }
        match self.open(path, Stamp::of(&metadata)) {
            Ok(archive) => Ok(OnDisk::Archive(archive)),
            Err(error) if is_no_archive(&error) => Ok(OnDisk::NoClasses),
            Err(error) => Err(error),
        }
    }

    /// Nothing is locked while an archive is listed: then two may list the same one, and one list
    /// is kept.
    fn open(&self, path: &Path, stamp: Stamp) -> Result<Arc<ArchiveIndex>, ReadErrorKind> {
        let lock = || self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((known, archive)) = lock().get(path)
            && *known == stamp
        {
            return Ok(Arc::clone(archive));
        }
        let file = File::open(path)?;
        // What was opened counts, should it have been replaced since.
        let stamp = Stamp::of(&file.metadata()?);
        let archive = Arc::new(ArchiveIndex::of_file(path, file, stamp)?);
        lock().insert(path.to_path_buf(), (stamp, Arc::clone(&archive)));
        Ok(archive)
    }
}

/// Whether nothing is at a path; a name that is too long for the system is nobody's.
pub(crate) fn is_absence(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory | io::ErrorKind::InvalidFilename
    )
}

/// Whether a file has no archive's end, so that Java finds no classes in it either.
fn is_no_archive(error: &ReadErrorKind) -> bool {
    match error {
        ReadErrorKind::DamagedArchive(cause) => {
            matches!(
                cause.kind(),
                rawzip::ErrorKind::MissingEndOfCentralDirectory
            )
        }
        _ => false,
    }
}
