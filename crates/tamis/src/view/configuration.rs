//! What is set and where, as `tamis config show` shows it.

use serde::Serialize;
use tamis_build::path_text;

use crate::settings::{Key, Origin, Settings, Value};

/// The document that `tamis config show --format json` prints.
#[derive(Debug, Serialize)]
pub(crate) struct ConfigReport {
    format: &'static str,
    /// The files that were read, the later overriding the earlier.
    files: Vec<String>,
    pub(crate) values: Vec<SettingView>,
}

#[derive(Debug, Serialize)]
pub(crate) struct SettingView {
    pub(crate) key: &'static str,
    pub(crate) value: Value,
    pub(crate) origin: OriginView,
}

#[derive(Debug, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub(crate) enum OriginView {
    BuiltIn,
    File { path: String, line: Option<usize> },
    Variable { name: String },
    CommandLine,
}

impl ConfigReport {
    pub(crate) fn new(settings: &Settings) -> Self {
        let values = Key::ALL.iter().map(|key| SettingView {
            key: key.name(),
            value: settings.value(*key),
            origin: OriginView::new(settings.origin(*key)),
        });
        Self {
            format: "tamis.config/1",
            files: settings.files.iter().map(|path| path_text(path)).collect(),
            values: values.collect(),
        }
    }
}

impl OriginView {
    fn new(origin: &Origin) -> Self {
        match origin {
            Origin::BuiltIn => Self::BuiltIn,
            Origin::File { path, line } => Self::File {
                path: path_text(path),
                line: *line,
            },
            Origin::Variable(name) => Self::Variable { name: name.clone() },
            Origin::CommandLine => Self::CommandLine,
        }
    }
}
