//! `cargo xtask bench agent`: what the agent costs, against bars. `docs/design/measuring.md` has the
//! method.

mod boundary;
pub(crate) mod figure;
mod generated;
mod harvest;
pub(crate) mod measured;
mod memory;
mod questions;
pub(crate) mod report;
pub(crate) mod rounds;
pub(crate) mod series;
mod start_up;
pub(crate) mod statistics;
mod suites;

use std::env;

use anyhow::{Context, Result, ensure};
use tamis_build::Jdk;

pub(crate) use measured::Measured;
use report::{Section, Shown, head, load};

#[derive(Debug, clap::Args)]
pub(crate) struct Options {
    /// How often each run is made; short ones are made three times as often
    #[arg(long, default_value_t = 15, value_parser = clap::value_parser!(u32).range(1..))]
    rounds: u32,
    /// One round of everything, to see that it works: its figures mean nothing
    #[arg(long)]
    quick: bool,
    /// Measure only sections whose name contains this
    #[arg(long, default_value = "")]
    only: String,
    /// The feature release of the JDK to measure on, but for start-up and questions
    #[arg(long, default_value_t = 17)]
    jdk: u32,
    /// Where the drawing of the intervals begins
    #[arg(long, default_value_t = 4)]
    seed: u64,
}

/// Start-up and questions are measured on these.
const OTHER_JDKS: [u32; 3] = [8, 17, 25];

/// What is measured, by name.
type Measure<'m> = (&'m str, Box<dyn Fn(usize) -> Result<Section> + 'm>);

pub(crate) fn run(options: &Options) -> Result<()> {
    ensure_clean_environment()?;
    let jdk = jdk(options.jdk)?;
    let others = OTHER_JDKS.map(self::jdk).into_iter();
    let others: Vec<Jdk> = others.collect::<Result<_>>()?;
    let n_rounds = if options.quick {
        1
    } else {
        options.rounds as usize
    };
    print!("{}", head(&jdk, &others, n_rounds, options.seed));
    if options.quick {
        println!("QUICK     one round only: the figures below mean nothing");
    }
    println!();
    for (name, measure) in measures(&jdk, &others) {
        if name.contains(&options.only) {
            let section = measure(n_rounds).with_context(|| format!("cannot measure {name}"))?;
            println!("{}  load now {}\n", Shown(&section, options.seed), load());
        }
    }
    Ok(())
}

fn measures<'m>(jdk: &'m Jdk, others: &'m [Jdk]) -> Vec<Measure<'m>> {
    let mut measures: Vec<Measure<'m>> = vec![
        (
            "memory",
            Box::new(|n_rounds| memory::measure(jdk, n_rounds)),
        ),
        ("harvest", Box::new(harvest::measure)),
        (
            "boundary JUnit 4",
            Box::new(|n_rounds| boundary::JUNIT4.measure(jdk, n_rounds)),
        ),
        (
            "boundary Platform",
            Box::new(|n_rounds| boundary::PLATFORM.measure(jdk, n_rounds)),
        ),
        (
            "idle",
            Box::new(|n_rounds| start_up::idle(jdk, 3 * n_rounds)),
        ),
    ];
    for other in others {
        let measure = |n_rounds| start_up::hello(other, 3 * n_rounds);
        measures.push(("start-up", Box::new(measure)));
    }
    for other in others {
        let measure = |n_rounds| questions::measure(other, n_rounds);
        measures.push(("questions", Box::new(measure)));
    }
    for subject in suites::SUBJECTS {
        let measure = |n_rounds| subject.measure(jdk, n_rounds);
        measures.push((subject.name, Box::new(measure)));
    }
    measures
}

/// Fails if something in the environment would be part of every run.
pub(crate) fn ensure_clean_environment() -> Result<()> {
    for variable in ["JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS"] {
        let is_set = env::var_os(variable).is_some();
        ensure!(!is_set, "{variable} is set, and would be part of every run");
    }
    Ok(())
}

pub(crate) fn jdk(feature: u32) -> Result<Jdk> {
    let jdks = tamis_testkit::jdks::jdks()?;
    let found = jdks.into_iter().find(|jdk| jdk.feature == feature);
    found.with_context(|| format!("JDK {feature} not found; name it in TAMIS_JDKS"))
}
