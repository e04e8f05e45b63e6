//! Programs that isolate one thing: nothing at all, many methods, many empty tests. They are compiled
//! once and kept in `target/testkit/bench/`.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::Command;
use std::{env, fs};

use anyhow::{Context, Result, ensure};
use tamis_build::Jdk;
use tamis_testkit::place::{content_key, folder_once};

macro_rules! source {
    ($name:literal) => {
        (
            concat!("tamis/bench/", $name, ".java"),
            include_str!(concat!("../../java/tamis/bench/", $name, ".java")),
        )
    };
}

const HELLO: (&str, &str) = source!("Hello");
const LOADING: (&str, &str) = source!("Loading");
const QUESTIONS: (&str, &str) = source!("Questions");
const REPEATED: (&str, &str) = source!("Repeated");
const REPEATED_JUNIT4: (&str, &str) = source!("RepeatedJunit4");
const REPEATED_PLATFORM: (&str, &str) = source!("RepeatedPlatform");

/// How many methods a filler class has; with its constructor that is one less than it counts.
pub(crate) const N_METHODS_OF_FILLER: usize = 20;

/// How many filler classes are compiled: 160,000 methods.
pub(crate) const N_FILLERS: usize = 8_000;

/// How many empty tests a test class has.
pub(crate) const N_TESTS_OF_CLASS: usize = 50;

/// A path and a text.
type Source = (String, String);

/// `tamis.bench.Hello`.
pub(crate) fn hello(jdk: &Jdk) -> Result<PathBuf> {
    compiled(jdk, &[owned(HELLO)], &[])
}

/// `tamis.bench.Questions`.
pub(crate) fn questions(jdk: &Jdk) -> Result<PathBuf> {
    let sources = [LOADING, REPEATED, QUESTIONS].map(owned);
    compiled(jdk, &sources, &[])
}

/// `tamis.bench.Loading` and the fillers.
pub(crate) fn fillers(jdk: &Jdk) -> Result<PathBuf> {
    let fillers = (0..N_FILLERS).map(filler);
    let sources: Vec<_> = [owned(LOADING)].into_iter().chain(fillers).collect();
    compiled(jdk, &sources, &[])
}

/// `tamis.bench.RepeatedJunit4` or `tamis.bench.RepeatedPlatform`, and test classes.
pub(crate) fn empty_tests(
    jdk: &Jdk,
    framework: EmptyTests,
    n_classes: usize,
    path: &[PathBuf],
) -> Result<PathBuf> {
    let main = match framework {
        EmptyTests::Junit4 => REPEATED_JUNIT4,
        EmptyTests::Platform => REPEATED_PLATFORM,
    };
    let tests = (0..n_classes).map(|number| framework.test_class(number));
    let sources: Vec<_> = [owned(REPEATED), owned(main)]
        .into_iter()
        .chain(tests)
        .collect();
    compiled(jdk, &sources, path)
}

/// Whose tests.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum EmptyTests {
    Junit4,
    Platform,
}

impl EmptyTests {
    pub(crate) fn main(self) -> &'static str {
        match self {
            Self::Junit4 => "tamis.bench.RepeatedJunit4",
            Self::Platform => "tamis.bench.RepeatedPlatform",
        }
    }

    fn test_class(self, number: usize) -> Source {
        let annotation = match self {
            Self::Junit4 => "org.junit.Test",
            Self::Platform => "org.junit.jupiter.api.Test",
        };
        let mut text = format!("package tests;\npublic class E{number}Test {{\n");
        for test in 0..N_TESTS_OF_CLASS {
            // Writing to a text does not fail.
            let _ = writeln!(text, "@{annotation} public void t{test}() {{}}");
        }
        text.push_str("}\n");
        (format!("tests/E{number}Test.java"), text)
    }
}

fn filler(number: usize) -> Source {
    let mut text = format!("package filler;\npublic class F{number} {{\n");
    // The constructor is a method too.
    for method in 1..N_METHODS_OF_FILLER {
        let _ = writeln!(
            text,
            "static int m{method}(int a) {{ return a + {method}; }}"
        );
    }
    text.push_str("}\n");
    (format!("filler/F{number}.java"), text)
}

fn owned((path, text): (&str, &str)) -> Source {
    (path.to_owned(), text.to_owned())
}

fn compiled(jdk: &Jdk, sources: &[Source], path: &[PathBuf]) -> Result<PathBuf> {
    let name = format!("bench/{}", content_key(&(sources, path, jdk.feature)));
    folder_once(&name, |dir| {
        let mut list = String::new();
        for (file, text) in sources {
            let file = dir.join("src").join(file);
            fs::create_dir_all(file.parent().context("a source lies in a package")?)?;
            fs::write(&file, text)?;
            writeln!(list, "{}", file.display())?;
        }
        // Thousands of files do not fit on a command line.
        let arguments = dir.join("src/files");
        fs::write(&arguments, list)?;
        let output = Command::new(jdk.javac())
            .args(["-encoding", "UTF-8", "-proc:none", "-nowarn", "-classpath"])
            .arg(env::join_paths([dir.to_path_buf()].iter().chain(path))?)
            .arg("-d")
            .arg(dir)
            .arg(format!("@{}", arguments.display()))
            .env_remove("JAVA_TOOL_OPTIONS")
            .output()
            .with_context(|| format!("cannot start {}", jdk.javac().display()))?;
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        ensure!(output.status.success(), "cannot compile a subject:\n{said}");
        Ok(fs::remove_dir_all(dir.join("src"))?)
    })
}
