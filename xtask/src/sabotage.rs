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

/// How the trial of a fault ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Verdict {
    Caught,
    Escaped,
    /// A Tamis with the fault failed as a whole before anything was found: of what it selects nothing is known.
    Crashed,
}

/// What a report says.
struct Findings {
    bugs: Vec<Bug>,
    crashes: Vec<Crash>,
}

/// A violation that is no mere suspicion.
struct Bug {
    tool: String,
    rule: String,
    operator: String,
    program: String,
}

/// A tool that failed as a whole.
struct Crash {
    tool: String,
    text: String,
}

/// What is asked for.
struct Request<'a> {
    n_programs: &'a str,
    /// How Tamis is built.
    profile: Profile,
    named: &'a [String],
}

#[derive(Debug, Clone, Copy)]
enum Profile {
    Release,
    /// With the libraries that the tests are built with; where a machine is busy, a build for release takes longer than the trials.
    Debug,
}

/// Tries all faults, or those that are named. `--programs N` asks for fewer programs, `--debug` for a build without
/// optimisation.
pub(crate) fn run(arguments: &[String]) -> Result<()> {
    let request = Request::parse(arguments)?;
    let (workplace, _) = setup::for_demo()?;
    let program = build(&workplace, request.profile)?;
    let is_named =
        |fault: &str| request.named.is_empty() || request.named.iter().any(|name| name == fault);
    let mut verdicts = Vec::new();
    let mut shown_alone = BTreeSet::new();
    for fault in FAULTS.iter().copied().filter(|fault| is_named(fault)) {
        let findings = check(&workplace, &program, fault, request.n_programs)?;
        let operators: BTreeSet<&str> = findings.operators().collect();
        let mut new = operators.clone();
        if HIDDEN.contains(&fault) {
            new.retain(|operator| !shown_alone.contains(*operator));
        }
        let verdict = Verdict::of(!new.is_empty(), findings.crash_of(|_| true));
        let shown = new.into_iter().collect::<Vec<_>>().join(" ");
        println!("{}  {fault}  {shown}", verdict.word());
        if fault == CONTROL {
            shown_alone = operators.into_iter().map(str::to_owned).collect();
        } else {
            verdicts.push((fault, verdict));
        }
    }
    verdicts.extend(narrow::run(&workplace, &program, is_named)?);
    judge(&verdicts)
}

impl<'a> Request<'a> {
    fn parse(mut arguments: &'a [String]) -> Result<Self> {
        let mut request = Self {
            n_programs: N_PROGRAMS,
            profile: Profile::Release,
            named: &[],
        };
        loop {
            arguments = match arguments {
                [option, n_programs, rest @ ..] if option == "--programs" => {
                    request.n_programs = n_programs;
                    rest
                }
                [option, rest @ ..] if option == "--debug" => {
                    request.profile = Profile::Debug;
                    rest
                }
                named => {
                    request.named = named;
                    break;
                }
            };
        }
        for name in request.named {
            let is_known = FAULTS.contains(&name.as_str()) || narrow::is_fault(name);
            ensure!(is_known, "no fault `{name}`");
        }
        Ok(request)
    }
}

impl Verdict {
    /// What was shown before a crash was shown all the same.
    fn of(is_shown: bool, crash: Option<&Crash>) -> Self {
        match (is_shown, crash) {
            (true, _) => Self::Caught,
            (false, Some(crash)) => {
                eprintln!("{} failed: {}", crash.tool, crash.text);
                Self::Crashed
            }
            (false, None) => Self::Escaped,
        }
    }

    fn word(self) -> &'static str {
        match self {
            Self::Caught => "caught",
            Self::Escaped => "escaped",
            Self::Crashed => "crashed",
        }
    }
}

impl Findings {
    fn operators(&self) -> impl Iterator<Item = &str> {
        self.bugs.iter().map(|bug| bug.operator.as_str())
    }

    fn crash_of(&self, is_tool: impl Fn(&str) -> bool) -> Option<&Crash> {
        self.crashes.iter().find(|crash| is_tool(&crash.tool))
    }
}

/// Fails unless all faults were caught.
fn judge(verdicts: &[(&str, Verdict)]) -> Result<()> {
    let named = |wanted: Verdict| {
        let faults = verdicts.iter().filter(|(_, verdict)| *verdict == wanted);
        let faults: Vec<&str> = faults.map(|(fault, _)| *fault).collect();
        faults.join(", ")
    };
    let (escaped, crashed) = (named(Verdict::Escaped), named(Verdict::Crashed));
    match (escaped.is_empty(), crashed.is_empty()) {
        (true, true) => Ok(()),
        (false, true) => bail!("the checker does not see: {escaped}"),
        (true, false) => bail!("undecided, since Tamis failed as a whole: {crashed}"),
        (false, false) => bail!(
            "the checker does not see: {escaped}; undecided, since Tamis failed as a whole: {crashed}"
        ),
    }
}

/// A Tamis that can be broken, in a directory of its own.
fn build(workplace: &Workplace, profile: Profile) -> Result<PathBuf> {
    let own = workplace.root.join("target/sabotage");
    let mut command =
        workplace.cargo(&["build", "--package", "tamis", "--features", "sabotage"])?;
    match profile {
        Profile::Release => {
            run_command(command.arg("--release").arg("--target-dir").arg(&own))?;
            Ok(own.join("release/tamis"))
        }
        Profile::Debug => {
            run_command(&mut command)?;
            // The next build of the tests puts another one there.
            let program = own.join("tamis");
            fs::create_dir_all(&own)?;
            fs::copy(workplace.root.join("target/debug/tamis"), &program)?;
            Ok(program)
        }
    }
}

/// What is found of a Tamis with this fault, by each mesh.
fn check(workplace: &Workplace, program: &Path, fault: &str, n_programs: &str) -> Result<Findings> {
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
    findings(&mut command, &output)
}

/// Runs a check, and reads its report.
fn findings(command: &mut Command, output: &Path) -> Result<Findings> {
    let status = command.status().context("cannot start `tamis check`")?;
    // 1: something was found.
    ensure!(matches!(status.code(), Some(0 | 1)), "`tamis check` failed");
    parse(&serde_json::from_slice(&fs::read(output)?)?)
}

fn parse(report: &Value) -> Result<Findings> {
    let list = |key: &str| {
        let list = report[key].as_array();
        list.with_context(|| format!("a report has {key}"))
    };
    let text = |value: &Value, key: &str| {
        let text = value[key].as_str().map(str::to_owned);
        text.with_context(|| format!("each entry has a {key}"))
    };
    let violations = list("violations")?.iter();
    let bugs = violations.filter(|violation| violation["weight"] == "bug");
    let bugs = bugs.map(|violation| {
        Ok(Bug {
            tool: text(violation, "tool")?,
            rule: text(violation, "rule")?,
            operator: text(violation, "operator")?,
            program: text(violation, "program")?,
        })
    });
    let crashes = list("failures")?.iter().map(|failure| {
        Ok(Crash {
            tool: text(failure, "tool")?,
            text: text(failure, "text")?,
        })
    });
    Ok(Findings {
        bugs: bugs.collect::<Result<_>>()?,
        crashes: crashes.collect::<Result<_>>()?,
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_crash_is_no_escape_and_hides_nothing_that_was_shown() {
        let report = json!({
            "violations": [
                {"weight": "bug", "tool": "a", "rule": "R1", "operator": "E5", "program": "p"},
                {"weight": "suspicion", "tool": "b", "rule": "R2", "operator": "E5", "program": "p"},
            ],
            "failures": [
                {"tool": "a", "text": "exit code 70"},
                {"tool": "b", "text": "exit code 70"},
            ],
        });
        let findings = parse(&report).unwrap();
        let verdict = |tool: &str| {
            let is_shown = findings.bugs.iter().any(|bug| bug.tool == tool);
            Verdict::of(is_shown, findings.crash_of(|crashed| crashed == tool))
        };
        let verdicts = ["a", "b", "c"].map(|tool| (tool, verdict(tool)));
        assert_eq!(verdicts[0].1, Verdict::Caught);
        assert_eq!(verdicts[1].1, Verdict::Crashed);
        assert_eq!(verdicts[2].1, Verdict::Escaped);
        assert_eq!(
            judge(&verdicts).unwrap_err().to_string(),
            "the checker does not see: c; undecided, since Tamis failed as a whole: b"
        );
        assert!(judge(&verdicts[..1]).is_ok());
        assert!(parse(&json!({"violations": []})).is_err());
    }

    #[test]
    fn options_come_before_the_faults() {
        let words = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
        let arguments = words("--debug --programs 7 no-left-state oldest-record");
        let request = Request::parse(&arguments).unwrap();
        assert_eq!(request.n_programs, "7");
        assert!(matches!(request.profile, Profile::Debug));
        assert_eq!(request.named, ["no-left-state", "oldest-record"]);
        assert!(Request::parse(&words("no-such-fault")).is_err());
    }
}
