//! `tamis why`: the decision about a test, and what it rests on.

use clap::Args;
use tamis_engine::{Knowledge, RunReport, seconds_now};

use crate::cli_error::{CliError, Known, Outcome};
use crate::options::{OutputOptions, SelectionOptions};
use crate::printer::{self, Printer};
use crate::similar::similar;
use crate::test_name::TestName;
use crate::text;
use crate::view::{Question, SelectionReport};

/// Show why a test would run, or would be skipped
///
/// Tells the decision about a test, by the class files as they stand: what the newest record saw that is
/// not so any more, and the same of the record that is nearest to today. Nothing is compiled, and no
/// record is changed. This command only looks.
#[derive(Debug, Args)]
#[command(after_long_help = AFTER_HELP)]
pub(crate) struct WhyCommand {
    /// The name of a test, without its package if you like; `*` stands for anything
    #[arg(value_name = "TEST")]
    test: String,

    #[command(flatten)]
    options: SelectionOptions,

    #[command(flatten)]
    output: OutputOptions,
}

const AFTER_HELP: &str = "\
Examples:
  tamis why shop.CartTest
  tamis why CartTest                  the package may be left out
  tamis why 'shop.*Test' --mesh file  several, by another mesh
  tamis why CartTest --format json    all that is not so any more, for a program

Exit status:
  0    shown
  2    wrong use
  64   no record knows such a test, or nothing is known yet
  66   what is known cannot be read
  74   the report cannot be written
  78   a setting cannot be used";

impl WhyCommand {
    pub(crate) fn run(&self, printer: &mut Printer) -> Result<Outcome, CliError> {
        let surroundings = self.options.surroundings()?;
        let waiting = printer::wait("comparing with today");
        let mut knowledge = Knowledge::open(&surroundings.project())?;
        let mut report = knowledge.explain(&surroundings.test_options())?;
        drop(waiting);
        choose(&mut report, &TestName::new(&self.test))?;
        for note in &report.notes {
            printer::warn(note);
        }
        let report = SelectionReport::new(Question::Why, &report, None, &surroundings.settings);
        let now = seconds_now();
        let text = |palette: &_| text::why(&report, now, palette);
        self.output.write(&report, text, printer)?;
        Ok(Outcome::default())
    }
}

/// Leaves what was asked for.
fn choose(report: &mut RunReport, wanted: &TestName) -> Result<(), CliError> {
    let entities = report.entities.iter().map(|entity| entity.id.to_string());
    let classes = report
        .realms
        .iter()
        .flat_map(|realm| &realm.unknown_classes);
    let names: Vec<String> = entities.chain(classes.map(|name| dotted(name))).collect();
    report
        .entities
        .retain(|entity| wanted.matches(&entity.id.to_string()));
    for realm in &mut report.realms {
        realm
            .unknown_classes
            .retain(|class| wanted.matches(&dotted(class)));
    }
    let mut classes = report
        .realms
        .iter()
        .flat_map(|realm| &realm.unknown_classes);
    if !report.entities.is_empty() || classes.next().is_some() {
        return Ok(());
    }
    Err(CliError::NotKnown {
        what: Known::Test,
        name: wanted.as_str().to_owned(),
        similar: similar(wanted.as_str(), names.iter().map(String::as_str)),
    })
}

fn dotted(class: &str) -> String {
    class.replace('/', ".")
}
