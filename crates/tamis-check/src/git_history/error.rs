//! Why a history cannot be gone through. What a tool does is never among it.

use std::io;
use std::path::PathBuf;

/// A history cannot be gone through.
#[derive(Debug, thiserror::Error)]
pub enum HistoryError {
    /// git does not do what it is asked for.
    #[error("git cannot {what}: {said}")]
    Git {
        /// What it was to do.
        what: String,
        /// Its first words.
        said: String,
    },
    /// There is nothing to compare.
    #[error("the history has {0} such revisions; a check needs two")]
    TooShort(usize),
    /// Not one revision could be built and tested.
    #[error("no revision can be built and tested; the last one: {0}")]
    NothingBuilt(String),
    /// Checkouts cannot be made or read.
    #[error("cannot use the checkouts in `{}`", place.display())]
    Work {
        /// Where they are.
        place: PathBuf,
        /// Why not.
        #[source]
        cause: io::Error,
    },
    /// A line of the result cannot be written.
    #[error("cannot write the result")]
    Write(#[source] io::Error),
}
