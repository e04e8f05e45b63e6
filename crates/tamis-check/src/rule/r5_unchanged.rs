//! R5: the tool selects something although nothing has changed.

use std::collections::BTreeSet;

use super::{Breach, Rule, Weight, n_tests};
use crate::history::{History, Moment, Outcome, Variant, class_of};
use crate::steps::Step;

pub(super) const RULE: Rule = Rule {
    id: "R5",
    title: "selects a test of an unchanged revision",
    weight: Weight::Bug,
    explanation: EXPLANATION,
    check,
};

const EXPLANATION: &str = "\
A revision that is run twice has not changed, so there is nothing to run the second time. The first revision is \
repeated in the step `again`, the second one in `evolved-again`.

Tests that failed may be run again, and so may the other tests of their class, since many tools select whole classes, \
and the classes before theirs, which may have left something that they look at. \
A violation means that the tool takes something for a change that is none, or has lost its data. In `evolved-again` \
only variants are looked at whose own runs leave data: a coarser mesh that answers from the data of a finer one may \
select, again and again, what the finer one rightly leaves out.";

/// A step, and the one that it repeats.
const REPEATED: &[(Step, Step)] = &[
    (Step::Again, Step::First),
    (Step::EvolvedAgain, Step::Evolved),
];

fn check(history: &History, variant: &Variant) -> Vec<Breach> {
    let mut breaches = Vec::new();
    let repeated = REPEATED.iter();
    // Whoever answers from the data of another variant shares the first run with it, and no other.
    let repeated = repeated.filter(|(step, _)| variant.keeps_data || *step == Step::Again);
    for (step, repeated) in repeated {
        let (Some(moment), Some(before)) = (
            history.moment(variant, *step),
            history.moment(variant, *repeated),
        ) else {
            continue;
        };
        let red = classes_that_failed(&before);
        let selected = moment.selected().into_iter();
        let needless: Vec<&str> = selected
            .filter(|test| !may_run_again(class_of(test), &red))
            .collect();
        if !needless.is_empty() {
            let text = format!(
                "{} selected, and nothing has changed",
                n_tests(needless.len())
            );
            breaches.push(Breach::new(*step, needless, text));
        }
    }
    breaches
}

/// Those that cannot be relied on too.
fn classes_that_failed<'a>(moment: &Moment<'a>) -> BTreeSet<&'a str> {
    let failed = moment.selected().into_iter();
    failed
        .filter(|test| moment.shown(test) == Some(Outcome::Failed))
        .map(class_of)
        .chain(moment.failed_apart())
        .collect()
}

/// A class runs again if it failed itself, and for the sake of one that failed after it.
fn may_run_again(class: &str, red: &BTreeSet<&str>) -> bool {
    red.iter().any(|failed| place(class) <= place(failed))
}

/// Classes run in the order of their numbers: `T2` before `T10`.
fn place(class: &str) -> (usize, &str) {
    (class.len(), class)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rule::sample::{history, violations};

    #[test]
    fn something_of_an_unchanged_revision() {
        let found = violations(
            "R5",
            "first: T1.a+ T2.a+ | x: T1.a+ T2.a+
             again: T1.a+ T2.a+ | x: T2.a+
             evolved: T1.a- T2.a+ | x: T1.a-
             evolved-again: T1.a- T2.a+ | x: T1.a- T2.a+",
        );
        assert_eq!(found, ["x again: T2.a", "x evolved-again: T2.a"]);
    }

    #[test]
    fn a_variant_without_data_of_its_own() {
        let found = violations(
            "R5",
            "first: a+ | tamis-file: a+ | tamis-method: a+
             again: a+ | tamis-file: a+ | tamis-method:
             evolved: a+ | tamis-file: a+ | tamis-method:
             evolved-again: a+ | tamis-file: a+ | tamis-method:",
        );
        assert_eq!(found, ["tamis-file again: a"]);
    }

    #[test]
    fn classes_before_a_failed_one_may_run_for_its_sake() {
        let found = violations(
            "R5",
            "evolved: T2.a+ T10.a- T11.a+ | x: T2.a+ T10.a- T11.a+
             evolved-again: T2.a+ T10.a- T11.a+ | x: T2.a+ T10.a- T11.a+",
        );
        assert_eq!(found, ["x evolved-again: T11.a"]);
    }

    #[test]
    fn nor_need_the_failed_one_be_reliable() {
        let mut history = history(
            "evolved: T1.a+ T3.a+ | x: T1.a+ T3.a+
             evolved-again: T1.a+ T3.a+ | x: T1.a+ T3.a+",
        );
        let step = &mut history.steps[0];
        let done = step.tools.get_mut("x").unwrap();
        done.failed_apart.insert("T2".to_owned());
        let breaches = check(&history, &history.tools[0]);
        assert_eq!(breaches.len(), 1);
        assert_eq!(breaches[0].tests, ["T3.a"]);
    }

    #[test]
    fn the_class_of_a_failed_test_may_run() {
        let found = violations(
            "R5",
            "evolved: T1.a- T1.b+ T2.a+ | x: T1.a- T1.b+ T2.a+
             evolved-again: T1.a- T1.b+ T2.a+ | x: T1.a- T1.b+",
        );
        assert_eq!(found, [""; 0]);
    }
}
