//! `tamis check replay`: one generated program, step by step.

use std::path::PathBuf;

use clap::Args;
use tamis_check::{Bounds, Plan, ProgramId, ReduceBounds, Stop, Violation, Weight};

use super::equipment::{EquipmentOptions, KnownGranularity, scratch};
use crate::cli_error::{CliError, Outcome};
use crate::options::OutputOptions;
use crate::printer::{self, Printer};
use crate::text;
use crate::view::{ReducedView, ReplayReport};

/// Run one generated program again, and show each step
///
/// Makes the program once more, runs it in a project of its own, and shows how its sources differ, how each
/// test ended in each step without a tool, and what each tool did.
#[derive(Debug, Args)]
#[command(after_long_help = AFTER_HELP)]
pub(crate) struct ReplayCommand {
    /// The program, as `tamis check auto` names it
    #[arg(value_name = "PROGRAM")]
    program: ProgramId,

    /// The seed that it was made by
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,

    /// Leave the project of each tool in this directory, as it is in the end
    #[arg(long, value_name = "DIR")]
    keep: Option<PathBuf>,

    /// Make the program smaller, as long as it shows the first violation
    #[arg(long)]
    reduce: bool,

    #[command(flatten)]
    equipment: EquipmentOptions,

    #[command(flatten)]
    output: OutputOptions,
}

const AFTER_HELP: &str = "\
Examples:
  tamis check replay JD3-42-E5-7 --seed 1
  tamis check replay JD3-42-E5-7 --seed 1 --keep /tmp/look
  tamis check replay JD3-42-E5-7 --seed 1 --reduce
  tamis check replay JD3-42-E5-7 --seed 1 --tool mine='./select-and-run.sh' --format json

Exit status:
  0    no bug: nothing is violated, or only R2 to R4, which are suspicions
  1    a tool has a bug
  2    wrong use
  64   there is no such program, no JDK, or no JUnit
  68   the program cannot be run at all
  74   the report cannot be written
  78   a rule of yours cannot be applied";

impl ReplayCommand {
    pub(crate) fn run(&self, printer: &mut Printer) -> Result<Outcome, CliError> {
        let equipment = self.equipment.equipment(KnownGranularity::Both)?;
        let plan = Plan {
            seed: self.seed,
            bounds: Bounds::default(),
            frameworks: self.equipment.frameworks(),
            constraints: vec![self.program.constraint],
            operators: vec![self.program.operator],
        };
        let stop = Stop::on_signals().map_err(CliError::Signals)?;
        let temporary = scratch(&equipment)?;
        let place = match &self.keep {
            Some(keep) => std::path::absolute(keep).map_err(CliError::CurrentDirectory)?,
            None => temporary.path().to_path_buf(),
        };
        let waiting = printer::wait("running it");
        let replay = equipment.replay(&plan, &self.program, &place, &stop);
        drop(waiting);
        let replay = replay?;
        let mut by_weight: Vec<&Violation> = replay.violations.iter().collect();
        by_weight.sort_by_key(|violation| violation.weight);
        let first = by_weight.first().filter(|_| self.reduce);
        let waiting = printer::wait("reducing it");
        let reduced = first.map(|violation| {
            let bounds = ReduceBounds::default();
            equipment.reduce(&plan, violation, bounds, temporary.path(), &stop)
        });
        drop(waiting);
        let reduced = reduced.transpose()?.flatten();
        let mut report = ReplayReport::new(&replay, self.seed);
        let shown = first.zip(reduced.as_ref());
        report.reduced = shown.map(|(violation, small)| ReducedView::new(violation, small));
        let text = |palette: &_| text::replay(&report, palette);
        self.output.write(&report, text, printer)?;
        let mut violations = replay.violations.iter();
        let has_bug = violations.any(|violation| violation.weight == Weight::Bug);
        Ok(Outcome {
            is_different: has_bug || !replay.failures.is_empty(),
            ..Outcome::default()
        })
    }
}
