//! A history in numbers.

use std::collections::BTreeMap;

use serde::Serialize;

use super::record::{Finding, HistoryStep, LeftOut, RevisionRecord, ToolRecord, ratio};
use crate::rule::Weight;

/// What came out of a history.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct HistoryResult {
    /// Revisions that were run, the first one included.
    pub n_revisions: usize,
    /// Revisions that cannot be built or tested.
    pub n_skipped: usize,
    pub n_flaky_tests: usize,
    /// Test classes and tests of the last revision.
    pub n_classes: usize,
    pub n_tests: usize,
    pub tools: Vec<ToolSummary>,
    pub left_out: Vec<LeftOut>,
    /// By revision.
    pub findings: Vec<(String, Finding)>,
    pub extra: Vec<ExtraSummary>,
    /// Whether the user stopped it.
    pub is_stopped: bool,
}

/// A tool in numbers. Unless said otherwise they are of all revisions but the first.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct ToolSummary {
    pub name: String,
    pub n_revisions: usize,
    /// Of the test classes, those that it ran: the mean and the median of the revisions' shares.
    pub classes_share: f64,
    pub classes_share_median: f64,
    /// Of all tests of all revisions, those that it ran.
    pub tests_share: f64,
    /// Revisions in which it ran nothing.
    pub n_nothing: usize,
    /// Time in that of every test: of sums, and the median of the revisions.
    pub cpu_ratio: f64,
    pub cpu_ratio_median: f64,
    pub wall_ratio: f64,
    pub wall_ratio_median: f64,
    /// Of the first revision, and of the same again; of sums, where there are several histories.
    pub first_cpu_ratio: f64,
    pub again_cpu_ratio: f64,
    /// Violations by rule.
    pub by_rule: BTreeMap<&'static str, usize>,
}

/// What Tamis selects and HyRTS does not.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ExtraSummary {
    pub ours: &'static str,
    pub theirs: &'static str,
    pub n_selected: usize,
    /// By the kinds of facts that broke; one may be in several.
    pub by_kind: BTreeMap<String, usize>,
    /// Those for which all kinds are ones that both have.
    pub n_others: usize,
}

impl HistoryResult {
    pub(super) fn of(records: &[RevisionRecord], tools: &[String], is_stopped: bool) -> Self {
        let run = || records.iter().filter(|record| record.skipped.is_none());
        let last = run().next_back();
        let all: Vec<&RevisionRecord> = records.iter().collect();
        let findings = records.iter().flat_map(|record| {
            let findings = record.findings.iter();
            findings.map(|finding| (record.revision.clone(), finding.clone()))
        });
        Self {
            n_revisions: run()
                .filter(|record| record.step != HistoryStep::Again)
                .count(),
            n_skipped: records.len() - run().count(),
            n_flaky_tests: records.iter().map(|record| record.flaky.len()).sum(),
            n_classes: last.map_or(0, |last| last.n_classes),
            n_tests: last.map_or(0, |last| last.n_tests),
            tools: tools.iter().map(|name| summary(name, &all)).collect(),
            left_out: records
                .iter()
                .flat_map(|record| record.left_out.clone())
                .collect(),
            findings: findings.collect(),
            extra: extra(records),
            is_stopped,
        }
    }

    /// Whether a tool violates a rule that makes a bug.
    pub fn has_bugs(&self) -> bool {
        let mut findings = self.findings.iter();
        findings.any(|(_, finding)| finding.weight == Weight::Bug)
    }
}

/// A tool in numbers, over one history or several.
pub(crate) fn summary(name: &str, records: &[&RevisionRecord]) -> ToolSummary {
    let of = |step: HistoryStep| {
        let records = records
            .iter()
            .copied()
            .filter(move |record| record.step == step);
        records.filter_map(move |record| Some((record, record.tools.get(name)?)))
    };
    let next: Vec<(&RevisionRecord, &ToolRecord)> = of(HistoryStep::Next).collect();
    let share = |(record, tool): &(&RevisionRecord, &ToolRecord)| {
        count_ratio(tool.classes.len(), record.n_classes)
    };
    let shares: Vec<f64> = next.iter().map(share).collect();
    let cpu: Vec<f64> = next.iter().map(|(_, tool)| tool.cpu_ratio).collect();
    let wall: Vec<f64> = next.iter().map(|(_, tool)| tool.wall_ratio).collect();
    let sum = |value: fn(&(&RevisionRecord, &ToolRecord)) -> u64| next.iter().map(value).sum();
    let cpu_ratio = |records: &mut dyn Iterator<Item = (&RevisionRecord, &ToolRecord)>| {
        let (tool, all) = records.fold((0, 0), |(tool, all), (record, run)| {
            let every_test = record.retest_all.cpu_milliseconds;
            (tool + run.cost.cpu_milliseconds, all + every_test)
        });
        ratio(tool, all)
    };
    let mut by_rule = BTreeMap::new();
    let findings = records.iter().flat_map(|record| record.findings.iter());
    for finding in findings.filter(|finding| finding.tool == name) {
        *by_rule.entry(finding.rule).or_default() += 1;
    }
    ToolSummary {
        name: name.to_owned(),
        n_revisions: next.len(),
        classes_share: mean(&shares),
        classes_share_median: median(shares),
        tests_share: ratio(
            sum(|(_, tool)| tool.n_tests as u64),
            sum(|(record, _)| record.n_tests as u64),
        ),
        n_nothing: next.iter().filter(|(_, tool)| tool.n_tests == 0).count(),
        cpu_ratio: cpu_ratio(&mut of(HistoryStep::Next)),
        cpu_ratio_median: median(cpu),
        wall_ratio: ratio(
            sum(|(_, tool)| tool.cost.wall_milliseconds),
            sum(|(record, _)| record.retest_all.wall_milliseconds),
        ),
        wall_ratio_median: median(wall),
        first_cpu_ratio: cpu_ratio(&mut of(HistoryStep::First)),
        again_cpu_ratio: cpu_ratio(&mut of(HistoryStep::Again)),
        by_rule,
    }
}

fn extra(records: &[RevisionRecord]) -> Vec<ExtraSummary> {
    let mut summaries: Vec<ExtraSummary> = Vec::new();
    for extra in records.iter().flat_map(|record| &record.extra) {
        let known = summaries.iter().position(|known| known.ours == extra.ours);
        let at = known.unwrap_or_else(|| {
            summaries.push(ExtraSummary {
                ours: extra.ours,
                theirs: extra.theirs,
                n_selected: 0,
                by_kind: BTreeMap::new(),
                n_others: 0,
            });
            summaries.len() - 1
        });
        let summary = &mut summaries[at];
        summary.n_selected += 1;
        summary.n_others += usize::from(extra.is_other);
        for kind in &extra.kinds {
            *summary.by_kind.entry(kind.clone()).or_default() += 1;
        }
    }
    summaries
}

fn count_ratio(one: usize, other: usize) -> f64 {
    ratio(one as u64, other as u64)
}

fn mean(values: &[f64]) -> f64 {
    if values.is_empty() {
        return 0.0;
    }
    values.iter().sum::<f64>() / f64::from(u32::try_from(values.len()).unwrap_or(u32::MAX))
}

/// The middle one, or the mean of the two in the middle.
fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    let middle = values.len() / 2;
    match values.as_slice() {
        [] => 0.0,
        values if values.len() % 2 == 1 => values[middle],
        values => f64::midpoint(values[middle - 1], values[middle]),
    }
}

#[cfg(test)]
mod tests {
    use super::super::explanation::Explanations;
    use super::super::record::Cost;
    use super::*;

    fn record(step: HistoryStep, retest_all: u64, selected: &[&str], cpu: u64) -> RevisionRecord {
        let cost = |milliseconds| Cost {
            wall_milliseconds: milliseconds,
            cpu_milliseconds: milliseconds,
        };
        let (cpu_ratio, wall_ratio) = cost(cpu).ratios(cost(retest_all));
        let tool = ToolRecord {
            classes: selected.iter().map(ToString::to_string).collect(),
            because: Explanations::new(),
            n_tests: selected.len(),
            n_failed: 0,
            cost: cost(cpu),
            cpu_ratio,
            wall_ratio,
        };
        RevisionRecord {
            revision: "r".to_owned(),
            subject: String::new(),
            step,
            skipped: None,
            n_classes: 4,
            n_tests: 4,
            n_failed: 0,
            flaky: Vec::new(),
            retest_all: cost(retest_all),
            tools: BTreeMap::from([("x".to_owned(), tool)]),
            left_out: Vec::new(),
            findings: Vec::new(),
            extra: Vec::new(),
        }
    }

    #[test]
    fn shares_and_ratios_are_of_the_revisions_after_the_first() {
        let records = [
            record(HistoryStep::First, 100, &["A", "B", "C", "D"], 150),
            record(HistoryStep::Again, 100, &[], 20),
            record(HistoryStep::Next, 100, &["A", "B"], 60),
            record(HistoryStep::Next, 100, &[], 20),
            record(HistoryStep::Next, 200, &["A"], 40),
        ];
        let result = HistoryResult::of(&records, &["x".to_owned()], false);
        assert_eq!((result.n_revisions, result.n_skipped), (4, 0));
        let tool = &result.tools[0];
        let close = |a: f64, b: f64| (a - b).abs() < 1e-9;
        assert!(close(tool.classes_share, 0.25) && close(tool.classes_share_median, 0.25));
        assert!(close(tool.tests_share, 0.25) && tool.n_nothing == 1);
        assert!(close(tool.cpu_ratio, 0.3) && close(tool.cpu_ratio_median, 0.2));
        assert!(close(tool.first_cpu_ratio, 1.5) && close(tool.again_cpu_ratio, 0.2));
    }
}
