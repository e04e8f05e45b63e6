//! Runs of a whole suite, without the agent, with a limit in time.

use std::fs;
use std::io;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use tamis_testkit::suite::SuitePlace;

use crate::outcomes::Outcomes;
use crate::workshop::Workshop;

/// A suite and where it runs.
pub(crate) struct Suite {
    /// The test classes, in the order in which they run.
    pub(crate) classes: Vec<String>,
    pub(crate) place: SuitePlace,
}

/// How a run went.
#[derive(Debug)]
pub(crate) struct PlainRun {
    pub(crate) outcomes: Outcomes,
    /// Classes whose tests did not come to an end: the JVM hung in them, or ended.
    pub(crate) stopped_in: Vec<String>,
    /// Classes that did not run at all, after too many of those.
    pub(crate) not_run: Vec<String>,
    pub(crate) duration: Duration,
}

/// How long a run may take before it is stopped.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Limit {
    pub(crate) whole: Duration,
    /// From the end of a test to that of the next.
    pub(crate) one_test: Duration,
}

/// So many classes may stop their JVM before a run is given up.
const MAX_STOPS: usize = 2;

impl Suite {
    pub(crate) fn new(workshop: &Workshop, place: &Path) -> Result<Self> {
        Ok(Self {
            classes: workshop.library.test_classes()?,
            place: SuitePlace {
                workplace: workshop.dir.clone(),
                results: place.join("results"),
                classes: place.join("classes"),
            },
        })
    }

    /// Runs the suite. Where a class stops its JVM, the suite runs without it: what the others do is not known else.
    ///
    /// `expected` are the outcomes of before; they tell which tests a class should have.
    pub(crate) fn run(
        &self,
        workshop: &Workshop,
        limit: Limit,
        expected: Option<&Outcomes>,
    ) -> Result<PlainRun> {
        let begun = Instant::now();
        let mut classes = self.classes.clone();
        let mut stopped = Outcomes::default();
        let mut stopped_in = Vec::new();
        loop {
            let (mut outcomes, has_ended) = self.run_once(workshop, &classes, limit)?;
            let culprit = match expected {
                Some(expected) if !has_ended => unfinished(&classes, expected, &outcomes),
                _ => None,
            };
            let is_enough = stopped_in.len() >= MAX_STOPS;
            let Some(culprit) = culprit.filter(|_| !is_enough) else {
                outcomes.add(stopped);
                let not_run = classes.iter().filter(|_| !has_ended && is_enough);
                let done = outcomes.classes();
                let not_run = not_run.filter(|class| !done.contains(*class));
                return Ok(PlainRun {
                    not_run: not_run.cloned().collect(),
                    outcomes,
                    stopped_in,
                    duration: begun.elapsed(),
                });
            };
            stopped.add(outcomes.of_class(&culprit));
            classes.retain(|class| *class != culprit);
            stopped_in.push(culprit);
        }
    }

    /// The outcomes, and whether the JVM came to its end.
    fn run_once(
        &self,
        workshop: &Workshop,
        classes: &[String],
        limit: Limit,
    ) -> Result<(Outcomes, bool)> {
        remove_if_there(&self.place.results)?;
        let mut command = workshop
            .library
            .command(&workshop.jdk, &[], classes, &self.place)?;
        let code = run_limited(&mut command, &self.place.results, limit)?;
        let results = if self.place.results.exists() {
            self.place.results()?
        } else {
            Vec::new()
        };
        // 1: a test failed.
        let has_ended = matches!(code, Some(0 | 1));
        Ok((Outcomes::new(&results), has_ended))
    }
}

/// The first class that lacks tests which it should have.
fn unfinished(classes: &[String], expected: &Outcomes, outcomes: &Outcomes) -> Option<String> {
    let has_all = |class: &str| expected.of_class(class).len() <= outcomes.of_class(class).len();
    let unfinished = classes.iter().find(|class| !has_all(class));
    unfinished.cloned()
}

/// Runs a command, whose words go nowhere, as long as a file grows; its exit code, or nothing if it was stopped.
fn run_limited(command: &mut Command, growing: &Path, limit: Limit) -> Result<Option<i32>> {
    let command = command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    let mut child = command.spawn().context("cannot start a JVM")?;
    wait_limited(&mut child, growing, limit)
}

fn wait_limited(child: &mut Child, growing: &Path, limit: Limit) -> Result<Option<i32>> {
    let begun = Instant::now();
    let (mut grown, mut n_bytes) = (begun, 0);
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(status.code());
        }
        if begun.elapsed() > limit.whole || grown.elapsed() > limit.one_test {
            child.kill()?;
            child.wait()?;
            return Ok(None);
        }
        // A file that is not there yet has no bytes.
        let n_bytes_now = fs::metadata(growing).map_or(0, |metadata| metadata.len());
        if n_bytes_now != n_bytes {
            (grown, n_bytes) = (Instant::now(), n_bytes_now);
        }
        thread::sleep(Duration::from_millis(10));
    }
}

fn remove_if_there(path: &Path) -> Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            Err(error).with_context(|| format!("cannot remove {}", path.display()))
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_that_hangs_is_stopped() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("growing");
        let run = |script: &str, whole, one_test| {
            let mut command = Command::new("sh");
            command.current_dir(&dir).args(["-c", script]);
            run_limited(&mut command, &file, Limit { whole, one_test }).unwrap()
        };
        let (short, long) = (Duration::from_millis(50), Duration::from_mins(1));
        assert_eq!(run("exit 3", long, long), Some(3));
        assert_eq!(run("exec sleep 600", short, long), None);
        assert_eq!(run("exec sleep 600", long, short), None);
        let growing = "for i in 1 2 3 4 5 6; do echo x >> growing; sleep 0.2; done";
        assert_eq!(run(growing, long, Duration::from_secs(1)), Some(0));
    }
}
