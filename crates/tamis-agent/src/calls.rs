//! The native methods that probes and doors call: one exported function for each row of
//! `helper_class::NATIVES`, but for those that doors of the JDK call (`jdk_calls.rs`). Each is guarded: no panic leaves it, and an answer that fails means "run".

use std::ffi::{c_int, c_uchar, c_void};

use crate::entry::WATCH;
use crate::guard::guarded;
use crate::jni::{Jni, Object};
use crate::watch::Watch;

/// Runs `body` with the JVM that is watched; gives `fallback` if there is none, or `body` fails.
pub(crate) fn watched<R: Copy>(
    jni: *mut c_void,
    fallback: R,
    body: impl FnOnce(&Watch, &Jni<'_>) -> R,
) -> R {
    guarded(fallback, || {
        // SAFETY: the JVM gives this thread's own interface, for this call.
        match (unsafe { Jni::new(jni.cast()) }, WATCH.get()) {
            (Some(jni), Some(watch)) if !watch.is_over() => body(watch, &jni),
            _ => fallback,
        }
    })
}

/// Functions that take the number of a class.
macro_rules! about_initialisers {
    ($($symbol:ident => $method:ident;)*) => {$(
        /// Called by a probed class.
        ///
        /// # Safety
        ///
        /// Called by a JVM that is watched.
        #[cfg_attr(tamis_cdylib, unsafe(no_mangle))]
        #[expect(non_snake_case, reason = "the JVM looks for this name")]
        pub unsafe extern "C" fn $symbol(jni: *mut c_void, _class: *mut c_void, number: c_int) {
            watched(jni, (), |watch, jni| watch.$method(jni, number.cast_unsigned()));
        }
    )*};
}

/// Functions that take an object and give nothing.
macro_rules! about_objects {
    ($($symbol:ident => $method:ident;)*) => {$(
        /// Called by a framework's class through a door.
        ///
        /// # Safety
        ///
        /// Called by a JVM that is watched.
        #[cfg_attr(tamis_cdylib, unsafe(no_mangle))]
        #[expect(non_snake_case, reason = "the JVM looks for this name")]
        pub unsafe extern "C" fn $symbol(
            jni: *mut c_void,
            _class: *mut c_void,
            object: *mut c_void,
        ) {
            watched(jni, (), |watch, jni| {
                // SAFETY: the JVM gives references that live during the call.
                if let Some(object) = unsafe { Object::new(object) } {
                    watch.$method(jni, object);
                }
            });
        }
    )*};
}

about_initialisers! {
    Java_java_lang_Tamis_00024T_begin => begin_initialiser;
    Java_java_lang_Tamis_00024T_end => end_initialiser;
}

about_objects! {
    Java_java_lang_Tamis_00024T_planned => planned;
    Java_java_lang_Tamis_00024T_prepared => prepared;
    Java_java_lang_Tamis_00024T_started => started;
    Java_java_lang_Tamis_00024T_disabled => disabled;
    Java_java_lang_Tamis_00024T_beginBuild => begin_build;
    Java_java_lang_Tamis_00024T_endBuild => end_build;
    Java_java_lang_Tamis_00024T_built => built;
    Java_java_lang_Tamis_00024T_beginRunner => begin_runner;
    Java_java_lang_Tamis_00024T_endRunner => end_runner;
    Java_java_lang_Tamis_00024T_testStarted => test_started;
    Java_java_lang_Tamis_00024T_testFinished => test_finished;
    Java_java_lang_Tamis_00024T_testIgnored => test_ignored;
    Java_java_lang_Tamis_00024T_testFailed => test_failed;
    Java_java_lang_Tamis_00024T_testAborted => test_aborted;
}

/// `static native void finished(Object, Object)`: a node of the JUnit Platform, and how it went.
///
/// # Safety
///
/// Called by a JVM that is watched.
#[cfg_attr(tamis_cdylib, unsafe(no_mangle))]
#[expect(non_snake_case, reason = "the JVM looks for this name")]
pub unsafe extern "C" fn Java_java_lang_Tamis_00024T_finished(
    jni: *mut c_void,
    _class: *mut c_void,
    descriptor: *mut c_void,
    result: *mut c_void,
) {
    watched(jni, (), |watch, jni| {
        // SAFETY: the JVM gives references that live during the call.
        let (descriptor, result) = unsafe { (Object::new(descriptor), Object::new(result)) };
        if let Some(descriptor) = descriptor {
            watch.finished(jni, descriptor, result);
        }
    });
}

/// `static native boolean skipsRunner(Object)`: whether a runner of JUnit 4 is not to run.
///
/// # Safety
///
/// Called by a JVM that is watched.
#[cfg_attr(tamis_cdylib, unsafe(no_mangle))]
#[expect(non_snake_case, reason = "the JVM looks for this name")]
pub unsafe extern "C" fn Java_java_lang_Tamis_00024T_skipsRunner(
    jni: *mut c_void,
    _class: *mut c_void,
    runner: *mut c_void,
) -> c_uchar {
    watched(jni, 0, |watch, jni| {
        // SAFETY: the JVM gives references that live during the call.
        let runner = unsafe { Object::new(runner) };
        u8::from(runner.is_some_and(|runner| watch.skips_runner(jni, runner)))
    })
}

/// `static native boolean skipsMethod(Object, Object)`: whether a method of a runner is not to run.
///
/// # Safety
///
/// Called by a JVM that is watched.
#[cfg_attr(tamis_cdylib, unsafe(no_mangle))]
#[expect(non_snake_case, reason = "the JVM looks for this name")]
pub unsafe extern "C" fn Java_java_lang_Tamis_00024T_skipsMethod(
    jni: *mut c_void,
    _class: *mut c_void,
    runner: *mut c_void,
    method: *mut c_void,
) -> c_uchar {
    watched(jni, 0, |watch, jni| {
        // SAFETY: the JVM gives references that live during the call.
        let pair = unsafe { (Object::new(runner), Object::new(method)) };
        let (Some(runner), Some(method)) = pair else {
            return 0;
        };
        u8::from(watch.skips_method(jni, runner, method))
    })
}
