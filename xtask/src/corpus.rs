//! `cargo xtask corpus`: the class-file code against every class of the JDKs and of many libraries.

use anyhow::{Result, bail};

use crate::command::{TestCount, run_tests};
use crate::setup;
use crate::workplace::Workplace;

/// How much of the corpus is looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Share {
    Whole,
    /// Every tenth class: what CI has time for.
    Tenth,
}

/// Runs the corpus tests; `--tenth` for a tenth of the corpus.
pub(crate) fn run(arguments: &[String]) -> Result<()> {
    let share = match arguments {
        [] => Share::Whole,
        [only] if only == "--tenth" => Share::Tenth,
        _ => bail!("`corpus` takes no argument but `--tenth`"),
    };
    let count = check(&setup::for_tests()?, share)?;
    println!("{count}");
    Ok(())
}

/// Runs the corpus tests on a workplace that has been set up.
pub(crate) fn check(workplace: &Workplace, share: Share) -> Result<TestCount> {
    let arguments = [
        "test",
        "--release",
        "--package",
        "tamis-classfile",
        "--test",
        "corpus",
    ];
    let mut command = workplace.cargo(&arguments)?;
    command.args(["--", "--nocapture"]);
    command.env("TAMIS_CORPUS", share.name());
    run_tests(&mut command)
}

impl Share {
    /// The value of `TAMIS_CORPUS`; without that variable the corpus tests look at a tenth.
    fn name(self) -> &'static str {
        match self {
            Self::Whole => "whole",
            Self::Tenth => "tenth",
        }
    }
}
