//! The result of a batch, as it is kept, and of all batches together.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::batch::{BatchRun, DropReason, Dropped, FailedTool, ToolTime};
use crate::efficiency::{Efficiency, TimedRun};
use crate::history::{History, Outcome, Variant};
use crate::rule::{Violation, Weight};
use crate::steps::Step;

/// What checking brought: of a batch, or of all.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CheckResult {
    /// Programs that were taken, the dropped ones included.
    pub n_programs: usize,
    /// By tool, in the order asked for; of one tool the coarser variants first.
    pub tools: Vec<VariantResult>,
    pub dropped: Vec<Dropped>,
    /// Tests that do not always end in the same way, with the others of their classes.
    pub n_unstable_tests: usize,
    pub violations: Vec<Violation>,
    /// Tools that failed as a whole.
    pub failures: Vec<FailedTool>,
    /// By the name of the tool.
    pub times: BTreeMap<String, ToolTime>,
    /// Each run of a step, by the name of the variant.
    pub runs: BTreeMap<String, Vec<TimedRun>>,
}

/// What a tool did, in numbers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct VariantResult {
    #[serde(flatten)]
    pub variant: Variant,
    pub n_programs: usize,
    /// Steps of programs.
    pub n_revisions: usize,
    /// Tests in all of them, and those that were selected, forced steps apart.
    pub n_tests: usize,
    pub n_selected: usize,
    /// Violations by rule and by operator.
    pub by_rule: BTreeMap<String, usize>,
    pub by_operator: BTreeMap<String, usize>,
}

impl CheckResult {
    pub(crate) fn of_batch(n_programs: usize, run: BatchRun, violations: Vec<Violation>) -> Self {
        let mut result = Self {
            n_programs,
            dropped: run.dropped,
            failures: run.failures,
            times: run.times,
            runs: run.runs,
            ..Self::default()
        };
        for history in &run.histories {
            result.count(history);
        }
        for violation in &violations {
            result.count_violation(violation);
        }
        result.violations = violations;
        result
    }

    fn count(&mut self, history: &History) {
        self.n_unstable_tests += history.n_unstable;
        for variant in &history.tools {
            let counts = self.variant(variant);
            counts.n_programs += 1;
            for step in &history.steps {
                let Some(done) = step.tools.get(&variant.name) else {
                    continue;
                };
                counts.n_revisions += 1;
                if step.step != Step::Killed {
                    let all = step.retest_all.values();
                    counts.n_tests += all.filter(|outcome| **outcome != Outcome::Skipped).count();
                    counts.n_selected += done.ran.len();
                }
            }
        }
    }

    fn count_violation(&mut self, violation: &Violation) {
        let tool = &violation.tool;
        let variant = self
            .tools
            .iter_mut()
            .find(|found| found.variant.name == *tool);
        if let Some(counts) = variant {
            *counts.by_rule.entry(violation.rule.clone()).or_default() += 1;
            *counts
                .by_operator
                .entry(violation.operator.clone())
                .or_default() += 1;
        }
    }

    fn variant(&mut self, variant: &Variant) -> &mut VariantResult {
        let known = self
            .tools
            .iter()
            .position(|found| found.variant == *variant);
        let at = known.unwrap_or_else(|| {
            self.tools.push(VariantResult {
                variant: variant.clone(),
                n_programs: 0,
                n_revisions: 0,
                n_tests: 0,
                n_selected: 0,
                by_rule: BTreeMap::new(),
                by_operator: BTreeMap::new(),
            });
            self.tools.len() - 1
        });
        &mut self.tools[at]
    }

    /// Adds another batch.
    pub(crate) fn add(&mut self, other: Self) {
        self.n_programs += other.n_programs;
        self.n_unstable_tests += other.n_unstable_tests;
        self.dropped.extend(other.dropped);
        self.violations.extend(other.violations);
        self.failures.extend(other.failures);
        for (tool, time) in other.times {
            self.times.entry(tool).or_default().add(time);
        }
        for (variant, runs) in other.runs {
            self.runs.entry(variant).or_default().extend(runs);
        }
        for counts in other.tools {
            let known = self.variant(&counts.variant);
            known.n_programs += counts.n_programs;
            known.n_revisions += counts.n_revisions;
            known.n_tests += counts.n_tests;
            known.n_selected += counts.n_selected;
            add_all(&mut known.by_rule, counts.by_rule);
            add_all(&mut known.by_operator, counts.by_operator);
        }
    }

    /// How long each variant took, in the order of the tools.
    pub fn efficiencies(&self) -> Vec<(&str, Efficiency)> {
        let tools = self.tools.iter();
        let found = tools.filter_map(|tool| {
            let name = tool.variant.name.as_str();
            Some((name, Efficiency::of(self.runs.get(name)?)?))
        });
        found.collect()
    }

    /// Whether a tool is wrong: a rule that is more than a suspicion is violated, or a tool failed as a whole.
    pub fn has_bugs(&self) -> bool {
        let mut violations = self.violations.iter();
        !self.failures.is_empty() || violations.any(|violation| violation.weight == Weight::Bug)
    }

    /// How many programs were dropped for a reason.
    pub fn n_dropped(&self, reason: DropReason) -> usize {
        let dropped = self.dropped.iter();
        dropped.filter(|dropped| dropped.reason == reason).count()
    }
}

fn add_all(known: &mut BTreeMap<String, usize>, other: BTreeMap<String, usize>) {
    for (key, count) in other {
        *known.entry(key).or_default() += count;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn result(rule: &str, weight: Weight) -> CheckResult {
        let program = "JD1-0-E7-0".parse().unwrap();
        let violation = Violation {
            rule: rule.to_owned(),
            weight,
            tool: "x".to_owned(),
            program,
            operator: "E7".to_owned(),
            step: None,
            tests: Vec::new(),
            text: String::new(),
        };
        let history = History {
            program: violation.program.clone(),
            operator: "E7".to_owned(),
            tools: vec![Variant {
                name: "x".to_owned(),
                tool: "x".to_owned(),
                fineness: 0,
                keeps_data: true,
            }],
            steps: Vec::new(),
            n_unstable: 1,
        };
        let run = BatchRun {
            histories: vec![history],
            ..BatchRun::default()
        };
        CheckResult::of_batch(1, run, vec![violation])
    }

    #[test]
    fn suspicions_alone_are_no_bugs() {
        assert!(!result("R3", Weight::Suspicion).has_bugs());
        assert!(result("R1", Weight::Bug).has_bugs());
    }

    #[test]
    fn batches_add_up() {
        let mut all = CheckResult::default();
        all.add(result("R1", Weight::Bug));
        all.add(result("R1", Weight::Bug));
        all.add(result("R3", Weight::Suspicion));
        assert_eq!(
            (all.n_programs, all.n_unstable_tests, all.violations.len()),
            (3, 3, 3)
        );
        assert_eq!(all.tools.len(), 1);
        assert_eq!(all.tools[0].n_programs, 3);
        let by_rule: Vec<_> = all.tools[0].by_rule.iter().collect();
        assert_eq!(by_rule, [(&"R1".to_owned(), &2), (&"R3".to_owned(), &1)]);
        assert_eq!(all.tools[0].by_operator["E7"], 3);
    }
}
