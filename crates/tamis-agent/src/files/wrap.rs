//! The agent's code in front of the JDK's native methods. The JVM asks for the code of a native method
//! once, and takes the agent's; that notes what is about to be done and calls the JDK's with the very same
//! arguments.
//!
//! Arguments that are no floating-point numbers come in registers, six of them, and are passed on as they
//! are, whatever their types. One native method has a seventh, which comes on the stack.

use std::ffi::c_void;
use std::mem;
use std::ptr;
use std::sync::atomic::{AtomicPtr, Ordering};

use super::arguments::Arguments;
use super::table::{N_NATIVES, NATIVES};
use crate::entry::WATCH;
use crate::guard::guarded;
use crate::jni::Jni;
use crate::raw::RawObject;
use crate::raw::jni::RawJni;

/// A native method with up to four parameters.
type Code = unsafe extern "C" fn(*mut RawJni, RawObject, u64, u64, u64, u64) -> u64;

/// A native method with five.
type WideCode = unsafe extern "C" fn(*mut RawJni, RawObject, u64, u64, u64, u64, u64) -> u64;

/// How many parameters the wrappers pass on.
const N_PARAMETERS: usize = 4;
const N_WIDE_PARAMETERS: usize = 5;

/// The JDK's own code of each row; null before it is bound.
static ORIGINALS: [AtomicPtr<c_void>; N_NATIVES] =
    [const { AtomicPtr::new(ptr::null_mut()) }; N_NATIVES];

macro_rules! wrappers {
    ($($row:literal)*) => {
        [$((wrapper::<$row> as Code, wide_wrapper::<$row> as WideCode)),*]
    };
}

/// The agent's code of each row.
#[rustfmt::skip]
static WRAPPERS: [(Code, WideCode); N_NATIVES] = wrappers!(
    0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33 34 35 36 37
);

/// Remembers the JDK's own code of a row; the code to use instead of it. Nothing if it has more parameters
/// than can be passed on.
pub(super) fn replace(row: usize, descriptor: &str, code: *mut c_void) -> Option<*mut c_void> {
    let ours = match n_parameters(descriptor) {
        ..=N_PARAMETERS => WRAPPERS[row].0 as *mut c_void,
        N_WIDE_PARAMETERS => WRAPPERS[row].1 as *mut c_void,
        _ => return None,
    };
    // Should another agent have bound the method again, ours may be what it calls.
    if code != ours {
        ORIGINALS[row].store(code, Ordering::Release);
    }
    Some(ours)
}

/// How many parameters a descriptor has.
fn n_parameters(descriptor: &str) -> usize {
    let mut n_parameters = 0;
    let mut rest = descriptor.bytes().skip(1);
    while let Some(kind) = rest.next().filter(|kind| *kind != b')') {
        if kind == b'L' {
            rest.by_ref().find(|byte| *byte == b';');
        }
        n_parameters += usize::from(kind != b'[');
    }
    n_parameters
}

unsafe extern "C" fn wrapper<const ROW: usize>(
    env: *mut RawJni,
    this: RawObject,
    first: u64,
    second: u64,
    third: u64,
    fourth: u64,
) -> u64 {
    // SAFETY: the JVM calls with its environment and the arguments of the row's native method.
    unsafe { note(ROW, env, [first, second, third, fourth]) };
    let code = ORIGINALS[ROW].load(Ordering::Acquire);
    // SAFETY: only code of a native method that takes such arguments is kept, and null is no function.
    let Some(original) = (unsafe { mem::transmute::<*mut c_void, Option<Code>>(code) }) else {
        // The agent stands here only once it knows the JDK's own code.
        return 0;
    };
    // SAFETY: these are the JVM's own arguments.
    unsafe { original(env, this, first, second, third, fourth) }
}

unsafe extern "C" fn wide_wrapper<const ROW: usize>(
    env: *mut RawJni,
    this: RawObject,
    first: u64,
    second: u64,
    third: u64,
    fourth: u64,
    fifth: u64,
) -> u64 {
    // SAFETY: as above.
    unsafe { note(ROW, env, [first, second, third, fourth]) };
    let code = ORIGINALS[ROW].load(Ordering::Acquire);
    // SAFETY: as above.
    let Some(original) = (unsafe { mem::transmute::<*mut c_void, Option<WideCode>>(code) }) else {
        return 0;
    };
    // SAFETY: as above.
    unsafe { original(env, this, first, second, third, fourth, fifth) }
}

/// Notes what a native method is about to do.
///
/// # Safety
///
/// These are the environment of this thread and the arguments of the row's native method.
unsafe fn note(row: usize, env: *mut RawJni, arguments: [u64; N_PARAMETERS]) {
    guarded((), || {
        // SAFETY: as the caller promises.
        let (jni, arguments) = unsafe { (Jni::new(env), Arguments::new(arguments)) };
        if let (Some(jni), Some(watch)) = (jni, WATCH.get()) {
            watch.note_files(&jni, NATIVES[row].doing, &arguments);
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_are_counted() {
        for (descriptor, expected) in [
            ("()V", 0),
            ("(J)[B", 1),
            ("(IJILsun/nio/fs/UnixFileAttributes;)V", 4),
            ("([[Ljava/lang/String;[BZ)Ljava/lang/String;", 3),
            ("(La/B$C;Ljava/lang/String;ZZZ)Z", 5),
            ("", 0),
        ] {
            assert_eq!(n_parameters(descriptor), expected, "{descriptor}");
        }
    }

    #[test]
    fn code_that_is_bound_again_is_not_taken_for_the_jdks() {
        let row = NATIVES.len() - 1;
        let jdks = ptr::without_provenance_mut(16);
        let ours = replace(row, "(JJ)Z", jdks).unwrap();
        assert_eq!(replace(row, "(JJ)Z", ours), Some(ours));
        assert_eq!(ORIGINALS[row].load(Ordering::Acquire), jdks);
        assert_eq!(replace(row, "(JJJJJJ)Z", jdks), None);
    }
}
