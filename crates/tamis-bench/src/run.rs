//! `cargo xtask bench run`: what `tamis test` costs and saves, beside plain Maven.
//! `docs/design/measuring.md` has the method.

pub(crate) mod contestant;
pub(crate) mod course;
mod generated;
mod invocation;
mod judgement;
mod library;
pub(crate) mod measurements;
mod pom;
mod ran;
mod results;
mod subject;
pub(crate) mod subject_options;

use std::env;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};

use crate::agent::report::Section;
use crate::agent::{ensure_clean_environment, jdk};
use crate::journal::{Journal, Plan};
use contestant::Contestant;
use course::Course;
use measurements::Measurements;
use subject_options::{Source, SubjectOptions};

pub(crate) use results::CHANGED_BAR;
pub(crate) use subject::{Subject, copy as copy_tree};

#[derive(Debug, clap::Args)]
pub(crate) struct Options {
    /// How often each run is made
    #[arg(long, default_value_t = 15, value_parser = clap::value_parser!(u32).range(1..))]
    rounds: u32,
    /// One round of everything, to see that it works: its figures mean nothing
    #[arg(long)]
    quick: bool,
    /// The feature release of the JDK to measure on
    #[arg(long, default_value_t = 17)]
    jdk: u32,
    /// Where the drawing of the intervals begins
    #[arg(long, default_value_t = 4)]
    seed: u64,
    #[command(flatten)]
    subjects: SubjectOptions,
    /// The version of Surefire in projects that are made here
    #[arg(long, default_value = "3.2.5", conflicts_with = "subject")]
    surefire: String,
    /// The program to measure, if not the one built beside this
    #[arg(long, value_name = "PROGRAM")]
    tamis: Option<PathBuf>,
}

pub(crate) fn run(options: &Options, journal: &mut Journal) -> Result<()> {
    let conditions = Conditions {
        n_rounds: if options.quick { 1 } else { options.rounds },
        jdk: options.jdk,
        seed: options.seed,
        surefire: &options.surefire,
        tamis: options.tamis.as_deref(),
    };
    let sources = options.subjects.sources(Source::all)?;
    conditions.measure(&sources, &results::CONTESTANTS, results::section, journal)
}

/// Under what whole runs are measured.
pub(crate) struct Conditions<'o> {
    pub(crate) n_rounds: u32,
    pub(crate) jdk: u32,
    pub(crate) seed: u64,
    pub(crate) surefire: &'o str,
    pub(crate) tamis: Option<&'o Path>,
}

impl Conditions<'_> {
    /// Sends the contestants round on each subject, and tells what `section` makes of it.
    pub(crate) fn measure(
        &self,
        sources: &[Source],
        contestants: &[Contestant],
        section: impl Fn(&Subject, &Measurements) -> Section,
        journal: &mut Journal,
    ) -> Result<()> {
        ensure_clean_environment()?;
        ensure_no_settings()?;
        let jdk = jdk(self.jdk)?;
        let tamis = program_beside(self.tamis)?;
        let n_rounds = self.n_rounds as usize;
        journal.begin(&Plan {
            jdk: &jdk,
            other_jdks: &[],
            n_rounds,
            seed: self.seed,
        })?;
        for source in sources {
            let subject = source.make(&jdk, self.surefire)?;
            eprintln!("{}", subject.name);
            let mut course = Course::prepare(&subject, &jdk, tamis.clone(), contestants)?;
            journal.add(&section(&subject, &course.go_round(n_rounds)?))?;
        }
        Ok(())
    }
}

/// Fails if something in the environment would set Tamis otherwise than its users have it.
fn ensure_no_settings() -> Result<()> {
    for (name, _) in env::vars_os() {
        let name = name.to_string_lossy().into_owned();
        let is_of_place = ["TAMIS_CACHE_DIR", "TAMIS_JDKS"].contains(&name.as_str());
        let is_setting = name.starts_with("TAMIS_") && !is_of_place;
        ensure!(!is_setting, "{name} is set, and would be part of every run");
    }
    Ok(())
}

/// The program to measure: this one, or that which was built beside; Cargo puts all programs of a build into one directory.
pub(crate) fn program_beside(named: Option<&Path>) -> Result<PathBuf> {
    let program = match named {
        Some(program) => program.to_path_buf(),
        None => env::current_exe()?.with_file_name("tamis"),
    };
    ensure!(
        program.is_file(),
        "{} is missing; `cargo xtask bench run` builds it",
        program.display()
    );
    program.canonicalize().context("cannot find the program")
}
