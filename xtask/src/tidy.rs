//! `cargo xtask tidy`: the house rules that no linter knows, as ordinary code.
//!
//! A rule returns complaints; each names the place, what is wrong and what to do. All rules run, so
//! that one look shows everything.

mod layers;
mod sources;

use anyhow::{Result, ensure};

use crate::command::no_arguments;
use crate::metadata::Metadata;
use crate::workplace::Workplace;

/// Checks the rules and prints every complaint.
pub(crate) fn run(arguments: &[String]) -> Result<()> {
    no_arguments(arguments)?;
    check(&Workplace::new()?)
}

/// Fails when a rule is broken, after printing where.
pub(crate) fn check(workplace: &Workplace) -> Result<()> {
    let mut complaints = layers::complaints(&Metadata::load(workplace)?);
    complaints.extend(sources::complaints(&workplace.root)?);
    for complaint in &complaints {
        eprintln!("{complaint}");
    }
    ensure!(complaints.is_empty(), "the house rules are broken above");
    Ok(())
}
