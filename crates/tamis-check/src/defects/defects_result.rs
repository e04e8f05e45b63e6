//! The bugs of a database in numbers.

use std::collections::BTreeMap;

use serde::Serialize;

use super::bug_record::{BugRecord, NotReproduced, Obstacle};
use crate::git_history::{Finding, LeftOut, RevisionRecord, ToolSummary, summary};
use crate::rule::Weight;

/// What came out of the bugs.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct DefectsResult {
    pub n_bugs: usize,
    /// Those of which a trigger test reveals the bug here.
    pub n_reproduced: usize,
    pub n_flaky_tests: usize,
    /// Over all projects.
    pub tools: Vec<DefectsTool>,
    pub projects: Vec<ProjectResult>,
    /// By bug.
    pub not_reproduced: Vec<(String, NotReproduced)>,
    pub left_out: Vec<(String, LeftOut)>,
    pub findings: Vec<(String, Finding)>,
    /// Whether the user stopped it.
    pub is_stopped: bool,
}

/// The bugs of a project.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ProjectResult {
    pub project: String,
    pub n_bugs: usize,
    pub n_reproduced: usize,
    pub by_obstacle: BTreeMap<Obstacle, usize>,
    pub tools: Vec<DefectsTool>,
}

/// A tool in numbers: shares and times are those of all buggy revisions that were run.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct DefectsTool {
    #[serde(flatten)]
    pub summary: ToolSummary,
    /// Trigger tests that reveal a bug here, and those that it ran of them.
    pub n_triggers: usize,
    pub n_triggers_selected: usize,
}

impl DefectsResult {
    pub(super) fn of(records: &[BugRecord], tools: &[String], is_stopped: bool) -> Self {
        let all: Vec<&BugRecord> = records.iter().collect();
        let mut projects: BTreeMap<&str, Vec<&BugRecord>> = BTreeMap::new();
        for record in records {
            projects.entry(&record.project).or_default().push(record);
        }
        let projects = projects.into_iter();
        Self {
            n_bugs: records.len(),
            n_reproduced: n_reproduced(&all),
            n_flaky_tests: steps(&all).map(|(_, step)| step.flaky.len()).sum(),
            tools: in_numbers(tools, &all),
            projects: projects
                .map(|(name, records)| project(name, &records, tools))
                .collect(),
            not_reproduced: records
                .iter()
                .filter_map(|record| Some((record.bug.clone(), record.not_reproduced.clone()?)))
                .collect(),
            left_out: of_bugs(&all, |step| &step.left_out),
            findings: of_bugs(&all, |step| &step.findings),
            is_stopped,
        }
    }

    /// Whether a tool violates a rule that makes a bug.
    pub fn has_bugs(&self) -> bool {
        let mut findings = self.findings.iter();
        findings.any(|(_, finding)| finding.weight == Weight::Bug)
    }
}

fn project(name: &str, records: &[&BugRecord], tools: &[String]) -> ProjectResult {
    let mut by_obstacle = BTreeMap::new();
    for not in records
        .iter()
        .filter_map(|record| record.not_reproduced.as_ref())
    {
        *by_obstacle.entry(not.obstacle).or_default() += 1;
    }
    ProjectResult {
        project: name.to_owned(),
        n_bugs: records.len(),
        n_reproduced: n_reproduced(records),
        by_obstacle,
        tools: in_numbers(tools, records),
    }
}

fn n_reproduced(records: &[&BugRecord]) -> usize {
    let reproduced = records
        .iter()
        .filter(|record| record.not_reproduced.is_none());
    reproduced.count()
}

fn in_numbers(tools: &[String], records: &[&BugRecord]) -> Vec<DefectsTool> {
    let steps: Vec<&RevisionRecord> = steps(records).map(|(_, step)| step).collect();
    let tools = tools.iter().map(|name| {
        let counts = || records.iter().filter_map(|record| record.tools.get(name));
        DefectsTool {
            summary: summary(name, &steps),
            n_triggers: counts().map(|count| count.n_triggers).sum(),
            n_triggers_selected: counts().map(|count| count.n_selected).sum(),
        }
    });
    tools.collect()
}

fn steps<'a>(records: &'a [&BugRecord]) -> impl Iterator<Item = (&'a str, &'a RevisionRecord)> {
    records.iter().flat_map(|record| {
        let steps = record.steps.iter();
        steps.map(|step| (record.bug.as_str(), step))
    })
}

/// Parts of steps, each with its bug.
fn of_bugs<T: Clone>(
    records: &[&BugRecord],
    part: fn(&RevisionRecord) -> &Vec<T>,
) -> Vec<(String, T)> {
    let parts = steps(records).flat_map(|(bug, step)| {
        let parts = part(step).iter();
        parts.map(move |part| (bug.to_owned(), part.clone()))
    });
    parts.collect()
}

#[cfg(test)]
mod tests {
    use super::super::bug_record::TriggerCount;
    use super::*;

    fn record(bug: &str, not_reproduced: Option<Obstacle>, n_selected: usize) -> BugRecord {
        let count = TriggerCount {
            n_triggers: 2,
            n_selected,
            missed: Vec::new(),
        };
        let is_run = not_reproduced.is_none();
        BugRecord {
            bug: bug.to_owned(),
            project: bug.split('-').next().unwrap_or_default().to_owned(),
            fixed: "aa".to_owned(),
            not_reproduced: not_reproduced.map(|obstacle| NotReproduced {
                obstacle,
                because: String::new(),
            }),
            triggers: Vec::new(),
            tools: is_run
                .then(|| ("x".to_owned(), count))
                .into_iter()
                .collect(),
            steps: Vec::new(),
        }
    }

    #[test]
    fn bugs_and_trigger_tests_are_counted_by_project_and_in_all() {
        let records = [
            record("B-1", None, 2),
            record("A-1", None, 1),
            record("A-2", Some(Obstacle::NotBuilt), 0),
        ];
        let result = DefectsResult::of(&records, &["x".to_owned()], false);
        assert_eq!((result.n_bugs, result.n_reproduced), (3, 2));
        let counts = |tools: &[DefectsTool]| (tools[0].n_triggers_selected, tools[0].n_triggers);
        assert_eq!(counts(&result.tools), (3, 4));
        let projects = result.projects.iter();
        let projects: Vec<_> = projects
            .map(|one| {
                (
                    one.project.as_str(),
                    one.n_bugs,
                    one.n_reproduced,
                    counts(&one.tools),
                )
            })
            .collect();
        assert_eq!(projects, [("A", 2, 1, (1, 2)), ("B", 1, 1, (2, 2))]);
        let obstacles = BTreeMap::from([(Obstacle::NotBuilt, 1)]);
        assert_eq!(result.projects[0].by_obstacle, obstacles);
        assert_eq!(result.not_reproduced[0].0, "A-2");
    }
}
