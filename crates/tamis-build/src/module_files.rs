//! The files of a module that a test might read, as one checksum: the coarsest fact about files.
//!
//! All files below the module's directory count, with their paths, kinds and contents, and so do the
//! directories that they lie in. Compilers' sources do not: what they become are classes, which have facts
//! of their own. Nor does what a build writes, but for the resources that it copies beside the classes.

use std::collections::HashSet;
use std::fs::{self, DirEntry, File, FileType, Metadata};
use std::io::{self, Read as _};
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::{FileTypeExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use globset::GlobSet;
use tamis_facts::Checksum;

use crate::checksum::cut;
use crate::class_path::is_absence;
use crate::class_source::is_class_name;
use crate::path_text::path_text;
use crate::stamp::Stamp;

/// How many files and directories are looked at; links may lead anywhere.
const MAX_FILES: usize = 1 << 20;

/// How deep directories may lie inside each other.
const MAX_DEPTH: usize = 256;

/// What compilers read and tests do not, in directories of sources.
const SOURCES: &[&str] = &["java", "kt", "scala", "groovy"];

/// Directories that no test reads, right in the module's.
const OURS_AND_GITS: &[&str] = &[".git", ".tamis"];

/// Which files count for the tests of a module. Paths are absolute.
#[derive(Debug, Clone, Default)]
pub struct FileScope {
    /// The directory of the module.
    pub base: PathBuf,
    /// Where builds write, of this module and of those inside it. Nothing there counts.
    pub build_directories: Vec<PathBuf>,
    /// Where compilers read. Their sources do not count, other files do.
    pub source_directories: Vec<PathBuf>,
    /// Where compilers write. Everything but class files counts, in build directories too.
    pub class_directories: Vec<PathBuf>,
    /// Paths below `base` that do not count.
    pub ignored: GlobSet,
}

/// Contents that are known by the stamps of their files.
pub trait ContentChecksums {
    /// The checksum of the file at `path` in `place`, if it is known for this stamp.
    fn known(&self, place: &str, path: &[u8], stamp: &Stamp) -> Option<Checksum>;

    /// Keeps the checksum of a file that had this stamp at the time `seen` or later.
    fn keep(&self, place: &str, path: &[u8], stamp: &Stamp, seen: SystemTime, checksum: Checksum);
}

/// Knows nothing and keeps nothing, for tests.
#[cfg(test)]
pub(crate) struct Nobody;

#[cfg(test)]
impl ContentChecksums for Nobody {
    fn known(&self, _: &str, _: &[u8], _: &Stamp) -> Option<Checksum> {
        None
    }

    fn keep(&self, _: &str, _: &[u8], _: &Stamp, _: SystemTime, _: Checksum) {}
}

/// What counts in a directory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Counting {
    Everything,
    /// All files but sources.
    WithoutSources,
    /// All files but classes.
    WithoutClasses,
}

impl FileScope {
    /// One checksum over all that counts, or a place that cannot be read.
    pub fn checksum(&self, contents: &dyn ContentChecksums) -> Result<Checksum, String> {
        let base = normal_path(&self.base);
        let mut walk = Walk {
            scope: self,
            base: base.clone(),
            contents,
            seen: SystemTime::now(),
            skipped: normal(self.build_directories.iter().chain(&self.class_directories)),
            sources: normal(&self.source_directories),
            around: self.base.ancestors().filter_map(identity).collect(),
            linked: HashSet::new(),
            n_entries: 0,
            hasher: blake3::Hasher::new(),
        };
        let counting = walk.counting_in(&base, Counting::Everything);
        walk.area(&base, counting)?;
        for directory in &self.class_directories {
            walk.area(&normal_path(directory), Counting::WithoutClasses)?;
        }
        Ok(walk.finish())
    }
}

/// A directory that is walked: its path, and the part of it that stands in the checksum.
#[derive(Debug)]
struct Area {
    root: PathBuf,
    /// The text of the root.
    place: String,
    /// The path inside the root that is being looked at.
    inside: Vec<u8>,
    /// The directories around it, by identity.
    around: Vec<(u64, u64)>,
}

struct Walk<'w> {
    scope: &'w FileScope,
    base: PathBuf,
    contents: &'w dyn ContentChecksums,
    /// When it was begun.
    seen: SystemTime,
    /// Directories that are not entered from the module's.
    skipped: HashSet<PathBuf>,
    sources: HashSet<PathBuf>,
    /// The module's directory and those around it, by identity.
    around: HashSet<(u64, u64)>,
    /// Directories that a link led to, by identity: once is enough.
    linked: HashSet<((u64, u64), Counting)>,
    n_entries: usize,
    hasher: blake3::Hasher,
}

impl Walk<'_> {
    fn area(&mut self, root: &Path, counting: Counting) -> Result<(), String> {
        let mut area = Area {
            root: root.to_path_buf(),
            place: path_text(root),
            inside: Vec::new(),
            around: Vec::new(),
        };
        match fs::metadata(root) {
            Ok(metadata) if metadata.is_dir() => {
                self.put(b'A', b"");
                self.directory(&mut area, root, &metadata, counting)
            }
            // A module without tests or without classes.
            Err(error) if is_absence(&error) => {
                self.put(b'-', b"");
                Ok(())
            }
            Ok(_) | Err(_) => Err(path_text(root)),
        }
    }

    /// What lies in a directory, sorted, so that the checksum depends on that alone.
    fn directory(
        &mut self,
        area: &mut Area,
        path: &Path,
        metadata: &Metadata,
        counting: Counting,
    ) -> Result<(), String> {
        if area.around.len() == MAX_DEPTH {
            return Err(path_text(path));
        }
        area.around.push(Stamp::of(metadata).identity());
        for entry in sorted_entries(path).map_err(|_| path_text(path))? {
            self.n_entries += 1;
            if self.n_entries > MAX_FILES {
                return Err(path_text(path));
            }
            let n_before = area.inside.len();
            if n_before > 0 {
                area.inside.push(b'/');
            }
            area.inside.extend(entry.file_name().as_bytes());
            self.entry(area, &entry, counting)?;
            area.inside.truncate(n_before);
        }
        area.around.pop();
        Ok(())
    }

    fn entry(
        &mut self,
        area: &mut Area,
        entry: &DirEntry,
        counting: Counting,
    ) -> Result<(), String> {
        let path = entry.path();
        let unreadable = |_| path_text(&path);
        let kind = entry.file_type().map_err(unreadable)?;
        if self.is_left_out(area, &path, kind, counting) {
            return Ok(());
        }
        let metadata = entry.metadata().map_err(unreadable)?;
        if !kind.is_symlink() {
            return self.thing(area, &path, &metadata, counting);
        }
        let target = fs::read_link(&path).map_err(unreadable)?;
        self.put(b'l', &area.inside);
        self.put_bytes(target.as_os_str().as_bytes());
        match fs::metadata(&path) {
            Ok(metadata) if self.is_walked(area, &metadata, counting) => Ok(()),
            Ok(metadata) => self.thing(area, &path, &metadata, counting),
            Err(error) if is_absence(&error) => Ok(()),
            Err(_) => Err(path_text(&path)),
        }
    }

    /// A file, a directory, or something that is never opened.
    fn thing(
        &mut self,
        area: &mut Area,
        path: &Path,
        metadata: &Metadata,
        counting: Counting,
    ) -> Result<(), String> {
        if metadata.is_dir() {
            let counting = self.counting_in(path, counting);
            // A package is made and dropped with its classes.
            if counting == Counting::Everything {
                self.put(b'd', &area.inside);
            }
            return self.directory(area, path, metadata, counting);
        }
        if !metadata.is_file() {
            self.put(kind_letter(metadata.file_type()), &area.inside);
            return Ok(());
        }
        let is_executable = metadata.permissions().mode() & 0o100 != 0;
        let checksum = if is_manifest(area, counting) {
            read_manifest(path, &Stamp::of(metadata)).map_err(|_| path_text(path))?
        } else {
            self.content(area, path, metadata)?
        };
        self.put(if is_executable { b'x' } else { b'f' }, &area.inside);
        self.hasher.update(&checksum.0);
        Ok(())
    }

    /// What counts in a directory, given what counts around it.
    fn counting_in(&self, directory: &Path, around: Counting) -> Counting {
        match around {
            Counting::Everything if self.sources.contains(directory) => Counting::WithoutSources,
            _ => around,
        }
    }

    fn content(&self, area: &Area, path: &Path, metadata: &Metadata) -> Result<Checksum, String> {
        let stamp = Stamp::of(metadata);
        let (place, inside) = (&area.place, &area.inside);
        if let Some(known) = self.contents.known(place, inside, &stamp) {
            return Ok(known);
        }
        let checksum = read(path, &stamp).map_err(|_| path_text(path))?;
        let seen = self.seen;
        self.contents.keep(place, inside, &stamp, seen, checksum);
        Ok(checksum)
    }

    fn is_left_out(&self, area: &Area, path: &Path, kind: FileType, counting: Counting) -> bool {
        let is_in_base = area.root == self.base;
        if is_in_base && self.is_no_file_of_module(area, path) || self.is_ignored(path) {
            return true;
        }
        if kind.is_dir() {
            return false;
        }
        match counting {
            Counting::Everything => false,
            Counting::WithoutSources => {
                let extension = path.extension().and_then(|extension| extension.to_str());
                extension.is_some_and(|extension| SOURCES.contains(&extension))
            }
            Counting::WithoutClasses => is_class_name(&area.inside),
        }
    }

    /// Whether it lies in the module's directory and is none of its files.
    fn is_no_file_of_module(&self, area: &Area, path: &Path) -> bool {
        let is_top = area.around.len() == 1;
        self.skipped.contains(path)
            || is_top && OURS_AND_GITS.iter().any(|name| path.ends_with(name))
    }

    /// Whether the user says that no test depends on it, wherever in the module's directory it lies.
    fn is_ignored(&self, path: &Path) -> bool {
        let ignored = &self.scope.ignored;
        !ignored.is_empty()
            && path
                .strip_prefix(&self.base)
                .is_ok_and(|inside| ignored.is_match(inside))
    }

    /// Whether what a link leads to is walked already, or will never end.
    fn is_walked(&mut self, area: &Area, target: &Metadata, counting: Counting) -> bool {
        if !target.is_dir() {
            return false;
        }
        let identity = Stamp::of(target).identity();
        area.around.contains(&identity)
            || self.around.contains(&identity)
            || !self.linked.insert((identity, counting))
    }

    /// Begins an entry. Lengths keep entries from running together.
    fn put(&mut self, kind: u8, path: &[u8]) {
        self.hasher.update(&[kind]);
        self.put_bytes(path);
    }

    fn put_bytes(&mut self, bytes: &[u8]) {
        self.hasher.update(&(bytes.len() as u64).to_le_bytes());
        self.hasher.update(bytes);
    }

    fn finish(self) -> Checksum {
        cut(&self.hasher.finalize())
    }
}

fn sorted_entries(directory: &Path) -> io::Result<Vec<DirEntry>> {
    let mut entries = fs::read_dir(directory)?.collect::<io::Result<Vec<_>>>()?;
    entries.sort_by_cached_key(DirEntry::file_name);
    Ok(entries)
}

/// The checksum of a file's bytes, which must be the ones that were there when the stamp was taken.
pub(crate) fn read(path: &Path, stamp: &Stamp) -> io::Result<Checksum> {
    let mut file = File::open(path)?;
    let mut hasher = blake3::Hasher::new();
    hasher.update_reader(&mut file)?;
    if Stamp::of(&file.metadata()?) != *stamp {
        return Err(io::Error::other("it has changed while it was read"));
    }
    Ok(cut(&hasher.finalize()))
}

/// Whether it is the manifest of what a build makes.
fn is_manifest(area: &Area, counting: Counting) -> bool {
    counting == Counting::WithoutClasses && area.inside == b"META-INF/MANIFEST.MF"
}

/// The checksum of a manifest, without the time at which bnd wrote it: that is another one in each build, and the clock
/// is nothing that a test may rely on.
pub(crate) fn read_manifest(path: &Path, stamp: &Stamp) -> io::Result<Checksum> {
    const WRITTEN: &[u8] = b"Bnd-LastModified:";
    let mut file = File::open(path)?;
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes)?;
    if Stamp::of(&file.metadata()?) != *stamp {
        return Err(io::Error::other("it has changed while it was read"));
    }
    let mut hasher = blake3::Hasher::new();
    for line in bytes.split_inclusive(|byte| *byte == b'\n') {
        if !line.starts_with(WRITTEN) {
            hasher.update(line);
        }
    }
    Ok(cut(&hasher.finalize()))
}

/// Pipes, sockets and devices: reading them may never end, and may do something.
fn kind_letter(kind: FileType) -> u8 {
    if kind.is_fifo() {
        b'p'
    } else if kind.is_socket() {
        b's'
    } else {
        b'o'
    }
}

fn identity(path: &Path) -> Option<(u64, u64)> {
    let metadata = fs::metadata(path).ok()?;
    Some(Stamp::of(&metadata).identity())
}

fn normal<'p>(paths: impl IntoIterator<Item = &'p PathBuf>) -> HashSet<PathBuf> {
    paths.into_iter().map(|path| normal_path(path)).collect()
}

/// Without dots and slashes that mean nothing.
fn normal_path(path: &Path) -> PathBuf {
    path.components().collect()
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;
    use std::collections::HashMap;
    use std::os::unix::fs::symlink;
    use std::process::Command;

    use globset::{Glob, GlobSetBuilder};
    use tempfile::TempDir;

    use super::*;

    /// A place and a path in it.
    type Key = (String, Vec<u8>);

    /// Remembers all contents, and how many had to be read.
    #[derive(Default)]
    struct Contents {
        known: RefCell<HashMap<Key, (Stamp, Checksum)>>,
        n_read: RefCell<usize>,
    }

    impl ContentChecksums for Contents {
        fn known(&self, place: &str, path: &[u8], stamp: &Stamp) -> Option<Checksum> {
            let known = self.known.borrow();
            let (known, checksum) = known.get(&(place.to_owned(), path.to_vec()))?;
            (known == stamp).then_some(*checksum)
        }

        fn keep(
            &self,
            place: &str,
            path: &[u8],
            stamp: &Stamp,
            _seen: SystemTime,
            checksum: Checksum,
        ) {
            *self.n_read.borrow_mut() += 1;
            let key = (place.to_owned(), path.to_vec());
            self.known.borrow_mut().insert(key, (*stamp, checksum));
        }
    }

    /// A module in a directory that goes away.
    struct Module {
        root: TempDir,
        scope: FileScope,
        contents: Contents,
    }

    impl Module {
        fn new() -> Self {
            let root = tempfile::tempdir().unwrap();
            let path = |path: &str| root.path().join("m").join(path);
            let scope = FileScope {
                base: path(""),
                build_directories: vec![path("target")],
                source_directories: vec![path("src/main/java"), path("src/test/./java")],
                class_directories: vec![path("target/classes"), path("target/test-classes")],
                ignored: GlobSet::empty(),
            };
            let module = Self {
                root,
                scope,
                contents: Contents::default(),
            };
            module.write("pom.xml", "<project/>");
            module.write("src/main/java/a/B.java", "class B {}");
            module.write("src/test/resources/data.txt", "data");
            module.write("target/classes/a/B.class", "class");
            module
        }

        fn path(&self, path: &str) -> PathBuf {
            self.scope.base.join(path)
        }

        fn write(&self, path: &str, text: &str) {
            let path = self.path(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }

        fn checksum(&self) -> Checksum {
            self.scope.checksum(&self.contents).unwrap()
        }

        /// Whether what is done changes the checksum; from then on it is the new one.
        fn is_changed_by(&self, change: impl FnOnce()) -> bool {
            let before = self.checksum();
            change();
            let after = self.checksum();
            assert_eq!(after, self.scope.checksum(&Contents::default()).unwrap());
            before != after
        }
    }

    #[test]
    fn what_tests_may_read_counts() {
        let module = Module::new();
        for path in [
            "src/test/resources/data.txt",
            "src/test/resources/new.txt",
            "src/test/resources/Sample.java",
            "src/main/java/a/messages.properties",
            "build.gradle.kts",
            "target/classes/messages.properties",
            "target/test-classes/a/data.bin",
            "sub/.git/config",
        ] {
            assert!(module.is_changed_by(|| module.write(path, "new")), "{path}");
            let remove = || fs::remove_file(module.path(path)).unwrap();
            assert!(module.is_changed_by(remove), "{path}");
        }
        let make = || fs::create_dir(module.path("empty")).unwrap();
        assert!(module.is_changed_by(make));
    }

    #[test]
    fn sources_classes_and_what_builds_write_do_not() {
        let module = Module::new();
        for path in [
            "src/main/java/a/B.java",
            "src/main/java/a/b/c/D.kt",
            "src/test/java/a/BTest.java",
            "target/classes/a/B.class",
            "target/classes/b/C.class",
            "target/surefire-reports/a.txt",
            ".git/index",
            ".tamis/store.sqlite",
        ] {
            assert!(
                !module.is_changed_by(|| module.write(path, "new")),
                "{path}"
            );
        }
    }

    #[test]
    fn what_is_ignored_does_not_count() {
        let mut module = Module::new();
        let mut ignored = GlobSetBuilder::new();
        ignored.add(Glob::new("logs/**").unwrap());
        ignored.add(Glob::new("*.log").unwrap());
        module.scope.ignored = ignored.build().unwrap();
        module.write("logs/first", "x");
        assert!(!module.is_changed_by(|| module.write("logs/a/b", "x")));
        assert!(!module.is_changed_by(|| module.write("derby.log", "x")));
        assert!(module.is_changed_by(|| module.write("derby.txt", "x")));
    }

    #[test]
    fn what_is_ignored_beside_classes_does_not_count() {
        let mut module = Module::new();
        let mut ignored = GlobSetBuilder::new();
        ignored.add(Glob::new("target/classes/build.properties").unwrap());
        module.scope.ignored = ignored.build().unwrap();
        let properties = |folder: &str| format!("target/{folder}/build.properties");
        assert!(!module.is_changed_by(|| module.write(&properties("classes"), "x")));
        assert!(module.is_changed_by(|| module.write(&properties("test-classes"), "x")));
    }

    #[test]
    fn when_a_manifest_was_written_does_not_count() {
        let module = Module::new();
        let path = "target/classes/META-INF/MANIFEST.MF";
        let manifest = |written: u32, tool: &str| {
            format!("Manifest-Version: 1.0\r\nBnd-LastModified: {written}\r\nTool: {tool}\r\n")
        };
        module.write(path, &manifest(1, "bnd"));
        assert!(!module.is_changed_by(|| module.write(path, &manifest(2, "bnd"))));
        assert!(module.is_changed_by(|| module.write(path, &manifest(2, "other"))));
        let elsewhere = "src/main/resources/META-INF/MANIFEST.MF";
        module.write(elsewhere, &manifest(1, "bnd"));
        assert!(module.is_changed_by(|| module.write(elsewhere, &manifest(2, "bnd"))));
    }

    #[test]
    fn a_path_does_not_run_into_a_content() {
        let module = Module::new();
        module.write("a", "");
        let rename = || fs::rename(module.path("a"), module.path("b")).unwrap();
        assert!(module.is_changed_by(rename));
        let swap = || {
            module.write("a", "pom");
            fs::remove_file(module.path("b")).unwrap();
        };
        assert!(module.is_changed_by(swap));
    }

    #[test]
    fn whether_a_file_can_be_executed() {
        let module = Module::new();
        module.write("run.sh", "x");
        let mode = |mode| {
            let path = module.path("run.sh");
            move || fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap()
        };
        assert!(module.is_changed_by(mode(0o755)));
        assert!(!module.is_changed_by(mode(0o711)));
        assert!(module.is_changed_by(mode(0o600)));
    }

    #[test]
    fn links_are_followed_and_their_texts_count() {
        let module = Module::new();
        let outside = module.root.path().join("outside");
        fs::create_dir_all(outside.join("deep")).unwrap();
        fs::write(outside.join("deep/file"), "1").unwrap();
        fs::write(outside.join("other"), "1").unwrap();
        let link = |target: &Path, name: &str| symlink(target, module.path(name)).unwrap();
        assert!(module.is_changed_by(|| link(&outside.join("deep"), "data")));
        let deep = || fs::write(outside.join("deep/file"), "2").unwrap();
        assert!(module.is_changed_by(deep));
        assert!(module.is_changed_by(|| link(&outside.join("other"), "file")));
        assert!(module.is_changed_by(|| fs::write(outside.join("other"), "2").unwrap()));
        assert!(module.is_changed_by(|| link(Path::new("nowhere"), "gone")));
        assert!(module.is_changed_by(|| {
            fs::remove_file(module.path("gone")).unwrap();
            link(Path::new("elsewhere"), "gone");
        }));
    }

    #[test]
    fn links_that_lead_back_or_out_of_everything_end() {
        let module = Module::new();
        for (number, target) in ["/", "..", ".", "src", "../m/src/test"].iter().enumerate() {
            symlink(target, module.path(&format!("link{number}"))).unwrap();
            symlink("..", module.path(&format!("src/back{number}"))).unwrap();
        }
        let first = module.checksum();
        assert_eq!(module.checksum(), first);
    }

    #[test]
    fn a_build_directory_may_be_a_link() {
        let module = Module::new();
        let elsewhere = module.root.path().join("elsewhere");
        fs::rename(module.path("target"), &elsewhere).unwrap();
        symlink(&elsewhere, module.path("target")).unwrap();
        assert!(!module.is_changed_by(|| module.write("target/x", "x")));
        assert!(module.is_changed_by(|| module.write("target/classes/x", "x")));
    }

    #[test]
    fn pipes_and_sockets_are_never_opened() {
        let module = Module::new();
        let pipe = module.path("pipe");
        let made = || {
            let made = Command::new("mkfifo").arg(&pipe).status();
            assert!(made.unwrap().success());
        };
        assert!(module.is_changed_by(made));
        let socket = module.path("socket");
        let bind = || drop(std::os::unix::net::UnixListener::bind(&socket).unwrap());
        assert!(module.is_changed_by(bind));
    }

    #[test]
    fn what_is_known_is_not_read_again() {
        let module = Module::new();
        module.checksum();
        let n_read = *module.contents.n_read.borrow();
        assert!(n_read > 0);
        module.checksum();
        assert_eq!(*module.contents.n_read.borrow(), n_read);
        module.write("src/test/resources/data.txt", "atad");
        module.checksum();
        assert_eq!(*module.contents.n_read.borrow(), n_read + 1);
    }

    #[test]
    fn what_cannot_be_read_is_named() {
        let mut module = Module::new();
        let file = module.path("pom.xml");
        module.scope.class_directories.push(file.clone());
        let error = module.scope.checksum(&module.contents).unwrap_err();
        assert_eq!(error, path_text(&file));
    }

    #[test]
    fn a_module_may_have_no_classes_yet() {
        let module = Module::new();
        assert!(module.is_changed_by(|| {
            fs::remove_dir_all(module.path("target")).unwrap();
        }));
        assert!(module.is_changed_by(|| module.write("target/classes/x", "")));
    }
}
