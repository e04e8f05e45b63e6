//! The life of an evolving program: the steps in which it is run, each with the data of the steps before.

use serde::{Deserialize, Serialize};

use crate::evolving::Side;

/// A step. Its name is what `TAMIS_CHECK_STEP` and the JSON of a history say.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Step {
    /// The first revision, of which no tool knows anything.
    First,
    /// The same revision again: there is nothing to run.
    Again,
    /// The second revision, of which only the first test of each class is asked for.
    Filtered,
    /// The second revision, all tests.
    Evolved,
    /// The same revision again: only what failed is to be run.
    EvolvedAgain,
    /// The first revision again.
    Back,
    /// The first revision; everything is forced to run, and the JVM fails after its tests.
    Killed,
    /// The first revision: everything is to be run again.
    AfterKilled,
}

impl Step {
    /// All of them, in order.
    pub const ALL: &'static [Self] = &[
        Self::First,
        Self::Again,
        Self::Filtered,
        Self::Evolved,
        Self::EvolvedAgain,
        Self::Back,
        Self::Killed,
        Self::AfterKilled,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Self::First => "first",
            Self::Again => "again",
            Self::Filtered => "filtered",
            Self::Evolved => "evolved",
            Self::EvolvedAgain => "evolved-again",
            Self::Back => "back",
            Self::Killed => "killed",
            Self::AfterKilled => "after-killed",
        }
    }

    pub fn revision(self) -> Side {
        match self {
            Self::Filtered | Self::Evolved | Self::EvolvedAgain => Side::After,
            Self::First | Self::Again | Self::Back | Self::Killed | Self::AfterKilled => {
                Side::Before
            }
        }
    }

    /// Whether the tool must be told to run everything, which not every tool can be.
    pub fn needs_force(self) -> bool {
        matches!(self, Self::Killed | Self::AfterKilled)
    }

    /// The step that failures of this one are compared with, where the program is another than in the step before.
    pub(crate) fn compared_with(self) -> Option<Self> {
        match self {
            Self::Filtered | Self::Evolved => Some(Self::First),
            Self::Back => Some(Self::Evolved),
            Self::First | Self::Again | Self::EvolvedAgain | Self::Killed | Self::AfterKilled => {
                None
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_of_the_json() {
        for step in Step::ALL {
            let json = serde_json::to_string(step).unwrap();
            assert_eq!(json, format!("\"{}\"", step.name()));
        }
    }
}
