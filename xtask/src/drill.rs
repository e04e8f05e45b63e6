//! `cargo xtask drill`: mutants of real libraries, and that no test is missed.
//!
//! The drill is the crate `tamis-drill`, which links the engine; this program stays small.

use anyhow::Result;

use crate::command::run as run_command;
use crate::setup;
use crate::workplace::Workplace;

/// What `cargo xtask test` asks for: a small library and few mutants. Records without blocks would have mesh `block` select what
/// mesh `dispatch` does.
const SHORT: &[&str] = &[
    "--subject",
    "commons-cli",
    "--mutants",
    "20",
    "--mesh",
    "block",
];

/// Passes the arguments on, `--subject commons-cli --mutants 50` for instance.
pub(crate) fn run(arguments: &[String]) -> Result<()> {
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    run_in(&setup::for_tests()?, &["--release"], &arguments)
}

/// The short form, by the build of the tests: it is there, and checks its own assertions.
pub(crate) fn run_short(workplace: &Workplace) -> Result<()> {
    run_in(workplace, &[], SHORT)
}

fn run_in(workplace: &Workplace, build: &[&str], arguments: &[&str]) -> Result<()> {
    let mut command = workplace.cargo(&["run", "--quiet", "--package", "tamis-drill"])?;
    run_command(command.args(build).arg("--").args(arguments))
}
