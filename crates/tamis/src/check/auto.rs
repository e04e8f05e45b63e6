//! `tamis check auto`: tools on generated programs.

use std::fs;
use std::path::PathBuf;
use std::thread;
use std::time::Duration;

use clap::Args;
use tamis_check::{
    Bounds, Check, Checked, Confirmed, Constraint, Operator, Plan, Progress, ReduceBounds, Reduced,
    Stop, Violation, smallest_of_each_kind,
};

use super::equipment::{EquipmentOptions, KnownGranularity, scratch};
use crate::cli_error::{CliError, Outcome};
use crate::html::{self, Example};
use crate::options::OutputOptions;
use crate::printer::{self, Printer};
use crate::text;
use crate::view::{CheckReport, ReducedView, all_files};

/// Check tools on programs that are generated and changed
///
/// Makes small Java programs, with tests, and changes each in one way. Both revisions are run in several
/// steps, with every test and with each tool, and the rules compare (`tamis check rules`). Many programs share
/// a project, each in a package of its own. What is finished is kept: a check that was stopped goes on where it
/// was when it is called in the same way again.
#[derive(Debug, Args)]
#[command(after_long_help = AFTER_HELP)]
pub(crate) struct AutoCommand {
    /// How many programs
    #[arg(long, value_name = "N", default_value_t = 300)]
    programs: usize,

    /// What programs and tests are drawn by: the same seed, the same programs
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,

    /// What programs must have, JD1 to JD10, separated by commas [default: all]
    #[arg(long, value_name = "CONSTRAINTS", value_delimiter = ',')]
    constraints: Vec<Constraint>,

    /// How programs are changed, as E1 or `add-override`, separated by commas [default: all that the JDK
    /// compiles; with tools of others without those that Maven shows otherwise]
    #[arg(long, value_name = "OPERATORS", value_delimiter = ',')]
    operators: Vec<Operator>,

    /// Programs that share a project [default: 1000, or half of all where these are fewer than 2000]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    batch: Option<u32>,

    /// Give each program a project of its own
    #[arg(long)]
    one_by_one: bool,

    /// Run programs on which a rule is violated once more, each in a project of its own, N of each kind of violation (tool, rule
    /// and operator); only what shows there counts
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    confirm: Option<u32>,

    /// Batches at once [default: as many as there are processors]
    #[arg(long, value_name = "N")]
    jobs: Option<usize>,

    /// Where results are kept [default: in the cache directory, by the other options]
    #[arg(long, value_name = "DIR")]
    work: Option<PathBuf>,

    /// Begin anew, whatever is kept
    #[arg(long)]
    fresh: bool,

    /// Make a program smaller for each kind of violation, by rule and operator; at most ten, bugs first
    #[arg(long)]
    reduce: bool,

    /// Write a page for a browser as well: tables, times, and the smallest program of each kind of violation
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,

    #[command(flatten)]
    equipment: EquipmentOptions,

    #[command(flatten)]
    output: OutputOptions,
}

const AFTER_HELP: &str = "\
Examples:
  tamis check auto                                   300 programs on this very Tamis
  tamis check auto --programs 5000 --seed 7
  tamis check auto --operators E5,add-override --constraints JD3
  tamis check auto --tools tamis --tool mine='./select-and-run.sh'
  tamis check auto --tools ekstazi,starts,hyrts,openclover --confirm 2
  tamis check auto --rule 'python3 my_rule.py' --format json
  tamis check auto --reduce --html check.html        with small programs, as a page

Environment:
  TAMIS_CACHE_DIR    where results and tools in Java are kept [default: the user's cache directory]
  TAMIS_JDKS         JDKs to choose from, separated as in PATH

Exit status:
  0    no bug: nothing is violated, or only R2 to R4, which are suspicions
  1    a tool has a bug: it violates another rule, crashes, hangs or leaves broken reports
  2    wrong use
  64   there is no JDK, or no JUnit
  68   programs cannot be compiled or run at all
  70   a bug in Tamis: javac takes none of the programs
  74   results or the report cannot be written
  78   a rule of yours cannot be applied
  130  stopped; the same command goes on";

/// How many programs are made smaller.
const MAX_REDUCED: usize = 10;

/// Programs that share a project, where there are enough.
const BATCH: usize = 1000;

impl AutoCommand {
    pub(crate) fn run(&self, printer: &mut Printer) -> Result<Outcome, CliError> {
        let equipment = self.equipment.equipment(KnownGranularity::Turns)?;
        let check = Check {
            plan: self.plan(equipment.jdk.feature),
            n_programs: self.programs,
            batch: self.batch(),
            is_one_by_one: self.one_by_one,
            n_jobs: self.n_jobs(),
            equipment,
            work: self.work.clone(),
            is_fresh: self.fresh,
        };
        let stop = Stop::on_signals().map_err(CliError::Signals)?;
        let waiting = printer::wait("checking");
        let checked = check.run(&stop, &|progress| waiting.tell(far(progress)));
        drop(waiting);
        let checked = checked?;
        let confirmed = self.confirmed(&check, &checked, &stop)?;
        let violations = &checked.result.violations;
        let smallest = smallest_of_each_kind(&check.plan, violations);
        let reduced = self.reduced(&check, &smallest, &stop)?;
        let mut report = CheckReport::new(&checked, self.seed, &self.equipment.words());
        let small = reduced.iter();
        let small = small.map(|(violation, reduced)| ReducedView::new(violation, reduced));
        report.reduced = small.collect();
        if let Some(confirmed) = &confirmed {
            report.confirm(confirmed);
        }
        if let Some(file) = &self.html {
            let page = html::check(&report, &examples(&check.plan, &smallest, &reduced));
            fs::write(file, page).map_err(|cause| CliError::WriteFile {
                file: file.clone(),
                cause,
            })?;
        }
        let text = |palette: &_| text::check(&report, palette);
        self.output.write(&report, text, printer)?;
        Ok(Outcome {
            is_different: has_bugs(&checked, confirmed.as_ref()),
            ..Outcome::default()
        })
    }

    /// What shows alone, where that is wanted.
    fn confirmed(
        &self,
        check: &Check,
        checked: &Checked,
        stop: &Stop,
    ) -> Result<Option<Confirmed>, CliError> {
        let Some(n_of_kind) = self.confirm else {
            return Ok(None);
        };
        let waiting = printer::wait("confirming");
        let progress = |progress| waiting.tell(far(progress));
        let confirmed = check.confirm(checked, n_of_kind as usize, stop, &progress)?;
        Ok(Some(confirmed))
    }

    /// Smaller programs for some of the violations, where that is wanted.
    fn reduced<'v>(
        &self,
        check: &Check,
        violations: &[&'v Violation],
        stop: &Stop,
    ) -> Result<Vec<(&'v Violation, Reduced)>, CliError> {
        let mut all = Vec::new();
        if !self.reduce {
            return Ok(all);
        }
        let waiting = printer::wait("reducing");
        let place = scratch(&check.equipment)?;
        for violation in violations.iter().copied().take(MAX_REDUCED) {
            waiting.tell(format!("reducing {}", violation.program));
            let bounds = ReduceBounds::default();
            let equipment = &check.equipment;
            let reduced = equipment.reduce(&check.plan, violation, bounds, place.path(), stop)?;
            all.extend(reduced.map(|reduced| (violation, reduced)));
        }
        Ok(all)
    }

    fn plan(&self, java: u32) -> Plan {
        let compiled = Operator::ALL.iter().copied();
        let compiled = compiled.filter(|operator| operator.min_java() <= java);
        let has_peers = self.equipment.has_peers();
        let compiled = compiled.filter(|operator| !has_peers || operator.suits_maven());
        Plan {
            seed: self.seed,
            bounds: Bounds::default(),
            frameworks: self.equipment.frameworks(),
            constraints: or_all(&self.constraints, Constraint::ALL.iter().copied()),
            operators: or_all(&self.operators, compiled),
        }
    }

    fn batch(&self) -> usize {
        let half = self.programs.div_ceil(2).max(1);
        self.batch.map_or(BATCH.min(half), |batch| batch as usize)
    }

    fn n_jobs(&self) -> usize {
        let processors = || thread::available_parallelism().map_or(1, usize::from);
        self.jobs.unwrap_or_else(processors)
    }
}

/// A tool that failed as a whole did so in any case.
fn has_bugs(checked: &Checked, confirmed: Option<&Confirmed>) -> bool {
    match confirmed {
        Some(confirmed) => confirmed.has_bugs() || !checked.result.failures.is_empty(),
        None => checked.result.has_bugs(),
    }
}

/// What a page shows of each kind of violation: the smaller program, if there is one.
fn examples<'v>(
    plan: &Plan,
    smallest: &[&'v Violation],
    reduced: &[(&'v Violation, Reduced)],
) -> Vec<Example<'v>> {
    let examples = smallest.iter().filter_map(|violation| {
        let small = reduced.iter().find(|(of, _)| of == violation);
        let files = if let Some((_, small)) = small {
            all_files(&small.before, &small.after)
        } else {
            let [before, after] = plan.sources(&violation.program)?;
            all_files(&before, &after)
        };
        Some(Example {
            violation,
            parts: small.map(|(_, small)| (small.n_left, small.n_parts)),
            files,
        })
    });
    examples.collect()
}

fn or_all<T: Clone>(named: &[T], all: impl Iterator<Item = T>) -> Vec<T> {
    if named.is_empty() {
        all.collect()
    } else {
        named.to_vec()
    }
}

/// `checked 500 of 5,000 programs, 2 violations, about 12 minutes left`
fn far(progress: Progress) -> String {
    let Progress {
        n_done,
        n_programs,
        n_violations,
        elapsed,
    } = progress;
    let left = n_programs.saturating_sub(n_done);
    let per_program = elapsed / u32::try_from(n_done.max(1)).unwrap_or(u32::MAX);
    let left = per_program * u32::try_from(left).unwrap_or(u32::MAX);
    let violations = text::counted(n_violations, "violation", "violations");
    format!(
        "checked {n_done} of {n_programs} programs, {violations}, about {} left",
        minutes(left)
    )
}

fn minutes(time: Duration) -> String {
    let minutes = usize::try_from(time.as_secs().div_ceil(60)).unwrap_or(usize::MAX);
    text::counted(minutes, "minute", "minutes")
}
