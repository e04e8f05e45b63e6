//! What can go wrong with a store. Whoever meets one of these runs all tests and records nothing.

use std::io;
use std::path::PathBuf;

/// The store cannot be opened or made.
#[derive(Debug, thiserror::Error)]
#[error("cannot open the store in `{}`", directory.display())]
pub struct OpenError {
    /// Where it was looked for.
    pub directory: PathBuf,
    /// Why.
    #[source]
    pub kind: OpenErrorKind,
}

/// Why a store cannot be opened.
#[derive(Debug, thiserror::Error)]
pub enum OpenErrorKind {
    /// The directory cannot be made or written to.
    #[error("its directory cannot be used")]
    Directory(#[source] io::Error),
    /// What is there is no store, and cannot be moved out of the way either.
    #[error("what is there cannot be used, and cannot be set aside")]
    SetAside(#[source] io::Error),
    /// The database does not answer.
    #[error("the database cannot be used")]
    Database(#[source] rusqlite::Error),
}

/// Something that is known cannot be read, or something new cannot be kept.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The database does not answer, is full, or was taken away.
    #[error("the store cannot be used")]
    Database(#[from] rusqlite::Error),
    /// What is to be kept cannot be compressed, for want of memory.
    #[error("what is to be kept cannot be compressed")]
    Packing(#[source] io::Error),
    /// What is in a field cannot be understood.
    #[error("the store is damaged: {what} cannot be understood")]
    Damaged {
        /// Which field.
        what: &'static str,
    },
}
