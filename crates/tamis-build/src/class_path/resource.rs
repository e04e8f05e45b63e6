//! What lies on a class path under one name, class or not: a class loader gives the first of them, or all, in the order
//! of the search.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use tamis_facts::Checksum;

use super::ClassPath;
use super::root::{Root, RootContent};
use crate::archive::ArchiveIndex;
use crate::checksum::cut;
use crate::module_files::ContentChecksums;
use crate::path_state::{PathState, content_checksum};

/// What was found of a name, as one checksum in the making.
#[derive(Default)]
struct Finds {
    hasher: blake3::Hasher,
    n_found: usize,
}

/// What a find is.
const FILE: u8 = 0;
const FOLDER: u8 = 1;
const OTHER: u8 = 2;
/// Of what was found last, those for newer releases count.
const VARIANTS: u8 = 3;

impl ClassPath {
    /// One checksum over everything of this name, in the order of the search, and nothing if there is no such thing; or the
    /// place that cannot be read.
    pub fn resource(
        &self,
        name: &[u8],
        contents: &dyn ContentChecksums,
    ) -> Result<Option<Checksum>, String> {
        let mut finds = Finds::default();
        for root in &self.roots {
            match root.content(&self.archives)? {
                RootContent::Directory(directory) => {
                    finds.look_into_directory(directory, name, contents)?;
                }
                RootContent::Archive(archive, _) if leads_elsewhere(&archive) => {}
                RootContent::Archive(archive, folder) => {
                    finds.look_into_archive(&archive, folder, name, contents)?;
                }
                RootContent::Nothing => {}
            }
        }
        Ok((finds.n_found > 0).then(|| cut(&finds.hasher.finalize())))
    }

    /// One checksum over all archives, in the order of the search; or one that cannot be read.
    pub fn archives_checksum(&self, contents: &dyn ContentChecksums) -> Result<Checksum, String> {
        let mut finds = Finds::default();
        for root in &self.roots {
            match root {
                Root::Archive { archive, .. } if leads_elsewhere(archive) => {}
                Root::Archive { path, .. } | Root::Nested { path, .. } | Root::Nothing(path) => {
                    finds.add_path(path, contents)?;
                }
                Root::Directory(_) => {}
                Root::Unreadable(place) => return Err(place.clone()),
            }
        }
        Ok(cut(&finds.hasher.finalize()))
    }
}

/// Whether an archive has nothing but a manifest: builds make such ones for a JVM, to hold its class path, and they are not
/// there later.
fn leads_elsewhere(archive: &ArchiveIndex) -> bool {
    let mut names = archive.names();
    archive.is_whole() && names.all(|name| MANIFEST_ONLY.contains(&name))
}

const MANIFEST_ONLY: [&[u8]; 2] = [b"META-INF/", b"META-INF/MANIFEST.MF"];

impl Finds {
    fn add(&mut self, what: u8, content: Option<Checksum>) {
        self.n_found += 1;
        self.hasher.update(&[what]);
        self.hasher
            .update(&content.map_or([0; 16], |content| content.0));
    }

    fn look_into_directory(
        &mut self,
        directory: &Path,
        name: &[u8],
        contents: &dyn ContentChecksums,
    ) -> Result<(), String> {
        let path = [directory.as_os_str().as_bytes(), b"/", name].concat();
        self.add_path(&PathBuf::from(OsStr::from_bytes(&path)), contents)
    }

    fn add_path(&mut self, path: &Path, contents: &dyn ContentChecksums) -> Result<(), String> {
        match PathState::of(path)? {
            PathState::Nothing => {}
            PathState::File { stamp, .. } => {
                let content = content_checksum(path, &stamp, contents)?;
                self.add(FILE, Some(content));
            }
            PathState::Directory { .. } => self.add(FOLDER, None),
            PathState::Other => self.add(OTHER, None),
        }
        Ok(())
    }

    /// A loader asks for a folder with its slash or without it.
    fn look_into_archive(
        &mut self,
        archive: &ArchiveIndex,
        folder: &[u8],
        name: &[u8],
        contents: &dyn ContentChecksums,
    ) -> Result<(), String> {
        if !archive.is_whole() {
            return Err(archive.location().to_string());
        }
        let n_found = self.n_found;
        let seen = SystemTime::now();
        let (place, stamp) = (archive.location(), archive.stamp());
        for path in archive.paths(folder, name) {
            let known = contents.known(place, &path, &stamp);
            let n_named = archive.n_named(&path);
            if let Some(known) = known.filter(|_| n_named == 1) {
                self.add(FILE, Some(known));
                continue;
            }
            for bytes in archive.contents(&path) {
                let bytes = bytes.map_err(|_| archive.location_of(&path))?;
                let content = cut(&blake3::hash(&bytes));
                if n_named == 1 {
                    contents.keep(place, &path, &stamp, seen, content);
                }
                self.add(FILE, Some(content));
            }
        }
        let unreadable = |_| archive.location().to_string();
        if self.n_found > n_found && archive.is_multi_release().map_err(unreadable)? {
            self.add(VARIANTS, None);
        }
        let inside = [folder, name, b"/"].concat();
        if !name.ends_with(b"/") && archive.has_folder(&inside) {
            self.add(FOLDER, None);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::sync::Arc;

    use rawzip::CompressionMethod;
    use tempfile::TempDir;

    use super::*;
    use crate::archive::zipping::zip;
    use crate::module_files::Nobody;
    use crate::path_text::path_text;

    fn write(root: &TempDir, path: &str, bytes: &[u8]) {
        let path = root.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }

    fn class_path(root: &TempDir, places: &[&str]) -> ClassPath {
        let places = places
            .iter()
            .map(|place| path_text(&root.path().join(place)));
        ClassPath::of_places(&places.collect::<Vec<_>>(), &Arc::default())
    }

    fn resource(root: &TempDir, places: &[&str], name: &str) -> Option<Checksum> {
        let path = class_path(root, places);
        path.resource(name.as_bytes(), &Nobody).unwrap()
    }

    fn jar(files: &[(&str, &[u8])]) -> Vec<u8> {
        zip(files, CompressionMethod::DEFLATE)
    }

    #[test]
    fn all_of_a_name_count_in_their_order() {
        let root = tempfile::tempdir().unwrap();
        write(&root, "one/a/x.txt", b"1");
        write(
            &root,
            "two.jar",
            &jar(&[("a/x.txt", b"2"), ("b/y.txt", b"3")]),
        );
        let both = resource(&root, &["one", "two.jar"], "a/x.txt");
        let turned = resource(&root, &["two.jar", "one"], "a/x.txt");
        let first = resource(&root, &["one"], "a/x.txt");
        assert!(both != turned && both != first && first.is_some());
        assert_eq!(resource(&root, &["missing", "one"], "a/x.txt"), first);
        assert_eq!(resource(&root, &["one", "two.jar"], "a/z.txt"), None);
        write(
            &root,
            "two.jar",
            &jar(&[("a/x.txt", b"4"), ("b/y.txt", b"3")]),
        );
        assert_ne!(resource(&root, &["one", "two.jar"], "a/x.txt"), both);
    }

    #[test]
    fn folders_are_found_in_archives_too() {
        let root = tempfile::tempdir().unwrap();
        write(&root, "one/a/x.txt", b"1");
        write(&root, "two.jar", &jar(&[("a/x.txt", b"2")]));
        let in_directory = resource(&root, &["one"], "a");
        assert!(in_directory.is_some());
        assert_eq!(resource(&root, &["two.jar"], "a"), in_directory);
        assert_eq!(resource(&root, &["two.jar"], "b"), None);
    }

    #[test]
    fn variants_for_newer_releases_count() {
        let root = tempfile::tempdir().unwrap();
        let value = |manifest: &[u8], newer: &[u8]| {
            let files = [
                ("META-INF/MANIFEST.MF", manifest),
                ("META-INF/versions/9/x.txt", newer),
                ("x.txt", b"8"),
            ];
            write(&root, "x.jar", &jar(&files));
            resource(&root, &["x.jar"], "x.txt")
        };
        let before = value(b"Multi-Release: true\n", b"9");
        assert_ne!(value(b"Multi-Release: true\n", b"10"), before);
        assert_ne!(value(b"Built-By: me\n", b"9"), before);
        assert_eq!(value(b"Multi-Release: true\nBuilt-By: me\n", b"9"), before);
    }

    #[test]
    fn any_change_of_an_archive_counts_for_all_archives() {
        let root = tempfile::tempdir().unwrap();
        let all = |root: &TempDir| {
            let path = class_path(root, &["one", "x.jar"]);
            path.archives_checksum(&Nobody).unwrap()
        };
        write(&root, "one/x.txt", b"1");
        write(&root, "x.jar", &jar(&[("a", b"1")]));
        let before = all(&root);
        write(&root, "one/x.txt", b"2");
        assert_eq!(all(&root), before);
        write(&root, "x.jar", &jar(&[("a", b"2")]));
        assert_ne!(all(&root), before);
    }
}
