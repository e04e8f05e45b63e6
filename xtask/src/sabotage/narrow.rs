//! Faults that only some operators can show: all faults of the same operators are tools of one check, beside a Tamis
//! that is sound.
//!
//! As a command of the user's, Tamis is run by one mesh and in six steps. That is a quarter of what a check of Tamis
//! takes, and enough: each of these faults loses something that the finest mesh needs as well.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use anyhow::{Result, bail, ensure};

use super::{Findings, Verdict, findings};
use crate::workplace::Workplace;

/// Faults that are tried together.
struct Trial {
    operators: &'static str,
    /// What Tamis selects by.
    granularity: &'static str,
    n_programs: &'static str,
    faults: &'static [&'static str],
}

const TRIALS: &[Trial] = &[
    Trial {
        operators: "change-file",
        granularity: "class",
        n_programs: "20",
        faults: &["files-ignored", "absent-files-ignored", "listings-ignored"],
    },
    Trial {
        operators: "change-resource,change-service",
        granularity: "class",
        n_programs: "24",
        faults: &["resources-ignored", "services-ignored"],
    },
    // Beside programs with other resources each later test would run for the sake of these.
    Trial {
        operators: "change-class-data",
        granularity: "class",
        n_programs: "12",
        faults: &["class-data-ignored"],
    },
    Trial {
        operators: "change-bundle",
        granularity: "class",
        n_programs: "9",
        faults: &["no-sticky-questions"],
    },
    // What both classes of a program ask the JDK, it answers the second time from what it keeps.
    Trial {
        operators: "add-annotation,reorder-fields",
        granularity: "class",
        n_programs: "24",
        faults: &["no-sticky-members"],
    },
    Trial {
        operators: "change-lazy-singleton",
        granularity: "class",
        n_programs: "20",
        faults: &["no-left-state"],
    },
    Trial {
        operators: "change-property",
        granularity: "class",
        n_programs: "8",
        faults: &["jvm-ignored"],
    },
    Trial {
        operators: "add-optional-class",
        granularity: "class",
        n_programs: "8",
        faults: &["absent-classes-ignored"],
    },
    Trial {
        operators: "change-static-initialiser,add-static-initialiser",
        granularity: "class",
        n_programs: "40",
        faults: &["static-initialisers-ignored"],
    },
    Trial {
        operators: "change-library-class",
        granularity: "class",
        n_programs: "8",
        faults: &["library-classes-ignored"],
    },
    // A class that needs another one is left out of a check; a test that needs another one of its class is not.
    Trial {
        operators: "change-prepared-test",
        granularity: "method",
        n_programs: "8",
        faults: &["no-companions"],
    },
    // Each has a project of its own.
    Trial {
        operators: "change-code-in-background",
        granularity: "class",
        n_programs: "2",
        faults: &["no-background"],
    },
];

/// The tool without a fault.
const SOUND: &str = "sound";

pub(super) fn is_fault(name: &str) -> bool {
    let mut faults = TRIALS.iter().flat_map(|trial| trial.faults);
    faults.any(|fault| *fault == name)
}

/// Tries the faults that are named.
pub(super) fn run(
    workplace: &Workplace,
    program: &Path,
    is_named: impl Fn(&str) -> bool,
) -> Result<Vec<(&'static str, Verdict)>> {
    let mut verdicts = Vec::new();
    for trial in TRIALS {
        let faults = trial.faults.iter().copied();
        let faults: Vec<&str> = faults.filter(|fault| is_named(fault)).collect();
        if faults.is_empty() {
            continue;
        }
        let findings = trial.run(workplace, program, &faults)?;
        trial.check_sound(&findings)?;
        for fault in faults {
            let shown = shown(&findings, fault);
            let crash = findings.crash_of(|tool| tool == fault);
            let verdict = Verdict::of(!shown.is_empty(), crash);
            println!("{}  {fault}  {}", verdict.word(), shown.join(", "));
            verdicts.push((fault, verdict));
        }
    }
    Ok(verdicts)
}

/// `R1 change-file in 3 programs`
fn shown(findings: &Findings, fault: &str) -> Vec<String> {
    let mut programs: BTreeMap<(&str, &str), BTreeSet<&str>> = BTreeMap::new();
    for bug in findings.bugs.iter().filter(|bug| bug.tool == fault) {
        let kind = (bug.rule.as_str(), bug.operator.as_str());
        programs.entry(kind).or_default().insert(&bug.program);
    }
    let shown = programs.into_iter().map(|((rule, operator), programs)| {
        format!("{rule} {operator} in {} programs", programs.len())
    });
    shown.collect()
}

impl Trial {
    /// Fails if the Tamis without a fault has a bug, or failed as a whole: it is what the others are compared with.
    fn check_sound(&self, findings: &Findings) -> Result<()> {
        let operators = self.operators;
        let bugs = shown(findings, SOUND).join(", ");
        ensure!(
            bugs.is_empty(),
            "Tamis without a fault has a bug by {operators}: {bugs}"
        );
        match findings.crash_of(|tool| tool == SOUND) {
            Some(crash) => bail!(
                "Tamis without a fault failed by {operators}: {}",
                crash.text
            ),
            None => Ok(()),
        }
    }

    /// What is found of the sound Tamis and of those with faults.
    fn run(&self, workplace: &Workplace, program: &Path, faults: &[&str]) -> Result<Findings> {
        let output = workplace.root.join("target/sabotage/report.json");
        let mut command = workplace.command(program)?;
        command
            .args(["check", "auto", "--fresh", "--operators", self.operators])
            .args(["--programs", self.n_programs, "--batch", self.n_programs])
            .args(["--format", "json", "--output"])
            .arg(&output);
        for fault in [SOUND].iter().chain(faults) {
            let tool = format!("{fault}={}", self.command_line(program, fault));
            command.args(["--tool", &tool]);
        }
        findings(&mut command, &output)
    }

    /// For a shell, by the protocol of `docs/reference/check.md`.
    fn command_line(&self, program: &Path, fault: &str) -> String {
        format!(
            "eval \"TAMIS_SABOTAGE={fault} XDG_CONFIG_HOME=/nowhere '{}' run --quiet --mesh block --granularity {} \
             --store \\\"\\$TAMIS_CHECK_DATA\\\" -- $TAMIS_CHECK_RUN\"",
            program.display(),
            self.granularity
        )
    }
}
