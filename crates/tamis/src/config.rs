//! `tamis config`: what is set, and where.

use clap::{Args, Subcommand};

use crate::cli_error::{CliError, Outcome};
use crate::options::{OutputOptions, SelectionOptions};
use crate::printer::Printer;
use crate::settings::DEFAULT_FILE;
use crate::text;
use crate::view::ConfigReport;

/// Show what is set, and where
///
/// Settings stand in files, in the environment and on the command line; `docs/reference/configuration.md`
/// describes them. These commands only look.
#[derive(Debug, Args)]
#[command(
    after_long_help = AFTER_HELP,
    disable_help_subcommand = true,
    arg_required_else_help = true
)]
pub(crate) struct ConfigCommand {
    #[command(subcommand)]
    command: ConfigSubcommand,
}

#[derive(Debug, Subcommand)]
enum ConfigSubcommand {
    Show(ShowCommand),
    Default(DefaultCommand),
}

/// Show each setting with where it comes from
///
/// Settings come in layers, each overriding the one before: built in, `tamis/config.toml` in the user's
/// directory of configuration, `tamis.toml` at the root of the project, environment variables, and the
/// command line. This command only looks.
#[derive(Debug, Args)]
#[command(after_long_help = AFTER_SHOW_HELP)]
struct ShowCommand {
    #[command(flatten)]
    options: SelectionOptions,

    #[command(flatten)]
    output: OutputOptions,
}

/// Print a file with all settings, their defaults and what they mean
#[derive(Debug, Args)]
#[command(after_long_help = AFTER_DEFAULT_HELP)]
struct DefaultCommand {}

const AFTER_HELP: &str = "\
Examples:
  tamis config show                     each setting with where it comes from
  tamis config default > tamis.toml     a file with all of them, to begin with

Exit status:
  0    shown
  2    wrong use
  74   the output cannot be written
  78   a setting cannot be used";

const AFTER_SHOW_HELP: &str = "\
Examples:
  tamis config show
  TAMIS_MAX_AGE=7 tamis config show
  tamis config show --format json

Exit status:
  0    shown
  2    wrong use
  74   the report cannot be written
  78   a setting cannot be used";

const AFTER_DEFAULT_HELP: &str = "\
Examples:
  tamis config default > tamis.toml

Exit status:
  0    printed
  2    wrong use
  74   the output cannot be written";

impl ConfigCommand {
    pub(crate) fn run(&self, printer: &mut Printer) -> Result<Outcome, CliError> {
        match &self.command {
            ConfigSubcommand::Show(command) => command.run(printer),
            ConfigSubcommand::Default(_) => {
                printer.text(DEFAULT_FILE)?;
                Ok(Outcome::default())
            }
        }
    }
}

impl ShowCommand {
    fn run(&self, printer: &mut Printer) -> Result<Outcome, CliError> {
        let surroundings = self.options.surroundings()?;
        let report = ConfigReport::new(&surroundings.settings);
        let text = |palette: &_| text::configuration(&report, palette);
        self.output.write(&report, text, printer)?;
        Ok(Outcome::default())
    }
}
