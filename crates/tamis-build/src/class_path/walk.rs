//! The class files below directories of a class path, each with its stamp.
//!
//! To ask for the stamps of thousands of files takes longer than anything else, and most of them lie in one place. So
//! each directory is a task of its own, which any thread may take, and what they saw is put together afterwards.

use std::fs::{self, DirEntry, Metadata};
use std::io;
use std::os::unix::ffi::OsStringExt as _;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use super::is_absence;
use super::listing::Listed;
use crate::class_source::is_class_name;
use crate::path_text::path_text;
use crate::stamp::Stamp;

/// How many files and directories one place may have; the largest builds have a tenth of it.
const MAX_FILES: usize = 1 << 20;

/// How deep directories may lie inside each other; no package is so deep.
const MAX_DEPTH: usize = 128;

/// What all tasks of a listing share.
#[derive(Debug)]
pub(super) struct Walk {
    /// How many directories have a number.
    n_directories: AtomicUsize,
    /// How many files and directories each place has, so far.
    n_entries: Vec<AtomicUsize>,
}

/// A directory that is to be looked at.
#[derive(Debug)]
pub(super) struct Directory {
    number: usize,
    path: PathBuf,
    /// The position of the place that it lies in.
    place: usize,
    depth: usize,
}

/// What lies in a directory.
#[derive(Debug)]
pub(super) struct Seen {
    number: usize,
    /// Sorted by name. That of a directory has a slash behind, so that entries are sorted as the paths of what is in
    /// them.
    entries: Vec<(Vec<u8>, Entry)>,
    /// What could not be read, if anything.
    doubt: Option<String>,
}

#[derive(Debug)]
enum Entry {
    ClassFile(Stamp),
    /// A directory, by its number.
    Directory(usize),
}

/// All that was seen, by the numbers of directories.
#[derive(Debug)]
pub(super) struct Walked(Vec<Option<Seen>>);

impl Walk {
    /// Of so many places.
    pub(super) fn new(n_places: usize) -> Self {
        Self {
            n_directories: AtomicUsize::new(0),
            n_entries: (0..n_places).map(|_| AtomicUsize::new(0)).collect(),
        }
    }

    /// The directory that is the place of this position.
    pub(super) fn root(&self, place: usize, path: &Path) -> Directory {
        self.directory(place, path.to_path_buf(), 0)
    }

    fn directory(&self, place: usize, path: PathBuf, depth: usize) -> Directory {
        Directory {
            number: self.n_directories.fetch_add(1, Ordering::Relaxed),
            path,
            place,
            depth,
        }
    }

    /// Looks at a directory; `found` are those in it.
    pub(super) fn look(&self, directory: &Directory, mut found: impl FnMut(Directory)) -> Seen {
        let mut seen = Seen {
            number: directory.number,
            entries: Vec::new(),
            doubt: None,
        };
        if let Err(error) = self.entries(directory, &mut seen, &mut found)
            && !is_absence(&error)
        {
            seen.doubt_at(&directory.path);
            // Half of it is as good as nothing.
            seen.entries.clear();
        }
        seen.entries.sort_unstable_by(|(a, _), (b, _)| a.cmp(b));
        seen
    }

    fn entries(
        &self,
        directory: &Directory,
        seen: &mut Seen,
        found: &mut impl FnMut(Directory),
    ) -> io::Result<()> {
        for entry in fs::read_dir(&directory.path)? {
            let entry = entry?;
            let n_before = self.n_entries[directory.place].fetch_add(1, Ordering::Relaxed);
            if n_before >= MAX_FILES {
                seen.doubt_at(&directory.path);
                break;
            }
            let mut name = entry.file_name().into_vec();
            match look_at(&entry, &name, directory.depth) {
                Ok(Some(Kind::ClassFile(stamp))) => {
                    seen.entries.push((name, Entry::ClassFile(stamp)));
                }
                Ok(Some(Kind::Directory)) if directory.depth == MAX_DEPTH => {
                    seen.doubt_at(&directory.path);
                }
                Ok(Some(Kind::Directory)) => {
                    name.push(b'/');
                    let inner = self.directory(directory.place, entry.path(), directory.depth + 1);
                    seen.entries.push((name, Entry::Directory(inner.number)));
                    found(inner);
                }
                Ok(None) => {}
                Err(error) if is_absence(&error) => {}
                Err(_) => seen.doubt_at(&directory.path),
            }
        }
        Ok(())
    }
}

impl Seen {
    fn doubt_at(&mut self, path: &Path) {
        self.doubt.get_or_insert_with(|| path_text(path));
    }
}

impl Walked {
    /// All directories that were looked at.
    pub(super) fn new(seen: Vec<Seen>) -> Self {
        let n_numbers = seen.iter().map(|seen| seen.number + 1).max();
        let mut by_number: Vec<_> = (0..n_numbers.unwrap_or(0)).map(|_| None).collect();
        for seen in seen {
            let number = seen.number;
            by_number[number] = Some(seen);
        }
        Self(by_number)
    }

    /// What lies below a directory.
    pub(super) fn below(&mut self, directory: usize) -> Listed {
        let mut listed = Listed::default();
        self.add(directory, &mut Vec::new(), &mut listed);
        listed
    }

    /// `inside` is the path with a slash, or nothing. No deeper than directories were looked at.
    fn add(&mut self, directory: usize, inside: &mut Vec<u8>, listed: &mut Listed) {
        let Some(seen) = self.0.get_mut(directory).and_then(Option::take) else {
            return;
        };
        listed.doubt = listed.doubt.take().or(seen.doubt);
        let n_before = inside.len();
        let mut files = Vec::new();
        for (name, entry) in seen.entries {
            inside.extend(&name);
            match entry {
                Entry::ClassFile(stamp) => {
                    listed.names.push(inside);
                    files.push((name, stamp));
                }
                Entry::Directory(number) => self.add(number, inside, listed),
            }
            inside.truncate(n_before);
        }
        if !files.is_empty() {
            let package = inside.strip_suffix(b"/").unwrap_or(inside).to_vec();
            listed.packages.push((package, files));
        }
    }
}

impl Directory {
    /// The number by which it is found among what was seen.
    pub(super) fn number(&self) -> usize {
        self.number
    }
}

enum Kind {
    ClassFile(Stamp),
    Directory,
}

/// A class file or a directory. What a link leads to counts, wherever that is.
fn look_at(entry: &DirEntry, name: &[u8], depth: usize) -> io::Result<Option<Kind>> {
    let kind = entry.file_type()?;
    if kind.is_dir() {
        return Ok(Some(Kind::Directory));
    }
    let is_class = is_class_name(name);
    let metadata = if kind.is_symlink() {
        fs::metadata(entry.path())?
    } else if is_class {
        entry.metadata()?
    } else {
        return Ok(None);
    };
    if metadata.is_dir() {
        let is_walked = leads_back(&entry.path(), &metadata, depth);
        return Ok((!is_walked).then_some(Kind::Directory));
    }
    Ok(is_class.then(|| Kind::ClassFile(Stamp::of(&metadata))))
}

/// Whether a link leads to a directory around it. No class can have the names that lie behind.
fn leads_back(link: &Path, target: &Metadata, depth: usize) -> bool {
    let target = Stamp::of(target).identity();
    let around = link.ancestors().skip(1).take(depth + 1);
    around
        .filter_map(|path| fs::metadata(path).ok())
        .any(|metadata| Stamp::of(&metadata).identity() == target)
}
