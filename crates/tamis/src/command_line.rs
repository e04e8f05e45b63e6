//! The grammar of the command line, down to the commands; each command's own is in its file.

use clap::{Parser, Subcommand, ValueEnum};

use crate::class::ClassCommand;
use crate::cli_error::{CliError, Outcome};
use crate::printer::Printer;
use crate::trace::TraceCommand;

/// What the user typed.
#[derive(Debug, Parser)]
#[command(
    name = "tamis",
    version,
    about = "Regression test selection for the JVM",
    long_about = ABOUT,
    after_long_help = AFTER_HELP,
    max_term_width = 100,
    arg_required_else_help = true,
    disable_help_subcommand = true
)]
pub(crate) struct CommandLine {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Class(ClassCommand),
    Trace(TraceCommand),
}

/// How data are printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(crate) enum Format {
    /// For people; it may change with any version.
    #[default]
    Text,
    /// For programs: versioned and stable, with whole checksums.
    Json,
}

const ABOUT: &str = "\
Regression test selection for the JVM

Tamis is to run only those tests of a JVM project that a change can affect. This version reads and compares class \
files and shows what a JVM ran, the ground on which selection will stand; it does not select tests yet.";

const AFTER_HELP: &str = "\
Examples:
  tamis class target/classes             what Tamis sees in the classes of a build
  tamis class diff old.jar new.jar       which classes and members changed, and how
  tamis trace -- java -jar app.jar       which classes and methods a program ran

Exit status:
  0    done; of a comparison: nothing changed
  1    of a comparison: something changed
  2    wrong use
  64   what was asked for is not there
  65   a class is not understood; it counts as a whole
  66   something cannot be read
  68   the command cannot be started
  69   the agent cannot be put in place
  70   a bug in Tamis
  74   the output cannot be written
After 65 and 66 everything else has been shown. The greatest of several codes is returned. `trace`
returns the exit code of its command.

Colours are shown on a terminal only, and never when NO_COLOR is set.";

impl CommandLine {
    /// Does what was asked for.
    pub(crate) fn run(&self, printer: &mut Printer) -> Result<Outcome, CliError> {
        match &self.command {
            Command::Class(command) => command.run(printer),
            Command::Trace(command) => command.run(printer),
        }
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::*;

    #[test]
    fn the_grammar_contradicts_itself_nowhere() {
        CommandLine::command().debug_assert();
    }
}
