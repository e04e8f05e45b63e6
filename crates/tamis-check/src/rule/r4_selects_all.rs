//! R4: the tool selects all where all others select none.

use super::{Breach, Rule, Weight};
use crate::history::{History, Variant};
use crate::steps::Step;

pub(super) const RULE: Rule = Rule {
    id: "R4",
    title: "selects all tests where all other tools select none",
    weight: Weight::Suspicion,
    explanation: EXPLANATION,
    check,
};

const EXPLANATION: &str = "\
Where every other tool runs no test of a program, a tool that runs all of them is suspected to be imprecise.

It may also be the only one that sees what the change does, so this is a suspicion and no bug. The rule needs two \
tools or more; the meshes of one tool are not tools of their own, since a coarser mesh may well select more (see R8).";

fn check(history: &History, variant: &Variant) -> Vec<Breach> {
    let others = history.others(variant);
    let mut breaches = Vec::new();
    for moment in history.moments(variant) {
        let do_none = others.iter().all(|other| {
            let other = history.moment(other, moment.step);
            other.is_some_and(|other| other.selects_none())
        });
        let is_later = moment.step > Step::First;
        if is_later && !others.is_empty() && do_none && moment.selects_all() {
            let text = "all tests selected; all other tools select none".to_owned();
            breaches.push(Breach::new(moment.step, moment.all(), text));
        }
    }
    breaches
}

#[cfg(test)]
mod tests {
    use crate::rule::sample::violations;

    #[test]
    fn all_where_all_others_select_none() {
        let found = violations(
            "R4",
            "first: a+ b+ | x: a+ b+ | y: a+ b+ | z: a+ b+
             evolved: a+ b+ | x: a+ b+ | y: | z:",
        );
        assert_eq!(found, ["x evolved: a b"]);
    }

    #[test]
    fn not_if_another_selects_something_or_it_leaves_one_out() {
        let some = "first: a+ b+ | x: a+ b+ | y: a+ b+
                    evolved: a+ b+ | x: a+ b+ | y: a+";
        assert_eq!(violations("R4", some), [""; 0]);
        let not_all = "first: a+ b+ | x: a+ b+ | y: a+ b+
                       evolved: a+ b+ | x: a+ | y:";
        assert_eq!(violations("R4", not_all), [""; 0]);
    }
}
