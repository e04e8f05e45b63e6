//! Runs the suite of a library in a JVM of its own and tells how each test ended.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use anyhow::{Context, Result};
use tamis_build::Jdk;

use crate::java_side::target_options;
use crate::place::{content_key, folder_once};
use crate::suite_library::{CompiledLibrary, Framework, succeed};
use crate::suite_results::TestResult;

macro_rules! source {
    ($name:literal) => {
        (
            $name,
            include_str!(concat!("../java/tamis/suite/", $name, ".java")),
        )
    };
}

const RESULTS: (&str, &str) = source!("Results");
const JUNIT4: (&str, &str) = source!("Junit4");
const PLATFORM: (&str, &str) = source!("Platform");

/// The same in every run, so that no test depends on who runs it.
const JVM_OPTIONS: &[&str] = &[
    "-ea",
    "-Dfile.encoding=UTF-8",
    "-Duser.language=en",
    "-Duser.country=US",
    "-Duser.timezone=America/New_York",
];

/// A run that came to its end.
#[derive(Debug)]
pub struct SuiteRun {
    /// In the order of the ends.
    pub results: Vec<TestResult>,
    pub output: Output,
}

/// Where a suite runs.
#[derive(Debug, Clone)]
pub struct SuitePlace {
    /// The directory that its tests find themselves in.
    pub workplace: PathBuf,
    /// The file that each test is written to as it ends.
    pub results: PathBuf,
    /// The file with the names of the test classes.
    pub classes: PathBuf,
}

impl SuitePlace {
    /// The tests that have ended so far. A line that breaks off, since its JVM was stopped, does not count.
    pub fn results(&self) -> Result<Vec<TestResult>> {
        let text = fs::read_to_string(&self.results)?;
        let lines = text
            .split_inclusive('\n')
            .filter(|line| line.ends_with('\n'));
        lines
            .map(|line| TestResult::parse(line.trim_end_matches('\n')))
            .collect()
    }
}

impl CompiledLibrary {
    /// Runs these test classes. `start` gets the command, to which it may add nothing, and gives its
    /// output; `jvm_options` come first.
    pub fn run(
        &self,
        jdk: &Jdk,
        jvm_options: &[String],
        classes: &[String],
        start: impl FnOnce(&mut Command) -> Output,
    ) -> Result<SuiteRun> {
        let dir = tempfile::tempdir()?;
        let workplace = dir.path().join("workplace");
        fs::create_dir(&workplace)?;
        self.copy_workplace(&workplace)?;
        let place = SuitePlace {
            workplace,
            results: dir.path().join("results"),
            classes: dir.path().join("classes"),
        };
        let output = start(&mut self.command(jdk, jvm_options, classes, &place)?);
        let results = place.results().with_context(|| {
            let said = String::from_utf8_lossy(&output.stderr).into_owned();
            format!("{} did not run at all: {said}", self.library.name)
        })?;
        Ok(SuiteRun { results, output })
    }

    /// The command that runs these test classes; `jvm_options` come first.
    pub fn command(
        &self,
        jdk: &Jdk,
        jvm_options: &[String],
        classes: &[String],
        place: &SuitePlace,
    ) -> Result<Command> {
        fs::write(&place.classes, classes.join("\n"))?;
        let mut command = Command::new(jdk.java());
        command
            .current_dir(&place.workplace)
            .env_remove("JAVA_TOOL_OPTIONS")
            .env_remove("JDK_JAVA_OPTIONS")
            .args(jvm_options)
            .args(JVM_OPTIONS)
            .args(self.opens(jdk))
            .arg("-classpath")
            .arg(self.class_path(self.runner(jdk)?)?)
            .arg(self.library.framework.main())
            .args([&place.results, &place.classes]);
        Ok(command)
    }

    /// The JVM options that make `n_threads` threads run test classes, each class in one of them.
    pub fn parallel_options(&self, n_threads: usize) -> Vec<String> {
        match self.library.framework {
            Framework::Junit4 => vec![format!("-Dtamis.suite.threads={n_threads}")],
            Framework::Jupiter => [
                "enabled=true".to_owned(),
                "mode.default=same_thread".to_owned(),
                "mode.classes.default=concurrent".to_owned(),
                "config.strategy=fixed".to_owned(),
                format!("config.fixed.parallelism={n_threads}"),
            ]
            .map(|setting| format!("-Djunit.jupiter.execution.parallel.{setting}"))
            .to_vec(),
        }
    }

    fn opens(&self, jdk: &Jdk) -> Vec<String> {
        let opens = self.library.opens.iter().filter(|_| jdk.feature >= 9);
        opens
            .map(|package| format!("--add-opens={package}=ALL-UNNAMED"))
            .collect()
    }

    /// The program that runs the tests, compiled against this library's framework.
    fn runner(&self, jdk: &Jdk) -> Result<PathBuf> {
        let sources = [RESULTS, self.library.framework.source()];
        let path = self.class_path(PathBuf::new())?;
        let name = format!("suite-runners/{}", content_key(&(sources, &path)));
        folder_once(&name, |dir| {
            let files = write_sources(&sources, dir)?;
            let mut command = Command::new(jdk.javac());
            command
                .args(["-nowarn", "-proc:none", "-encoding", "UTF-8"])
                .args(target_options(jdk, 8))
                .arg("-classpath")
                .arg(&path)
                .arg("-d")
                .arg(dir)
                .args(files);
            succeed(&mut command)
        })
    }
}

impl Framework {
    fn source(self) -> (&'static str, &'static str) {
        match self {
            Self::Junit4 => JUNIT4,
            Self::Jupiter => PLATFORM,
        }
    }

    fn main(self) -> String {
        format!("tamis.suite.{}", self.source().0)
    }
}

fn write_sources(sources: &[(&str, &str)], dir: &Path) -> Result<Vec<PathBuf>> {
    let files = sources.iter().map(|(name, text)| {
        let file = dir.join(format!("{name}.java"));
        fs::write(&file, text)?;
        Ok(file)
    });
    files.collect()
}
