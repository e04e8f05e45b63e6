//! Real libraries whose suites show that tests cannot tell whether they are watched. They are compiled
//! from the source jars on Maven Central, main and test, and kept in `target/testkit/suites/`.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

use anyhow::{Context, Result, ensure};
use tamis_build::Jdk;

use crate::java_side::target_options;
use crate::maven::{artifacts, class_path};
use crate::place::{content_key, folder_once};

/// A library with tests.
#[derive(Debug, Clone, Copy, Hash)]
pub struct Library {
    /// What people call it.
    pub name: &'static str,
    /// Its coordinates; its sources and test sources have the same, and a classifier.
    artifact: &'static str,
    pub(crate) framework: Framework,
    /// What it and its tests need, beside the framework.
    dependencies: &'static [&'static str],
    /// The Java release to compile for, where that of the JDK does not do.
    release: Option<u32>,
    /// Parts of paths of sources that are not compiled, and why.
    left_out: &'static [(&'static str, &'static str)],
    /// What its build gives the JVMs of its tests from JDK 9 on.
    pub(crate) opens: &'static [&'static str],
}

/// What runs the tests.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Framework {
    /// JUnit 4, and through it JUnit 3.
    Junit4,
    /// The JUnit Platform with Jupiter.
    Jupiter,
}

/// A library that is compiled.
#[derive(Debug, Clone)]
pub struct CompiledLibrary {
    pub library: Library,
    /// Laid out as Maven does: `src/test/…`, `target/classes`, `target/test-classes`.
    dir: PathBuf,
    /// The framework and the dependencies.
    jars: Vec<PathBuf>,
}

/// Small, quick, and each of another framework: part of every test run.
pub const QUICK: &[Library] = &[
    Library {
        name: "commons-cli",
        artifact: "commons-cli:commons-cli:1.9.0",
        framework: Framework::Jupiter,
        dependencies: &[
            "commons-io:commons-io:2.16.1",
            "org.mockito:mockito-core:4.11.0",
            // For newer JDKs than Mockito's own choice knows.
            "net.bytebuddy:byte-buddy:1.17.7",
            "net.bytebuddy:byte-buddy-agent:1.17.7",
        ],
        release: None,
        left_out: &[],
        opens: &[],
    },
    Library {
        name: "commons-validator",
        artifact: "commons-validator:commons-validator:1.6",
        framework: Framework::Junit4,
        dependencies: &[
            "commons-beanutils:commons-beanutils:1.9.4",
            "commons-digester:commons-digester:2.1",
            "commons-logging:commons-logging:1.2",
            "commons-collections:commons-collections:3.2.2",
        ],
        release: None,
        left_out: &[],
        opens: &[],
    },
];

/// Looks at classes by reflection and keeps what it found: for the drill alone.
pub const REFLECTIVE: &[Library] = &[Library {
    name: "commons-beanutils",
    artifact: "commons-beanutils:commons-beanutils:1.9.4",
    framework: Framework::Junit4,
    dependencies: &[
        "commons-logging:commons-logging:1.2",
        "commons-collections:commons-collections:3.2.2",
    ],
    release: None,
    left_out: &[
        (
            "/BeanMapTestCase",
            "its tests are those of another library's",
        ),
        ("/memoryleaktests/", "fills the memory"),
        ("/MemoryTestCase", "its own build leaves it out"),
        ("/Jira347TestCase", "runs until the memory is full"),
    ],
    opens: &[],
}];

/// Those that take minutes.
pub const LONG: &[Library] = &[
    Library {
        name: "commons-collections",
        artifact: "org.apache.commons:commons-collections4:4.4",
        framework: Framework::Junit4,
        dependencies: &[
            "org.easymock:easymock:5.4.0",
            "org.apache.commons:commons-lang3:3.12.0",
        ],
        // Its lists do not agree with what `List` has from JDK 21 on.
        release: Some(8),
        left_out: &[],
        opens: &[],
    },
    Library {
        name: "commons-lang",
        artifact: "org.apache.commons:commons-lang3:3.12.0",
        framework: Framework::Jupiter,
        dependencies: &[
            "org.hamcrest:hamcrest:2.2",
            "org.easymock:easymock:5.4.0",
            "org.openjdk.jmh:jmh-core:1.27",
            "com.google.code.findbugs:jsr305:3.0.2",
            "org.junit-pioneer:junit-pioneer:1.9.1",
        ],
        release: None,
        left_out: &[(
            "/jmh_generated/",
            "another compiler run's output, and broken",
        )],
        opens: &[
            "java.base/java.lang",
            "java.base/java.lang.reflect",
            "java.base/java.time",
            "java.base/java.time.chrono",
            "java.base/java.util",
        ],
    },
    Library {
        name: "commons-math",
        artifact: "org.apache.commons:commons-math3:3.6.1",
        framework: Framework::Junit4,
        dependencies: &[],
        release: None,
        left_out: &[],
        opens: &[],
    },
];

/// A suite of some seconds, all of it arithmetic and texts: for whole builds.
pub const CODEC: Library = Library {
    name: "commons-codec",
    artifact: "commons-codec:commons-codec:1.13",
    framework: Framework::Junit4,
    dependencies: &["org.apache.commons:commons-lang3:3.8"],
    release: None,
    left_out: &[("PerformanceTest", "its own build leaves it out")],
    opens: &[],
};

/// A suite of some seconds, most of them those of a database that one test class starts: for whole builds.
pub const CSV: Library = Library {
    name: "commons-csv",
    artifact: "org.apache.commons:commons-csv:1.7",
    framework: Framework::Junit4,
    dependencies: &[
        "commons-io:commons-io:2.6",
        "org.apache.commons:commons-lang3:3.9",
        "com.h2database:h2:1.4.199",
        // Newer ones make mocks by Byte Buddy, which does not work with Ekstazi.
        "org.mockito:mockito-all:1.10.19",
    ],
    release: None,
    left_out: &[
        ("/perf/", "its own build leaves it out"),
        ("/PerformanceTest", "its own build leaves it out"),
        ("/CSVBenchmark", "needs parsers of others"),
    ],
    // Where Mockito defines its classes, and what it makes mocks of.
    opens: &["java.base/java.lang", "java.base/java.io"],
};

impl Framework {
    fn artifacts(self) -> &'static [&'static str] {
        match self {
            Self::Junit4 => &["junit:junit:4.13.2"],
            Self::Jupiter => &[
                "org.junit.jupiter:junit-jupiter:5.11.4",
                "org.junit.platform:junit-platform-launcher:1.11.4",
            ],
        }
    }

    /// The jars of the framework and of what comes with it.
    fn jars(self, more: &[&str]) -> Result<Vec<PathBuf>> {
        class_path(&[self.artifacts(), more].concat())
    }
}

impl Library {
    /// The library as this JDK's `javac` compiles it.
    pub fn compile(&self, jdk: &Jdk) -> Result<CompiledLibrary> {
        let jars = self.framework.jars(self.dependencies)?;
        let key = content_key(&(self, jdk.feature));
        let name = format!("suites/{}-{}-{key}", self.name, jdk.feature);
        let dir = folder_once(&name, |dir| self.compile_into(jdk, &jars, dir))
            .with_context(|| format!("cannot compile {} on JDK {}", self.name, jdk.feature))?;
        Ok(CompiledLibrary {
            library: *self,
            dir,
            jars,
        })
    }

    /// What it and its tests need, beside the framework: `group:artifact:version`.
    pub fn dependencies(&self) -> &'static [&'static str] {
        self.dependencies
    }

    /// Packages that its tests look into: `java.base/java.util`.
    pub fn opens(&self) -> &'static [&'static str] {
        self.opens
    }

    /// Its sources and resources where Maven expects them, with those of its tests, and without a POM.
    pub fn lay_out(&self, jdk: &Jdk, dir: &Path) -> Result<()> {
        for (archive, part) in self.source_archives()?.iter().zip(["main", "test"]) {
            let unpacked = tempfile::tempdir()?;
            unpack(jdk, archive, unpacked.path())?;
            let is_wanted = |file: &Path| {
                // The POM of the library is not that of the project around.
                !self.is_left_out(file) && !file.to_string_lossy().contains("/META-INF/maven/")
            };
            let [sources, resources] =
                ["java", "resources"].map(|kind| dir.join("src").join(part).join(kind));
            copy_tree(unpacked.path(), &sources, &|file| {
                is_source(file) && is_wanted(file)
            })?;
            copy_tree(unpacked.path(), &resources, &|file| {
                !is_source(file) && is_wanted(file)
            })?;
        }
        Ok(())
    }

    /// The jars with its sources, and with those of its tests.
    fn source_archives(&self) -> Result<Vec<PathBuf>> {
        let sources = ["sources", "test-sources"].map(|kind| format!("{}:{kind}", self.artifact));
        artifacts(&sources.each_ref().map(String::as_str))
    }

    fn compile_into(&self, jdk: &Jdk, jars: &[PathBuf], dir: &Path) -> Result<()> {
        let archives = self.source_archives()?;
        let main = dir.join("src/main/java");
        // Resources lie among the sources; tests look for them at either place.
        let (test, resources) = (dir.join("src/test/java"), dir.join("src/test/resources"));
        unpack(jdk, &archives[0], &main)?;
        unpack(jdk, &archives[1], &test)?;
        unpack(jdk, &archives[1], &resources)?;
        let (classes, test_classes) = (dir.join("target/classes"), dir.join("target/test-classes"));
        self.compile_part(jdk, &main, &classes, jars)?;
        let mut path = vec![classes];
        path.extend_from_slice(jars);
        self.compile_part(jdk, &test, &test_classes, &path)
    }

    /// Compiles what lies in `sources`; what else lies there comes with it.
    fn compile_part(&self, jdk: &Jdk, sources: &Path, out: &Path, path: &[PathBuf]) -> Result<()> {
        copy_tree(sources, out, &|file| !is_source(file))?;
        let files = self.compiled_files(sources)?;
        let mut command = Command::new(jdk.javac());
        command
            .args(["-proc:none", "-encoding", "UTF-8"])
            .args(self.javac_options(jdk))
            .arg("-classpath")
            .arg(env::join_paths(path)?)
            .arg("-d")
            .arg(out)
            .args(files);
        succeed(&mut command)
    }

    /// What `javac` is to make of the library, but for the class path.
    fn javac_options(&self, jdk: &Jdk) -> Vec<String> {
        let target = self.release.map(|release| target_options(jdk, release));
        let mut options = vec!["-nowarn".to_owned(), "-g".to_owned()];
        options.extend(target.unwrap_or_default());
        options
    }

    /// The source files in a folder that are compiled, sorted.
    fn compiled_files(&self, sources: &Path) -> Result<Vec<PathBuf>> {
        let mut files = Vec::new();
        list_files(sources, &mut files)?;
        files.retain(|file| is_source(file) && !self.is_left_out(file));
        files.sort();
        Ok(files)
    }

    fn is_left_out(&self, file: &Path) -> bool {
        let text = file.to_string_lossy();
        let mut left_out = self.left_out.iter();
        left_out.any(|(part, _)| text.contains(part)) || text.ends_with("module-info.java")
    }
}

impl CompiledLibrary {
    /// The same library in a directory of its own, where it may be changed: `src` and `target`.
    pub fn copy_to(&self, dir: &Path) -> Result<Self> {
        for folder in ["src", "target"] {
            copy_tree(&self.dir.join(folder), &dir.join(folder), &|_| true)?;
        }
        Ok(Self {
            dir: dir.to_path_buf(),
            ..self.clone()
        })
    }

    /// The source files that are compiled: those of the library, and those of its tests.
    pub fn source_files(&self) -> Result<[Vec<PathBuf>; 2]> {
        let [main, test] = ["src/main/java", "src/test/java"].map(|folder| self.dir.join(folder));
        Ok([
            self.library.compiled_files(&main)?,
            self.library.compiled_files(&test)?,
        ])
    }

    /// What `javac` is given to compile the library, but for the class path.
    pub fn javac_options(&self, jdk: &Jdk) -> Vec<String> {
        self.library.javac_options(jdk)
    }

    /// The jars of the framework and of the dependencies.
    pub fn jars(&self) -> &[PathBuf] {
        &self.jars
    }

    /// The folders with the library's classes and with those of its tests.
    pub fn class_folders(&self) -> [PathBuf; 2] {
        ["target/classes", "target/test-classes"].map(|folder| self.dir.join(folder))
    }

    /// The class path of the tests.
    pub(crate) fn class_path(&self, runner: PathBuf) -> Result<OsString> {
        let mut path = self.class_folders().to_vec();
        path.push(runner);
        path.extend_from_slice(&self.jars);
        Ok(env::join_paths(path)?)
    }

    /// The classes that are named as build tools expect of test classes, sorted.
    pub fn test_classes(&self) -> Result<Vec<String>> {
        let root = self.dir.join("target/test-classes");
        let mut files = Vec::new();
        list_files(&root, &mut files)?;
        let names = files.iter().filter_map(|file| {
            let path = file.strip_prefix(&root).ok()?.to_str()?;
            let name = path.strip_suffix(".class")?.replace('/', ".");
            is_test_name(&name).then_some(name)
        });
        let mut names: Vec<_> = names.collect();
        names.sort();
        ensure!(!names.is_empty(), "{} has no tests", self.library.name);
        Ok(names)
    }

    /// What tests find in the directory that they run in.
    pub(crate) fn copy_workplace(&self, dir: &Path) -> Result<()> {
        copy_tree(&self.dir.join("src"), &dir.join("src"), &|_| true)?;
        Ok(fs::create_dir(dir.join("target"))?)
    }
}

/// Surefire's own pattern; nested classes run with the class around them.
fn is_test_name(name: &str) -> bool {
    let simple = name.rsplit('.').next().unwrap_or(name);
    let is_named_so = simple.starts_with("Test")
        || ["Test", "Tests", "TestCase"]
            .iter()
            .any(|end| simple.ends_with(end));
    is_named_so && !simple.contains('$')
}

fn is_source(file: &Path) -> bool {
    file.extension()
        .is_some_and(|extension| extension == "java")
}

fn unpack(jdk: &Jdk, archive: &Path, dir: &Path) -> Result<()> {
    fs::create_dir_all(dir)?;
    let mut command = Command::new(jdk.tool("jar"));
    succeed(command.current_dir(dir).arg("xf").arg(archive))
}

/// Runs a tool that is to succeed.
pub(crate) fn succeed(command: &mut Command) -> Result<()> {
    command.env_remove("JAVA_TOOL_OPTIONS");
    command.env_remove("JDK_JAVA_OPTIONS");
    let program = command.get_program().to_owned();
    let output = command
        .output()
        .with_context(|| format!("cannot start {}", program.display()))?;
    ensure!(
        output.status.success(),
        "{} failed:\n{}{}",
        program.display(),
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
    Ok(())
}

fn list_files(dir: &Path, files: &mut Vec<PathBuf>) -> Result<()> {
    for entry in fs::read_dir(dir).with_context(|| format!("cannot list {}", dir.display()))? {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            list_files(&entry.path(), files)?;
        } else {
            files.push(entry.path());
        }
    }
    Ok(())
}

/// Copies the files that are wanted.
fn copy_tree(from: &Path, to: &Path, is_wanted: &dyn Fn(&Path) -> bool) -> Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy_tree(&entry.path(), &target, is_wanted)?;
        } else if is_wanted(&entry.path()) {
            fs::copy(entry.path(), target)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_tests() {
        for name in ["a.TestB", "a.BTest", "BTests", "a.b.CTestCase"] {
            assert!(is_test_name(name), "{name}");
        }
        for name in ["a.B", "a.BTest$C", "a.Contest", "Test.a"] {
            assert!(!is_test_name(name), "{name}");
        }
    }
}
