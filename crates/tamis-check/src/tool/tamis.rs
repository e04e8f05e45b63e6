//! Tamis, as a user runs it.
//!
//! In each step it is run by each mesh, from coarse to fine. Only the run of the finest mesh records, so that all meshes
//! answer from the same records.

use std::path::PathBuf;
use std::process::Command;

use super::{Order, RunError, Tool, ToolRun};
use crate::history::Variant;
use crate::steps::Step;

/// From coarse to fine. The last one records.
const MESHES: &[&str] = &["file", "method", "dispatch", "block"];

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
    "TAMIS_ALWAYS_RUN",
    "TAMIS_NETWORK",
    "TAMIS_PROCESSES",
];

pub(crate) struct Tamis {
    program: PathBuf,
}

impl Tamis {
    pub(crate) fn new(program: PathBuf) -> Self {
        Self { program }
    }

    /// The variables are what tests may see, so they are the same in each step.
    fn command(&self, order: &Order<'_>, mesh: &str) -> Command {
        let mut command = Command::new(&self.program);
        command
            .args(["run", "--quiet", "--mesh", mesh, "--store"])
            .arg(order.project.data())
            .env("XDG_CONFIG_HOME", order.project.data().join("no-settings"));
        for setting in SETTINGS {
            command.env_remove(setting);
        }
        if order.step == Step::Killed {
            command.arg("--all");
        }
        if !is_finest(mesh) {
            command.arg("--no-record");
        }
        command.arg("--").args(order.plain_command());
        command
    }
}

impl Tool for Tamis {
    fn name(&self) -> &'static str {
        "tamis"
    }

    fn variants(&self) -> Vec<Variant> {
        let meshes = (0..).zip(MESHES);
        let variants = meshes.map(|(fineness, mesh)| Variant {
            name: variant_name(mesh),
            tool: self.name().to_owned(),
            fineness,
            keeps_data: is_finest(mesh),
        });
        variants.collect()
    }

    fn can_be_forced(&self) -> bool {
        true
    }

    fn run(&self, order: &Order<'_>) -> Result<Vec<(String, ToolRun)>, RunError> {
        let mut runs = Vec::new();
        for mesh in MESHES {
            let run = order.run(&mut self.command(order, mesh))?;
            runs.push((variant_name(mesh), run));
        }
        Ok(runs)
    }
}

fn is_finest(mesh: &str) -> bool {
    MESHES.last() == Some(&mesh)
}

fn variant_name(mesh: &str) -> String {
    format!("tamis-{mesh}")
}
