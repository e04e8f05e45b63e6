//! A JVM that runs test classes, with a limit in time; and several of them at once.

use std::fs;
use std::num::NonZero;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow};
use tamis_testkit::suite::SuitePlace;

use crate::outcomes::Outcomes;

/// A JVM that is about to run test classes.
pub(crate) struct Jvm {
    pub(crate) classes: Vec<String>,
    pub(crate) place: SuitePlace,
    pub(crate) command: Command,
}

/// How a JVM went.
#[derive(Debug)]
pub(crate) struct JvmRun {
    pub(crate) outcomes: Outcomes,
    /// Whether it came to its end.
    pub(crate) has_ended: bool,
    pub(crate) duration: Duration,
}

/// How long a JVM may take before it is stopped.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Limit {
    pub(crate) whole: Duration,
    /// From the end of a test to that of the next.
    pub(crate) one_test: Duration,
}

impl Jvm {
    /// Runs the test classes.
    pub(crate) fn run(&mut self, limit: Limit) -> Result<JvmRun> {
        let begun = Instant::now();
        let code = run_limited(&mut self.command, &self.place.results, limit)?;
        Ok(JvmRun {
            outcomes: self.outcomes()?,
            // 1: a test failed.
            has_ended: matches!(code, Some(0 | 1)),
            duration: begun.elapsed(),
        })
    }

    /// What has ended so far: nothing, if the JVM did not come that far.
    pub(crate) fn outcomes(&self) -> Result<Outcomes> {
        if self.place.results.exists() {
            Ok(Outcomes::new(&self.place.results()?))
        } else {
            Ok(Outcomes::default())
        }
    }
}

/// Runs JVMs, as many at once as there are processors. After `max_stops` that did not come to an end the rest does not
/// run.
pub(crate) fn run_several(
    jvms: &mut [Jvm],
    limit: Limit,
    max_stops: usize,
) -> Result<Vec<Option<JvmRun>>> {
    let n_threads = thread::available_parallelism().map_or(1, NonZero::get);
    let n_each = jvms.len().div_ceil(n_threads).max(1);
    let n_stops = AtomicUsize::new(0);
    let run = |jvm: &mut Jvm| {
        if n_stops.load(Ordering::Relaxed) >= max_stops {
            return Ok(None);
        }
        let run = jvm.run(limit)?;
        n_stops.fetch_add(usize::from(!run.has_ended), Ordering::Relaxed);
        Ok(Some(run))
    };
    let run = &run;
    let parts: Vec<Result<Vec<Option<JvmRun>>>> = thread::scope(|scope| {
        let parts = jvms.chunks_mut(n_each);
        let threads: Vec<_> = parts
            .map(|part| scope.spawn(move || part.iter_mut().map(run).collect()))
            .collect();
        let joined = threads.into_iter().map(thread::ScopedJoinHandle::join);
        joined
            .map(|part| part.unwrap_or_else(|_| Err(anyhow!("a thread that runs JVMs panicked"))))
            .collect()
    });
    let parts = parts.into_iter().collect::<Result<Vec<_>>>()?;
    Ok(parts.into_iter().flatten().collect())
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

#[cfg(test)]
mod tests {
    use super::*;

    const LONG: Duration = Duration::from_mins(1);

    fn shell(dir: &Path, script: &str) -> Command {
        let mut command = Command::new("sh");
        command.current_dir(dir).args(["-c", script]);
        command
    }

    #[test]
    fn a_command_that_hangs_is_stopped() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("growing");
        let run = |script: &str, whole, one_test| {
            let limit = Limit { whole, one_test };
            run_limited(&mut shell(dir.path(), script), &file, limit).unwrap()
        };
        let short = Duration::from_millis(50);
        assert_eq!(run("exit 3", LONG, LONG), Some(3));
        assert_eq!(run("exec sleep 600", short, LONG), None);
        assert_eq!(run("exec sleep 600", LONG, short), None);
        let growing = "for i in 1 2 3 4 5 6; do echo x >> growing; sleep 0.2; done";
        assert_eq!(run(growing, LONG, Duration::from_secs(1)), Some(0));
    }

    #[test]
    fn each_of_several_has_its_own_results() {
        let dir = tempfile::tempdir().unwrap();
        let mut jvms: Vec<Jvm> = (0..5)
            .map(|number| {
                let script = format!("printf 'm(A{number})\\tpassed\\t\\t\\n' > {number}; exit 1");
                jvm(dir.path(), number, &script)
            })
            .collect();
        let limit = Limit {
            whole: LONG,
            one_test: LONG,
        };
        let runs = run_several(&mut jvms, limit, 1).unwrap();
        for (number, run) in runs.iter().enumerate() {
            let run = run.as_ref().unwrap();
            assert!(run.has_ended);
            let classes: Vec<String> = run.outcomes.classes().into_iter().collect();
            assert_eq!(classes, [format!("A{number}")]);
        }
        assert_eq!(runs.len(), 5);
    }

    #[test]
    fn after_too_many_stops_the_rest_does_not_run() {
        let dir = tempfile::tempdir().unwrap();
        let mut jvms: Vec<Jvm> = (0..64)
            .map(|number| jvm(dir.path(), number, "exit 7"))
            .collect();
        let limit = Limit {
            whole: LONG,
            one_test: LONG,
        };
        let runs = run_several(&mut jvms, limit, 1).unwrap();
        assert_eq!(runs.len(), 64);
        assert!(runs.iter().flatten().all(|run| !run.has_ended));
        assert!(runs.iter().any(Option::is_some));
        assert!(runs.iter().any(Option::is_none));
    }

    fn jvm(dir: &Path, number: usize, script: &str) -> Jvm {
        Jvm {
            classes: vec![format!("A{number}")],
            place: SuitePlace {
                workplace: dir.to_path_buf(),
                results: dir.join(number.to_string()),
                classes: dir.join("classes"),
            },
            command: shell(dir, script),
        }
    }
}
