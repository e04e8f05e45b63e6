//! `cargo xtask bench startup`: what it costs that the agent is there, in a test JVM and in programs in which it has
//! nothing to do. `docs/design/measuring.md` has the method.

use anyhow::{Context, Result};
use tamis_build::Jdk;

use crate::agent::start_up::{hello, idle};
use crate::agent::{OTHER_JDKS, ensure_clean_environment, jdks};
use crate::journal::{Journal, Plan};

#[derive(Debug, clap::Args)]
pub(crate) struct Options {
    /// How often each program is started
    #[arg(long, default_value_t = 45, value_parser = clap::value_parser!(u32).range(1..))]
    rounds: u32,
    /// The feature releases of the JDKs to measure on
    #[arg(long, value_delimiter = ',', default_values_t = OTHER_JDKS)]
    jdk: Vec<u32>,
    /// Where the drawing of the intervals begins
    #[arg(long, default_value_t = 4)]
    seed: u64,
}

pub(crate) fn run(options: &Options, journal: &mut Journal) -> Result<()> {
    ensure_clean_environment()?;
    let jdks = jdks(&options.jdk)?;
    let (first, others) = jdks.split_first().context("no JDK is named")?;
    let n_rounds = options.rounds as usize;
    journal.begin(&Plan {
        jdk: first,
        other_jdks: others,
        n_rounds,
        seed: options.seed,
    })?;
    for jdk in &jdks {
        for measure in [hello, idle] as [fn(&Jdk, usize) -> Result<_>; 2] {
            let section = measure(jdk, n_rounds);
            let section = section.with_context(|| format!("cannot measure JDK {}", jdk.version))?;
            journal.add(&section)?;
        }
    }
    Ok(())
}
