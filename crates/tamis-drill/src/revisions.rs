//! Mutants as revisions of a library, for whoever measures what it takes to test them.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result};
use tamis_build::Jdk;
use tamis_testkit::suite_library::Library;

use crate::arrangement::Arrangement;
use crate::jvm::{Jvm, Limit};
use crate::plan::Plan;
use crate::suite_run::Suite;
use crate::workshop::{Files, Made, Workshop};

/// A library, its suite in one JVM, and the changes to come.
pub struct Revisions {
    workshop: Workshop,
    plan: Plan,
    jvm: Jvm,
}

/// No suite takes longer, unless a change makes it run for ever.
const LIMIT: Limit = Limit {
    whole: Duration::from_mins(3),
    one_test: Duration::from_mins(1),
};

/// A change that compiles to something else.
#[derive(Debug)]
pub struct Revision {
    /// As the drill calls it.
    pub name: String,
    files: Files,
}

/// What a run of the suite, or of a part of it, came to.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Ran {
    pub n_classes: usize,
    pub n_tests: usize,
}

impl Revisions {
    /// Sets a library up in an empty directory, for so many revisions.
    pub fn new(
        library: &Library,
        jdk: &Jdk,
        place: &Path,
        n_revisions: usize,
        seed: u64,
    ) -> Result<Self> {
        let workshop = Workshop::new(library, jdk, place)?;
        let suite = Suite::new(&workshop, Arrangement::InOrder, seed, place.join("runs"))?;
        let jvm = suite.watched_jvms(&workshop)?.into_iter().next();
        Ok(Self {
            plan: Plan::new(&workshop.code, n_revisions, seed),
            jvm: jvm.context("a suite has classes")?,
            workshop,
        })
    }

    /// What runs the whole suite, in the directory of the library.
    pub fn command(&self) -> &Command {
        &self.jvm.command
    }

    /// Leaves nothing of the last run behind.
    pub fn forget_run(&self) -> Result<()> {
        let results = &self.jvm.place.results;
        if results.exists() {
            fs::remove_file(results)?;
        }
        Ok(())
    }

    /// What the last run came to.
    pub fn ran(&self) -> Result<Ran> {
        let outcomes = self.jvm.outcomes()?;
        Ok(Ran {
            n_classes: outcomes.classes().len(),
            n_tests: outcomes.len(),
        })
    }

    /// The next revision whose tests come to an end, if there is one; its files are not in place yet.
    pub fn next_revision(&mut self) -> Result<Option<Revision>> {
        while let Some(mutant) = self.plan.next() {
            let Made::Files(files) = self.workshop.make(&mutant.change)? else {
                continue;
            };
            let name = mutant.id();
            let revision = Revision { name, files };
            if self.has_end(&revision)? {
                self.plan.count(&mutant);
                return Ok(Some(revision));
            }
        }
        Ok(None)
    }

    fn has_end(&mut self, revision: &Revision) -> Result<bool> {
        let before = self.workshop.exchange(&revision.files)?;
        let run = self.jvm.run(LIMIT);
        self.workshop.exchange(&before)?;
        Ok(run?.has_ended)
    }

    /// Does something while the files of a revision are in place.
    pub fn during<T>(&self, revision: &Revision, action: impl FnOnce() -> Result<T>) -> Result<T> {
        let before = self.workshop.exchange(&revision.files)?;
        let done = action();
        self.workshop.exchange(&before)?;
        done
    }
}
