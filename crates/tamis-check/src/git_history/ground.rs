//! Where and with what a tool is run: a project, a JDK, and what runs its tests.

use std::env;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::Command;

use tamis_build::Jdk;

use super::hyrts::HyrtsCore;
use super::record::HistoryStep;

/// Where and with what a tool is run.
#[derive(Debug)]
pub struct Ground<'a> {
    /// The project, without symbolic links.
    pub stage: &'a Path,
    /// A directory of the tool's own, outside of the project.
    pub data: &'a Path,
    pub build: Build<'a>,
    pub jdk: &'a Jdk,
    /// What HyRTS and HyRTSf need.
    pub hyrts: Option<&'a HyrtsCore>,
    /// What a command of the user's is told.
    pub step: HistoryStep,
    pub revision: &'a str,
}

/// What runs the tests of a project.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Build<'a> {
    Maven {
        program: PathBuf,
        /// What it is told each time.
        options: &'a [String],
    },
    /// Anything else: a command of the user's that runs all tests, for a shell.
    Command { tests: &'a str },
}

/// Why the tools of others cannot be run on a project that Maven does not test.
pub(super) const NEEDS_MAVEN: &str = "it needs Maven, and `--test` names another command";

impl Ground<'_> {
    /// Every test, without a tool.
    pub fn retest_all(&self) -> Command {
        let words = self.test_words();
        self.command(&words[0], &words[1..])
    }

    /// Maven in the project; or why it cannot be.
    pub fn maven(&self, arguments: &[&str]) -> Result<Command, String> {
        let Build::Maven { program, options } = &self.build else {
            return Err(NEEDS_MAVEN.to_owned());
        };
        let words = maven_words(program, options, arguments);
        Ok(self.command(&words[0], &words[1..]))
    }

    /// A command of the user's in the project.
    pub(super) fn shell(&self, command: &str) -> Command {
        self.command("sh".as_ref(), &["-c".into(), command.into()])
    }

    /// What runs every test: a program and its arguments.
    pub(super) fn test_words(&self) -> Vec<OsString> {
        match &self.build {
            Build::Maven { program, options } => maven_words(program, options, &["test"]),
            Build::Command { tests } => ["sh", "-c", tests].map(OsString::from).to_vec(),
        }
    }

    /// A command in the project. What the user has set for other projects does not count.
    pub(super) fn command(&self, program: &OsStr, arguments: &[OsString]) -> Command {
        let mut command = Command::new(program);
        command
            .args(arguments)
            .current_dir(self.stage)
            .env("JAVA_HOME", &self.jdk.home)
            .env_remove("JAVA_TOOL_OPTIONS")
            .env_remove("JDK_JAVA_OPTIONS");
        if matches!(self.build, Build::Command { .. }) {
            command.env("PATH", with_programs_of(self.jdk));
        }
        for (name, _) in env::vars_os() {
            let text = name.to_string_lossy();
            let is_of_place = ["TAMIS_CACHE_DIR", "TAMIS_JDKS"].contains(&text.as_ref());
            if text.starts_with("TAMIS_") && !is_of_place {
                command.env_remove(&name);
            }
        }
        command
    }
}

fn maven_words(program: &Path, options: &[String], arguments: &[&str]) -> Vec<OsString> {
    let mut words = vec![program.as_os_str().to_owned(), "-B".into()];
    words.extend(options.iter().map(OsString::from));
    words.extend(arguments.iter().map(OsString::from));
    words
}

/// Where programs are looked for, those of a JDK first: scripts call `java` and `javac`, and few look at `JAVA_HOME`.
fn with_programs_of(jdk: &Jdk) -> OsString {
    let mut path = jdk.home.join("bin").into_os_string();
    if let Some(others) = env::var_os("PATH") {
        path.push(":");
        path.push(others);
    }
    path
}
