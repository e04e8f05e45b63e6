//! The grammar of the command line, down to the commands; each command's own is in its file.

use clap::{Parser, Subcommand, ValueEnum};

use crate::check::CheckCommand;
use crate::class::ClassCommand;
use crate::cli_error::{CliError, Outcome};
use crate::config::ConfigCommand;
use crate::doctor::DoctorCommand;
use crate::forget::ForgetCommand;
use crate::printer::Printer;
use crate::select::SelectCommand;
use crate::status::StatusCommand;
use crate::test::{RunCommand, TestCommand};
use crate::trace::TraceCommand;
use crate::what::WhatCommand;
use crate::why::WhyCommand;

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
    Test(TestCommand),
    Run(RunCommand),
    Select(SelectCommand),
    Why(WhyCommand),
    What(WhatCommand),
    Status(StatusCommand),
    Doctor(DoctorCommand),
    Forget(ForgetCommand),
    Config(ConfigCommand),
    Class(ClassCommand),
    Trace(TraceCommand),
    Check(Box<CheckCommand>),
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

Tamis runs only those tests of a JVM project that a change can affect. A test is skipped when everything it saw the last \
time is still so, and it passed then; what is not known runs. Each decision can be explained.";

const AFTER_HELP: &str = "\
Examples:
  tamis test                             run what a change can affect
  tamis select                           what would run, and why
  tamis why CartTest                     the decision about a test
  tamis what src/main/java/shop/Cart.java
                                         which tests depend on it
  tamis class diff old.jar new.jar       which classes and members changed, and how
  tamis trace -- java -jar app.jar       which classes and methods a program ran
  tamis check auto                       whether Tamis keeps its promises here

Exit status:
  0    done; of a comparison: nothing changed
  1    of a comparison: something changed; of `doctor`: something is not in place;
       of `check`: a tool has a bug
  2    wrong use
  64   what was asked for is not there
  65   a class is not understood; it counts as a whole
  66   something cannot be read
  68   the command cannot be started
  69   the agent cannot be put in place
  70   a bug in Tamis
  74   the output cannot be written
  78   a setting cannot be used
  130  a check was stopped
After 65 and 66 everything else has been shown. The greatest of several codes is returned. `test`,
`run` and `trace` return the exit code of the build or command.

Colours are shown on a terminal only, and never when NO_COLOR is set.";

impl CommandLine {
    /// Does what was asked for.
    pub(crate) fn run(&self, printer: &mut Printer) -> Result<Outcome, CliError> {
        match &self.command {
            Command::Test(command) => command.run(printer),
            Command::Run(command) => command.run(printer),
            Command::Select(command) => command.run(printer),
            Command::Why(command) => command.run(printer),
            Command::What(command) => command.run(printer),
            Command::Status(command) => command.run(printer),
            Command::Doctor(command) => command.run(printer),
            Command::Forget(command) => command.run(printer),
            Command::Config(command) => command.run(printer),
            Command::Class(command) => command.run(printer),
            Command::Trace(command) => command.run(printer),
            Command::Check(command) => command.run(printer),
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
