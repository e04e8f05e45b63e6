//! `cargo xtask bench run`: what `tamis test` costs and saves, beside plain Maven and other tools.
//! `docs/design/measuring.md` has the method.

mod contestant;
mod course;
mod generated;
mod results;
mod subject;

use std::env;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};

use crate::agent::{ensure_clean_environment, jdk};
use crate::journal::{Journal, Plan};
use course::Course;
use subject::{Change, Subject};

pub(crate) use subject::copy as copy_tree;

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
    /// The version of Surefire in the generated project
    #[arg(long, default_value = "3.2.5", conflicts_with = "subject")]
    surefire: String,
    /// Measure on copies of this checkout of a Maven project, instead of a generated one
    #[arg(long, value_name = "DIRECTORY")]
    subject: Option<PathBuf>,
    /// The source file to change in it; without it no change is measured
    #[arg(long, value_name = "FILE", requires_all = ["subject", "literal"])]
    change: Option<PathBuf>,
    /// The number to change: the first place in the file that has this text
    #[arg(long, value_name = "TEXT", requires = "change")]
    literal: Option<String>,
    /// The program to measure, if not the one built beside this
    #[arg(long, value_name = "PROGRAM")]
    tamis: Option<PathBuf>,
}

pub(crate) fn run(options: &Options, journal: &mut Journal) -> Result<()> {
    ensure_clean_environment()?;
    let jdk = jdk(options.jdk)?;
    let subject = options.subject()?;
    let n_rounds = if options.quick {
        1
    } else {
        options.rounds as usize
    };
    journal.begin(&Plan {
        jdk: &jdk,
        other_jdks: &[],
        n_rounds,
        seed: options.seed,
    })?;
    let mut course = Course::prepare(&subject, &jdk, program_beside(options.tamis.as_deref())?)?;
    journal.add(&course.go_round(n_rounds)?)
}

impl Options {
    fn subject(&self) -> Result<Subject> {
        let Some(directory) = &self.subject else {
            return generated::make(&self.surefire);
        };
        let change = self.change.as_ref().zip(self.literal.as_ref());
        let change = change.map(|(file, literal)| Change::find(directory, file, literal));
        Subject::checkout(directory, change.transpose()?)
    }
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
