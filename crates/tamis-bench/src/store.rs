//! `cargo xtask bench store`: how much space the records of a large project take, and how much time.
//!
//! The project is made up: classes with a head and some methods, and entities that rely on a core which all
//! share, the more often the more popular a class is, and on classes of their own neighbourhood. What
//! is relied on of a class are its checksum, its head and some of its methods, as records have them.

pub(crate) mod measured;
pub(crate) mod project;

use anyhow::Result;

use crate::agent::figure::{Figure, Unit};
use crate::agent::report::Section;
use crate::journal::Journal;
use crate::measure::{median, to_f64};
use crate::today::project::Clock;
use measured::{Times, measure};
use project::{Project, Size};

#[derive(Debug, clap::Args)]
pub(crate) struct Options {
    /// How many entities have a record
    #[arg(long, default_value_t = 5_000, value_parser = clap::value_parser!(u32).range(1..))]
    entities: u32,
    /// How many facts each of them relies on
    #[arg(long, default_value_t = 800)]
    dependencies: u32,
    /// How many classes the project has, each with five facts; four for five entities, if nothing is said
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..))]
    classes: Option<u32>,
    /// How often it is measured
    #[arg(long, default_value_t = 7, value_parser = clap::value_parser!(u32).range(1..))]
    rounds: u32,
    /// Where the drawing of the project begins
    #[arg(long, default_value_t = 4)]
    seed: u64,
}

/// What a store may take, by the greatest number of its entities.
const BARS: &[Bar] = &[
    Bar {
        n_entities: 5_000,
        megabytes: 10.0,
        milliseconds: None,
    },
    Bar {
        n_entities: 100_000,
        megabytes: 150.0,
        milliseconds: Some(300.0),
    },
];

struct Bar {
    n_entities: u32,
    megabytes: f64,
    /// To select.
    milliseconds: Option<f64>,
}

pub(crate) fn run(options: &Options, journal: &mut Journal) -> Result<()> {
    journal.begin_without_jvms(options.rounds, options.seed)?;
    journal.add(&section(options)?)
}

fn section(options: &Options) -> Result<Section> {
    let size = Size {
        entities: options.entities,
        dependencies: options.dependencies,
        classes: options.classes.unwrap_or(options.entities * 4 / 5).max(1),
    };
    let project = Project::make(&size, options.seed);
    let rounds = (0..options.rounds).map(|_| measure(&project, Clock::Wall));
    let rounds: Vec<Times> = rounds.collect::<Result<_>>()?;
    let n_skipped: Vec<f64> = rounds.iter().map(|it| to_f64(it.n_skipped)).collect();
    let n_named = project.records.iter().map(|(_, record)| record.facts.len());
    Ok(Section {
        name: format!("store ({} entities)", size.entities),
        notes: vec![format!(
            "{} facts each, of {} facts about {} classes; one class of the core changed: {} are skipped",
            n_named.sum::<u64>() / u64::from(size.entities),
            project.facts.len(),
            size.classes,
            median(&n_skipped)
        )],
        figures: figures(&size, &rounds),
        series: Vec::new(),
    })
}

fn figures(size: &Size, rounds: &[Times]) -> Vec<Figure> {
    let figure = |name: &str, unit, bar, value: fn(&Times) -> f64| Figure {
        name: name.to_owned(),
        unit,
        values: rounds.iter().map(value).collect(),
        noise: Vec::new(),
        bar,
    };
    let time = |name, value| figure(name, Unit::Milliseconds, None, value);
    let bar = BARS.iter().find(|bar| size.entities <= bar.n_entities);
    let to_select = Figure {
        noise: rounds.iter().map(|it| it.again() - it.select()).collect(),
        ..figure(
            "select: open, load, decide",
            Unit::Milliseconds,
            bar.and_then(|bar| bar.milliseconds),
            Times::select,
        )
    };
    let space = Figure {
        // It is the same each time.
        noise: vec![0.0; rounds.len()],
        ..figure(
            "size",
            Unit::Megabytes,
            bar.map(|bar| bar.megabytes),
            |times| times.megabytes,
        )
    };
    vec![
        space,
        time("save all", |times| times.save),
        time("open", |times| times.open),
        time("load all", |times| times.load),
        time("decide, one class changed", |times| times.decide),
        to_select,
        time("select, time of processors", |times| times.processor),
        time("save one record", |times| times.update),
    ]
}
