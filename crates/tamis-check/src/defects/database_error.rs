//! Why bugs of a database cannot be gone through. What a tool does is never among it.

use std::io;
use std::path::PathBuf;

use tamis_build::path_text;

use super::bug_name::BugName;
use crate::git_history::HistoryError;

/// The bugs of a database cannot be gone through.
#[derive(Debug, thiserror::Error)]
pub enum DefectsError {
    /// The database itself.
    #[error(transparent)]
    Database(#[from] DatabaseError),
    /// A project was named.
    #[error("no repository of `{0}` is known")]
    NoRepository(String),
    /// So was one that is not there.
    #[error("the database has no project `{0}`")]
    NoProject(String),
    /// A bug was named.
    #[error("the database has no bug `{0}`")]
    NoBug(BugName),
    /// No project of the database has a repository.
    #[error("no repository of any of the database's projects is known")]
    NothingChosen,
    /// Not one bug could be run.
    #[error("no bug can be run here; the last one: {0}")]
    NothingRun(String),
    /// Checkouts, or lines of the result.
    #[error(transparent)]
    History(#[from] HistoryError),
}

/// A file of a database cannot be read.
#[derive(Debug, thiserror::Error)]
#[error("cannot read `{}`", path_text(file))]
pub struct DatabaseError {
    pub file: PathBuf,
    #[source]
    pub kind: DatabaseErrorKind,
}

#[derive(Debug, thiserror::Error)]
pub enum DatabaseErrorKind {
    #[error(transparent)]
    Read(#[from] io::Error),
    /// The first line names columns.
    #[error("it has no column `{0}`")]
    NoColumn(&'static str),
    /// A line of a table.
    #[error("line {line}: `{text}` is no {what}")]
    NotUnderstood {
        /// From 1 on.
        line: usize,
        what: &'static str,
        text: String,
    },
    /// Nothing reveals the bug.
    #[error("it names no test")]
    NoTest,
}
