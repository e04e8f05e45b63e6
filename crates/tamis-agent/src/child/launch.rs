//! Which program a process would run, found as the JDK finds it, and whether it can be given the agent.
//!
//! In doubt the answer is no: a process that is not followed is told as such, while one that is given
//! an argument it cannot take would fail.

use std::env;
use std::ffi::OsStr;
use std::fs;
use std::io;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

use crate::jvm_options;

/// A process that is about to be started.
#[derive(Debug, Default)]
pub(crate) struct Launch {
    /// As the test named it.
    pub(crate) program: Vec<u8>,
    /// Its arguments, each ended by a zero; its own name is not among them.
    pub(crate) arguments: Vec<u8>,
    /// Its environment, each variable ended by a zero; none if it has that of this process.
    pub(crate) environment: Option<Vec<u8>>,
    /// Where it is to run; none if where this process does.
    pub(crate) directory: Option<Vec<u8>>,
}

/// Parts of options with which a JVM does not start if it has a native agent, prints the classes or natives
/// that it has, records what it ran for later JVMs, is another JVM than this one, or reads options that
/// cannot be seen here.
const OPTIONS_WITHOUT_AGENT: &[&str] = &[
    "-Xshare:dump",
    "-XX:+DumpSharedSpaces",
    "-XX:ArchiveClassesAtExit",
    "-XX:+AutoCreateSharedArchive",
    "-XX:+RecordDynamicDumpInfo",
    "-verbose\0",
    "-verbose:class",
    "-verbose:jni",
    "-XX:+TraceClass",
    "-Xlog\0",
    "-Xlog:all",
    "-Xlog:class",
    "-Xlog:jni",
    "class+",
    "jni+",
    "-XX:AOTMode",
    "-XX:AOTConfiguration",
    "-XX:AOTCacheOutput",
    "-XX:Flags",
    "-XX:VMOptionsFile",
    "-XXaltjvm",
    "-minimal",
    "-client",
    // Of JDK 8: a JVM of this version, or of that one.
    "-version:",
];

/// How Surefire asks, again and again, whether the Maven that started its JVM still runs.
const QUESTIONS_OF_SUREFIRE: [&[u8]; 2] = [b"ps -o etime= -p ", b"ps -o etime,pid "];

impl Launch {
    /// Whether it is Surefire's and no test's: it reads no file, and no test hears of it.
    pub(crate) fn is_surefires(&self) -> bool {
        let asks = |question: &[u8]| {
            let mut parts = self.arguments.windows(question.len());
            parts.any(|part| part == question)
        };
        self.program == b"/bin/sh" && QUESTIONS_OF_SUREFIRE.into_iter().any(asks)
    }

    /// Whether this is one of these launchers, and its JVM will load the agent.
    pub(crate) fn takes_agent(&self, launchers: &[PathBuf]) -> bool {
        let program = self.resolve(env::var_os("PATH").as_deref());
        program.is_some_and(|program| launchers.contains(&program)) && !self.forbids_agent()
    }

    /// The file that the system will execute, with all links followed; none if that is not sure.
    ///
    /// A program without a slash is looked for in the `PATH` of this process, not in that of the child.
    /// Everything relative begins at the child's directory, which it enters first.
    fn resolve(&self, path: Option<&OsStr>) -> Option<PathBuf> {
        let program = Path::new(OsStr::from_bytes(&self.program));
        if self.program.is_empty() {
            return None;
        }
        if self.program.contains(&b'/') {
            return fs::canonicalize(self.in_directory(program)).ok();
        }
        for entry in env::split_paths(path?) {
            match fs::canonicalize(self.in_directory(entry.join(program))) {
                Ok(found) => return Some(found),
                Err(error) if is_passed_over(&error) => {}
                Err(_) => return None,
            }
        }
        None
    }

    fn in_directory(&self, path: impl AsRef<Path>) -> PathBuf {
        let directory = self.directory.as_deref().unwrap_or_default();
        Path::new(OsStr::from_bytes(directory)).join(path)
    }

    fn forbids_agent(&self) -> bool {
        let environment = self.environment.as_deref();
        let texts = jvm_options::texts(&self.arguments, environment, &self.in_directory(""));
        texts.iter().any(|text| {
            let mut options = OPTIONS_WITHOUT_AGENT.iter();
            options.any(|option| jvm_options::contains(text, option.as_bytes()))
        })
    }
}

/// The launchers of the JDK at `home`, with all links followed. JDK 8 has one outside of its `jre`.
pub(super) fn launchers(home: &[u8]) -> Vec<PathBuf> {
    let home = Path::new(OsStr::from_bytes(home));
    let outer = home
        .file_name()
        .filter(|name| *name == "jre")
        .and_then(|_| home.parent());
    let homes = [Some(home), outer].into_iter().flatten();
    homes
        .filter_map(|home| fs::canonicalize(home.join("bin/java")).ok())
        .collect()
}

/// Whether both the JDK and the system go on to the next entry of `PATH`.
fn is_passed_over(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory | io::ErrorKind::PermissionDenied
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;
    use tempfile::TempDir;

    #[test]
    fn what_surefire_asks_is_its_own() {
        for (program, arguments, expected) in [
            ("/bin/sh", "-c\0/usr/bin/ps -o etime= -p 12\0", true),
            ("/bin/sh", "-c\0/bin/ps -o etime,pid 12\0", true),
            ("/bin/sh", "-c\0ps -e\0", false),
            ("/bin/ps", "-c\0ps -o etime= -p 12\0", false),
        ] {
            let launch = Launch {
                program: program.into(),
                arguments: arguments.into(),
                ..Launch::default()
            };
            assert_eq!(launch.is_surefires(), expected, "{arguments}");
        }
    }

    /// `jdk/bin/java`, `links/java` that leads to it, and `other/java`.
    fn world() -> (TempDir, PathBuf) {
        let dir = tempfile::tempdir().unwrap();
        let root = fs::canonicalize(dir.path()).unwrap();
        for folder in ["jdk/bin", "links", "other"] {
            fs::create_dir_all(root.join(folder)).unwrap();
        }
        fs::write(root.join("jdk/bin/java"), "").unwrap();
        fs::write(root.join("other/java"), "").unwrap();
        symlink("../jdk/bin/java", root.join("links/java")).unwrap();
        (dir, root)
    }

    fn check(root: &Path, program: &str, directory: &str, path: &str, expected: Option<&str>) {
        let launch = Launch {
            program: program.into(),
            directory: Some(root.join(directory).as_os_str().as_bytes().to_vec()),
            ..Launch::default()
        };
        let path = path.replace("ROOT", root.to_str().unwrap());
        let found = launch.resolve(Some(OsStr::new(&path)));
        assert_eq!(found, expected.map(|expected| root.join(expected)));
    }

    #[test]
    fn a_path_begins_at_the_childs_directory() {
        let (_dir, root) = world();
        check(&root, "../jdk/bin/java", "other", "", Some("jdk/bin/java"));
        check(&root, "./java", "links", "", Some("jdk/bin/java"));
        check(&root, "./java", "other", "", Some("other/java"));
        check(&root, "./none", "other", "", None);
    }

    #[test]
    fn a_name_is_looked_for_in_the_path() {
        let (_dir, root) = world();
        let path = "/none:ROOT/other/java:ROOT/links:ROOT/other";
        check(&root, "java", "", path, Some("jdk/bin/java"));
        check(
            &root,
            "java",
            "",
            "ROOT/other:ROOT/links",
            Some("other/java"),
        );
        // An empty entry is the current directory, which is the child's.
        check(&root, "java", "other", ":ROOT/links", Some("other/java"));
        check(&root, "java", "", "links", Some("jdk/bin/java"));
        check(&root, "java", "", "/none", None);
        check(&root, "", "", "ROOT/links", None);
    }

    #[test]
    fn a_hard_link_is_another_program() {
        let (_dir, root) = world();
        fs::hard_link(root.join("jdk/bin/java"), root.join("other/hard")).unwrap();
        // It finds its JVM beside itself, and that is another one.
        check(&root, "./hard", "other", "", Some("other/hard"));
    }

    #[test]
    fn jdk_8_has_two_launchers() {
        let (_dir, root) = world();
        let inner = root.join("jdk/jre");
        fs::create_dir_all(inner.join("bin")).unwrap();
        fs::write(inner.join("bin/java"), "").unwrap();
        assert_eq!(
            launchers(inner.as_os_str().as_bytes()),
            [inner.join("bin/java"), root.join("jdk/bin/java")]
        );
        assert_eq!(
            launchers(root.join("jdk").as_os_str().as_bytes()),
            [root.join("jdk/bin/java")]
        );
    }

    #[test]
    fn options_that_forbid_an_agent_are_found_wherever_they_stand() {
        let (_dir, root) = world();
        fs::write(root.join("options"), "-cp x\n-Xshare:dump").unwrap();
        let forbids = |arguments: &str, environment: &str| {
            Launch {
                arguments: arguments.into(),
                environment: Some(environment.into()),
                directory: Some(root.as_os_str().as_bytes().to_vec()),
                ..Launch::default()
            }
            .forbids_agent()
        };
        assert!(!forbids("-cp\0x\0Main\0", "A=B\0"));
        assert!(!forbids("@none\0Main\0", ""));
        assert!(forbids("-XX:ArchiveClassesAtExit=a\0Main\0", ""));
        assert!(forbids("@options\0Main\0", ""));
        assert!(forbids(
            "Main\0",
            "JDK_JAVA_OPTIONS=-da -XX:Flags=file\0A=B\0"
        ));
    }
}
