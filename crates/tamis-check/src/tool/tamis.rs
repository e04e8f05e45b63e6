//! Tamis, as a user runs it.
//!
//! In each step it is run by each mesh, from coarse to fine. Only the run of the finest mesh records, so that all meshes
//! answer from the same records. By single test methods it is another tool, with records of its own.

use std::process::Command;

use super::{Granularity, Order, RunError, TamisChoice, Tool, ToolRun};
use crate::history::Variant;
use crate::steps::Step;

/// From coarse to fine. The last one records.
const MESHES: &[&str] = &["file", "method", "dispatch", "block"];

/// What a user may have set for other projects.
const SETTINGS: &[&str] = &[
    "TAMIS_ENABLED",
    "TAMIS_MESH",
    "TAMIS_GRANULARITY",
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
    choice: TamisChoice,
}

impl Tamis {
    pub(crate) fn new(choice: TamisChoice) -> Self {
        Self { choice }
    }

    fn variant_name(&self, mesh: &str) -> String {
        format!("{}-{mesh}", self.name())
    }

    /// The variables are what tests may see, so they are the same in each step.
    fn command(&self, order: &Order<'_>, mesh: &str) -> Command {
        let mut command = Command::new(&self.choice.program);
        command
            .args(["run", "--quiet", "--mesh", mesh])
            .args(["--granularity", self.choice.granularity.name(), "--store"])
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
        self.choice.granularity.tool()
    }

    fn variants(&self) -> Vec<Variant> {
        let meshes = (0..).zip(MESHES);
        let variants = meshes.map(|(fineness, mesh)| Variant {
            name: self.variant_name(mesh),
            tool: self.name().to_owned(),
            fineness,
            keeps_data: is_finest(mesh),
        });
        variants.collect()
    }

    fn has_turn(&self, batch: usize) -> bool {
        let is_even = batch.is_multiple_of(2);
        !self.choice.takes_turns || is_even == (self.choice.granularity == Granularity::Class)
    }

    fn can_be_forced(&self) -> bool {
        true
    }

    fn run(&self, order: &Order<'_>) -> Result<Vec<(String, ToolRun)>, RunError> {
        let mut runs = Vec::new();
        for mesh in MESHES {
            let run = order.run(&mut self.command(order, mesh))?;
            runs.push((self.variant_name(mesh), run));
        }
        Ok(runs)
    }
}

fn is_finest(mesh: &str) -> bool {
    MESHES.last() == Some(&mesh)
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;

    fn turns(granularity: Granularity, takes_turns: bool) -> [bool; 3] {
        let tamis = Tamis::new(TamisChoice {
            program: PathBuf::from("tamis"),
            granularity,
            takes_turns,
        });
        [0, 1, 2].map(|batch| tamis.has_turn(batch))
    }

    #[test]
    fn granularities_share_the_batches_or_have_all() {
        assert_eq!(turns(Granularity::Class, true), [true, false, true]);
        assert_eq!(turns(Granularity::Method, true), [false, true, false]);
        assert_eq!(turns(Granularity::Method, false), [true; 3]);
    }
}
