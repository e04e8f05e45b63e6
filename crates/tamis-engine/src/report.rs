//! What a run of tests, or a question about one, gives back: plain values, for whoever prints them.

use std::process::ExitStatus;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use tamis_facts::{ChangeKind, EntityId, Realm, RunVerdict, Subject, TestRecord};
use tamis_select::{Decision, LookUpChange};
use tamis_wire::Sight;

use crate::setters::Setter;
use crate::today::AsFile;

/// A run of tests, or what such a run would do.
#[derive(Debug, Default)]
pub struct RunReport {
    /// How the command ended; nothing if none was started.
    pub status: Option<ExitStatus>,
    /// When it began, in seconds since 1970.
    pub started: u64,
    /// How long it took, the build included.
    pub duration: Duration,
    /// All entities that were shown or are known, sorted.
    pub entities: Vec<EntityReport>,
    /// Where tests run, sorted.
    pub realms: Vec<RealmReport>,
    /// What else a person should know: why nothing was recorded, what ran without selection. One sentence
    /// each.
    pub notes: Vec<String>,
    /// Things that tests did and that no fact covers, with how many entities did each.
    pub untracked: Vec<Untracked>,
}

/// Where tests run, and what was done there.
#[derive(Debug)]
pub struct RealmReport {
    /// Which.
    pub realm: Realm,
    /// How many JVMs were watched in it; none if there was nothing to run.
    pub n_jvms: usize,
    /// Classes in its folders of tests that no record knows as tests or as anything else; only known where
    /// no JVM was asked.
    pub unknown_classes: Vec<String>,
    /// Where the fact about the module's files is broken: those of them that were written since the last run began,
    /// about; sorted. A file that is gone is not among them.
    pub changed_files: Vec<String>,
    /// Why everything ran, where the same broken fact concerns all of its entities.
    pub common_cause: Vec<BrokenFact>,
    /// What its JVMs did not tell apart, sorted.
    pub coarse: Vec<Coarse>,
}

/// Things of a kind that were not told apart: one fact stands for all of them.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Coarse {
    /// Which kind.
    pub what: CoarseKind,
    /// Why: a sentence without full stop.
    pub reason: String,
}

/// What may be told apart or not.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CoarseKind {
    /// Files of the module.
    Files,
    /// Classes that are looked for by name.
    ClassNames,
    /// Members of classes, as reflection lists them.
    Members,
    /// Members of archives on the class path.
    Archives,
    /// Environment variables and system properties.
    Environment,
    /// Connections.
    Network,
}

/// Something that tests did and that no fact covers.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Untracked {
    /// What: `a process was started: git`.
    pub what: String,
    /// How many entities did it.
    pub n_entities: usize,
}

/// An entity: what was decided, and how it went.
#[derive(Debug)]
pub struct EntityReport {
    /// Which.
    pub id: EntityId,
    /// Whether it is to run, and why.
    pub explanation: Explanation,
    /// How it went, if it ran.
    pub run: Option<EntityOutcome>,
    /// How long it took the last time.
    pub expected: Option<Duration>,
    /// How many tests it had the last time.
    pub n_tests_known: usize,
}

/// A decision and its reasons.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Explanation {
    /// What the rule says.
    pub decision: Decision,
    /// Whether it runs although it could be skipped: everything was asked for.
    pub is_forced: bool,
    /// Whether it is skipped although something differs that earlier tests relied on which may have left it something: that was
    /// to be trusted.
    pub is_trusted: bool,
    /// The newest record, compared with today.
    pub newest: Option<Comparison>,
    /// The record with the fewest broken facts, if that is another one.
    pub nearest: Option<Comparison>,
}

/// A record compared with today.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Comparison {
    /// How that run went.
    pub verdict: RunVerdict,
    /// When it ended, in seconds since 1970.
    pub ended: u64,
    /// Why it could not be relied on, if so.
    pub doubts: Vec<String>,
    /// How many facts it has that count under the mesh.
    pub n_facts: usize,
    /// Those that are not true today, sorted.
    pub broken: Vec<BrokenFact>,
}

/// A fact that is not true today.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct BrokenFact {
    /// What it is about.
    pub subject: Subject,
    /// The kind of change that it tells of (SPEC 2.4), if that is known.
    pub kind: Option<ChangeKind>,
    /// Of a block: the source line that it began at, if that is known.
    pub line: Option<u16>,
    /// What has become of it.
    pub difference: Difference,
    /// Whether it counts only because earlier tests of the JVM may have left something.
    pub is_inherited: bool,
}

/// What has become of something.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Difference {
    /// It is another one.
    Changed,
    /// A class changed in a way that was to count as a change of its file (SPEC 3.6).
    AsFile(AsFile),
    /// It is not there any more.
    Gone,
    /// It was not there before.
    Appeared,
    /// Other code sets a static field: this is new of it, as far as that can be told.
    Setters(Vec<Setter>),
    /// A call on an object finds something else.
    LookUp(LookUpChange),
    /// It cannot be read: why.
    Unknown(String),
}

/// How an entity went.
#[derive(Debug, Clone)]
pub struct EntityOutcome {
    /// As it is recorded.
    pub verdict: RunVerdict,
    /// How long it took.
    pub duration: Duration,
    /// Its tests.
    pub tests: Vec<TestRecord>,
    /// Why the run cannot be relied on next time, although its tests passed. Sentences without full stop.
    pub doubts: Vec<String>,
}

impl RunReport {
    /// Adds something that so many entities did and that no fact covers.
    pub(crate) fn add_untracked(&mut self, what: &str, n_entities: usize) {
        match self.untracked.iter_mut().find(|one| one.what == what) {
            Some(known) => known.n_entities += n_entities,
            None => self.untracked.push(Untracked {
                what: what.to_owned(),
                n_entities,
            }),
        }
    }
}

impl From<Sight> for CoarseKind {
    fn from(sight: Sight) -> Self {
        match sight {
            Sight::Files => Self::Files,
            Sight::Classes => Self::ClassNames,
            Sight::Reflection => Self::Members,
            Sight::Archives => Self::Archives,
            Sight::Environment => Self::Environment,
            Sight::Network => Self::Network,
        }
    }
}

impl EntityReport {
    /// Whether it is to run, or was.
    pub fn is_selected(&self) -> bool {
        self.explanation.is_forced || matches!(self.explanation.decision, Decision::Run(_))
    }
}
