//! Which tests run and why, and how they went: what `tamis test`, `select` and `why` show.

use std::time::Duration;

use serde::Serialize;
use tamis_engine::{
    Coarse, CoarseKind, EntityOutcome, EntityReport, RealmReport, RunReport, Untracked,
};
use tamis_facts::{EntityId, Realm, TestOutcome};
use tamis_select::{Decision, Reason};

use super::fact::{BrokenFactView, ComparisonView, VerdictView, text};
use crate::settings::{Settings, granularity_name};

/// The document that `tamis test`, `tamis select` and `tamis why` print as JSON.
#[derive(Debug, Serialize)]
pub(crate) struct SelectionReport {
    format: &'static str,
    #[serde(skip)]
    pub(crate) question: Question,
    pub(crate) options: OptionsView,
    /// What the build returned, if one was started.
    exit_code: Option<u8>,
    /// When it began, in seconds since 1970.
    pub(crate) started: u64,
    /// The build included.
    pub(crate) microseconds: u64,
    pub(crate) summary: SummaryView,
    pub(crate) realms: Vec<RealmView>,
    pub(crate) entities: Vec<DecidedEntityView>,
    pub(crate) notes: Vec<String>,
    pub(crate) untracked: Vec<UntrackedView>,
}

/// What was asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Question {
    /// What ran.
    Test,
    /// What would run.
    Select,
    /// Why something would.
    Why,
}

/// What decided beside the records.
#[derive(Debug, Serialize)]
pub(crate) struct OptionsView {
    pub(crate) mesh: &'static str,
    /// Kinds of changes that count as changes of the file.
    pub(crate) as_file: Vec<&'static str>,
    pub(crate) granularity: &'static str,
    pub(crate) max_age_days: u32,
    pub(crate) run_all: bool,
    pub(crate) is_recording: bool,
}

/// Everything in numbers. Times are those of tests, not of the build around them.
#[derive(Debug, Default, PartialEq, Eq, Serialize)]
pub(crate) struct SummaryView {
    pub(crate) n_entities: usize,
    pub(crate) n_selected: usize,
    pub(crate) n_skipped: usize,
    /// Selected, and the build did not run them.
    pub(crate) n_not_run: usize,
    pub(crate) tests: TestCountsView,
    pub(crate) spent_microseconds: u64,
    /// What the selected entities took the last time, as far as that is known.
    pub(crate) expected_microseconds: u64,
    /// What the skipped entities took the last time.
    pub(crate) saved_microseconds: u64,
}

/// Tests in numbers.
#[derive(Debug, Default, PartialEq, Eq, Serialize)]
#[expect(clippy::struct_field_names, reason = "counts are `n_…` everywhere")]
pub(crate) struct TestCountsView {
    pub(crate) n_passed: usize,
    pub(crate) n_failed: usize,
    pub(crate) n_aborted: usize,
    pub(crate) n_disabled: usize,
    /// Those that the selected entities had the last time.
    pub(crate) n_expected: usize,
    /// Those that the skipped entities had the last time.
    pub(crate) n_skipped: usize,
}

/// Where tests run.
#[derive(Debug, Serialize)]
pub(crate) struct RealmView {
    #[serde(flatten)]
    pub(crate) name: RealmName,
    pub(crate) n_jvms: usize,
    pub(crate) unknown_classes: Vec<String>,
    /// Where files of the module changed: those that were written since the last run.
    pub(crate) changed_files: Vec<String>,
    pub(crate) common_cause: Vec<BrokenFactView>,
    /// What was not told apart, and why.
    pub(crate) coarse: Vec<CoarseView>,
}

/// Things of a kind of which one fact stands for all.
#[derive(Debug, Serialize)]
pub(crate) struct CoarseView {
    pub(crate) what: CoarseKind,
    pub(crate) reason: String,
}

/// A module, and an execution in it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub(crate) struct RealmName {
    pub(crate) module: String,
    pub(crate) execution: String,
}

/// An entity by its whole name.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct EntityName {
    #[serde(flatten)]
    pub(crate) realm: RealmName,
    pub(crate) framework: String,
    pub(crate) name: String,
}

/// An entity: what was decided, and how it went.
#[derive(Debug, Serialize)]
pub(crate) struct DecidedEntityView {
    #[serde(flatten)]
    pub(crate) id: EntityName,
    pub(crate) is_selected: bool,
    pub(crate) decision: DecisionView,
    /// Whether it runs although it could be skipped.
    pub(crate) is_forced: bool,
    /// Whether it is skipped on trust: only what earlier tests may have left differs.
    pub(crate) is_trusted: bool,
    pub(crate) newest: Option<ComparisonView>,
    pub(crate) nearest: Option<ComparisonView>,
    pub(crate) run: Option<EntityRunView>,
    pub(crate) expected_microseconds: Option<u64>,
    pub(crate) n_tests_known: usize,
}

/// What the rule says. `record` is the position of the record that decided, the newest being 0.
#[derive(Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub(crate) enum DecisionView {
    Skip {
        record: usize,
    },
    New,
    Always,
    /// It leaves something for this test, which runs.
    Companion {
        of: String,
    },
    Old,
    Broken,
    NotPassed {
        record: usize,
        verdict: VerdictView,
    },
    NotCovered {
        record: usize,
        tests: Vec<String>,
    },
}

/// How an entity went.
#[derive(Debug, Serialize)]
pub(crate) struct EntityRunView {
    pub(crate) verdict: VerdictView,
    pub(crate) microseconds: u64,
    tests: Vec<TestRunView>,
    pub(crate) doubts: Vec<String>,
}

#[derive(Debug, Serialize)]
struct TestRunView {
    name: String,
    outcome: TestOutcomeView,
    microseconds: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
enum TestOutcomeView {
    Disabled,
    Passed,
    Aborted,
    Failed,
}

#[derive(Debug, Serialize)]
pub(crate) struct UntrackedView {
    pub(crate) what: String,
    pub(crate) n_entities: usize,
}

impl SelectionReport {
    pub(crate) fn new(
        question: Question,
        report: &RunReport,
        exit_code: Option<u8>,
        settings: &Settings,
    ) -> Self {
        Self {
            format: match question {
                Question::Test => "tamis.test/1",
                Question::Select => "tamis.select/1",
                Question::Why => "tamis.why/1",
            },
            question,
            options: OptionsView {
                mesh: settings.mesh.name(),
                as_file: settings.as_file.iter().map(|kind| kind.code()).collect(),
                granularity: granularity_name(settings.granularity),
                max_age_days: settings.max_age,
                run_all: settings.run_all,
                is_recording: settings.is_recording,
            },
            exit_code,
            started: report.started,
            microseconds: microseconds(report.duration),
            summary: SummaryView::new(&report.entities),
            realms: report.realms.iter().map(RealmView::new).collect(),
            entities: report.entities.iter().map(DecidedEntityView::new).collect(),
            notes: report.notes.clone(),
            untracked: report.untracked.iter().map(UntrackedView::new).collect(),
        }
    }
}

impl SummaryView {
    fn new(entities: &[EntityReport]) -> Self {
        let mut summary = Self::default();
        for entity in entities {
            summary.add(entity);
        }
        summary
    }

    fn add(&mut self, entity: &EntityReport) {
        self.n_entities += 1;
        let expected = microseconds(entity.expected.unwrap_or_default());
        if entity.is_selected() {
            self.n_selected += 1;
            self.n_not_run += usize::from(entity.run.is_none());
            self.expected_microseconds += expected;
            self.tests.n_expected += entity.n_tests_known;
        } else if entity.run.is_none() {
            self.n_skipped += 1;
            self.saved_microseconds += expected;
            self.tests.n_skipped += entity.n_tests_known;
        }
        if let Some(run) = &entity.run {
            self.spent_microseconds += microseconds(run.duration);
            for test in &run.tests {
                self.tests.add(TestOutcomeView::new(test.outcome));
            }
        }
    }
}

impl TestCountsView {
    /// Those that were not only looked at.
    pub(crate) fn n_run(&self) -> usize {
        self.n_passed + self.n_failed + self.n_aborted
    }

    fn add(&mut self, outcome: TestOutcomeView) {
        match outcome {
            TestOutcomeView::Passed => self.n_passed += 1,
            TestOutcomeView::Failed => self.n_failed += 1,
            TestOutcomeView::Aborted => self.n_aborted += 1,
            TestOutcomeView::Disabled => self.n_disabled += 1,
        }
    }
}

impl RealmView {
    fn new(realm: &RealmReport) -> Self {
        let causes = realm.common_cause.iter();
        Self {
            name: RealmName::new(&realm.realm),
            n_jvms: realm.n_jvms,
            unknown_classes: realm.unknown_classes.clone(),
            changed_files: realm.changed_files.clone(),
            common_cause: causes.map(BrokenFactView::new).collect(),
            coarse: realm.coarse.iter().map(CoarseView::new).collect(),
        }
    }
}

impl CoarseView {
    fn new(coarse: &Coarse) -> Self {
        Self {
            what: coarse.what,
            reason: coarse.reason.clone(),
        }
    }
}

impl RealmName {
    pub(crate) fn new(realm: &Realm) -> Self {
        Self {
            module: realm.module.clone(),
            execution: realm.execution.clone(),
        }
    }
}

impl EntityName {
    pub(crate) fn new(id: &EntityId) -> Self {
        Self {
            realm: RealmName::new(&id.realm),
            framework: text(&id.framework),
            name: text(&id.test),
        }
    }
}

impl DecidedEntityView {
    fn new(entity: &EntityReport) -> Self {
        let explanation = &entity.explanation;
        Self {
            id: EntityName::new(&entity.id),
            is_selected: entity.is_selected(),
            decision: DecisionView::new(&explanation.decision),
            is_forced: explanation.is_forced,
            is_trusted: explanation.is_trusted,
            newest: explanation.newest.as_ref().map(ComparisonView::new),
            nearest: explanation.nearest.as_ref().map(ComparisonView::new),
            run: entity.run.as_ref().map(EntityRunView::new),
            expected_microseconds: entity.expected.map(microseconds),
            n_tests_known: entity.n_tests_known,
        }
    }
}

impl DecisionView {
    fn new(decision: &Decision) -> Self {
        match decision {
            Decision::Skip(record) => Self::Skip { record: *record },
            Decision::Run(Reason::New) => Self::New,
            Decision::Run(Reason::Always) => Self::Always,
            Decision::Run(Reason::Companion(other)) => Self::Companion {
                of: text(&other.test),
            },
            Decision::Run(Reason::Old) => Self::Old,
            Decision::Run(Reason::Broken) => Self::Broken,
            Decision::Run(Reason::NotPassed(record, verdict)) => Self::NotPassed {
                record: *record,
                verdict: VerdictView::new(*verdict),
            },
            Decision::Run(Reason::NotCovered(record, tests)) => Self::NotCovered {
                record: *record,
                tests: tests.iter().map(text).collect(),
            },
        }
    }
}

impl EntityRunView {
    /// Its tests in numbers.
    pub(crate) fn counts(&self) -> TestCountsView {
        let mut counts = TestCountsView::default();
        for test in &self.tests {
            counts.add(test.outcome);
        }
        counts
    }

    fn new(run: &EntityOutcome) -> Self {
        let tests = run.tests.iter().map(|test| TestRunView {
            name: text(&test.name),
            outcome: TestOutcomeView::new(test.outcome),
            microseconds: test.microseconds,
        });
        Self {
            verdict: VerdictView::new(run.verdict),
            microseconds: microseconds(run.duration),
            tests: tests.collect(),
            doubts: run.doubts.clone(),
        }
    }
}

impl TestOutcomeView {
    fn new(outcome: TestOutcome) -> Self {
        match outcome {
            TestOutcome::Disabled => Self::Disabled,
            TestOutcome::Passed => Self::Passed,
            TestOutcome::Aborted => Self::Aborted,
            TestOutcome::Failed => Self::Failed,
        }
    }
}

impl UntrackedView {
    fn new(untracked: &Untracked) -> Self {
        Self {
            what: untracked.what.clone(),
            n_entities: untracked.n_entities,
        }
    }
}

/// No test takes as long as would not fit.
pub(crate) fn microseconds(duration: Duration) -> u64 {
    u64::try_from(duration.as_micros()).unwrap_or(u64::MAX)
}
