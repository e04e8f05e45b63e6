//! Tools under check. Each is a command behind a small adapter; what it does is read off JUnit's reports.

mod command;
mod peer;
mod pom;
mod retest_all;
mod tamis;

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::PathBuf;
use std::process::Command;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use crate::git_history::Peer;
use crate::history::Variant;
use crate::java_side::{JavaSide, first_lines};
use crate::outcome::{Ended, Outcomes, ReportError, read_reports, read_states};
use crate::process::{Ending, Stop, run_limited};
use crate::project::{Content, Project};
use crate::steps::Step;

pub(crate) use command::{CommandTool, shell_words};
pub(crate) use peer::PeerTool;
pub(crate) use retest_all::retest_all;
pub(crate) use tamis::Tamis;

/// A tool that was asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ToolChoice {
    /// Tamis.
    Tamis(TamisChoice),
    /// A tool of others.
    Peer(Peer),
    /// A command of the user's, with its name.
    Command { name: String, command: String },
}

/// Which Tamis, and how it is asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TamisChoice {
    pub program: PathBuf,
    pub granularity: Granularity,
    /// Whether the granularities take turns, so that this one has every second batch only.
    pub takes_turns: bool,
}

/// What a tool selects by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Granularity {
    /// Whole test classes.
    Class,
    /// Single test methods.
    Method,
}

/// What an adapter can do.
pub(crate) trait Tool: Send + Sync {
    fn name(&self) -> &str;

    /// The ways in which it is asked, the coarser first.
    fn variants(&self) -> Vec<Variant>;

    /// Whether it is run on the programs of a batch by this number.
    fn has_turn(&self, _batch: usize) -> bool {
        true
    }

    /// What it needs of the classes in its project.
    fn content(&self) -> Content {
        Content::ClassFiles
    }

    /// Whether it is run in a step.
    fn takes(&self, step: Step) -> bool;

    /// Runs those of the chosen tests of a project that it selects; each variant by its name. The last one leaves data
    /// for the next step.
    fn run(&self, order: &Order<'_>) -> Result<Vec<(String, ToolRun)>, RunError>;
}

/// What is to be run, and within which bounds.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Order<'a> {
    pub(crate) step: Step,
    pub(crate) project: &'a Project,
    pub(crate) java: &'a JavaSide,
    pub(crate) limit: Duration,
    pub(crate) stop: &'a Stop,
}

/// What a run brought.
#[derive(Debug, Clone, Default)]
pub(crate) struct ToolRun {
    /// How tests ended, by JUnit's word.
    pub(crate) outcomes: Outcomes,
    /// What the oracle wrote.
    pub(crate) states: BTreeMap<String, Ended>,
    /// Whether the JVM ended as one does whose tests are to be believed.
    pub(crate) is_clean: bool,
    pub(crate) duration: Duration,
}

/// A run did not come to its end.
#[derive(Debug)]
pub(crate) enum RunError {
    /// The user wants to stop.
    Stopped,
    /// The tool failed.
    Failed(ToolFailure),
}

/// How a tool failed as a whole.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ToolFailure {
    pub kind: FailureKind,
    /// What happened, and what the tool said.
    pub text: String,
}

/// The kinds of failures.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FailureKind {
    /// It cannot be started.
    DoesNotStart,
    /// It ended by a signal, or with an exit code that no test run has.
    Crashed,
    /// It did not end in time.
    Hangs,
    /// What it left cannot be read.
    BrokenReport,
}

impl ToolChoice {
    pub(crate) fn adapter(&self) -> Box<dyn Tool> {
        match self {
            Self::Tamis(choice) => Box::new(Tamis::new(choice.clone())),
            Self::Peer(peer) => Box::new(PeerTool::new(*peer)),
            Self::Command { name, command } => {
                Box::new(CommandTool::new(name.clone(), command.clone()))
            }
        }
    }

    /// Whether one of its variants has this name.
    pub(crate) fn has_variant(&self, name: &str) -> bool {
        let variants = self.adapter().variants();
        variants.iter().any(|variant| variant.name == name)
    }

    /// Makes it one that is run on each batch.
    pub(crate) fn take_no_turns(&mut self) {
        if let Self::Tamis(choice) = self {
            choice.takes_turns = false;
        }
    }

    /// The name by which it was asked for.
    pub fn name(&self) -> &str {
        match self {
            Self::Tamis(choice) => choice.granularity.tool(),
            Self::Peer(peer) => peer.name(),
            Self::Command { name, .. } => name,
        }
    }
}

impl Granularity {
    /// The name of Tamis by this granularity.
    pub(crate) fn tool(self) -> &'static str {
        match self {
            Self::Class => "tamis",
            Self::Method => "tamis-methods",
        }
    }

    /// What Tamis itself calls it.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Class => "class",
            Self::Method => "method",
        }
    }
}

impl ToolFailure {
    fn error(kind: FailureKind, text: String) -> RunError {
        RunError::Failed(Self { kind, text })
    }
}

impl Order<'_> {
    /// Runs a command that runs tests, and reads what it left.
    fn run(&self, command: &mut Command) -> Result<ToolRun, RunError> {
        self.project
            .forget_run()
            .map_err(|error| broken_by(&error))?;
        let begun = Instant::now();
        let code = self.exit_code(command)?;
        self.finished(code, begun.elapsed())
    }

    /// What a command left that ended with this code.
    fn finished(&self, code: i32, duration: Duration) -> Result<ToolRun, RunError> {
        // 3 is how the JVM of the step `killed` ends.
        let is_clean = matches!(code, 0 | 1);
        let is_as_planned = self.step == Step::Killed && code == 3;
        if !is_clean && !is_as_planned {
            let text = format!("it ended with exit code {code}: {}", self.said());
            return Err(ToolFailure::error(FailureKind::Crashed, text));
        }
        Ok(ToolRun {
            outcomes: read_reports(&self.project.reports()).map_err(|error| broken(&error))?,
            states: read_states(&self.project.states()).map_err(|error| broken_by(&error))?,
            is_clean,
            duration,
        })
    }

    /// The exit code of a command that runs in the project's directory.
    fn exit_code(&self, command: &mut Command) -> Result<i32, RunError> {
        command.current_dir(self.project.directory());
        let ended = run_limited(command, &self.project.log(), self.limit, self.stop);
        let ended = ended.map_err(|cause| {
            let program = command.get_program().to_string_lossy().into_owned();
            let text = format!("cannot start `{program}`: {cause}");
            ToolFailure::error(FailureKind::DoesNotStart, text)
        })?;
        let (kind, text) = match ended {
            Ending::Exited(code) => return Ok(code),
            Ending::Stopped => return Err(RunError::Stopped),
            Ending::Signalled(signal) => (
                FailureKind::Crashed,
                format!("it was ended by signal {signal}: {}", self.said()),
            ),
            Ending::TimedOut => (
                FailureKind::Hangs,
                format!(
                    "it did not end in {} seconds: {}",
                    self.limit.as_secs(),
                    self.said()
                ),
            ),
        };
        Err(ToolFailure::error(kind, text))
    }

    /// The beginning of what was said last.
    fn said(&self) -> String {
        first_lines(&fs::read(self.project.log()).unwrap_or_default())
    }

    /// The plain command, as the adapter's command gets it.
    fn plain_command(&self) -> Vec<OsString> {
        self.project.command(self.java)
    }
}

fn broken(error: &ReportError) -> RunError {
    ToolFailure::error(
        FailureKind::BrokenReport,
        format!("{error}: {}", error.kind),
    )
}

fn broken_by(error: &io::Error) -> RunError {
    ToolFailure::error(FailureKind::BrokenReport, error.to_string())
}

/// A command of several words.
fn command_of(words: &[OsString]) -> Command {
    let mut command = Command::new(&words[0]);
    command.args(&words[1..]);
    command
}
