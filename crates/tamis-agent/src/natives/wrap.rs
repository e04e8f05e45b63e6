//! The agent's code in front of the JDK's native methods. The JVM asks for the code of a native method
//! once, and takes the agent's; that notes what is about to be done and calls the JDK's with the very same
//! arguments.
//!
//! Arguments that are no floating-point numbers are passed on as they are, whatever their types. Six come in
//! registers, which is environment, object or class and four more; the others come on the stack.

use std::ffi::c_void;
use std::mem;
use std::ptr;
use std::sync::atomic::{AtomicPtr, Ordering};

use super::arguments::Arguments;
use super::table::{self, N_NATIVES, NATIVES};
use crate::entry::WATCH;
use crate::guard::guarded;
use crate::jni::{Jni, Object};
use crate::raw::RawObject;
use crate::raw::jni::RawJni;

/// The JDK's own code of each row; null before it is bound.
static ORIGINALS: [AtomicPtr<c_void>; N_NATIVES] =
    [const { AtomicPtr::new(ptr::null_mut()) }; N_NATIVES];

/// A wrapper for native methods with up to so many parameters, with its type and their number.
macro_rules! wrapper {
    ($wrapper:ident, $code:ident, $n_parameters:ident, $($parameter:ident)*) => {
        type $code = unsafe extern "C" fn(
            *mut RawJni,
            RawObject,
            $(wrapper!(@type $parameter)),*
        ) -> u64;

        const $n_parameters: usize = [$(stringify!($parameter)),*].len();

        unsafe extern "C" fn $wrapper<const ROW: usize>(
            env: *mut RawJni,
            this: RawObject,
            $($parameter: u64),*
        ) -> u64 {
            // SAFETY: the JVM calls with its environment and the arguments of the row's native method.
            unsafe { note(ROW, env, this, &[$($parameter),*]) };
            let code = ORIGINALS[ROW].load(Ordering::Acquire);
            // SAFETY: only code of a native method that takes such arguments is kept, and null is no
            // function.
            let original = unsafe { mem::transmute::<*mut c_void, Option<$code>>(code) };
            let Some(original) = original else {
                // The agent stands here only once it knows the JDK's own code.
                return 0;
            };
            // SAFETY: these are the JVM's own arguments.
            unsafe { original(env, this, $($parameter),*) }
        }
    };
    (@type $parameter:ident) => { u64 };
}

wrapper!(narrow, Narrow, N_NARROW, a b c d);
// What is behind the last argument belongs to the caller's frame. It is read and passed on, and nobody looks at it.
wrapper!(wide, Wide, N_WIDE, a b c d e f g h i);

macro_rules! wrappers {
    ($($row:literal)*) => {
        [$((narrow::<$row> as Narrow, wide::<$row> as Wide)),*]
    };
}

/// The agent's code of each row.
#[rustfmt::skip]
static WRAPPERS: [(Narrow, Wide); N_NATIVES] = wrappers!(
    0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33 34 35 36 37 38 39
    40 41 42 43 44 45 46 47 48 49 50 51 52 53 54 55 56 57 58 59 60 61 62 63 64 65 66 67 68 69 70 71 72 73 74 75 76
    77 78
);

/// Remembers the JDK's own code of a row; the code to use instead of it. Nothing if it has other parameters than
/// can be passed on.
pub(super) fn replace(row: usize, descriptor: &str, code: *mut c_void) -> Option<*mut c_void> {
    let parameters = parameters(descriptor);
    // These come in registers of their own.
    if parameters
        .iter()
        .any(|parameter| matches!(*parameter, "F" | "D"))
    {
        return None;
    }
    let ours = if parameters.len() <= N_NARROW {
        WRAPPERS[row].0 as *mut c_void
    } else if parameters.len() <= N_WIDE {
        WRAPPERS[row].1 as *mut c_void
    } else {
        return None;
    };
    // Should another agent have bound the method again, ours may be what it calls.
    if code != ours {
        ORIGINALS[row].store(code, Ordering::Release);
    }
    Some(ours)
}

/// The parameters of a descriptor.
pub(super) fn parameters(descriptor: &str) -> Vec<&str> {
    let mut parameters = Vec::new();
    let mut rest = descriptor.split(['(', ')']).nth(1).unwrap_or_default();
    while let Some(kind) = rest.find(|character| character != '[') {
        let length = match rest[kind..].split_once(';') {
            Some((class, _)) if class.starts_with('L') => kind + class.len() + 1,
            _ => kind + 1,
        };
        let Some((parameter, others)) = rest.split_at_checked(length) else {
            break;
        };
        parameters.push(parameter);
        rest = others;
    }
    parameters
}

/// An array with the interfaces that a class names, by the JDK's own code. The tool interface tells them of linked
/// classes only.
pub(crate) fn interfaces<'j>(jni: &Jni<'j>, class: Object<'j>) -> Option<Object<'j>> {
    let code = ORIGINALS[table::row_of_interfaces()?].load(Ordering::Acquire);
    // SAFETY: only code of a native method that takes such arguments is kept, and null is no function.
    let original = unsafe { mem::transmute::<*mut c_void, Option<Narrow>>(code) }?;
    // SAFETY: the object is a class, whose method this is; it has no parameters.
    let array = unsafe { original(jni.env(), class.raw(), 0, 0, 0, 0) };
    // SAFETY: a reference that the JVM has just made for this call, or null.
    unsafe { jni.taken(ptr::with_exposed_provenance_mut(array as usize)) }
}

/// Notes what a native method is about to do.
///
/// # Safety
///
/// These are the environment of this thread and the arguments of the row's native method.
unsafe fn note(row: usize, env: *mut RawJni, this: RawObject, arguments: &[u64]) {
    guarded((), || {
        // SAFETY: as the caller promises.
        let (jni, arguments) = unsafe { (Jni::new(env), Arguments::new(this, arguments)) };
        if let (Some(jni), Some(watch)) = (jni, WATCH.get()) {
            watch.note_native(&jni, NATIVES[row].does, &arguments);
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_are_told_apart() {
        for (descriptor, expected) in [
            ("()V", &[][..]),
            ("(J)[B", &["J"]),
            ("(IJILa/B;)V", &["I", "J", "I", "La/B;"]),
            ("([[La/B$C;[BZ)La/B;", &["[[La/B$C;", "[B", "Z"]),
            ("", &[]),
            ("(L", &["L"]),
            ("([", &[]),
        ] {
            assert_eq!(parameters(descriptor), expected, "{descriptor}");
        }
    }

    #[test]
    fn code_that_is_bound_again_is_not_taken_for_the_jdks() {
        let row = NATIVES.len() - 1;
        let jdks = ptr::without_provenance_mut(16);
        let ours = replace(row, "(JJ)Z", jdks).unwrap();
        assert_eq!(replace(row, "(JJ)Z", ours), Some(ours));
        assert_eq!(ORIGINALS[row].load(Ordering::Acquire), jdks);
        assert!(replace(row, "(JJJJJJJJJ)Z", jdks).is_some());
        assert_eq!(replace(row, "(JJJJJJJJJJ)Z", jdks), None);
        assert_eq!(replace(row, "(JD)Z", jdks), None);
    }
}
