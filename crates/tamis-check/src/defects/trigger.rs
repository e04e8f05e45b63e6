//! Trigger tests: those that fail in the buggy revision and pass in the fixed one.

use std::collections::BTreeSet;
use std::fmt;

use serde::Serialize;

use crate::history::Outcome;
use crate::outcome::ClassOutcomes;

/// A test that reveals a bug, as the database names it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Trigger {
    class: String,
    /// None: any test of the class.
    method: Option<String>,
}

/// What became of a trigger test here.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct TriggerRecord {
    /// `p.SomeTest::method`
    pub test: String,
    pub state: TriggerState,
}

/// Whether a trigger test reveals its bug here, when all tests run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum TriggerState {
    /// It fails, and did not in the fixed revision.
    Reveals,
    /// It passes in the buggy revision too.
    Passes,
    /// It fails in the fixed revision already.
    FailsInFixed,
    /// It does not always end in the same way.
    Flaky,
    /// It is not among the tests that are run.
    Absent,
}

impl fmt::Display for Trigger {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.class)?;
        match &self.method {
            Some(method) => write!(f, "::{method}"),
            None => Ok(()),
        }
    }
}

impl fmt::Display for TriggerState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Reveals => "reveals the bug",
            Self::Passes => "passes in the buggy revision",
            Self::FailsInFixed => "fails in the fixed revision",
            Self::Flaky => "does not always end in the same way",
            Self::Absent => "is not run",
        })
    }
}

impl Trigger {
    /// What becomes of it when all tests run.
    pub(super) fn state(
        &self,
        fixed: &ClassOutcomes,
        buggy: &ClassOutcomes,
        flaky: &BTreeSet<(String, String)>,
    ) -> TriggerState {
        if !self.has_run(buggy) {
            return TriggerState::Absent;
        }
        if !self.fails(buggy) {
            return TriggerState::Passes;
        }
        if self.fails(fixed) {
            return TriggerState::FailsInFixed;
        }
        let is_this = |(class, test): &(String, String)| *class == self.class && self.names(test);
        if flaky.iter().any(is_this) {
            return TriggerState::Flaky;
        }
        TriggerState::Reveals
    }

    /// Whether a tool ran all of it that fails when all tests run.
    pub(super) fn is_selected(&self, buggy: &ClassOutcomes, tool: &ClassOutcomes) -> bool {
        let ran: BTreeSet<&String> = self
            .tests(tool)
            .filter(has_run)
            .map(|(test, _)| test)
            .collect();
        let mut failing = self
            .tests(buggy)
            .filter(|(_, outcome)| outcome.is_failure());
        failing.all(|(test, _)| ran.contains(test))
    }

    fn has_run(&self, outcomes: &ClassOutcomes) -> bool {
        self.tests(outcomes).any(|test| has_run(&test))
    }

    fn fails(&self, outcomes: &ClassOutcomes) -> bool {
        self.tests(outcomes)
            .any(|(_, outcome)| outcome.is_failure())
    }

    fn tests<'a>(
        &'a self,
        outcomes: &'a ClassOutcomes,
    ) -> impl Iterator<Item = (&'a String, &'a Outcome)> {
        let tests = outcomes.get(&self.class).into_iter().flatten();
        tests.filter(|(test, _)| self.names(test))
    }

    /// Reports add arguments to the names of methods: `method[0]`, `method(int)`.
    fn names(&self, test: &str) -> bool {
        let Some(method) = &self.method else {
            return true;
        };
        let rest = test.strip_prefix(method.as_str());
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['[', '(', '{']))
    }
}

fn has_run((_, outcome): &(&String, &Outcome)) -> bool {
    **outcome != Outcome::Skipped
}

/// Lines such as `--- p.SomeTest::method`, each followed by a stack trace; a class alone stands for all its tests.
pub(super) fn parse_triggers(text: &str) -> Vec<Trigger> {
    let names = text.lines().filter_map(|line| line.strip_prefix("--- "));
    let names = names.map(str::trim).filter(|name| !name.is_empty());
    let mut triggers: Vec<Trigger> = names
        .map(|name| match name.split_once("::") {
            Some((class, method)) => Trigger {
                class: class.to_owned(),
                method: Some(method.to_owned()),
            },
            None => Trigger {
                class: name.to_owned(),
                method: None,
            },
        })
        .collect();
    triggers.sort();
    triggers.dedup();
    triggers
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outcomes(tests: &[(&str, Outcome)]) -> ClassOutcomes {
        let tests = tests
            .iter()
            .map(|(test, outcome)| ((*test).to_owned(), *outcome));
        ClassOutcomes::from([("p.A".to_owned(), tests.collect())])
    }

    #[test]
    fn names_stand_before_stack_traces() {
        let text = "--- p.B::b\njava.lang.X: no\n\tat p.B.b(B.java:3)\n--- p.A::a\n--- p.A::a\n--- p.C\n---\n";
        let triggers: Vec<String> = parse_triggers(text)
            .iter()
            .map(ToString::to_string)
            .collect();
        assert_eq!(triggers, ["p.A::a", "p.B::b", "p.C"]);
    }

    #[test]
    fn a_trigger_is_selected_if_all_that_fails_of_it_ran() {
        use Outcome::{Failed, Passed, Skipped};
        let trigger = parse_triggers("--- p.A::a").remove(0);
        let buggy = outcomes(&[("a[0]", Failed), ("a[1]", Passed), ("a[2]", Failed)]);
        let is_selected = |tool| trigger.is_selected(&buggy, &outcomes(tool));
        assert!(is_selected(&[("a[0]", Failed), ("a[2]", Passed)]));
        assert!(!is_selected(&[("a[0]", Failed), ("a[1]", Passed)]));
        assert!(!is_selected(&[("a[0]", Failed), ("a[2]", Skipped)]));
        assert!(!trigger.is_selected(&buggy, &ClassOutcomes::new()));
    }

    #[test]
    fn a_trigger_reveals_if_it_newly_fails_and_always_does() {
        use Outcome::{Failed, Passed, Skipped};
        let [trigger, class] = ["--- p.A::a", "--- p.A"].map(|text| parse_triggers(text).remove(0));
        let state = |trigger: &Trigger, fixed, buggy, flaky: &[(&str, &str)]| {
            let flaky = flaky
                .iter()
                .map(|(class, test)| ((*class).to_owned(), (*test).to_owned()));
            trigger.state(
                &outcomes(&[("a", fixed)]),
                &outcomes(buggy),
                &flaky.collect(),
            )
        };
        let fails = &[("a", Failed)];
        assert_eq!(state(&trigger, Passed, fails, &[]), TriggerState::Reveals);
        assert_eq!(
            state(&trigger, Passed, &[("a[1]", Failed)], &[]),
            TriggerState::Reveals
        );
        assert_eq!(
            state(&trigger, Passed, &[("ab", Failed)], &[]),
            TriggerState::Absent
        );
        assert_eq!(
            state(&class, Passed, &[("ab", Failed)], &[]),
            TriggerState::Reveals
        );
        assert_eq!(
            state(&trigger, Passed, &[("a", Skipped)], &[]),
            TriggerState::Absent
        );
        assert_eq!(
            state(&trigger, Passed, &[("a", Passed)], &[]),
            TriggerState::Passes
        );
        assert_eq!(
            state(&trigger, Failed, fails, &[]),
            TriggerState::FailsInFixed
        );
        assert_eq!(
            state(&trigger, Passed, fails, &[("p.A", "a")]),
            TriggerState::Flaky
        );
        assert_eq!(
            state(&trigger, Passed, fails, &[("p.B", "a")]),
            TriggerState::Reveals
        );
    }
}
