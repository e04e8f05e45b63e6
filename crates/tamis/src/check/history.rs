//! `tamis check history`: tools on the revisions of a git repository.

use std::io;
use std::path::PathBuf;

use clap::Args;
use tamis_check::{Audience, HistoryCheck, HistoryStep, Opening, Range, RevisionRecord, Stop};

use super::conditions::ConditionOptions;
use super::teller::{Teller, outcome};
use crate::cli_error::{CliError, Outcome};
use crate::command_line::Format;
use crate::printer::Printer;
use crate::text;
use crate::view::HistoryReport;

/// Check tools on the revisions of a git repository
///
/// Goes along a history of a Maven project, or of one that `--build` and `--test` build and test: first parents only, without
/// merges. Each revision is compiled once and then run with every test and with each tool; each tool has a checkout of its own,
/// with its data, outside of the repository. What a tool runs is read off JUnit's XML reports. The first revision is run twice.
/// Revisions that cannot be built are skipped and counted, and so are tests that do not always end in the same way.
///
/// Times are those of the tool's own command, Maven included, beside `mvn test` or the command of `--test` in the same revision;
/// compilation before it does not count. A tool that does not work is left out, and it is told why.
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

    #[command(flatten)]
    conditions: ConditionOptions,

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
  tamis check history --build 'ant compile-tests' --test 'ant test' --reports junit
                                                     a project without Maven

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

impl HistoryCommand {
    pub(crate) fn run(&self, printer: &mut Printer) -> Result<Outcome, CliError> {
        let check = self.check()?;
        let mut teller = Teller::new(self.output.as_deref(), "revisions")?;
        let stop = Stop::on_signals().map_err(CliError::Signals)?;
        let result = check.run(&stop, &mut teller)?;
        let report = HistoryReport::new(&result);
        teller.finish(&report)?;
        let text = |palette: &_| text::history(&result, palette);
        self.format.print(&report, text, printer)?;
        Ok(outcome(result.has_bugs(), result.is_stopped))
    }

    fn check(&self) -> Result<HistoryCheck, CliError> {
        let last = Range::Last {
            n_revisions: self.last,
            last: "HEAD".to_owned(),
        };
        let repository = std::path::absolute(&self.repository);
        Ok(HistoryCheck {
            repository: repository.map_err(CliError::CurrentDirectory)?,
            range: self.revisions.clone().unwrap_or(last),
            touching: self.touching.clone(),
            conditions: self.conditions.conditions()?,
        })
    }
}

impl Audience for Teller {
    fn begun(&mut self, opening: &Opening) -> io::Result<()> {
        self.open(opening.n_revisions, opening)
    }

    fn done(&mut self, record: &RevisionRecord) -> io::Result<()> {
        self.add(record.step != HistoryStep::Again, record)
    }
}
