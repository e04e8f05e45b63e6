//! A library as it is: how its tests end, and the records that mutants are compared with.

use std::collections::{BTreeMap, BTreeSet};
use std::env;
use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::io;
use std::iter;
use std::os::fd::AsFd as _;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use tamis_engine::{BuildCommand, EntityReport, Progress, Project, RunReport, TestOptions};
use tamis_facts::{EntityId, Mesh, RunVerdict};
use tamis_select::{Decision, Reason};
use tamis_wire::Granularity;

use crate::arrangement::Arrangement;
use crate::jvm::{Jvm, Limit};
use crate::outcomes::{Outcomes, TestKey};
use crate::suite_run::Suite;
use crate::workshop::Workshop;

pub(crate) struct Baseline {
    pub(crate) outcomes: Outcomes,
    /// Tests that do not always end in the same way; they are left out.
    pub(crate) unstable: BTreeSet<TestKey>,
    /// How long the shortest run took: others may have waited for a busy machine.
    pub(crate) duration: Duration,
    /// The same of the JVM that took longest in each.
    pub(crate) longest_jvm: Duration,
    pub(crate) project: Project,
    pub(crate) granularity: Granularity,
    /// How many entities have records that passed, and others with what is wrong with them.
    pub(crate) n_passed: usize,
    pub(crate) not_passed: BTreeMap<String, String>,
}

/// No suite takes longer as it is.
const LIMIT: Limit = Limit {
    whole: Duration::from_mins(5),
    one_test: Duration::from_mins(5),
};

impl Baseline {
    /// Runs the suite as it is, several times, and once with the agent, recorded by `mesh`. `place` gets the store.
    pub(crate) fn new(
        workshop: &Workshop,
        suite: &mut Suite,
        (mesh, granularity): (Mesh, Granularity),
        place: &Path,
    ) -> Result<Self> {
        let first = suite.run(workshop, LIMIT, None)?;
        ensure!(first.outcomes.len() > 0, "the suite did not run at all");
        if suite.arrangement == Arrangement::PerClass {
            // No build starts a JVM for a class without tests.
            suite.keep(&first.outcomes.classes());
        }
        let mut unstable = BTreeSet::new();
        let (mut duration, mut longest_jvm) = (first.duration, first.longest_jvm);
        for _ in 1..suite.arrangement.n_repetitions() {
            let again = suite.run(workshop, LIMIT, None)?;
            unstable.extend(first.outcomes.differences(&again.outcomes));
            duration = duration.min(again.duration);
            longest_jvm = longest_jvm.min(again.longest_jvm);
        }
        let mut baseline = Self {
            outcomes: first.outcomes,
            unstable,
            duration,
            longest_jvm,
            project: Project {
                root: workshop.dir.clone(),
                store: place.join("store"),
            },
            granularity,
            n_passed: 0,
            not_passed: BTreeMap::new(),
        };
        baseline.record(workshop, suite, mesh)?;
        Ok(baseline)
    }

    /// A run with the agent, in the same arrangement: what a test may rely on is the state that those leave behind with
    /// which it shares a JVM. Then another one, in which nothing has changed.
    fn record(&mut self, workshop: &Workshop, suite: &Suite, mesh: Mesh) -> Result<()> {
        let (report, watched) = self.watch(workshop, suite, mesh)?;
        let mut other = self.outcomes.differences(&watched);
        other.retain(|test| !self.unstable.contains(test));
        if suite.arrangement == Arrangement::Parallel {
            // A test that is not made to run beside others may show it only now.
            self.unstable.append(&mut other);
        }
        let texts: Vec<String> = other
            .iter()
            .map(|test| self.outcomes.changed(test, &watched).text)
            .collect();
        ensure!(
            texts.is_empty(),
            "tests end otherwise with the agent: {texts:#?}"
        );
        self.check_entities(&report)?;
        let (report, _) = self.watch(workshop, suite, mesh)?;
        check_unchanged(&report)
    }

    /// Runs with the agent what has to run.
    fn watch(
        &self,
        workshop: &Workshop,
        suite: &Suite,
        mesh: Mesh,
    ) -> Result<(RunReport, Outcomes)> {
        let jvms = suite.watched_jvms(workshop)?;
        let (program, arguments) = one_command(&jvms, &self.project.store.with_extension("sh"))?;
        let command = BuildCommand {
            program: &program,
            arguments: &arguments,
        };
        // The directory of a JVM is that of whoever starts it.
        env::set_current_dir(&workshop.dir)?;
        let options = TestOptions {
            mesh,
            granularity: self.granularity,
            ..TestOptions::default()
        };
        let report = quietly(|| tamis_engine::test(&command, &self.project, &options, &Silent))??;
        let mut outcomes = Outcomes::default();
        for jvm in &jvms {
            outcomes.add(jvm.outcomes()?);
        }
        Ok((report, outcomes))
    }

    /// Each test belongs to an entity that was recorded: else nothing could be said of it.
    fn check_entities(&mut self, report: &RunReport) -> Result<()> {
        let known: BTreeSet<String> = report
            .entities
            .iter()
            .map(|entity| entity.id.test.to_string())
            .collect();
        let classes = self.outcomes.classes();
        let lost: Vec<&String> = classes.difference(&known).collect();
        ensure!(
            lost.is_empty(),
            "no entity was recorded for {lost:?}; notes: {:?}",
            report.notes
        );
        for entity in &report.entities {
            let run = entity
                .run
                .as_ref()
                .with_context(|| format!("{} did not run", entity.id))?;
            if run.verdict == RunVerdict::Passed {
                self.n_passed += 1;
            } else {
                let text = format!("{:?} {:?}", run.verdict, run.doubts);
                self.not_passed.insert(entity.id.test.to_string(), text);
            }
        }
        Ok(())
    }
}

/// The command that starts these JVMs: itself, if there is one, and otherwise a shell that runs `script`.
fn one_command(jvms: &[Jvm], script: &Path) -> Result<(OsString, Vec<OsString>)> {
    if let [Jvm { command, .. }] = jvms {
        let arguments = command.get_args().map(OsStr::to_owned);
        return Ok((command.get_program().to_owned(), arguments.collect()));
    }
    let commands = jvms.iter().map(|jvm| &jvm.command);
    fs::write(script, in_turn(commands)?)?;
    Ok(("sh".into(), vec![script.into()]))
}

/// A script that runs commands one after the other, and fails if one of them does.
fn in_turn<'c>(commands: impl IntoIterator<Item = &'c Command>) -> Result<String> {
    let mut script = "status=0\n".to_owned();
    for command in commands {
        for word in iter::once(command.get_program()).chain(command.get_args()) {
            let word = word.to_str().context("a word that is no text")?;
            // Nothing but a quote means anything between quotes.
            script.extend(["'", &word.replace('\'', "'\\''"), "' "]);
        }
        script.push_str("|| status=1\n");
    }
    script.push_str("exit $status\n");
    Ok(script)
}

/// Nothing has changed since all was recorded, so nothing runs but what did not pass, and what leaves something for it; what
/// else does is named with what it saw that is not so any more.
fn check_unchanged(report: &RunReport) -> Result<()> {
    let is_needless = |entity: &&EntityReport| {
        let reason = &entity.explanation.decision;
        let is_red = matches!(reason, Decision::Run(Reason::NotPassed(..)));
        let is_for_others = matches!(reason, Decision::Run(Reason::Companion(_)));
        // Of a class of JUnit 3 that is red all methods run, whatever was decided: none can be left out.
        let cannot_be_skipped =
            matches!(reason, Decision::Skip(_)) && entity.id.test.as_bytes().contains(&b'#');
        entity.run.is_some() && !is_red && !is_for_others && !cannot_be_skipped
    };
    let needless = report.entities.iter().filter(is_needless);
    let needless: Vec<String> = needless
        .map(|entity| {
            let newest = entity.explanation.newest.as_ref();
            let broken = newest.into_iter().flat_map(|record| &record.broken);
            let broken: Vec<String> = broken.map(|fact| fact.subject.to_string()).collect();
            format!("{}: {}", entity.id, broken.join(", "))
        })
        .collect();
    ensure!(
        needless.is_empty(),
        "nothing has changed, and yet these ran, because of: {needless:#?}"
    );
    Ok(())
}

struct Silent;

impl Progress for Silent {
    fn decided(&self, _: &EntityId, _: bool) {}
    fn ended(&self, _: &EntityId, _: bool) {}
}

/// Does something while what this process and its children print goes nowhere.
fn quietly<T>(action: impl FnOnce() -> T) -> Result<T> {
    let nowhere = File::options().write(true).open("/dev/null")?;
    let stdout = io::stdout().as_fd().try_clone_to_owned()?;
    let stderr = io::stderr().as_fd().try_clone_to_owned()?;
    rustix::stdio::dup2_stdout(&nowhere)?;
    rustix::stdio::dup2_stderr(&nowhere)?;
    let value = action();
    rustix::stdio::dup2_stdout(&stdout)?;
    rustix::stdio::dup2_stderr(&stderr)?;
    Ok(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_in_turn_keep_their_words_and_fail_if_one_does() {
        let check = |scripts: &[&str], expected: (&str, i32)| {
            let commands: Vec<Command> = scripts
                .iter()
                .map(|script| {
                    let mut command = Command::new("sh");
                    command.args(["-c", script, "it's", "a  b $HOME"]);
                    command
                })
                .collect();
            let script = in_turn(&commands).unwrap();
            let output = Command::new("sh").args(["-c", &script]).output().unwrap();
            let (text, code) = expected;
            assert_eq!(String::from_utf8(output.stdout).unwrap(), text);
            assert_eq!(output.status.code(), Some(code));
        };
        check(&["echo \"$0,$1\"", "true"], ("it's,a  b $HOME\n", 0));
        check(&["exit 3", "echo second"], ("second\n", 1));
    }
}
