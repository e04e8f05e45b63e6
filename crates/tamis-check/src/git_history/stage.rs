//! Checkouts that take turns at one path.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use tempfile::TempDir;

use super::error::HistoryError;
use super::repository::{Repository, check_out, clean, untracked};

/// Who compiles for all.
pub(super) const BUILDER: &str = "builder";

#[derive(Debug)]
pub(super) struct Stages {
    place: TempDir,
    /// What was built last, by the name of the checkout that it was copied to.
    handed_over: BTreeMap<String, BTreeSet<PathBuf>>,
}

impl Stages {
    pub(super) fn new(scratch: Option<&Path>) -> Result<Self, HistoryError> {
        let place = temporary_place(scratch)?;
        let stages = Self {
            place,
            handed_over: BTreeMap::new(),
        };
        for folder in ["checkouts", "data", "logs"] {
            stages.done(fs::create_dir(stages.path().join(folder)))?;
        }
        Ok(stages)
    }

    /// Without symbolic links, as builds and tools see it.
    fn path(&self) -> PathBuf {
        let path = self.place.path();
        fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf())
    }

    pub(super) fn stage(&self) -> PathBuf {
        self.path().join("stage")
    }

    pub(super) fn data(&self, name: &str) -> PathBuf {
        self.path().join("data").join(name)
    }

    pub(super) fn log(&self, name: &str) -> PathBuf {
        self.path().join("logs").join(name)
    }

    fn checkout(&self, name: &str) -> PathBuf {
        self.path().join("checkouts").join(name)
    }

    pub(super) fn add(&self, repository: &Repository, name: &str) -> Result<(), HistoryError> {
        self.done(fs::create_dir(self.data(name)))?;
        repository.clone_to(&self.checkout(name))
    }

    /// A revision with nothing built, for who builds.
    pub(super) fn begin(&self, revision: &str) -> Result<(), HistoryError> {
        let checkout = self.checkout(BUILDER);
        check_out(&checkout, revision)?;
        clean(&checkout)
    }

    /// Does something while a checkout is on the stage.
    pub(super) fn on_stage<T>(
        &self,
        name: &str,
        act: impl FnOnce(&Path) -> T,
    ) -> Result<T, HistoryError> {
        let (checkout, stage) = (self.checkout(name), self.stage());
        self.done(fs::rename(&checkout, &stage))?;
        let done = act(&stage);
        self.done(fs::rename(&stage, &checkout))?;
        Ok(done)
    }

    /// Gives a revision to a checkout, and leaves what was built there to who works in it.
    pub(super) fn check_out(&self, name: &str, revision: &str) -> Result<(), HistoryError> {
        check_out(&self.checkout(name), revision)
    }

    /// Gives a revision and what was built of it to a checkout, without anything that was built of the one before.
    /// Built files are newer than all sources, or else they would be built once more.
    pub(super) fn hand_over(&mut self, name: &str, revision: &str) -> Result<(), HistoryError> {
        let (from, to) = (self.checkout(BUILDER), self.checkout(name));
        check_out(&to, revision)?;
        let built: BTreeSet<PathBuf> = untracked(&from)?.into_iter().collect();
        let copied = copy_all(&from, &to, &built);
        self.done(copied)?;
        let before = self.handed_over.insert(name.to_owned(), built.clone());
        for gone in before.unwrap_or_default().difference(&built) {
            match fs::remove_file(to.join(gone)) {
                Err(cause) if cause.kind() != io::ErrorKind::NotFound => {
                    return self.done(Err(cause));
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn done<T>(&self, result: io::Result<T>) -> Result<T, HistoryError> {
        result.map_err(|cause| HistoryError::Work {
            place: self.place.path().to_path_buf(),
            cause,
        })
    }
}

/// A directory that does not stay. A name with a dot would be a hidden place to builds.
pub(crate) fn temporary_place(scratch: Option<&Path>) -> Result<TempDir, HistoryError> {
    let mut builder = tempfile::Builder::new();
    builder.prefix("tamis-history-");
    let place = match scratch {
        Some(scratch) => fs::create_dir_all(scratch).and_then(|()| builder.tempdir_in(scratch)),
        None => builder.tempdir(),
    };
    place.map_err(|cause| HistoryError::Work {
        place: scratch.unwrap_or(Path::new("")).to_path_buf(),
        cause,
    })
}

fn copy_all(from: &Path, to: &Path, files: &BTreeSet<PathBuf>) -> io::Result<()> {
    let now = SystemTime::now();
    for file in files {
        let target = to.join(file);
        if let Some(folder) = target.parent() {
            fs::create_dir_all(folder)?;
        }
        fs::copy(from.join(file), &target)?;
        File::options()
            .write(true)
            .open(&target)?
            .set_modified(now)?;
    }
    Ok(())
}
