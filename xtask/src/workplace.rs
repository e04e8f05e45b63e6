//! Where the commands work: the repository, and the JDKs that child processes are told of.

use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};
use tamis_build::{FoundJdks, Jdk, JdkPlaces};

/// The repository and what was found for it on this machine.
#[derive(Debug)]
pub(crate) struct Workplace {
    pub(crate) root: PathBuf,
    /// Homes beyond those every process finds by itself.
    named_jdks: Vec<PathBuf>,
}

impl Workplace {
    /// The repository this program was compiled in, and the JDKs named in the environment.
    pub(crate) fn new() -> Result<Self> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent();
        let named = env::var_os("TAMIS_JDKS").unwrap_or_default();
        let named = env::split_paths(&named).filter(|home| !home.as_os_str().is_empty());
        Ok(Self {
            root: root.context("xtask lies in the repository")?.to_path_buf(),
            named_jdks: named.collect(),
        })
    }

    /// Whether this is a run that must not make do with less than everything.
    pub(crate) fn is_ci() -> bool {
        env::var_os("CI").is_some_and(|value| value == "true")
    }

    /// Adds homes to those that child processes are told of.
    pub(crate) fn name_jdks(&mut self, homes: impl IntoIterator<Item = PathBuf>) {
        self.named_jdks.extend(homes);
    }

    /// The JDKs that a child process finds.
    pub(crate) fn jdks(&self) -> Result<FoundJdks> {
        let places = JdkPlaces {
            named: Some(self.named_jdks_as_list()?),
            ..JdkPlaces::of_this_process()
        };
        Jdk::find_in(&places).context("cannot take stock of the JDKs; see TAMIS_JDKS")
    }

    /// A command that runs in the repository and finds the same JDKs.
    pub(crate) fn command(&self, program: impl Into<OsString>) -> Result<Command> {
        let mut command = Command::new(program.into());
        command.current_dir(&self.root);
        command.env("TAMIS_JDKS", self.named_jdks_as_list()?);
        if Self::is_ci() {
            command.env("TAMIS_SLOW_TESTS", "1");
        }
        Ok(command)
    }

    /// The `cargo` that runs this program, with `arguments`.
    pub(crate) fn cargo(&self, arguments: &[&str]) -> Result<Command> {
        let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let mut command = self.command(cargo)?;
        command.args(arguments);
        Ok(command)
    }

    fn named_jdks_as_list(&self) -> Result<OsString> {
        env::join_paths(&self.named_jdks).context("a JDK's path cannot be part of TAMIS_JDKS")
    }
}
