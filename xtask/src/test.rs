//! `cargo xtask test`: everything that must pass before a change lands, and how long each part took.

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};

use crate::command::{TestCount, no_arguments, run as run_command, run_tests};
use crate::workplace::Workplace;
use crate::{check, drill, instructions, setup, tidy};

/// A part's name and the function that runs it; it returns the tests it ran, if it ran any.
type Part = (&'static str, fn(&Workplace) -> Result<TestCount>);

/// In this order; the cheap ones first.
const PARTS: &[Part] = &[
    ("format", format),
    ("tidy", house_rules),
    ("clippy", clippy),
    ("docs", docs),
    ("deny", deny),
    ("tests", cargo_test),
    ("drill", short_drill),
    ("check", short_check),
    ("counts", instruction_counts),
];

/// How a part ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Ending {
    Passed,
    Failed,
    NotRun,
}

/// What all parts together brought.
#[derive(Debug, Default)]
struct Report {
    rows: Vec<(&'static str, Ending, Duration)>,
    count: TestCount,
    failure: Option<anyhow::Error>,
}

/// Sets up and runs the parts up to the first that fails; the table comes last in any case.
pub(crate) fn run(arguments: &[String]) -> Result<()> {
    no_arguments(arguments)?;
    let mut report = Report::default();
    let start = Instant::now();
    let workplace = setup::for_tests()?;
    report
        .rows
        .push(("set-up", Ending::Passed, start.elapsed()));
    for part in PARTS {
        report.add(*part, &workplace);
    }
    println!("\n{}", table(&report.rows));
    if let Some(error) = report.failure {
        return Err(error);
    }
    println!("{}", report.count);
    Ok(())
}

impl Report {
    /// Runs a part, unless one before it failed.
    fn add(&mut self, (name, part): Part, workplace: &Workplace) {
        if self.failure.is_some() {
            self.rows.push((name, Ending::NotRun, Duration::ZERO));
            return;
        }
        eprintln!("\n== {name}");
        let start = Instant::now();
        let ending = match part(workplace) {
            Ok(tests) => {
                self.count += tests;
                Ending::Passed
            }
            Err(error) => {
                self.failure = Some(error.context(format!("the part `{name}` failed")));
                Ending::Failed
            }
        };
        self.rows.push((name, ending, start.elapsed()));
    }
}

fn format(workplace: &Workplace) -> Result<TestCount> {
    no_tests(run_command(
        &mut workplace.cargo(&["fmt", "--all", "--check"])?,
    ))
    .context("hint: `cargo fmt --all` formats the code")
}

fn house_rules(workplace: &Workplace) -> Result<TestCount> {
    no_tests(tidy::check(workplace))
}

fn clippy(workplace: &Workplace) -> Result<TestCount> {
    let arguments = [
        "clippy",
        "--workspace",
        "--all-targets",
        "--",
        "-D",
        "warnings",
    ];
    no_tests(run_command(&mut workplace.cargo(&arguments)?))
}

fn docs(workplace: &Workplace) -> Result<TestCount> {
    let mut command = workplace.cargo(&["doc", "--workspace", "--no-deps"])?;
    no_tests(run_command(command.env("RUSTDOCFLAGS", "-D warnings")))
}

fn deny(workplace: &Workplace) -> Result<TestCount> {
    let arguments = ["deny", "check", "licenses", "bans", "sources"];
    no_tests(run_command(&mut workplace.cargo(&arguments)?))
}

fn cargo_test(workplace: &Workplace) -> Result<TestCount> {
    let mut command = workplace.cargo(&["test", "--workspace", "--no-fail-fast"])?;
    run_tests(command.env("MAVEN_OPTS", QUICK_MAVEN))
}

/// Maven runs some hundred times in the tests, a few seconds each: the optimising compiler costs more than it brings.
const QUICK_MAVEN: &str = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC";

fn short_drill(workplace: &Workplace) -> Result<TestCount> {
    no_tests(drill::run_short(workplace))
}

fn short_check(workplace: &Workplace) -> Result<TestCount> {
    no_tests(check::run_short(workplace))
}

/// The one part that builds for release: other code has other counts.
fn instruction_counts(workplace: &Workplace) -> Result<TestCount> {
    no_tests(instructions::check(workplace))
}

fn no_tests(result: Result<()>) -> Result<TestCount> {
    result.map(|()| TestCount::default())
}

/// One line per part, and the sum.
fn table(rows: &[(&str, Ending, Duration)]) -> String {
    let mut text = String::from("part      minutes\n");
    for (name, ending, time) in rows {
        let minutes = time.as_secs_f64() / 60.0;
        let line = match ending {
            Ending::Passed => format!("{name:<9} {minutes:>7.1}  passed"),
            Ending::Failed => format!("{name:<9} {minutes:>7.1}  FAILED"),
            Ending::NotRun => format!("{name:<9} {:>7}  not run", "-"),
        };
        text += &line;
        text.push('\n');
    }
    let sum: Duration = rows.iter().map(|row| row.2).sum();
    let minutes = sum.as_secs_f64() / 60.0;
    writeln!(text, "{:<9} {minutes:>7.1}", "all").expect("a string takes all that is written");
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_names_what_passed_failed_and_did_not_run() {
        let rows = [
            ("format", Ending::Passed, Duration::from_secs(6)),
            ("tests", Ending::Failed, Duration::from_secs(90)),
            ("corpus", Ending::NotRun, Duration::ZERO),
        ];
        let expected = "\
part      minutes
format        0.1  passed
tests         1.5  FAILED
corpus          -  not run
all           1.6
";
        assert_eq!(table(&rows), expected);
    }
}
