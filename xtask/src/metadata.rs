//! What `cargo metadata` says of the workspace: its crates and the edges between them.

use std::path::PathBuf;

use anyhow::{Context, Result};
use serde_json::Value;

use crate::command::output_of;
use crate::workplace::Workplace;

/// The workspace as cargo sees it.
#[derive(Debug)]
pub(crate) struct Metadata(Value);

/// That one crate needs another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Edge {
    pub(crate) from: String,
    pub(crate) to: String,
    /// Whether only tests, examples and benchmarks need it.
    pub(crate) is_dev: bool,
}

impl Metadata {
    /// Asks cargo; nothing is downloaded, since the packages of others are left out.
    pub(crate) fn load(workplace: &Workplace) -> Result<Self> {
        let mut command = workplace.cargo(&["metadata", "--format-version=1", "--no-deps"])?;
        let text = output_of(&mut command)?;
        let value = serde_json::from_str(&text).context("`cargo metadata` prints JSON")?;
        Ok(Self(value))
    }

    /// Where cargo puts what it builds.
    pub(crate) fn target_directory(&self) -> Result<PathBuf> {
        let directory = self.0["target_directory"].as_str();
        Ok(PathBuf::from(
            directory.context("`cargo metadata` names the target directory")?,
        ))
    }

    /// The names of the workspace's crates, sorted.
    pub(crate) fn crates(&self) -> Vec<String> {
        let mut names: Vec<String> = self.packages().map(name).collect();
        names.sort();
        names
    }

    /// Every dependency of every crate of the workspace.
    pub(crate) fn edges(&self) -> Vec<Edge> {
        self.packages()
            .flat_map(|package| {
                array(&package["dependencies"]).map(move |dependency| Edge {
                    from: name(package),
                    to: name(dependency),
                    is_dev: dependency["kind"] == "dev",
                })
            })
            .collect()
    }

    fn packages(&self) -> impl Iterator<Item = &Value> {
        array(&self.0["packages"])
    }
}

fn array(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

fn name(value: &Value) -> String {
    value["name"].as_str().unwrap_or_default().to_owned()
}
