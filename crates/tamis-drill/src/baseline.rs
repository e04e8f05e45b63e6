//! A library as it is: how its tests end, and the records that mutants are compared with.

use std::collections::BTreeSet;
use std::env;
use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io;
use std::os::fd::AsFd as _;
use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use tamis_engine::{BuildCommand, EntityReport, Progress, Project, RunReport, TestOptions};
use tamis_facts::{EntityId, RunVerdict};
use tamis_select::{Decision, Reason};

use crate::outcomes::{Outcomes, TestKey};
use crate::suite_run::{Limit, Suite};
use crate::workshop::Workshop;

pub(crate) struct Baseline {
    pub(crate) outcomes: Outcomes,
    /// Tests that do not always end in the same way; they are left out.
    pub(crate) unstable: BTreeSet<TestKey>,
    /// How long the shortest run took: others may have waited for a busy machine.
    pub(crate) duration: Duration,
    pub(crate) project: Project,
    /// How many entities have records that passed, and others with what is wrong with them.
    pub(crate) n_passed: usize,
    pub(crate) not_passed: Vec<String>,
}

/// So often the suite runs before anything is compared with it.
const N_RUNS: usize = 3;

/// No suite takes longer as it is.
const LIMIT: Limit = Limit {
    whole: Duration::from_mins(5),
    one_test: Duration::from_mins(5),
};

impl Baseline {
    /// Runs the suite as it is, several times, and once with the agent.
    pub(crate) fn new(workshop: &Workshop, suite: &Suite, place: &Path) -> Result<Self> {
        let first = suite.run(workshop, LIMIT, None)?;
        ensure!(first.outcomes.len() > 0, "the suite did not run at all");
        let mut unstable = BTreeSet::new();
        let mut duration = first.duration;
        for _ in 1..N_RUNS {
            let again = suite.run(workshop, LIMIT, None)?;
            unstable.extend(first.outcomes.differences(&again.outcomes));
            duration = duration.min(again.duration);
        }
        let mut baseline = Self {
            outcomes: first.outcomes,
            unstable,
            duration,
            project: Project {
                root: workshop.dir.clone(),
                store: place.join("store"),
            },
            n_passed: 0,
            not_passed: Vec::new(),
        };
        baseline.record(workshop, suite)?;
        Ok(baseline)
    }

    /// A run with the agent, as people run it: all in one JVM. Then another one, in which nothing has changed.
    fn record(&mut self, workshop: &Workshop, suite: &Suite) -> Result<()> {
        let report = self.watch(workshop, suite)?;
        let watched = Outcomes::new(&suite.place.results()?);
        let mut other = self.outcomes.differences(&watched);
        other.retain(|test| !self.unstable.contains(test));
        let texts: Vec<String> = other
            .iter()
            .map(|test| self.outcomes.changed(test, &watched).text)
            .collect();
        ensure!(
            texts.is_empty(),
            "tests end otherwise with the agent: {texts:#?}"
        );
        self.check_entities(&report)?;
        check_unchanged(&self.watch(workshop, suite)?)
    }

    /// Runs with the agent what has to run.
    fn watch(&self, workshop: &Workshop, suite: &Suite) -> Result<RunReport> {
        let command = workshop
            .library
            .command(&workshop.jdk, &[], &suite.classes, &suite.place)?;
        let arguments: Vec<OsString> = command.get_args().map(OsStr::to_owned).collect();
        let command = BuildCommand {
            program: command.get_program(),
            arguments: &arguments,
        };
        // The directory of a JVM is that of whoever starts it.
        env::set_current_dir(&workshop.dir)?;
        let options = TestOptions::default();
        let report = quietly(|| tamis_engine::test(&command, &self.project, &options, &Silent))??;
        Ok(report)
    }

    /// Each test belongs to an entity that was recorded: else nothing could be said of it.
    fn check_entities(&mut self, report: &RunReport) -> Result<()> {
        let known: BTreeSet<String> = report
            .entities
            .iter()
            .map(|entity| entity.id.test.to_string())
            .collect();
        let classes = self.outcomes.classes();
        let lost: Vec<&String> = classes.difference(&known).collect();
        ensure!(
            lost.is_empty(),
            "no entity was recorded for {lost:?}; notes: {:?}",
            report.notes
        );
        for entity in &report.entities {
            let run = entity
                .run
                .as_ref()
                .with_context(|| format!("{} did not run", entity.id))?;
            if run.verdict == RunVerdict::Passed {
                self.n_passed += 1;
            } else {
                self.not_passed
                    .push(format!("{}: {:?} {:?}", entity.id, run.verdict, run.doubts));
            }
        }
        Ok(())
    }
}

/// Nothing has changed since all was recorded, so nothing runs but what did not pass; what else does is named with what
/// it saw that is not so any more.
fn check_unchanged(report: &RunReport) -> Result<()> {
    let is_needless = |entity: &&EntityReport| {
        let reason = &entity.explanation.decision;
        let is_red = matches!(reason, Decision::Run(Reason::NotPassed(..)));
        entity.run.is_some() && !is_red
    };
    let needless = report.entities.iter().filter(is_needless);
    let needless: Vec<String> = needless
        .map(|entity| {
            let newest = entity.explanation.newest.as_ref();
            let broken = newest.into_iter().flat_map(|record| &record.broken);
            let broken: Vec<String> = broken.map(|fact| fact.subject.to_string()).collect();
            format!("{}: {}", entity.id, broken.join(", "))
        })
        .collect();
    ensure!(
        needless.is_empty(),
        "nothing has changed, and yet these ran, because of: {needless:#?}"
    );
    Ok(())
}

struct Silent;

impl Progress for Silent {
    fn decided(&self, _: &EntityId, _: bool) {}
    fn ended(&self, _: &EntityId, _: bool) {}
}

/// Does something while what this process and its children print goes nowhere.
fn quietly<T>(action: impl FnOnce() -> T) -> Result<T> {
    let nowhere = File::options().write(true).open("/dev/null")?;
    let stdout = io::stdout().as_fd().try_clone_to_owned()?;
    let stderr = io::stderr().as_fd().try_clone_to_owned()?;
    rustix::stdio::dup2_stdout(&nowhere)?;
    rustix::stdio::dup2_stderr(&nowhere)?;
    let value = action();
    rustix::stdio::dup2_stdout(&stdout)?;
    rustix::stdio::dup2_stderr(&stderr)?;
    Ok(value)
}
