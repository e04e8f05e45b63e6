//! A Maven project whose tests are run, copies of it, and changes to it.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use tempfile::TempDir;
use walkdir::WalkDir;

pub(crate) struct Subject {
    pub(crate) name: String,
    directory: PathBuf,
    /// A number in a method's body. None where none is known.
    pub(super) method: Option<Change>,
    /// A number in a file that tests read from the class path. None where none is known.
    pub(super) resource: Option<Change>,
    /// Whether all that its tests depend on is known, so that Tamis must select exactly what a change concerns.
    pub(super) is_understood: bool,
    /// The greatest ratio of processor time of a first run that is good enough.
    pub(super) first_bar: f64,
    /// Keeps a project that was made here while it is in use.
    _made: Option<TempDir>,
}

/// A number in a file that can be replaced by others.
#[derive(Debug, Clone)]
pub(super) struct Change {
    /// Within the project.
    file: PathBuf,
    /// What stands before the number, and after it.
    around: (String, String),
    /// Test classes that it concerns; there may be more.
    pub(super) concerned: Vec<String>,
    /// How many tests it concerns, if that is known.
    pub(super) n_concerned: Option<usize>,
}

/// For tests that are not long ones.
const FIRST_BAR: f64 = 1.10;

/// What Tamis remembers, which a copy must not begin with.
const MEMORY: &str = ".tamis";

impl Subject {
    /// A project that was made for this run.
    pub(super) fn made(name: String, directory: TempDir) -> Self {
        Self {
            name,
            directory: directory.path().to_path_buf(),
            method: None,
            resource: None,
            is_understood: false,
            first_bar: FIRST_BAR,
            _made: Some(directory),
        }
    }

    /// A project of somebody else; only copies of it are worked on.
    pub(super) fn checkout(directory: &Path, method: Option<Change>) -> Result<Self> {
        let is_project = directory.join("pom.xml").is_file();
        ensure!(is_project, "{} has no pom.xml", directory.display());
        Ok(Self {
            name: directory.display().to_string(),
            directory: directory.to_path_buf(),
            method,
            resource: None,
            is_understood: false,
            first_bar: FIRST_BAR,
            _made: None,
        })
    }

    #[cfg(test)]
    pub(super) fn directory(&self) -> &Path {
        &self.directory
    }

    pub(super) fn copy_to(&self, target: &Path) -> Result<()> {
        copy(&self.directory, target)
            .with_context(|| format!("cannot copy {}", self.directory.display()))
    }
}

impl Change {
    /// The first place in a file that has this text, which is a number.
    pub(super) fn find(directory: &Path, file: &Path, literal: &str) -> Result<Self> {
        Self::around(directory, file, literal, "", "")
    }

    /// What is put in behind the first place that has this text: a number, with something before and behind it.
    pub(super) fn behind(
        directory: &Path,
        file: &Path,
        place: &str,
        (before, after): (&str, &str),
    ) -> Result<Self> {
        Self::around(directory, file, place, &format!("{place}{before}"), after)
    }

    fn around(
        directory: &Path,
        file: &Path,
        place: &str,
        before: &str,
        after: &str,
    ) -> Result<Self> {
        ensure!(file.is_relative(), "{} is not relative", file.display());
        let text = fs::read_to_string(directory.join(file))
            .with_context(|| format!("cannot read {}", file.display()))?;
        let (head, tail) = text
            .split_once(place)
            .with_context(|| format!("{} has no `{place}`", file.display()))?;
        Ok(Self {
            file: file.to_path_buf(),
            around: (format!("{head}{before}"), format!("{after}{tail}")),
            concerned: Vec::new(),
            n_concerned: None,
        })
    }

    /// The same, with what is known of the tests that it concerns.
    pub(super) fn concerning(self, class: &str, n_tests: Option<usize>) -> Self {
        Self {
            concerned: vec![class.to_owned()],
            n_concerned: n_tests,
            ..self
        }
    }

    /// Puts another number in its place.
    pub(super) fn apply(&self, directory: &Path, number: usize) -> Result<()> {
        let (before, after) = &self.around;
        let text = format!("{before}{number}{after}");
        fs::write(directory.join(&self.file), text)
            .with_context(|| format!("cannot change {}", self.file.display()))
    }

    #[cfg(test)]
    pub(super) fn of_classes(concerned: &[&str], n_concerned: Option<usize>) -> Self {
        Self {
            file: PathBuf::new(),
            around: (String::new(), String::new()),
            concerned: concerned.iter().map(|class| (*class).to_owned()).collect(),
            n_concerned,
        }
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

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    pub(in super::super) fn project(files: &[(&str, &str)]) -> TempDir {
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
    fn a_change_may_put_a_statement_in() {
        let dir = project(&[("B.java", "void f() {\n}\nvoid f() {\n}")]);
        let statement = (" int number = ", ";");
        let change = Change::behind(dir.path(), "B.java".as_ref(), "f() {", statement).unwrap();
        for number in [5, 700] {
            change.apply(dir.path(), number).unwrap();
            let text = fs::read_to_string(dir.path().join("B.java")).unwrap();
            let expected = format!("void f() {{ int number = {number};\n}}\nvoid f() {{\n}}");
            assert_eq!(text, expected);
        }
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
