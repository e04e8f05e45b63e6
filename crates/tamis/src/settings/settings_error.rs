//! What can be wrong with what a user has set.

use std::fmt;
use std::io;
use std::path::PathBuf;

use tamis_build::path_text;

use super::key::{Key, Shape};
use crate::similar::similar;

/// Where a value comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Origin {
    /// Nobody set it.
    BuiltIn,
    /// A file; the line where one is meant.
    File { path: PathBuf, line: Option<usize> },
    /// An environment variable.
    Variable(String),
    /// An option.
    CommandLine,
}

/// Something that was set cannot be used.
#[derive(Debug, thiserror::Error)]
#[error("cannot use {place}")]
pub(crate) struct SettingsError {
    /// Where it was set.
    pub(crate) place: Origin,
    /// Why not.
    #[source]
    pub(crate) kind: SettingsErrorKind,
}

/// Why something that was set cannot be used.
#[derive(Debug, thiserror::Error)]
pub(crate) enum SettingsErrorKind {
    #[error("it cannot be read")]
    Read(#[source] io::Error),
    #[error("it is no TOML: {0}")]
    Syntax(String),
    #[error("there is no key `{name}`")]
    UnknownKey { name: String },
    #[error("`{}` is {}", key.name(), key.shape())]
    WrongShape { key: Key },
    #[error("`{}` cannot be {found}: {reason}", key.name())]
    WrongValue {
        key: Key,
        found: String,
        reason: String,
    },
    #[error("`{name}` of Ekstazi is {}", Shape::Flag)]
    WrongEkstaziShape { name: &'static str },
    #[error("`{name}` of Ekstazi cannot be set here: {reason}")]
    Ekstazi {
        name: &'static str,
        reason: &'static str,
    },
}

impl SettingsErrorKind {
    /// Names that may have been meant.
    pub(crate) fn similar(&self) -> Vec<String> {
        match self {
            Self::UnknownKey { name } => {
                let name = name.replace('_', "-");
                similar(&name, Key::ALL.iter().map(|key| key.name()))
            }
            _ => Vec::new(),
        }
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::BuiltIn => f.write_str("built in"),
            Self::File { path, line: None } => write!(f, "`{}`", path_text(path)),
            Self::File {
                path,
                line: Some(line),
            } => write!(f, "`{}`, line {line}", path_text(path)),
            Self::Variable(name) => write!(f, "the variable `{name}`"),
            Self::CommandLine => f.write_str("the command line"),
        }
    }
}
