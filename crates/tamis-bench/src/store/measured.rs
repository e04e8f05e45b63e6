//! One store from nothing: written, opened, read, asked, and added to.

use std::time::{Duration, Instant};

use anyhow::{Result, ensure};
use tamis_select::{Decision, Today, decide};
use tamis_store::{FactSet, Known, KnownFact, Marks, Store};

use super::project::{ENDED, Project};
use crate::today::project::Clock;

/// Records of one entity that are kept; there is one of each.
const N_KEPT: u32 = 10;

/// What is broken when it is decided.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Broken {
    /// What is known of a class that many rely on.
    Core,
    /// Nothing that a record names, so that each is gone over to its end.
    Elsewhere,
}

/// How long the steps took, in milliseconds.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Times {
    pub(crate) megabytes: f64,
    /// All records at once.
    pub(crate) save: f64,
    pub(crate) open: f64,
    pub(crate) load: f64,
    pub(crate) decide: f64,
    /// One record more.
    pub(crate) update: f64,
    /// Opening, loading and deciding again.
    again: [f64; 3],
    /// Of all threads, for the same.
    pub(crate) processor: f64,
    pub(crate) n_skipped: usize,
}

impl Times {
    /// From nothing in memory to decisions.
    pub(crate) fn select(&self) -> f64 {
        self.open + self.load + self.decide
    }

    /// The same for the second time.
    pub(crate) fn again(&self) -> f64 {
        self.again.iter().sum()
    }
}

/// Writes a store and selects from it twice.
pub(crate) fn measure(project: &Project, clock: Clock) -> Result<Times> {
    let kept = Kept::write(project, clock)?;
    let ([open, load, decide], n_skipped) = kept.select(project, Broken::Core, clock)?;
    let (again, _) = kept.select(project, Broken::Core, clock)?;
    let (processor, _) = kept.select(project, Broken::Core, Clock::Processor)?;
    Ok(Times {
        megabytes: kept.megabytes(),
        save: kept.save,
        open,
        load,
        decide,
        again,
        processor: processor.iter().sum(),
        update: kept.update(project, clock)?,
        n_skipped,
    })
}

/// A store on disk.
pub(crate) struct Kept {
    directory: tempfile::TempDir,
    /// How long it took to write it, in milliseconds.
    pub(crate) save: f64,
}

impl Kept {
    pub(crate) fn write(project: &Project, clock: Clock) -> Result<Self> {
        let directory = tempfile::tempdir()?;
        let mut store = Store::open(directory.path())?.store;
        let start = Instant::now();
        let begun = clock.now(start);
        store.save(&project.facts, &project.records, N_KEPT)?;
        let save = clock.now(start) - begun;
        Ok(Self { directory, save })
    }

    /// The log was folded into the database when the store was closed.
    #[expect(clippy::cast_precision_loss, reason = "far below 2^52")]
    fn megabytes(&self) -> f64 {
        Store::size_in(self.directory.path()) as f64 / 1e6
    }

    /// How long opening, loading and deciding take; and how many entities are skipped.
    pub(crate) fn select(
        &self,
        project: &Project,
        broken: Broken,
        clock: Clock,
    ) -> Result<([f64; 3], usize)> {
        let start = Instant::now();
        let begun = clock.now(start);
        let store = Store::open(self.directory.path())?.store;
        let opened = clock.now(start);
        let known = store.load(&project.realm)?;
        let loaded = clock.now(start);
        // Which facts are broken is found out elsewhere.
        let broken = broken.numbers(&known, project);
        let found = clock.now(start);
        let n_skipped = n_skipped(&known, &broken);
        let ended = clock.now(start);
        let n_known = known.entities.len();
        ensure!(n_known == project.records.len(), "records are missing");
        let times = [opened - begun, loaded - opened, ended - found];
        Ok((times, n_skipped))
    }

    /// How long it takes to save one record of an entity that has one.
    pub(crate) fn update(&self, project: &Project, clock: Clock) -> Result<f64> {
        let mut store = Store::open(self.directory.path())?.store;
        let record = &project.records[project.records.len() / 2..][..1];
        let start = Instant::now();
        let begun = clock.now(start);
        store.save(&project.facts, record, N_KEPT)?;
        Ok(clock.now(start) - begun)
    }
}

impl Broken {
    fn numbers(self, known: &Known, project: &Project) -> FactSet {
        let is_changed = |fact: &KnownFact<'_>| fact.class() == Some(&project.changed);
        match self {
            Self::Core => {
                let broken = known.facts.iter().filter(is_changed);
                broken.map(|fact| fact.number).collect()
            }
            Self::Elsewhere => {
                let last = known.facts.iter().last();
                last.map(|fact| fact.number + 1).into_iter().collect()
            }
        }
    }
}

fn n_skipped(known: &Known, broken: &FactSet) -> usize {
    let broken = Marks::from(broken);
    let today = Today {
        tests: None,
        now: ENDED,
        max_age: Duration::MAX,
    };
    let decisions = known.entities.values().map(|entity| {
        decide(&entity.records, &today, |record| {
            record.facts.is_disjoint(&broken)
        })
    });
    decisions
        .filter(|decision| matches!(decision, Decision::Skip(_)))
        .count()
}
