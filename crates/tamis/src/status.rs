//! `tamis status`: what is known, how old it is and how big.

use clap::Args;
use tamis_engine::seconds_now;

use crate::cli_error::{CliError, Outcome};
use crate::options::{OutputOptions, StoreOptions};
use crate::printer::Printer;
use crate::text;
use crate::view::StatusDocument;

/// Show what is known of the tests of a project
///
/// How many tests, records and facts there are, how old they are, and how much room they take. This command
/// only looks.
#[derive(Debug, Args)]
#[command(after_long_help = AFTER_HELP)]
pub(crate) struct StatusCommand {
    #[command(flatten)]
    store: StoreOptions,

    #[command(flatten)]
    output: OutputOptions,
}

const AFTER_HELP: &str = "\
Examples:
  tamis status
  tamis status --format json

Exit status:
  0    shown
  2    wrong use
  64   nothing is known yet
  66   what is known cannot be read
  74   the report cannot be written
  78   a setting cannot be used";

impl StatusCommand {
    pub(crate) fn run(&self, printer: &mut Printer) -> Result<Outcome, CliError> {
        let surroundings = self.store.surroundings()?;
        let knowledge = surroundings.knowledge()?;
        let status = StatusDocument::new(&knowledge.status()?);
        let now = seconds_now();
        let text = |palette: &_| text::status(&status, now, palette);
        self.output.write(&status, text, printer)?;
        Ok(Outcome::default())
    }
}
