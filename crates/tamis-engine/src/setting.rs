//! How the tests of a realm are run: what the build, or the JVM itself, says of it. Kept from run to run, so that
//! questions can be answered without a JVM.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

use globset::GlobSet;
use serde::{Deserialize, Serialize};
use tamis_build::{FileScope, TestTask};
use tamis_facts::{Checksum, Realm};
use tamis_wire::Hello;
use walkdir::WalkDir;

use crate::circumstances;
use crate::report::Coarse;
use crate::sabotage::Sabotage;
use crate::today::{Properties, Variables, is_single};

/// How the tests of a realm are run.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Setting {
    /// The directory of the module.
    pub(crate) base: PathBuf,
    /// What the build makes; of no concern to tests, but for the classes.
    pub(crate) build_directories: Vec<PathBuf>,
    /// What compilers read.
    pub(crate) source_directories: Vec<PathBuf>,
    /// Where the module's classes lie, those of its tests last.
    pub(crate) class_directories: Vec<PathBuf>,
    /// Where tests are looked for; none where that is not known.
    pub(crate) test_classes: Option<PathBuf>,
    /// The class path as the build has it; empty where it was not told.
    pub(crate) class_path: Vec<String>,
    /// What the build configures.
    pub(crate) configuration: Sum,
    /// The properties that it hands to tests, as salted hashes, each a fact of its own.
    pub(crate) properties: BTreeMap<String, Sum>,
    /// The others.
    pub(crate) other_properties: Sum,
    /// What is known of its JVMs.
    pub(crate) jvm: Option<JvmSetting>,
    /// Classes where tests are looked for that are none, with their smart checksums.
    pub(crate) not_tests: BTreeMap<String, Sum>,
    /// What its tests did that no fact covers, and how many of them.
    pub(crate) untracked: BTreeMap<String, usize>,
    /// What its JVMs did not tell apart.
    #[serde(default)]
    pub(crate) coarse: BTreeSet<Coarse>,
}

/// How a JVM is started.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct JvmSetting {
    /// Where it looks for classes.
    pub(crate) places: Vec<String>,
    pub(crate) java_home: PathBuf,
    /// Its options.
    pub(crate) launch: Sum,
    /// The files that hold some of them, with what was in them.
    pub(crate) option_files: Vec<(PathBuf, Sum)>,
    /// Whether it was seen all that its JVMs did with files.
    pub(crate) sees_files: bool,
}

/// A checksum as text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub(crate) struct Sum(pub(crate) Checksum);

impl Setting {
    /// Of a task that the build is about to run.
    pub(crate) fn of_task(task: TestTask, variables: &Variables) -> Self {
        let properties = task.properties.into_iter();
        let (single, others): (BTreeMap<_, _>, BTreeMap<_, _>) =
            properties.partition(|(name, _)| is_single(name.as_bytes()));
        Self {
            base: task.base,
            build_directories: task.build_directories,
            source_directories: task.source_directories,
            class_directories: vec![task.classes, task.test_classes.clone()],
            test_classes: Some(task.test_classes),
            class_path: task.class_path,
            configuration: Sum(task.configuration),
            properties: single
                .into_iter()
                .map(|(name, hash)| (name, Sum(variables.salted(hash))))
                .collect(),
            other_properties: Sum(Properties::new(others).all()),
            jvm: None,
            not_tests: BTreeMap::new(),
            untracked: BTreeMap::new(),
            coarse: BTreeSet::new(),
        }
    }

    /// Of a JVM that some command started: its working directory is the module.
    pub(crate) fn of_jvm(hello: &Hello, places: &[String]) -> Self {
        let base = PathBuf::from(OsStr::from_bytes(&hello.directory));
        let directories = places
            .iter()
            .map(PathBuf::from)
            .filter(|place| place.is_dir());
        let class_directories: Vec<PathBuf> = directories.collect();
        let inside = class_directories
            .iter()
            .filter_map(|directory| top_inside(&base, directory));
        let mut build_directories: Vec<PathBuf> = inside.collect();
        build_directories.sort();
        build_directories.dedup();
        Self {
            source_directories: find_sources(&base, &build_directories, &class_directories),
            base,
            build_directories,
            class_directories,
            ..Self::default()
        }
    }

    /// The properties that it hands to tests, as far as each is a fact.
    pub(crate) fn properties(&self) -> Properties {
        let single = self.properties.iter();
        Properties::new(single.map(|(name, sum)| (name.clone(), sum.0)))
    }

    /// The files that tests may read.
    pub(crate) fn file_scope(&self, ignored: &GlobSet) -> FileScope {
        FileScope {
            base: self.base.clone(),
            build_directories: self.build_directories.clone(),
            source_directories: self.source_directories.clone(),
            class_directories: self.class_directories.clone(),
            ignored: ignored.clone(),
        }
    }

    /// Whether tests are run in the same way, as far as it is known before a JVM starts.
    pub(crate) fn is_same_task(&self, other: &Self) -> bool {
        self.class_path == other.class_path
            && self.configuration == other.configuration
            && self.test_classes == other.test_classes
    }

    pub(crate) fn encode(&self) -> Vec<u8> {
        // A path that is no text cannot be kept: then nothing is known of it the next time.
        serde_json::to_vec(self).unwrap_or_default()
    }

    /// What was kept, if it is understood.
    pub(crate) fn parse(bytes: &[u8]) -> Option<Self> {
        serde_json::from_slice(bytes).ok()
    }
}

impl JvmSetting {
    /// How it would be started today by the same build, or why that is not known: files of options may be other ones.
    pub(crate) fn launch_today(&self) -> Result<Checksum, String> {
        for (file, then) in &self.option_files {
            if circumstances::file_of_options(file)? != then.0 {
                return Err(format!("{} is another one", file.display()));
            }
        }
        Ok(self.launch.0)
    }

    /// Leaves out files of options that are made for one JVM. Those of Surefire hold what its settings say.
    pub(crate) fn forget_files_made_for_it(&mut self, is_task: bool) {
        self.option_files.retain(|(file, _)| {
            let name = file.file_name().unwrap_or_default();
            if is_task {
                !name.as_bytes().starts_with(b"surefireargs")
            } else {
                file.exists()
            }
        });
    }
}

/// The folders below `base` whose source files became classes in one of these directories.
///
/// Nobody tells where a plain command's sources lie; but a file `x/a/B.java` beside a class `a/B` shows that `x` is
/// such a folder. A source file anywhere else is one that a test may read.
fn find_sources(
    base: &Path,
    build_directories: &[PathBuf],
    class_directories: &[PathBuf],
) -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> = Vec::new();
    let mut walk = WalkDir::new(base).sort_by_file_name().into_iter();
    while let Some(entry) = walk.next() {
        let Ok(entry) = entry else { continue };
        let path = entry.path();
        if entry.file_type().is_dir() {
            let is_skipped =
                entry.file_name() == ".git" || build_directories.iter().any(|other| other == path);
            if is_skipped && entry.depth() > 0 {
                walk.skip_current_dir();
            }
        } else if !found.iter().any(|root| path.starts_with(root)) {
            found.extend(source_root(base, path, class_directories));
        }
    }
    found
}

/// The folder from which the path of a source file is that of a class.
fn source_root(base: &Path, file: &Path, class_directories: &[PathBuf]) -> Option<PathBuf> {
    let extension = file.extension().and_then(OsStr::to_str)?;
    if !["java", "kt", "scala", "groovy"].contains(&extension) {
        return None;
    }
    let stem = file.file_stem().and_then(OsStr::to_str)?;
    let inside = file
        .parent()?
        .ancestors()
        .take_while(|folder| folder.starts_with(base));
    let mut roots = inside.filter(|root| {
        let package = file
            .parent()
            .and_then(|parent| parent.strip_prefix(root).ok());
        let classes = class_directories
            .iter()
            .filter_map(|classes| Some(classes.join(package?)));
        let mut classes = classes.flat_map(|classes| {
            // Kotlin names the class of a file's functions so.
            ["", "Kt"].map(|end| classes.join(format!("{stem}{end}.class")))
        });
        classes.any(|class| class.is_file())
    });
    roots.next().map(Path::to_path_buf)
}

/// The folder directly in `base` that holds `directory`, unless that is `base` itself or lies elsewhere.
fn top_inside(base: &Path, directory: &Path) -> Option<PathBuf> {
    let inside = directory.strip_prefix(base).ok()?;
    inside.components().next().map(|first| base.join(first))
}

/// The realm of an execution of a module.
pub(crate) fn realm(module: &str, execution: &str) -> Realm {
    let is_keyless = Sabotage::KeyWithoutExecution.is_on();
    Realm {
        module: module.to_owned(),
        execution: if is_keyless { "" } else { execution }.to_owned(),
    }
}

/// The realm that a JVM belongs to: told by the build in the label, or the place where it was started.
pub(crate) fn realm_of(hello: &Hello, root: &Path) -> Realm {
    let label = String::from_utf8_lossy(&hello.label);
    if let Some((module, execution)) = label.split_once('\n') {
        return realm(module, execution);
    }
    let directory = Path::new(OsStr::from_bytes(&hello.directory));
    let module = directory.strip_prefix(root).unwrap_or(directory);
    Realm {
        module: module.display().to_string(),
        execution: String::new(),
    }
}

impl Default for Sum {
    fn default() -> Self {
        Self(circumstances::Fields::default().checksum())
    }
}

impl From<Sum> for String {
    fn from(sum: Sum) -> Self {
        sum.0.to_string()
    }
}

impl TryFrom<String> for Sum {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        const WRONG: &str = "32 hexadecimal digits are a checksum";
        let mut bytes = [0; 16];
        if text.len() != 32 || !text.is_ascii() {
            return Err(WRONG);
        }
        for (position, byte) in bytes.iter_mut().enumerate() {
            let digits = &text[2 * position..2 * position + 2];
            *byte = u8::from_str_radix(digits, 16).map_err(|_| WRONG)?;
        }
        Ok(Self(Checksum(bytes)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::CoarseKind;
    use std::fs;

    #[test]
    fn sources_are_found_by_their_classes() {
        let dir = tempfile::tempdir().unwrap();
        let base = dir.path();
        for file in [
            "src/main/java/a/B.java",
            "src/test/java/a/BTest.java",
            "src/test/resources/a/Input.java",
            "out/a/B.class",
            "out/a/BTest.class",
        ] {
            let file = base.join(file);
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(file, "").unwrap();
        }
        let out = [base.join("out")];
        let expected = ["src/main/java", "src/test/java"].map(|path| base.join(path));
        assert_eq!(find_sources(base, &out, &out), expected);
    }

    #[test]
    fn a_jvm_is_started_as_before_only_if_its_files_of_options_are_as_they_were() {
        let dir = tempfile::tempdir().unwrap();
        let [user, made] = ["jvm.args", "surefireargs12"].map(|name| dir.path().join(name));
        let mut jvm = JvmSetting {
            places: Vec::new(),
            java_home: PathBuf::new(),
            launch: Sum(Checksum([7; 16])),
            option_files: Vec::new(),
            sees_files: true,
        };
        for file in [&user, &made] {
            fs::write(file, "-Da=1").unwrap();
            let sum = circumstances::file_of_options(file).unwrap();
            jvm.option_files.push((file.clone(), Sum(sum)));
        }
        assert_eq!(jvm.launch_today(), Ok(jvm.launch.0));
        fs::remove_file(&made).unwrap();
        assert!(jvm.launch_today().is_err());
        for is_task in [true, false] {
            let mut jvm = jvm.clone();
            jvm.forget_files_made_for_it(is_task);
            assert_eq!(jvm.option_files.len(), 1, "{is_task}");
        }
        jvm.forget_files_made_for_it(true);
        assert_eq!(jvm.launch_today(), Ok(jvm.launch.0));
        fs::write(&user, "-Da=2").unwrap();
        let expected = format!("{} is another one", user.display());
        assert_eq!(jvm.launch_today(), Err(expected));
    }

    #[test]
    fn what_is_kept_comes_back() {
        let setting = Setting {
            base: "/a".into(),
            not_tests: BTreeMap::from([("a/B".to_owned(), Sum(Checksum([0xab; 16])))]),
            coarse: BTreeSet::from([Coarse {
                what: CoarseKind::ClassNames,
                reason: "no row".to_owned(),
            }]),
            ..Setting::default()
        };
        assert_eq!(Setting::parse(&setting.encode()), Some(setting));
        assert_eq!(Setting::parse(b"{}"), None);
    }

    #[test]
    fn a_jvm_belongs_to_the_task_that_labels_it_or_to_its_directory() {
        let realm = |label: &str, directory: &str| {
            let hello = Hello {
                label: label.into(),
                directory: directory.into(),
                ..Hello::default()
            };
            let Realm { module, execution } = realm_of(&hello, Path::new("/p"));
            (module, execution)
        };
        let text = |a: &str, b: &str| (a.to_owned(), b.to_owned());
        assert_eq!(
            realm("g:a\ndefault-test", "/p/a"),
            text("g:a", "default-test")
        );
        assert_eq!(realm("", "/p/a"), text("a", ""));
        assert_eq!(realm("", "/elsewhere"), text("/elsewhere", ""));
    }
}
