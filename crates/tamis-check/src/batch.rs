//! A batch of evolving programs: each in a package of its own, all in one project per tool, through all steps.
//!
//! Some changes concern the tests of other programs too, and would hide what a tool does with these; such programs have a
//! project of their own. That are programs with a listener, on which every test of its JVM relies, or with another property,
//! which is another way to start that JVM; and those with resources, or a class that is looked for in vain, on which every
//! later test may rely.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::baseline::{self, Baseline, Subject, class_of};
use crate::check_error::CheckError;
use crate::compiler::Compiler;
use crate::efficiency::TimedRun;
use crate::evolving::{EvolvingProgram, ProgramId, Side};
use crate::history::{History, Outcome, StepHistory, ToolStep, Variant};
use crate::operator::Operator;
use crate::outcome::Outcomes;
use crate::project::{Choice, Project, Revision};
use crate::revisions::{self, Packages};
use crate::steps::Step;
use crate::tool::{Order, RunError, Tool, ToolFailure};
use crate::workshop::Workshop;

/// What became of a batch.
#[derive(Debug, Default)]
pub(crate) struct BatchRun {
    pub(crate) histories: Vec<History>,
    pub(crate) dropped: Vec<Dropped>,
    pub(crate) failures: Vec<FailedTool>,
    /// By the name of the tool, and of none; all steps together.
    pub(crate) times: BTreeMap<String, ToolTime>,
    /// By the name of the variant.
    pub(crate) runs: BTreeMap<String, Vec<TimedRun>>,
}

/// How long a tool took, and all tests without it in the same steps.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ToolTime {
    pub milliseconds: u64,
    pub retest_all_milliseconds: u64,
}

impl ToolTime {
    pub(crate) fn add(&mut self, other: Self) {
        self.milliseconds += other.milliseconds;
        self.retest_all_milliseconds += other.retest_all_milliseconds;
    }
}

/// A program that was not checked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Dropped {
    pub program: ProgramId,
    pub reason: DropReason,
    /// What javac said, or which test classes are concerned.
    pub text: String,
}

/// Why a program was not checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum DropReason {
    /// The first revision does not compile.
    NotCompiledBefore,
    /// The second one does not.
    NotCompiledAfter,
    /// No test of it always ends in the same way.
    Unstable,
}

/// A tool that failed as a whole.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FailedTool {
    pub tool: String,
    pub step: Step,
    #[serde(flatten)]
    pub failure: ToolFailure,
    /// The first of the programs that it was run on, and how many they are.
    pub program: ProgramId,
    pub n_programs: usize,
}

/// Where a batch runs, and its number, by which tools take turns.
#[derive(Debug, Clone, Copy)]
pub(crate) struct BatchPlace<'a> {
    pub(crate) directory: &'a Path,
    pub(crate) number: usize,
}

/// Runs programs through all steps, with every tool, in a directory that is removed afterwards.
pub(crate) fn run(
    workshop: &Workshop,
    compiler: &mut Compiler,
    programs: &[EvolvingProgram],
    place: BatchPlace<'_>,
) -> Result<BatchRun, CheckError> {
    let batch = run_and_keep(workshop, compiler, programs, place)?;
    remove(workshop, place.directory)?;
    Ok(batch)
}

/// The same, and the directory is left as it is then.
pub(crate) fn run_and_keep(
    workshop: &Workshop,
    compiler: &mut Compiler,
    programs: &[EvolvingProgram],
    place: BatchPlace<'_>,
) -> Result<BatchRun, CheckError> {
    let mut batch = BatchRun::default();
    let directory = place.directory;
    remove(workshop, directory)?;
    let mut packages: Packages = (0..)
        .map(|number: usize| format!("p{number:05}"))
        .zip(in_turn(programs, place.number))
        .collect();
    let groups = compile(workshop, compiler, &mut packages, directory, &mut batch)?;
    for (number, group) in groups.into_iter().enumerate() {
        let place = BatchPlace {
            directory: &directory.join(format!("group-{number}")),
            ..place
        };
        group.run(workshop, place, &mut batch)?;
    }
    batch
        .histories
        .sort_by(|one, other| one.program.cmp(&other.program));
    Ok(batch)
}

/// Programs in the order in which they run. Those that concern later tests hide what tools do with the ones after them: their
/// operators take turns in being the first, from batch to batch.
fn in_turn(programs: &[EvolvingProgram], batch: usize) -> Vec<EvolvingProgram> {
    let hiding = programs.iter().filter(|program| program.concerns_later());
    let mut operators: Vec<Operator> = hiding.map(|program| program.operator).collect();
    operators.sort();
    operators.dedup();
    let turn = batch.checked_rem(operators.len());
    operators.rotate_left(turn.unwrap_or(0));
    let mut programs = programs.to_vec();
    programs.sort_by_key(|program| operators.iter().position(|one| *one == program.operator));
    programs
}

fn remove(workshop: &Workshop, place: &Path) -> Result<(), CheckError> {
    if place.exists() {
        fs::remove_dir_all(place).map_err(|cause| workshop.work_error(cause))?;
    }
    Ok(())
}

/// Programs that share a project, with both revisions.
struct Group {
    packages: Packages,
    before: Revision,
    after: Revision,
}

/// Both revisions of all programs that compile, those apart that concern every test of a project.
fn compile(
    workshop: &Workshop,
    compiler: &mut Compiler,
    packages: &mut Packages,
    place: &Path,
    batch: &mut BatchRun,
) -> Result<Vec<Group>, CheckError> {
    let java = &workshop.java;
    let recording = revisions::compile(compiler, java, packages, Side::Before, None)?;
    batch.drop_refused(packages, recording.refused, DropReason::NotCompiledBefore);
    if packages.is_empty() {
        return Ok(Vec::new());
    }
    let project = Project::create(&place.join("recording"));
    let mut project = project.map_err(|cause| workshop.work_error(cause))?;
    let logs = baseline::record_logs(workshop, &mut project, packages, &recording.revision)?;
    let after = revisions::compile(compiler, java, packages, Side::After, Some(&logs))?;
    batch.drop_refused(packages, after.refused, DropReason::NotCompiledAfter);
    let before = revisions::compile(compiler, java, packages, Side::Before, Some(&logs))?;
    if let Some(said) = before.refused.into_values().next() {
        let what = "tests that it took before they had expectations".to_owned();
        return Err(CheckError::Refused { what, said });
    }
    Ok(groups(packages, &before.revision, &after.revision))
}

/// Programs that concern their own tests alone; those that concern later tests; those that concern all tests; and each
/// that goes on when its tests are over.
fn groups(packages: &Packages, before: &Revision, after: &Revision) -> Vec<Group> {
    let mut groups: BTreeMap<_, Packages> = BTreeMap::new();
    for (package, program) in packages {
        let concerns_all = program.concerns_all();
        let loner = program.is_loner().then_some(package);
        let group = (concerns_all, program.concerns_later(), loner);
        let group = groups.entry(group).or_default();
        group.insert(package.clone(), program.clone());
    }
    groups
        .into_values()
        .map(|packages| Group {
            before: before.of_packages(&packages),
            after: after.of_packages(&packages),
            packages,
        })
        .collect()
}

impl BatchRun {
    /// Adds what became of other programs.
    pub(crate) fn add(&mut self, other: Self) {
        self.histories.extend(other.histories);
        self.dropped.extend(other.dropped);
        self.failures.extend(other.failures);
        for (tool, time) in other.times {
            self.times.entry(tool).or_default().add(time);
        }
        for (variant, runs) in other.runs {
            self.runs.entry(variant).or_default().extend(runs);
        }
    }

    fn drop_refused(
        &mut self,
        packages: &mut Packages,
        refused: BTreeMap<String, String>,
        reason: DropReason,
    ) {
        for (package, text) in refused {
            if let Some(program) = packages.remove(&package) {
                self.dropped.push(Dropped {
                    program: program.id,
                    reason,
                    text,
                });
            }
        }
    }
}

/// What tools did with a group: by step, the tests that each variant ran.
type ToolSteps = BTreeMap<Step, BTreeMap<String, Outcomes>>;

impl Group {
    fn run(
        mut self,
        workshop: &Workshop,
        place: BatchPlace<'_>,
        batch: &mut BatchRun,
    ) -> Result<(), CheckError> {
        let project = Project::create(&place.directory.join("retest-all"));
        let mut project = project.map_err(|cause| workshop.work_error(cause))?;
        let subject = Subject {
            packages: &self.packages,
            before: &self.before,
            after: &self.after,
        };
        let baseline = baseline::measure(workshop, &mut project, &subject)?;
        self.drop_unstable(&baseline, batch);
        if self.packages.is_empty() {
            return Ok(());
        }
        let mut steps: ToolSteps = BTreeMap::new();
        let mut variants = Vec::new();
        let tools = workshop.tools.iter();
        for tool in tools.filter(|tool| tool.has_turn(place.number)) {
            variants.extend(tool.variants());
            let place = place.directory.join(tool.name());
            self.run_tool(
                workshop,
                tool.as_ref(),
                &place,
                &baseline,
                &mut steps,
                batch,
            )?;
        }
        let told = Told {
            variants,
            truths: Step::ALL
                .iter()
                .map(|step| (*step, baseline.truth(*step)))
                .collect(),
            unstable: baseline.unstable,
            steps,
        };
        let packages = self.packages.iter();
        let histories = packages.map(|(package, program)| told.history(package, program));
        batch.histories.extend(histories);
        Ok(())
    }

    /// Programs without a test class that can be relied on. They are in the project of no tool.
    fn drop_unstable(&mut self, baseline: &Baseline, batch: &mut BatchRun) {
        let unstable = |package: &str, program: &EvolvingProgram| {
            let classes = program.test_classes(package);
            classes
                .iter()
                .all(|class| baseline.unstable.contains(class))
        };
        let all = std::mem::take(&mut self.packages).into_iter();
        let (dropped, kept) = all.partition(|(package, program)| unstable(package, program));
        self.packages = kept;
        let dropped: Packages = dropped;
        batch
            .dropped
            .extend(dropped.into_values().map(|program| Dropped {
                program: program.id,
                reason: DropReason::Unstable,
                text: "no test class always ends in the same way".to_owned(),
            }));
        self.before = self.before.of_packages(&self.packages);
        self.after = self.after.of_packages(&self.packages);
    }

    /// Takes a tool through the steps, until it fails.
    fn run_tool(
        &self,
        workshop: &Workshop,
        tool: &dyn Tool,
        place: &Path,
        baseline: &Baseline,
        steps: &mut ToolSteps,
        batch: &mut BatchRun,
    ) -> Result<(), CheckError> {
        let work = |cause| workshop.work_error(cause);
        let mut project = Project::with(tool.content(), place).map_err(work)?;
        for step in Step::ALL {
            if !tool.takes(*step) {
                continue;
            }
            project.put(self.revision(*step)).map_err(work)?;
            let choice = self.choice(*step, baseline);
            project
                .prepare(&choice, *step == Step::Killed)
                .map_err(work)?;
            let order = Order {
                step: *step,
                project: &project,
                java: &workshop.java,
                limit: workshop.limit,
                stop: &workshop.stop,
            };
            let runs = match tool.run(&order) {
                Ok(runs) => runs,
                Err(RunError::Stopped) => return Err(workshop.stopped()),
                Err(RunError::Failed(failure)) => {
                    batch.failures.extend(self.failed(tool, *step, failure));
                    return Ok(());
                }
            };
            // The last variant is the one that a user would have run.
            let duration = runs.last().map(|(_, run)| run.duration);
            let time = batch.times.entry(tool.name().to_owned()).or_default();
            time.milliseconds += milliseconds(duration.unwrap_or_default());
            time.retest_all_milliseconds += milliseconds(baseline.duration(*step));
            for (variant, run) in &runs {
                let timed = TimedRun {
                    milliseconds: milliseconds(run.duration),
                    retest_all_milliseconds: milliseconds(baseline.duration(*step)),
                };
                batch.runs.entry(variant.clone()).or_default().push(timed);
            }
            let ran = runs
                .iter()
                .map(|(variant, run)| (variant.clone(), baseline.ran(run)));
            steps.entry(*step).or_default().extend(ran);
        }
        Ok(())
    }

    fn revision(&self, step: Step) -> &Revision {
        match step.revision() {
            Side::Before => &self.before,
            Side::After => &self.after,
        }
    }

    fn choice(&self, step: Step, baseline: &Baseline) -> Choice {
        match step {
            Step::Filtered => {
                baseline::first_methods(&baseline.before, &baseline.after, &self.packages)
            }
            _ => Choice::Classes(baseline::test_classes(&self.packages)),
        }
    }

    fn failed(&self, tool: &dyn Tool, step: Step, failure: ToolFailure) -> Option<FailedTool> {
        Some(FailedTool {
            tool: tool.name().to_owned(),
            step,
            failure,
            program: self.packages.values().next()?.id.clone(),
            n_programs: self.packages.len(),
        })
    }
}

/// All that is known of a group.
struct Told {
    variants: Vec<Variant>,
    truths: BTreeMap<Step, Outcomes>,
    unstable: BTreeSet<String>,
    steps: ToolSteps,
}

impl Told {
    /// The part that is about one program.
    fn history(&self, package: &str, program: &EvolvingProgram) -> History {
        let steps = self.truths.iter().map(|(step, truth)| StepHistory {
            step: *step,
            retest_all: self.part(package, truth),
            tools: self.tools(package, *step),
        });
        let tests = self.truths.values().flat_map(BTreeMap::keys);
        let unstable = tests
            .filter(|test| package_of(test) == package && self.unstable.contains(class_of(test)));
        History {
            program: program.id.clone(),
            operator: program.operator.to_string(),
            tools: self.variants.clone(),
            steps: steps.collect(),
            n_unstable: unstable.collect::<BTreeSet<_>>().len(),
        }
    }

    fn tools(&self, package: &str, step: Step) -> BTreeMap<String, ToolStep> {
        let variants = self.steps.get(&step).into_iter().flatten();
        let tools = variants.map(|(variant, outcomes)| {
            let step = ToolStep {
                ran: self.part(package, outcomes),
                failed_apart: self.failed_apart(package, outcomes),
            };
            (variant.clone(), step)
        });
        tools.collect()
    }

    fn part(&self, package: &str, outcomes: &Outcomes) -> BTreeMap<String, Outcome> {
        let own = outcomes.iter();
        own.filter_map(|(test, outcome)| {
            let name = self.name(package, test)?;
            Some((name.to_owned(), *outcome))
        })
        .collect()
    }

    /// The classes that cannot be relied on, and in which a test failed.
    fn failed_apart(&self, package: &str, outcomes: &Outcomes) -> BTreeSet<String> {
        let failed = outcomes
            .iter()
            .filter(|(_, outcome)| **outcome == Outcome::Failed);
        let classes = failed.map(|(test, _)| class_of(test));
        classes
            .filter(|class| self.unstable.contains(*class))
            .filter_map(|class| name_in(package, class))
            .map(str::to_owned)
            .collect()
    }

    /// The name of a test inside of its program, if it is of this one and can be relied on.
    fn name<'a>(&self, package: &str, test: &'a str) -> Option<&'a str> {
        let is_unstable = self.unstable.contains(class_of(test));
        name_in(package, test).filter(|_| !is_unstable)
    }
}

/// The name of a test or class inside of its program, if it is of this one.
fn name_in<'a>(package: &str, whole_name: &'a str) -> Option<&'a str> {
    whole_name.strip_prefix(package)?.strip_prefix('.')
}

/// The package of a test by its whole name.
fn package_of(test: &str) -> &str {
    test.split_once('.').map_or("", |(package, _)| package)
}

fn milliseconds(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::constraint::Constraint;
    use crate::evolving::{Bounds, Framework, Plan};

    #[test]
    fn operators_that_hide_others_take_turns_in_being_first() {
        let plan = Plan {
            seed: 1,
            bounds: Bounds::default(),
            frameworks: Framework::ALL.to_vec(),
            constraints: Constraint::ALL.to_vec(),
            operators: vec![
                Operator::ChangeBundle,
                Operator::IncreaseConstant,
                Operator::ChangeService,
            ],
        };
        let programs: Vec<_> = plan.programs().take(12).collect();
        let first_of = |batch| {
            let hiding = in_turn(&programs, batch).into_iter();
            let mut hiding = hiding.filter(EvolvingProgram::concerns_later);
            hiding.next().map(|program| program.operator)
        };
        let expected = [
            Operator::ChangeService,
            Operator::ChangeBundle,
            Operator::ChangeService,
        ];
        assert_eq!([0, 1, 2].map(first_of), expected.map(Some));
        assert_eq!(in_turn(&[], 7), []);
    }
}
