//! What lies under one path: nothing, a file with its content, a directory with its names.

use std::ffi::OsStr;
use std::fs::{self, Metadata};
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::time::SystemTime;

use tamis_facts::Checksum;

use crate::checksum::cut;
use crate::class_path::is_absence;
use crate::module_files::{ContentChecksums, read, read_manifest};
use crate::path_text::path_text;
use crate::stamp::Stamp;

/// What lies under a path, links followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PathState {
    /// Nothing.
    Nothing,
    /// A file.
    File {
        /// What changes when it is written.
        stamp: Stamp,
        /// Whether its owner may run it.
        is_executable: bool,
    },
    /// A directory.
    Directory {
        /// What changes when something is put into it or taken away.
        stamp: Stamp,
    },
    /// A pipe, a socket, a device: reading it may never end, and may do something.
    Other,
}

impl PathState {
    /// What lies there now; what stands in the way if that cannot be told.
    pub fn of(path: &Path) -> Result<Self, String> {
        match fs::metadata(path) {
            Ok(metadata) => Ok(Self::of_metadata(&metadata)),
            Err(error) if is_absence(&error) => Ok(Self::Nothing),
            Err(error) => Err(format!("{}: {error}", path_text(path))),
        }
    }

    fn of_metadata(metadata: &Metadata) -> Self {
        let stamp = Stamp::of(metadata);
        if metadata.is_file() {
            let is_executable = metadata.permissions().mode() & 0o100 != 0;
            return Self::File {
                stamp,
                is_executable,
            };
        }
        if metadata.is_dir() {
            return Self::Directory { stamp };
        }
        Self::Other
    }
}

/// The checksum of the content of a file that has this stamp; what stands in the way if it has another one by now or cannot
/// be read.
pub fn content_checksum(
    path: &Path,
    stamp: &Stamp,
    contents: &dyn ContentChecksums,
) -> Result<Checksum, String> {
    let seen = SystemTime::now();
    let place = path.parent().map(path_text).unwrap_or_default();
    let name = path.file_name().map_or(&[][..], OsStr::as_bytes);
    let unreadable = |error| format!("{}: {error}", path_text(path));
    if path.ends_with("META-INF/MANIFEST.MF") {
        return read_manifest(path, stamp).map_err(unreadable);
    }
    if let Some(known) = contents.known(&place, name, stamp) {
        return Ok(known);
    }
    let checksum = read(path, stamp).map_err(unreadable)?;
    contents.keep(&place, name, stamp, seen, checksum);
    Ok(checksum)
}

/// The checksum of the names in a directory; what stands in the way if it cannot be listed.
pub fn names_checksum(directory: &Path) -> Result<Checksum, String> {
    let unreadable = |error| format!("{}: {error}", path_text(directory));
    let entries = fs::read_dir(directory).map_err(unreadable)?;
    let names = entries.map(|entry| entry.map(|entry| entry.file_name()));
    let mut names = names.collect::<Result<Vec<_>, _>>().map_err(unreadable)?;
    names.sort_unstable();
    let mut hasher = blake3::Hasher::new();
    for name in &names {
        // No name holds a zero.
        hasher.update(name.as_bytes());
        hasher.update(&[0]);
    }
    Ok(cut(&hasher.finalize()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::module_files::Nobody;

    #[test]
    fn content_and_names_are_told_apart_from_other_ones() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("a.txt");
        assert_eq!(PathState::of(&file), Ok(PathState::Nothing));
        assert_eq!(PathState::of(&file.join("b")), Ok(PathState::Nothing));
        fs::write(&file, "1").unwrap();
        let content = || match PathState::of(&file) {
            Ok(PathState::File { stamp, .. }) => content_checksum(&file, &stamp, &Nobody).unwrap(),
            other => panic!("{other:?}"),
        };
        let one = content();
        let names = names_checksum(dir.path()).unwrap();
        fs::write(&file, "2").unwrap();
        assert_ne!(content(), one);
        assert_eq!(names_checksum(dir.path()).unwrap(), names);
        fs::write(dir.path().join("b.txt"), "").unwrap();
        assert_ne!(names_checksum(dir.path()).unwrap(), names);
        assert!(names_checksum(&file).is_err());
    }

    #[test]
    fn a_file_that_is_another_one_by_now_has_no_checksum() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("a.txt");
        fs::write(&file, "1").unwrap();
        let Ok(PathState::File { stamp, .. }) = PathState::of(&file) else {
            panic!("it is a file");
        };
        fs::write(&file, "12").unwrap();
        assert!(content_checksum(&file, &stamp, &Nobody).is_err());
    }
}
