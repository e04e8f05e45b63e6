//! Measures Tamis beside other tools on the same input, in one run. `cargo xtask bench` starts it.
//!
//! It is a crate of its own because it links the rivals, which nobody else should have to compile.
#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a developer's tool talks on the terminal"
)]

mod asm;
mod bars;
mod contender;
mod corpus;
mod machine;
mod measure;
mod report;

use std::process::ExitCode;

use anyhow::Result;
use clap::{Parser, ValueEnum};

use corpus::Corpus;
use machine::Machine;
use report::Report;

/// Measure Tamis beside other tools
#[derive(Debug, Parser)]
#[command(bin_name = "cargo xtask bench")]
enum Arguments {
    /// Class files: reading, checksums, probes; beside noak, ristretto and ASM
    Classfile(Options),
}

#[derive(Debug, clap::Args)]
struct Options {
    /// How often each contender goes over the corpus, after warming up
    #[arg(long, default_value_t = 9, value_parser = clap::value_parser!(u32).range(1..))]
    rounds: u32,
    /// Measure only contenders whose name contains this
    #[arg(long, default_value = "")]
    only: String,
    /// How to print the result
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    Text,
    Json,
}

fn main() -> ExitCode {
    let Arguments::Classfile(options) = Arguments::parse();
    match classfile(&options) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn classfile(options: &Options) -> Result<()> {
    let corpus = Corpus::load()?;
    let jdk = tamis_testkit::jdks::newest_jdk()?;
    let mut contenders = contender::native();
    contenders.extend(asm::contenders(&jdk, &corpus)?);
    contenders.retain(|contender| contender.name.contains(&options.only));
    let measured = measure::measure(&mut contenders, &corpus, options.rounds)?;
    let report = Report::new(Machine::this(&jdk), &corpus, &measured);
    match options.format {
        Format::Text => print!("{report}"),
        Format::Json => println!("{}", serde_json::to_string_pretty(&report)?),
    }
    Ok(())
}
