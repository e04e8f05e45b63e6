//! A cache and a current directory of their own to run `tamis check` in.

use std::process::{Command, Output, Stdio};

use tamis_testkit::jdks::newest_jdk;
use tempfile::TempDir;

pub(crate) struct Sandbox {
    root: TempDir,
}

/// What a command printed and returned.
#[derive(Debug)]
pub(crate) struct Said {
    pub(crate) code: Option<i32>,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Sandbox {
    pub(crate) fn new() -> Self {
        Self {
            root: tempfile::tempdir().unwrap(),
        }
    }

    /// `tamis check`, with the newest JDK of the tests.
    pub(crate) fn check(&self, arguments: &[&str]) -> Said {
        let mut command = self.command();
        command.arg("check").args(arguments);
        command.env("TAMIS_JDKS", newest_jdk().unwrap().home);
        said(command)
    }

    /// The same line that a user would copy.
    pub(crate) fn shell(&self, line: &str) -> Said {
        let line = line.replacen("tamis", env!("CARGO_BIN_EXE_tamis"), 1);
        let mut command = Command::new("sh");
        command.args(["-c", &line]).current_dir(self.root.path());
        command.env("TAMIS_CACHE_DIR", self.root.path().join("cache"));
        command.env("TAMIS_JDKS", newest_jdk().unwrap().home);
        said(command)
    }

    /// A file that a command has written.
    pub(crate) fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.root.path().join(name)).unwrap()
    }

    pub(crate) fn command(&self) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tamis"));
        command.current_dir(self.root.path());
        command.env("TAMIS_CACHE_DIR", self.root.path().join("cache"));
        command
    }
}

pub(crate) fn said(mut command: Command) -> Said {
    let command = command.stdin(Stdio::null()).env("NO_COLOR", "1");
    let Output {
        status,
        stdout,
        stderr,
    } = command.output().unwrap();
    Said {
        code: status.code(),
        out: String::from_utf8(stdout).unwrap(),
        err: String::from_utf8(stderr).unwrap(),
    }
}
