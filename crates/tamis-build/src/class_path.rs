//! The class path of a JVM, in the wide sense: every place that its loaders search, and what lies
//! there under the name of a class.
//!
//! It is worked out by [`ClassPath::expand`] while the JVM waits for an answer to its *hello*:
//! argument files and jars that hold nothing but a class path are deleted when a build ends. Of
//! jars the list of members is read then, of directories nothing; class files are read when
//! somebody asks for one.
//!
//! The options of `JDK_JAVA_OPTIONS` and `JAVA_TOOL_OPTIONS` are not among the arguments of a
//! process. Module paths that are given there are found by the origins of classes alone.

mod archives;
mod argument_file;
mod arguments;
mod expand;
mod jvm_options;
mod kept_place;
mod listing;
mod manifest;
mod origin;
mod program;
mod resource;
mod root;
mod walk;
mod winner;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

pub use self::archives::Archives;
pub(crate) use self::archives::is_absence;
pub use self::jvm_options::JvmOptions;
use self::kept_place::KeptPlace;
pub use self::listing::{ClassListing, FoundFile, PackageFiles};
use self::origin::Origin;
use self::root::Root;
pub use self::winner::{ClassCandidate, Winner, WinningClass};
use crate::class_source::ListedClass;
use crate::path_text::bytes_as_text;

/// The places that the loaders of a JVM search.
#[derive(Debug)]
pub struct ClassPath {
    archives: Arc<Archives>,
    /// In the order of the search.
    roots: Vec<Root>,
    /// What was said to the JVM, and what manifests name.
    places: Vec<KeptPlace>,
    /// When it was expanded.
    since: SystemTime,
}

/// The places of a class path on the disk.
#[derive(Debug, Clone, Default)]
pub struct RootPaths {
    /// Directories, and what was not there.
    pub directories: Vec<PathBuf>,
    /// Archives.
    pub archives: Vec<PathBuf>,
}

/// What is known of a JVM when it starts.
#[derive(Debug, Clone, Copy)]
pub struct Launch<'a> {
    /// The property `java.class.path`.
    pub class_path: &'a [u8],
    /// The working directory.
    pub directory: &'a Path,
    /// The arguments of the process, its own name first.
    pub arguments: &'a [Vec<u8>],
}

/// What files say of a class that was loaded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FileMatch {
    /// A file has these bytes. The class is a fact: it can be compared with the file of later runs.
    Found {
        /// Where it lies, for people.
        location: String,
    },
    /// There is a file of this name, and it has other bytes: another agent changed them, or the
    /// file was written anew. Nothing that used the class may be recorded, and the class is to be
    /// named.
    OtherBytes {
        /// Where the file lies; the first, if there are several.
        location: String,
    },
    /// No file has this name, neither where the class says that it came from nor on the class path:
    /// it was made at run time (proxy, mock, lambda). It is no fact of its own; its supertypes and
    /// its maker are.
    Generated,
    /// Whether there is such a file cannot be known: the class came from a place that cannot be
    /// read (any more), or something on the class path cannot be read. Nothing that used the class
    /// may be recorded, and the place is to be named.
    Unknown {
        /// The place, for people: a path or a URL.
        place: String,
    },
}

impl ClassPath {
    /// Where classes lie.
    pub fn root_paths(&self) -> RootPaths {
        let mut paths = RootPaths::default();
        for root in &self.roots {
            match root {
                Root::Directory(path) | Root::Nothing(path) => paths.directories.push(path.clone()),
                Root::Archive { path, .. } | Root::Nested { path, .. } => {
                    paths.archives.push(path.clone());
                }
                Root::Unreadable(_) => {}
            }
        }
        paths
    }

    /// Finds the file of the class `name`, which the JVM says it loaded from `origin`.
    ///
    /// `origin` is the URL of the class's code source, empty if it has none. It is looked into
    /// first, on the class path or not, and a file of that name in it decides. `is_loaded` tells
    /// whether a file's bytes are those that were loaded.
    pub fn find(
        &self,
        name: &str,
        origin: &[u8],
        mut is_loaded: impl FnMut(&[u8]) -> bool,
    ) -> FileMatch {
        let Some(path) = class_file_path(name) else {
            return unknown(name.to_owned());
        };
        let mut doubts = Vec::new();
        match self.look_into_origin(&path, origin) {
            Ok(classes) if !classes.is_empty() => return compare(&classes, &mut is_loaded),
            Ok(_) => {}
            Err(place) => doubts.push(place),
        }
        self.find_in_roots(&path, doubts, &mut is_loaded)
    }

    /// The files at `path` in the origin, or the place that cannot be looked into.
    fn look_into_origin(&self, path: &str, origin: &[u8]) -> Result<Vec<ListedClass>, String> {
        // What an agent added to the JDK's own classes while the JVM ran is made at run time, as mocking
        // libraries do it: no file of that name is known.
        if origin.is_empty() || origin == b"boot:" {
            return Ok(Vec::new());
        }
        let unreadable = || bytes_as_text(origin);
        let roots = Origin::parse_all(origin);
        let mut roots = roots.iter().map(|origin| origin.open(&self.archives));
        let root = roots.find_map(Result::ok).ok_or_else(unreadable)?;
        let classes = root.look(path, &self.archives)?;
        // The file may have been there when the class was loaded.
        if classes.is_empty() && root.is_changed_since(path, self.since) {
            return Err(unreadable());
        }
        Ok(classes)
    }

    fn find_in_roots(
        &self,
        path: &str,
        mut doubts: Vec<String>,
        is_loaded: &mut impl FnMut(&[u8]) -> bool,
    ) -> FileMatch {
        let mut other = None;
        for root in &self.roots {
            match root.look(path, &self.archives) {
                Ok(classes) if classes.is_empty() => {}
                Ok(classes) => match compare(&classes, is_loaded) {
                    FileMatch::Unknown { place } => doubts.push(place),
                    found @ FileMatch::Found { .. } => return found,
                    different => other = other.or(Some(different)),
                },
                Err(place) => doubts.push(place),
            }
        }
        other
            .or_else(|| doubts.into_iter().next().map(unknown))
            .unwrap_or(FileMatch::Generated)
    }
}

fn unknown(place: String) -> FileMatch {
    FileMatch::Unknown { place }
}

/// What one place says, which has files of the right name.
fn compare(classes: &[ListedClass], is_loaded: &mut impl FnMut(&[u8]) -> bool) -> FileMatch {
    let mut other = None;
    let mut unreadable = None;
    for class in classes {
        match class.read() {
            Ok(entry) if is_loaded(&entry.bytes) => {
                let location = entry.location;
                return FileMatch::Found { location };
            }
            Ok(entry) => other = other.or(Some(entry.location)),
            Err(error) => unreadable = unreadable.or(Some(error.location)),
        }
    }
    match (unreadable, other) {
        (None, Some(location)) => FileMatch::OtherBytes { location },
        (Some(place), _) => unknown(place),
        (None, None) => FileMatch::Generated,
    }
}

/// The path of a class's file inside its place. Names that are none, and would lead elsewhere, have
/// no path.
fn class_file_path(name: &str) -> Option<String> {
    let is_name = |part: &str| !matches!(part, "" | "." | "..") && !part.contains('\0');
    name.split('/')
        .all(is_name)
        .then(|| format!("{name}.class"))
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::thread;
    use std::time::Duration;

    use rawzip::CompressionMethod;
    use tempfile::TempDir;

    use super::*;
    use crate::archive::zipping::zip;

    /// Files in a directory that goes away, and the answers of the class path there.
    struct World {
        root: TempDir,
        archives: Arc<Archives>,
    }

    impl World {
        fn new(files: &[(&str, &[u8])]) -> Self {
            let world = Self {
                root: tempfile::tempdir().unwrap(),
                archives: Arc::default(),
            };
            for (path, bytes) in files {
                world.write(path, bytes);
            }
            world
        }

        fn write(&self, path: &str, bytes: &[u8]) {
            let path = self.root.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, bytes).unwrap();
        }

        fn remove(&self, path: &str) {
            fs::remove_file(self.root.path().join(path)).unwrap();
        }

        /// The class path of `java ARGUMENTS`.
        fn expand(&self, class_path: &str, arguments: &[&str]) -> ClassPath {
            let arguments = ["java"].iter().chain(arguments);
            let arguments: Vec<_> = arguments.map(|a| a.as_bytes().to_vec()).collect();
            // The times of files come from a clock that may be a tick behind.
            thread::sleep(Duration::from_millis(20));
            let class_path = ClassPath::expand(
                &Launch {
                    class_path: class_path.as_bytes(),
                    directory: self.root.path(),
                    arguments: &arguments,
                },
                &self.archives,
            );
            thread::sleep(Duration::from_millis(20));
            class_path
        }

        /// The answer, with paths that begin in the directory; `@` in the origin is that directory.
        fn find(&self, class_path: &ClassPath, name: &str, origin: &str, bytes: &str) -> String {
            let root = self.root.path().display().to_string();
            let origin = origin.replace('@', &root);
            let is_loaded = |file: &[u8]| file == bytes.as_bytes();
            let shown = match class_path.find(name, origin.as_bytes(), is_loaded) {
                FileMatch::Found { location } => format!("found {location}"),
                FileMatch::OtherBytes { location } => format!("other {location}"),
                FileMatch::Generated => "generated".to_owned(),
                FileMatch::Unknown { place } => format!("unknown {place}"),
            };
            shown.replace(&format!("{root}/"), "")
        }

        /// The answer for the class `a/B` with the bytes `1`, without an origin.
        fn find_one(&self, class_path: &str, arguments: &[&str]) -> String {
            let class_path = self.expand(class_path, arguments);
            self.find(&class_path, "a/B", "", "1")
        }
    }

    fn jar(files: &[(&str, &[u8])]) -> Vec<u8> {
        zip(files, CompressionMethod::DEFLATE)
    }

    /// A jar with nothing but a class path.
    fn manifest_jar(class_path: &str) -> Vec<u8> {
        let manifest = format!("Manifest-Version: 1.0\r\nClass-Path: {class_path}\r\n");
        jar(&[("META-INF/MANIFEST.MF", manifest.as_bytes())])
    }

    #[test]
    fn directories_jars_and_what_is_no_jar() {
        let world = World::new(&[
            ("one/a/B.class", b"0"),
            ("two.jar", &jar(&[("a/B.class", b"1")])),
            ("three/a/B.class", b"1"),
            ("read.me", b"text"),
        ]);
        let path = "missing:read.me:one:two.jar:three";
        assert_eq!(world.find_one(path, &[]), "found two.jar!a/B.class");
        assert_eq!(world.find_one("one:read.me", &[]), "other one/a/B.class");
        assert_eq!(world.find_one("missing:read.me", &[]), "generated");
    }

    #[test]
    fn the_working_directory_and_wildcards() {
        let world = World::new(&[
            ("a/B.class", b"1"),
            ("lib/x.jar", &jar(&[("a/B.class", b"1")])),
            ("lib/classes/a/B.class", b"0"),
        ]);
        assert_eq!(world.find_one("", &[]), "found a/B.class");
        assert_eq!(world.find_one("missing::", &[]), "found a/B.class");
        assert_eq!(world.find_one("lib/*", &[]), "found lib/x.jar!a/B.class");
        assert_eq!(
            world.find_one("", &["-p", "none", "-m", "x/y"]),
            "generated"
        );
    }

    #[test]
    fn manifests_are_followed_and_come_before_what_stands_behind() {
        let world = World::new(&[
            (
                "tmp/only.jar",
                &manifest_jar("../lib/a.jar only.jar ../with%20space/"),
            ),
            (
                "lib/a.jar",
                &manifest_jar("b.jar ../tmp/only.jar a.jar http://x/y.jar"),
            ),
            ("lib/b.jar", &jar(&[("a/B.class", b"0")])),
            ("with space/a/B.class", b"1"),
            ("last/a/B.class", b"1"),
        ]);
        let path = world.expand("tmp/only.jar:last", &[]);
        let found = "found with space/a/B.class";
        assert_eq!(world.find(&path, "a/B", "", "1"), found);
        assert_eq!(
            world.find(&path, "a/B", "", "2"),
            "other lib/b.jar!a/B.class"
        );
        world.remove("tmp/only.jar");
        world.remove("lib/a.jar");
        assert_eq!(world.find(&path, "a/B", "", "1"), found);
        assert_eq!(world.find(&path, "a/C", "", "1"), "generated");
    }

    #[test]
    fn a_hundred_thousand_entries_are_too_many_to_know() {
        let world = World::new(&[("x.jar", &manifest_jar(&"y ".repeat(100_000)))]);
        assert!(world.find_one("x.jar", &[]).starts_with("unknown "));
    }

    #[test]
    fn applications_in_a_jar() {
        let library = jar(&[("a/B.class", b"1")]);
        let app = jar(&[
            ("WEB-INF/classes/a/C.class", b"2"),
            ("WEB-INF/lib/b.jar", &library),
        ]);
        let world = World::new(&[("app.war", &app)]);
        let path = world.expand("app.war", &[]);
        let found = "found app.war!WEB-INF/lib/b.jar!a/B.class";
        assert_eq!(world.find(&path, "a/B", "", "1"), found);
        let found = "found app.war!WEB-INF/classes/a/C.class";
        assert_eq!(world.find(&path, "a/C", "", "2"), found);
        let origin = "jar:file:@/app.war!/WEB-INF/classes!/";
        assert_eq!(world.find(&path, "a/C", origin, "2"), found);
        assert_eq!(world.find(&path, "a/D", origin, "2"), "generated");
    }

    #[test]
    fn modules() {
        let class: &[(&str, &[u8])] = &[("a/B.class", b"1")];
        let world = World::new(&[
            ("mods/m/module-info.class", b""),
            ("mods/m/a/B.class", b"1"),
            ("mods/none/a/B.class", b"0"),
            ("jars/n.jar", &jar(class)),
            ("patch/a/B.class", b"1"),
            ("args", b"--module-path \"mods\""),
        ]);
        let mods = "found mods/m/a/B.class";
        assert_eq!(world.find_one("", &["-p", "mods", "-m", "m"]), mods);
        assert_eq!(world.find_one("", &["-p", "mods/m", "-m", "m"]), mods);
        assert_eq!(world.find_one("", &["@args", "-m", "m"]), mods);
        let upgrade = ["--upgrade-module-path=jars", "-m", "m"];
        assert_eq!(world.find_one("", &upgrade), "found jars/n.jar!a/B.class");
        let patch = ["-p", "mods", "--patch-module", "m=patch", "-m", "m"];
        assert_eq!(world.find_one("", &patch), "found patch/a/B.class");
        let gone = ["@gone", "-m", "m"];
        assert_eq!(world.find_one("", &gone), "unknown gone");
    }

    #[test]
    fn boot_class_path_and_agents() {
        let world = World::new(&[("x.jar", &jar(&[("a/B.class", b"1")]))]);
        let found = "found x.jar!a/B.class";
        assert_eq!(
            world.find_one("none", &["-Xbootclasspath/a:x.jar", "M"]),
            found
        );
        assert_eq!(world.find_one("none", &["-javaagent:x.jar=o", "M"]), found);
    }

    #[test]
    fn the_origin_decides_where_it_has_a_file() {
        let world = World::new(&[
            ("on/a/B.class", b"1"),
            ("off.jar", &jar(&[("a/B.class", b"2")])),
        ]);
        let path = world.expand("on", &[]);
        let off = "file:@/off.jar";
        assert_eq!(
            world.find(&path, "a/B", off, "2"),
            "found off.jar!a/B.class"
        );
        assert_eq!(
            world.find(&path, "a/B", off, "1"),
            "other off.jar!a/B.class"
        );
        assert_eq!(world.find(&path, "a/C", off, "1"), "generated");
        assert_eq!(world.find(&path, "a/C", "file:@/on/", "1"), "generated");
    }

    #[test]
    fn an_origin_that_cannot_be_read_leaves_the_class_path() {
        let world = World::new(&[("on/a/B.class", b"1")]);
        let path = world.expand("on", &[]);
        for origin in [
            "file:/no/such.jar",
            "http://host/x.jar",
            "jar:file:@/on!/x.jar!/",
        ] {
            assert_eq!(world.find(&path, "a/B", origin, "1"), "found on/a/B.class");
            assert_eq!(world.find(&path, "a/B", origin, "2"), "other on/a/B.class");
            let unknown = format!("unknown {}", origin.replace("@/", ""));
            assert_eq!(world.find(&path, "a/C", origin, "1"), unknown);
        }
    }

    #[test]
    fn a_file_that_may_have_been_there_is_not_generated() {
        let world = World::new(&[
            ("classes/a/B.class", b"1"),
            ("classes/b/C.class", b"1"),
            ("x.jar", &jar(&[("a/B.class", b"1")])),
        ]);
        let path = world.expand("classes:x.jar", &[]);
        world.remove("classes/a/B.class");
        world.remove("x.jar");
        let origin = "file:@/classes/";
        assert_eq!(
            world.find(&path, "a/P", origin, "1"),
            "unknown file:classes/"
        );
        assert_eq!(world.find(&path, "b/P", origin, "1"), "generated");
        assert_eq!(world.find(&path, "a/B", "", "1"), "unknown x.jar!a/B.class");
    }

    #[test]
    fn damage_is_doubt() {
        let mut damaged = jar(&[("a/B.class", b"1"), ("a/C.class", b"1")]);
        let second = damaged
            .windows(4)
            .rposition(|w| w == b"PK\x01\x02")
            .unwrap();
        damaged[second] = 0;
        let world = World::new(&[("x.jar", &damaged), ("y/a/D.class", b"1")]);
        let path = world.expand("x.jar:y", &[]);
        assert_eq!(world.find(&path, "a/B", "", "1"), "found x.jar!a/B.class");
        assert_eq!(world.find(&path, "a/C", "", "1"), "unknown x.jar");
        assert_eq!(world.find(&path, "a/D", "", "1"), "found y/a/D.class");
        assert_eq!(world.find(&path, "a/D", "", "2"), "other y/a/D.class");
    }

    #[test]
    fn names_that_would_lead_elsewhere_are_not_followed() {
        let world = World::new(&[("on/a/B.class", b"1"), ("B.class", b"1")]);
        let path = world.expand("on", &[]);
        for name in ["../B", "a/../../B", "/B", "", "a//B", "a/\0"] {
            assert_eq!(world.find(&path, name, "", "1"), format!("unknown {name}"));
        }
        let long = "x".repeat(5000);
        assert_eq!(world.find(&path, &long, "file:@/on/", "1"), "generated");
    }
}
