//! R10: a failure is forgotten.

use super::{Breach, Rule, Weight, n_tests};
use crate::history::{History, Moment, Outcome, Variant};

pub(super) const RULE: Rule = Rule {
    id: "R10",
    title: "forgets a test that failed",
    weight: Weight::Bug,
    explanation: EXPLANATION,
    check,
};

const EXPLANATION: &str = "\
Red stays red. A test whose newest run in a revision failed must run again when that revision is run again, until it \
passes. And a test that failed the last time it ran, in whatever revision, must not be left out where it still fails.

The step `evolved-again` repeats a revision in which tests may have failed. In `killed` the whole JVM fails after its \
tests have passed, so that every test of it counts as failed, and `after-killed` must run them all. A test that failed \
in another revision alone, and passed in this one, may be left out when this one comes back. Only failures that the \
framework tells count: of a test that left another state a tool knows nothing.";

fn check(history: &History, variant: &Variant) -> Vec<Breach> {
    let moments: Vec<Moment<'_>> = history.moments(variant).collect();
    let mut breaches = Vec::new();
    for (at, moment) in moments.iter().enumerate() {
        let forgotten = moment.all().into_iter().filter(|test| {
            !moment.selected().contains(test) && is_red(&moments[..at], moment, test)
        });
        let forgotten: Vec<&str> = forgotten.collect();
        if !forgotten.is_empty() {
            let text = format!(
                "{} failed before and not run again",
                n_tests(forgotten.len())
            );
            breaches.push(Breach::new(moment.step, forgotten, text));
        }
    }
    breaches
}

/// Whether the tool knows a test as failed, by the newest run of this revision or by the newest of all.
fn is_red(earlier: &[Moment<'_>], moment: &Moment<'_>, test: &str) -> bool {
    let newest = |is_counted: &dyn Fn(&Moment<'_>) -> bool| {
        let mut newest_first = earlier.iter().rev().filter(|moment| is_counted(moment));
        newest_first.find_map(|moment| moment.shown(test))
    };
    let of_revision = newest(&|earlier| earlier.step.revision() == moment.step.revision());
    let of_all = newest(&|_| true);
    of_revision == Some(Outcome::Failed)
        || of_all == Some(Outcome::Failed) && moment.truth(test) == Some(Outcome::Failed)
}

#[cfg(test)]
mod tests {
    use crate::rule::sample::violations;

    #[test]
    fn a_failure_that_is_not_run_again() {
        let found = violations(
            "R10",
            "first: a+ b+ | x: a+ b+
             evolved: a- b- | x: a- b-
             evolved-again: a- b- | x: a-",
        );
        assert_eq!(found, ["x evolved-again: b"]);
    }

    #[test]
    fn a_jvm_that_failed_after_its_tests() {
        let found = violations(
            "R10",
            "back: a+ b+ | x: a+ b+
             killed: a- b- | x: a- b-
             after-killed: a+ b+ | x: a+",
        );
        assert_eq!(found, ["x after-killed: b"]);
    }

    #[test]
    fn what_passed_in_this_revision_may_be_left_out() {
        let found = violations(
            "R10",
            "first: a+ | x: a+
             evolved: a- | x: a-
             back: a+ | x:",
        );
        assert_eq!(found, [""; 0]);
    }

    /// A tool sees what the framework says, and the framework says that the test passed.
    #[test]
    fn another_state_is_not_red() {
        let found = violations(
            "R10",
            "first: a+ | x: a+
             evolved: a* | x: a*
             evolved-again: a* | x:",
        );
        assert_eq!(found, [""; 0]);
    }

    #[test]
    fn what_failed_last_and_fails_here_as_well() {
        let found = violations(
            "R10",
            "first: a- | x:
             evolved: a- | x: a-
             back: a- | x:",
        );
        assert_eq!(found, ["x back: a"]);
    }
}
