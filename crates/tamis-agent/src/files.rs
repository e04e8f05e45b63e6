//! What the JVM does with files, seen where the JDK's native methods get them.
//!
//! `natives.rs` stands in front of those methods, `scope.rs` finds out which files are meant, and `accesses.rs` has
//! the rules for what of it is told; `askers.rs` says who asks. `docs/design/agent.md` says what is not seen.

mod accesses;
mod askers;
mod owners;
mod pending;
mod scope;

use std::ffi::{CString, OsStr, c_char, c_int};
use std::fs::{self, Metadata};
use std::io;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use tamis_wire::{FileStamp, Found};

use self::accesses::{Act, Touch};
use self::scope::Scope;
use crate::jni::Jni;
use crate::jvmti::Jvmti;
use crate::natives::{Arguments, Doing, Place, Unreadable};

pub(crate) use self::accesses::{Accesses, Deed, Scene};
pub(crate) use self::askers::{Askers, Classes, Wanted};

/// The eyes of the agent on files.
pub(crate) struct Files {
    scope: Scope,
}

impl Files {
    /// With the directories in which class loaders look for files.
    pub(crate) fn new(jvmti: Jvmti, class_directories: &[Vec<u8>]) -> Self {
        Self {
            scope: Scope::new(jvmti, class_directories),
        }
    }

    /// The absolute path of an archive, unless it does not count.
    pub(crate) fn archive(&self, path: &[u8]) -> Option<Vec<u8>> {
        let path = self.scope.absolute(path);
        (!self.scope.is_left_out(&path)).then_some(path)
    }

    /// What a native method is about to do; nothing if it is with files that do not count.
    pub(crate) fn deed(
        &self,
        jni: &Jni<'_>,
        doing: Doing,
        arguments: &Arguments<'_>,
    ) -> Result<Option<Deed>, Unreadable> {
        let touch = |place, act| self.touch(jni, arguments, place, act);
        let one = |place, act| Ok(touch(place, act)?.map(Deed::One));
        match doing {
            Doing::Read(place) => one(place, Act::Read),
            Doing::Measure(place) => one(place, Act::Measure),
            Doing::Examine(place) => Ok(touch(place, Act::Measure)?.map(|touch| {
                let link = is_link(&touch.path).then(|| touch.following());
                with_link(touch, link)
            })),
            Doing::Simplify(place) => {
                let touch = touch(place, Act::Follow)?;
                Ok(touch
                    .filter(|touch| leads_elsewhere(&touch.path))
                    .map(Deed::One))
            }
            Doing::Resolve(place) => Ok(touch(place, Act::Look)?.map(|touch| {
                let link = leads_elsewhere(&touch.path).then(|| touch.following());
                with_link(touch, link)
            })),
            Doing::Archive(place) => one(place, Act::Open),
            Doing::Look(place) => one(place, Act::Look),
            Doing::List(place) => one(place, Act::List),
            Doing::Make(place) => one(place, Act::Make),
            Doing::MakeDirectory(place) => one(place, Act::MakeDirectory),
            Doing::Remove(place) => one(place, Act::Remove),
            Doing::Output(place, append) => one(place, output(arguments.boolean(append))),
            Doing::Random(place, mode) => one(place, random(arguments.int(mode))),
            Doing::Open(place, flags) => one(place, open(arguments.int(flags))),
            Doing::Move { from, to } => Ok(both(
                touch(from, Act::Read)?,
                touch(to, Act::Write)?,
                |from, to| {
                    if can_change_names(&from.path) {
                        Deed::Move { from, to }
                    } else {
                        Deed::One(from)
                    }
                },
            )),
            Doing::Link { existing, new } => Ok(both(
                touch(existing, Act::Read)?,
                touch(new, Act::Make)?,
                Deed::Two,
            )),
        }
    }

    /// What is about to be done with the file of one argument.
    fn touch(
        &self,
        jni: &Jni<'_>,
        arguments: &Arguments<'_>,
        place: Place,
        act: Act,
    ) -> Result<Option<Touch>, Unreadable> {
        let given = arguments.path(jni, place)?;
        // The empty path is never there.
        let Some(given) = given.filter(|path| !path.is_empty()) else {
            return Ok(None);
        };
        let path = self.scope.absolute(&given);
        if self.scope.is_left_out(&path) {
            return Ok(None);
        }
        // As the JDK gives it to the system: what is relative is found with fewer steps.
        let found = found(&given);
        Ok(Some(Touch {
            act: possible(act, found, &path),
            is_random: found == Found::Nothing && self.scope.is_random(&path),
            is_loaders: self.scope.is_in_class_directory(&path),
            path,
            found,
        }))
    }
}

/// What is done with a file, and with the link that leads there.
fn with_link(touch: Touch, link: Option<Touch>) -> Deed {
    match link {
        Some(link) => Deed::Two(touch, link),
        None => Deed::One(touch),
    }
}

fn is_link(path: &[u8]) -> bool {
    fs::symlink_metadata(path_of(path)).is_ok_and(|metadata| metadata.is_symlink())
}

/// Whether a path is a link, or goes over one.
fn leads_elsewhere(path: &[u8]) -> bool {
    is_link(path) || real(path_of(path)).is_none_or(|real| real.as_os_str().as_bytes() != path)
}

/// A path without links, as far as something is there.
fn real(path: &Path) -> Option<PathBuf> {
    match fs::canonicalize(path) {
        Ok(real) => Some(real),
        Err(error) if is_absence(&error) => Some(real(path.parent()?)?.join(path.file_name()?)),
        Err(_) => None,
    }
}

/// A deed with two files, of which one may not count.
fn both(
    first: Option<Touch>,
    second: Option<Touch>,
    deed: impl FnOnce(Touch, Touch) -> Deed,
) -> Option<Deed> {
    match (first, second) {
        (Some(first), Some(second)) => Some(deed(first, second)),
        (first, second) => first.or(second).map(Deed::One),
    }
}

/// What a `FileOutputStream` does.
fn output(appends: bool) -> Act {
    if appends { Act::Append } else { Act::Write }
}

/// What a `RandomAccessFile` does.
fn random(mode: c_int) -> Act {
    const READ_WRITE: c_int = 2;
    if mode & READ_WRITE == 0 {
        Act::Open
    } else {
        Act::Update
    }
}

/// What a file is opened for, by the flags of the system.
fn open(flags: c_int) -> Act {
    const ACCESS_MODE: c_int = 0o3;
    const WRITE_ONLY: c_int = 0o1;
    const CREATE: c_int = 0o100;
    const EXCLUSIVE: c_int = 0o200;
    const TRUNCATE: c_int = 0o1000;
    const APPEND: c_int = 0o2000;
    let has = |flag| flags & flag != 0;
    match flags & ACCESS_MODE {
        0 => Act::Read,
        _ if has(CREATE) && has(EXCLUSIVE) => Act::Make,
        _ if has(TRUNCATE) => Act::Write,
        WRITE_ONLY if has(APPEND) => Act::Append,
        _ => Act::Update,
    }
}

/// What comes of it: what the system will refuse is a look.
fn possible(act: Act, found: Found, path: &[u8]) -> Act {
    let is_refused = match (act, found) {
        (Act::Write | Act::Append | Act::Update, Found::Directory(_))
        | (Act::Remove, Found::Nothing) => true,
        (Act::Write | Act::Append | Act::Update, Found::File(_)) => !is_writable(path),
        (Act::Remove, Found::Directory(_)) if !is_empty_directory(path) => true,
        (Act::Read | Act::Open | Act::Measure | Act::Look | Act::Follow | Act::List, _)
        | (_, Found::Other) => false,
        (_, Found::Nothing | Found::File(_) | Found::Directory(_)) => !can_change_names(path),
    };
    if is_refused { Act::Look } else { act }
}

/// Whether the folder of a path lets names be added and taken away.
fn can_change_names(path: &[u8]) -> bool {
    let folder = path_of(path).parent();
    folder.is_some_and(|folder| is_writable(folder.as_os_str().as_bytes()))
}

fn is_writable(path: &[u8]) -> bool {
    const WRITE: c_int = 2;
    // SAFETY: the text ends with zero.
    CString::new(path).is_ok_and(|path| unsafe { access(path.as_ptr(), WRITE) } == 0)
}

unsafe extern "C" {
    fn access(path: *const c_char, mode: c_int) -> c_int;
}

/// What lies under a path now.
fn found(path: &[u8]) -> Found {
    match fs::metadata(path_of(path)) {
        Ok(metadata) if metadata.is_file() => Found::File(stamp(&metadata)),
        Ok(metadata) if metadata.is_dir() => Found::Directory(stamp(&metadata)),
        Err(error) if is_absence(&error) => Found::Nothing,
        _ => Found::Other,
    }
}

fn is_absence(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory
    )
}

fn is_empty_directory(path: &[u8]) -> bool {
    fs::read_dir(path_of(path)).is_ok_and(|mut names| names.next().is_none())
}

fn path_of(path: &[u8]) -> &Path {
    Path::new(OsStr::from_bytes(path))
}

fn stamp(metadata: &Metadata) -> FileStamp {
    FileStamp {
        device: metadata.dev(),
        inode: metadata.ino(),
        size: metadata.size(),
        modified: (metadata.mtime(), metadata.mtime_nsec()),
        changed: (metadata.ctime(), metadata.ctime_nsec()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_say_what_a_file_is_opened_for() {
        for (flags, expected) in [
            (0, Act::Read),
            (0o40_0000, Act::Read),
            (0o1101, Act::Write),
            (0o1001, Act::Write),
            (0o301, Act::Make),
            (0o302, Act::Make),
            (0o2101, Act::Append),
            (0o2102, Act::Update),
            (0o101, Act::Update),
            (0o2, Act::Update),
        ] {
            assert_eq!(open(flags), expected, "{flags:o}");
        }
        assert_eq!([1, 2, 6].map(random), [Act::Open, Act::Update, Act::Update]);
    }

    #[test]
    fn absent_file_directory_and_something_else_are_told_apart() {
        let dir = tempfile::tempdir().unwrap();
        let path = |name: &str| [dir.path().as_os_str().as_bytes(), name.as_bytes()].concat();
        fs::write(dir.path().join("file"), "abc").unwrap();
        assert!(matches!(found(&path("/file")), Found::File(stamp) if stamp.size == 3));
        assert!(matches!(found(&path("")), Found::Directory(_)));
        assert_eq!(found(&path("/none")), Found::Nothing);
        assert_eq!(found(&path("/file/below")), Found::Nothing);
        assert_eq!(found(b"/dev/null"), Found::Other);
        assert_eq!(found(b"/a\0b"), Found::Other);
        assert!(!is_empty_directory(&path("")));
        let directory = found(&path(""));
        assert_eq!(possible(Act::Remove, directory, &path("")), Act::Look);
        assert_eq!(possible(Act::Write, directory, &path("")), Act::Look);
        for act in [Act::Write, Act::MakeDirectory] {
            assert_eq!(possible(act, Found::Nothing, &path("/none")), act);
            let below = possible(act, Found::Nothing, &path("/none/below"));
            assert_eq!(below, Act::Look);
        }
        fs::remove_file(dir.path().join("file")).unwrap();
        assert!(is_empty_directory(&path("")));
        assert_eq!(possible(Act::Remove, directory, &path("")), Act::Remove);
    }
}
