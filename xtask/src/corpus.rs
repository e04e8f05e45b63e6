//! `cargo xtask corpus`: the class-file code against every class of the JDKs and of many libraries.
//!
//! The same tests look at a tenth of these classes when `cargo xtask test` runs them.

use anyhow::Result;

use crate::command::{TestCount, no_arguments, run_tests};
use crate::setup;
use crate::workplace::Workplace;

/// The tests that look at the corpus, by package.
const TESTS: &[(&str, &[&str])] = &[
    (
        "tamis-classfile",
        &["--test", "round_trip", "--test", "corpus"],
    ),
    ("tamis-select", &["--test", "meshes"]),
];

/// Runs the corpus tests on the whole corpus.
pub(crate) fn run(arguments: &[String]) -> Result<()> {
    no_arguments(arguments)?;
    let workplace = setup::for_tests()?;
    let mut count = TestCount::default();
    for (package, tests) in TESTS {
        count += check(&workplace, package, tests)?;
    }
    println!("{count}");
    Ok(())
}

fn check(workplace: &Workplace, package: &str, tests: &[&str]) -> Result<TestCount> {
    let mut command = workplace.cargo(&["test", "--release", "--package", package])?;
    command.args(tests).args(["--", "--nocapture"]);
    command.env("TAMIS_CORPUS", "whole");
    run_tests(&mut command)
}
