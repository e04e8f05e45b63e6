//! The way through a history, revision by revision.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::mem;
use std::path::{Path, PathBuf};
use std::process::Command;

use tamis_build::find_maven;

use super::cause::cause;
use super::conditions::Conditions;
use super::contestant::{Contestant, Peer};
use super::declared::Declared;
use super::error::HistoryError;
use super::explanation::{self, Explanations, PAIRS};
use super::ground::{Build, Ground, NEEDS_MAVEN};
use super::hyrts::HyrtsCore;
use super::measured::run_measured;
use super::record::{Cost, HistoryStep, LeftOut, RevisionRecord, ToolRecord};
use super::reports::Reports;
use super::repository::{Repository, Revision};
use super::rules::{self, Compared};
use super::stage::{BUILDER, Stages};
use crate::outcome::ClassOutcomes;
use crate::process::{Ending, Stop};

/// Without any tool.
pub(crate) const RETEST_ALL: &str = "retest-all";

/// Why a revision cannot be built or tested.
const NO_BUILD: &str = "it is no Maven project; `--build` and `--test` name other commands";

/// A check under way.
pub(crate) struct Course<'a> {
    conditions: &'a Conditions,
    stop: &'a Stop,
    stages: Stages,
    hyrts: Option<HyrtsCore>,
    /// Tools that still work, by their names.
    tools: Vec<(String, &'a Contestant)>,
    /// Why others do not, until it is told.
    left_out: Vec<LeftOut>,
    /// What ran in the step before; `retest-all` is among it.
    before: Option<BTreeMap<String, ClassOutcomes>>,
    flaky: BTreeSet<(String, String)>,
    /// What the classes of the revision before declare, and those of this one.
    declared: [Declared; 2],
    /// Who is the first to be run.
    turn: usize,
}

/// A run that came to its end.
struct Run {
    outcomes: ClassOutcomes,
    cost: Cost,
    explanations: Explanations,
}

enum RunProblem {
    /// The user wants to stop.
    Stopped,
    /// It does not work, and why.
    Broken(String),
    /// Nothing works.
    Error(HistoryError),
}

impl From<HistoryError> for RunProblem {
    fn from(error: HistoryError) -> Self {
        Self::Error(error)
    }
}

impl<'a> Course<'a> {
    pub(crate) fn prepare(
        conditions: &'a Conditions,
        repository: &Repository,
        stop: &'a Stop,
    ) -> Result<Self, HistoryError> {
        let stages = Stages::new(conditions.scratch.as_deref())?;
        for name in [BUILDER, RETEST_ALL] {
            stages.add(repository, name)?;
        }
        let mut course = Self {
            conditions,
            stop,
            stages,
            hyrts: None,
            tools: Vec::new(),
            left_out: Vec::new(),
            before: None,
            flaky: BTreeSet::new(),
            declared: Default::default(),
            turn: 0,
        };
        for contestant in &conditions.contestants {
            let name = contestant.name();
            course.stages.add(repository, &name)?;
            if let Err(because) = course.equip(contestant) {
                course.left_out.push(LeftOut {
                    tool: name,
                    because,
                });
            } else {
                course.tools.push((name, contestant));
            }
        }
        Ok(course)
    }

    /// What a tool needs that is no plug-in of Maven's.
    fn equip(&mut self, contestant: &Contestant) -> Result<(), String> {
        if matches!(contestant, Contestant::Peer(_)) && self.conditions.test.is_some() {
            return Err(NEEDS_MAVEN.to_owned());
        }
        let needs_core = matches!(contestant, Contestant::Peer(Peer::Hyrts | Peer::Hyrtsf));
        if needs_core && self.hyrts.is_none() {
            let core = HyrtsCore::prepare(&self.conditions.jdk, &self.conditions.cache)?;
            self.hyrts = Some(core);
        }
        Ok(())
    }

    /// A revision, in one step or two; in none if the user stops meanwhile.
    pub(crate) fn visit(
        &mut self,
        revision: &Revision,
    ) -> Result<Vec<RevisionRecord>, HistoryError> {
        let steps: &[HistoryStep] = match self.before {
            None => &[HistoryStep::First, HistoryStep::Again],
            Some(_) => &[HistoryStep::Next],
        };
        let mut records = Vec::new();
        match self.build(revision) {
            Ok(declared) => self.declared = [mem::take(&mut self.declared[1]), declared],
            Err(problem) => return skipped(revision, steps[0], problem),
        }
        for (name, contestant) in &self.tools {
            if contestant.compiles() {
                self.stages.check_out(name, &revision.id)?;
            } else {
                self.stages.hand_over(name, &revision.id)?;
            }
        }
        self.stages.hand_over(RETEST_ALL, &revision.id)?;
        for &step in steps {
            match self.take(revision, step) {
                Ok(record) => records.push(record),
                Err(problem) => {
                    records.extend(skipped(revision, step, problem)?);
                    break;
                }
            }
        }
        Ok(records)
    }

    /// What ran in the last step, by tool; `RETEST_ALL` is among it. None before the first one.
    pub(crate) fn outcomes(&self) -> Option<&BTreeMap<String, ClassOutcomes>> {
        self.before.as_ref()
    }

    /// Tests that do not always end in the same way, each with its class.
    pub(crate) fn flaky_tests(&self) -> &BTreeSet<(String, String)> {
        &self.flaky
    }

    /// Compiles a revision for everybody, and tells what its classes declare.
    fn build(&self, revision: &Revision) -> Result<Declared, RunProblem> {
        self.stages.begin(&revision.id)?;
        let run = |stage: &Path| {
            let data = self.stages.data(BUILDER);
            let ground = self.ground(stage, &data, HistoryStep::Next, revision)?;
            let command = if let Some(command) = &self.conditions.build {
                ground.shell(command)
            } else {
                let build = self.maven(stage)?;
                let maven = Ground { build, ..ground };
                let command = maven.maven(&["test-compile"]);
                command.map_err(RunProblem::Broken)?
            };
            let (code, _) = self.run_commands(BUILDER, vec![command])?;
            Ok::<_, RunProblem>((code, Declared::of_project(stage)))
        };
        let (code, declared) = self.stages.on_stage(BUILDER, run)??;
        if code == 0 {
            return Ok(declared);
        }
        Err(RunProblem::Broken(self.said(BUILDER)))
    }

    /// Everybody once.
    fn take(
        &mut self,
        revision: &Revision,
        step: HistoryStep,
    ) -> Result<RevisionRecord, RunProblem> {
        let truth = self.run(RETEST_ALL, None, revision, step)?;
        let mut runs = BTreeMap::new();
        let mut broken = Vec::new();
        let n_tools = self.tools.len();
        for at in 0..n_tools {
            let (name, contestant) = &self.tools[(at + self.turn) % n_tools];
            match self.run(name, Some(contestant), revision, step) {
                Ok(run) => {
                    runs.insert(name.clone(), run);
                }
                Err(RunProblem::Broken(because)) => broken.push(LeftOut {
                    tool: name.clone(),
                    because,
                }),
                Err(problem) => return Err(problem),
            }
        }
        self.turn += 1;
        let is_broken = |name: &str| broken.iter().any(|left_out| left_out.tool == name);
        self.tools.retain(|(name, _)| !is_broken(name));
        self.left_out.extend(broken);
        let flaky = self.flaky(&truth, &runs, revision, step)?;
        Ok(self.record(revision, step, &truth, &runs, flaky))
    }

    /// Tests whose outcome depends on more than the revision: where one is not as it was, or not as with a tool,
    /// everything runs once more.
    fn flaky(
        &self,
        truth: &Run,
        runs: &BTreeMap<String, Run>,
        revision: &Revision,
        step: HistoryStep,
    ) -> Result<BTreeSet<(String, String)>, RunProblem> {
        let before = self
            .before
            .as_ref()
            .and_then(|before| before.get(RETEST_ALL));
        let mut doubts = BTreeSet::new();
        let others = before
            .into_iter()
            .chain(runs.values().map(|run| &run.outcomes));
        for other in others {
            doubts.append(&mut rules::differing(&truth.outcomes, other));
        }
        if doubts.is_subset(&self.flaky) {
            return Ok(BTreeSet::new());
        }
        let mut flaky = match before {
            Some(before) if step == HistoryStep::Again => rules::differing(&truth.outcomes, before),
            _ => BTreeSet::new(),
        };
        match self.run(RETEST_ALL, None, revision, step) {
            Ok(again) => flaky.append(&mut rules::differing(&truth.outcomes, &again.outcomes)),
            Err(RunProblem::Broken(_)) => {}
            Err(problem) => return Err(problem),
        }
        Ok(flaky.difference(&self.flaky).cloned().collect())
    }

    fn record(
        &mut self,
        revision: &Revision,
        step: HistoryStep,
        truth: &Run,
        runs: &BTreeMap<String, Run>,
        flaky: BTreeSet<(String, String)>,
    ) -> RevisionRecord {
        let mut record = empty(revision, step);
        record.flaky = flaky
            .iter()
            .map(|(class, test)| format!("{class}.{test}"))
            .collect();
        self.flaky.extend(flaky);
        record.n_classes = rules::classes(&truth.outcomes).len();
        (record.n_tests, record.n_failed) = rules::counts(&truth.outcomes);
        record.retest_all = truth.cost;
        record.left_out = mem::take(&mut self.left_out);
        let mut now = BTreeMap::from([(RETEST_ALL.to_owned(), truth.outcomes.clone())]);
        for (name, run) in runs {
            record.tools.insert(name.clone(), tool_record(run, truth));
            record
                .findings
                .extend(self.findings(name, step, run, truth));
            now.insert(name.clone(), run.outcomes.clone());
        }
        if step == HistoryStep::Next {
            record.extra = extra(&record, runs);
        }
        self.before = Some(now);
        record
    }

    fn findings(
        &self,
        name: &str,
        step: HistoryStep,
        run: &Run,
        truth: &Run,
    ) -> Vec<super::record::Finding> {
        let reliable = |outcomes: &ClassOutcomes| rules::without(outcomes, &self.flaky);
        let before = |name: &str| self.before.as_ref()?.get(name).map(reliable);
        rules::check(
            name,
            &Compared {
                step,
                before: before(RETEST_ALL).as_ref(),
                truth: &reliable(&truth.outcomes),
                tool_before: before(name).as_ref(),
                tool: &reliable(&run.outcomes),
            },
        )
    }

    /// A tool, or no tool, on the stage.
    fn run(
        &self,
        name: &str,
        contestant: Option<&Contestant>,
        revision: &Revision,
        step: HistoryStep,
    ) -> Result<Run, RunProblem> {
        let data = self.stages.data(name);
        let act = |stage: &Path| {
            let broken = |what: String| RunProblem::Broken(what);
            let reports = || Reports::find(stage, self.conditions);
            let removed = reports()?.remove();
            removed.map_err(|cause| broken(cause.to_string()))?;
            let ground = self.ground(stage, &data, step, revision)?;
            let commands = match contestant {
                None => vec![ground.retest_all()],
                Some(contestant) => contestant.commands(&ground).map_err(broken)?,
            };
            let (code, cost) = self.run_commands(name, commands)?;
            let outcomes = reports()?.read();
            let outcomes = outcomes.map_err(|error| broken(format!("{error}: {}", error.kind)))?;
            let (n_tests, n_failed) = rules::counts(&outcomes);
            if code != 0 && n_failed == 0 {
                return Err(broken(self.said(name)));
            }
            if step == HistoryStep::First && n_tests == 0 {
                return Err(broken("it runs no test".to_owned()));
            }
            Ok((outcomes, cost))
        };
        let (outcomes, cost) = self.stages.on_stage(name, act)??;
        let report = contestant.and_then(|contestant| contestant.explains_in(&data));
        let [before, now] = &self.declared;
        let is_by_fields = |class: &str| now.is_same_but_for_fields(before, class);
        let read = |file: PathBuf| explanation::read(&file, &is_by_fields);
        Ok(Run {
            outcomes,
            cost,
            explanations: report.map_or_else(Explanations::new, read),
        })
    }

    fn ground<'g>(
        &'g self,
        stage: &'g Path,
        data: &'g Path,
        step: HistoryStep,
        revision: &'g Revision,
    ) -> Result<Ground<'g>, RunProblem> {
        let build = match &self.conditions.test {
            Some(tests) => Build::Command { tests },
            None => self.maven(stage)?,
        };
        Ok(Ground {
            stage,
            data,
            build,
            jdk: &self.conditions.jdk,
            hyrts: self.hyrts.as_ref(),
            step,
            revision: &revision.id,
        })
    }

    fn maven(&self, stage: &Path) -> Result<Build<'_>, RunProblem> {
        let maven = find_maven(stage).filter(|_| stage.join("pom.xml").is_file());
        let maven = maven.ok_or_else(|| RunProblem::Broken(NO_BUILD.to_owned()))?;
        Ok(Build::Maven {
            program: maven.program,
            options: &self.conditions.maven_options,
        })
    }

    /// The exit code of the last command that ran, and what all took.
    fn run_commands(
        &self,
        name: &str,
        mut commands: Vec<Command>,
    ) -> Result<(i32, Cost), RunProblem> {
        let (log, limit) = (self.stages.log(name), self.conditions.limit);
        let ended = run_measured(&mut commands, &log, limit, self.stop);
        let (ending, cost) =
            ended.map_err(|cause| RunProblem::Broken(format!("cannot start it: {cause}")))?;
        match ending {
            Ending::Exited(code) => Ok((code, cost)),
            Ending::Stopped => Err(RunProblem::Stopped),
            Ending::Signalled(signal) => Err(RunProblem::Broken(format!(
                "it was ended by signal {signal}"
            ))),
            Ending::TimedOut => Err(RunProblem::Broken(format!(
                "it did not end in {} seconds",
                limit.as_secs()
            ))),
        }
    }

    fn said(&self, name: &str) -> String {
        let said = fs::read(self.stages.log(name)).unwrap_or_default();
        cause(&String::from_utf8_lossy(&said))
    }
}

/// What becomes of a revision that cannot be run.
fn skipped(
    revision: &Revision,
    step: HistoryStep,
    problem: RunProblem,
) -> Result<Vec<RevisionRecord>, HistoryError> {
    match problem {
        RunProblem::Stopped => Ok(Vec::new()),
        RunProblem::Error(error) => Err(error),
        RunProblem::Broken(why) => {
            let mut record = empty(revision, step);
            record.skipped = Some(why);
            Ok(vec![record])
        }
    }
}

fn empty(revision: &Revision, step: HistoryStep) -> RevisionRecord {
    RevisionRecord {
        revision: revision.id.clone(),
        subject: revision.subject.clone(),
        step,
        skipped: None,
        n_classes: 0,
        n_tests: 0,
        n_failed: 0,
        flaky: Vec::new(),
        retest_all: Cost::default(),
        tools: BTreeMap::new(),
        left_out: Vec::new(),
        findings: Vec::new(),
        extra: Vec::new(),
    }
}

fn tool_record(run: &Run, truth: &Run) -> ToolRecord {
    let (n_tests, n_failed) = rules::counts(&run.outcomes);
    let (cpu_ratio, wall_ratio) = run.cost.ratios(truth.cost);
    ToolRecord {
        classes: rules::classes(&run.outcomes),
        because: run.explanations.clone(),
        n_tests,
        n_failed,
        cost: run.cost,
        cpu_ratio,
        wall_ratio,
    }
}

fn extra(record: &RevisionRecord, runs: &BTreeMap<String, Run>) -> Vec<explanation::Extra> {
    let mut extra = Vec::new();
    for pair in PAIRS {
        let classes = |name: &str| record.tools.get(name).map(|tool| &tool.classes);
        let (ours, theirs) = (classes(pair.ours), classes(pair.theirs));
        if let (Some(ours), Some(theirs), Some(run)) = (ours, theirs, runs.get(pair.ours)) {
            extra.extend(pair.extra(ours, theirs, &run.explanations));
        }
    }
    extra
}
