//! The exit codes of `tamis`. They are an interface: scripts branch on them, `docs/reference` lists them.
//!
//! Where several failures happen in one run, the greatest code is returned: what cannot be read may
//! well hold what was not found.

use std::os::unix::process::ExitStatusExt as _;
use std::process::ExitStatus;

/// Everything asked for was done; of a comparison: nothing changed.
pub(crate) const SUCCESS: u8 = 0;

/// Of a comparison: something changed; of a look around: something is not in place; of a check: a tool has a bug.
pub(crate) const DIFFERENT: u8 = 1;

/// The command line is wrong.
pub(crate) const WRONG_USE: u8 = 2;

/// What was asked for is not there: no classes in a place, no class, method or test of a name, no build, no
/// records.
pub(crate) const NOT_FOUND: u8 = 64;

/// Something was read and is not understood; it counts as a whole, and the rest was shown.
pub(crate) const NOT_UNDERSTOOD: u8 = 65;

/// Something cannot be read; the rest was shown.
pub(crate) const UNREADABLE: u8 = 66;

/// The command that was to be run cannot be started.
pub(crate) const CANNOT_START: u8 = 68;

/// The agent cannot be put where a JVM loads it, or nobody can listen for it.
pub(crate) const NO_AGENT: u8 = 69;

/// Tamis itself has a bug.
pub(crate) const BUG: u8 = 70;

/// The output cannot be written. (A reader that goes away early, such as `head`, is no failure.)
pub(crate) const CANNOT_WRITE: u8 = 74;

/// Something that the user has set cannot be used.
pub(crate) const WRONG_SETTING: u8 = 78;

/// A check was stopped by the user, as a shell tells it of a program that was.
pub(crate) const STOPPED: u8 = 130;

/// How a command ended, as a shell would tell it.
pub(crate) fn of_status(status: ExitStatus) -> u8 {
    let code = status.code().or(status.signal().map(|signal| 128 + signal));
    code.and_then(|code| u8::try_from(code).ok())
        .unwrap_or(u8::MAX)
}
