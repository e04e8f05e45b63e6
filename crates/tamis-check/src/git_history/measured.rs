//! What a run took: time on the clock, and of processors.

use std::io;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::time::{TimeVal, TimeValLike as _};

use super::record::Cost;
use crate::process::{Ending, Stop, run_limited};

/// Runs commands one after the other, until one does not succeed; how the last one ended, and what all of them took.
/// Nothing else may be run meanwhile: processor time is that of all children of this process.
pub(super) fn run_measured(
    commands: &mut [Command],
    log: &Path,
    limit: Duration,
    stop: &Stop,
) -> io::Result<(Ending, Cost)> {
    let before = children()?;
    let begun = Instant::now();
    let mut ending = Ending::Exited(0);
    for command in commands {
        ending = run_limited(command, log, limit, stop)?;
        if ending != Ending::Exited(0) {
            break;
        }
    }
    let cost = Cost {
        wall_milliseconds: milliseconds(begun.elapsed()),
        cpu_milliseconds: milliseconds(children()?.saturating_sub(before)),
    };
    Ok((ending, cost))
}

/// Processor time of all children that have ended, with theirs.
fn children() -> io::Result<Duration> {
    let usage = getrusage(UsageWho::RUSAGE_CHILDREN)?;
    Ok(duration(usage.user_time()) + duration(usage.system_time()))
}

fn duration(time: TimeVal) -> Duration {
    Duration::from_micros(u64::try_from(time.num_microseconds()).unwrap_or(0))
}

fn milliseconds(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The shell works in a child of its own, whose time counts too; sleeping counts on the clock alone.
    #[test]
    fn time_of_children_of_children_counts() {
        let dir = tempfile::tempdir().unwrap();
        let run = |scripts: &[&str]| {
            let commands = scripts.iter().map(|script| {
                let mut command = Command::new("sh");
                command.args(["-c", script]);
                command
            });
            let mut commands: Vec<Command> = commands.collect();
            let log = dir.path().join("log");
            run_measured(
                &mut commands,
                &log,
                Duration::from_mins(5),
                &Stop::default(),
            )
            .unwrap()
        };
        let busy = "(i=0; while [ $i -lt 100000 ]; do i=$((i + 1)); done); true";
        let (ending, cost) = run(&[busy, "sleep 0.2"]);
        assert_eq!(ending, Ending::Exited(0));
        assert!(cost.cpu_milliseconds > 0 && cost.wall_milliseconds >= 200);
        let (ending, _) = run(&["exit 3", "exit 4"]);
        assert_eq!(ending, Ending::Exited(3));
    }
}
