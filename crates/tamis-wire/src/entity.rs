//! Entities: what a framework is about to run, whether it may, and how it went.

use crate::error::WireError;
use crate::field::{Decoder, Encoder};

/// A framework shows an entity before it runs it, and waits for a [`Verdict`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Discovered {
    /// Stands for the entity in this JVM.
    pub entity: u32,
    /// Its name, as the framework has it.
    pub name: Vec<u8>,
    /// The tests in it.
    pub tests: Vec<Vec<u8>>,
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
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EntityEnd {
    /// Which.
    pub entity: u32,
    /// How it went.
    pub outcome: Outcome,
    /// How long it took.
    pub microseconds: u64,
}

/// How an entity went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Every test in it passed.
    Passed,
    /// A test in it failed.
    Failed,
    /// The framework did not run it, or gave up.
    Aborted,
}

impl Discovered {
    pub(crate) fn encode(&self, out: &mut Encoder) {
        out.u32(self.entity);
        out.bytes(&self.name);
        out.list(&self.tests);
    }

    pub(crate) fn parse(fields: &mut Decoder<'_>) -> Result<Self, WireError> {
        Ok(Self {
            entity: fields.u32("the entity")?,
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
    pub(crate) fn encode(self, out: &mut Encoder) {
        out.u32(self.entity);
        out.u8(match self.outcome {
            Outcome::Passed => 0,
            Outcome::Failed => 1,
            Outcome::Aborted => 2,
        });
        out.u64(self.microseconds);
    }

    pub(crate) fn parse(fields: &mut Decoder<'_>) -> Result<Self, WireError> {
        Ok(Self {
            entity: fields.u32("the entity")?,
            outcome: match fields.u8("the outcome")? {
                0 => Outcome::Passed,
                1 => Outcome::Failed,
                2 => Outcome::Aborted,
                other => return Err(fields.unknown_value("the outcome", other)),
            },
            microseconds: fields.u64("the duration")?,
        })
    }
}
