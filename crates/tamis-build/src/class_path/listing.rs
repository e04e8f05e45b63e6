//! All class files of a class path at one moment, so that thousands of questions cost one look.
//!
//! Directories are walked once (`walk.rs`), with a stamp of each file; archives have lists of their members. For a
//! class only the places that have its package are searched, as most packages lie in one place.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use tamis_facts::{Checksum, ClassName};

use super::ClassPath;
use super::root::{Root, RootContent};
use super::walk::{Directory, Seen, Walk, Walked};
use super::winner::{ClassCandidate, Search, Winner, path_of};
use crate::archive::{ArchiveIndex, without_variant_folder};
use crate::checksum::cut;
use crate::parallel;
use crate::path_text::path_text;
use crate::stamp::Stamp;

/// All class files of a class path, as they were when they were listed.
#[derive(Debug)]
pub struct ClassListing {
    since: SystemTime,
    /// In the order of the search.
    roots: Vec<ListedRoot>,
    /// Where packages lie, in the order of the search.
    packages: HashMap<Vec<u8>, Vec<Package>>,
    /// The positions of the roots that could not be read to their ends, ascending.
    doubtful: Vec<usize>,
}

/// What lies at a root.
#[derive(Debug)]
struct ListedRoot {
    content: Content,
    names: Names,
    /// What could not be read there, if anything.
    doubt: Option<String>,
}

#[derive(Debug)]
enum Content {
    Directory {
        path: PathBuf,
        place: Arc<str>,
    },
    Archive {
        archive: Arc<ArchiveIndex>,
        folder: Vec<u8>,
    },
    Nothing,
}

/// The classes of a package in a root.
#[derive(Debug)]
struct Package {
    /// The position of the root.
    root: usize,
    /// Those of a directory: the names of the files with their stamps, sorted.
    files: Vec<(Vec<u8>, Stamp)>,
}

/// The class files of a package in a directory.
#[derive(Debug)]
pub struct PackageFiles<'l> {
    directory: &'l Path,
    place: &'l Arc<str>,
    name: &'l [u8],
    files: &'l [(Vec<u8>, Stamp)],
}

/// The packages of a root, each once, with the files of a directory.
type Packages = Vec<(Vec<u8>, Vec<(Vec<u8>, Stamp)>)>;

/// The file of a class that has just one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundFile {
    /// The directory or the archive.
    pub place: Arc<str>,
    /// Where it lies in there.
    pub path: String,
    /// Its stamp, or that of the archive.
    pub stamp: Stamp,
}

/// The paths of class files, sorted, each behind its length.
#[derive(Debug, Default)]
pub(super) struct Names(Vec<u8>);

/// The class files of a root.
#[derive(Debug, Default)]
pub(super) struct Listed {
    pub(super) names: Names,
    pub(super) packages: Packages,
    /// What could not be read first.
    pub(super) doubt: Option<String>,
}

impl ClassPath {
    /// Looks at everything once.
    pub fn list(&self) -> ClassListing {
        let since = SystemTime::now();
        let walk = Walk::new(self.roots.len());
        let tasks = self.roots.iter().enumerate();
        let tasks = tasks.map(|(position, root)| Task::Root(position, root));
        let done = parallel::work_off(tasks.collect(), |task, more| {
            let mut found = |directory| more.push(Task::Directory(directory));
            match task {
                Task::Directory(directory) => Done::Directory(walk.look(&directory, found)),
                Task::Root(position, root) => match root.content(&self.archives) {
                    Ok(RootContent::Directory(path)) => {
                        let directory = walk.root(position, path);
                        let number = directory.number();
                        found(directory);
                        Done::Walk(position, path, number)
                    }
                    Ok(RootContent::Archive(archive, folder)) => {
                        Done::Root(position, list_archive(archive, folder))
                    }
                    Ok(RootContent::Nothing) => Done::Root(position, nothing(None)),
                    Err(place) => Done::Root(position, nothing(Some(place))),
                },
            }
        });
        ClassListing::new(since, together(done))
    }

    /// The names of all classes, sorted, each once; or a place that cannot be read. Variants for newer
    /// releases have the names of their files: another release of the JVM sees others.
    pub fn class_names(&self) -> Result<Vec<Vec<u8>>, String> {
        let listing = self.list();
        listing.check_readable()?;
        let paths = listing.roots.iter().flat_map(|root| root.names.iter());
        let mut names: Vec<_> = paths
            .map(|path| path[..path.len() - SUFFIX].to_vec())
            .collect();
        names.sort();
        names.dedup();
        Ok(names)
    }
}

/// The length of `.class`.
const SUFFIX: usize = 6;

/// A part of looking at everything.
enum Task<'p> {
    /// The root at a position.
    Root(usize, &'p Root),
    Directory(Directory),
}

/// What comes of it.
enum Done<'p> {
    /// The root at a position.
    Root(usize, (Content, Listed)),
    /// The root at a position is the directory at this path, of this number.
    Walk(usize, &'p Path, usize),
    Directory(Seen),
}

/// The roots, in the order of the search.
fn together(done: Vec<Done<'_>>) -> Vec<(Content, Listed)> {
    let (mut roots, mut walks, mut seen) = (BTreeMap::new(), Vec::new(), Vec::new());
    for done in done {
        match done {
            Done::Root(position, root) => drop(roots.insert(position, root)),
            Done::Walk(position, path, number) => walks.push((position, path, number)),
            Done::Directory(directory) => seen.push(directory),
        }
    }
    let mut walked = Walked::new(seen);
    for (position, path, number) in walks {
        let content = Content::Directory {
            path: path.to_path_buf(),
            place: path_text(path).into(),
        };
        roots.insert(position, (content, walked.below(number)));
    }
    roots.into_values().collect()
}

impl ClassListing {
    fn new(since: SystemTime, listed: Vec<(Content, Listed)>) -> Self {
        let mut listing = Self {
            since,
            roots: Vec::with_capacity(listed.len()),
            packages: HashMap::new(),
            doubtful: Vec::new(),
        };
        for (root, (content, listed)) in listed.into_iter().enumerate() {
            for (name, files) in listed.packages {
                let package = Package { root, files };
                listing.packages.entry(name).or_default().push(package);
            }
            if listed.doubt.is_some() {
                listing.doubtful.push(root);
            }
            listing.roots.push(ListedRoot {
                content,
                names: listed.names,
                doubt: listed.doubt,
            });
        }
        listing
    }

    /// When the listing was begun: everything was seen at that time or later.
    pub fn since(&self) -> SystemTime {
        self.since
    }

    /// The first class of this name.
    pub fn winner(&self, name: &ClassName) -> Winner {
        let Some(path) = path_of(name) else {
            let place = name.to_string();
            return Winner::Unknown { place };
        };
        let packages = self.packages.get(package_of(path.as_bytes()));
        let mut doubtful = self.doubtful.iter().peekable();
        let mut search = Search::default();
        for package in packages.into_iter().flatten() {
            // What could not be read hides what is behind it.
            if let Some(before) = doubtful.next_if(|doubtful| **doubtful < package.root) {
                return self.roots[*before].unknown();
            }
            let root = &self.roots[package.root];
            let candidates = match root.candidates(package, &path) {
                Ok(candidates) => candidates,
                Err(place) => return Winner::Unknown { place },
            };
            let is_missing = candidates.is_empty();
            if search.add(candidates) {
                return search.winner();
            }
            if let Some(_here) = doubtful.next_if(|doubtful| **doubtful == package.root)
                && is_missing
            {
                return root.unknown();
            }
        }
        match doubtful.next() {
            Some(behind) => self.roots[*behind].unknown(),
            None => search.winner(),
        }
    }

    /// The file of a class, in a hurry: found as [`ClassListing::winner`] finds it, but only where it is
    /// the one file of a plain place.
    pub fn file(&self, name: &ClassName) -> Option<FoundFile> {
        let path = path_of(name)?;
        let packages = self.packages.get(package_of(path.as_bytes()))?;
        for package in packages {
            if self
                .doubtful
                .first()
                .is_some_and(|doubt| *doubt <= package.root)
            {
                return None;
            }
            let (place, stamp) = match &self.roots[package.root].content {
                Content::Directory { place, .. } => (place, package.stamp(&path)),
                Content::Archive { archive, folder } if folder.is_empty() => {
                    let stamp = match archive.n_named(path.as_bytes()) {
                        _ if archive.is_multi_release().ok()? => return None,
                        0 => None,
                        1 => Some(archive.stamp()),
                        _ => return None,
                    };
                    (archive.location(), stamp)
                }
                Content::Archive { .. } | Content::Nothing => return None,
            };
            if let Some(stamp) = stamp {
                let place = Arc::clone(place);
                return Some(FoundFile { place, path, stamp });
            }
        }
        None
    }

    /// One checksum over the names of all classes, or a place that cannot be read.
    ///
    /// It is made of those of the places, whatever their order: which of them are jars and which are
    /// directories does not matter, nor do places without classes or with the same.
    pub fn names_checksum(&self) -> Result<Checksum, String> {
        self.check_readable()?;
        let roots = self.roots.iter().filter(|root| !root.names.0.is_empty());
        let mut checksums: Vec<[u8; 32]> = roots
            .map(|root| blake3::hash(&root.names.0).into())
            .collect();
        checksums.sort_unstable();
        checksums.dedup();
        Ok(cut(&blake3::hash(checksums.as_flattened())))
    }

    /// The class files in directories, package by package and in order; or a place that cannot be read. What lies in archives is left
    /// out.
    pub fn in_directories(&self) -> Result<Vec<PackageFiles<'_>>, String> {
        let no_archives = self.roots.iter();
        let mut no_archives =
            no_archives.filter(|root| !matches!(root.content, Content::Archive { .. }));
        if let Some(doubt) = no_archives.find_map(|root| root.doubt.as_ref()) {
            return Err(doubt.clone());
        }
        let all = self.packages.iter();
        let all = all.flat_map(|(name, packages)| packages.iter().map(move |one| (one, name)));
        let mut all: Vec<(&Package, &Vec<u8>)> = all.collect();
        all.sort_unstable_by_key(|(package, name)| (package.root, *name));
        let files = all.into_iter().filter_map(|(package, name)| {
            let Content::Directory { path, place } = &self.roots[package.root].content else {
                return None;
            };
            Some(PackageFiles {
                directory: path,
                place,
                name,
                files: &package.files,
            })
        });
        Ok(files.collect())
    }

    fn check_readable(&self) -> Result<(), String> {
        let mut doubts = self.roots.iter().filter_map(|root| root.doubt.clone());
        doubts.next().map_or(Ok(()), Err)
    }
}

/// A root without classes.
fn nothing(doubt: Option<String>) -> (Content, Listed) {
    let listed = Listed {
        doubt,
        ..Listed::default()
    };
    (Content::Nothing, listed)
}

fn list_archive(archive: Arc<ArchiveIndex>, folder: &[u8]) -> (Content, Listed) {
    let mut names = Names::default();
    let mut packages = HashSet::new();
    let mut last: Option<&[u8]> = None;
    let files = archive.class_files(folder);
    let is_known = archive.is_whole() && files.is_ok();
    for path in files.into_iter().flatten() {
        names.push(path);
        let package = package_of(without_variant_folder(path));
        if last != Some(package) {
            packages.insert(package);
            last = Some(package);
        }
    }
    let packages = packages.into_iter();
    let packages = packages.map(|package| (package.to_vec(), Vec::new()));
    let listed = Listed {
        names,
        packages: packages.collect(),
        doubt: (!is_known).then(|| archive.location().to_string()),
    };
    let folder = folder.to_vec();
    (Content::Archive { archive, folder }, listed)
}

impl ListedRoot {
    fn unknown(&self) -> Winner {
        let place = self.doubt.clone().unwrap_or_default();
        Winner::Unknown { place }
    }

    fn candidates(&self, package: &Package, path: &str) -> Result<Vec<ClassCandidate>, String> {
        match &self.content {
            Content::Directory {
                path: directory,
                place,
            } => {
                let stamp = package.stamp(path);
                let candidate = |stamp| ClassCandidate::in_directory(directory, place, path, stamp);
                Ok(stamp.map(candidate).into_iter().collect())
            }
            Content::Archive { archive, folder } => {
                ClassCandidate::in_archive(archive, folder, path)
            }
            Content::Nothing => Ok(Vec::new()),
        }
    }
}

impl PackageFiles<'_> {
    /// The directory.
    pub fn place(&self) -> &str {
        self.place
    }

    /// Its path in the directory, which is empty for that itself.
    pub fn path(&self) -> &[u8] {
        self.name
    }

    /// One stamp for all files: it changes when one of them does, or is there no more, or is new. The times are the latest of all.
    pub fn stamp(&self) -> Stamp {
        Stamp::together(self.files)
    }

    /// The files; those that nobody finds by a name, since their paths are no text, are left out.
    pub fn files(&self) -> impl Iterator<Item = ClassCandidate> {
        let path = |name: &[u8]| match self.name {
            [] => name.to_vec(),
            package => [package, b"/", name].concat(),
        };
        self.files.iter().filter_map(move |(name, stamp)| {
            let path = String::from_utf8(path(name)).ok()?;
            let (directory, place) = (self.directory, self.place);
            Some(ClassCandidate::in_directory(
                directory, place, &path, *stamp,
            ))
        })
    }
}

impl Package {
    /// The stamp of the file at a path in this package of a directory.
    fn stamp(&self, path: &str) -> Option<Stamp> {
        let name = &path.as_bytes()[package_of(path.as_bytes()).len()..];
        let name = name.strip_prefix(b"/").unwrap_or(name);
        let found = self.files.binary_search_by(|(file, _)| file[..].cmp(name));
        found.ok().map(|position| self.files[position].1)
    }
}

impl Names {
    pub(super) fn push(&mut self, path: &[u8]) {
        self.0.extend((path.len() as u32).to_le_bytes());
        self.0.extend_from_slice(path);
    }

    fn iter(&self) -> impl Iterator<Item = &[u8]> {
        let mut rest = &self.0[..];
        std::iter::from_fn(move || {
            let (length, behind) = rest.split_first_chunk()?;
            let (path, behind) = behind.split_at_checked(u32::from_le_bytes(*length) as usize)?;
            rest = behind;
            Some(path)
        })
    }
}

/// `a/b` of `a/b/C.class`.
fn package_of(path: &[u8]) -> &[u8] {
    let slash = path.iter().rposition(|byte| *byte == b'/');
    &path[..slash.unwrap_or(0)]
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;

    use rawzip::CompressionMethod;
    use tempfile::TempDir;

    use super::*;
    use crate::archive::zipping::zip;
    use crate::class_path::Launch;

    /// Files in a directory that goes away.
    struct World(TempDir);

    impl World {
        fn new(files: &[(&str, &[u8])]) -> Self {
            let world = Self(tempfile::tempdir().unwrap());
            for (path, bytes) in files {
                world.write(path, bytes);
            }
            world
        }

        fn path(&self, path: &str) -> PathBuf {
            self.0.path().join(path)
        }

        fn write(&self, path: &str, bytes: &[u8]) {
            let path = self.path(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, bytes).unwrap();
        }

        fn class_path(&self, class_path: &str) -> ClassPath {
            let launch = Launch {
                class_path: class_path.as_bytes(),
                directory: self.0.path(),
                arguments: &[],
            };
            ClassPath::expand(&launch, &Arc::default())
        }

        /// The bytes of all candidates, or what else the answer is.
        fn shown(&self, winner: Winner) -> String {
            let root = format!("{}/", self.0.path().display());
            match winner {
                Winner::Absent => "absent".to_owned(),
                Winner::Unknown { place } => format!("unknown {place}").replace(&root, ""),
                Winner::Found(class) => {
                    let read = |file: &ClassCandidate| match file.read() {
                        Ok(bytes) => String::from_utf8(bytes).unwrap(),
                        Err(error) => format!("({})", error.kind),
                    };
                    let bytes: Vec<_> = class.candidates().map(read).collect();
                    format!("{} at {}", bytes.join("+"), class.location()).replace(&root, "")
                }
            }
        }

        /// The winner, which is the same one by one, in a listing, and for places that were kept.
        fn check(&self, class_path: &str, name: &str, expected: &str) {
            let path = self.class_path(class_path);
            let kept = ClassPath::of_places(&path.places(), &Arc::default());
            let name = ClassName::from(name);
            for path in [&path, &kept] {
                assert_eq!(self.shown(path.winner(&name)), expected);
                assert_eq!(self.shown(path.list().winner(&name)), expected);
            }
            assert_eq!(path.class_names(), kept.class_names());
        }

        fn names(&self, class_path: &str) -> Result<Vec<String>, String> {
            let names = self.class_path(class_path).class_names()?;
            let text = |name| String::from_utf8(name).unwrap();
            Ok(names.into_iter().map(text).collect())
        }
    }

    fn jar(files: &[(&str, &[u8])]) -> Vec<u8> {
        zip(files, CompressionMethod::DEFLATE)
    }

    #[test]
    fn the_first_of_a_name_wins() {
        let world = World::new(&[
            ("one/a/B.class", b"1"),
            ("two.jar", &jar(&[("a/B.class", b"2"), ("a/C.class", b"2")])),
            ("three/a/C.class", b"3"),
        ]);
        let path = "missing:one:two.jar:three";
        world.check(path, "a/B", "1 at one/a/B.class");
        world.check(path, "a/C", "2 at two.jar!a/C.class");
        world.check("three:two.jar", "a/C", "3 at three/a/C.class");
        world.check(path, "a/D", "absent");
        world.check(path, "b/B", "absent");
        for name in ["", "../B", "a//B"] {
            world.check(path, name, &format!("unknown {name}"));
        }
        assert_eq!(world.names(path).unwrap(), ["a/B", "a/C"]);
    }

    #[test]
    fn names_that_are_no_text_are_unknown() {
        let world = World::new(&[("one/\u{fffd}.class", b"1")]);
        let name = ClassName::from(&b"\xed\xa0\xbd"[..]);
        let winner = world.class_path("one").list().winner(&name);
        assert_eq!(world.shown(winner), "unknown \u{fffd}");
        world.write("one/K\u{e4}se.class", b"2");
        world.check("one", "K\u{e4}se", "2 at one/K\u{e4}se.class");
    }

    #[test]
    fn what_comes_and_goes() {
        let world = World::new(&[("one/a/B.class", b"1"), ("two/a/B.class", b"2")]);
        let path = world.class_path("one:later:x.jar:two");
        let winner = |name: &str| world.shown(path.list().winner(&name.into()));
        fs::remove_file(world.path("one/a/B.class")).unwrap();
        assert_eq!(winner("a/B"), "2 at two/a/B.class");
        world.write("x.jar", &jar(&[("a/B.class", b"x")]));
        assert_eq!(winner("a/B"), "x at x.jar!a/B.class");
        world.write("later/a/B.class", b"3");
        assert_eq!(winner("a/B"), "3 at later/a/B.class");
        // A jar that is written anew while somebody asks is another jar.
        let listing = path.list();
        world.write("x.jar", &jar(&[("a/E.class", b"y")]));
        assert_eq!(winner("a/E"), "y at x.jar!a/E.class");
        assert_eq!(world.shown(listing.winner(&"a/E".into())), "absent");
    }

    #[test]
    fn a_jar_of_the_class_path_that_is_written_anew() {
        let world = World::new(&[("x.jar", &jar(&[("a/B.class", b"x")]))]);
        let path = world.class_path("x.jar");
        fs::remove_file(world.path("x.jar")).unwrap();
        world.write("x.jar", &jar(&[("a/B.class", b"y"), ("a/C.class", b"z")]));
        // What the JVM has open is gone, and cannot be taken for what is there now.
        let shown = world.shown(path.list().winner(&"a/B".into()));
        assert!(shown.starts_with("(the archive is damaged"), "{shown}");
        let kept = ClassPath::of_places(&path.places(), &Arc::default());
        let shown = world.shown(kept.list().winner(&"a/B".into()));
        assert_eq!(shown, "y at x.jar!a/B.class");
    }

    #[test]
    fn a_file_that_changed_since_it_was_found_is_not_read() {
        let world = World::new(&[("one/a/B.class", b"1")]);
        let listing = world.class_path("one").list();
        world.write("one/a/B.class", b"22");
        let shown = world.shown(listing.winner(&"a/B".into()));
        assert!(shown.starts_with("(it has changed"), "{shown}");
    }

    #[test]
    fn what_cannot_be_read_hides_what_is_behind_it() {
        let mut damaged = jar(&[("a/B.class", b"1"), ("a/C.class", b"1")]);
        let second = damaged
            .windows(4)
            .rposition(|w| w == b"PK\x01\x02")
            .unwrap();
        damaged[second] = 0;
        let world = World::new(&[("x.jar", &damaged), ("y/a/D.class", b"2")]);
        world.check("x.jar:y", "a/B", "1 at x.jar!a/B.class");
        world.check("x.jar:y", "a/D", "unknown x.jar");
        world.check("x.jar:y", "b/D", "unknown x.jar");
        world.check("y:x.jar", "a/D", "2 at y/a/D.class");
        let names = world.names("y:x.jar").unwrap_err();
        assert!(names.ends_with("x.jar"), "{names}");
    }

    #[test]
    fn arguments_that_cannot_be_read_hide_everything() {
        let world = World::new(&[("y/a/D.class", b"2")]);
        let arguments = [b"java".to_vec(), b"@gone".to_vec(), b"M".to_vec()];
        let launch = Launch {
            class_path: b"y",
            directory: world.0.path(),
            arguments: &arguments,
        };
        let path = ClassPath::expand(&launch, &Arc::default());
        let kept = ClassPath::of_places(&path.places(), &Arc::default());
        for path in [path, kept] {
            let shown = world.shown(path.list().winner(&"a/D".into()));
            assert_eq!(shown, "unknown gone");
        }
    }

    #[test]
    fn variants_for_newer_releases() {
        let multi = b"Manifest-Version: 1.0\r\nmulti-release: true\r\n";
        let files: [(&str, &[u8]); 5] = [
            ("META-INF/MANIFEST.MF", multi),
            ("META-INF/versions/9/a/B.class", b"9"),
            ("META-INF/versions/11/a/C.class", b"11"),
            ("a/B.class", b"8"),
            ("a/D.class", b"8"),
        ];
        let world = World::new(&[
            ("m.jar", &jar(&files)),
            ("single.jar", &jar(&files[1..])),
            ("y/a/C.class", b"y"),
        ]);
        world.check("m.jar:y", "a/B", "8+9 at m.jar!a/B.class");
        world.check("m.jar:y", "a/D", "8 at m.jar!a/D.class");
        // On release 8 the class comes from the place behind.
        let both = "11+y at m.jar!META-INF/versions/11/a/C.class";
        world.check("m.jar:y", "a/C", both);
        let alone = "11 at m.jar!META-INF/versions/11/a/C.class";
        world.check("m.jar", "a/C", alone);
        world.check("single.jar:y", "a/B", "8 at single.jar!a/B.class");
        world.check("single.jar:y", "a/C", "y at y/a/C.class");
        assert_eq!(world.names("single.jar").unwrap(), ["a/B", "a/D"]);
        let names = world.names("m.jar").unwrap();
        assert_eq!(
            names,
            [
                "META-INF/versions/11/a/C",
                "META-INF/versions/9/a/B",
                "a/B",
                "a/D"
            ]
        );
    }

    #[test]
    fn files_in_directories_are_listed_package_by_package() {
        let world = World::new(&[
            ("one/b/C.class", b"1"),
            ("one/B.class", b"22"),
            ("x.jar", &jar(&[("a/B.class", b"x")])),
            ("two/b/C.class", b"333"),
        ]);
        let listing = world.class_path("one:x.jar:two").list();
        let packages = listing.in_directories().unwrap();
        let files = packages.iter().flat_map(PackageFiles::files);
        let files = files.map(|file| (file.path().to_owned(), file.read().unwrap().len()));
        let files: Vec<(String, usize)> = files.collect();
        let expected = [("B.class", 2), ("b/C.class", 1), ("b/C.class", 3)];
        assert_eq!(files, expected.map(|(path, n)| (path.to_owned(), n)));
    }

    #[test]
    fn the_stamp_of_a_package_is_that_of_all_its_files() {
        let world = World::new(&[("one/b/C.class", b"1"), ("one/b/D.class", b"22")]);
        let stamp = || world.class_path("one").list().in_directories().unwrap()[0].stamp();
        let before = stamp();
        fs::write(world.path("one/b/E.class"), b"3").unwrap();
        assert_ne!(stamp(), before);
        fs::remove_file(world.path("one/b/E.class")).unwrap();
        assert_eq!(stamp(), before);
        fs::rename(world.path("one/b/D.class"), world.path("one/b/F.class")).unwrap();
        assert_ne!(stamp(), before);
        fs::write(world.path("one/b/C.class"), b"4444").unwrap();
        assert_eq!(stamp().size, 6);
    }

    #[test]
    fn links_are_followed_and_may_lead_back() {
        let world = World::new(&[("one/a/B.class", b"1"), ("else/c/D.class", b"4")]);
        symlink("..", world.path("one/a/loop")).unwrap();
        symlink("B.class", world.path("one/a/Link.class")).unwrap();
        symlink("nowhere", world.path("one/a/Gone.class")).unwrap();
        symlink(world.path("else/c"), world.path("one/c")).unwrap();
        world.check("one", "a/B", "1 at one/a/B.class");
        world.check("one", "a/Link", "1 at one/a/Link.class");
        world.check("one", "a/Gone", "absent");
        world.check("one", "c/D", "4 at one/c/D.class");
        assert_eq!(world.names("one").unwrap(), ["a/B", "a/Link", "c/D"]);
    }

    #[test]
    fn manifests_wildcards_and_applications_are_found_again() {
        let manifest = b"Class-Path: lib/a.jar\r\n";
        let library = jar(&[("a/B.class", b"1")]);
        let app = jar(&[
            ("WEB-INF/classes/c/D.class", b"2"),
            ("WEB-INF/lib/e.jar", &jar(&[("e/F.class", b"3")])),
        ]);
        let world = World::new(&[
            ("only.jar", &jar(&[("META-INF/MANIFEST.MF", manifest)])),
            ("lib/a.jar", &library),
            ("all/x.jar", &jar(&[("x/Y.class", b"4")])),
            ("app.war", &app),
        ]);
        let path = "only.jar:all/*:app.war";
        world.check(path, "a/B", "1 at lib/a.jar!a/B.class");
        world.check(path, "c/D", "2 at app.war!WEB-INF/classes/c/D.class");
        world.check(path, "e/F", "3 at app.war!WEB-INF/lib/e.jar!e/F.class");
        world.check(path, "x/Y", "4 at all/x.jar!x/Y.class");
        let path = world.class_path(path);
        fs::remove_file(world.path("only.jar")).unwrap();
        world.write("all/y.jar", &jar(&[("y/Z.class", b"5")]));
        let kept = ClassPath::of_places(&path.places(), &Arc::default());
        let shown = |name: &str| world.shown(kept.list().winner(&name.into()));
        assert_eq!(shown("a/B"), "1 at lib/a.jar!a/B.class");
        assert_eq!(shown("y/Z"), "5 at all/y.jar!y/Z.class");
    }
}
