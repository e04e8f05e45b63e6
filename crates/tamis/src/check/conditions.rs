//! How revisions are built and run, and by which tools: options that `check history` and `check defects` share.

use std::collections::BTreeSet;
use std::env;
use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueEnum};
use tamis_build::{CachePlaces, Jdk};
use tamis_check::{CheckError, Conditions, Contestant, Granularity, Peer, ToolChoice};

use super::equipment::{named_command, newest_jdk};
use crate::cli_error::CliError;

#[derive(Debug, Args)]
#[command(next_help_heading = "Tools")]
pub(crate) struct ConditionOptions {
    /// Tools that are known here, separated by commas [default: tamis, unless `--tool` names another]
    #[arg(long, value_name = "TOOLS", value_enum, value_delimiter = ',')]
    tools: Vec<KnownTool>,

    /// Meshes of Tamis, separated by commas; each is a tool with a checkout of its own
    #[arg(
        long,
        value_name = "MESHES",
        value_enum,
        value_delimiter = ',',
        default_value = "method"
    )]
    mesh: Vec<KnownMesh>,

    /// Whether Tamis selects test classes or test methods
    #[arg(long, value_name = "GRANULARITY", value_enum, default_value = "class")]
    granularity: KnownGranularity,

    /// Another tool: a command for a shell, as docs/reference/check.md describes; may be given several
    /// times
    #[arg(long, value_name = "NAME=COMMAND", value_parser = named_command)]
    tool: Vec<ToolChoice>,

    /// The program that is checked as `tamis` [default: this one]
    #[arg(long, value_name = "PROGRAM")]
    tamis: Option<PathBuf>,

    /// What compiles a revision with its tests: a command for a shell [default: `mvn test-compile`]
    #[arg(long, value_name = "COMMAND", help_heading = "Building")]
    build: Option<String>,

    /// What runs all tests of a revision: a command for a shell, which leaves JUnit's XML reports. Tools of others
    /// need Maven, and are left out then [default: `mvn test`]
    #[arg(long, value_name = "COMMAND", help_heading = "Building")]
    test: Option<String>,

    /// Directories of this name hold the reports; may be given several times [default: `surefire-reports`; with
    /// `--test` also `failsafe-reports` and `test-results`]
    #[arg(long, value_name = "NAME", value_parser = directory_name, help_heading = "Building")]
    reports: Vec<String>,

    /// What else Maven is told, without a tool and with each, as `-Drat.skip`; may be given several times
    #[arg(
        long,
        value_name = "OPTION",
        allow_hyphen_values = true,
        help_heading = "Building"
    )]
    maven_option: Vec<String>,

    /// The JDK that compiles and runs the revisions [default: the newest one found]
    #[arg(long, value_name = "DIR", help_heading = "Building")]
    jdk: Option<PathBuf>,

    /// How long a run may take, before it counts as hanging
    #[arg(
        long,
        value_name = "SECONDS",
        default_value_t = 1800,
        help_heading = "Building"
    )]
    limit: u64,

    /// Where checkouts are made, which do not stay [default: the directory for temporary files]
    #[arg(long, value_name = "DIR", help_heading = "Building")]
    scratch: Option<PathBuf>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum KnownTool {
    /// Tamis, by each mesh that `--mesh` names
    Tamis,
    /// The Maven plug-in of Ekstazi, 5.3.0
    Ekstazi,
    /// The Maven plug-in of STARTS, 1.4
    Starts,
    /// The core of HyRTS, 1.0.1, without the plug-in, which was never published
    Hyrts,
    /// The same in its variant HyRTSf
    Hyrtsf,
    /// The Maven plug-in of OpenClover, 5.1.0.1; its time holds a compilation
    Openclover,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum KnownMesh {
    File,
    Method,
    Dispatch,
    Block,
}

/// By what Tamis selects.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum KnownGranularity {
    /// Whole test classes
    Class,
    /// Single test methods
    Method,
    /// Each mesh by both, as tools of their own
    Both,
}

impl ConditionOptions {
    pub(crate) fn conditions(&self) -> Result<Conditions, CliError> {
        let jdk = match &self.jdk {
            Some(home) => Jdk::open(home).map_err(CheckError::Jdk)?,
            None => newest_jdk()?,
        };
        let places = CachePlaces::of_this_process().0;
        Ok(Conditions {
            contestants: self.contestants()?,
            maven_options: self.maven_option.clone(),
            build: self.build.clone(),
            test: self.test.clone(),
            reports: self.reports.clone(),
            jdk,
            cache: places.into_iter().next().ok_or(CliError::NoCache)?,
            scratch: self.scratch.clone(),
            limit: Duration::from_secs(self.limit),
        })
    }

    fn contestants(&self) -> Result<Vec<Contestant>, CliError> {
        let is_default = self.tools.is_empty() && self.tool.is_empty();
        let mut contestants = Vec::new();
        if is_default || self.tools.contains(&KnownTool::Tamis) {
            let program = self.program()?;
            for &granularity in self.granularity.granularities() {
                contestants.extend(self.mesh.iter().map(|mesh| Contestant::Tamis {
                    program: program.clone(),
                    granularity,
                    mesh: mesh.name().to_owned(),
                }));
            }
        }
        let peers = self.tools.iter().filter_map(|tool| tool.peer());
        contestants.extend(peers.map(Contestant::Peer));
        for choice in &self.tool {
            if let ToolChoice::Command { name, command } = choice {
                contestants.push(Contestant::Command {
                    name: name.clone(),
                    command: command.clone(),
                });
            }
        }
        let mut names = BTreeSet::new();
        contestants.retain(|contestant| names.insert(contestant.name()));
        Ok(contestants)
    }

    /// Tools run elsewhere, so a relative path is made a whole one.
    fn program(&self) -> Result<PathBuf, CliError> {
        let program = match &self.tamis {
            Some(program) => std::path::absolute(program),
            None => env::current_exe(),
        };
        program.map_err(CliError::CurrentDirectory)
    }
}

/// Directories are looked for by name, so it is not a path.
fn directory_name(text: &str) -> Result<String, String> {
    if text.is_empty() || text.contains('/') || text.starts_with('.') {
        return Err("name a directory, without a path and not a hidden one".to_owned());
    }
    Ok(text.to_owned())
}

impl KnownTool {
    fn peer(self) -> Option<Peer> {
        match self {
            Self::Tamis => None,
            Self::Ekstazi => Some(Peer::Ekstazi),
            Self::Starts => Some(Peer::Starts),
            Self::Hyrts => Some(Peer::Hyrts),
            Self::Hyrtsf => Some(Peer::Hyrtsf),
            Self::Openclover => Some(Peer::OpenClover),
        }
    }
}

impl KnownMesh {
    fn name(self) -> &'static str {
        match self {
            Self::File => "file",
            Self::Method => "method",
            Self::Dispatch => "dispatch",
            Self::Block => "block",
        }
    }
}

impl KnownGranularity {
    fn granularities(self) -> &'static [Granularity] {
        match self {
            Self::Class => &[Granularity::Class],
            Self::Method => &[Granularity::Method],
            Self::Both => &[Granularity::Class, Granularity::Method],
        }
    }
}
