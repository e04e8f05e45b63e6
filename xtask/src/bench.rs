//! `cargo xtask bench`: measures Tamis beside other tools.
//!
//! The measuring is done by the crate `tamis-bench`, which links the other tools; this program stays
//! small.

use anyhow::Result;

use crate::command::run as run_command;
use crate::setup;

/// Passes the arguments on, `classfile --rounds 20` for instance; without any it prints what there is.
pub(crate) fn run(arguments: &[String]) -> Result<()> {
    let what = arguments.first().map(String::as_str);
    // The agent is measured on several JDKs and in Maven, as it is tested; so is the whole program.
    let workplace = match what {
        Some("agent" | "meshes" | "peers" | "run") => setup::for_tests()?,
        _ => setup::for_demo()?.0,
    };
    // It is found beside the program that measures.
    if matches!(what, Some("meshes" | "peers" | "run")) {
        run_command(&mut workplace.cargo(&["build", "--release", "--package", "tamis"])?)?;
    }
    let build = ["run", "--release", "--quiet", "--package", "tamis-bench"];
    let mut command = workplace.cargo(&build)?;
    run_command(command.arg("--").args(arguments))
}
