//! Where test runners leave their reports: directories of certain names, anywhere in a project.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use walkdir::WalkDir;

use super::conditions::Conditions;
use super::error::HistoryError;
use super::repository::is_under_version_control;
use crate::outcome::{ClassOutcomes, ReportError, read_reports_by_class};

/// Of Surefire, which is what runs the tests of a Maven project.
const OF_MAVEN: &[&str] = &["surefire-reports"];

/// Of Surefire and Failsafe, and of Gradle, which has a directory for each of its tasks in it.
const OF_ANY: &[&str] = &["surefire-reports", "failsafe-reports", "test-results"];

/// The directories of reports in a project.
#[derive(Debug)]
pub(super) struct Reports(Vec<PathBuf>);

impl Reports {
    /// Those that are there now, by their names. A directory with files under version control is none, whatever its name: a
    /// package may be called `reports`.
    pub(super) fn find(project: &Path, conditions: &Conditions) -> Result<Self, HistoryError> {
        let names = names(conditions);
        let is_hidden = |name: &str| name.len() > 1 && name.starts_with('.');
        let entries = WalkDir::new(project).sort_by_file_name().into_iter();
        let entries = entries.filter_entry(|entry| {
            entry.depth() == 0 || !is_hidden(&entry.file_name().to_string_lossy())
        });
        let mut folders = Vec::new();
        for entry in entries.filter_map(Result::ok) {
            let is_named = names.iter().any(|name| entry.file_name() == *name);
            if is_named
                && entry.file_type().is_dir()
                && !is_under_version_control(project, entry.path())?
            {
                folders.push(entry.into_path());
            }
        }
        Ok(Self(folders))
    }

    pub(super) fn remove(&self) -> io::Result<()> {
        for folder in &self.0 {
            match fs::remove_dir_all(folder) {
                // It lay in another one.
                Err(cause) if cause.kind() == io::ErrorKind::NotFound => {}
                removed => removed?,
            }
        }
        Ok(())
    }

    /// How tests ended, in all modules. A directory that has no report itself may have some in those directly in it.
    pub(super) fn read(&self) -> Result<ClassOutcomes, ReportError> {
        let mut outcomes = ClassOutcomes::new();
        let mut add = |found: ClassOutcomes| {
            for (class, tests) in found {
                outcomes.entry(class).or_default().extend(tests);
            }
        };
        for folder in &self.0 {
            let found = read_reports_by_class(folder)?;
            if found.is_empty() {
                for inner in folders_in(folder) {
                    add(read_reports_by_class(&inner)?);
                }
            }
            add(found);
        }
        Ok(outcomes)
    }
}

fn names(conditions: &Conditions) -> Vec<&str> {
    if !conditions.reports.is_empty() {
        return conditions.reports.iter().map(String::as_str).collect();
    }
    match conditions.test {
        Some(_) => OF_ANY.to_vec(),
        None => OF_MAVEN.to_vec(),
    }
}

fn folders_in(folder: &Path) -> Vec<PathBuf> {
    let entries = WalkDir::new(folder).min_depth(1).max_depth(1);
    let entries = entries.sort_by_file_name().into_iter();
    let folders = entries.filter_map(Result::ok);
    let folders = folders.filter(|entry| entry.file_type().is_dir());
    folders.map(walkdir::DirEntry::into_path).collect()
}

#[cfg(test)]
mod tests {
    use std::process::Command;
    use std::time::Duration;

    use tamis_build::Jdk;

    use super::*;

    fn conditions(test: Option<&str>, reports: &[&str]) -> Conditions {
        Conditions {
            contestants: Vec::new(),
            maven_options: Vec::new(),
            build: None,
            test: test.map(str::to_owned),
            reports: reports.iter().map(ToString::to_string).collect(),
            jdk: Jdk {
                home: PathBuf::new(),
                feature: 8,
                version: String::new(),
            },
            cache: PathBuf::new(),
            scratch: None,
            limit: Duration::ZERO,
        }
    }

    #[test]
    fn reports_of_all_modules_are_read_and_removed() {
        let dir = tempfile::tempdir().unwrap();
        let report = |folder: &str, class: &str| {
            let folder = dir.path().join(folder);
            fs::create_dir_all(&folder).unwrap();
            let text =
                format!(r#"<testsuite><testcase name="a" classname="{class}"/></testsuite>"#);
            fs::write(folder.join("TEST-x.xml"), text).unwrap();
        };
        let git = |arguments: &[&str]| {
            let mut git = Command::new("git");
            let status = git.arg("-C").arg(dir.path()).args(arguments).status();
            assert!(status.unwrap().success());
        };
        report("src/test/resources/results", "p.Source");
        git(&["init", "--quiet"]);
        git(&["add", "."]);
        report("target/surefire-reports", "p.A");
        report("target/surefire-reports/junitreports", "p.TestNg");
        report("core/target/surefire-reports", "p.B");
        report("build/test-results/test", "p.Gradle");
        report("build/results", "p.Mine");
        report(".tool/surefire-reports", "p.C");
        let find = |conditions: &Conditions| Reports::find(dir.path(), conditions).unwrap();
        let classes = |conditions: &Conditions| {
            let outcomes = find(conditions).read().unwrap();
            outcomes.into_keys().collect::<Vec<_>>().join(" ")
        };
        let [maven, any, mine] = [
            conditions(None, &[]),
            conditions(Some("./test.sh"), &[]),
            conditions(Some("./test.sh"), &["results"]),
        ];
        assert_eq!(classes(&maven), "p.A p.B");
        assert_eq!(classes(&any), "p.A p.B p.Gradle");
        assert_eq!(classes(&mine), "p.Mine");
        find(&any).remove().unwrap();
        assert_eq!(classes(&any), "");
        assert_eq!(classes(&mine), "p.Mine");
        assert!(dir.path().join(".tool/surefire-reports").is_dir());
    }
}
