//! R3: the tool selects all tests in all revisions.

use super::{Breach, Rule, Weight};
use crate::history::{History, Moment, Variant};

pub(super) const RULE: Rule = Rule {
    id: "R3",
    title: "selects all tests in all revisions",
    weight: Weight::Suspicion,
    explanation: EXPLANATION,
    check,
};

const EXPLANATION: &str = "\
A tool that runs every test in each step, the unchanged ones included, selects nothing at all. It may be switched \
off, or lose its data between the runs.

Steps that must run everything (`killed`, `after-killed`) do not count. A program whose change concerns every test \
does not violate this rule, since nothing is to be run when the first revision is repeated.";

fn check(history: &History, variant: &Variant) -> Vec<Breach> {
    let moments = history.moments(variant);
    let counted: Vec<Moment<'_>> = moments
        .filter(|moment| !moment.step.needs_force())
        .collect();
    if counted.len() < 2 || !counted.iter().all(Moment::selects_all) {
        return Vec::new();
    }
    vec![Breach {
        step: None,
        tests: Vec::new(),
        text: format!("all tests selected in each of {} steps", counted.len()),
    }]
}

#[cfg(test)]
mod tests {
    use crate::rule::sample::violations;

    #[test]
    fn everything_each_time() {
        let found = violations(
            "R3",
            "first: a+ b+ | x: a+ b+ | y: a+ b+
             again: a+ b+ | x: a+ b+ | y: a+
             evolved: a+ b- | x: a+ b- | y: a+ b-",
        );
        assert_eq!(found, ["x : "]);
    }

    #[test]
    fn the_first_revision_alone_says_nothing() {
        assert_eq!(violations("R3", "first: a+ | x: a+"), [""; 0]);
    }
}
