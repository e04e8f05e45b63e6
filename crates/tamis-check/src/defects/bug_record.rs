//! What was done with a bug: a line of JSON for each.

use std::collections::BTreeMap;
use std::fmt;

use serde::Serialize;

use super::trigger::TriggerRecord;
use crate::git_history::RevisionRecord;

/// The first line: what is done.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct DefectsOpening {
    pub format: &'static str,
    pub database: String,
    pub n_bugs: usize,
    pub jdk: String,
    pub maven_options: Vec<String>,
    /// What compiles and what runs all tests, where Maven does not.
    pub build: Option<String>,
    pub test: Option<String>,
    pub tools: Vec<String>,
}

/// A bug, under every test and under each tool.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct BugRecord {
    /// `Lang-1`
    pub bug: String,
    pub project: String,
    /// The fixed revision.
    pub fixed: String,
    /// Why it does not show here; none if a trigger test reveals it.
    pub not_reproduced: Option<NotReproduced>,
    pub triggers: Vec<TriggerRecord>,
    /// What each tool made of the trigger tests that reveal it.
    pub tools: BTreeMap<String, TriggerCount>,
    /// The fixed revision, the same again, the buggy one.
    pub steps: Vec<RevisionRecord>,
}

/// Why a bug does not show.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct NotReproduced {
    pub obstacle: Obstacle,
    pub because: String,
}

/// What stands in the way of a bug.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Obstacle {
    /// The repository has no such revision, or the patch does not fit.
    NotPrepared,
    /// A revision cannot be built, or its tests cannot be run.
    NotBuilt,
    /// No trigger test newly fails.
    NotRevealed,
}

/// Trigger tests of which a bug was revealed, and those that a tool ran of them.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct TriggerCount {
    pub n_triggers: usize,
    pub n_selected: usize,
    /// The others.
    pub missed: Vec<String>,
}

impl fmt::Display for Obstacle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NotPrepared => "cannot be prepared",
            Self::NotBuilt => "cannot be built",
            Self::NotRevealed => "is not revealed",
        })
    }
}
