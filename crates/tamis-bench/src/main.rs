//! Measures Tamis beside other tools on the same input, in one run. `cargo xtask bench` starts it.
//!
//! It is a crate of its own because it links the rivals, which nobody else should have to compile.
#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a developer's tool talks on the terminal"
)]

mod agent;
mod classfile;
mod meshes;
mod peers;
mod run;
mod scale;
mod startup;
mod store;
mod today;

mod journal;
mod lines;
mod page;
mod sets;

mod asm;
mod contender;
mod corpus;
mod machine;
mod measure;

use std::env;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Result, ensure};
use clap::{Parser, Subcommand};
use journal::Journal;

/// Measure Tamis beside other tools; without a bench named, everything, in turn
#[derive(Debug, Parser)]
#[command(bin_name = "cargo xtask bench")]
struct Arguments {
    #[command(subcommand)]
    bench: Option<Bench>,
    /// Without a bench named: a small set for every day, in less than three minutes
    #[arg(long)]
    quick: bool,
    /// Without a bench named: how often each measures, where it measures in rounds; fewer take less time and resolve less
    #[arg(long, value_name = "N", conflicts_with = "quick", value_parser = clap::value_parser!(u32).range(1..))]
    rounds: Option<u32>,
    /// Append what is measured to this file, as lines of JSON
    #[arg(long, global = true, value_name = "FILE")]
    output: Option<PathBuf>,
}

#[derive(Debug, Subcommand)]
enum Bench {
    /// Class files: reading, checksums, probes; beside noak, ristretto and ASM
    Classfile(classfile::Options),
    /// The agent: what tests cost with it and without, beside JaCoCo
    Agent(agent::Options),
    /// The agent where it has little or nothing to do: hello world, Maven, javac
    Startup(startup::Options),
    /// `tamis test` beside plain Maven: the first run, nothing changed, a method or a resource changed
    Run(run::Options),
    /// `tamis test` beside other tools that select tests: the first run, nothing changed, a method changed
    Peers(peers::Options),
    /// Each mesh on libraries that change: what it selects, and what selecting, running and recording take
    Meshes(meshes::Options),
    /// The store of a large project: its size, and the time to save, load and decide
    Store(store::Options),
    /// An unchanged project: which facts are broken today
    Today(today::Options),
    /// How each phase of selection grows with the project
    Scale(scale::Options),
    /// Make a page of what benches wrote with `--output`
    Report(page::Options),
    /// Run one command and write down what it used; the measuring starts itself so
    #[command(hide = true)]
    Measured(agent::Measured),
}

impl Bench {
    fn run(&self, journal: &mut Journal) -> Result<()> {
        match self {
            Self::Classfile(options) => classfile::run(options, journal),
            Self::Agent(options) => agent::run(options, journal),
            Self::Startup(options) => startup::run(options, journal),
            Self::Run(options) => run::run(options, journal),
            Self::Peers(options) => peers::run(options, journal),
            Self::Meshes(options) => meshes::run(options, journal),
            Self::Store(options) => store::run(options, journal),
            Self::Today(options) => today::run(options, journal),
            Self::Scale(options) => scale::run(options, journal),
            Self::Report(options) => page::run(options),
            Self::Measured(measured) => measured.run(),
        }
    }
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    match start(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn start(arguments: &Arguments) -> Result<()> {
    let output = arguments.output.as_deref();
    let Some(bench) = &arguments.bench else {
        let set = if arguments.quick {
            sets::QUICK
        } else {
            sets::ALL
        };
        return set.run(arguments.rounds, output);
    };
    ensure!(
        !arguments.quick && arguments.rounds.is_none(),
        "`--quick` and `--rounds` stand behind the name of a bench, if it knows them"
    );
    ensure!(
        output.is_none() || !matches!(bench, Bench::Report(_)),
        "`report` measures nothing; `--html FILE` names the page"
    );
    let words: Vec<String> = env::args().skip(1).collect();
    measure(bench, &words, output)
}

/// Runs a bench; `words` are those of its command line.
fn measure(bench: &Bench, words: &[String], output: Option<&Path>) -> Result<()> {
    let mut journal = Journal::new(words, output)?;
    let result = bench.run(&mut journal);
    journal.end(&result)?;
    result
}
