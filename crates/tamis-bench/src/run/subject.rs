//! A Maven project whose tests are run: copies of it, changes to it, and which tests left a report.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use tempfile::TempDir;
use walkdir::WalkDir;

pub(super) struct Subject {
    pub(super) name: String,
    directory: PathBuf,
    /// None where none was asked for.
    pub(super) change: Option<Change>,
    /// How many tests the change can affect, if that is known; then none depends on what is not tracked.
    pub(super) n_affected: Option<usize>,
    /// Keeps a generated project while it is in use.
    _generated: Option<TempDir>,
}

/// A number in a source file that can be replaced by others.
#[derive(Debug, Clone)]
pub(super) struct Change {
    /// Within the project.
    file: PathBuf,
    /// What stands before the number, and after it.
    around: (String, String),
}

/// Where Surefire and Ekstazi put reports, in a module's build directory.
const REPORTS: &str = "surefire-reports";

/// What Tamis remembers, which a copy must not begin with.
const MEMORY: &str = ".tamis";

impl Subject {
    pub(super) fn generated(
        name: String,
        directory: TempDir,
        change: Change,
        n_affected: usize,
    ) -> Self {
        Self {
            name,
            directory: directory.path().to_path_buf(),
            change: Some(change),
            n_affected: Some(n_affected),
            _generated: Some(directory),
        }
    }

    /// A project of somebody else; only copies of it are worked on.
    pub(super) fn checkout(directory: &Path, change: Option<Change>) -> Result<Self> {
        let is_project = directory.join("pom.xml").is_file();
        ensure!(is_project, "{} has no pom.xml", directory.display());
        Ok(Self {
            name: directory.display().to_string(),
            directory: directory.to_path_buf(),
            change,
            n_affected: None,
            _generated: None,
        })
    }

    pub(super) fn copy_to(&self, target: &Path) -> Result<()> {
        copy(&self.directory, target)
            .with_context(|| format!("cannot copy {}", self.directory.display()))
    }
}

impl Change {
    /// The first place in a file that has this text.
    pub(super) fn find(directory: &Path, file: &Path, literal: &str) -> Result<Self> {
        ensure!(file.is_relative(), "{} is not relative", file.display());
        let text = fs::read_to_string(directory.join(file))
            .with_context(|| format!("cannot read {}", file.display()))?;
        let around = text.split_once(literal);
        let (before, after) =
            around.with_context(|| format!("{} has no `{literal}`", file.display()))?;
        Ok(Self {
            file: file.to_path_buf(),
            around: (before.to_owned(), after.to_owned()),
        })
    }

    /// Puts another number in its place.
    pub(super) fn apply(&self, directory: &Path, number: usize) -> Result<()> {
        let (before, after) = &self.around;
        let text = format!("{before}{number}{after}");
        fs::write(directory.join(&self.file), text)
            .with_context(|| format!("cannot change {}", self.file.display()))
    }
}

/// Links stay what they are.
pub(crate) fn copy(from: &Path, to: &Path) -> Result<()> {
    let entries = WalkDir::new(from).into_iter();
    for entry in entries.filter_entry(|entry| entry.file_name() != MEMORY) {
        let entry = entry?;
        let target = to.join(entry.path().strip_prefix(from)?);
        let kind = entry.file_type();
        if kind.is_dir() {
            fs::create_dir_all(target)?;
        } else if kind.is_symlink() {
            symlink(fs::read_link(entry.path())?, target)?;
        } else {
            fs::copy(entry.path(), target)?;
        }
    }
    Ok(())
}

/// Removes the reports of earlier runs.
pub(super) fn remove_reports(directory: &Path) -> Result<()> {
    remove_directories(directory, REPORTS)
}

/// Removes directories of this name, wherever they are in a project.
pub(super) fn remove_directories(directory: &Path, name: &str) -> Result<()> {
    let mut entries = WalkDir::new(directory).into_iter();
    while let Some(entry) = entries.next() {
        let entry = entry?;
        if entry.file_type().is_dir() && entry.file_name() == name {
            entries.skip_current_dir();
            fs::remove_dir_all(entry.path())?;
        }
    }
    Ok(())
}

/// How many tests the reports tell of.
pub(super) fn n_reported(directory: &Path) -> Result<usize> {
    let mut n_tests = 0;
    for entry in WalkDir::new(directory) {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy();
        let is_report = name.starts_with("TEST-") && name.ends_with(".xml");
        let parent = entry.path().parent().and_then(Path::file_name);
        if is_report && parent.is_some_and(|parent| parent == REPORTS) {
            let text = fs::read(entry.path())?;
            n_tests += String::from_utf8_lossy(&text).matches("<testcase ").count();
        }
    }
    Ok(n_tests)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn project(files: &[(&str, &str)]) -> TempDir {
        let dir = tempfile::tempdir().unwrap();
        for (path, text) in files {
            let file = dir.path().join(path);
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(file, text).unwrap();
        }
        dir
    }

    #[test]
    fn a_change_replaces_the_first_place_and_again() {
        let dir = project(&[("a/B.java", "x = 31 + 31;")]);
        let change = Change::find(dir.path(), "a/B.java".as_ref(), "31").unwrap();
        for number in [5, 700] {
            change.apply(dir.path(), number).unwrap();
            let text = fs::read_to_string(dir.path().join("a/B.java")).unwrap();
            assert_eq!(text, format!("x = {number} + 31;"));
        }
        assert!(Change::find(dir.path(), "a/B.java".as_ref(), "99").is_err());
    }

    #[test]
    fn only_the_reports_of_surefire_count_and_they_can_be_removed() {
        let two = "<testsuite><testcase name='a'/><testcase name='b'></testcase></testsuite>";
        let dir = project(&[
            ("core/target/surefire-reports/TEST-a.B.xml", two),
            ("core/target/surefire-reports/a.B.txt", two),
            ("target/surefire-reports/TEST-a.C.xml", two),
            ("src/test/resources/TEST-x.xml", two),
        ]);
        assert_eq!(n_reported(dir.path()).unwrap(), 4);
        remove_reports(dir.path()).unwrap();
        assert_eq!(n_reported(dir.path()).unwrap(), 0);
        assert!(dir.path().join("src/test/resources/TEST-x.xml").is_file());
    }

    #[test]
    fn a_copy_remembers_nothing() {
        let dir = project(&[("pom.xml", "<project/>"), (".tamis/store.sqlite", "x")]);
        symlink("pom.xml", dir.path().join("link")).unwrap();
        let to = tempfile::tempdir().unwrap();
        let subject = Subject::checkout(dir.path(), None).unwrap();
        subject.copy_to(&to.path().join("copy")).unwrap();
        let copy = to.path().join("copy");
        assert_eq!(
            fs::read_link(copy.join("link")).unwrap(),
            Path::new("pom.xml")
        );
        assert!(!copy.join(".tamis").exists());
    }
}
