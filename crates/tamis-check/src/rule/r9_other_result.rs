//! R9: a test ends otherwise with the tool than without it.

use super::{Breach, Rule, Weight, n_tests};
use crate::history::{History, Variant};

pub(super) const RULE: Rule = Rule {
    id: "R9",
    title: "makes a test end otherwise",
    weight: Weight::Bug,
    explanation: EXPLANATION,
    check,
};

const EXPLANATION: &str = "\
A test that runs with the tool must end as it ends when every test is run without the tool: pass, fail, or not run at \
all because it is switched off. The state in which it leaves its objects counts.

In the step `killed` the JVM fails after its tests have passed. Without a tool that is seen by the exit code of the \
command; a tool that hides it violates this rule.";

fn check(history: &History, variant: &Variant) -> Vec<Breach> {
    let mut breaches = Vec::new();
    for moment in history.moments(variant) {
        let other = moment.outcomes().iter().filter(|(test, outcome)| {
            let truth = moment.truth(test);
            truth != Some(**outcome)
        });
        let other: Vec<&str> = other.map(|(test, _)| test.as_str()).collect();
        if !other.is_empty() {
            let text = format!(
                "{} ended otherwise than without the tool",
                n_tests(other.len())
            );
            breaches.push(Breach::new(moment.step, other, text));
        }
    }
    breaches
}

#[cfg(test)]
mod tests {
    use crate::rule::sample::violations;

    #[test]
    fn passed_failed_and_switched_off() {
        let found = violations("R9", "evolved: a+ b- c~ d+ | x: a- b+ c+ d+");
        assert_eq!(found, ["x evolved: a b c"]);
    }

    #[test]
    fn what_did_not_run_did_not_end_otherwise() {
        let same = "evolved: a+ b- | x: a+ | y:";
        assert_eq!(violations("R9", same), [""; 0]);
    }
}
