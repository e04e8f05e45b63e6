//! Faults that are put in on purpose, so that the checker can be checked; `tamis-engine` has the others.

use std::sync::atomic::AtomicBool;

/// Flags of methods and fields are no part of what others see of a class.
pub static SIGNATURES_WITHOUT_FLAGS: AtomicBool = AtomicBool::new(false);

/// The methods that a class declares do not concern who calls through it.
pub static LOOK_UPS_IGNORED: AtomicBool = AtomicBool::new(false);
