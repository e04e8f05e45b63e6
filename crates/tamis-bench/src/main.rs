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
mod store;
mod today;

mod asm;
mod bars;
mod contender;
mod corpus;
mod machine;
mod measure;
mod report;

use std::process::ExitCode;

use clap::Parser;

/// Measure Tamis beside other tools
#[derive(Debug, Parser)]
#[command(bin_name = "cargo xtask bench")]
enum Arguments {
    /// Class files: reading, checksums, probes; beside noak, ristretto and ASM
    Classfile(classfile::Options),
    /// The agent: what tests cost with it and without, beside JaCoCo
    Agent(agent::Options),
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
    /// Run one command and write down what it used; the measuring starts itself so
    #[command(hide = true)]
    Measured(agent::Measured),
}

fn main() -> ExitCode {
    let result = match Arguments::parse() {
        Arguments::Classfile(options) => classfile::run(&options),
        Arguments::Agent(options) => agent::run(&options),
        Arguments::Run(options) => run::run(&options),
        Arguments::Peers(options) => peers::run(&options),
        Arguments::Meshes(options) => meshes::run(&options),
        Arguments::Store(options) => store::run(&options),
        Arguments::Today(options) => today::run(&options),
        Arguments::Measured(measured) => measured.run(),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}
