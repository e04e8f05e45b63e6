//! `cargo xtask bench`: measures Tamis beside other tools.
//!
//! The measuring is done by the crate `tamis-bench`, which links the other tools; this program stays
//! small.

use anyhow::Result;

use crate::command::run as run_command;
use crate::setup;

/// Passes the arguments on, `classfile --rounds 20` for instance; without any it prints what there is.
pub(crate) fn run(arguments: &[String]) -> Result<()> {
    // The agent is measured on several JDKs and in Maven, as it is tested.
    let workplace = match arguments.first().map(String::as_str) {
        Some("agent") => setup::for_tests()?,
        _ => setup::for_demo()?.0,
    };
    let build = ["run", "--release", "--quiet", "--package", "tamis-bench"];
    let mut command = workplace.cargo(&build)?;
    run_command(command.arg("--").args(arguments))
}
