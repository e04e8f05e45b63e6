//! Commands that are run with a limit, and that go when the user wants to stop.

use std::fs::File;
use std::io;
use std::os::unix::process::{CommandExt as _, ExitStatusExt as _};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process_group};
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::flag;

/// How often it is looked whether a command has ended.
const NAP: Duration = Duration::from_millis(5);

/// The user's wish to stop.
#[derive(Debug, Clone, Default)]
pub struct Stop(Arc<AtomicBool>);

/// How a command ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ending {
    Exited(i32),
    Signalled(i32),
    /// It took longer than it may.
    TimedOut,
    /// The user wants to stop.
    Stopped,
}

impl Stop {
    /// From now on the signals by which a user stops a program are a wish. A second one ends the program.
    pub fn on_signals() -> io::Result<Self> {
        let stop = Self::default();
        for signal in [SIGINT, SIGTERM, SIGHUP] {
            // In this order: what the first signal sets is what makes the second one end the program.
            flag::register_conditional_default(signal, Arc::clone(&stop.0))?;
            flag::register(signal, Arc::clone(&stop.0))?;
        }
        Ok(stop)
    }

    /// Stops as a signal does.
    pub fn wish(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    pub fn is_wanted(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// Runs a command, whose words go to a file, in a process group of its own; nothing of the group is left when it took too
/// long.
pub(crate) fn run_limited(
    command: &mut Command,
    log: &Path,
    limit: Duration,
    stop: &Stop,
) -> io::Result<Ending> {
    let out = File::create(log)?;
    let err = out.try_clone()?;
    let mut child = command
        .stdin(Stdio::null())
        .stdout(out)
        .stderr(err)
        .process_group(0)
        .spawn()?;
    let begun = Instant::now();
    loop {
        if let Some(status) = child.try_wait()? {
            let signalled = status.signal().map(Ending::Signalled);
            return Ok(signalled.unwrap_or(Ending::Exited(status.code().unwrap_or(-1))));
        }
        let ending = if stop.is_wanted() {
            Some(Ending::Stopped)
        } else {
            (begun.elapsed() > limit).then_some(Ending::TimedOut)
        };
        if let Some(ending) = ending {
            end_group(&mut child)?;
            return Ok(ending);
        }
        thread::sleep(NAP);
    }
}

/// Ends a command and all that it has started.
fn end_group(child: &mut Child) -> io::Result<()> {
    let group = i32::try_from(child.id()).ok().and_then(Pid::from_raw);
    if let Some(group) = group {
        // A group that has just ended cannot be told, and need not.
        let _ = kill_process_group(group, Signal::KILL);
    }
    child.wait().map(|_| ())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(script: &str, limit: Duration, stop: &Stop) -> (Ending, String) {
        let dir = tempfile::tempdir().unwrap();
        let log = dir.path().join("log");
        let ending = run_limited(Command::new("sh").args(["-c", script]), &log, limit, stop);
        (ending.unwrap(), std::fs::read_to_string(log).unwrap())
    }

    const LONG: Duration = Duration::from_mins(5);

    #[test]
    fn exit_codes_signals_and_words() {
        let stop = Stop::default();
        let (ending, said) = run("echo out; echo err >&2; exit 3", LONG, &stop);
        assert_eq!((ending, said.as_str()), (Ending::Exited(3), "out\nerr\n"));
        assert_eq!(run("kill -9 $$", LONG, &stop).0, Ending::Signalled(9));
    }

    /// The command waits for a child that nobody would end otherwise.
    #[test]
    fn a_command_that_hangs_goes_with_its_children() {
        let script = "sleep 600 & echo $!; wait";
        let (ending, said) = run(script, Duration::from_millis(300), &Stop::default());
        assert_eq!(ending, Ending::TimedOut);
        let child = Path::new("/proc").join(said.trim()).join("stat");
        let is_gone = || {
            let state = std::fs::read_to_string(&child);
            state.map_or(true, |state| state.contains(") Z"))
        };
        let begun = Instant::now();
        while !is_gone() {
            assert!(begun.elapsed() < LONG, "the child is still there");
            thread::sleep(NAP);
        }
    }

    #[test]
    fn a_wish_to_stop_ends_a_command() {
        let stop = Stop::default();
        stop.wish();
        assert_eq!(run("sleep 600", LONG, &stop).0, Ending::Stopped);
    }
}
