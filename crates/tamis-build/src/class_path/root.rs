//! A place below which classes lie by their names: a directory, an archive, or a part of an
//! archive.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use super::archives::{Archives, OnDisk, is_absence};
use super::winner::{self, ClassCandidate};
use crate::archive::ArchiveIndex;
use crate::class_source::{ListedClass, Place};
use crate::path_text::path_text;
use crate::stamp::Stamp;

/// The place.
#[derive(Debug, Clone)]
pub(crate) enum Root {
    Directory(PathBuf),
    /// The archive at `path`, or one inside it; of that a folder with its slash, or all.
    Archive {
        path: PathBuf,
        archive: Arc<ArchiveIndex>,
        folder: Vec<u8>,
    },
    /// An archive inside another, which is opened when a class is asked for.
    Nested {
        path: PathBuf,
        outer: Arc<ArchiveIndex>,
        member: Vec<u8>,
    },
    /// Nothing that holds classes was there when the JVM started; its loaders look again, and so do
    /// we.
    Nothing(PathBuf),
    /// Something that should have been looked into, or that names places, and could not be read.
    Unreadable(String),
}

/// What is at a root now.
#[derive(Debug)]
pub(crate) enum RootContent<'r> {
    Directory(&'r Path),
    /// An archive, and the folder of it that counts.
    Archive(Arc<ArchiveIndex>, &'r [u8]),
    Nothing,
}

/// Class files of one name, or the place that cannot be looked into, as a person writes it.
pub(crate) type Look = Result<Vec<ListedClass>, String>;

impl Root {
    /// What is there now, or the place that cannot be looked into.
    pub(crate) fn content(&self, archives: &Archives) -> Result<RootContent<'_>, String> {
        match self {
            Self::Directory(directory) => Ok(RootContent::Directory(directory)),
            Self::Archive {
                archive, folder, ..
            } => Ok(RootContent::Archive(Arc::clone(archive), folder)),
            Self::Nested { outer, member, .. } => {
                let archive = outer.nested(member);
                let archive = archive.map_err(|_| outer.location_of(member))?;
                Ok(RootContent::Archive(archive, b""))
            }
            Self::Nothing(place) => match archives.look(place) {
                Ok(OnDisk::Directory) => Ok(RootContent::Directory(place)),
                Ok(OnDisk::Archive(archive)) => Ok(RootContent::Archive(archive, b"")),
                Ok(OnDisk::NoClasses | OnDisk::Absent) => Ok(RootContent::Nothing),
                Err(_) => Err(path_text(place)),
            },
            Self::Unreadable(place) => Err(place.clone()),
        }
    }

    /// What lies at `path`.
    pub(crate) fn look(&self, path: &str, archives: &Archives) -> Look {
        match self.content(archives)? {
            RootContent::Directory(directory) => look_into_directory(directory, path),
            RootContent::Archive(archive, folder) => look_into_archive(&archive, folder, path),
            RootContent::Nothing => Ok(Vec::new()),
        }
    }

    /// The files at `path` that a class may be taken from, or the place that cannot be looked into.
    pub(crate) fn candidates(
        &self,
        path: &str,
        archives: &Archives,
    ) -> Result<Vec<ClassCandidate>, String> {
        match self.content(archives)? {
            RootContent::Directory(directory) => winner::look_into_directory(directory, path),
            RootContent::Archive(archive, folder) => {
                let candidates = ClassCandidate::in_archive(&archive, folder, path)?;
                if candidates.is_empty() && !archive.is_whole() {
                    return Err(archive.location().to_string());
                }
                Ok(candidates)
            }
            RootContent::Nothing => Ok(Vec::new()),
        }
    }

    /// Whether a file at `path`, where none is now, may have been there at that time or since.
    pub(crate) fn is_changed_since(&self, path: &str, time: SystemTime) -> bool {
        let (top, looked_at) = match self {
            Self::Directory(directory) => (directory.as_path(), directory.join(path)),
            Self::Archive { path, .. } | Self::Nested { path, .. } | Self::Nothing(path) => {
                (path.as_path(), path.clone())
            }
            Self::Unreadable(_) => return true,
        };
        // A directory is changed when something in it comes or goes: the innermost that is left
        // tells.
        let mut left = looked_at
            .ancestors()
            .take_while(|path| path.starts_with(top));
        let metadata = left.find_map(|path| fs::metadata(path).ok());
        metadata.is_none_or(|metadata| Stamp::of(&metadata).is_changed_since(time))
    }
}

fn look_into_directory(directory: &Path, path: &str) -> Look {
    let file = directory.join(path);
    match fs::metadata(&file) {
        Ok(metadata) if metadata.is_dir() => Ok(Vec::new()),
        Ok(_) => Ok(vec![ListedClass::new(path.to_owned(), Place::File(file))]),
        Err(error) if is_absence(&error) => Ok(Vec::new()),
        Err(_) => Err(path_text(&file)),
    }
}

fn look_into_archive(archive: &ArchiveIndex, folder: &[u8], path: &str) -> Look {
    let classes = archive.classes(folder, path);
    if classes.is_empty() && !archive.is_whole() {
        return Err(archive.location().to_string());
    }
    Ok(classes)
}
