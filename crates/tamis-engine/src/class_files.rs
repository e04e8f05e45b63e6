//! Finds the file that a JVM loaded a class from, by its name on the class path and its bytes.

use std::collections::BTreeMap;
use std::env;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

use tamis_build::{ClassSource, ListedClass};
use tamis_classfile::probe::EntryPlan;
use tamis_facts::MethodId;
use tamis_wire::{ContentHash, Hello};

/// What the files of a class path say of a class that was loaded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FileMatch {
    /// A file has these bytes.
    Found {
        /// Where it lies, for people.
        location: String,
    },
    /// Files of this name have other bytes.
    OtherBytes {
        /// Where the first of them lies.
        location: String,
    },
    /// No file has this name: the class was made at run time, or came from elsewhere.
    NoFile,
}

/// A method that has code, and whether it ran.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RanMethod {
    /// Which method of the class.
    pub method: MethodId,
    /// Whether it ran.
    pub ran: bool,
}

/// The class files on the class path of a JVM.
pub(crate) struct ClassFiles {
    sources: Vec<ClassSource>,
    /// Positions of sources and of classes in them, by path inside the source; first on the class path
    /// first.
    by_path: BTreeMap<String, Vec<(usize, usize)>>,
}

const VARIANTS: &str = "META-INF/versions/";

impl ClassFiles {
    /// Entries that cannot be read have no classes, for the JVM either.
    pub(crate) fn of_jvm(hello: &Hello) -> Self {
        let directory = Path::new(OsStr::from_bytes(&hello.directory));
        let entries = env::split_paths(OsStr::from_bytes(&hello.class_path));
        // Without the dots that a class path may have in it.
        let paths = entries.map(|entry| directory.join(entry).components().collect());
        let sources = paths.filter_map(|path: PathBuf| ClassSource::open(&path).ok());
        let sources: Vec<ClassSource> = sources.collect();
        let mut by_path: BTreeMap<String, Vec<(usize, usize)>> = BTreeMap::new();
        for (source, classes) in sources.iter().map(ClassSource::classes).enumerate() {
            for (class, listed) in classes.iter().enumerate() {
                let path = without_variant(listed.path()).to_owned();
                by_path.entry(path).or_default().push((source, class));
            }
        }
        Self { sources, by_path }
    }

    /// The file of a class, and its methods in the order of their units where it was found.
    pub(crate) fn find(&self, name: &str, hash: Option<ContentHash>) -> (FileMatch, Vec<MethodId>) {
        let candidates = self.candidates(name);
        for candidate in &candidates {
            let Ok(entry) = candidate.read() else {
                continue;
            };
            if Some(ContentHash::of(&entry.bytes)) == hash {
                let location = entry.location;
                return (FileMatch::Found { location }, methods(&entry.bytes));
            }
        }
        let file = match candidates.first() {
            None => FileMatch::NoFile,
            Some(first) => FileMatch::OtherBytes {
                location: first.location(),
            },
        };
        (file, Vec::new())
    }

    fn candidates(&self, name: &str) -> Vec<&ListedClass> {
        let places = self.by_path.get(&format!("{name}.class"));
        let places = places.map_or(&[][..], Vec::as_slice).iter();
        places
            .map(|(source, class)| &self.sources[*source].classes()[*class])
            .collect()
    }
}

/// The path that a variant for newer releases in a multi-release jar stands for.
fn without_variant(path: &str) -> &str {
    let variant = path
        .strip_prefix(VARIANTS)
        .and_then(|rest| rest.split_once('/'));
    variant.map_or(path, |(_, path)| path)
}

/// A class that cannot be scanned has no units either.
fn methods(bytes: &[u8]) -> Vec<MethodId> {
    let plan = EntryPlan::scan(bytes);
    plan.map(|plan| plan.methods().collect())
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn a_class_is_matched_by_name_and_bytes() {
        let dir = tempfile::tempdir().unwrap();
        for (path, text) in [("one/a/B.class", "1"), ("two/a/B.class", "2")] {
            let file = dir.path().join(path);
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(file, text).unwrap();
        }
        let files = ClassFiles::of_jvm(&Hello {
            directory: dir.path().as_os_str().as_bytes().to_vec(),
            class_path: b"one:missing:two".to_vec(),
            ..Hello::default()
        });
        let location = |path: &str| dir.path().join(path).display().to_string();
        let find = |name: &str, text: &[u8]| files.find(name, Some(ContentHash::of(text))).0;
        let two = location("two/a/B.class");
        assert_eq!(find("a/B", b"2"), FileMatch::Found { location: two });
        let one = location("one/a/B.class");
        assert_eq!(find("a/B", b"3"), FileMatch::OtherBytes { location: one });
        assert_eq!(find("a/C", b"1"), FileMatch::NoFile);
    }

    #[test]
    fn variants_stand_for_their_class() {
        assert_eq!(
            without_variant("META-INF/versions/9/a/B.class"),
            "a/B.class"
        );
        assert_eq!(without_variant("a/B.class"), "a/B.class");
    }
}
