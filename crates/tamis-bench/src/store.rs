//! `cargo xtask bench store`: how much space the records of a large project take, and how much time.
//!
//! The project is made up: classes with a head and some methods, and entities that rely on a core which all
//! share, the more often the more popular a class is, and on classes of their own neighbourhood. What
//! is relied on of a class are its checksum, its head and some of its methods, as records have them.

mod project;

use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Result, ensure};
use tamis_facts::Fact;
use tamis_select::{Decision, Today, decide};
use tamis_store::{FactSet, Known, Store};

use crate::agent::figure::{Figure, Unit};
use crate::agent::report::Section;
use crate::journal::{Journal, Plan};
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

pub(crate) fn run(options: &Options, journal: &mut Journal) -> Result<()> {
    journal.begin(&Plan {
        jdk: &tamis_testkit::jdks::newest_jdk()?,
        other_jdks: &[],
        n_rounds: options.rounds as usize,
        seed: options.seed,
    })?;
    let project = Project::make(options);
    let rounds = (0..options.rounds).map(|_| measure(&project));
    let rounds: Vec<Round> = rounds.collect::<Result<_>>()?;
    journal.add(&section(&project, &rounds))
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

fn section(project: &Project, rounds: &[Round]) -> Section {
    let n_entities = project.records.len();
    let n_named: u64 = project.records.iter().map(|(_, it)| it.facts.len()).sum();
    let n_skipped: Vec<f64> = rounds.iter().map(|it| to_f64(it.n_skipped)).collect();
    let figure = |name: &str, unit, bar, value: fn(&Round) -> f64| Figure {
        name: name.to_owned(),
        unit,
        values: rounds.iter().map(value).collect(),
        noise: Vec::new(),
        bar,
    };
    let time = |name, value| figure(name, Unit::Milliseconds, None, value);
    Section {
        name: format!("store ({n_entities} entities)"),
        notes: vec![format!(
            "{} facts each, of {} facts; one class of the core changed: {} are skipped",
            n_named / n_entities.max(1) as u64,
            project.facts.len(),
            median(&n_skipped)
        )],
        figures: vec![
            figure("size", Unit::Megabytes, Some(WANTED_MEGABYTES), megabytes),
            time("save all", |round| milliseconds(round.save)),
            time("open and load all", |round| milliseconds(round.load)),
            time("decide, one class changed", |round| {
                milliseconds(round.decide)
            }),
        ],
        series: Vec::new(),
    }
}

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

/// Far below 2^52.
#[expect(clippy::cast_precision_loss, reason = "see above")]
fn megabytes(round: &Round) -> f64 {
    round.bytes as f64 / 1e6
}
