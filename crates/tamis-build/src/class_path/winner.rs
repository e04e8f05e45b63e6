//! Which file a JVM would take a class from today: the first of its name on the class path.
//!
//! A multi-release jar may have several files for one class, and which of them counts depends on the
//! JVM. All of them are candidates then. A class that has variants for newer releases only may come from
//! a later place on an older JVM: the search goes on until a place has the class for every release.

use std::fs;
use std::io;
use std::path::Path;
use std::sync::Arc;
use std::time::SystemTime;

use tamis_facts::ClassName;

use super::{ClassPath, class_file_path};
use crate::archive::ArchiveIndex;
use crate::class_source::{ListedClass, Place};
use crate::path_text::path_text;
use crate::read_error::ReadError;
use crate::stamp::Stamp;

/// What a class path has under the name of a class.
#[derive(Debug)]
pub enum Winner {
    /// No such class.
    Absent,
    /// The class.
    Found(WinningClass),
    /// Something that would be searched before cannot be read, so nobody knows.
    Unknown {
        /// What cannot be read, for people.
        place: String,
    },
}

/// The file that a class is taken from; several where it depends on the JVM.
#[derive(Debug)]
pub struct WinningClass {
    first: ClassCandidate,
    others: Vec<ClassCandidate>,
}

/// A file that a class may be taken from.
#[derive(Debug)]
pub struct ClassCandidate {
    class: ListedClass,
    /// The directory or the archive.
    place: Arc<str>,
    stamp: Stamp,
    is_in_directory: bool,
    /// Whether it is for some releases of the JVM only.
    is_variant: bool,
}

impl WinningClass {
    /// The files; the one for every release, if there is one, is the first of its place.
    pub fn candidates(&self) -> impl Iterator<Item = &ClassCandidate> {
        std::iter::once(&self.first).chain(&self.others)
    }

    /// Whether it depends on the JVM which file counts.
    pub fn is_ambiguous(&self) -> bool {
        !self.others.is_empty()
    }

    /// The stamp of its file, or of the archive that it lies in, when it was found.
    pub fn stamp(&self) -> Stamp {
        self.first.stamp
    }

    /// Where it lies, for people.
    pub fn location(&self) -> String {
        self.first.location()
    }

    /// Whether it is a file of its own, as compilers write them.
    pub fn is_in_directory(&self) -> bool {
        self.first.is_in_directory
    }

    /// Whether its file, or the archive, was changed at that time or later.
    pub fn is_changed_since(&self, time: SystemTime) -> bool {
        self.candidates()
            .any(|candidate| candidate.stamp.is_changed_since(time))
    }

    /// Reads the class file; of several the first.
    pub fn read(&self) -> Result<Vec<u8>, ReadError> {
        self.first.read()
    }
}

impl ClassCandidate {
    /// The directory or the archive it lies in.
    pub fn place(&self) -> &str {
        &self.place
    }

    /// Where it lies in that place: `a/B.class`.
    pub fn path(&self) -> &str {
        self.class.path()
    }

    /// The stamp of the file, or of the archive, when it was found.
    pub fn stamp(&self) -> Stamp {
        self.stamp
    }

    /// Where it lies, for people.
    pub fn location(&self) -> String {
        self.class.location()
    }

    /// Reads the file, which must still be the one that was found.
    pub fn read(&self) -> Result<Vec<u8>, ReadError> {
        let entry = self.class.read()?;
        // Archives look by themselves whether they have changed. A time of change cannot be set back: a
        // file that is now as it was found was so while it was read.
        if let Some(path) = self.class.file() {
            let error = |cause: io::Error| ReadError::at_path(path, cause);
            let metadata = fs::metadata(path).map_err(error)?;
            if Stamp::of(&metadata) != self.stamp {
                let changed = io::Error::other("it has changed since it was found");
                return Err(error(changed));
            }
        }
        Ok(entry.bytes)
    }

    /// The file at `path` in a directory.
    pub(crate) fn in_directory(
        directory: &Path,
        place: &Arc<str>,
        path: &str,
        stamp: Stamp,
    ) -> Self {
        let file = Place::File(directory.join(path));
        Self {
            class: ListedClass::new(path.to_owned(), file),
            place: Arc::clone(place),
            stamp,
            is_in_directory: true,
            is_variant: false,
        }
    }

    /// The members of an archive that `path` in one of its folders may mean.
    pub(crate) fn in_archive(
        archive: &ArchiveIndex,
        folder: &[u8],
        path: &str,
    ) -> Result<Vec<Self>, String> {
        let mut variants = archive.variants(folder, path);
        if !variants.is_empty() {
            let is_multi_release = archive.is_multi_release();
            if !is_multi_release.map_err(|_| archive.location().to_string())? {
                variants.clear();
            }
        }
        let classes = archive.named_classes(folder, path).into_iter();
        let classes = classes.map(|class| (class, false));
        let classes = classes.chain(variants.into_iter().map(|class| (class, true)));
        let candidates = classes.map(|(class, is_variant)| Self {
            class,
            place: Arc::clone(archive.location()),
            stamp: archive.stamp(),
            is_in_directory: false,
            is_variant,
        });
        Ok(candidates.collect())
    }
}

/// The candidates that were found so far, place by place.
#[derive(Debug, Default)]
pub(crate) struct Search {
    found: Vec<ClassCandidate>,
}

impl Search {
    /// Adds what the next place has. Whether no later place can count any more.
    pub(crate) fn add(&mut self, candidates: Vec<ClassCandidate>) -> bool {
        let is_decided = candidates.iter().any(|candidate| !candidate.is_variant);
        self.found.extend(candidates);
        is_decided
    }

    pub(crate) fn winner(self) -> Winner {
        let mut found = self.found.into_iter();
        match found.next() {
            None => Winner::Absent,
            Some(first) => Winner::Found(WinningClass {
                first,
                others: found.collect(),
            }),
        }
    }
}

/// The path of a class's file. A name that cannot be the name of a file has none.
pub(crate) fn path_of(name: &ClassName) -> Option<String> {
    // Nearly all names are plain, and thousands are asked for.
    if let (true, Ok(text)) = (name.as_bytes().is_ascii(), str::from_utf8(name.as_bytes())) {
        return class_file_path(text);
    }
    let text = name.to_string();
    let is_exact = !text.contains(char::REPLACEMENT_CHARACTER);
    class_file_path(&text).filter(|_| is_exact)
}

impl ClassPath {
    /// The first class of this name: today's winner. Each place is looked into anew; for many questions
    /// there is [`ClassPath::list`].
    pub fn winner(&self, name: &ClassName) -> Winner {
        let Some(path) = path_of(name) else {
            let place = name.to_string();
            return Winner::Unknown { place };
        };
        let mut search = Search::default();
        for root in &self.roots {
            let candidates = match root.candidates(&path, &self.archives) {
                Ok(candidates) => candidates,
                Err(place) => return Winner::Unknown { place },
            };
            if search.add(candidates) {
                break;
            }
        }
        search.winner()
    }
}

/// The candidate at `path` in a directory, or the place that cannot be looked into.
pub(crate) fn look_into_directory(
    directory: &Path,
    path: &str,
) -> Result<Vec<ClassCandidate>, String> {
    let file = directory.join(path);
    match fs::metadata(&file) {
        Ok(metadata) if metadata.is_dir() => Ok(Vec::new()),
        Ok(metadata) => {
            let place = path_text(directory).into();
            let stamp = Stamp::of(&metadata);
            let candidate = ClassCandidate::in_directory(directory, &place, path, stamp);
            Ok(vec![candidate])
        }
        Err(error) if super::is_absence(&error) => Ok(Vec::new()),
        Err(_) => Err(path_text(&file)),
    }
}
