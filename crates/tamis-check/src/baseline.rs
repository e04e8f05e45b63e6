//! Every test without a tool: what tests said and how they end, and which cannot be relied on.
//!
//! A tool runs some test classes and not others, so the order and the company of a test vary. A test counts only if it
//! ends in the same way in order, in reverse order, when its class is the only one of its program, and when it is the
//! only one of its class.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use crate::check_error::CheckError;
use crate::evolving::{Expected, Side};
use crate::history::Outcome;
use crate::outcome::{Ended, Outcomes};
use crate::project::{Choice, Project, Revision};
use crate::revisions::{ExpectedLogs, Packages};
use crate::steps::Step;
use crate::tool::{Order, RunError, ToolRun, retest_all};
use crate::workshop::Workshop;

/// How all tests end in each step; tests by their whole names.
#[derive(Debug, Default)]
pub(crate) struct Baseline {
    /// All tests of the first revision and of the second.
    pub(crate) before: Outcomes,
    pub(crate) after: Outcomes,
    /// The second revision, as the tests of `filtered` end.
    pub(crate) filtered: Outcomes,
    /// The states that the first revision left.
    pub(crate) states: BTreeMap<String, Ended>,
    /// Test classes with a test that does not always end in the same way.
    pub(crate) unstable: BTreeSet<String>,
    /// How long a run of all tests took, and one of those of `filtered`.
    pub(crate) whole_run: Duration,
    pub(crate) filtered_run: Duration,
}

/// The programs, both revisions of them, and where they run.
pub(crate) struct Subject<'a> {
    pub(crate) packages: &'a Packages,
    pub(crate) before: &'a Revision,
    pub(crate) after: &'a Revision,
}

/// Runs tests that only record, and brings what each said.
pub(crate) fn record_logs(
    workshop: &Workshop,
    project: &mut Project,
    packages: &Packages,
    revision: &Revision,
) -> Result<ExpectedLogs, CheckError> {
    let choice = Choice::Classes(test_classes(packages));
    let run = run(workshop, project, Step::First, revision, &choice)?;
    let mut logs = ExpectedLogs::new();
    for (test, ended) in run.states {
        if let Some((package, name)) = test.split_once('.') {
            let logs: &mut Expected = logs.entry(package.to_owned()).or_default();
            logs.0.insert(name.to_owned(), ended.log);
        }
    }
    Ok(logs)
}

/// Runs everything that the steps are compared with.
pub(crate) fn measure(
    workshop: &Workshop,
    project: &mut Project,
    subject: &Subject<'_>,
) -> Result<Baseline, CheckError> {
    let mut baseline = Baseline::default();
    let classes = test_classes(subject.packages);
    let first = run(
        workshop,
        project,
        Step::First,
        subject.before,
        &Choice::Classes(classes),
    )?;
    baseline.whole_run = first.duration;
    baseline.states.clone_from(&first.states);
    baseline.before = baseline.judge(&first);
    // What does not pass in the revision that it was made for is not to be relied on.
    let failed = baseline
        .before
        .iter()
        .filter(|(_, outcome)| outcome.is_failure());
    let failed = failed.map(|(test, _)| class_of(test).to_owned());
    baseline.unstable = failed.collect();
    let first = baseline.before.clone();
    baseline.compare(workshop, project, subject, Side::Before, &first)?;

    let choice = Choice::Classes(test_classes(subject.packages));
    let evolved = run(workshop, project, Step::Evolved, subject.after, &choice)?;
    baseline.after = baseline.judge(&evolved);
    let evolved = baseline.after.clone();
    baseline.compare(workshop, project, subject, Side::After, &evolved)?;

    let choice = first_methods(&baseline.before, &baseline.after, subject.packages);
    let filtered = run(workshop, project, Step::Filtered, subject.after, &choice)?;
    baseline.filtered_run = filtered.duration;
    baseline.filtered = baseline.judge(&filtered);
    let filtered = baseline.filtered.clone();
    baseline.note_differences(&evolved, &filtered);
    Ok(baseline)
}

impl Baseline {
    /// How tests ended: by JUnit's word, by the state that they left, and by the end of their JVM.
    pub(crate) fn judge(&self, run: &ToolRun) -> Outcomes {
        let outcomes = run.outcomes.iter();
        outcomes
            .map(|(test, outcome)| {
                let outcome = match outcome {
                    Outcome::Skipped => Outcome::Skipped,
                    _ if !run.is_clean => Outcome::Failed,
                    Outcome::Passed if !self.is_state_kept(test, run) => Outcome::OtherState,
                    outcome => *outcome,
                };
                (test.clone(), outcome)
            })
            .collect()
    }

    /// How tests ended that a tool ran. One that is shown as skipped did not run; nor did one that is shown as passed and
    /// left no state: JUnit's reports show so what a runner of JUnit 4 left out.
    pub(crate) fn ran(&self, run: &ToolRun) -> Outcomes {
        let mut outcomes = self.judge(run);
        outcomes.retain(|test, outcome| match outcome {
            Outcome::Skipped => false,
            Outcome::OtherState => run.states.contains_key(test),
            Outcome::Passed | Outcome::Failed => true,
        });
        outcomes
    }

    /// A test that was switched off in the first revision has no state to compare with.
    fn is_state_kept(&self, test: &str, run: &ToolRun) -> bool {
        let Some(expected) = self.states.get(test) else {
            return true;
        };
        let state = run.states.get(test);
        state.is_some_and(|ended| ended.state == expected.state)
    }

    /// Runs a revision in other orders, and notes what ends otherwise.
    fn compare(
        &mut self,
        workshop: &Workshop,
        project: &mut Project,
        subject: &Subject<'_>,
        side: Side,
        expected: &Outcomes,
    ) -> Result<(), CheckError> {
        let (step, revision) = match side {
            Side::Before => (Step::First, subject.before),
            Side::After => (Step::Evolved, subject.after),
        };
        for classes in other_orders(subject.packages) {
            let other = run(workshop, project, step, revision, &Choice::Classes(classes))?;
            let other = self.judge(&other);
            self.note_differences(expected, &other);
        }
        Ok(())
    }

    /// Among the tests that are in both.
    fn note_differences(&mut self, expected: &Outcomes, other: &Outcomes) {
        let different = other
            .iter()
            .filter(|(test, outcome)| expected.get(*test) != Some(*outcome));
        let classes = different.map(|(test, _)| class_of(test).to_owned());
        self.unstable.extend(classes);
    }

    /// How all tests end in a step.
    pub(crate) fn truth(&self, step: Step) -> Outcomes {
        match step {
            Step::First | Step::Again | Step::Back | Step::AfterKilled => self.before.clone(),
            Step::Filtered => self.filtered.clone(),
            Step::Evolved | Step::EvolvedAgain => self.after.clone(),
            Step::Killed => {
                let outcomes = self.before.iter();
                let killed = outcomes.map(|(test, outcome)| match outcome {
                    Outcome::Skipped => (test.clone(), Outcome::Skipped),
                    _ => (test.clone(), Outcome::Failed),
                });
                killed.collect()
            }
        }
    }

    /// How long a step takes without a tool.
    pub(crate) fn duration(&self, step: Step) -> Duration {
        match step {
            Step::Filtered => self.filtered_run,
            _ => self.whole_run,
        }
    }
}

/// The first test of each class, as long as there is one in both revisions.
pub(crate) fn first_methods(before: &Outcomes, after: &Outcomes, packages: &Packages) -> Choice {
    let mut methods = Vec::new();
    for class in test_classes(packages) {
        let mut tests = after.keys().filter(|test| class_of(test) == class);
        let common = tests.find(|test| before.contains_key(*test));
        let method = common.and_then(|test| test.strip_prefix(&format!("{class}.")));
        methods.extend(method.map(|method| format!("{class}#{method}")));
    }
    Choice::Methods(methods)
}

/// In reverse order; and the first class of each program, the second, and so on.
fn other_orders(packages: &Packages) -> Vec<Vec<String>> {
    let mut reverse = test_classes(packages);
    reverse.reverse();
    let mut orders = vec![reverse];
    orders.extend(classes_by_number(packages));
    orders
}

/// The first classes of all programs, then the second ones: between two classes that share something there are others,
/// as in projects.
pub(crate) fn test_classes(packages: &Packages) -> Vec<String> {
    classes_by_number(packages).concat()
}

fn classes_by_number(packages: &Packages) -> Vec<Vec<String>> {
    let mut by_number: Vec<Vec<String>> = Vec::new();
    for (package, program) in packages {
        let classes = program.test_classes(package);
        by_number.resize(by_number.len().max(classes.len()), Vec::new());
        for (number, class) in classes.into_iter().enumerate() {
            by_number[number].push(class);
        }
    }
    by_number
}

/// The class of a test by its whole name.
pub(crate) fn class_of(test: &str) -> &str {
    test.rsplit_once('.').map_or(test, |(class, _)| class)
}

fn run(
    workshop: &Workshop,
    project: &mut Project,
    step: Step,
    revision: &Revision,
    choice: &Choice,
) -> Result<ToolRun, CheckError> {
    let work = |cause| workshop.work_error(cause);
    project.put(revision).map_err(work)?;
    project.prepare(choice, false).map_err(work)?;
    let order = Order {
        step,
        project,
        java: &workshop.java,
        limit: workshop.limit,
        stop: &workshop.stop,
    };
    retest_all(&order).map_err(|error| match error {
        RunError::Stopped => workshop.stopped(),
        RunError::Failed(failure) => CheckError::RetestAll(failure.text),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The same state, another one, none at all, and a test that is switched off.
    #[test]
    fn what_left_no_state_did_not_run() {
        let ended = |state: &str| Ended {
            log: String::new(),
            state: state.to_owned(),
        };
        let names = ["a", "b", "c", "d"].map(str::to_owned);
        let baseline = Baseline {
            states: names
                .iter()
                .map(|test| (test.clone(), ended("1")))
                .collect(),
            ..Baseline::default()
        };
        let mut outcomes: Outcomes = names
            .into_iter()
            .map(|test| (test, Outcome::Passed))
            .collect();
        outcomes.insert("d".to_owned(), Outcome::Skipped);
        let run = ToolRun {
            outcomes,
            states: BTreeMap::from([("a".to_owned(), ended("1")), ("b".to_owned(), ended("2"))]),
            is_clean: true,
            duration: Duration::ZERO,
        };
        let ran: Vec<_> = baseline.ran(&run).into_iter().collect();
        let expected = [("a", Outcome::Passed), ("b", Outcome::OtherState)];
        assert_eq!(
            ran,
            expected.map(|(test, outcome)| (test.to_owned(), outcome))
        );
    }
}
