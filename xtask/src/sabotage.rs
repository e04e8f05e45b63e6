//! `cargo xtask sabotage`: whether `tamis check` catches a Tamis that is broken on purpose.
//!
//! The faults are in `sabotage.rs` of `tamis-engine`, behind the feature `sabotage`. Some of them are hidden by facts that
//! are coarse today (the members of every used class), which are left out with them; what that does alone is the first
//! fault of the list, so a fault is caught only by an operator that this one does not show. Faults that only some
//! operators can show are tried on these alone (`narrow.rs`).

mod narrow;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail, ensure};
use serde_json::Value;

use crate::command::run as run_command;
use crate::setup;
use crate::workplace::Workplace;

/// Leaves out the coarse facts that would hide others.
const CONTROL: &str = "members-ignored";

/// Each is a value of `TAMIS_SABOTAGE`; every operator may show it.
const FAULTS: &[&str] = &[
    CONTROL,
    "no-init-sets",
    "no-left-state",
    "no-ambient",
    "no-absent-facts",
    "non-atomic-clear",
    "signatures-without-flags",
    "key-without-execution",
    "oldest-record",
    "coverage-ignored",
    "head-ignored",
    "look-ups-ignored",
];

/// Faults that leave out what [`CONTROL`] leaves out.
const HIDDEN: &[&str] = &[
    "no-absent-facts",
    "signatures-without-flags",
    "head-ignored",
    "look-ups-ignored",
];

/// Faults that need test classes which run at the same time.
const PARALLEL: &[&str] = &["non-atomic-clear"];

/// How many programs a fault may take.
const N_PROGRAMS: &str = "2000";

/// Tries all faults, or those that are named; `--programs N` asks for fewer programs.
pub(crate) fn run(arguments: &[String]) -> Result<()> {
    let workplace = setup::for_tests()?;
    let (n_programs, named) = match arguments {
        [option, n_programs, named @ ..] if option == "--programs" => (n_programs.as_str(), named),
        named => (N_PROGRAMS, named),
    };
    for name in named {
        let is_known = FAULTS.contains(&name.as_str()) || narrow::is_fault(name);
        ensure!(is_known, "no fault `{name}`");
    }
    let program = build(&workplace)?;
    let is_named = |fault: &str| named.is_empty() || named.iter().any(|name| name == fault);
    let mut shown_alone = BTreeSet::new();
    let mut escaped = Vec::new();
    for fault in FAULTS.iter().filter(|fault| is_named(fault)) {
        let operators = check(&workplace, &program, fault, n_programs)?;
        let mut new = operators.clone();
        if HIDDEN.contains(fault) {
            new.retain(|operator| !shown_alone.contains(operator));
        }
        let is_caught = !new.is_empty();
        let new: Vec<&str> = new.iter().map(String::as_str).collect();
        let word = if is_caught { "caught" } else { "escaped" };
        println!("{word}  {fault}  {}", new.join(" "));
        if *fault == CONTROL {
            shown_alone = operators;
        } else if !is_caught {
            escaped.push(*fault);
        }
    }
    escaped.extend(narrow::run(&workplace, &program, is_named)?);
    if escaped.is_empty() {
        return Ok(());
    }
    bail!("the checker does not see: {}", escaped.join(", "))
}

/// A Tamis that can be broken, in a directory of its own.
fn build(workplace: &Workplace) -> Result<PathBuf> {
    let target = workplace.root.join("target/sabotage");
    let arguments = ["build", "--release", "--package", "tamis", "--features"];
    let mut command = workplace.cargo(&arguments)?;
    run_command(command.arg("sabotage").arg("--target-dir").arg(&target))?;
    Ok(target.join("release/tamis"))
}

/// The operators whose programs show a bug.
fn check(
    workplace: &Workplace,
    program: &Path,
    fault: &str,
    n_programs: &str,
) -> Result<BTreeSet<String>> {
    let output = workplace.root.join("target/sabotage/report.json");
    let mut command = workplace.command(program)?;
    command
        .args(["check", "auto", "--programs", n_programs, "--fresh"])
        .args(["--format", "json", "--output"])
        .arg(&output)
        .env("TAMIS_SABOTAGE", fault);
    if PARALLEL.contains(&fault) {
        command.arg("--parallel");
    }
    let bugs = bugs(&mut command, &output)?;
    Ok(bugs.into_iter().map(|bug| bug.operator).collect())
}

/// A violation that is no mere suspicion.
struct Bug {
    tool: String,
    rule: String,
    operator: String,
}

/// Runs a check, and reads the bugs in its report.
fn bugs(command: &mut Command, output: &Path) -> Result<Vec<Bug>> {
    let status = command.status().context("cannot start `tamis check`")?;
    // 1: something was found.
    ensure!(matches!(status.code(), Some(0 | 1)), "`tamis check` failed");
    let report: Value = serde_json::from_slice(&fs::read(output)?)?;
    let violations = report["violations"].as_array();
    let violations = violations.context("a report has violations")?.iter();
    let bugs = violations.filter(|violation| violation["weight"] == "bug");
    let text = |violation: &Value, key: &str| {
        let text = violation[key].as_str().map(str::to_owned);
        text.with_context(|| format!("a violation has a {key}"))
    };
    bugs.map(|violation| {
        Ok(Bug {
            tool: text(violation, "tool")?,
            rule: text(violation, "rule")?,
            operator: text(violation, "operator")?,
        })
    })
    .collect()
}
