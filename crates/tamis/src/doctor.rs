//! `tamis doctor`: whether everything is in place, and what is not tracked here.

mod diagnosis;

use clap::Args;

use crate::cli_error::{CliError, Outcome};
use crate::options::{OutputOptions, SelectionOptions};
use crate::printer::{self, Printer};
use crate::text;
use crate::view::DoctorReport;

/// Tell whether everything is in place, and what is not tracked here
///
/// Looks at the build, the JDKs, the settings and what is known, names what keeps tests from being skipped in
/// this project, and what no record can tell. This command only looks.
#[derive(Debug, Args)]
#[command(after_long_help = AFTER_HELP)]
pub(crate) struct DoctorCommand {
    #[command(flatten)]
    options: SelectionOptions,

    #[command(flatten)]
    output: OutputOptions,
}

const AFTER_HELP: &str = "\
Examples:
  tamis doctor
  tamis doctor --format json

Exit status:
  0    everything is in place
  1    something is not
  2    wrong use
  74   the report cannot be written
  78   a setting cannot be used";

impl DoctorCommand {
    pub(crate) fn run(&self, printer: &mut Printer) -> Result<Outcome, CliError> {
        let surroundings = self.options.surroundings()?;
        let waiting = printer::wait("looking around");
        let report = DoctorReport::new(diagnosis::all(&surroundings));
        drop(waiting);
        let text = |palette: &_| text::doctor(&report, palette);
        self.output.write(&report, text, printer)?;
        Ok(Outcome {
            is_different: !report.is_fine,
            ..Outcome::default()
        })
    }
}
