//! `cargo xtask bench meshes`: what each mesh selects after small changes of real libraries, and what testing these takes
//! end to end. `docs/design/measuring.md` has the method.

mod contest;
mod results;

use std::path::PathBuf;

use anyhow::{Context, Result};
use tamis_testkit::suite_library::{Library, QUICK};

use crate::agent::{ensure_clean_environment, jdk};
use crate::journal::{Journal, Plan};
use crate::run::program_beside;
use contest::Contest;
use results::Results;

#[derive(Debug, clap::Args)]
pub(crate) struct Options {
    /// How many changes of each library are tested
    #[arg(long, default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..))]
    revisions: u32,
    /// One change, to see that it works: its figures mean nothing
    #[arg(long)]
    quick: bool,
    /// Only this library; may be given several times
    #[arg(long)]
    subject: Vec<String>,
    /// The feature release of the JDK to measure on
    #[arg(long, default_value_t = 17)]
    jdk: u32,
    /// Which changes are made, and where the drawing of the intervals begins
    #[arg(long, default_value_t = 4)]
    seed: u64,
    /// The program to measure, if not the one built beside this
    #[arg(long, value_name = "PROGRAM")]
    tamis: Option<PathBuf>,
}

pub(crate) fn run(options: &Options, journal: &mut Journal) -> Result<()> {
    ensure_clean_environment()?;
    let jdk = jdk(options.jdk)?;
    let tamis = program_beside(options.tamis.as_deref())?;
    let n_revisions = if options.quick {
        1
    } else {
        options.revisions as usize
    };
    journal.begin(&Plan {
        jdk: &jdk,
        other_jdks: &[],
        n_rounds: n_revisions,
        seed: options.seed,
    })?;
    for library in options.subjects()? {
        let contest = Contest::prepare(library, &jdk, &tamis, n_revisions, options.seed);
        let mut contest = contest.with_context(|| format!("cannot set up {}", library.name))?;
        let mut results = Results::new(library.name, contest.all());
        while let Some(runs) = contest.next_revision()? {
            for run in &runs {
                journal.keep_run(run.as_json(library.name))?;
            }
            results.add(runs);
        }
        journal.add(&results.section())?;
    }
    Ok(())
}

impl Options {
    fn subjects(&self) -> Result<Vec<&'static Library>> {
        if self.subject.is_empty() {
            return Ok(QUICK.iter().collect());
        }
        let named = |name: &String| {
            let names: Vec<&str> = QUICK.iter().map(|library| library.name).collect();
            let found = QUICK.iter().find(|library| library.name == name);
            found.with_context(|| format!("no subject `{name}`; there are {names:?}"))
        };
        self.subject.iter().map(named).collect()
    }
}
