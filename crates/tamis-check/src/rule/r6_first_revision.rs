//! R6: in the first revision the tool does not run what there is.

use super::{Breach, Rule, Weight, n_tests};
use crate::history::{History, Variant};
use crate::steps::Step;

pub(super) const RULE: Rule = Rule {
    id: "R6",
    title: "runs other tests than there are in the first revision",
    weight: Weight::Bug,
    explanation: EXPLANATION,
    check,
};

const EXPLANATION: &str = "\
A tool that has no data yet must run every test, and no test that is not there.

A violation means that the tool does not find the tests, keeps them from running, or runs something twice under \
another name: it does not fit to the test framework. RTSCheck compares numbers; here the tests are compared by name.";

fn check(history: &History, variant: &Variant) -> Vec<Breach> {
    let Some(moment) = history.moment(variant, Step::First) else {
        return Vec::new();
    };
    let (all, selected) = (moment.all(), moment.selected());
    let missing: Vec<&str> = all.difference(&selected).copied().collect();
    let added: Vec<&str> = selected.difference(&all).copied().collect();
    let mut breaches = Vec::new();
    if !missing.is_empty() {
        let text = format!("{} not run in the first revision", n_tests(missing.len()));
        breaches.push(Breach::new(Step::First, missing, text));
    }
    if !added.is_empty() {
        let text = format!("{} run that are not there", n_tests(added.len()));
        breaches.push(Breach::new(Step::First, added, text));
    }
    breaches
}

#[cfg(test)]
mod tests {
    use crate::rule::sample::violations;

    #[test]
    fn one_missing_and_one_too_many() {
        let found = violations("R6", "first: a+ b+ | x: a+ c+");
        assert_eq!(found, ["x first: b", "x first: c"]);
    }

    #[test]
    fn tests_that_are_switched_off_do_not_count() {
        assert_eq!(violations("R6", "first: a+ b~ | x: a+ b~"), [""; 0]);
    }
}
