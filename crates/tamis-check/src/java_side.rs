//! What must be Java: the oracle of generated tests and the compiler that stays, compiled at first use by the JDK at
//! hand; and the jar that runs tests.

use std::env;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

use tamis_build::Jdk;

/// JUnit's console launcher, of the last series that runs on Java 8.
const JUNIT: Artifact = Artifact {
    group: "org.junit.platform",
    name: "junit-platform-console-standalone",
    version: "1.13.4",
};
const DEPENDENCY_PLUGIN: &str = "org.apache.maven.plugins:maven-dependency-plugin:3.8.1";

const ORACLE: &str = include_str!("../java/tamis/check/Oracle.java");
const COMPILER: &str = include_str!("../java/tamis/check/Compiler.java");

/// Everything in Java that a check needs.
#[derive(Debug, Clone)]
pub(crate) struct JavaSide {
    pub(crate) jdk: Jdk,
    /// JUnit's console launcher.
    pub(crate) junit: PathBuf,
    /// Whether JUnit runs test classes at the same time.
    pub(crate) is_parallel: bool,
    /// The directory with the oracle's classes, which tests need.
    pub(crate) oracle: PathBuf,
    /// The directory with the compiler's classes.
    pub(crate) compiler: PathBuf,
    /// Where what can be made again is kept.
    pub(crate) cache: PathBuf,
}

/// The Java side cannot be made.
#[derive(Debug, thiserror::Error)]
pub enum JavaSideError {
    /// There is no JUnit.
    #[error("cannot fetch {} {} with Maven", JUNIT.name, JUNIT.version)]
    NoJUnit(#[source] io::Error),
    /// The user's jar is none.
    #[error("there is no file `{}`", .0.display())]
    NoJar(PathBuf),
    /// A file cannot be written.
    #[error("cannot write to `{}`", place.display())]
    Write {
        place: PathBuf,
        #[source]
        cause: io::Error,
    },
    /// javac does not take our own sources.
    #[error("`{}` does not compile what a check needs: {said}", javac.display())]
    Compile { javac: PathBuf, said: String },
}

impl JavaSide {
    /// Compiles it into a directory, unless it is there.
    pub(crate) fn prepare(jdk: &Jdk, junit: PathBuf, cache: &Path) -> Result<Self, JavaSideError> {
        let key = [ORACLE, COMPILER, &jdk.home.to_string_lossy(), &jdk.version].join("\n");
        let key = blake3::hash(key.as_bytes()).to_hex();
        let place = cache.join(format!("java-{}", &key[..16]));
        if !place.is_dir() {
            make_once(&place, |place| {
                compile(jdk, place, "oracle", "Oracle", ORACLE)?;
                compile(jdk, place, "compiler", "Compiler", COMPILER)
            })?;
        }
        Ok(Self {
            jdk: jdk.clone(),
            junit,
            is_parallel: false,
            oracle: place.join("oracle"),
            compiler: place.join("compiler"),
            cache: cache.to_path_buf(),
        })
    }

    pub(crate) fn compile_class_path(&self) -> String {
        format!("{}:{}", self.oracle.display(), self.junit.display())
    }
}

/// The jar of JUnit: the user's, the one in Maven's local repository, or one that Maven fetches into `place`.
pub(crate) fn find_junit(named: Option<&Path>, place: &Path) -> Result<PathBuf, JavaSideError> {
    if let Some(named) = named {
        let found = fs::canonicalize(named).ok().filter(|file| file.is_file());
        return found.ok_or_else(|| JavaSideError::NoJar(named.to_path_buf()));
    }
    JUNIT.find(place).map_err(JavaSideError::NoJUnit)
}

/// A jar by its Maven coordinates.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Artifact {
    pub(crate) group: &'static str,
    pub(crate) name: &'static str,
    pub(crate) version: &'static str,
}

impl Artifact {
    /// The one in Maven's local repository, or one that Maven fetches into `place`.
    pub(crate) fn find(&self, place: &Path) -> io::Result<PathBuf> {
        let Self {
            group,
            name,
            version,
        } = self;
        let file = format!("{name}-{version}.jar");
        let kept = place.join(&file);
        let candidates = local_repository()
            .map(|repository| {
                let folder = repository.join(group.replace('.', "/")).join(name);
                folder.join(version).join(&file)
            })
            .into_iter()
            .chain([kept.clone()]);
        if let Some(found) = candidates.into_iter().find(|file| file.is_file()) {
            return Ok(found);
        }
        self.fetch(place)?;
        Ok(kept)
    }

    /// Maven does the fetching, so that the user's mirrors and proxies apply.
    fn fetch(&self, place: &Path) -> io::Result<()> {
        fs::create_dir_all(place)?;
        let output = Command::new("mvn")
            .current_dir(place)
            .args(["-B", "-q"])
            .arg(format!("{DEPENDENCY_PLUGIN}:copy"))
            .arg(format!(
                "-Dartifact={}:{}:{}",
                self.group, self.name, self.version
            ))
            .arg(option("-DoutputDirectory=", place))
            .output()?;
        if output.status.success() {
            return Ok(());
        }
        let said = [output.stdout, output.stderr].concat();
        Err(io::Error::other(first_lines(&said)))
    }
}

/// Where Maven keeps what it has fetched, unless its settings say something else.
fn local_repository() -> Option<PathBuf> {
    let home = env::var_os("HOME").map(PathBuf::from)?;
    Some(home.join(".m2/repository"))
}

fn option(name: &str, value: &Path) -> OsString {
    let mut option = OsString::from(name);
    option.push(value);
    option
}

/// Makes a directory under another name first: another process sees all of it or nothing.
pub(crate) fn make_once(
    place: &Path,
    make: impl FnOnce(&Path) -> Result<(), JavaSideError>,
) -> Result<(), JavaSideError> {
    let write = |cause| JavaSideError::Write {
        place: place.to_path_buf(),
        cause,
    };
    let around = place.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(around).map_err(write)?;
    let temporary = tempfile::tempdir_in(around).map_err(write)?;
    make(temporary.path())?;
    match fs::rename(temporary.path(), place) {
        // Another process was faster, and made the same.
        Err(_) if place.is_dir() => Ok(()),
        made => made.map_err(write),
    }
}

pub(crate) fn compile(
    jdk: &Jdk,
    place: &Path,
    folder: &str,
    name: &str,
    text: &str,
) -> Result<(), JavaSideError> {
    let source = place.join(format!("{name}.java"));
    let classes = place.join(folder);
    let write = |cause| JavaSideError::Write {
        place: place.to_path_buf(),
        cause,
    };
    fs::write(&source, text).map_err(write)?;
    fs::create_dir(&classes).map_err(write)?;
    let arguments: [&OsStr; 6] = [
        "-proc:none".as_ref(),
        "-encoding".as_ref(),
        "UTF-8".as_ref(),
        "-d".as_ref(),
        classes.as_ref(),
        source.as_ref(),
    ];
    let javac = jdk.javac();
    let output = Command::new(&javac).args(arguments).output();
    let output = output.map_err(write)?;
    if output.status.success() {
        return Ok(());
    }
    let said = first_lines(&output.stderr);
    Err(JavaSideError::Compile { javac, said })
}

/// The beginning of what a program said, in one line.
pub(crate) fn first_lines(said: &[u8]) -> String {
    let said = String::from_utf8_lossy(said);
    let lines = said.lines().map(str::trim).filter(|line| !line.is_empty());
    lines.take(5).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// With the JDK that tests find first.
    pub(crate) fn java_side(place: &Path) -> JavaSide {
        let jdks = tamis_testkit::jdks::jdks().unwrap();
        let junit = find_junit(None, place).unwrap();
        JavaSide::prepare(&jdks[0], junit, place).unwrap()
    }

    /// One that is nowhere, for commands that do not start it.
    pub(crate) fn imagined() -> JavaSide {
        JavaSide {
            jdk: Jdk {
                home: PathBuf::from("/jdk"),
                feature: 8,
                version: "1.8".to_owned(),
            },
            junit: PathBuf::from("junit.jar"),
            is_parallel: false,
            oracle: PathBuf::from("oracle"),
            compiler: PathBuf::from("compiler"),
            cache: PathBuf::from("cache"),
        }
    }

    #[test]
    fn it_is_compiled_by_each_jdk_and_only_once() {
        let dir = tempfile::tempdir().unwrap();
        for jdk in &tamis_testkit::jdks::jdks().unwrap() {
            for _ in 0..2 {
                let junit = PathBuf::from("junit.jar");
                let java = JavaSide::prepare(jdk, junit, dir.path()).unwrap();
                assert!(java.oracle.join("tamis/check/Oracle.class").is_file());
                assert!(java.compiler.join("tamis/check/Compiler.class").is_file());
            }
        }
    }

    #[test]
    fn a_jar_that_is_not_there_is_named() {
        let dir = tempfile::tempdir().unwrap();
        let error = find_junit(Some(Path::new("none.jar")), dir.path()).unwrap_err();
        assert_eq!(error.to_string(), "there is no file `none.jar`");
    }
}
