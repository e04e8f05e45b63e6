//! The JDKs of this machine, and the programs in them.
//!
//! A JDK is a home directory with `bin/javac`. What the user names in `TAMIS_JDKS` must be one, or
//! looking for JDKs fails: a matrix of JDKs that silently lost a column would prove nothing. What
//! merely lies around (`JAVA_HOME`, the system's directory, `PATH`) is taken when it is a JDK, and
//! reported as unusable when it looks like one and will not tell its version.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs, io};

/// A Java development kit with a compiler.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Jdk {
    /// The home directory, without symbolic links.
    pub home: PathBuf,
    /// The feature release: 8, 11, 17, …
    pub feature: u32,
    /// The version as the JDK spells it: `1.8.0_504`, `17.0.15`.
    pub version: String,
}

/// What a search for JDKs brought.
#[derive(Debug, Default)]
pub struct FoundJdks {
    /// Sorted by feature release; among equals the one named first stands first.
    pub jdks: Vec<Jdk>,
    /// Homes that have a compiler but could not be used; nobody asked for them by name.
    pub unusable: Vec<JdkError>,
}

/// Where to look for JDKs, in order of precedence.
#[derive(Debug, Clone, Default)]
pub struct JdkPlaces {
    /// Homes that the user named (`TAMIS_JDKS`), separated as in `PATH`.
    pub named: Option<OsString>,
    /// The value of `JAVA_HOME`.
    pub java_home: Option<OsString>,
    /// Directories whose entries may be JDKs.
    pub directories: Vec<PathBuf>,
    /// The value of `PATH`, searched for `javac` and `java`.
    pub path: Option<OsString>,
}

/// A directory that was taken for a JDK cannot be used as one.
#[derive(Debug, thiserror::Error)]
#[error("cannot use `{}` as a JDK", home.display())]
pub struct JdkError {
    /// The directory as it was named.
    pub home: PathBuf,
    /// What is wrong with it.
    #[source]
    pub kind: JdkErrorKind,
}

/// What is wrong with a JDK's directory.
#[derive(Debug, thiserror::Error)]
pub enum JdkErrorKind {
    /// The directory itself cannot be reached.
    #[error("cannot find the directory")]
    Unreachable(#[source] io::Error),
    /// The directory holds no compiler: a run-time environment only, or something else.
    #[error("there is no `bin/javac` in it")]
    NoCompiler,
    /// There is no `release` file that tells the version, and `java -version` cannot be started.
    #[error("cannot run its `java -version`")]
    CannotRun(#[source] io::Error),
    /// Neither the `release` file nor `java -version` says a version that can be understood.
    #[error("it does not tell a Java version that can be understood (it says `{0}`)")]
    UnknownVersion(String),
}

impl Jdk {
    /// Looks at the JDK in `home`.
    pub fn open(home: &Path) -> Result<Self, JdkError> {
        let error = |kind| JdkError {
            home: home.to_path_buf(),
            kind,
        };
        let canonical =
            fs::canonicalize(home).map_err(|cause| error(JdkErrorKind::Unreachable(cause)))?;
        if !has_compiler(&canonical) {
            return Err(error(JdkErrorKind::NoCompiler));
        }
        let version = match version_in_release_file(&canonical) {
            Some(version) => version,
            None => version_of_launcher(&canonical).map_err(error)?,
        };
        let Some(feature) = feature_release(&version) else {
            return Err(error(JdkErrorKind::UnknownVersion(version)));
        };
        Ok(Self {
            home: canonical,
            feature,
            version,
        })
    }

    /// The JDKs that this process's environment and the system offer.
    pub fn find() -> Result<FoundJdks, JdkError> {
        Self::find_in(&JdkPlaces::of_this_process())
    }

    /// The JDKs in `places`. Fails when the user named a home that is not a JDK.
    pub fn find_in(places: &JdkPlaces) -> Result<FoundJdks, JdkError> {
        let mut found = FoundJdks::default();
        let mut seen = BTreeSet::new();
        for home in places.named_homes() {
            let jdk = Self::open(&home)?;
            if seen.insert(jdk.home.clone()) {
                found.jdks.push(jdk);
            }
        }
        for home in places.offered_homes() {
            let Ok(canonical) = fs::canonicalize(&home) else {
                continue;
            };
            if has_compiler(&canonical) && seen.insert(canonical) {
                match Self::open(&home) {
                    Ok(jdk) => found.jdks.push(jdk),
                    Err(error) => found.unusable.push(error),
                }
            }
        }
        found.jdks.sort_by_key(|jdk| jdk.feature);
        Ok(found)
    }

    /// The launcher, `bin/java`.
    pub fn java(&self) -> PathBuf {
        self.tool("java")
    }

    /// The compiler, `bin/javac`.
    pub fn javac(&self) -> PathBuf {
        self.tool("javac")
    }

    /// The disassembler, `bin/javap`.
    pub fn javap(&self) -> PathBuf {
        self.tool("javap")
    }

    /// The program `name` in `bin`; whether it exists is not checked.
    pub fn tool(&self, name: &str) -> PathBuf {
        program(&self.home, name)
    }
}

impl JdkPlaces {
    /// The places that this process's environment and the system's conventions name.
    pub fn of_this_process() -> Self {
        Self {
            named: env::var_os("TAMIS_JDKS"),
            java_home: env::var_os("JAVA_HOME"),
            directories: vec![PathBuf::from("/usr/lib/jvm")],
            path: env::var_os("PATH"),
        }
    }

    /// The homes the user named, in that order.
    fn named_homes(&self) -> Vec<PathBuf> {
        split(self.named.as_ref())
    }

    /// Directories that may be JDKs, by falling precedence, in an order that does not vary.
    fn offered_homes(&self) -> Vec<PathBuf> {
        let mut homes: Vec<PathBuf> = self.java_home.iter().map(PathBuf::from).collect();
        for directory in &self.directories {
            homes.extend(sorted_entries(directory));
        }
        for directory in split(self.path.as_ref()) {
            for name in ["javac", "java"] {
                let file = directory.join(format!("{name}{}", env::consts::EXE_SUFFIX));
                homes.extend(homes_of_program(&file));
            }
        }
        homes
    }
}

/// The parts of a list that is separated as `PATH` is; empty ones are left out.
fn split(list: Option<&OsString>) -> Vec<PathBuf> {
    let parts = list.into_iter().flat_map(env::split_paths);
    parts.filter(|part| !part.as_os_str().is_empty()).collect()
}

/// What lies in `directory`, sorted; nothing when there is no such directory.
fn sorted_entries(directory: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(directory).into_iter().flatten().flatten();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    paths.sort();
    paths
}

/// The homes that a `java` or `javac` may belong to, once symbolic links are followed.
///
/// The second one is for Java 8, whose launcher lies in `jre/bin` inside the JDK.
fn homes_of_program(file: &Path) -> Vec<PathBuf> {
    let Ok(file) = fs::canonicalize(file) else {
        return Vec::new();
    };
    file.ancestors()
        .skip(2)
        .take(2)
        .map(Path::to_path_buf)
        .collect()
}

fn has_compiler(home: &Path) -> bool {
    program(home, "javac").is_file()
}

fn program(home: &Path, name: &str) -> PathBuf {
    home.join("bin")
        .join(format!("{name}{}", env::consts::EXE_SUFFIX))
}

/// `JAVA_VERSION` of the `release` file; some packages of Java 8 come without that file.
fn version_in_release_file(home: &Path) -> Option<String> {
    let text = fs::read_to_string(home.join("release")).ok()?;
    let value = text.lines().find_map(|l| l.strip_prefix("JAVA_VERSION="))?;
    Some(value.trim().trim_matches('"').to_owned())
}

/// The version that `java -version` prints, on standard error.
fn version_of_launcher(home: &Path) -> Result<String, JdkErrorKind> {
    let output = Command::new(program(home, "java"))
        .arg("-version")
        .output()
        .map_err(JdkErrorKind::CannotRun)?;
    let text = String::from_utf8_lossy(&output.stderr);
    let version = version_in_banner(&text);
    version.ok_or_else(|| JdkErrorKind::UnknownVersion(text.trim().to_owned()))
}

/// The quoted version of a banner such as `openjdk version "1.8.0_504"`.
///
/// Other lines may stand before it: the JVM announces `JAVA_TOOL_OPTIONS` first.
fn version_in_banner(banner: &str) -> Option<String> {
    let (_, rest) = banner.split_once(" version \"")?;
    let (version, _) = rest.split_once('"')?;
    Some(version.to_owned())
}

/// The feature release of a version string; before 9 it stood in second place (`1.8.0_504`).
fn feature_release(version: &str) -> Option<u32> {
    let version = version.strip_prefix("1.").unwrap_or(version);
    let end = version.find(|c: char| !c.is_ascii_digit());
    version[..end.unwrap_or(version.len())].parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::error::Error as _;

    /// Makes a directory that looks like a JDK of `version`.
    fn fake_jdk(home: &Path, version: &str) {
        fs::create_dir_all(home.join("bin")).unwrap();
        fs::write(program(home, "javac"), "").unwrap();
        fs::write(
            home.join("release"),
            format!("IMPLEMENTOR=\"x\"\nJAVA_VERSION=\"{version}\"\n"),
        )
        .unwrap();
    }

    fn versions(found: &FoundJdks) -> Vec<&str> {
        found.jdks.iter().map(|jdk| jdk.version.as_str()).collect()
    }

    #[test]
    fn feature_release_of_old_new_and_early_access_versions() {
        let features =
            ["1.8.0_504", "9", "17.0.15", "21.0.13.0.3", "25-ea", "x", ""].map(feature_release);
        assert_eq!(
            features,
            [Some(8), Some(9), Some(17), Some(21), Some(25), None, None]
        );
    }

    #[test]
    fn banner_may_follow_other_lines() {
        let banner = "Picked up JAVA_TOOL_OPTIONS: -Da=b\nopenjdk version \"1.8.0_504\"\nmore";
        assert_eq!(version_in_banner(banner).unwrap(), "1.8.0_504");
    }

    #[test]
    fn sorted_by_feature_and_named_ones_first_among_equals() {
        let root = tempfile::tempdir().unwrap();
        let [named, system] = ["named", "system"].map(|name| root.path().join(name));
        fake_jdk(&named, "17.0.2");
        fake_jdk(&system.join("b"), "17.0.1");
        fake_jdk(&system.join("a"), "1.8.0_1");
        let found = Jdk::find_in(&JdkPlaces {
            named: Some(named.into()),
            directories: vec![system],
            ..JdkPlaces::default()
        });
        assert_eq!(versions(&found.unwrap()), ["1.8.0_1", "17.0.2", "17.0.1"]);
    }

    #[cfg(unix)]
    #[test]
    fn one_home_reached_by_several_ways_is_one_jdk() {
        let root = tempfile::tempdir().unwrap();
        let home = root.path().join("jdk");
        let path = root.path().join("path");
        fake_jdk(&home, "17.0.2");
        fs::create_dir(&path).unwrap();
        std::os::unix::fs::symlink(&home, root.path().join("link")).unwrap();
        std::os::unix::fs::symlink(home.join("bin/javac"), path.join("javac")).unwrap();
        let found = Jdk::find_in(&JdkPlaces {
            java_home: Some(home.into()),
            directories: vec![root.path().to_path_buf()],
            path: Some(path.into()),
            ..JdkPlaces::default()
        });
        assert_eq!(versions(&found.unwrap()), ["17.0.2"]);
    }

    #[cfg(unix)]
    #[test]
    fn launcher_of_java_8_on_the_path_leads_to_the_jdk_around_it() {
        let root = tempfile::tempdir().unwrap();
        let home = root.path().join("jdk8");
        fake_jdk(&home, "1.8.0_1");
        fs::create_dir_all(home.join("jre/bin")).unwrap();
        fs::write(program(&home.join("jre"), "java"), "").unwrap();
        let found = Jdk::find_in(&JdkPlaces {
            path: Some(home.join("jre/bin").into()),
            ..JdkPlaces::default()
        });
        assert_eq!(versions(&found.unwrap()), ["1.8.0_1"]);
    }

    #[test]
    fn a_named_home_that_is_no_jdk_is_an_error_that_names_it() {
        let root = tempfile::tempdir().unwrap();
        let named = |home: &Path| {
            Jdk::find_in(&JdkPlaces {
                named: Some(home.into()),
                ..JdkPlaces::default()
            })
        };
        let missing = root.path().join("missing");
        let error = named(&missing).unwrap_err();
        assert_eq!(error.home, missing);
        assert!(matches!(error.kind, JdkErrorKind::Unreachable(_)));
        let error = named(root.path()).unwrap_err();
        assert!(matches!(error.kind, JdkErrorKind::NoCompiler));
        assert_eq!(
            error.source().unwrap().to_string(),
            "there is no `bin/javac` in it"
        );
    }

    #[test]
    fn an_offered_home_without_a_version_is_reported_and_the_others_are_kept() {
        let root = tempfile::tempdir().unwrap();
        fake_jdk(&root.path().join("broken"), "soon");
        fake_jdk(&root.path().join("good"), "11");
        fs::create_dir(root.path().join("no-jdk")).unwrap();
        let found = Jdk::find_in(&JdkPlaces {
            directories: vec![root.path().to_path_buf()],
            ..JdkPlaces::default()
        })
        .unwrap();
        assert_eq!(versions(&found), ["11"]);
        assert_eq!(found.unusable.len(), 1);
    }

    #[test]
    fn empty_parts_of_the_list_name_nothing() {
        let found = Jdk::find_in(&JdkPlaces {
            named: Some("::".into()),
            ..JdkPlaces::default()
        });
        assert!(found.unwrap().jdks.is_empty());
    }
}
