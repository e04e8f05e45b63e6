//! Projects that are made up: classes, and a test class of JUnit 4 for each, in three profiles. Tests pass whatever the
//! numbers are that changes put in.

mod arithmetic;
mod files;

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use clap::ValueEnum;

use super::pom::{JUNIT, Pom};
use super::subject::{Change, Subject};

/// What the tests of a project are like.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Profile {
    /// Many short tests
    Short,
    /// Few long tests, all arithmetic
    Long,
    /// Tests that open files, read resources and look at properties
    Files,
}

/// How much there is of everything; a suite takes between five and ten seconds of processor time.
#[derive(Debug, Clone, Copy)]
struct Shape {
    n_classes: usize,
    n_tests_of_class: usize,
    /// How often a test does what it does.
    repetitions: usize,
}

/// A file of a project: its path, and its text.
type File = (String, String);

/// For long tests what is set up once hardly counts.
const LONG_FIRST_BAR: f64 = 1.05;

/// The number that is changed, in one method of the first class and in its resource; the others have smaller ones.
const LITERAL: &str = "999999";

const MAIN: &str = "src/main/java/tamis/bench";
const TEST: &str = "src/test/java/tamis/bench";
const RESOURCES: &str = "src/test/resources/tamis/bench";

/// The test class that changes concern.
const CONCERNED: &str = "tamis.bench.Part0Test";

impl Profile {
    pub(crate) const ALL: [Self; 3] = [Self::Short, Self::Long, Self::Files];

    pub(super) fn make(self, surefire: &str) -> Result<Subject> {
        let directory = tempfile::tempdir()?;
        let root = directory.path();
        let pom = Pom {
            name: self.name(),
            dependencies: &[JUNIT],
            surefire,
            opens: &[],
        };
        write(root, "pom.xml", &pom.text()?)?;
        let shape = self.shape();
        for number in 0..shape.n_classes {
            for (path, text) in self.files(number) {
                write(root, &path, &text)?;
            }
        }
        let change = |file: String| -> Result<Change> {
            let change = Change::find(root, file.as_ref(), LITERAL)?;
            Ok(change.concerning(CONCERNED, Some(shape.n_tests_of_class)))
        };
        let method = change(format!("{MAIN}/Part0.java"))?;
        let resource = match self {
            Self::Files => Some(change(format!("{RESOURCES}/part0.properties"))?),
            Self::Short | Self::Long => None,
        };
        let mut subject = Subject::made(self.title(surefire), directory);
        subject.method = Some(method);
        subject.resource = resource;
        subject.is_understood = true;
        if self == Self::Long {
            subject.first_bar = LONG_FIRST_BAR;
        }
        Ok(subject)
    }

    fn name(self) -> &'static str {
        match self {
            Self::Short => "short",
            Self::Long => "long",
            Self::Files => "files",
        }
    }

    fn title(self, surefire: &str) -> String {
        let what = match self {
            Self::Short => "many short tests",
            Self::Long => "few long tests",
            Self::Files => "tests that read files",
        };
        let Shape {
            n_classes,
            n_tests_of_class,
            ..
        } = self.shape();
        format!(
            "generated, {what} ({n_classes} classes, {} tests; {JUNIT}, Surefire {surefire})",
            n_classes * n_tests_of_class
        )
    }

    fn shape(self) -> Shape {
        let (n_classes, n_tests_of_class, repetitions) = match self {
            Self::Short => (100, 20, 40_000),
            Self::Long => (10, 2, 18_000_000),
            Self::Files => (40, 5, 120),
        };
        Shape {
            n_classes,
            n_tests_of_class,
            repetitions,
        }
    }

    /// What belongs to one class and its tests.
    fn files(self, number: usize) -> Vec<File> {
        let shape = self.shape();
        let part = format!("{MAIN}/Part{number}.java");
        let test = format!("{TEST}/Part{number}Test.java");
        match self {
            Self::Short | Self::Long => vec![
                (part, arithmetic::part(number)),
                (test, arithmetic::test(number, shape)),
            ],
            Self::Files => {
                let mut all = files::data(number);
                all.push((part, files::part(number)));
                all.push((test, files::test(number, shape)));
                all
            }
        }
    }
}

/// The number in the text of a class, or of its resource.
fn literal(number: usize) -> String {
    match number {
        0 => LITERAL.to_owned(),
        number => number.to_string(),
    }
}

fn write(root: &Path, path: &str, text: &str) -> Result<()> {
    let file = root.join(path);
    fs::create_dir_all(file.parent().context("a file lies in a directory")?)?;
    fs::write(&file, text).with_context(|| format!("cannot write {}", file.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_that_can_be_changed_stands_once_in_each_of_its_files() {
        for profile in Profile::ALL {
            let n_classes = profile.shape().n_classes;
            let all = (0..n_classes).flat_map(|number| profile.files(number));
            let with_literal = all.filter(|(_, text)| text.contains(LITERAL));
            let mut found: Vec<File> = with_literal.collect();
            found.sort();
            assert!(
                found
                    .iter()
                    .all(|(_, text)| text.matches(LITERAL).count() == 1)
            );
            let paths: Vec<&str> = found.iter().map(|(path, _)| path.as_str()).collect();
            let part = format!("{MAIN}/Part0.java");
            let resource = format!("{RESOURCES}/part0.properties");
            match profile {
                Profile::Files => assert_eq!(paths, [part, resource]),
                _ => assert_eq!(paths, [part]),
            }
        }
    }

    #[test]
    fn a_project_has_a_test_class_for_each_class_and_changes() {
        for profile in Profile::ALL {
            let subject = profile.make("3.2.5").unwrap();
            let target = tempfile::tempdir().unwrap();
            subject.copy_to(target.path()).unwrap();
            let n_files = |path| fs::read_dir(target.path().join(path)).unwrap().count();
            let n_classes = profile.shape().n_classes;
            assert_eq!([n_files(MAIN), n_files(TEST)], [n_classes; 2]);
            let method = subject.method.unwrap();
            assert_eq!(method.n_concerned, Some(profile.shape().n_tests_of_class));
            assert_eq!(subject.resource.is_some(), profile == Profile::Files);
        }
    }

    #[test]
    fn each_test_of_a_class_has_a_name_of_its_own() {
        for profile in Profile::ALL {
            let files = profile.files(3);
            let (_, test) = files
                .iter()
                .find(|(path, _)| path.ends_with("Test.java"))
                .unwrap();
            let n_tests = profile.shape().n_tests_of_class;
            assert_eq!(test.matches("@Test").count(), n_tests);
            for number in 0..n_tests {
                assert_eq!(test.matches(&format!("test{number}()")).count(), 1);
            }
        }
    }
}
