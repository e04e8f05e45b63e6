//! Which files count: not the JDK's own, not those that the system makes up, and not the build tool's
//! letters to this JVM.

use std::env;
use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};

use crate::jvmti::Jvmti;

/// Folders of the system without files on a disk.
const SYSTEM: [&[u8]; 3] = [b"/proc", b"/sys", b"/dev"];

/// Where temporary files lie unless the JVM is told otherwise.
const TEMPORARY: &[u8] = b"/tmp";

/// Files with a name that begins so, and that is given to the JVM, are Surefire's.
const SUREFIRE: &[u8] = b"surefire";

/// How many digits in a row make a name random.
const N_DIGITS: usize = 8;

/// The surroundings of a JVM.
#[derive(Debug, Default)]
pub(super) struct Scope {
    /// Where relative paths begin. A JVM never changes it.
    directory: Vec<u8>,
    /// Folders that do not count.
    left_out: Vec<Vec<u8>>,
    temporary: Vec<u8>,
    /// Where class loaders look.
    class_directories: Vec<Vec<u8>>,
    /// The names of Surefire's files.
    letters: Vec<Vec<u8>>,
}

impl Scope {
    /// Of this process.
    pub(super) fn new(jvmti: Jvmti, class_directories: &[Vec<u8>]) -> Self {
        let directory = env::current_dir().unwrap_or_default();
        let home = jvmti.system_property(c"java.home").unwrap_or_default();
        let command = jvmti.system_property(c"sun.java.command");
        let mut scope = Self {
            directory: directory.into_os_string().into_vec(),
            left_out: homes(&home),
            temporary: TEMPORARY.to_vec(),
            class_directories: Vec::new(),
            letters: letters(&command.unwrap_or_default()),
        };
        let directories = class_directories.iter().map(|path| scope.absolute(path));
        // Loaders of the JDK look in directories by their paths without links.
        let directories = directories.flat_map(|path| {
            let real = fs::canonicalize(OsStr::from_bytes(&path)).ok();
            let real = real.map(|real| real.into_os_string().into_vec());
            real.filter(|real| *real != path).into_iter().chain([path])
        });
        scope.class_directories = directories.collect();
        // Known so early only if an option sets it.
        if let Some(path) = jvmti.system_property(c"java.io.tmpdir") {
            scope.temporary = scope.absolute(&path);
        }
        scope
    }

    /// The whole path, in its shortest form that follows the same links.
    pub(super) fn absolute(&self, path: &[u8]) -> Vec<u8> {
        let start: &[u8] = match path {
            [b'/', ..] => b"",
            _ => &self.directory,
        };
        let mut whole = Vec::with_capacity(start.len() + 1 + path.len());
        whole.extend_from_slice(start.strip_suffix(b"/").unwrap_or(start));
        let components = path.split(|byte| *byte == b'/');
        for component in components.filter(|component| !matches!(*component, b"" | b".")) {
            whole.push(b'/');
            whole.extend_from_slice(component);
        }
        if whole.is_empty() {
            whole.push(b'/');
        }
        whole
    }

    /// Whether an absolute path does not count.
    pub(super) fn is_left_out(&self, path: &[u8]) -> bool {
        let mut folders = SYSTEM
            .into_iter()
            .chain(self.left_out.iter().map(Vec::as_slice));
        let is_letter = || self.letters.iter().any(|letter| letter == last(path));
        folders.any(|folder| is_in(path, folder)) || is_letter()
    }

    /// Whether an absolute path is one that class loaders may look for, and keep what they found.
    pub(super) fn is_in_class_directory(&self, path: &[u8]) -> bool {
        let mut directories = self.class_directories.iter();
        directories.any(|directory| is_in(path, directory))
    }

    /// Whether an absolute path looks like one that nobody will ask for again: a name made up for a
    /// temporary file.
    pub(super) fn is_random(&self, path: &[u8]) -> bool {
        let is_temporary = is_in(path, &self.temporary) && path != self.temporary;
        let mut runs = last(path).split(|byte| !byte.is_ascii_hexdigit());
        is_temporary && runs.any(|run| run.len() >= N_DIGITS && run.iter().any(u8::is_ascii_digit))
    }
}

/// The JDK's folders. That of JDK 8 may have another one around its run-time part.
fn homes(home: &[u8]) -> Vec<Vec<u8>> {
    let whole = home.strip_suffix(b"/jre").unwrap_or_default();
    let homes = [home, whole].into_iter();
    homes
        .filter(|home| !home.is_empty())
        .map(<[u8]>::to_vec)
        .collect()
}

/// Names of Surefire's files in the command that started the program.
fn letters(command: &[u8]) -> Vec<Vec<u8>> {
    let names = command.split(|byte| matches!(byte, b' ' | b'/'));
    names
        .filter(|name| name.starts_with(SUREFIRE))
        .map(<[u8]>::to_vec)
        .collect()
}

/// Whether a path is that of a folder or of something in it.
fn is_in(path: &[u8], folder: &[u8]) -> bool {
    let rest = path.strip_prefix(folder);
    rest.is_some_and(|rest| matches!(rest, [] | [b'/', ..]) || folder == b"/")
}

fn last(path: &[u8]) -> &[u8] {
    path.rsplit(|byte| *byte == b'/').next().unwrap_or(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scope() -> Scope {
        Scope {
            directory: b"/work/shop".to_vec(),
            left_out: homes(b"/jdk8/jre"),
            temporary: b"/tmp".to_vec(),
            class_directories: [b"/work/shop/classes".to_vec()].into(),
            letters: letters(b"/w/target/surefire/surefirebooter2.jar surefire_0-1tmp x"),
        }
    }

    #[test]
    fn paths_become_absolute() {
        for (path, expected) in [
            ("a/b", "/work/shop/a/b"),
            ("./a//b/.", "/work/shop/a/b"),
            (".", "/work/shop"),
            ("../a", "/work/shop/../a"),
            ("//a/./b/", "/a/b"),
            ("/", "/"),
        ] {
            let whole = scope().absolute(path.as_bytes());
            assert_eq!(String::from_utf8(whole).unwrap(), expected, "{path}");
        }
        let at_root = Scope {
            directory: b"/".to_vec(),
            ..Scope::default()
        };
        assert_eq!(at_root.absolute(b"a"), b"/a");
    }

    #[test]
    fn the_jdk_the_system_and_surefire_are_left_out() {
        for path in [
            "/jdk8/jre/lib/rt.jar",
            "/jdk8/lib/tools.jar",
            "/jdk8",
            "/proc/self/fd",
            "/dev/null",
            "/w/target/surefire/surefirebooter2.jar",
            "/w/target/surefire",
            "/w/target/surefire/surefire_0-1tmp",
        ] {
            assert!(scope().is_left_out(path.as_bytes()), "{path}");
        }
        for path in [
            "/jdk88/x",
            "/device",
            "/w/target/surefire-reports",
            "/w/surefire_0",
            "/",
        ] {
            assert!(!scope().is_left_out(path.as_bytes()), "{path}");
        }
    }

    #[test]
    fn loaders_look_in_class_directories() {
        let is_in = |path: &str| scope().is_in_class_directory(path.as_bytes());
        assert!(is_in("/work/shop/classes") && is_in("/work/shop/classes/a/b.txt"));
        assert!(!is_in("/work/shop") && !is_in("/work/shop/classes2/a"));
        let everywhere = Scope {
            class_directories: [b"/".to_vec()].into(),
            ..Scope::default()
        };
        assert!(everywhere.is_in_class_directory(b"/a") && everywhere.is_in_class_directory(b"/"));
    }

    #[test]
    fn names_made_up_for_temporary_files_are_random() {
        for path in [
            "/tmp/a1234567890.tmp",
            "/tmp/x/junit-00ffaab8",
            "/tmp/550e8400-x",
        ] {
            assert!(scope().is_random(path.as_bytes()), "{path}");
        }
        for path in [
            "/tmp",
            "/tmp/config",
            "/tmp/deadbeef",
            "/tmp/1234567",
            "/tmp/12345678/config",
            "/work/12345678",
        ] {
            assert!(!scope().is_random(path.as_bytes()), "{path}");
        }
    }
}
