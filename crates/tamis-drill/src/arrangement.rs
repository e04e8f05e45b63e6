//! How the test classes of a suite share JVMs: in the run that is recorded, and in those that tell the truth.

use std::fmt;

use clap::ValueEnum;
use serde::{Deserialize, Serialize};

use crate::random::Random;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Arrangement {
    /// All in one JVM, by name
    InOrder,
    /// All in one JVM, in an order that the seed decides
    Shuffled,
    /// Each in a JVM of its own
    PerClass,
    /// All in one JVM, several at once
    Parallel,
}

/// So many test classes run at once where several do.
pub(crate) const N_THREADS: usize = 4;

impl Arrangement {
    pub(crate) const ALL: [Self; 4] = [
        Self::InOrder,
        Self::Shuffled,
        Self::PerClass,
        Self::Parallel,
    ];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::InOrder => "in-order",
            Self::Shuffled => "shuffled",
            Self::PerClass => "per-class",
            Self::Parallel => "parallel",
        }
    }

    /// Puts the test classes into the order in which they run.
    pub(crate) fn arrange(self, classes: &mut [String], seed: u64) {
        classes.sort();
        if self == Self::Shuffled {
            Random::new(seed).shuffle(classes);
        }
    }

    /// So often the suite runs before anything is compared with it. Tests that are not made to run at once do not show
    /// it each time.
    pub(crate) fn n_repetitions(self) -> usize {
        match self {
            Self::Parallel => 8,
            _ => 3,
        }
    }
}

impl fmt::Display for Arrangement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_of_the_arguments_and_of_the_output() {
        for arrangement in Arrangement::ALL {
            let name = arrangement.name();
            assert_eq!(Arrangement::from_str(name, false), Ok(arrangement));
            let json = serde_json::to_string(&arrangement).unwrap();
            assert_eq!(json, format!("\"{name}\""));
        }
        assert_eq!(Arrangement::ALL, Arrangement::value_variants());
    }

    #[test]
    fn only_what_is_shuffled_depends_on_the_seed() {
        let arranged = |arrangement: Arrangement, seed| {
            let mut classes: Vec<String> =
                (b'a'..=b'z').map(|c| char::from(c).to_string()).collect();
            classes.reverse();
            arrangement.arrange(&mut classes, seed);
            classes
        };
        let sorted = arranged(Arrangement::InOrder, 1);
        assert!(sorted.is_sorted());
        assert_eq!(arranged(Arrangement::PerClass, 2), sorted);
        assert_eq!(arranged(Arrangement::Parallel, 2), sorted);
        let shuffled = arranged(Arrangement::Shuffled, 1);
        assert_eq!(arranged(Arrangement::Shuffled, 1), shuffled);
        assert_ne!(arranged(Arrangement::Shuffled, 2), shuffled);
        assert_ne!(shuffled, sorted);
    }
}
