//! Tamis, as a user runs it.
//!
//! In each step it is run by each mesh, from coarse to fine. Only the run of the finest mesh records, so that all meshes
//! answer from the same records. By single test methods it is another tool, with records of its own.

use std::process::Command;

use super::{Granularity, Order, RunError, TamisChoice, Tool, ToolRun};
use crate::history::Variant;
use crate::steps::Step;

/// From coarse to fine. The last one records.
const MESHES: &[&str] = &["file", "method", "dispatch", FINEST];
const FINEST: &str = "block";

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
        if mesh != FINEST {
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
            keeps_data: *mesh == FINEST,
        });
        variants.collect()
    }

    fn has_turn(&self, batch: usize) -> bool {
        let is_even = batch.is_multiple_of(2);
        !self.choice.takes_turns || is_even == (self.choice.granularity == Granularity::Class)
    }

    fn takes(&self, _step: Step) -> bool {
        true
    }

    fn run(&self, order: &Order<'_>) -> Result<Vec<(String, ToolRun)>, RunError> {
        let by_mesh = |mesh| order.run(&mut self.command(order, mesh));
        if !mesh_decides(order.step) {
            let run = by_mesh(FINEST)?;
            let meshes = MESHES.iter();
            let shared = meshes.map(|mesh| (self.variant_name(mesh), run.clone()));
            return Ok(shared.collect());
        }
        let mut runs = Vec::new();
        for mesh in MESHES {
            runs.push((self.variant_name(mesh), by_mesh(mesh)?));
        }
        Ok(runs)
    }
}

/// Whether meshes may select differently. Where there are no records yet, or everything is forced to run, one run stands
/// for all: the others would record nothing and run the same tests.
fn mesh_decides(step: Step) -> bool {
    !matches!(step, Step::First | Step::Killed)
}

#[cfg(test)]
mod tests {
    use std::fs::{self, Permissions};
    use std::os::unix::fs::PermissionsExt as _;
    use std::path::PathBuf;
    use std::time::Duration;

    use super::*;
    use crate::java_side::tests::imagined;
    use crate::process::Stop;
    use crate::project::{Choice, Project};

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

    /// The variants of a step, and the meshes that a program was called with.
    fn run(step: Step) -> (Vec<String>, String) {
        let dir = tempfile::tempdir().unwrap();
        let program = dir.path().join("tamis");
        let calls = dir.path().join("calls");
        let script = format!("#!/bin/sh\necho \"$4\" >> {}\n", calls.display());
        fs::write(&program, script).unwrap();
        fs::set_permissions(&program, Permissions::from_mode(0o755)).unwrap();
        let tamis = Tamis::new(TamisChoice {
            program,
            granularity: Granularity::Class,
            takes_turns: false,
        });
        let project = Project::create(&dir.path().join("place")).unwrap();
        project
            .prepare(&Choice::Classes(Vec::new()), false)
            .unwrap();
        let order = Order {
            step,
            project: &project,
            java: &imagined(),
            limit: Duration::from_mins(5),
            stop: &Stop::default(),
        };
        let Ok(runs) = tamis.run(&order) else {
            panic!("the script does nothing wrong");
        };
        let variants = runs.into_iter().map(|(variant, _)| variant).collect();
        (variants, fs::read_to_string(calls).unwrap())
    }

    #[test]
    fn where_no_mesh_decides_one_run_stands_for_all() {
        let (variants, calls) = run(Step::Evolved);
        assert_eq!(calls, "file\nmethod\ndispatch\nblock\n");
        for step in [Step::First, Step::Killed] {
            assert_eq!(run(step), (variants.clone(), "block\n".to_owned()));
        }
    }
}
