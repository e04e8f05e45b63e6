//! What was done with a history: a line of JSON for each revision.

use std::collections::BTreeMap;

use serde::Serialize;

use super::explanation::{Explanations, Extra};
use crate::rule::Weight;

/// The first line: what is done.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Opening {
    pub format: &'static str,
    pub repository: String,
    pub n_revisions: usize,
    pub jdk: String,
    pub maven_options: Vec<String>,
    /// What compiles and what runs all tests, where Maven does not.
    pub build: Option<String>,
    pub test: Option<String>,
    pub tools: Vec<String>,
}

/// Why a revision is run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum HistoryStep {
    /// It is the first one; no tool knows anything yet.
    First,
    /// It is the first one again.
    Again,
    /// It follows on another one.
    Next,
}

impl HistoryStep {
    pub fn name(self) -> &'static str {
        match self {
            Self::First => "first",
            Self::Again => "again",
            Self::Next => "next",
        }
    }
}

/// A revision, under every test and under each tool.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RevisionRecord {
    pub revision: String,
    pub subject: String,
    pub step: HistoryStep,
    /// Why it was skipped: it cannot be built, or its tests cannot be run without a tool.
    pub skipped: Option<String>,
    /// What every test is.
    pub n_classes: usize,
    pub n_tests: usize,
    pub n_failed: usize,
    /// Tests that are left out from here on, since they do not always end in the same way.
    pub flaky: Vec<String>,
    pub retest_all: Cost,
    pub tools: BTreeMap<String, ToolRecord>,
    pub left_out: Vec<LeftOut>,
    pub findings: Vec<Finding>,
    /// What Tamis selects and HyRTS does not.
    pub extra: Vec<Extra>,
}

/// What a tool did with a revision.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct ToolRecord {
    /// Test classes that it ran.
    pub classes: Vec<String>,
    /// Why, as far as it says so: by test class, the kinds of facts that broke, or what else decided.
    #[serde(skip_serializing_if = "Explanations::is_empty")]
    pub because: Explanations,
    pub n_tests: usize,
    pub n_failed: usize,
    #[serde(flatten)]
    pub cost: Cost,
    /// Its time in that of every test.
    pub cpu_ratio: f64,
    pub wall_ratio: f64,
}

/// What a run took.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Cost {
    pub wall_milliseconds: u64,
    pub cpu_milliseconds: u64,
}

/// A tool that does not work here; it is not run any further.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct LeftOut {
    pub tool: String,
    pub because: String,
}

/// A rule was violated.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Finding {
    pub rule: &'static str,
    pub weight: Weight,
    pub tool: String,
    pub text: String,
    /// The tests concerned.
    pub tests: Vec<String>,
}

impl Cost {
    /// In that of another run; 0 if that took no time.
    pub(super) fn ratios(self, other: Self) -> (f64, f64) {
        (
            ratio(self.cpu_milliseconds, other.cpu_milliseconds),
            ratio(self.wall_milliseconds, other.wall_milliseconds),
        )
    }
}

/// Milliseconds of a run are far below 2^52.
#[expect(clippy::cast_precision_loss, reason = "see above")]
pub(super) fn ratio(one: u64, other: u64) -> f64 {
    if other == 0 {
        return 0.0;
    }
    one as f64 / other as f64
}
