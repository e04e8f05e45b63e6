//! `cargo xtask check`: `tamis check auto` on Tamis itself, as it is now.

use std::process::Command;

use anyhow::Result;

use crate::command::run as run_command;
use crate::setup;
use crate::workplace::Workplace;

/// What `cargo xtask test` asks for.
const SHORT: &[&str] = &["--programs", "60", "--fresh"];

/// Passes the arguments on, `--programs 5000 --seed 7` for instance.
pub(crate) fn run(arguments: &[String]) -> Result<()> {
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    run_command(command(&setup::for_tests()?, &["--release"])?.args(arguments))
}

/// The short form, by the build of the tests: it is there, and checks its own assertions.
pub(crate) fn run_short(workplace: &Workplace) -> Result<()> {
    run_command(command(workplace, &[])?.args(SHORT))
}

/// The program is not changed while it runs: its content decides which results are kept.
fn command(workplace: &Workplace, build: &[&str]) -> Result<Command> {
    let mut command = workplace.cargo(&["run", "--quiet", "--package", "tamis"])?;
    command.args(build).args(["--", "check", "auto"]);
    Ok(command)
}
