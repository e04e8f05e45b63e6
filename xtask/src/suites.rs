//! `cargo xtask suites`: the suites of five libraries with the agent and without it, and what the agent tells
//! of two of them against the JVM's own events, test class by test class.
//!
//! `cargo xtask suites commons-lang` runs one of the three long suites instead. The same tests look at two
//! quick suites, and at many test classes in one JVM, when `cargo xtask test` runs them.

use anyhow::{Result, bail};

use crate::command::run_tests;
use crate::setup;

/// Runs the tests of the agent on all suites; each prints a line of figures as it goes.
pub(crate) fn run(arguments: &[String]) -> Result<()> {
    let asked = match arguments {
        [] => "whole",
        [library] => library.as_str(),
        [_, second, ..] => bail!("unexpected argument `{second}`"),
    };
    let workplace = setup::for_tests()?;
    let package = ["test", "--release", "--package", "tamis-agent"];
    let mut command = workplace.cargo(&package)?;
    command.args(["--test", "suites", "--", "--nocapture"]);
    command.env("TAMIS_SUITES", asked);
    println!("{}", run_tests(&mut command)?);
    Ok(())
}
