//! `tamis check defects`: tools on the bugs of a database.

use std::collections::BTreeMap;
use std::io;
use std::path::PathBuf;

use clap::Args;
use tamis_check::{BugName, BugRecord, DefectsAudience, DefectsCheck, DefectsOpening, Stop};

use super::conditions::ConditionOptions;
use super::teller::{Teller, outcome};
use crate::cli_error::{CliError, Outcome};
use crate::command_line::Format;
use crate::printer::Printer;
use crate::text;
use crate::view::DefectsReport;

/// Check tools on the bugs of a database
///
/// Reads a directory in the layout of Defects4J. Each bug is a history of two revisions, of a Maven project unless `--build` and `--test` are given: the fixed one, run twice,
/// and the buggy one, which the database's patch makes of it. They are run with every test and with each tool, as `tamis check
/// history` does. The tests that reveal the bug must be run by each tool.
///
/// A bug counts as reproduced if one of its tests newly fails when all tests are run. Others, and those that cannot be built
/// here, are counted and named with the reason.
#[derive(Debug, Args)]
#[command(after_long_help = AFTER_HELP)]
pub(crate) struct DefectsCommand {
    /// The directory with `framework/projects`, which is only read
    #[arg(value_name = "DATABASE")]
    database: PathBuf,

    /// The git repository of a project, which is only read; may be given several times [default: that in `project_repos` of the
    /// database]
    #[arg(long, value_name = "PROJECT=DIR", value_parser = project_repository)]
    repository: Vec<(String, PathBuf)>,

    /// A project, all bugs of it; may be given several times [default: all that have a repository]
    #[arg(long, value_name = "PROJECT", value_delimiter = ',')]
    project: Vec<String>,

    /// A bug; may be given several times
    #[arg(long, value_name = "PROJECT-NUMBER", value_delimiter = ',')]
    bug: Vec<BugName>,

    /// So many bugs of each project at most, the first ones
    #[arg(long, value_name = "N")]
    per_project: Option<usize>,

    #[command(flatten)]
    conditions: ConditionOptions,

    /// How to print
    #[arg(long, value_enum, default_value_t, help_heading = "Output")]
    format: Format,

    /// Write a line of JSON to this file as each bug is done
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    output: Option<PathBuf>,
}

const AFTER_HELP: &str = "\
Examples:
  tamis check defects ~/defects4j --project Csv --jdk /opt/jdk8 --maven-option -Drat.skip
                                                     all bugs of a project
  tamis check defects ~/defects4j --repository Lang=~/commons-lang --bug Lang-1,Lang-5 \\
      --tools tamis,ekstazi --mesh file,method --output lang.jsonl

Environment:
  TAMIS_CACHE_DIR    where programs in Java are kept [default: the user's cache directory]
  TAMIS_JDKS         JDKs to choose from, separated as in PATH

Exit status:
  0    no bug in a tool: nothing is violated, or only suspicions
  1    a tool has a bug: it violates R1, R5, R6 or R7
  2    wrong use
  64   there is no JDK, or no such database, project, bug or repository
  65   the database is not understood
  68   no bug can be built and run
  74   checkouts or results cannot be written
  130  stopped; what was done is told";

impl DefectsCommand {
    pub(crate) fn run(&self, printer: &mut Printer) -> Result<Outcome, CliError> {
        let check = self.check()?;
        let mut teller = Teller::new(self.output.as_deref(), "bugs")?;
        let stop = Stop::on_signals().map_err(CliError::Signals)?;
        let result = check.run(&stop, &mut teller)?;
        let report = DefectsReport::new(&result);
        teller.finish(&report)?;
        let text = |palette: &_| text::defects(&result, palette);
        self.format.print(&report, text, printer)?;
        Ok(outcome(result.has_bugs(), result.is_stopped))
    }

    fn check(&self) -> Result<DefectsCheck, CliError> {
        let mut repositories = BTreeMap::new();
        for (project, directory) in &self.repository {
            let directory = std::path::absolute(directory).map_err(CliError::CurrentDirectory)?;
            repositories.insert(project.clone(), directory);
        }
        let database = std::path::absolute(&self.database);
        Ok(DefectsCheck {
            database: database.map_err(CliError::CurrentDirectory)?,
            repositories,
            projects: self.project.clone(),
            bugs: self.bug.clone(),
            n_per_project: self.per_project,
            conditions: self.conditions.conditions()?,
        })
    }
}

/// `PROJECT=DIR`
fn project_repository(text: &str) -> Result<(String, PathBuf), String> {
    match text.split_once('=') {
        Some((project, directory)) if !project.is_empty() && !directory.is_empty() => {
            Ok((project.to_owned(), PathBuf::from(directory)))
        }
        _ => Err("write it as PROJECT=DIR".to_owned()),
    }
}

impl DefectsAudience for Teller {
    fn begun(&mut self, opening: &DefectsOpening) -> io::Result<()> {
        self.open(opening.n_bugs, opening)
    }

    fn done(&mut self, record: &BugRecord) -> io::Result<()> {
        self.add(true, record)
    }
}
