//! How revisions are built and run, and by which tools.

use std::path::PathBuf;
use std::time::Duration;

use tamis_build::Jdk;

use super::contestant::Contestant;

/// What is the same for all revisions.
#[derive(Debug, Clone)]
pub struct Conditions {
    pub contestants: Vec<Contestant>,
    /// What every Maven is told, without a tool and with each.
    pub maven_options: Vec<String>,
    /// What compiles a revision and its tests, for a shell; unless named, Maven does.
    pub build: Option<String>,
    /// What runs all tests of a revision, for a shell; unless named, Maven does.
    pub test: Option<String>,
    /// Names of directories that test runners leave reports in; if none is given, those of known build tools.
    pub reports: Vec<String>,
    pub jdk: Jdk,
    /// Where programs in Java are kept.
    pub cache: PathBuf,
    /// Where checkouts are made; they do not stay.
    pub scratch: Option<PathBuf>,
    /// How long a run may take.
    pub limit: Duration,
}

impl Conditions {
    /// The tools by their names.
    pub(crate) fn tools(&self) -> Vec<String> {
        self.contestants.iter().map(Contestant::name).collect()
    }
}
