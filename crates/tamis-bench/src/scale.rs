//! `cargo xtask bench scale`: how each phase of selection outside of the JVM grows with the project.
//!
//! Projects of several sizes are made up, and each phase is measured in each of them, round by round. In a round the times over the
//! sizes have a slope, in a plane whose axes count in powers: 1 is a straight line. Its median over the rounds is the
//! exponent, over all sizes and, since what every run costs once makes it look smaller, over the larger sizes alone.
//!
//! With warm caches the time of processors counts, of all threads: others who use the machine do not. With cold ones it
//! is the time of the clock, for what is waited for is the disk.

mod classes;
mod growth;
mod phases;

use std::fs;
use std::process::Command;

use anyhow::Result;

use crate::agent::report::Section;
use crate::journal::Journal;
use crate::today::project::Clock;
use growth::Growth;

#[derive(Debug, clap::Args)]
pub(crate) struct Options {
    /// How often each size is measured
    #[arg(long, default_value_t = 9, value_parser = clap::value_parser!(u32).range(1..))]
    rounds: u32,
    /// Leave out sizes above so many classes, and half as many tests
    #[arg(long, default_value_t = 100_000)]
    largest: u32,
    /// Measure only what has this in its name: classes, tests, warm, cold
    #[arg(long, default_value = "")]
    only: String,
    /// Where the drawing of projects and intervals begins
    #[arg(long, default_value_t = 4)]
    seed: u64,
}

/// Sizes of projects: classes with their tests.
const CLASSES: &[u32] = &[1_000, 2_500, 5_000, 10_000, 25_000, 50_000, 100_000];

const TESTS: &[u32] = &[100, 500, 1_000, 5_000, 10_000, 25_000, 50_000];

/// What the system's caches have of the files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Caches {
    Warm,
    Cold,
}

impl Caches {
    fn name(self) -> &'static str {
        match self {
            Self::Warm => "warm",
            Self::Cold => "cold",
        }
    }

    fn clock(self) -> Clock {
        match self {
            Self::Warm => Clock::Processor,
            Self::Cold => Clock::Wall,
        }
    }

    /// Makes them so, as far as they have to be made so.
    fn prepare(self) -> Result<()> {
        if self == Self::Cold {
            drop_caches()?;
        }
        Ok(())
    }
}

pub(crate) fn run(options: &Options, journal: &mut Journal) -> Result<()> {
    journal.begin_without_jvms(options.rounds, options.seed)?;
    for sections in [of_classes, of_tests] {
        for section in sections(options)? {
            journal.add(&section)?;
        }
    }
    Ok(())
}

fn of_classes(options: &Options) -> Result<Vec<Section>> {
    let sizes = CLASSES.iter().filter(|size| **size <= options.largest);
    let kinds = kinds("classes", options);
    let mut growths: Vec<Growth> = kinds.iter().map(|_| Growth::new("classes")).collect();
    for size in sizes.filter(|_| !kinds.is_empty()) {
        let project = classes::project(*size, options.seed)?;
        for (caches, growth) in kinds.iter().zip(&mut growths) {
            growth.add(*size, options.rounds, || {
                phases::of_classes(&project, *caches)
            })?;
        }
    }
    Ok(sections("classes", &kinds, growths))
}

fn of_tests(options: &Options) -> Result<Vec<Section>> {
    let sizes = TESTS.iter().filter(|size| **size <= options.largest / 2);
    let kinds = kinds("tests", options);
    let mut growths: Vec<Growth> = kinds.iter().map(|_| Growth::new("tests")).collect();
    for size in sizes.filter(|_| !kinds.is_empty()) {
        let project = phases::project(*size, options.seed);
        for (caches, growth) in kinds.iter().zip(&mut growths) {
            growth.add(*size, options.rounds, || {
                phases::of_tests(&project, *caches)
            })?;
        }
    }
    Ok(sections("tests", &kinds, growths))
}

/// What is to be measured, and can be.
fn kinds(what: &str, options: &Options) -> Vec<Caches> {
    let is_wanted = |caches: &Caches| {
        let name = section_name(what, *caches);
        name.contains(&options.only)
    };
    let kinds = [Caches::Warm, Caches::Cold].into_iter().filter(is_wanted);
    kinds
        .filter(|caches| {
            let is_possible = caches.prepare().is_ok();
            if !is_possible {
                println!(
                    "{} is left out: only root can empty the system's caches\n",
                    section_name(what, *caches)
                );
            }
            is_possible
        })
        .collect()
}

fn sections(what: &str, kinds: &[Caches], growths: Vec<Growth>) -> Vec<Section> {
    let pairs = kinds.iter().zip(growths);
    let section = |(caches, growth): (&Caches, Growth)| {
        let unit = match caches.clock() {
            Clock::Processor => "ms of processors",
            Clock::Wall => "ms",
        };
        growth.section(section_name(what, *caches), unit)
    };
    pairs.map(section).collect()
}

fn section_name(what: &str, caches: Caches) -> String {
    format!("growth with {what}, {} caches", caches.name())
}

/// Forgets all files that the system has in memory, names included. For the whole machine.
fn drop_caches() -> Result<()> {
    // What is not written yet cannot be forgotten.
    Command::new("sync").status()?;
    Ok(fs::write("/proc/sys/vm/drop_caches", "3")?)
}
