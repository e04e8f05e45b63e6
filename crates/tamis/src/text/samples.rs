//! Reports made by hand, so that tests show what a person reads.

use std::time::Duration;

use tamis_engine::{
    BrokenFact, Coarse, CoarseKind, Comparison, Difference, EntityOutcome, EntityReport,
    Explanation, RealmReport, RunReport, Untracked,
};
use tamis_facts::{
    ChangeKind, ClassName, EntityId, MethodId, Realm, RunVerdict, Subject, TestOutcome, TestRecord,
};
use tamis_select::{Decision, Reason};

use crate::settings::Settings;
use crate::view::{Question, SelectionReport};

/// When everything happens, in seconds since 1970.
pub(super) const NOW: u64 = 1_800_000_000;

const HOUR: u64 = 3600;

/// An entity in the making.
pub(super) struct Sample(EntityReport);

/// An entity that could be skipped.
pub(super) fn sample(test: &str) -> Sample {
    let newest = comparison(RunVerdict::Passed, &[]);
    Sample(EntityReport {
        id: EntityId {
            realm: realm("shop:cart"),
            framework: "junit-jupiter".into(),
            test: test.into(),
        },
        explanation: Explanation {
            decision: Decision::Skip(0),
            is_forced: false,
            is_trusted: false,
            newest: Some(newest),
            nearest: None,
        },
        run: None,
        expected: Some(Duration::from_millis(120)),
        n_tests_known: 3,
    })
}

impl Sample {
    pub(super) fn of(mut self, module: &str) -> Self {
        self.0.id.realm = realm(module);
        self
    }

    /// Nothing is known of it.
    pub(super) fn unknown(mut self) -> Self {
        self.0.explanation.newest = None;
        self.0.expected = None;
        self.0.n_tests_known = 0;
        self.because(Reason::New)
    }

    pub(super) fn because(mut self, reason: Reason) -> Self {
        if let (Reason::NotPassed(_, verdict), Some(newest)) =
            (&reason, &mut self.0.explanation.newest)
        {
            newest.verdict = *verdict;
        }
        self.0.explanation.decision = Decision::Run(reason);
        self
    }

    pub(super) fn forced(mut self) -> Self {
        self.0.explanation.is_forced = true;
        self
    }

    /// Something that its only record saw has changed.
    pub(super) fn broken(mut self, broken: &[BrokenFact]) -> Self {
        self.0.explanation.newest = Some(comparison(RunVerdict::Passed, broken));
        self.because(Reason::Broken)
    }

    /// Another record is nearer to today.
    pub(super) fn nearest(mut self, broken: &[BrokenFact]) -> Self {
        self.0.explanation.nearest = Some(Comparison {
            ended: NOW - 50 * HOUR,
            ..comparison(RunVerdict::Flaky, broken)
        });
        self
    }

    pub(super) fn ran(mut self, verdict: RunVerdict, outcomes: &[TestOutcome]) -> Self {
        let tests = outcomes
            .iter()
            .enumerate()
            .map(|(number, outcome)| TestRecord {
                name: format!("test{number}()").as_str().into(),
                outcome: *outcome,
                microseconds: 4_000,
            });
        self.0.run = Some(EntityOutcome {
            verdict,
            duration: Duration::from_millis(4 * outcomes.len() as u64 + 1),
            tests: tests.collect(),
            doubts: Vec::new(),
        });
        self
    }

    pub(super) fn passed(self, n_tests: usize) -> Self {
        self.ran(RunVerdict::Passed, &vec![TestOutcome::Passed; n_tests])
    }

    /// The last run could not be relied on.
    pub(super) fn doubted_before(mut self, doubt: &str) -> Self {
        let newest = self.0.explanation.newest.as_mut().unwrap();
        newest.doubts.push(doubt.to_owned());
        self.because(Reason::NotPassed(0, RunVerdict::Incomplete))
    }

    pub(super) fn doubted(mut self, doubt: &str) -> Self {
        let run = self.0.run.as_mut().unwrap();
        run.doubts.push(doubt.to_owned());
        self
    }
}

pub(super) fn realm(module: &str) -> Realm {
    Realm {
        module: module.to_owned(),
        execution: "default-test".to_owned(),
    }
}

pub(super) fn realm_report(module: &str, n_jvms: usize) -> RealmReport {
    RealmReport {
        realm: realm(module),
        n_jvms,
        unknown_classes: Vec::new(),
        changed_files: Vec::new(),
        common_cause: Vec::new(),
        coarse: Vec::new(),
    }
}

fn comparison(verdict: RunVerdict, broken: &[BrokenFact]) -> Comparison {
    Comparison {
        verdict,
        ended: NOW - 2 * HOUR,
        doubts: Vec::new(),
        n_facts: 812,
        broken: broken.to_vec(),
    }
}

/// A method of `shop.Cart` has changed.
pub(super) fn changed_method(name: &str) -> BrokenFact {
    let method = MethodId {
        name: name.into(),
        descriptor: "(I)I".into(),
    };
    BrokenFact {
        kind: Some(ChangeKind::ChangedInstanceMethod),
        ..changed(Subject::Method(ClassName::from("shop/Cart"), method))
    }
}

pub(super) fn changed(subject: Subject) -> BrokenFact {
    BrokenFact {
        subject,
        kind: None,
        line: None,
        difference: Difference::Changed,
        is_inherited: false,
    }
}

/// All of it as a report.
pub(super) fn run_report(entities: Vec<Sample>, realms: Vec<RealmReport>) -> RunReport {
    let mut entities: Vec<EntityReport> = entities.into_iter().map(|sample| sample.0).collect();
    entities.sort_by(|a, b| a.id.cmp(&b.id));
    RunReport {
        started: NOW,
        duration: Duration::from_millis(9_100),
        entities,
        realms,
        untracked: Vec::new(),
        ..RunReport::default()
    }
}

pub(super) fn not_told_apart(what: CoarseKind, reason: &str) -> Coarse {
    Coarse {
        what,
        reason: reason.to_owned(),
    }
}

pub(super) fn git_was_started() -> Untracked {
    Untracked {
        what: "a process was started: git".to_owned(),
        n_entities: 2,
    }
}

pub(super) fn view(question: Question, report: &RunReport) -> SelectionReport {
    SelectionReport::new(question, report, Some(0), &Settings::default())
}

/// The same, where everything was asked for.
pub(super) fn view_of_all(report: &RunReport) -> SelectionReport {
    let mut settings = Settings::default();
    settings.run_all = true;
    SelectionReport::new(Question::Test, report, Some(0), &settings)
}
