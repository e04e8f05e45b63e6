//! R2: the tool selects none where all others select all.

use super::{Breach, Rule, Weight};
use crate::history::{History, Variant};
use crate::steps::Step;

pub(super) const RULE: Rule = Rule {
    id: "R2",
    title: "selects no test where all other tools select all",
    weight: Weight::Suspicion,
    explanation: EXPLANATION,
    check,
};

const EXPLANATION: &str = "\
Where every other tool runs all tests of a program, a tool that runs none is suspected to have overlooked the change.

It may also be the only one that sees that the change concerns no test, so this is a suspicion and no bug. The rule \
needs two tools or more; the meshes of one tool are not tools of their own, since a finer mesh exists to select less \
(see R8).";

fn check(history: &History, variant: &Variant) -> Vec<Breach> {
    let others = history.others(variant);
    let mut breaches = Vec::new();
    for moment in history.moments(variant) {
        let do_all = others.iter().all(|other| {
            let other = history.moment(other, moment.step);
            other.is_some_and(|other| other.selects_all())
        });
        let is_later = moment.step > Step::First;
        if is_later && !others.is_empty() && do_all && moment.selects_none() {
            let text = "no test selected; all other tools select all".to_owned();
            breaches.push(Breach::new(moment.step, moment.all(), text));
        }
    }
    breaches
}

#[cfg(test)]
mod tests {
    use crate::rule::sample::violations;

    #[test]
    fn none_where_all_others_select_all() {
        let found = violations(
            "R2",
            "first: a+ b+ | x: a+ b+ | y: a+ b+ | z: a+ b+
             evolved: a+ b+ | x: | y: a+ b+ | z: a+ b+",
        );
        assert_eq!(found, ["x evolved: a b"]);
    }

    #[test]
    fn not_if_another_selects_less_or_there_is_no_other() {
        let lines = "first: a+ b+ | x: a+ b+ | y: a+ b+
                     evolved: a+ b+ | x: | y: a+";
        assert_eq!(violations("R2", lines), [""; 0]);
        let alone = "first: a+ | tamis-file: a+ | tamis-method: a+
                     evolved: a+ | tamis-file: a+ | tamis-method:";
        assert_eq!(violations("R2", alone), [""; 0]);
    }
}
