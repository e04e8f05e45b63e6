//! The course: a copy of the project for each contestant, each tried before anything counts.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, ensure};
use tamis_build::{Jdk, find_maven};
use tempfile::TempDir;

use super::contestant::{CONTESTANTS, Contestant, Occasion, PLAIN, Tool};
use super::results::Results;
use super::subject::{Subject, n_reported, remove_directories, remove_reports};
use crate::agent::measured::{Program, Usage, Watcher};
use crate::agent::report::Section;
use crate::agent::rounds::go_round;

pub(super) struct Course<'c> {
    subject: &'c Subject,
    jdk: &'c Jdk,
    tamis: PathBuf,
    copies: TempDir,
    /// Those that can be measured.
    contestants: Vec<Contestant>,
    /// Why others cannot.
    left_out: BTreeMap<Tool, String>,
    /// How many tests plain Maven runs.
    n_all: usize,
    n_changes: usize,
}

/// The numbers that changes put in begin here. None is used twice, for a state that was seen before needs no run.
const FIRST_NUMBER: usize = 1_000_000;

/// How much is told of the output of a run that failed.
const N_LINES_TOLD: usize = 6;

/// Maven prints this before its first line, even where it is told to use no colours.
const RESET: &str = "\x1b[0m";

impl<'c> Course<'c> {
    /// Makes the copies and tries everybody. What Maven has to fetch, it fetches now.
    pub(super) fn prepare(subject: &'c Subject, jdk: &'c Jdk, tamis: PathBuf) -> Result<Self> {
        let mut course = Self {
            subject,
            jdk,
            tamis,
            copies: tempfile::tempdir()?,
            contestants: Vec::new(),
            left_out: BTreeMap::new(),
            n_all: 0,
            n_changes: 0,
        };
        for &contestant in CONTESTANTS {
            let is_possible = subject.change.is_some() || contestant.occasion != Occasion::Changed;
            if is_possible && !course.left_out.contains_key(&contestant.tool) {
                course.admit(contestant)?;
            }
        }
        Ok(course)
    }

    /// Everybody once a round, and what came out.
    pub(super) fn go_round(&mut self, n_rounds: usize) -> Result<Section> {
        let contestants = self.contestants.clone();
        let mut n_tests = BTreeMap::new();
        let rounds = go_round(&contestants, n_rounds, |contestant| {
            let (usage, n_run) = self.measure(contestant)?;
            n_tests.insert(contestant, n_run);
            Ok(usage)
        })?;
        let results = Results {
            contestants: &contestants,
            rounds: &rounds,
            n_tests: &n_tests,
        };
        let left_out = self.left_out.values().cloned();
        Ok(results.section(&self.subject.name, left_out))
    }

    /// Takes a contestant in. A rival that does not work here is left out, whatever else it was to do.
    fn admit(&mut self, contestant: Contestant) -> Result<()> {
        match self.try_out(contestant) {
            Ok(()) => self.contestants.push(contestant),
            Err(error) if contestant.tool.is_rival() => {
                let why = format!("{error:#}");
                let why = why.lines().next().unwrap_or_default();
                let why = format!("left out: {}: {why}", contestant.text());
                self.left_out.insert(contestant.tool, why);
                self.contestants.retain(|it| it.tool != contestant.tool);
            }
            Err(error) => return Err(error.context(contestant.text())),
        }
        Ok(())
    }

    /// Runs it as it will be measured; a tool that selects gets something to remember before.
    fn try_out(&mut self, contestant: Contestant) -> Result<()> {
        self.subject.copy_to(&self.directory(contestant))?;
        if contestant.tool.selects() && contestant.occasion != Occasion::First {
            run_aloud(&self.program(contestant)?)?;
        }
        self.get_ready(contestant)?;
        run_aloud(&self.program(contestant)?)?;
        if contestant == PLAIN {
            self.n_all = n_reported(&self.directory(contestant))?;
            ensure!(self.n_all > 0, "no test left a report");
        }
        self.check(contestant).map(|_| ())
    }

    fn measure(&mut self, contestant: Contestant) -> Result<(Usage, usize)> {
        let name = || contestant.text();
        self.get_ready(contestant).with_context(name)?;
        let program = self.program(contestant)?;
        let usage = program.measure(Watcher::Plain).with_context(name)?;
        ensure!(usage.exit_code == Some(0), "{}: the build failed", name());
        let n_run = self.check(contestant).with_context(name)?;
        Ok((usage, n_run))
    }

    fn directory(&self, Contestant { tool, occasion }: Contestant) -> PathBuf {
        self.copies.path().join(format!("{tool:?}-{occasion:?}"))
    }

    fn program(&self, contestant: Contestant) -> Result<Program> {
        let directory = self.directory(contestant);
        let maven = find_maven(&directory).context("the copy is a Maven project")?;
        Ok(contestant.program(&self.tamis, &maven.program, self.jdk, directory))
    }

    /// What happens to the project before a run.
    fn get_ready(&mut self, contestant: Contestant) -> Result<()> {
        let directory = self.directory(contestant);
        remove_reports(&directory)?;
        match (contestant.occasion, &self.subject.change) {
            (Occasion::First, _) => contestant
                .tool
                .memory()
                .map_or(Ok(()), |memory| remove_directories(&directory, memory)),
            (Occasion::Changed, Some(change)) => {
                self.n_changes += 1;
                change.apply(&directory, FIRST_NUMBER + self.n_changes)
            }
            _ => Ok(()),
        }
    }

    /// How many tests ran; they must be those that were to run.
    fn check(&self, contestant: Contestant) -> Result<usize> {
        let n_run = n_reported(&self.directory(contestant))?;
        let wanted = wanted(contestant, self.n_all, self.subject.n_affected);
        ensure!(
            wanted.contains(&n_run),
            "{n_run} tests ran, not {} to {}",
            wanted.start(),
            wanted.end()
        );
        Ok(n_run)
    }
}

/// How many tests may run. Of a project whose affected tests are not known, a tool may select any.
fn wanted(
    Contestant { tool, occasion }: Contestant,
    n_all: usize,
    n_affected: Option<usize>,
) -> RangeInclusive<usize> {
    let (least, most) = match (tool, occasion, n_affected) {
        (Tool::SkipTests, ..) => (0, 0),
        (_, Occasion::Unchanged, Some(_)) if tool.selects() => (0, 0),
        (_, Occasion::Changed, Some(n_affected)) if tool.selects() => (n_affected, n_affected),
        (_, Occasion::Unchanged | Occasion::Changed, None) if tool.selects() => (0, n_all),
        _ => (n_all, n_all),
    };
    least..=most
}

/// Runs a build to see whether it works; if not, the beginning of what it printed says why.
fn run_aloud(program: &Program) -> Result<()> {
    let output = Command::new(&program.executable)
        .args(&program.arguments)
        .current_dir(&program.directory)
        .env("JAVA_HOME", &program.java_home)
        .envs(program.environment.clone())
        .stdin(Stdio::null())
        .output()
        .with_context(|| format!("cannot start {}", program.executable.display()))?;
    let printed = [output.stdout, output.stderr].concat();
    let printed = String::from_utf8_lossy(&printed).replace(RESET, "");
    let lines: Vec<&str> = printed.lines().take(N_LINES_TOLD).collect();
    ensure!(
        output.status.success(),
        "the build failed: {}",
        lines.join("\n    ")
    );
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::contestant::{CHANGED, EKSTAZI_UNCHANGED, FIRST, SKIP_TESTS, UNCHANGED};
    use super::*;

    #[test]
    fn who_selects_runs_what_is_affected_and_the_others_everything() {
        let wanted = |contestant| wanted(contestant, 200, Some(5));
        assert_eq!(wanted(PLAIN), 200..=200);
        assert_eq!(wanted(FIRST), 200..=200);
        assert_eq!(wanted(CHANGED), 5..=5);
        for nothing in [SKIP_TESTS, UNCHANGED, EKSTAZI_UNCHANGED] {
            assert_eq!(wanted(nothing), 0..=0, "{nothing:?}");
        }
    }

    #[test]
    fn of_an_unknown_project_any_may_be_affected() {
        assert_eq!(wanted(UNCHANGED, 200, None), 0..=200);
        assert_eq!(wanted(FIRST, 200, None), 200..=200);
        assert_eq!(wanted(SKIP_TESTS, 200, None), 0..=0);
    }

    #[test]
    fn a_build_that_fails_says_why() {
        let program = Program {
            executable: "sh".into(),
            arguments: vec!["-c".into(), "printf '\\033[0mno such goal'; exit 1".into()],
            directory: std::env::temp_dir(),
            java_home: PathBuf::new(),
            environment: Vec::new(),
            n_watched_jvms: 0,
        };
        let error = run_aloud(&program).unwrap_err();
        assert_eq!(error.to_string(), "the build failed: no such goal");
    }
}
