//! `tamis check`: finds bugs in tools that select tests, Tamis among them.

mod auto;
mod conditions;
mod defects;
mod equipment;
mod history;
mod json_lines;
mod replay;
mod rules;
mod teller;

use clap::{Args, Subcommand};

use crate::cli_error::{CliError, Outcome};
use crate::printer::Printer;

/// Find bugs in tools that select tests
///
/// Runs programs that evolve with every test and with each tool, and compares: a test that newly fails must
/// be run by the tool, nothing may be run where nothing has changed, and so on. `tamis check rules` explains
/// the rules. Tamis itself is such a tool, and known here as a command like any other.
#[derive(Debug, Args)]
#[command(
    after_long_help = AFTER_HELP,
    disable_help_subcommand = true,
    arg_required_else_help = true
)]
pub(crate) struct CheckCommand {
    #[command(subcommand)]
    command: CheckSubcommand,
}

#[derive(Debug, Subcommand)]
enum CheckSubcommand {
    Auto(auto::AutoCommand),
    Defects(defects::DefectsCommand),
    History(history::HistoryCommand),
    Replay(replay::ReplayCommand),
    Rules(rules::RulesCommand),
}

const AFTER_HELP: &str = "\
Examples:
  tamis check auto --programs 300        Tamis, on generated programs
  tamis check history --last 10          Tamis, on the revisions of this repository
  tamis check defects ~/defects4j        Tamis, on the bugs of a database
  tamis check replay JD3-42-E5-7 --seed 1
                                         one of them, step by step
  tamis check rules R1                   what a rule says

Exit status:
  0    no rule is violated that makes a bug
  1    a tool has a bug
  2    wrong use; each command tells of further codes";

impl CheckCommand {
    pub(crate) fn run(&self, printer: &mut Printer) -> Result<Outcome, CliError> {
        match &self.command {
            CheckSubcommand::Auto(command) => command.run(printer),
            CheckSubcommand::Defects(command) => command.run(printer),
            CheckSubcommand::History(command) => command.run(printer),
            CheckSubcommand::Replay(command) => command.run(printer),
            CheckSubcommand::Rules(command) => command.run(printer),
        }
    }
}
