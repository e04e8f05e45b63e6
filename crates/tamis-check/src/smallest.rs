//! The smallest program of each kind of violation, for people to look at.

use std::collections::BTreeMap;

use crate::evolving::{Plan, ProgramId, SourceFile};
use crate::replay::sources_of_both;
use crate::rule::Violation;

/// Of each pair of rule and operator, the violation with the shortest program, bugs first; of equal ones the first.
pub fn smallest_of_each_kind<'v>(plan: &Plan, violations: &'v [Violation]) -> Vec<&'v Violation> {
    let mut smallest: BTreeMap<(&str, &str), (usize, &Violation)> = BTreeMap::new();
    let mut lengths: BTreeMap<&ProgramId, usize> = BTreeMap::new();
    for violation in violations {
        let id = &violation.program;
        let length = *lengths
            .entry(id)
            .or_insert_with(|| plan.sources(id).map_or(usize::MAX, |both| length(&both)));
        let kind = (violation.rule.as_str(), violation.operator.as_str());
        let known = smallest.entry(kind).or_insert((length, violation));
        if length < known.0 {
            *known = (length, violation);
        }
    }
    let mut smallest: Vec<&Violation> = smallest.into_values().map(|(_, it)| it).collect();
    smallest.sort_by_key(|violation| (violation.weight, violation.rule.len()));
    smallest
}

fn length(sources: &[Vec<SourceFile>; 2]) -> usize {
    let files = sources.iter().flatten();
    files.map(|file| file.text.len()).sum()
}

impl Plan {
    /// Code and tests of both revisions of a program, and what surrounds them; tests without what they expect.
    pub fn sources(&self, id: &ProgramId) -> Option<[Vec<SourceFile>; 2]> {
        self.program(id).map(|program| sources_of_both(&program))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::constraint::Constraint;
    use crate::evolving::{Bounds, Framework};
    use crate::operator::Operator;
    use crate::rule::Weight;

    #[test]
    fn one_of_each_kind_and_none_is_shorter() {
        let plan = Plan {
            seed: 1,
            bounds: Bounds::default(),
            frameworks: Framework::ALL.to_vec(),
            constraints: Constraint::ALL.to_vec(),
            operators: vec![Operator::IncreaseConstant, Operator::AddExtends],
        };
        let violation = |program: ProgramId, rule: &str, weight| Violation {
            rule: rule.to_owned(),
            weight,
            tool: "x".to_owned(),
            operator: program.operator.to_string(),
            program,
            step: None,
            tests: Vec::new(),
            text: String::new(),
        };
        let ids: Vec<_> = plan.programs().take(12).map(|program| program.id).collect();
        let suspicions = ids.iter().cloned();
        let suspicions = suspicions.map(|id| violation(id, "R3", Weight::Suspicion));
        let bugs = ids.iter().cloned();
        let bugs = bugs.map(|id| violation(id, "R10", Weight::Bug));
        let all: Vec<_> = suspicions.chain(bugs).collect();
        let found = smallest_of_each_kind(&plan, &all);
        let kinds: Vec<_> = found
            .iter()
            .map(|violation| (violation.rule.as_str(), violation.operator.as_str()))
            .collect();
        assert_eq!(
            kinds,
            [("R10", "E1"), ("R10", "E7"), ("R3", "E1"), ("R3", "E7")]
        );
        let length = |id: &ProgramId| length(&plan.sources(id).unwrap());
        let e1 = ids.iter().filter(|id| id.operator == Operator::AddExtends);
        assert_eq!(length(&found[0].program), e1.map(length).min().unwrap());
    }
}
