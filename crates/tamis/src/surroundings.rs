//! Where the user stands: the project, its build, and what is set for it.

use std::env;
use std::path::{Path, PathBuf};
use std::time::Duration;

use tamis_build::{MavenProject, find_maven};
use tamis_engine::{Knowledge, Project, TestOptions};

use crate::cli_error::CliError;
use crate::printer;
use crate::settings::{LeftState, PROJECT_FILE, Settings, SettingsError, Sources};

const DAY: u64 = 24 * 60 * 60;

/// What a command finds around it.
#[derive(Debug)]
pub(crate) struct Surroundings {
    /// Where the user stands.
    pub(crate) directory: PathBuf,
    /// The build, if it is one that is known.
    pub(crate) maven: Option<MavenProject>,
    root: PathBuf,
    pub(crate) settings: Settings,
}

impl Surroundings {
    /// Finds them; options of the command line override what is set elsewhere.
    pub(crate) fn find(
        apply: impl FnOnce(&mut Settings, &Path) -> Result<(), SettingsError>,
    ) -> Result<Self, CliError> {
        let directory = env::current_dir().map_err(CliError::CurrentDirectory)?;
        let maven = find_maven(&directory);
        let root = match &maven {
            Some(maven) => maven.root.clone(),
            None => root_of(&directory),
        };
        let mut settings = Settings::load(&Sources {
            home_file: home_file(),
            root: &root,
            directory: &directory,
            variable: &|name| env::var_os(name),
        })?;
        apply(&mut settings, &directory)?;
        Ok(Self {
            directory,
            maven,
            root,
            settings,
        })
    }

    /// What is known of the project. The user is told of a store that could not be used.
    pub(crate) fn knowledge(&self) -> Result<Knowledge, CliError> {
        let knowledge = Knowledge::open(&self.project())?;
        for note in knowledge.notes() {
            printer::warn(&note);
        }
        Ok(knowledge)
    }

    pub(crate) fn project(&self) -> Project {
        Project {
            root: self.root.clone(),
            store: self.root.join(&self.settings.store),
        }
    }

    pub(crate) fn test_options(&self) -> TestOptions {
        let settings = &self.settings;
        TestOptions {
            mesh: settings.mesh,
            as_file: settings.as_file.clone(),
            granularity: settings.granularity,
            run_all: settings.run_all,
            max_age: Duration::from_secs(u64::from(settings.max_age) * DAY),
            n_kept: settings.n_kept,
            debug_info: settings.debug_info,
            ignored_files: settings.ignored_files(),
            always_run: settings.always_run(),
            untrusted: settings.untrusted.clone(),
            trusts_left_state: settings.left_state == LeftState::IsTrusted,
            is_recording: settings.is_recording,
        }
    }
}

/// The nearest directory upwards that Tamis knows from before; else where the user stands.
fn root_of(directory: &Path) -> PathBuf {
    let is_root = |directory: &&Path| {
        directory.join(PROJECT_FILE).is_file() || directory.join(".tamis").is_dir()
    };
    let root = directory.ancestors().find(is_root);
    root.unwrap_or(directory).to_path_buf()
}

/// The user's own file, by the rules of XDG.
fn home_file() -> Option<PathBuf> {
    let absolute = |name: &str| {
        let path = env::var_os(name).map(PathBuf::from);
        path.filter(|path| path.is_absolute())
    };
    let directory = absolute("XDG_CONFIG_HOME").or_else(|| Some(absolute("HOME")?.join(".config")));
    Some(directory?.join("tamis/config.toml"))
}
