//! The phases of selection outside of the JVM, one after the other.

use anyhow::{Result, ensure};

use super::Caches;
use super::growth::Phase;
use crate::store::measured::{Broken, Kept};
use crate::store::project::{Project as Records, Size};
use crate::today::project::Project;

/// Facts that an entity relies on.
const N_DEPENDENCIES: u32 = 200;

/// What is done with class files.
pub(crate) fn of_classes(project: &Project, caches: Caches) -> Result<Vec<Phase>> {
    let clock = caches.clock();
    caches.prepare()?;
    let unchanged = project.analyse(clock)?;
    ensure!(unchanged.n_broken == 0, "facts are broken");
    caches.prepare()?;
    let changed = project.analyse_changed(clock)?;
    ensure!(changed.n_broken > 0, "a changed class breaks no fact");
    caches.prepare()?;
    let [sum_up, keep] = project.sum_up(clock)?;
    Ok(vec![
        ("load what stamps tell", unchanged.load),
        (
            "list and stat class files",
            unchanged.open + unchanged.names,
        ),
        ("compare the facts", unchanged.facts),
        ("unchanged, in all", unchanged.all()),
        ("one class changed, in all", changed.all()),
        ("read and sum up every class", sum_up),
        ("keep what stamps tell", keep),
    ])
}

/// Records of so many tests, in a project with four classes for five tests.
pub(crate) fn project(n_tests: u32, seed: u64) -> Records {
    let size = Size {
        entities: n_tests,
        dependencies: N_DEPENDENCIES,
        classes: n_tests * 4 / 5,
    };
    Records::make(&size, seed)
}

/// What is done with records.
pub(crate) fn of_tests(project: &Records, caches: Caches) -> Result<Vec<Phase>> {
    let clock = caches.clock();
    let kept = Kept::write(project, clock)?;
    caches.prepare()?;
    let ([open, load, decide], _) = kept.select(project, Broken::Elsewhere, clock)?;
    caches.prepare()?;
    let update = kept.update(project, clock)?;
    Ok(vec![
        ("save the records of a run", kept.save),
        ("open the store", open),
        ("load the records", load),
        ("decide about all", decide),
        ("save one record", update),
    ])
}
