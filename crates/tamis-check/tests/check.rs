//! Whole checks of tools that are known to be good or bad, on generated programs.

#![expect(clippy::unwrap_used, reason = "the whole crate is tests")]

use std::collections::BTreeSet;
use std::path::Path;
use std::time::Duration;

use tamis_check::{
    Bounds, Check, CheckError, CheckResult, Constraint, Equipment, FailureKind, Framework,
    Operator, Plan, ReduceBounds, SourceFile, Stop, ToolChoice, Violation,
};
use tamis_testkit::jdks::jdks;

/// Runs every test each time.
const HONEST: &str = r#"eval "$TAMIS_CHECK_RUN""#;

/// Runs nothing after the first run.
const LAZY: &str = r#"test "$TAMIS_CHECK_STEP" != first || eval "$TAMIS_CHECK_RUN""#;

fn check(work: &Path, tools: &[(&str, &str)]) -> Check {
    let tools = tools.iter().map(|(name, command)| ToolChoice::Command {
        name: (*name).to_owned(),
        command: (*command).to_owned(),
    });
    Check {
        plan: Plan {
            seed: 1,
            bounds: Bounds::default(),
            frameworks: Framework::ALL.to_vec(),
            constraints: Constraint::ALL.to_vec(),
            operators: vec![Operator::IncreaseConstant, Operator::CopyMethodAndReplace],
        },
        n_programs: 6,
        batch: 3,
        is_one_by_one: false,
        n_jobs: 1,
        equipment: Equipment {
            tools: tools.collect(),
            user_rules: Vec::new(),
            jdk: jdks().unwrap().remove(0),
            junit: None,
            is_parallel: false,
            cache: work.join("cache"),
            limit: Duration::from_mins(5),
        },
        work: Some(work.join("work")),
        is_fresh: false,
    }
}

fn rules_violated(result: &CheckResult, tool: &str) -> BTreeSet<String> {
    let violations = result.violations.iter();
    violations
        .filter(|violation| violation.tool == tool)
        .map(|violation| violation.rule.clone())
        .collect()
}

fn set(rules: &[&str]) -> BTreeSet<String> {
    rules.iter().map(|rule| (*rule).to_owned()).collect()
}

/// Stopped after the first batch, and gone on with; then everything is known.
#[test]
fn good_and_bad_tools_are_told_apart_and_a_stopped_check_goes_on() {
    let work = tempfile::tempdir().unwrap();
    let tools = [("honest", HONEST), ("lazy", LAZY)];
    let check = check(work.path(), &tools);
    let stop = Stop::default();
    let stopped = check.run(&stop, &|_| stop.wish()).unwrap_err();
    let CheckError::Stopped {
        n_done, n_programs, ..
    } = stopped
    else {
        panic!("{stopped}");
    };
    assert_eq!((n_done, n_programs), (3, 6));

    let checked = check.run(&Stop::default(), &|_| ()).unwrap();
    assert_eq!((checked.n_run, checked.result.n_programs), (3, 6));
    let result = &checked.result;
    // Where the other one selects nothing, everything is suspicious.
    assert_eq!(rules_violated(result, "honest"), set(&["R3", "R4", "R5"]));
    assert_eq!(rules_violated(result, "lazy"), set(&["R1", "R2"]));
    assert_eq!(result.failures, []);

    let again = check.run(&Stop::default(), &|_| ()).unwrap();
    assert_eq!(again.n_run, 0);
    assert_eq!(again.result, checked.result);

    reduces(&check, result, work.path());
}

/// What a lazy tool misses is shown by a class and a test.
fn reduces(check: &Check, result: &CheckResult, work: &Path) {
    let mut missed = result.violations.iter();
    let missed = missed.find(|violation| violation.rule == "R1").unwrap();
    let bounds = ReduceBounds {
        n_rounds: 4,
        n_programs: 30,
    };
    let equipment = &check.equipment;
    let reduced = equipment.reduce(&check.plan, missed, bounds, work, &Stop::default());
    let reduced = reduced.unwrap().unwrap();
    let names = |files: &[SourceFile]| {
        let names = files.iter().map(|file| file.path.rsplit('/').next());
        names
            .map(Option::unwrap)
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    let (tests, code): (Vec<_>, Vec<_>) = names(&reduced.before)
        .into_iter()
        .partition(|name| name.starts_with('T'));
    assert_eq!((tests.len(), code.len()), (1, 1), "{:?}", reduced.before);
    let n_tests = |files: &[SourceFile]| {
        files
            .iter()
            .map(|file| file.text.matches("@Test").count())
            .sum::<usize>()
    };
    assert_eq!(n_tests(&reduced.before), 1, "{:?}", reduced.before);
    assert_ne!(reduced.before, reduced.after);
    assert!(
        reduced.n_left * 4 < reduced.n_parts,
        "{} of {}",
        reduced.n_left,
        reduced.n_parts
    );
    let same = |found: &Violation| (found.rule.as_str(), found.tool.as_str()) == ("R1", "lazy");
    assert!(!reduced.violations.is_empty() && reduced.violations.iter().all(same));
}

#[test]
fn a_tool_that_fails_is_a_finding_and_the_others_go_on() {
    let work = tempfile::tempdir().unwrap();
    let crashing = r#"eval "$TAMIS_CHECK_RUN"; test "$TAMIS_CHECK_STEP" != again || kill -9 $$"#;
    let mut check = check(work.path(), &[("crashing", crashing), ("honest", HONEST)]);
    check.n_programs = 2;
    check.is_one_by_one = true;
    let checked = check.run(&Stop::default(), &|_| ()).unwrap();
    let result = &checked.result;
    let failures = result.failures.iter();
    let failures: Vec<_> = failures
        .map(|failed| {
            (
                failed.tool.as_str(),
                failed.step.name(),
                failed.failure.kind,
            )
        })
        .collect();
    assert!(!failures.is_empty());
    assert!(
        failures
            .iter()
            .all(|failed| *failed == ("crashing", "again", FailureKind::Crashed))
    );
    assert_eq!(rules_violated(result, "crashing"), set(&[]));
    assert_eq!(rules_violated(result, "honest"), set(&["R3", "R5"]));
    assert!(result.has_bugs());
}
