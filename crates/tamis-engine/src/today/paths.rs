//! Single files and directories today, and whether they are still what a test saw.

use std::ffi::OsStr;
use std::fs;
use std::io;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

use tamis_build::{PathState, Stamp, content_checksum, names_checksum, path_text};
use tamis_facts::{Checksum, Fact, FilePath, Subject};
use tamis_select::plain;
use tamis_store::StatCache;
use tamis_wire::{Access, Accessed, FileStamp, Found};

use super::State;
use super::files::CachedContents;
use crate::circumstances::Fields;

/// The files of a build and around it.
#[derive(Debug, Clone, Copy)]
pub struct Paths<'p> {
    /// The root of the build: paths in it are relative.
    pub root: &'p Path,
    /// What is known of contents.
    pub cache: &'p StatCache,
}

impl Paths<'_> {
    /// Today's value of a subject that is a path.
    pub(super) fn value(&self, subject: &Subject) -> State<Checksum> {
        let Some(path) = subject.path().map(|path| self.absolute(path)) else {
            return State::Unknown("no path".to_owned());
        };
        if let Subject::Link(_) = subject {
            return self.leads(&path).map_or_else(State::Unknown, State::Known);
        }
        let state = match PathState::of(&path) {
            Ok(PathState::Nothing) => return State::Absent,
            Ok(state) => state,
            Err(reason) => return State::Unknown(reason),
        };
        let value = match (subject, state) {
            (
                Subject::File(_),
                PathState::File {
                    stamp,
                    is_executable,
                },
            ) => self.content(&path, &stamp, is_executable),
            (Subject::Listing(_), PathState::Directory { .. }) => names_checksum(&path),
            (Subject::Listing(_), _) => return State::Absent,
            (_, state) => Ok(kind(state)),
        };
        value.map_or_else(State::Unknown, State::Known)
    }

    /// What an access saw, as a fact; why not, if it cannot be told any more. Nothing of what was written.
    pub(crate) fn fact(&self, accessed: &Accessed) -> Option<Result<Fact, String>> {
        let path = || FilePath::new(&accessed.path, self.root.as_os_str().as_bytes());
        let known = |subject, value| Some(Ok(Fact { subject, value }));
        match (accessed.access, accessed.found) {
            (Access::Wrote, _) => None,
            (Access::Listed, Found::Directory(stamp)) => {
                Some(names_then(&accessed.path, stamp).map(|value| Fact {
                    subject: Subject::Listing(path()),
                    value: Some(value),
                }))
            }
            (Access::Listed, _) => known(Subject::Listing(path()), None),
            (Access::Followed, found) => {
                Some(self.leads_then(&accessed.path, found).map(|value| Fact {
                    subject: Subject::Link(path()),
                    value: Some(value),
                }))
            }
            (Access::Read | Access::Opened, Found::File(stamp)) => {
                Some(self.content_then(&accessed.path, stamp).map(|value| Fact {
                    subject: Subject::File(path()),
                    value: Some(value),
                }))
            }
            (Access::Read | Access::Opened, Found::Nothing) => known(Subject::File(path()), None),
            (_, found) => {
                let kind = kind_then(&accessed.path, found);
                known(Subject::Presence(path()), kind)
            }
        }
    }

    fn absolute(&self, path: &FilePath) -> PathBuf {
        let bytes = path.absolute(self.root.as_os_str().as_bytes());
        PathBuf::from(OsStr::from_bytes(&bytes))
    }

    fn content(&self, path: &Path, stamp: &Stamp, is_executable: bool) -> Result<Checksum, String> {
        let content = content_checksum(path, stamp, &CachedContents(self.cache))?;
        Ok(plain(
            &[&content.0[..], &[u8::from(is_executable)]].concat(),
        ))
    }

    /// Where a path leads over links, the same in every checkout, and what it says itself if it is one.
    fn leads(&self, path: &Path) -> Result<Checksum, String> {
        let failed = |error: io::Error| format!("{}: {error}", path_text(path));
        let root = fs::canonicalize(self.root).unwrap_or_else(|_| self.root.to_owned());
        let place = real(path).map_err(failed)?;
        let place = FilePath::new(place.as_os_str().as_bytes(), root.as_os_str().as_bytes());
        let mut fields = Fields::default();
        fields.add(place.as_bytes());
        // What is no link, or is not there, says nothing.
        if let Ok(text) = fs::read_link(path) {
            fields.add(text.as_os_str().as_bytes());
        }
        Ok(fields.checksum())
    }

    /// The same of a path that led to this.
    fn leads_then(&self, path: &[u8], then: Found) -> Result<Checksum, String> {
        let path = Path::new(OsStr::from_bytes(path));
        let is_there = match (PathState::of(path)?, then) {
            (PathState::File { stamp, .. }, Found::File(then))
            | (PathState::Directory { stamp }, Found::Directory(then)) => {
                (stamp.device, stamp.inode) == (then.device, then.inode)
            }
            (PathState::Nothing, Found::Nothing) | (PathState::Other, Found::Other) => true,
            _ => false,
        };
        if is_there {
            self.leads(path)
        } else {
            Err(changed_meanwhile(path))
        }
    }

    /// The content of a file that had this stamp.
    fn content_then(&self, path: &[u8], then: FileStamp) -> Result<Checksum, String> {
        let path = Path::new(OsStr::from_bytes(path));
        match PathState::of(path)? {
            PathState::File {
                stamp,
                is_executable,
            } if is_same(&stamp, then) => self.content(path, &stamp, is_executable),
            _ => Err(changed_meanwhile(path)),
        }
    }
}

/// A path without links, as far as something is there.
fn real(path: &Path) -> io::Result<PathBuf> {
    match (fs::canonicalize(path), path.parent(), path.file_name()) {
        (Err(error), Some(parent), Some(name)) if error.kind() == io::ErrorKind::NotFound => {
            Ok(real(parent)?.join(name))
        }
        (found, ..) => found,
    }
}

/// The names in a directory that had this stamp.
fn names_then(path: &[u8], then: FileStamp) -> Result<Checksum, String> {
    let path = Path::new(OsStr::from_bytes(path));
    match PathState::of(path)? {
        PathState::Directory { stamp } if is_same(&stamp, then) => names_checksum(path),
        _ => Err(changed_meanwhile(path)),
    }
}

fn changed_meanwhile(path: &Path) -> String {
    format!("{} changed while tests ran", path_text(path))
}

fn is_same(now: &Stamp, then: FileStamp) -> bool {
    as_told(now) == then
}

/// The stamp as an agent tells it.
fn as_told(stamp: &Stamp) -> FileStamp {
    FileStamp {
        device: stamp.device,
        inode: stamp.inode,
        size: stamp.size,
        modified: stamp.modified,
        changed: stamp.changed,
    }
}

const FILE: &[u8] = b"file";
const PROGRAM: &[u8] = b"program";
const DIRECTORY: &[u8] = b"directory";
const OTHER: &[u8] = b"other";

/// What is there, without its content; of a file, whether it may be run.
fn kind(state: PathState) -> Checksum {
    plain(match state {
        PathState::File {
            is_executable: true,
            ..
        } => PROGRAM,
        PathState::File { .. } => FILE,
        PathState::Directory { .. } => DIRECTORY,
        PathState::Nothing | PathState::Other => OTHER,
    })
}

/// The same of what a test found. A file that changed since counts as one that could not be run: if it can be run today, the test runs.
fn kind_then(path: &[u8], found: Found) -> Option<Checksum> {
    match found {
        Found::Nothing => None,
        Found::File(then) => match PathState::of(Path::new(OsStr::from_bytes(path))) {
            Ok(state @ PathState::File { stamp, .. }) if is_same(&stamp, then) => Some(kind(state)),
            _ => Some(plain(FILE)),
        },
        Found::Directory(_) => Some(plain(DIRECTORY)),
        Found::Other => Some(plain(OTHER)),
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::time::SystemTime;

    use super::*;

    fn accessed(access: Access, path: &Path) -> Accessed {
        let found = match PathState::of(path).unwrap() {
            PathState::Nothing => Found::Nothing,
            PathState::File { stamp, .. } => Found::File(as_told(&stamp)),
            PathState::Directory { stamp } => Found::Directory(as_told(&stamp)),
            PathState::Other => Found::Other,
        };
        Accessed {
            unit: tamis_wire::N_UNITS,
            access,
            asker: tamis_wire::Asker::Unknown,
            path: path.as_os_str().as_bytes().to_vec(),
            found,
        }
    }

    #[test]
    fn what_was_seen_is_true_until_it_changes() {
        let dir = tempfile::tempdir().unwrap();
        let cache = StatCache::new(SystemTime::now());
        let paths = Paths {
            root: dir.path(),
            cache: &cache,
        };
        let file = dir.path().join("a.txt");
        let folder = dir.path().join("folder");
        let missing = folder.join("missing");
        fs::create_dir(&folder).unwrap();
        fs::write(&file, "1").unwrap();
        let accesses = [
            (Access::Read, &file),
            (Access::Looked, &file),
            (Access::Read, &missing),
            (Access::Looked, &missing),
            (Access::Listed, &folder),
            (Access::Looked, &folder),
            (Access::Read, &folder),
            (Access::Listed, &missing),
        ];
        let facts = accesses.map(|(access, path)| {
            let fact = paths.fact(&accessed(access, path)).unwrap();
            fact.unwrap()
        });
        let broken = || {
            let is_broken = |fact: &&Fact| match paths.value(&fact.subject) {
                State::Absent => fact.value.is_some(),
                State::Known(value) => fact.value != Some(value),
                State::Unknown(_) => true,
            };
            let broken = facts.iter().filter(is_broken);
            broken
                .map(|fact| fact.subject.to_string())
                .collect::<Vec<_>>()
        };
        assert_eq!(broken(), [""; 0]);
        fs::write(&file, "2").unwrap();
        assert_eq!(broken(), ["file a.txt"]);
        fs::remove_file(&file).unwrap();
        assert_eq!(broken(), ["file a.txt", "path a.txt"]);
        fs::write(&missing, "").unwrap();
        let appeared = [
            "file folder/missing",
            "path folder/missing",
            "directory folder",
        ];
        assert_eq!(broken()[2..], appeared);
        assert_eq!(paths.fact(&accessed(Access::Wrote, &file)), None);
    }

    #[test]
    fn what_changed_meanwhile_is_no_fact() {
        let dir = tempfile::tempdir().unwrap();
        let cache = StatCache::new(SystemTime::now());
        let paths = Paths {
            root: dir.path(),
            cache: &cache,
        };
        let file = dir.path().join("a.txt");
        fs::write(&file, "1").unwrap();
        let seen = [
            accessed(Access::Read, &file),
            accessed(Access::Listed, dir.path()),
        ];
        fs::remove_file(&file).unwrap();
        for seen in seen {
            let doubt = paths.fact(&seen).unwrap().unwrap_err();
            assert!(doubt.ends_with(" changed while tests ran"), "{doubt}");
        }
    }

    #[test]
    fn where_a_path_leads_is_told_apart_from_what_is_there() {
        use std::os::unix::fs::symlink;

        let dir = tempfile::tempdir().unwrap();
        let cache = StatCache::new(SystemTime::now());
        let paths = Paths {
            root: dir.path(),
            cache: &cache,
        };
        let path = |name: &str| dir.path().join(name);
        for folder in ["one", "two"] {
            fs::create_dir(path(folder)).unwrap();
            fs::write(path(folder).join("a.txt"), "1").unwrap();
        }
        symlink("one", path("link")).unwrap();
        let followed = ["link", "link/a.txt", "link/none", "one/a.txt"];
        let facts = followed.map(|name| {
            let fact = paths.fact(&accessed(Access::Followed, &path(name)));
            fact.unwrap().unwrap()
        });
        let broken = || {
            let is_broken = |fact: &&Fact| match paths.value(&fact.subject) {
                State::Known(value) => fact.value != Some(value),
                State::Absent | State::Unknown(_) => true,
            };
            let broken = facts.iter().filter(is_broken);
            broken
                .map(|fact| fact.subject.to_string())
                .collect::<Vec<_>>()
        };
        assert_eq!(broken(), [""; 0]);
        fs::write(path("one/a.txt"), "2").unwrap();
        assert_eq!(broken(), [""; 0]);
        fs::remove_file(path("link")).unwrap();
        symlink("two", path("link")).unwrap();
        assert_eq!(broken(), ["link link", "link link/a.txt", "link link/none"]);
        // The same place by another text.
        fs::remove_file(path("link")).unwrap();
        symlink("./one", path("link")).unwrap();
        assert_eq!(broken(), ["link link"]);
    }
}
