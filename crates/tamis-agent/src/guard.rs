//! Every entry from the JVM runs inside a guard: a panic ends the watching, never the JVM.

use std::panic::{self, AssertUnwindSafe};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

/// Why something that ran may not have been told; the first reason is kept.
static INCOMPLETE: OnceLock<String> = OnceLock::new();

/// Notes that something that ran may not have been told.
pub(crate) fn note_incomplete(reason: impl Into<String>) {
    // Only the first reason is told; later ones are its consequences.
    let _ = INCOMPLETE.set(reason.into());
}

/// The first reason noted.
pub(crate) fn incomplete() -> Option<&'static str> {
    INCOMPLETE.get().map(String::as_str)
}

/// Keeps the agent's panics from being printed: standard error belongs to the tests.
pub(crate) fn keep_panics_quiet() {
    panic::set_hook(Box::new(|panic| {
        note_incomplete(format!("the agent has a bug: {panic}"));
    }));
}

/// Runs `body`; gives `fallback` if it panics.
pub(crate) fn guarded<R>(fallback: R, body: impl FnOnce() -> R) -> R {
    let result = panic::catch_unwind(AssertUnwindSafe(body));
    result.unwrap_or_else(|_| {
        note_incomplete("the agent has a bug");
        fallback
    })
}

/// Takes a lock. After a panic inside it the data are as they were left, and the run is incomplete.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_gives_the_fallback_and_is_noted() {
        assert_eq!(guarded(1, || 2), 2);
        let result = guarded(1, || panic!("a panic of a test"));
        assert_eq!(result, 1);
        assert!(incomplete().is_some());
    }

    #[test]
    fn a_lock_survives_a_panic() {
        let mutex = Mutex::new(1);
        guarded((), || {
            let _locked = lock(&mutex);
            panic!("a panic of a test");
        });
        assert_eq!(*lock(&mutex), 1);
    }
}
