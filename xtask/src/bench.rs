//! `cargo xtask bench`: measures Tamis beside other tools.
//!
//! The measuring is done by the crate `tamis-bench`, which links the other tools; this program stays
//! small.

use anyhow::Result;

use crate::command::run as run_command;
use crate::setup;
use crate::workplace::Workplace;

/// Passes the arguments on, `classfile --rounds 20` for instance; without a bench named, all are run.
pub(crate) fn run(arguments: &[String]) -> Result<()> {
    let what = arguments.first().map(String::as_str);
    // Most of it is measured on several JDKs and in Maven, as it is tested.
    let workplace = match what {
        Some("report" | "help" | "--help" | "-h") => Workplace::new()?,
        Some("classfile" | "scale" | "store" | "today") => setup::for_demo()?.0,
        _ => setup::for_tests()?,
    };
    let is_alone = "agent classfile help report scale startup store today --help -h"
        .split(' ')
        .any(|name| what == Some(name));
    // The whole program is found beside the one that measures.
    if !is_alone {
        run_command(&mut workplace.cargo(&["build", "--release", "--package", "tamis"])?)?;
    }
    let build = ["run", "--release", "--quiet", "--package", "tamis-bench"];
    let mut command = workplace.cargo(&build)?;
    run_command(command.arg("--").args(arguments))
}
