//! Entities: what a framework is about to run, whether it may, and how it went.

use crate::error::WireError;
use crate::field::{Decoder, Encoder};

/// A framework shows an entity before it runs it, and waits for a [`Verdict`].
///
/// Shown again under the same number when its tests or its parent are others than before: a filter may
/// leave some out, and a class may run in two suites.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Discovered {
    /// Stands for the entity in this JVM.
    pub entity: u32,
    /// The entity that it is part of; shown before.
    pub parent: Option<u32>,
    /// What it is.
    pub kind: EntityKind,
    /// Whose test it is: `junit4`, or the id of an engine of the JUnit Platform.
    pub framework: Vec<u8>,
    /// Its name, as the framework has it.
    pub name: Vec<u8>,
    /// The tests in it, sorted, each once.
    pub tests: Vec<Vec<u8>>,
}

/// What an entity is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EntityKind {
    /// It has no tests of its own but holds other entities, as a suite does; it always runs.
    Container,
    /// A test class, or what another framework has instead.
    Class,
    /// A test method.
    Method,
}

/// The answer to [`Discovered`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The entity is to run.
    Run(u32),
    /// The entity is to be skipped.
    Skip(u32),
}

/// An entity begins; it has been shown before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EntityBegin {
    /// Which.
    pub entity: u32,
}

/// An entity ended; its marks have been sent before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EntityEnd {
    /// Which.
    pub entity: u32,
    /// How it went, set-up and tear-down included.
    pub outcome: Outcome,
    /// How long it took.
    pub microseconds: u64,
    /// The tests in it that came to an end, sorted by name.
    pub tests: Vec<TestEnd>,
}

/// A test ended; all its repetitions together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TestEnd {
    /// Its name in the entity.
    pub name: Vec<u8>,
    /// How it went.
    pub outcome: Outcome,
    /// How long it took.
    pub microseconds: u64,
}

/// How a test or an entity went. The greater one counts for several.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Outcome {
    /// The framework was told not to run it (`@Disabled`, `@Ignore`).
    Skipped,
    /// It passed.
    Passed,
    /// It gave up: an assumption did not hold.
    Aborted,
    /// It failed.
    Failed,
}

impl Discovered {
    pub(crate) fn encode(&self, out: &mut Encoder) {
        out.u32(self.entity);
        out.option(self.parent, Encoder::u32);
        out.u8(match self.kind {
            EntityKind::Container => 0,
            EntityKind::Class => 1,
            EntityKind::Method => 2,
        });
        out.bytes(&self.framework);
        out.bytes(&self.name);
        out.list(&self.tests);
    }

    pub(crate) fn parse(fields: &mut Decoder<'_>) -> Result<Self, WireError> {
        Ok(Self {
            entity: fields.u32("the entity")?,
            parent: fields.option("whether there is a parent", |fields| {
                fields.u32("the parent")
            })?,
            kind: match fields.u8("the entity's kind")? {
                0 => EntityKind::Container,
                1 => EntityKind::Class,
                2 => EntityKind::Method,
                other => return Err(fields.unknown_value("the entity's kind", other)),
            },
            framework: fields.bytes("the framework")?.to_vec(),
            name: fields.bytes("the entity's name")?.to_vec(),
            tests: fields.list("the tests")?,
        })
    }
}

impl Verdict {
    pub(crate) fn encode(self, out: &mut Encoder) {
        let (verdict, entity) = match self {
            Self::Run(entity) => (0, entity),
            Self::Skip(entity) => (1, entity),
        };
        out.u8(verdict);
        out.u32(entity);
    }

    pub(crate) fn parse(fields: &mut Decoder<'_>) -> Result<Self, WireError> {
        let verdict = fields.u8("the verdict")?;
        let entity = fields.u32("the entity")?;
        match verdict {
            0 => Ok(Self::Run(entity)),
            1 => Ok(Self::Skip(entity)),
            other => Err(fields.unknown_value("the verdict", other)),
        }
    }
}

impl EntityBegin {
    pub(crate) fn encode(self, out: &mut Encoder) {
        out.u32(self.entity);
    }

    pub(crate) fn parse(fields: &mut Decoder<'_>) -> Result<Self, WireError> {
        Ok(Self {
            entity: fields.u32("the entity")?,
        })
    }
}

impl EntityEnd {
    pub(crate) fn encode(&self, out: &mut Encoder) {
        out.u32(self.entity);
        self.outcome.encode(out);
        out.u64(self.microseconds);
        out.u32(u32::try_from(self.tests.len()).unwrap_or(u32::MAX));
        for test in &self.tests {
            test.encode(out);
        }
    }

    pub(crate) fn parse(fields: &mut Decoder<'_>) -> Result<Self, WireError> {
        let entity = fields.u32("the entity")?;
        let outcome = Outcome::parse(fields)?;
        let microseconds = fields.u64("the duration")?;
        let n_tests = fields.u32("the number of tests")?;
        // Not reserved: the count has not been compared with anything.
        let mut tests = Vec::new();
        for _ in 0..n_tests {
            tests.push(TestEnd::parse(fields)?);
        }
        Ok(Self {
            entity,
            outcome,
            microseconds,
            tests,
        })
    }
}

impl TestEnd {
    fn encode(&self, out: &mut Encoder) {
        out.bytes(&self.name);
        self.outcome.encode(out);
        out.u64(self.microseconds);
    }

    fn parse(fields: &mut Decoder<'_>) -> Result<Self, WireError> {
        Ok(Self {
            name: fields.bytes("the test's name")?.to_vec(),
            outcome: Outcome::parse(fields)?,
            microseconds: fields.u64("the duration")?,
        })
    }
}

impl Outcome {
    fn encode(self, out: &mut Encoder) {
        out.u8(match self {
            Self::Skipped => 0,
            Self::Passed => 1,
            Self::Aborted => 2,
            Self::Failed => 3,
        });
    }

    fn parse(fields: &mut Decoder<'_>) -> Result<Self, WireError> {
        match fields.u8("the outcome")? {
            0 => Ok(Self::Skipped),
            1 => Ok(Self::Passed),
            2 => Ok(Self::Aborted),
            3 => Ok(Self::Failed),
            other => Err(fields.unknown_value("the outcome", other)),
        }
    }
}
