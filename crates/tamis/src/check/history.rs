//! `tamis check history`: tools on the revisions of a git repository.

use std::env;
use std::fs::File;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::{Args, ValueEnum};
use serde::Serialize;
use tamis_build::{CachePlaces, Jdk};
use tamis_check::{
    Audience, CheckError, Contestant, HistoryCheck, HistoryResult, Opening, Peer, Range,
    RevisionRecord, Stop, ToolChoice,
};

use super::equipment::{named_command, newest_jdk};
use crate::cli_error::{CliError, Outcome};
use crate::command_line::Format;
use crate::exit_code;
use crate::printer::{self, Printer, Waiting};
use crate::text;
use crate::view::HistoryReport;

/// Check tools on the revisions of a git repository
///
/// Goes along a history of a Maven project, first parents only. Each revision is compiled once and then run with every test
/// and with each tool; each tool has a checkout of its own, with its data, outside of the repository. What a tool runs is read
/// off Surefire's reports. The first revision is run twice. Revisions that cannot be built are skipped and
/// counted, and so are tests that do not always end in the same way.
///
/// Times are those of the tool's own command, Maven included, beside `mvn test` in the same revision; compilation before
/// it does not count. A tool that does not work is left out, and it is told why.
#[derive(Debug, Args)]
#[command(after_long_help = AFTER_HELP)]
pub(crate) struct HistoryCommand {
    /// The git repository, which is only read
    #[arg(long, value_name = "DIR", default_value = ".")]
    repository: PathBuf,

    /// The revisions, both ends included [default: the last 20 up to HEAD]
    #[arg(long, value_name = "FIRST..LAST")]
    revisions: Option<Range>,

    /// So many revisions up to HEAD
    #[arg(
        long,
        value_name = "N",
        conflicts_with = "revisions",
        default_value_t = 20
    )]
    last: usize,

    /// Leave out revisions, but the first one, that touch no such path, as `*.java`; may be given several times
    #[arg(long, value_name = "PATH")]
    touching: Vec<String>,

    /// Tools that are known here, separated by commas [default: tamis, unless `--tool` names another]
    #[arg(
        long,
        value_name = "TOOLS",
        value_enum,
        value_delimiter = ',',
        help_heading = "Tools"
    )]
    tools: Vec<KnownTool>,

    /// Meshes of Tamis, separated by commas; each is a tool with a checkout of its own
    #[arg(
        long,
        value_name = "MESHES",
        value_enum,
        value_delimiter = ',',
        default_value = "method",
        help_heading = "Tools"
    )]
    mesh: Vec<KnownMesh>,

    /// Another tool: a command for a shell, as docs/reference/check.md describes; may be given several
    /// times
    #[arg(long, value_name = "NAME=COMMAND", value_parser = named_command, help_heading = "Tools")]
    tool: Vec<ToolChoice>,

    /// The program that is checked as `tamis` [default: this one]
    #[arg(long, value_name = "PROGRAM", help_heading = "Tools")]
    tamis: Option<PathBuf>,

    /// What compiles a revision with its tests: a command for a shell [default: `mvn test-compile`]
    #[arg(long, value_name = "COMMAND", help_heading = "Building")]
    build: Option<String>,

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

    /// How to print
    #[arg(long, value_enum, default_value_t, help_heading = "Output")]
    format: Format,

    /// Write a line of JSON to this file as each revision is done
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    output: Option<PathBuf>,
}

const AFTER_HELP: &str = "\
Examples:
  tamis check history                                the last 20 revisions of this repository
  tamis check history --repository ~/commons-csv --revisions 9daee904..d6278c81 --touching '*.java' \\
      --tools tamis,ekstazi,starts,hyrts,hyrtsf --mesh file,method --jdk /opt/jdk8 \\
      --maven-option -Drat.skip --output csv.jsonl
  tamis check history --last 5 --tool mine='./select-and-run.sh'

Environment:
  TAMIS_CACHE_DIR    where programs in Java are kept [default: the user's cache directory]
  TAMIS_JDKS         JDKs to choose from, separated as in PATH

Exit status:
  0    no bug: nothing is violated, or only suspicions
  1    a tool has a bug: it violates R1, R5, R6 or R7
  2    wrong use
  64   there is no JDK, or no such history
  68   no revision can be built and tested
  74   checkouts or results cannot be written
  130  stopped; what was done is told";

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

impl HistoryCommand {
    pub(crate) fn run(&self, printer: &mut Printer) -> Result<Outcome, CliError> {
        let check = self.check()?;
        let mut teller = Teller {
            lines: self.output.as_deref().map(create).transpose()?,
            waiting: printer::wait("preparing checkouts"),
            n_revisions: 0,
            n_done: 0,
        };
        let stop = Stop::on_signals().map_err(CliError::Signals)?;
        let result = check.run(&stop, &mut teller)?;
        self.tell_last(teller, &result)?;
        let report = HistoryReport::new(&result);
        let text = |palette: &_| text::history(&result, palette);
        self.format.print(&report, text, printer)?;
        Ok(Outcome {
            is_different: result.has_bugs() && !result.is_stopped,
            passed_through: result.is_stopped.then_some(exit_code::STOPPED),
            ..Outcome::default()
        })
    }

    fn tell_last(&self, teller: Teller, result: &HistoryResult) -> Result<(), CliError> {
        let Some(mut lines) = teller.lines else {
            return Ok(());
        };
        let written = write_line(&mut lines, &HistoryReport::new(result));
        written.map_err(|cause| CliError::WriteFile {
            file: self.output.clone().unwrap_or_default(),
            cause,
        })
    }

    fn check(&self) -> Result<HistoryCheck, CliError> {
        let jdk = match &self.jdk {
            Some(home) => Jdk::open(home).map_err(CheckError::Jdk)?,
            None => newest_jdk()?,
        };
        let places = CachePlaces::of_this_process().0;
        let last = Range::Last {
            n_revisions: self.last,
            last: "HEAD".to_owned(),
        };
        let repository = std::path::absolute(&self.repository);
        Ok(HistoryCheck {
            repository: repository.map_err(CliError::CurrentDirectory)?,
            range: self.revisions.clone().unwrap_or(last),
            touching: self.touching.clone(),
            contestants: self.contestants()?,
            maven_options: self.maven_option.clone(),
            build: self.build.clone(),
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
            contestants.extend(self.mesh.iter().map(|mesh| Contestant::Tamis {
                program: program.clone(),
                mesh: mesh.name().to_owned(),
            }));
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
        let mut names = std::collections::BTreeSet::new();
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

/// Writes lines of JSON, and shows how far it is.
struct Teller {
    lines: Option<File>,
    waiting: Waiting,
    n_revisions: usize,
    n_done: usize,
}

impl Audience for Teller {
    fn begun(&mut self, opening: &Opening) -> io::Result<()> {
        self.n_revisions = opening.n_revisions;
        match &mut self.lines {
            Some(lines) => write_line(lines, opening),
            None => Ok(()),
        }
    }

    fn done(&mut self, record: &RevisionRecord) -> io::Result<()> {
        self.n_done += usize::from(record.step != tamis_check::HistoryStep::Again);
        self.waiting.tell(format!(
            "checked {} of {} revisions",
            self.n_done, self.n_revisions
        ));
        match &mut self.lines {
            Some(lines) => write_line(lines, record),
            None => Ok(()),
        }
    }
}

fn create(file: &Path) -> Result<File, CliError> {
    File::create(file).map_err(|cause| CliError::WriteFile {
        file: file.to_path_buf(),
        cause,
    })
}

fn write_line(lines: &mut File, line: &impl Serialize) -> io::Result<()> {
    let mut text = serde_json::to_vec(line)?;
    text.push(b'\n');
    lines.write_all(&text)
}
