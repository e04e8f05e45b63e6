//! `cargo xtask bench`: measures Tamis beside other tools.
//!
//! The measuring is done by the crate `tamis-bench`, which links the other tools; this program stays
//! small.

use anyhow::Result;

use crate::command::run as run_command;
use crate::setup;

/// Passes the arguments on, `classfile --rounds 20` for instance; without any it prints what there is.
pub(crate) fn run(arguments: &[String]) -> Result<()> {
    let (workplace, _) = setup::for_demo()?;
    let build = ["run", "--release", "--quiet", "--package", "tamis-bench"];
    let mut command = workplace.cargo(&build)?;
    run_command(command.arg("--").args(arguments))
}
