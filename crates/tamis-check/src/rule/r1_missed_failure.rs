//! R1: a test newly fails, and the tool does not show it.

use super::{Breach, Rule, Weight, n_tests};
use crate::history::{History, Outcome, Variant};
use crate::steps::Step;

pub(super) const RULE: Rule = Rule {
    id: "R1",
    title: "misses a newly failed test",
    weight: Weight::Bug,
    explanation: EXPLANATION,
    check,
};

const EXPLANATION: &str = "\
A test that passed in one revision and fails in the next, when every test is run, must fail with the tool as well. \
It is enough that the tool has shown the failure once in the new revision, as in the step `filtered`; whether it \
stays red is for R10.

This is safety, the promise of every tool that selects tests. RTSCheck counts newly failed tests; here each test is \
looked at by name, so that one too many does not make up for one too few. A test that passes by its own word, and \
leaves its objects in another state than before, has failed too.";

fn check(history: &History, variant: &Variant) -> Vec<Breach> {
    let mut breaches = Vec::new();
    for moment in history.moments(variant) {
        let before = moment.step.compared_with();
        let Some(before) = before.and_then(|step| history.step(step)) else {
            continue;
        };
        let missed = moment.all().into_iter().filter(|test| {
            let is_newly_failed = before.outcome(test) == Some(Outcome::Passed)
                && moment.truth(test).is_some_and(Outcome::is_failure);
            is_newly_failed && !has_shown(history, variant, moment.step, test)
        });
        let missed: Vec<&str> = missed.collect();
        if !missed.is_empty() {
            let text = format!("{} newly failed and not shown", n_tests(missed.len()));
            breaches.push(Breach::new(moment.step, missed, text));
        }
    }
    breaches
}

/// Whether the tool has shown the failure of a test, in this step or before it in the same revision.
fn has_shown(history: &History, variant: &Variant, step: Step, test: &str) -> bool {
    let moments = history.moments(variant);
    moments
        .take_while(|moment| moment.step <= step)
        .filter(|moment| moment.step.revision() == step.revision())
        .any(|moment| moment.shown(test).is_some_and(Outcome::is_failure))
}

#[cfg(test)]
mod tests {
    use crate::rule::sample::violations;

    #[test]
    fn a_failure_that_is_not_run() {
        let found = violations(
            "R1",
            "first: a+ b+ | x: a+ b+
             evolved: a- b- | x: a-",
        );
        assert_eq!(found, ["x evolved: b"]);
    }

    #[test]
    fn another_state_that_is_not_shown() {
        let found = violations(
            "R1",
            "first: a+ b+ | x: a+ b+
             evolved: a* b+ | x: b+",
        );
        assert_eq!(found, ["x evolved: a"]);
    }

    #[test]
    fn a_failure_that_passes_with_the_tool() {
        let found = violations(
            "R1",
            "first: a+ b+ | x: a+ b+
             filtered: a- | x: a+
             evolved: a- b+ | x: a+ b+",
        );
        assert_eq!(found, ["x filtered: a", "x evolved: a"]);
    }

    #[test]
    fn one_that_was_shown_or_failed_before() {
        let found = violations(
            "R1",
            "first: a+ b+ c- | x: a+ b+ c-
             filtered: a- | x: a-
             evolved: a- b* c- | x: b*",
        );
        assert_eq!(found, [""; 0]);
    }
}
