//! What a run of an entity leaves behind.

use std::collections::BTreeSet;

use crate::entity::EntityId;
use crate::name::ModifiedUtf8;

/// A run of an entity: how it went, and the facts it saw.
///
/// `F` is how facts are held: themselves, or numbers that stand for them. `T` is how tests are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record<F, T = Vec<TestRecord>> {
    /// How the run went as a whole.
    pub verdict: RunVerdict,
    /// The tests that it covered, sorted by name.
    pub tests: T,
    /// Whether these are all that the entity had, and not some that the user had chosen.
    pub is_whole: bool,
    /// The facts; none at all for a run of which nothing is known.
    pub facts: F,
    /// Those of them that count only because earlier entities of its JVM may have left something for it.
    pub inherited: F,
    /// Entities that ran before and left something for it: if it runs again, so do they.
    pub companions: BTreeSet<EntityId>,
    /// Why the run cannot be relied on, where that is so although its tests passed: sentences without full stop.
    pub doubts: Vec<String>,
    /// How long it took.
    pub microseconds: u64,
    /// When it ended, in seconds since 1970.
    pub ended: u64,
}

/// Whether a run can be relied on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RunVerdict {
    /// Every test passed, and all that was seen is known.
    Passed,
    /// A test failed, or the JVM or its build did after it.
    Failed,
    /// It failed and then passed.
    Flaky,
    /// It did not end, or something that it saw is not known.
    Incomplete,
}

/// A test of an entity in a run.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct TestRecord {
    /// Its name in the entity.
    pub name: ModifiedUtf8,
    /// How it went.
    pub outcome: TestOutcome,
    /// How long it took.
    pub microseconds: u64,
}

/// The tests of a record, however they are held.
pub trait TestList {
    /// Their names.
    fn names(&self) -> impl Iterator<Item = ModifiedUtf8>;
}

impl TestList for Vec<TestRecord> {
    fn names(&self) -> impl Iterator<Item = ModifiedUtf8> {
        self.iter().map(|test| test.name.clone())
    }
}

/// How a test went.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TestOutcome {
    /// The framework was told not to run it.
    Disabled,
    /// It passed.
    Passed,
    /// An assumption of it did not hold.
    Aborted,
    /// It failed.
    Failed,
}
