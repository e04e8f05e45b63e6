//! A directory of its own to run `tamis` in, and the redactor of what it prints.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;

use crate::fixtures::copy_classes;

/// What can be set in the environment.
const SETTINGS: &[&str] = &[
    "ENABLED",
    "MESH",
    "RUN_ALL",
    "RECORD",
    "STORE",
    "MAX_AGE",
    "RECORDS_KEPT",
    "DEBUG_INFO",
    "IGNORED_FILES",
];

/// The directory; it goes away with the value.
pub(crate) struct Sandbox {
    root: TempDir,
}

impl Sandbox {
    /// An empty one, which other users may enter.
    pub(crate) fn empty() -> Self {
        let root = tempfile::tempdir().unwrap();
        fs::set_permissions(root.path(), fs::Permissions::from_mode(0o755)).unwrap();
        Self { root }
    }

    /// One with the fixtures' classes in `before` and `after`.
    pub(crate) fn with_fixtures() -> Self {
        let sandbox = Self::empty();
        for version in ["before", "after"] {
            copy_classes(version, &sandbox.path(version).join("shop"));
        }
        sandbox
    }

    pub(crate) fn path(&self, name: impl AsRef<Path>) -> PathBuf {
        self.root.path().join(name)
    }

    /// Writes a file, and the directories above it.
    pub(crate) fn write(&self, name: impl AsRef<Path>, bytes: &[u8]) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }

    pub(crate) fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.path(name)).unwrap()
    }

    /// The command `tamis`, to be run in the sandbox, without a terminal and with default settings.
    pub(crate) fn tamis(&self) -> Command {
        self.command(env!("CARGO_BIN_EXE_tamis"))
    }

    /// The same, run by a user who is not root, since root may read everything.
    pub(crate) fn tamis_without_privileges(&self) -> Command {
        let is_root = fs::metadata("/proc/self").is_ok_and(|me| {
            use std::os::unix::fs::MetadataExt as _;
            me.uid() == 0
        });
        if !is_root {
            return self.tamis();
        }
        // The user `nobody` may not be allowed to enter the directory that cargo builds in.
        let copy = self.path("tamis");
        fs::copy(env!("CARGO_BIN_EXE_tamis"), &copy).unwrap();
        let mut command = self.command("setpriv");
        command
            .args(["--reuid=65534", "--regid=65534", "--clear-groups"])
            .arg(copy);
        command
    }

    /// Any program, in the same surroundings: nothing is set but what the test sets.
    pub(crate) fn command(&self, program: impl AsRef<OsStr>) -> Command {
        let mut command = Command::new(program);
        command.current_dir(self.root.path()).stdin(Stdio::null());
        for name in ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "RUST_BACKTRACE"] {
            command.env_remove(name);
        }
        for name in SETTINGS {
            command.env_remove(format!("TAMIS_{name}"));
        }
        command.env("XDG_CONFIG_HOME", self.path("configuration"));
        command
    }

    /// Runs `tamis` and gives everything it did, to be compared with a snapshot.
    pub(crate) fn run<S: AsRef<OsStr>>(&self, arguments: impl IntoIterator<Item = S>) -> String {
        let mut command = self.tamis();
        command.args(arguments);
        shown(command)
    }
}

/// Runs a command; the command line, both outputs and the exit code, redacted.
pub(crate) fn shown(mut command: Command) -> String {
    let output = command.output().unwrap();
    let line: Vec<_> = command.get_args().map(OsStr::to_string_lossy).collect();
    let line = line.join(" ");
    let line = line.rsplit("/tamis ").next().unwrap();
    let Output {
        status,
        stdout,
        stderr,
    } = &output;
    let code = status.code().expect("tamis ends by itself");
    let [stdout, stderr] = [stdout, stderr].map(|bytes| std::str::from_utf8(bytes).unwrap());
    let text = redact(&format!(
        "$ tamis {line}\nexit code: {code}\n--- stdout\n{stdout}--- stderr\n{stderr}"
    ));
    let directory = command.get_current_dir().expect("a sandbox");
    text.replace(directory.to_str().unwrap(), "[sandbox]")
}

/// Replaces what changes without meaning: checksums by numbers of the same width, equal ones by the same number, and
/// the version of Tamis.
pub(crate) fn redact(text: &str) -> String {
    let text = text.replace(env!("CARGO_PKG_VERSION"), "[version]");
    let mut checksums: Vec<String> = Vec::new();
    let mut redacted = String::new();
    let mut rest = text.as_str();
    while let Some(start) = rest.find(|c: char| c.is_ascii_alphanumeric()) {
        let word = &rest[start..];
        let length = word
            .find(|c: char| !c.is_ascii_alphanumeric())
            .unwrap_or(word.len());
        let (word, after) = word.split_at(length);
        redacted.push_str(&rest[..start]);
        redacted.push_str(&redact_word(word, &mut checksums));
        rest = after;
    }
    redacted + rest
}

fn redact_word(word: &str, checksums: &mut Vec<String>) -> String {
    let is_checksum = matches!(word.len(), 12 | 32) && word.chars().all(|c| c.is_ascii_hexdigit());
    if !is_checksum {
        return word.to_owned();
    }
    let beginning = &word[..12];
    let known = checksums.iter().position(|known| known == beginning);
    let number = known.unwrap_or_else(|| {
        checksums.push(beginning.to_owned());
        checksums.len() - 1
    });
    format!(
        "{:-<width$}",
        format!("checksum-{number:03}"),
        width = word.len()
    )
}

#[test]
fn the_redactor_keeps_widths_and_equality() {
    let text = "a 00112233445566778899aabbccddeeff 001122334455 ffffffffffff 0011 x";
    assert_eq!(
        redact(text),
        "a checksum-000-------------------- checksum-000 checksum-001 0011 x"
    );
}
