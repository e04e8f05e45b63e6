//! R8: a finer mesh selects what a coarser one does not.

use super::{Breach, Rule, Weight};
use crate::history::{History, Variant};

pub(super) const RULE: Rule = Rule {
    id: "R8",
    title: "selects by a finer mesh what a coarser one leaves out",
    weight: Weight::Bug,
    explanation: EXPLANATION,
    check,
};

const EXPLANATION: &str = "\
A finer mesh looks more closely at the same data: what it selects, each coarser mesh of the same tool selects as well.

If not, one of the two is wrong. Either the finer mesh takes something for a change that is none, or the coarser one \
has missed a change. Both ran with the same data: those that the runs of \
the finest mesh have left.";

fn check(history: &History, variant: &Variant) -> Vec<Breach> {
    let coarser = history
        .tools
        .iter()
        .filter(|other| other.tool == variant.tool && other.fineness < variant.fineness);
    let mut breaches = Vec::new();
    for coarser in coarser {
        for moment in history.moments(variant) {
            let Some(other) = history.moment(coarser, moment.step) else {
                continue;
            };
            let (fine, coarse) = (moment.selected(), other.selected());
            let more: Vec<&str> = fine.difference(&coarse).copied().collect();
            if !more.is_empty() {
                let text = format!("{} of them not selected by {}", more.len(), coarser.name);
                breaches.push(Breach::new(moment.step, more, text));
            }
        }
    }
    breaches
}

#[cfg(test)]
mod tests {
    use crate::rule::sample::violations;

    #[test]
    fn more_by_the_finer_mesh() {
        let found = violations(
            "R8",
            "evolved: a+ b+ | tamis-file: a+ | tamis-method: a+ b+",
        );
        assert_eq!(found, ["tamis-method evolved: b"]);
    }

    #[test]
    fn less_or_another_tool() {
        let less = "evolved: a+ b+ | tamis-file: a+ b+ | tamis-method: a+";
        assert_eq!(violations("R8", less), [""; 0]);
        let other = "evolved: a+ b+ | x-file: a+ | tamis-method: a+ b+";
        assert_eq!(violations("R8", other), [""; 0]);
    }
}
