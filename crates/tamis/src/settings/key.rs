//! What can be set: its name in files, in the environment, and what values it takes.

use std::fmt;

use serde::Serialize;

/// Something that can be set.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Key {
    Enabled,
    Mesh,
    AsFile,
    Granularity,
    RunAll,
    Record,
    Store,
    MaxAge,
    RecordsKept,
    DebugInfo,
    IgnoredFiles,
    AlwaysRun,
    Network,
    Processes,
    LeftState,
}

/// A value as TOML and JSON write it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub(crate) enum Value {
    Flag(bool),
    Number(u64),
    Text(String),
    List(Vec<String>),
}

/// The kind of value that a key takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shape {
    Flag,
    Number,
    Text,
    List,
}

impl Key {
    /// All of them, in the order in which they are shown.
    pub(crate) const ALL: &[Self] = &[
        Self::Enabled,
        Self::Mesh,
        Self::AsFile,
        Self::Granularity,
        Self::RunAll,
        Self::Record,
        Self::Store,
        Self::MaxAge,
        Self::RecordsKept,
        Self::DebugInfo,
        Self::IgnoredFiles,
        Self::AlwaysRun,
        Self::Network,
        Self::Processes,
        Self::LeftState,
    ];

    /// Its name in files.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Enabled => "enabled",
            Self::Mesh => "mesh",
            Self::AsFile => "as-file",
            Self::Granularity => "granularity",
            Self::RunAll => "run-all",
            Self::Record => "record",
            Self::Store => "store",
            Self::MaxAge => "max-age",
            Self::RecordsKept => "records-kept",
            Self::DebugInfo => "debug-info",
            Self::IgnoredFiles => "ignored-files",
            Self::AlwaysRun => "always-run",
            Self::Network => "network",
            Self::Processes => "processes",
            Self::LeftState => "left-state",
        }
    }

    /// The key of a name.
    pub(crate) fn of(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|key| key.name() == name)
    }

    /// Its name in the environment: `TAMIS_MAX_AGE`.
    pub(crate) fn variable(self) -> String {
        let name = self.name().to_uppercase().replace('-', "_");
        format!("TAMIS_{name}")
    }

    /// What values it takes.
    pub(crate) fn shape(self) -> Shape {
        match self {
            Self::Enabled | Self::RunAll | Self::Record | Self::DebugInfo => Shape::Flag,
            Self::MaxAge | Self::RecordsKept => Shape::Number,
            Self::Mesh
            | Self::Granularity
            | Self::Store
            | Self::Network
            | Self::Processes
            | Self::LeftState => Shape::Text,
            Self::AsFile | Self::IgnoredFiles | Self::AlwaysRun => Shape::List,
        }
    }
}

impl Value {
    /// A value as the environment has it: lists are separated by commas.
    pub(super) fn parse(text: &str, shape: Shape) -> Option<Self> {
        Some(match shape {
            Shape::Flag => Self::Flag(match text {
                "true" | "1" => true,
                "false" | "0" => false,
                _ => return None,
            }),
            Shape::Number => Self::Number(text.parse().ok()?),
            Shape::Text => Self::Text(text.to_owned()),
            Shape::List => {
                let items = text.split(',').map(str::trim);
                let items = items.filter(|item| !item.is_empty());
                Self::List(items.map(str::to_owned).collect())
            }
        })
    }
}

impl fmt::Display for Value {
    /// As a file has it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // The strings of JSON are strings of TOML too.
        let quoted = |text: &String| serde_json::Value::from(text.as_str()).to_string();
        match self {
            Self::Flag(flag) => write!(f, "{flag}"),
            Self::Number(number) => write!(f, "{number}"),
            Self::Text(text) => f.write_str(&quoted(text)),
            Self::List(items) => {
                let items: Vec<String> = items.iter().map(quoted).collect();
                write!(f, "[{}]", items.join(", "))
            }
        }
    }
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Flag => "`true` or `false`",
            Self::Number => "a number",
            Self::Text => "a string",
            Self::List => "a list of strings",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found_again() {
        for key in Key::ALL {
            assert_eq!(Key::of(key.name()), Some(*key));
        }
        assert_eq!(Key::of("max_age"), None);
        assert_eq!(Key::MaxAge.variable(), "TAMIS_MAX_AGE");
    }

    #[test]
    fn the_environment_has_text_only() {
        assert_eq!(Value::parse("1", Shape::Flag), Some(Value::Flag(true)));
        assert_eq!(Value::parse("yes", Shape::Flag), None);
        assert_eq!(Value::parse("-3", Shape::Number), None);
        let list = Value::parse("a, ,b", Shape::List).unwrap();
        assert_eq!(list.to_string(), r#"["a", "b"]"#);
    }
}
