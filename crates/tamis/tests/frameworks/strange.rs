//! Runners that break the rules, and many tests: nothing hangs, nothing dies, nothing is told wrongly.

use crate::junit4::junit4;

/// With Tamis the program does what it does without.
fn check(class: &str, expected: &str) {
    let scenario = junit4(&[class]);
    let plain = scenario.plain();
    let traced = scenario.trace();
    assert_eq!(plain.status.code(), Some(traced.code()), "{class}");
    let words = |stdout: &[u8]| {
        let text = String::from_utf8_lossy(stdout).into_owned();
        let is_time = |line: &&str| !line.starts_with("Time: ");
        let lines: Vec<_> = text.lines().filter(is_time).map(str::to_owned).collect();
        lines
    };
    assert_eq!(words(&plain.stdout), words(&traced.output.stdout));
    assert_eq!(traced.entities(), expected);
}

#[test]
fn a_runner_without_a_description_runs_unseen() {
    check("Strange$NoDescription", "");
}

#[test]
fn a_description_that_is_thrown_instead_of_given() {
    check(
        "Strange$ThrowingDescription",
        "Strange$ThrowingDescription class, failed (initializationError failed)\n",
    );
}

#[test]
fn a_description_that_throws_for_the_agent_only() {
    check("Strange$ShyDescription", "");
}

#[test]
fn a_failure_of_a_test_that_was_never_shown_counts() {
    let traced = junit4(&["Strange$ChangingDescription"]).trace();
    let entities = traced.entities();
    let start = "Strange$ChangingDescription class, failed (";
    assert!(entities.starts_with(start), "{entities}");
}

#[test]
fn a_description_that_is_deeper_than_the_stack() {
    check(
        "Strange$DeepDescription",
        "Strange$DeepDescription container, passed\n",
    );
}

#[test]
fn notifications_about_nothing() {
    check(
        "Strange$NullNotifications",
        "Strange$NullNotifications class, passed (itself not told)\n",
    );
}

#[test]
fn many_tests_by_method() {
    let traced = junit4(&["Strange$Many"]).by_method().trace();
    let entities = traced.entities();
    assert_eq!(entities.lines().count(), 1 + 300);
    assert!(
        entities
            .lines()
            .skip(1)
            .all(|line| line.ends_with(", passed"))
    );
}
