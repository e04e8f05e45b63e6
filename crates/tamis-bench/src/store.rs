//! `cargo xtask bench store`: how much space the records of a large project take, and how much time.
//!
//! The project is made up: classes with a head and some methods, and entities that rely on a core which all
//! share, the more often the more popular a class is, and on classes of their own neighbourhood. What
//! is relied on of a class are its checksum, its head and some of its methods, as records have them.

mod project;

use std::fmt;
use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Result, ensure};
use tamis_facts::Fact;
use tamis_select::{Decision, Today, decide};
use tamis_store::{FactSet, Known, Store};

use crate::agent::report::load;
use crate::machine::Machine;
use crate::measure::{median, to_f64};
use project::{ENDED, Project};

#[derive(Debug, clap::Args)]
pub(crate) struct Options {
    /// How many entities have a record
    #[arg(long, default_value_t = 5_000, value_parser = clap::value_parser!(u32).range(1..))]
    entities: u32,
    /// How many facts each of them relies on
    #[arg(long, default_value_t = 800)]
    dependencies: u32,
    /// How many classes the project has; each has five facts
    #[arg(long, default_value_t = 4_000, value_parser = clap::value_parser!(u32).range(1..))]
    classes: u32,
    /// How often it is measured
    #[arg(long, default_value_t = 7, value_parser = clap::value_parser!(u32).range(1..))]
    rounds: u32,
    /// Where the drawing of the project begins
    #[arg(long, default_value_t = 4)]
    seed: u64,
}

/// What 5,000 entities with 800 dependencies each may take.
const WANTED_MEGABYTES: f64 = 10.0;

/// Records of one entity that are kept; there is one of each.
const N_KEPT: u32 = 10;

pub(crate) fn run(options: &Options) -> Result<()> {
    let project = Project::make(options);
    let rounds = (0..options.rounds).map(|_| measure(&project));
    let rounds: Vec<Round> = rounds.collect::<Result<_>>()?;
    let report = Report {
        machine: Machine::this(&tamis_testkit::jdks::newest_jdk()?),
        project: &project,
        seed: options.seed,
        rounds: &rounds,
    };
    print!("{report}");
    Ok(())
}

/// One store, from nothing.
#[derive(Debug, Clone, Copy)]
struct Round {
    bytes: u64,
    save: Duration,
    load: Duration,
    decide: Duration,
    n_skipped: usize,
}

fn measure(project: &Project) -> Result<Round> {
    let directory = tempfile::tempdir()?;
    let save = save(project, directory.path())?;
    // The log was folded into the database when the store was closed.
    let bytes = Store::size_in(directory.path());
    let start = Instant::now();
    let known = Store::open(directory.path())?.store.load(&project.realm)?;
    let load = start.elapsed();
    ensure!(
        known.entities.len() == project.records.len(),
        "records are missing"
    );
    let start = Instant::now();
    let n_skipped = n_skipped(&known, project);
    Ok(Round {
        bytes,
        save,
        load,
        decide: start.elapsed(),
        n_skipped,
    })
}

fn save(project: &Project, directory: &Path) -> Result<Duration> {
    let mut store = Store::open(directory)?.store;
    let start = Instant::now();
    store.save(&project.facts, &project.records, N_KEPT)?;
    Ok(start.elapsed())
}

/// How many entities are skipped when one class of the core has changed.
fn n_skipped(known: &Known, project: &Project) -> usize {
    let is_changed = |(_, fact): &(u32, &Fact)| fact.subject.class() == Some(&project.changed);
    let broken = known.facts.iter().filter(is_changed);
    let broken: FactSet = broken.map(|(number, _)| number).collect();
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

/// The result, for people.
struct Report<'r> {
    machine: Machine,
    project: &'r Project,
    seed: u64,
    rounds: &'r [Round],
}

impl Report<'_> {
    fn row(&self, name: &str, value: impl Fn(&Round) -> f64) -> String {
        let values: Vec<f64> = self.rounds.iter().map(value).collect();
        let lowest = values.iter().copied().fold(f64::INFINITY, f64::min);
        let highest = values.iter().copied().fold(0.0, f64::max);
        let median = median(&values);
        format!("{name:<34}{median:>9.2}{lowest:>9.2}{highest:>9.2}")
    }
}

/// Far below 2^52.
#[expect(clippy::cast_precision_loss, reason = "see above")]
fn megabytes(round: &Round) -> f64 {
    round.bytes as f64 / 1e6
}

impl fmt::Display for Report<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Machine {
            cpu,
            n_cores,
            commit,
            ..
        } = &self.machine;
        let n_entities = self.project.records.len();
        let n_named = self.project.records.iter();
        let n_named: u64 = n_named.map(|(_, record)| record.facts.len()).sum();
        writeln!(f, "machine   {cpu}, {n_cores} cores; load {}", load())?;
        writeln!(f, "commit    {commit}")?;
        writeln!(
            f,
            "project   {n_entities} entities, {} facts each, of {} facts; seed {}",
            n_named / n_entities.max(1) as u64,
            self.project.facts.len(),
            self.seed
        )?;
        writeln!(f, "rounds    {}\n", self.rounds.len())?;
        let head = ["", "median", "lowest", "highest"];
        writeln!(
            f,
            "{:<34}{:>9}{:>9}{:>9}",
            head[0], head[1], head[2], head[3]
        )?;
        let milliseconds = |time: Duration| time.as_secs_f64() * 1e3;
        let rows = [
            self.row("size, MB", megabytes),
            self.row("save all, ms", |round| milliseconds(round.save)),
            self.row("open and load all, ms", |round| milliseconds(round.load)),
            self.row("decide, one class changed, ms", |round| {
                milliseconds(round.decide)
            }),
            self.row("entities that are skipped", |round| to_f64(round.n_skipped)),
        ];
        rows.iter().try_for_each(|row| writeln!(f, "{row}"))?;
        let is_passed = self
            .rounds
            .iter()
            .all(|round| megabytes(round) <= WANTED_MEGABYTES);
        let word = if is_passed { "pass" } else { "miss" };
        writeln!(f, "\n{word}  the store: at most {WANTED_MEGABYTES:.0} MB")
    }
}
