//! Finds the files that a JVM loaded its classes from, by their names, origins and bytes.

use std::ffi::OsStr;
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};
use std::path::Path;
use std::sync::Arc;

use tamis_build::{Archives, ClassPath, FileMatch, Launch};
use tamis_facts::{ClassName, MethodId};
use tamis_wire::{ContentHash, Hello};

use crate::class_shape::ClassShape;

/// A method that has code, and whether it ran.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RanMethod {
    /// Which method of the class.
    pub method: MethodId,
    /// Whether it ran.
    pub ran: bool,
}

/// The class files that a JVM may load.
#[derive(Debug)]
pub(crate) struct ClassFiles(ClassPath);

impl ClassFiles {
    /// To be called before the hello is answered: what a JVM has on its class path may be deleted
    /// later.
    pub(crate) fn of_jvm(hello: &Hello, archives: &Arc<Archives>) -> Self {
        let launch = Launch {
            class_path: &hello.class_path,
            directory: Path::new(OsStr::from_bytes(&hello.directory)),
            arguments: &hello.arguments,
        };
        Self(ClassPath::expand(&launch, archives))
    }

    /// All places that are searched.
    pub(crate) fn class_path(&self) -> &ClassPath {
        &self.0
    }

    /// The directories that are searched, as bytes.
    pub(crate) fn directories(&self) -> Vec<Vec<u8>> {
        let paths = self.0.root_paths().directories.into_iter();
        paths.map(|path| path.into_os_string().into_vec()).collect()
    }

    /// The file of a class, and what stands in it where it was found.
    ///
    /// Of a class whose bytes the agent never saw, a file of its name may or may not be the right
    /// one.
    pub(crate) fn find(
        &self,
        name: &ClassName,
        origin: &[u8],
        hash: Option<ContentHash>,
        n_units: u32,
    ) -> (FileMatch, Option<ClassShape>) {
        let mut shape = None;
        let file = self.0.find(&name.to_string(), origin, |bytes| {
            let is_loaded = Some(ContentHash::of(bytes)) == hash;
            if is_loaded {
                shape = Some(ClassShape::with_units(bytes, n_units));
            }
            is_loaded
        });
        let file = match file {
            FileMatch::OtherBytes { location } if hash.is_none() => {
                FileMatch::Unknown { place: location }
            }
            file => file,
        };
        (file, shape)
    }
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
        let hello = Hello {
            directory: dir.path().as_os_str().as_bytes().to_vec(),
            class_path: b"one:missing:two".to_vec(),
            ..Hello::default()
        };
        let files = ClassFiles::of_jvm(&hello, &Arc::default());
        let location = |path: &str| dir.path().join(path).display().to_string();
        let find = |name: &str, hash| files.find(&ClassName::from(name), b"", hash, 0).0;
        let hash = |text: &[u8]| Some(ContentHash::of(text));
        let [one, two] = ["one/a/B.class", "two/a/B.class"].map(location);
        assert_eq!(find("a/B", hash(b"2")), FileMatch::Found { location: two });
        let location = one.clone();
        assert_eq!(find("a/B", hash(b"3")), FileMatch::OtherBytes { location });
        assert_eq!(find("a/C", hash(b"1")), FileMatch::Generated);
        assert_eq!(find("a/B", None), FileMatch::Unknown { place: one });
        assert_eq!(find("a/C", None), FileMatch::Generated);
    }
}
