//! What is known: what depends on something, how much there is, whether all is in place, what was
//! dropped. The documents of `tamis what`, `status`, `doctor` and `forget`.

use serde::Serialize;
use tamis_build::path_text;
use tamis_engine::{Dependent, RealmStatus, StatusReport};
use tamis_facts::EntityId;

use super::fact::FactView;
use super::selection::{EntityName, RealmName, microseconds};

/// The document that `tamis what --format json` prints.
#[derive(Debug, Serialize)]
pub(crate) struct WhatReport {
    format: &'static str,
    /// As it was asked for.
    pub(crate) wanted: String,
    /// The classes that were meant; none if it is a file of another kind.
    pub(crate) classes: Vec<String>,
    pub(crate) expected_microseconds: u64,
    pub(crate) dependents: Vec<DependentView>,
}

/// A test that depends on it.
#[derive(Debug, Serialize)]
pub(crate) struct DependentView {
    #[serde(flatten)]
    pub(crate) id: EntityName,
    pub(crate) expected_microseconds: u64,
    /// What of it.
    pub(crate) facts: Vec<DependencyView>,
}

/// What a test depends on.
#[derive(Debug, Serialize)]
pub(crate) struct DependencyView {
    #[serde(flatten)]
    pub(crate) fact: FactView,
    /// Whether it depends on there being no such thing.
    pub(crate) is_absent: bool,
}

/// The document that `tamis status --format json` prints.
#[derive(Debug, Serialize)]
pub(crate) struct StatusDocument {
    format: &'static str,
    pub(crate) directory: String,
    pub(crate) n_bytes: u64,
    pub(crate) n_records: u64,
    pub(crate) n_facts: u64,
    pub(crate) realms: Vec<RealmStatusView>,
}

/// What is known of a realm. Times are seconds since 1970.
#[derive(Debug, Serialize)]
pub(crate) struct RealmStatusView {
    #[serde(flatten)]
    pub(crate) name: RealmName,
    pub(crate) n_entities: usize,
    pub(crate) n_tests: usize,
    pub(crate) n_not_passed: usize,
    pub(crate) oldest: u64,
    pub(crate) newest: u64,
    pub(crate) expected_microseconds: u64,
}

/// The document that `tamis doctor --format json` prints.
#[derive(Debug, Serialize)]
pub(crate) struct DoctorReport {
    format: &'static str,
    pub(crate) is_fine: bool,
    pub(crate) diagnoses: Vec<DiagnosisView>,
}

/// Something that was looked at.
#[derive(Debug, Serialize)]
pub(crate) struct DiagnosisView {
    pub(crate) is_fine: bool,
    pub(crate) subject: String,
    pub(crate) text: String,
    pub(crate) hint: Option<String>,
}

/// The document that `tamis forget --format json` prints.
#[derive(Debug, Serialize)]
pub(crate) struct ForgetReport {
    format: &'static str,
    pub(crate) n_entities: usize,
    pub(crate) entities: Vec<EntityName>,
}

impl WhatReport {
    pub(crate) fn new(wanted: &str, classes: Vec<String>, dependents: &[Dependent]) -> Self {
        let dependents: Vec<_> = dependents.iter().map(DependentView::new).collect();
        let expected = dependents.iter().map(|test| test.expected_microseconds);
        Self {
            format: "tamis.what/1",
            wanted: wanted.to_owned(),
            classes,
            expected_microseconds: expected.sum(),
            dependents,
        }
    }
}

impl DependentView {
    fn new(dependent: &Dependent) -> Self {
        let view = |subject, is_absent| DependencyView {
            fact: FactView::new(subject),
            is_absent,
        };
        let there = dependent.subjects.iter();
        let there = there.map(|subject| view(subject, false));
        let absent = dependent.absent.iter();
        let absent = absent.map(|subject| view(subject, true));
        Self {
            id: EntityName::new(&dependent.id),
            expected_microseconds: microseconds(dependent.expected),
            facts: there.chain(absent).collect(),
        }
    }
}

impl StatusDocument {
    pub(crate) fn new(status: &StatusReport) -> Self {
        Self {
            format: "tamis.status/1",
            directory: path_text(&status.directory),
            n_bytes: status.n_bytes,
            n_records: status.n_records,
            n_facts: status.n_facts,
            realms: status.realms.iter().map(RealmStatusView::new).collect(),
        }
    }
}

impl RealmStatusView {
    fn new(status: &RealmStatus) -> Self {
        Self {
            name: RealmName::new(&status.realm),
            n_entities: status.n_entities,
            n_tests: status.n_tests,
            n_not_passed: status.n_not_passed,
            oldest: status.oldest,
            newest: status.newest,
            expected_microseconds: microseconds(status.expected),
        }
    }
}

impl DoctorReport {
    pub(crate) fn new(diagnoses: Vec<DiagnosisView>) -> Self {
        Self {
            format: "tamis.doctor/1",
            is_fine: diagnoses.iter().all(|diagnosis| diagnosis.is_fine),
            diagnoses,
        }
    }
}

impl DiagnosisView {
    /// All is well with something.
    pub(crate) fn fine(subject: &str, text: impl Into<String>) -> Self {
        Self {
            is_fine: true,
            subject: subject.to_owned(),
            text: text.into(),
            hint: None,
        }
    }

    /// Something is not as it should be.
    pub(crate) fn problem(subject: &str, text: impl Into<String>, hint: Option<&str>) -> Self {
        Self {
            is_fine: false,
            hint: hint.map(str::to_owned),
            ..Self::fine(subject, text)
        }
    }
}

impl ForgetReport {
    pub(crate) fn new(n_entities: usize, entities: &[EntityId]) -> Self {
        Self {
            format: "tamis.forget/1",
            n_entities,
            entities: entities.iter().map(EntityName::new).collect(),
        }
    }
}
