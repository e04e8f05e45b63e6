//! Tamis, as a user runs it.
//!
//! Before each run it is asked by each mesh what it would run, so that all meshes are read off one recorded run. The run
//! itself is that of the finest mesh.

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;
use std::process::Command;

use serde::Deserialize;

use super::{FailureKind, Order, RunError, Tool, ToolFailure, ToolRun};
use crate::history::Variant;
use crate::steps::Step;

/// From coarse to fine. The last one runs.
const MESHES: &[&str] = &["file", "method"];

/// What `tamis select` returns while nothing is known.
const NOTHING_KNOWN: i32 = 64;

/// What a user may have set for other projects.
const SETTINGS: &[&str] = &[
    "TAMIS_ENABLED",
    "TAMIS_MESH",
    "TAMIS_RUN_ALL",
    "TAMIS_RECORD",
    "TAMIS_STORE",
    "TAMIS_MAX_AGE",
    "TAMIS_RECORDS_KEPT",
    "TAMIS_DEBUG_INFO",
    "TAMIS_IGNORED_FILES",
];

pub(crate) struct Tamis {
    program: PathBuf,
}

/// What is read of the JSON of `tamis select`.
#[derive(Debug, Deserialize)]
struct Selection {
    entities: Vec<Entity>,
    realms: Vec<Realm>,
}

#[derive(Debug, Deserialize)]
struct Entity {
    name: String,
    is_selected: bool,
}

#[derive(Debug, Deserialize)]
struct Realm {
    unknown_classes: Vec<String>,
}

impl Tamis {
    pub(crate) fn new(program: PathBuf) -> Self {
        Self { program }
    }

    /// A command of Tamis', the same in each step but for its options. Variables are what tests may see, so they are
    /// the same too.
    fn command(&self, order: &Order<'_>, arguments: &[&str]) -> Command {
        let mut command = Command::new(&self.program);
        command.args(arguments);
        command.arg("--store").arg(order.project.data());
        command.env("XDG_CONFIG_HOME", order.project.data().join("no-settings"));
        for setting in SETTINGS {
            command.env_remove(setting);
        }
        command
    }

    /// The test classes that a mesh would run, or nothing if nothing is known yet.
    fn ask(&self, order: &Order<'_>, mesh: &str) -> Result<Option<BTreeSet<String>>, RunError> {
        let answer = order
            .project
            .data()
            .join(format!("selected-by-{mesh}.json"));
        let arguments = ["select", "--no-build", "--mesh", mesh, "--format", "json"];
        let mut command = self.command(order, &arguments);
        let code = order.exit_code(command.arg("--output").arg(&answer))?;
        if code == NOTHING_KNOWN && order.step == Step::First {
            return Ok(None);
        }
        if code != 0 {
            let text = format!("`select` ended with exit code {code}: {}", order.said());
            return Err(ToolFailure::error(FailureKind::Crashed, text));
        }
        let text = fs::read(&answer).map_err(|cause| not_understood(&cause))?;
        let selection: Selection =
            serde_json::from_slice(&text).map_err(|cause| not_understood(&cause))?;
        Ok(Some(selection.classes()))
    }
}

impl Selection {
    /// What is not known runs.
    fn classes(self) -> BTreeSet<String> {
        let selected = self
            .entities
            .into_iter()
            .filter(|entity| entity.is_selected);
        let selected = selected.map(|entity| entity.name);
        let unknown = self
            .realms
            .into_iter()
            .flat_map(|realm| realm.unknown_classes);
        selected
            .chain(unknown)
            .map(|name| name.replace('/', "."))
            .collect()
    }
}

impl Tool for Tamis {
    fn name(&self) -> &'static str {
        "tamis"
    }

    fn variants(&self) -> Vec<Variant> {
        let meshes = (0..).zip(MESHES);
        let variants = meshes.map(|(fineness, mesh)| Variant {
            name: format!("tamis-{mesh}"),
            tool: self.name().to_owned(),
            fineness,
        });
        variants.collect()
    }

    fn can_be_forced(&self) -> bool {
        true
    }

    fn run(&self, order: &Order<'_>) -> Result<ToolRun, RunError> {
        let (finest, asked_only) = MESHES.split_last().expect("there are meshes");
        let is_forced = order.step == Step::Killed;
        let mut asked = Vec::new();
        for mesh in asked_only {
            let answer = if is_forced {
                None
            } else {
                self.ask(order, mesh)?
            };
            asked.push((format!("tamis-{mesh}"), answer));
        }
        let mut command = self.command(order, &["run", "--quiet", "--mesh", finest]);
        if is_forced {
            command.arg("--all");
        }
        let mut run = order.run(command.arg("--").args(order.plain_command()))?;
        run.asked = asked.into_iter().collect();
        Ok(run)
    }
}

fn not_understood(cause: &dyn std::fmt::Display) -> RunError {
    let text = format!("cannot read what `select` answered: {cause}");
    ToolFailure::error(FailureKind::BrokenReport, text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_selected_and_what_is_not_known_runs() {
        let json = r#"{"format": "tamis.select/1",
            "entities": [{"name": "p1.T1", "is_selected": true}, {"name": "p1.T2", "is_selected": false}],
            "realms": [{"unknown_classes": ["p2/T1"]}]}"#;
        let selection: Selection = serde_json::from_str(json).unwrap();
        let expected = ["p1.T1", "p2.T1"].map(str::to_owned);
        assert_eq!(selection.classes(), BTreeSet::from(expected));
    }
}
