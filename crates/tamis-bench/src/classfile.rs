//! `cargo xtask bench classfile`: reading, checksums and probes, beside other readers.

use anyhow::Result;
use clap::ValueEnum;

use crate::corpus::Corpus;
use crate::machine::Machine;
use crate::report::Report;
use crate::{asm, contender, measure};

#[derive(Debug, clap::Args)]
pub(crate) struct Options {
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

pub(crate) fn run(options: &Options) -> Result<()> {
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
