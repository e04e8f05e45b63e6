//! Outlives the command when a user interrupts it: what it did until then is still to be recorded.

use std::io;
use std::process::{Child, Command, ExitStatus};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::flag;

/// Signals that would end this process and do not, as long as this is there.
pub(crate) struct Interruptions {
    is_over: Arc<AtomicBool>,
    is_to_end: Arc<AtomicBool>,
}

/// How often it is looked whether the command has ended, at first; then ever less often.
const SHORTEST_NAP: Duration = Duration::from_millis(1);
const LONGEST_NAP: Duration = Duration::from_millis(10);

impl Interruptions {
    /// From now on the user's signals are for the command.
    pub(crate) fn new() -> io::Result<Self> {
        let interruptions = Self {
            is_over: Arc::default(),
            is_to_end: Arc::default(),
        };
        for signal in [SIGINT, SIGTERM, SIGHUP] {
            flag::register_conditional_default(signal, Arc::clone(&interruptions.is_over))?;
        }
        flag::register(SIGTERM, Arc::clone(&interruptions.is_to_end))?;
        Ok(interruptions)
    }

    /// Runs a command to its end. A signal from the terminal reaches it by itself; one that was sent to this
    /// process alone is passed on.
    pub(crate) fn status(&self, command: &mut Command) -> io::Result<ExitStatus> {
        let mut child = command.spawn()?;
        let mut nap = SHORTEST_NAP;
        loop {
            if let Some(status) = child.try_wait()? {
                return Ok(status);
            }
            if self.is_to_end.swap(false, Ordering::Relaxed) {
                terminate(&child);
            }
            thread::sleep(nap);
            nap = (nap * 2).min(LONGEST_NAP);
        }
    }
}

impl Drop for Interruptions {
    /// Signals do again what they do by default.
    fn drop(&mut self) {
        self.is_over.store(true, Ordering::Relaxed);
    }
}

/// A command that has just ended cannot be told, and need not.
fn terminate(child: &Child) {
    let pid = i32::try_from(child.id()).ok().and_then(Pid::from_raw);
    if let Some(pid) = pid {
        let _ = kill_process(pid, Signal::TERM);
    }
}
