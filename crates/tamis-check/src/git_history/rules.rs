//! Rules over one revision of a history: R1, R5, R6 and R7 of SPEC 7.2, test by test.

use std::collections::BTreeSet;

use super::record::{Finding, HistoryStep};
use crate::history::Outcome;
use crate::outcome::ClassOutcomes;
use crate::rule::Weight;

/// What there is to compare; flaky tests are taken out of all of it.
pub(super) struct Compared<'a> {
    pub(super) step: HistoryStep,
    /// Every test, in the revision before.
    pub(super) before: Option<&'a ClassOutcomes>,
    /// Every test, now.
    pub(super) truth: &'a ClassOutcomes,
    /// What the tool ran in the revision before.
    pub(super) tool_before: Option<&'a ClassOutcomes>,
    /// What it ran now.
    pub(super) tool: &'a ClassOutcomes,
}

/// All that violates a rule.
pub(super) fn check(name: &str, compared: &Compared<'_>) -> Vec<Finding> {
    let mut findings = Vec::new();
    let mut add = |rule, weight, tests: Vec<String>, text: &str| {
        if !tests.is_empty() {
            findings.push(Finding {
                rule,
                weight,
                tool: name.to_owned(),
                text: format!("{} {text}", tests.len()),
                tests,
            });
        }
    };
    match compared.step {
        HistoryStep::First => {
            let (all, ran) = (ran(compared.truth), ran(compared.tool));
            let missing = all.difference(&ran).cloned().collect();
            add("R6", Weight::Bug, missing, "not run in the first revision");
            let added = ran.difference(&all).cloned().collect();
            add("R6", Weight::Bug, added, "run that are not there");
        }
        HistoryStep::Again => {
            let (weight, classes) = run_again(compared);
            add("R5", weight, classes, "run although nothing has changed");
        }
        HistoryStep::Next => {
            let missed = missed(compared);
            add("R1", Weight::Bug, missed, "newly failed and not shown");
        }
    }
    let (n_true, failed_now) = (failed(compared.truth).len(), failed(compared.tool));
    if failed_now.len() > n_true {
        let text = format!("failed with the tool, {n_true} without it");
        add("R7", Weight::Bug, failed_now, &text);
    }
    findings
}

/// Tests that ran, by their whole names.
fn ran(outcomes: &ClassOutcomes) -> BTreeSet<String> {
    named(outcomes, |outcome| outcome != Outcome::Skipped).collect()
}

fn failed(outcomes: &ClassOutcomes) -> Vec<String> {
    named(outcomes, Outcome::is_failure).collect()
}

fn named(
    outcomes: &ClassOutcomes,
    is_wanted: fn(Outcome) -> bool,
) -> impl Iterator<Item = String> + '_ {
    outcomes.iter().flat_map(move |(class, tests)| {
        let wanted = tests
            .iter()
            .filter(move |(_, outcome)| is_wanted(**outcome));
        wanted.map(move |(test, _)| format!("{class}.{test}"))
    })
}

/// Tests that fail and did not before, whether they passed then or were not there; without those that the tool shows.
fn missed(compared: &Compared<'_>) -> Vec<String> {
    let outcome = |outcomes: &ClassOutcomes, class: &str, test: &str| {
        outcomes
            .get(class)
            .and_then(|tests| tests.get(test))
            .copied()
    };
    let mut missed = Vec::new();
    for (class, tests) in compared.truth {
        for (test, now) in tests {
            let has_failed =
                |outcomes| outcome(outcomes, class, test).is_some_and(Outcome::is_failure);
            let is_new = !compared.before.is_some_and(has_failed);
            if now.is_failure() && is_new && !has_failed(compared.tool) {
                missed.push(format!("{class}.{test}"));
            }
        }
    }
    missed
}

/// Classes that ran again and had not failed. Where others had, these may have run for their sake.
fn run_again(compared: &Compared<'_>) -> (Weight, Vec<String>) {
    let is_red = |class: &str| {
        let before = compared.tool_before.and_then(|before| before.get(class));
        before.is_some_and(|tests| tests.values().any(|outcome| outcome.is_failure()))
    };
    let classes = classes(compared.tool).into_iter();
    let classes = classes.filter(|class| !is_red(class)).collect();
    let nothing_failed = compared
        .tool_before
        .is_none_or(|before| failed(before).is_empty());
    let weight = if nothing_failed {
        Weight::Bug
    } else {
        Weight::Suspicion
    };
    (weight, classes)
}

/// Classes of which a test ran.
pub(super) fn classes(outcomes: &ClassOutcomes) -> Vec<String> {
    let ran = outcomes.iter().filter(|(_, tests)| {
        let mut outcomes = tests.values();
        outcomes.any(|outcome| *outcome != Outcome::Skipped)
    });
    ran.map(|(class, _)| class.clone()).collect()
}

/// How many tests ran, and how many of these failed.
pub(super) fn counts(outcomes: &ClassOutcomes) -> (usize, usize) {
    (ran(outcomes).len(), failed(outcomes).len())
}

/// Tests of both that ended differently.
pub(super) fn differing(one: &ClassOutcomes, other: &ClassOutcomes) -> BTreeSet<(String, String)> {
    let mut differing = BTreeSet::new();
    for (class, tests) in one {
        for (test, outcome) in tests {
            let otherwise = other.get(class).and_then(|tests| tests.get(test));
            if otherwise.is_some_and(|otherwise| otherwise != outcome) {
                differing.insert((class.clone(), test.clone()));
            }
        }
    }
    differing
}

/// The same without these tests.
pub(super) fn without(
    outcomes: &ClassOutcomes,
    left_out: &BTreeSet<(String, String)>,
) -> ClassOutcomes {
    let mut rest = outcomes.clone();
    for (class, test) in left_out {
        if let Some(tests) = rest.get_mut(class) {
            tests.remove(test);
        }
    }
    rest.retain(|_, tests| !tests.is_empty());
    rest
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `A.a+ A.b- C.c~`: passed, failed, switched off.
    fn outcomes(text: &str) -> ClassOutcomes {
        let mut outcomes = ClassOutcomes::new();
        for test in text.split_whitespace() {
            let (name, sign) = test.split_at(test.len() - 1);
            let (class, name) = name.split_once('.').unwrap();
            let outcome = match sign {
                "+" => Outcome::Passed,
                "-" => Outcome::Failed,
                _ => Outcome::Skipped,
            };
            let tests = outcomes.entry(class.to_owned()).or_default();
            tests.insert(name.to_owned(), outcome);
        }
        outcomes
    }

    fn found(step: HistoryStep, before: [&str; 2], now: [&str; 2]) -> Vec<String> {
        let [truth_before, tool_before] = before.map(outcomes);
        let [truth, tool] = now.map(outcomes);
        let compared = Compared {
            step,
            before: Some(&truth_before),
            truth: &truth,
            tool_before: Some(&tool_before),
            tool: &tool,
        };
        let findings = check("x", &compared).into_iter();
        findings
            .map(|finding| {
                format!(
                    "{} {:?}: {}",
                    finding.rule,
                    finding.weight,
                    finding.tests.join(" ")
                )
            })
            .collect()
    }

    #[test]
    fn a_failure_that_is_not_shown() {
        let before = ["A.a+ B.b- C.c+", ""];
        let now = ["A.a- B.b- C.c- D.d-", "C.c-"];
        assert_eq!(found(HistoryStep::Next, before, now), ["R1 Bug: A.a D.d"]);
        let now = ["A.a- C.c+", "A.a+"];
        assert_eq!(found(HistoryStep::Next, before, now), ["R1 Bug: A.a"]);
    }

    #[test]
    fn what_runs_again_and_had_not_failed() {
        let first = ["A.a+ B.b+", "A.a+ B.b+"];
        let again = ["A.a+ B.b+", "B.b+ C.c~"];
        assert_eq!(found(HistoryStep::Again, first, again), ["R5 Bug: B"]);
        let first = ["A.a- B.b+", "A.a- A.c+ B.b+"];
        let again = ["A.a- A.c+ B.b+", "A.a- A.c+ B.b+"];
        assert_eq!(found(HistoryStep::Again, first, again), ["R5 Suspicion: B"]);
    }

    #[test]
    fn other_tests_than_there_are_and_more_failures() {
        let now = ["A.a+ A.off~ B.b-", "A.a- B.b- C.c+"];
        let expected = ["R6 Bug: C.c", "R7 Bug: A.a B.b"];
        assert_eq!(found(HistoryStep::First, ["", ""], now), expected);
        let now = ["A.a+ B.b+", "A.a+"];
        assert_eq!(found(HistoryStep::First, ["", ""], now), ["R6 Bug: B.b"]);
    }

    #[test]
    fn flaky_tests_are_those_that_differ_and_can_be_taken_out() {
        let (one, other) = (outcomes("A.a+ A.b+ B.b+"), outcomes("A.a- A.b+ C.c+"));
        let flaky = differing(&one, &other);
        assert_eq!(flaky.len(), 1);
        assert_eq!(without(&one, &flaky), outcomes("A.b+ B.b+"));
        assert_eq!(classes(&outcomes("A.a~ B.b-")), ["B"]);
        assert_eq!(counts(&outcomes("A.a~ B.b- B.c+")), (2, 1));
    }
}
