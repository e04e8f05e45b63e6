//! R7: more tests fail with the tool than without it.

use super::{Breach, Rule, Weight};
use crate::history::{History, Outcome, Variant};

pub(super) const RULE: Rule = Rule {
    id: "R7",
    title: "makes more tests fail than fail without it",
    weight: Weight::Bug,
    explanation: EXPLANATION,
    check,
};

const EXPLANATION: &str = "\
A tool may run fewer tests than there are, and so show fewer failures, but never more: what fails with the tool alone \
fails because of it. Code that was instrumented wrongly, another order, and a test that needs one that was skipped \
are such causes.

The rule counts, as that of RTSCheck does. R9 compares test by test.";

fn check(history: &History, variant: &Variant) -> Vec<Breach> {
    let mut breaches = Vec::new();
    for moment in history.moments(variant) {
        let all = moment.all();
        let n_true = all
            .iter()
            .filter(|test| moment.truth(test).is_some_and(Outcome::is_failure));
        let n_true = n_true.count();
        let failed = moment
            .outcomes()
            .iter()
            .filter(|(_, outcome)| outcome.is_failure());
        let failed: Vec<&str> = failed.map(|(test, _)| test.as_str()).collect();
        if failed.len() > n_true {
            let text = format!("{} failed with the tool, {n_true} without it", failed.len());
            breaches.push(Breach::new(moment.step, failed, text));
        }
    }
    breaches
}

#[cfg(test)]
mod tests {
    use crate::rule::sample::violations;

    #[test]
    fn one_failure_too_many() {
        let found = violations("R7", "evolved: a+ b- | x: a- b-");
        assert_eq!(found, ["x evolved: a b"]);
    }

    #[test]
    fn as_many_or_fewer() {
        assert_eq!(
            violations("R7", "evolved: a- b- | x: a- b- | y: a-"),
            [""; 0]
        );
    }
}
