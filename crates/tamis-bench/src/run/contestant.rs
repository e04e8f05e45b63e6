//! Who runs the tests of a project, and what happened to the project before.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use tamis_build::Jdk;

use crate::agent::measured::Program;

/// A way to run the tests. Each has a copy of the project to itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Contestant {
    pub(super) tool: Tool,
    pub(super) occasion: Occasion,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Tool {
    /// Maven alone.
    Plain,
    /// The same, to know how much two equal runs differ.
    PlainAgain,
    /// Maven, told to compile the tests and not to run them.
    SkipTests,
    Tamis,
    /// The plug-in of JaCoCo, with its default options.
    Jacoco,
    /// The plug-in of Ekstazi, with its default options.
    Ekstazi,
}

/// What the tool knows, and what is new to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Occasion {
    /// It knows nothing of earlier runs.
    First,
    /// Nothing has changed since the last run.
    Unchanged,
    /// A method has changed since the last run, as it never was before.
    Changed,
}

const JACOCO: &str = "org.jacoco:jacoco-maven-plugin:0.8.14:prepare-agent";
const EKSTAZI: &str = "org.ekstazi:ekstazi-maven-plugin:5.3.0:ekstazi";

/// In the order of the first round. The two plain ones stand apart.
pub(super) const CONTESTANTS: &[Contestant] = &[
    PLAIN,
    SKIP_TESTS,
    FIRST,
    PLAIN_AGAIN,
    UNCHANGED,
    PLAIN_CHANGED,
    CHANGED,
    JACOCO_PLAIN,
    EKSTAZI_FIRST,
    EKSTAZI_UNCHANGED,
    EKSTAZI_CHANGED,
];

pub(super) const PLAIN: Contestant = of(Tool::Plain, Occasion::Unchanged);
pub(super) const PLAIN_AGAIN: Contestant = of(Tool::PlainAgain, Occasion::Unchanged);
pub(super) const PLAIN_CHANGED: Contestant = of(Tool::Plain, Occasion::Changed);
pub(super) const SKIP_TESTS: Contestant = of(Tool::SkipTests, Occasion::Unchanged);
pub(super) const FIRST: Contestant = of(Tool::Tamis, Occasion::First);
pub(super) const UNCHANGED: Contestant = of(Tool::Tamis, Occasion::Unchanged);
pub(super) const CHANGED: Contestant = of(Tool::Tamis, Occasion::Changed);
pub(super) const JACOCO_PLAIN: Contestant = of(Tool::Jacoco, Occasion::Unchanged);
pub(super) const EKSTAZI_FIRST: Contestant = of(Tool::Ekstazi, Occasion::First);
pub(super) const EKSTAZI_UNCHANGED: Contestant = of(Tool::Ekstazi, Occasion::Unchanged);
pub(super) const EKSTAZI_CHANGED: Contestant = of(Tool::Ekstazi, Occasion::Changed);

const fn of(tool: Tool, occasion: Occasion) -> Contestant {
    Contestant { tool, occasion }
}

impl Contestant {
    pub(super) fn text(self) -> String {
        let occasion = match self.occasion {
            Occasion::First => ", first run",
            Occasion::Unchanged if self.tool.selects() => ", unchanged",
            Occasion::Unchanged => "",
            Occasion::Changed => ", changed",
        };
        format!("{}{occasion}", self.tool.text())
    }

    /// What is run in its copy of the project.
    pub(super) fn program(
        self,
        tamis: &Path,
        maven: &Path,
        jdk: &Jdk,
        directory: PathBuf,
    ) -> Program {
        let (executable, arguments): (&Path, &[&str]) = match self.tool {
            Tool::Plain | Tool::PlainAgain => (maven, &["-q", "-B", "test"]),
            Tool::SkipTests => (maven, &["-q", "-B", "test", "-DskipTests"]),
            Tool::Tamis => (tamis, &["test", "--", "-q", "-B"]),
            Tool::Jacoco => (maven, &["-q", "-B", JACOCO, "test"]),
            Tool::Ekstazi => (maven, &["-q", "-B", EKSTAZI]),
        };
        Program {
            executable: executable.to_path_buf(),
            arguments: arguments.iter().map(OsString::from).collect(),
            directory,
            environment: self.tool.environment(),
            ..Program::bare(jdk)
        }
    }
}

impl Tool {
    fn text(self) -> &'static str {
        match self {
            Self::Plain => "plain",
            Self::PlainAgain => "plain again",
            Self::SkipTests => "plain, -DskipTests",
            Self::Tamis => "Tamis",
            Self::Jacoco => "JaCoCo",
            Self::Ekstazi => "Ekstazi",
        }
    }

    /// What it asks its users to set.
    fn environment(self) -> Vec<(String, String)> {
        match self {
            // From JDK 11 on it cannot attach to Maven's JVM, from inside, without.
            Self::Ekstazi => vec![(
                "MAVEN_OPTS".to_owned(),
                "-Djdk.attach.allowAttachSelf=true".to_owned(),
            )],
            _ => Vec::new(),
        }
    }

    /// Whether it remembers runs and leaves tests out.
    pub(super) fn selects(self) -> bool {
        self.memory().is_some()
    }

    /// The directory in which it remembers runs.
    pub(super) fn memory(self) -> Option<&'static str> {
        match self {
            Self::Tamis => Some(".tamis"),
            Self::Ekstazi => Some(".ekstazi"),
            _ => None,
        }
    }

    /// Whether the bench goes on without it where it does not work.
    pub(super) fn is_rival(self) -> bool {
        matches!(self, Self::Jacoco | Self::Ekstazi)
    }
}
