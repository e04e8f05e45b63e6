//! A project of a tool's own: the classes of a revision, and around it all that is no part of the project.
//!
//! Only classes may change inside of the project, and only those that a revision changes: a tool may look at every
//! file, and at its time. Reports, states, and the file with the chosen tests lie outside.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::fmt::Write as _;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::jar::archive;
use crate::java_side::JavaSide;
use crate::program::Surrounding;

/// Class files by their paths: `p00042/A.class`. Sources too: `p00042/A.java`.
pub(crate) type ClassFiles = BTreeMap<String, Vec<u8>>;

/// The classes of a revision.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Revision {
    pub(crate) code: ClassFiles,
    pub(crate) tests: ClassFiles,
    /// What the framework finds by itself: the names of interfaces, each with those of its classes.
    pub(crate) services: BTreeMap<&'static str, BTreeSet<String>>,
    /// What lies in an archive on the class path.
    pub(crate) library: ClassFiles,
    /// By package.
    pub(crate) surroundings: BTreeMap<String, Surroundings>,
    /// What the classes were compiled from, for a tool that compiles by itself.
    pub(crate) code_sources: ClassFiles,
    pub(crate) test_sources: ClassFiles,
}

/// What a program looks at that is no class.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Surroundings {
    /// Files beside the classes.
    resources: ClassFiles,
    /// Files of the project.
    files: ClassFiles,
    /// What the JVM is started with.
    properties: BTreeMap<String, String>,
}

/// A directory with a project, and what lies around it.
#[derive(Debug)]
pub(crate) struct Project {
    place: PathBuf,
    /// What is in the project now.
    present: Revision,
    content: Content,
}

/// What a project has of its classes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Content {
    /// Class files, as a build would have left them.
    ClassFiles,
    /// Sources, as Maven expects them; the tool compiles them.
    Sources,
}

/// Which tests are asked for, in order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Choice {
    Classes(Vec<String>),
    /// `p00042.T1#test1`
    Methods(Vec<String>),
}

/// The archive, in the project's directory.
const LIBRARY: &str = "lib/library.jar";

/// Classes at the same time, the tests of one in order; four of them, whatever the machine.
const PARALLEL: &[&str] = &[
    "-Djunit.jupiter.execution.parallel.enabled=true",
    "-Djunit.jupiter.execution.parallel.mode.default=same_thread",
    "-Djunit.jupiter.execution.parallel.mode.classes.default=concurrent",
    "-Djunit.jupiter.execution.parallel.config.strategy=fixed",
    "-Djunit.jupiter.execution.parallel.config.fixed.parallelism=4",
    "-Djunit.vintage.execution.parallel.enabled=true",
    "-Djunit.vintage.execution.parallel.classes=true",
    "-Djunit.vintage.execution.parallel.pool-size=4",
];

impl Surroundings {
    pub(crate) fn of(surroundings: &[Surrounding], package: &str) -> Self {
        let mut own = Self::default();
        for surrounding in surroundings {
            let (name, text) = (surrounding.name(package), surrounding.text(package));
            match surrounding {
                Surrounding::Resource { .. } | Surrounding::Service { .. } => {
                    own.resources.insert(name, text.into_bytes());
                }
                Surrounding::File { .. } => {
                    own.files.insert(name, text.into_bytes());
                }
                Surrounding::Property { .. } => {
                    own.properties.insert(name, text);
                }
                Surrounding::LibraryType { .. } => {}
            }
        }
        own
    }
}

impl Revision {
    /// The files of one kind of all programs.
    fn files(&self, of: impl Fn(&Surroundings) -> &ClassFiles) -> ClassFiles {
        let files = self.surroundings.values().flat_map(of);
        files
            .map(|(path, bytes)| (path.clone(), bytes.clone()))
            .collect()
    }

    /// The archive, if there is one.
    fn library_file(&self) -> ClassFiles {
        let is_there = !self.library.is_empty();
        let file = is_there.then(|| (LIBRARY.to_owned(), archive(&self.library)));
        file.into_iter().collect()
    }

    /// The files that name services, one for each interface.
    fn service_files(&self) -> ClassFiles {
        let services = self.services.iter();
        let files = services.map(|(interface, classes)| {
            let lines: Vec<&str> = classes.iter().flat_map(|class| [class, "\n"]).collect();
            let path = format!("META-INF/services/{interface}");
            (path, lines.concat().into_bytes())
        });
        files.collect()
    }
}

impl Project {
    /// An empty one, for class files.
    pub(crate) fn create(place: &Path) -> io::Result<Self> {
        Self::with(Content::ClassFiles, place)
    }

    /// An empty one.
    pub(crate) fn with(content: Content, place: &Path) -> io::Result<Self> {
        let project = Self {
            place: place.to_path_buf(),
            present: Revision::default(),
            content,
        };
        for directory in [project.classes(), project.test_classes(), project.data()] {
            fs::create_dir_all(directory)?;
        }
        // Where the project begins, for a tool that looks upwards for it.
        fs::write(project.directory().join("tamis.toml"), "")?;
        Ok(project)
    }

    /// The project itself.
    pub(crate) fn directory(&self) -> PathBuf {
        self.place.join("project")
    }

    /// Where the tool may keep what it likes.
    pub(crate) fn data(&self) -> PathBuf {
        self.place.join("data")
    }

    /// Where JUnit's reports lie.
    pub(crate) fn reports(&self) -> PathBuf {
        self.place.join("reports")
    }

    /// What the oracle writes.
    pub(crate) fn states(&self) -> PathBuf {
        self.place.join("states")
    }

    /// What the tool says.
    pub(crate) fn log(&self) -> PathBuf {
        self.place.join("log")
    }

    fn classes(&self) -> PathBuf {
        self.directory().join("target/classes")
    }

    fn test_classes(&self) -> PathBuf {
        self.directory().join("target/test-classes")
    }

    fn choice(&self) -> PathBuf {
        self.place.join("chosen-tests")
    }

    fn halt(&self) -> PathBuf {
        self.place.join("states.halt")
    }

    /// What tests are run with: the project's classes first.
    pub(crate) fn class_path(&self, java: &JavaSide) -> OsString {
        let mut path = OsString::from(self.classes());
        let library = self.directory().join(LIBRARY);
        let library = (!self.present.library.is_empty()).then_some(&library);
        let test_classes = self.test_classes();
        let parts = std::iter::once(&test_classes).chain(library);
        for part in parts.chain([&java.oracle, &java.junit]) {
            path.push(":");
            path.push(part);
        }
        path
    }

    /// The command that runs the chosen tests. It is the same each time, but for the properties that programs are about:
    /// what varies is in files.
    pub(crate) fn command(&self, java: &JavaSide) -> Vec<OsString> {
        let joined = |name: &str, path: &Path| {
            let mut text = OsString::from(name);
            text.push(path);
            text
        };
        let mut command = vec![
            java.jdk.java().into(),
            joined("-Dtamis.check.state=", &self.states()),
            "-XX:+UseSerialGC".into(),
            "-XX:TieredStopAtLevel=1".into(),
        ];
        if java.is_parallel {
            command.extend(PARALLEL.iter().map(OsString::from));
        }
        command.extend(self.properties().map(OsString::from));
        command.extend([
            "-cp".into(),
            self.class_path(java),
            "org.junit.platform.console.ConsoleLauncher".into(),
            "execute".into(),
            "--disable-banner".into(),
            "--disable-ansi-colors".into(),
            "--details=none".into(),
            joined("--reports-dir=", &self.reports()),
            joined("@", &self.choice()),
        ]);
        command
    }

    /// The properties that programs are about, as options.
    pub(crate) fn properties(&self) -> impl Iterator<Item = String> {
        let surroundings = self.present.surroundings.values();
        let properties = surroundings.flat_map(|one| &one.properties);
        properties.map(|(name, value)| format!("-D{name}={value}"))
    }

    /// Makes the project that of a revision; files that stay the same are not touched.
    pub(crate) fn put(&mut self, revision: &Revision) -> io::Result<()> {
        self.put_classes(revision)?;
        let services = [&self.present, revision].map(Revision::service_files);
        replace(&self.test_classes(), &services[0], &services[1])?;
        let resources = [&self.present, revision].map(|one| one.files(|own| &own.resources));
        replace(&self.classes(), &resources[0], &resources[1])?;
        let files = [&self.present, revision].map(|one| one.files(|own| &own.files));
        replace(&self.directory(), &files[0], &files[1])?;
        let library = [&self.present, revision].map(Revision::library_file);
        replace(&self.directory(), &library[0], &library[1])?;
        self.present = revision.clone();
        Ok(())
    }

    fn put_classes(&self, revision: &Revision) -> io::Result<()> {
        let present = &self.present;
        match self.content {
            Content::ClassFiles => {
                replace(&self.classes(), &present.code, &revision.code)?;
                replace(&self.test_classes(), &present.tests, &revision.tests)
            }
            Content::Sources => {
                let [code, tests] = ["src/main/java", "src/test/java"];
                let root = |folder| self.directory().join(folder);
                replace(&root(code), &present.code_sources, &revision.code_sources)?;
                replace(&root(tests), &present.test_sources, &revision.test_sources)
            }
        }
    }

    /// Removes what the last run left, and says which tests are asked for and whether the JVM is to fail.
    pub(crate) fn prepare(&self, choice: &Choice, halts: bool) -> io::Result<()> {
        self.forget_run()?;
        remove_if_there(&self.halt())?;
        if halts {
            fs::write(self.halt(), "")?;
        }
        fs::write(self.choice(), choice.text())
    }
}

impl Project {
    /// Removes what the last run left.
    pub(crate) fn forget_run(&self) -> io::Result<()> {
        if self.reports().exists() {
            fs::remove_dir_all(self.reports())?;
        }
        fs::create_dir(self.reports())?;
        remove_if_there(&self.states())
    }
}

impl Choice {
    /// The arguments of JUnit's launcher, one per line.
    fn text(&self) -> String {
        // Unless told so, classes without `Test` in their names do not count.
        let mut text = String::from("--include-classname=.*\n");
        let (option, names) = match self {
            Self::Classes(names) => ("class", names),
            Self::Methods(names) => ("method", names),
        };
        for name in names {
            writeln!(text, "--select-{option}={name}").expect("a string takes all that is written");
        }
        text
    }
}

/// Turns the files of one state into those of another.
fn replace(directory: &Path, from: &ClassFiles, to: &ClassFiles) -> io::Result<()> {
    for path in from.keys().filter(|path| !to.contains_key(*path)) {
        let file = directory.join(path);
        fs::remove_file(&file)?;
        // Folders that are not empty stay.
        let folders = file.ancestors().skip(1);
        let mut folders = folders.take_while(|folder| *folder != directory);
        while folders.next().is_some_and(|it| fs::remove_dir(it).is_ok()) {}
    }
    for (path, bytes) in to {
        if from.get(path) != Some(bytes) {
            let file = directory.join(path);
            if let Some(parent) = file.parent() {
                fs::create_dir_all(parent)?;
            }
            fs::write(file, bytes)?;
        }
    }
    Ok(())
}

fn remove_if_there(file: &Path) -> io::Result<()> {
    match fs::remove_file(file) {
        Err(cause) if cause.kind() != io::ErrorKind::NotFound => Err(cause),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::MetadataExt as _;

    fn revision(code: &[(&str, &str)]) -> Revision {
        let files = code.iter();
        let code = files.map(|(path, text)| ((*path).to_owned(), text.as_bytes().to_vec()));
        Revision {
            code: code.collect(),
            ..Revision::default()
        }
    }

    #[test]
    fn only_what_changes_is_touched() {
        let dir = tempfile::tempdir().unwrap();
        let mut project = Project::create(dir.path()).unwrap();
        let file = |name: &str| project_file(dir.path(), name);
        project
            .put(&revision(&[
                ("p/A.class", "a"),
                ("p/B.class", "b"),
                ("p/C.class", "c"),
            ]))
            .unwrap();
        let before = fs::metadata(file("A")).unwrap();
        project
            .put(&revision(&[
                ("p/A.class", "a"),
                ("p/B.class", "x"),
                ("p/q/D.class", "d"),
            ]))
            .unwrap();
        let after = fs::metadata(file("A")).unwrap();
        assert_eq!(
            (before.ctime_nsec(), before.ino()),
            (after.ctime_nsec(), after.ino())
        );
        assert_eq!(fs::read(file("B")).unwrap(), b"x");
        assert!(!file("C").exists());
        assert_eq!(fs::read(file("q/D")).unwrap(), b"d");
    }

    #[test]
    fn services_are_named_as_long_as_there_are_some() {
        let dir = tempfile::tempdir().unwrap();
        let mut project = Project::create(dir.path()).unwrap();
        let classes = ["p1.Listener", "p2.Listener"].map(str::to_owned);
        let with = Revision {
            services: BTreeMap::from([("a.Interface", BTreeSet::from(classes))]),
            ..Revision::default()
        };
        project.put(&with).unwrap();
        let file = project.test_classes().join("META-INF/services/a.Interface");
        let text = fs::read_to_string(&file).unwrap();
        assert_eq!(text, "p1.Listener\np2.Listener\n");
        project.put(&Revision::default()).unwrap();
        assert!(!file.exists());
    }

    #[test]
    fn what_surrounds_programs_comes_and_goes() {
        let dir = tempfile::tempdir().unwrap();
        let mut project = Project::create(dir.path()).unwrap();
        let surroundings = Surroundings::of(
            &[
                Surrounding::Resource {
                    name: "a.txt",
                    text: "1",
                },
                Surrounding::File {
                    name: "b.txt",
                    text: "2",
                },
                Surrounding::Property {
                    name: "c",
                    value: "3",
                },
            ],
            "p",
        );
        let with = Revision {
            library: ClassFiles::from([("p/L.class".to_owned(), Vec::new())]),
            surroundings: BTreeMap::from([("p".to_owned(), surroundings)]),
            ..Revision::default()
        };
        let files = ["target/classes/p/a.txt", "data/p/b.txt", "lib/library.jar"];
        let files = files.map(|path| project.directory().join(path));
        project.put(&with).unwrap();
        assert!(files.iter().all(|file| file.is_file()));
        project.put(&Revision::default()).unwrap();
        assert!(!files.iter().any(|file| file.exists()));
        assert!(!project.directory().join("data").exists());
    }

    #[test]
    fn sources_take_the_place_of_class_files() {
        let dir = tempfile::tempdir().unwrap();
        let mut project = Project::with(Content::Sources, dir.path()).unwrap();
        let files = |path: &str| ClassFiles::from([(path.to_owned(), b"class".to_vec())]);
        let with = Revision {
            code: files("p/A.class"),
            tests: files("p/T1.class"),
            code_sources: files("p/A.java"),
            test_sources: files("p/T1.java"),
            ..Revision::default()
        };
        project.put(&with).unwrap();
        let sources = ["src/main/java/p/A.java", "src/test/java/p/T1.java"];
        let sources = sources.map(|path| project.directory().join(path));
        assert!(sources.iter().all(|file| file.is_file()));
        assert!(!project_file(dir.path(), "A").exists());
        project.put(&Revision::default()).unwrap();
        assert!(!sources.iter().any(|file| file.exists()));
    }

    fn project_file(place: &Path, name: &str) -> PathBuf {
        place.join(format!("project/target/classes/p/{name}.class"))
    }

    #[test]
    fn a_run_finds_nothing_of_the_one_before() {
        let dir = tempfile::tempdir().unwrap();
        let project = Project::create(dir.path()).unwrap();
        project
            .prepare(&Choice::Methods(vec!["p.T#a".to_owned()]), true)
            .unwrap();
        assert!(project.halt().exists());
        fs::write(project.states(), "x").unwrap();
        fs::write(project.reports().join("a.xml"), "x").unwrap();
        project
            .prepare(&Choice::Classes(vec!["p.T".to_owned()]), false)
            .unwrap();
        assert!(!project.halt().exists() && !project.states().exists());
        assert_eq!(fs::read_dir(project.reports()).unwrap().count(), 0);
        let chosen = fs::read_to_string(project.choice()).unwrap();
        assert_eq!(chosen, "--include-classname=.*\n--select-class=p.T\n");
    }
}
