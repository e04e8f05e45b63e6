//! One run of a command, in a process of its own whose only child it is: so what children used is what
//! the command and all it started used, and what the process itself used is what listening costs.

use std::env;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use clap::ValueEnum;
use nix::sys::resource::{Usage as RawUsage, UsageWho, getrusage};
use nix::sys::time::TimeValLike as _;
use serde::{Deserialize, Serialize};
use tamis_build::Jdk;
use tamis_engine::{Granularity, Marking, Watching};
use tamis_testkit::jacoco;

/// Who watches a JVM.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, ValueEnum)]
pub(crate) enum Watcher {
    /// Nobody.
    Plain,
    /// Nobody either, to know how much two equal runs differ.
    PlainAgain,
    /// Tamis, where test classes are entities.
    TamisByClass,
    /// Tamis, where tests are.
    TamisByMethod,
    /// Tamis, where test classes are entities and basic blocks are marked.
    TamisWithBlocks,
    /// The agent of JaCoCo, with its default options.
    Jacoco,
}

impl Watcher {
    pub(crate) fn text(self) -> &'static str {
        match self {
            Self::Plain => "plain",
            Self::PlainAgain => "plain again",
            Self::TamisByClass => "Tamis by class",
            Self::TamisByMethod => "Tamis by method",
            Self::TamisWithBlocks => "Tamis with blocks",
            Self::Jacoco => "JaCoCo",
        }
    }
}

/// A command to be run.
#[derive(Debug, Clone)]
pub(crate) struct Program {
    pub(crate) executable: PathBuf,
    pub(crate) arguments: Vec<OsString>,
    pub(crate) directory: PathBuf,
    pub(crate) java_home: PathBuf,
    /// Variables, with their values.
    pub(crate) environment: Vec<(String, String)>,
    /// How many JVMs an agent has to tell of.
    pub(crate) n_watched_jvms: usize,
}

/// What the agents told, in numbers.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub(crate) struct Told {
    n_jvms: usize,
    pub(crate) n_entities: usize,
}

/// What a run used.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Usage {
    /// Processor time of the command and all that it started.
    pub(crate) cpu: Duration,
    pub(crate) wall: Duration,
    /// Processor time of whoever listened and made sense of it.
    pub(crate) listener_cpu: Duration,
    /// The most memory that one process had at a time, in bytes.
    pub(crate) peak_memory: u64,
    /// None unless Tamis watched.
    pub(crate) told: Option<Told>,
    pub(crate) exit_code: Option<i32>,
}

impl Program {
    /// A JVM of its own.
    pub(crate) fn java(jdk: &Jdk, path: &[PathBuf], arguments: &[&OsStr]) -> Result<Self> {
        let class_path = [OsString::from("-classpath"), env::join_paths(path)?];
        let arguments = arguments.iter().map(|&argument| argument.to_owned());
        Ok(Self {
            arguments: class_path.into_iter().chain(arguments).collect(),
            ..Self::bare(jdk)
        })
    }

    /// The launcher of a JDK, without arguments.
    pub(crate) fn bare(jdk: &Jdk) -> Self {
        Self {
            executable: jdk.java(),
            arguments: Vec::new(),
            directory: env::temp_dir(),
            java_home: jdk.home.clone(),
            environment: Vec::new(),
            n_watched_jvms: 1,
        }
    }

    /// The same as a command that somebody else put together.
    pub(crate) fn of(command: &Command, jdk: &Jdk) -> Result<Self> {
        let directory = command.get_current_dir().context("it has a directory")?;
        Ok(Self {
            executable: command.get_program().into(),
            arguments: command.get_args().map(OsStr::to_owned).collect(),
            directory: directory.to_path_buf(),
            ..Self::bare(jdk)
        })
    }

    /// Runs it once, watched by `watcher`; the exit code must be that of a success or, for suites with
    /// failing tests, 1.
    pub(crate) fn measure(&self, watcher: Watcher) -> Result<Usage> {
        let dir = tempfile::tempdir()?;
        let report = dir.path().join("usage");
        let name = watcher.to_possible_value().context("a watcher is named")?;
        let output = Command::new(env::current_exe()?)
            .arg("measured")
            .args(["--watcher", name.get_name(), "--report"])
            .arg(&report)
            .arg("--")
            .arg(&self.executable)
            .args(&self.arguments)
            .current_dir(&self.directory)
            .env_remove("JAVA_TOOL_OPTIONS")
            .env_remove("JDK_JAVA_OPTIONS")
            .env("JAVA_HOME", &self.java_home)
            .envs(self.environment.clone())
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .output()?;
        let said = || {
            let said = String::from_utf8_lossy(&output.stderr);
            let tail: Vec<_> = said.lines().rev().take(20).collect();
            tail.into_iter().rev().collect::<Vec<_>>().join("\n")
        };
        ensure!(output.status.success(), "cannot measure: {}", said());
        let usage: Usage = serde_json::from_slice(&fs::read(&report)?)?;
        ensure!(
            matches!(usage.exit_code, Some(0 | 1)),
            "{} ended with {:?}: {}",
            self.executable.display(),
            usage.exit_code,
            said()
        );
        let n_jvms = usage.told.map(|told| told.n_jvms);
        ensure!(
            n_jvms.is_none_or(|n_jvms| n_jvms == self.n_watched_jvms),
            "{} had {n_jvms:?} JVMs that were watched",
            self.executable.display()
        );
        Ok(usage)
    }
}

/// The command line of the process that measures one run.
#[derive(Debug, clap::Args)]
pub(crate) struct Measured {
    #[arg(long, value_enum)]
    watcher: Watcher,
    #[arg(long)]
    report: PathBuf,
    #[arg(last = true, required = true)]
    command: Vec<OsString>,
}

impl Measured {
    pub(crate) fn run(&self) -> Result<()> {
        let (program, arguments) = self.command.split_first().context("a command")?;
        let start = Instant::now();
        let (exit_code, told) = match self.watcher {
            Watcher::Plain | Watcher::PlainAgain => {
                let status = Command::new(program).args(arguments).status()?;
                (status.code(), None)
            }
            Watcher::Jacoco => {
                let option = jacoco::agent_option(&self.report.with_extension("exec"))?;
                let mut command = Command::new(program);
                command.args(arguments).env("JAVA_TOOL_OPTIONS", option);
                (command.status()?.code(), None)
            }
            Watcher::TamisByClass => traced(program, arguments, Watching::default())?,
            Watcher::TamisByMethod => {
                let granularity = Granularity::Method;
                let watching = Watching {
                    granularity,
                    ..Watching::default()
                };
                traced(program, arguments, watching)?
            }
            Watcher::TamisWithBlocks => {
                let marking = Marking::Blocks;
                let watching = Watching {
                    marking,
                    ..Watching::default()
                };
                traced(program, arguments, watching)?
            }
        };
        let wall = start.elapsed();
        let children = getrusage(UsageWho::RUSAGE_CHILDREN)?;
        let usage = Usage {
            cpu: cpu(&children)?,
            wall,
            listener_cpu: cpu(&getrusage(UsageWho::RUSAGE_SELF)?)?,
            peak_memory: u64::try_from(children.max_rss())? << 10,
            told,
            exit_code,
        };
        Ok(fs::write(&self.report, serde_json::to_vec(&usage)?)?)
    }
}

/// As `tamis trace` does it. What is not told completely is not worth measuring.
fn traced(
    program: &OsString,
    arguments: &[OsString],
    watching: Watching<'_>,
) -> Result<(Option<i32>, Option<Told>)> {
    let trace = tamis_engine::trace(program, arguments, &watching)?;
    for jvm in &trace.jvms {
        ensure!(jvm.is_complete(), "incomplete: {:?}", jvm.jvm.ending);
    }
    let told = Told {
        n_jvms: trace.jvms.len(),
        n_entities: trace.jvms.iter().map(|jvm| jvm.entities.len()).sum(),
    };
    Ok((trace.status.code(), Some(told)))
}

fn cpu(usage: &RawUsage) -> Result<Duration> {
    let time = usage.user_time() + usage.system_time();
    Ok(Duration::from_micros(u64::try_from(
        time.num_microseconds(),
    )?))
}
