//! `tamis check rules`: what tools are held against.

use clap::Args;
use tamis_check::{RULES, Rule, find_rule};

use crate::cli_error::{CliError, Outcome};
use crate::printer::Printer;
use crate::text;

/// Explain the rules that tools are held against
#[derive(Debug, Args)]
#[command(after_long_help = AFTER_HELP)]
pub(crate) struct RulesCommand {
    /// Only these, as R1 [default: a list of all]
    #[arg(value_name = "RULE", value_parser = known_rule)]
    rules: Vec<&'static Rule>,
}

const AFTER_HELP: &str = "\
Examples:
  tamis check rules              all of them, a line each
  tamis check rules R1 R10       two of them, with their explanations

Exit status:
  0    shown
  2    wrong use
  74   the output cannot be written";

impl RulesCommand {
    pub(crate) fn run(&self, printer: &mut Printer) -> Result<Outcome, CliError> {
        let palette = Printer::palette();
        let text = if self.rules.is_empty() {
            text::rules(RULES, &palette)
        } else {
            text::explained_rules(&self.rules, &palette)
        };
        printer.text(&text)?;
        Ok(Outcome::default())
    }
}

fn known_rule(id: &str) -> Result<&'static Rule, String> {
    find_rule(id).ok_or_else(|| format!("there are R1 to R{}", RULES.len()))
}
