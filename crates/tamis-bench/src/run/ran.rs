//! Which tests ran, read off the reports that Surefire left.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use anyhow::Result;
use walkdir::WalkDir;

/// How many tests of each class ran.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Ran(BTreeMap<String, usize>);

/// Where Surefire puts reports, in a module's build directory.
const REPORTS: &str = "surefire-reports";

impl Ran {
    /// What the reports of all modules tell.
    pub(super) fn read(directory: &Path) -> Result<Self> {
        let mut classes = BTreeMap::new();
        for entry in WalkDir::new(directory) {
            let entry = entry?;
            let parent = entry.path().parent().and_then(Path::file_name);
            let class = class_of_report(&entry.file_name().to_string_lossy());
            if let (Some(class), true) = (class, parent.is_some_and(|parent| parent == REPORTS)) {
                let text = fs::read(entry.path())?;
                let n_tests = String::from_utf8_lossy(&text).matches("<testcase ").count();
                *classes.entry(class).or_default() += n_tests;
            }
        }
        Ok(Self(classes))
    }

    pub(super) fn n_tests(&self) -> usize {
        self.0.values().sum()
    }

    /// Whether a test of this class ran.
    pub(super) fn has(&self, class: &str) -> bool {
        self.0.get(class).is_some_and(|n_tests| *n_tests > 0)
    }

    #[cfg(test)]
    pub(super) fn of(classes: &[(&str, usize)]) -> Self {
        let classes = classes.iter();
        Self(classes.map(|(name, n)| ((*name).to_owned(), *n)).collect())
    }
}

/// `a.BTest` of `TEST-a.BTest.xml`
fn class_of_report(name: &str) -> Option<String> {
    let class = name.strip_prefix("TEST-")?.strip_suffix(".xml")?;
    Some(class.to_owned())
}

/// Removes the reports of earlier runs.
pub(super) fn remove_reports(directory: &Path) -> Result<()> {
    let mut entries = WalkDir::new(directory).into_iter();
    while let Some(entry) = entries.next() {
        let entry = entry?;
        if entry.file_type().is_dir() && entry.file_name() == REPORTS {
            entries.skip_current_dir();
            fs::remove_dir_all(entry.path())?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::subject::tests::project;
    use super::*;

    #[test]
    fn only_the_reports_of_surefire_count_and_they_can_be_removed() {
        let two = "<testsuite><testcase name='a'/><testcase name='b'></testcase></testsuite>";
        let dir = project(&[
            ("core/target/surefire-reports/TEST-a.B.xml", two),
            ("core/target/surefire-reports/a.B.txt", two),
            ("target/surefire-reports/TEST-a.C.xml", two),
            (
                "target/surefire-reports/TEST-a.D.xml",
                "<testsuite></testsuite>",
            ),
            ("src/test/resources/TEST-x.xml", two),
        ]);
        let ran = Ran::read(dir.path()).unwrap();
        assert_eq!(ran, Ran::of(&[("a.B", 2), ("a.C", 2), ("a.D", 0)]));
        assert_eq!(ran.n_tests(), 4);
        assert!(ran.has("a.B") && !ran.has("a.D") && !ran.has("x"));
        remove_reports(dir.path()).unwrap();
        assert_eq!(Ran::read(dir.path()).unwrap().n_tests(), 0);
        assert!(dir.path().join("src/test/resources/TEST-x.xml").is_file());
    }
}
