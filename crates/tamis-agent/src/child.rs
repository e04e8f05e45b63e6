//! The processes that a watched JVM starts: a JVM of its own JDK is given the agent, every other process
//! is told and left as it is.
//!
//! The JDK starts all of them by one native method, `forkAndExec`. When the JVM looks for its code, at
//! the first start, the agent puts itself in between. (To register another native for it would do, but
//! some JDKs print a warning about that, on standard output.)

mod launch;
mod library;

use std::ffi::{c_int, c_uchar, c_void};
use std::mem;
use std::path::PathBuf;
use std::ptr;
use std::sync::atomic::{AtomicPtr, AtomicU32, Ordering};

use tamis_wire::{Forked, Parent};

use crate::guard::note_incomplete;
use crate::jni::{Jni, Object};
use crate::jvmti::{Jvmti, MethodNames};
use crate::options::Options;
use crate::raw::RawObject;
use crate::raw::jni::RawJni;

pub(crate) use launch::Launch;

/// `int forkAndExec(int mode, byte[] helperPath, byte[] program, byte[] argBlock, int argCount,
/// byte[] envBlock, int envCount, byte[] directory, int[] descriptors, boolean redirectErrorStream)`, as
/// C has it.
pub(crate) type ForkAndExec = unsafe extern "C" fn(
    *mut RawJni,
    RawObject,
    c_int,
    RawObject,
    RawObject,
    RawObject,
    c_int,
    RawObject,
    c_int,
    RawObject,
    RawObject,
    c_uchar,
) -> c_int;

const NAME: &str = "forkAndExec";
const DESCRIPTOR: &str = "(I[B[B[BI[BI[B[IZ)I";

/// The class of JDK 8, and that of all later ones.
const CLASSES: [&str; 2] = ["java/lang/UNIXProcess", "java/lang/ProcessImpl"];

/// The JDK's own code of the native method; null before the first start.
static ORIGINAL: AtomicPtr<c_void> = AtomicPtr::new(ptr::null_mut());

/// Gives the agent to child processes.
pub(crate) struct Children {
    jvmti: Jvmti,
    /// Those of this JVM.
    options: Options,
    /// The number of this JVM.
    jvm: u32,
    n_forks: AtomicU32,
}

/// The arguments of a child with the agent among them.
pub(crate) struct Arguments<'j> {
    pub(crate) block: Object<'j>,
    pub(crate) count: c_int,
}

impl Children {
    /// Of the JVM with this number.
    pub(crate) fn new(jvmti: Jvmti, options: Options, jvm: u32) -> Self {
        Self {
            jvmti,
            options,
            jvm,
            n_forks: AtomicU32::new(0),
        }
    }

    /// Numbers a process that is about to be started; the arguments that give it the agent, if it is to
    /// have it.
    pub(crate) fn prepare<'j>(
        &self,
        jni: &Jni<'j>,
        launch: &Launch,
        count: c_int,
    ) -> (Forked, Option<Arguments<'j>>) {
        let fork = self.n_forks.fetch_add(1, Ordering::Relaxed);
        let arguments = self.arguments(jni, launch, count, fork);
        let forked = Forked {
            fork,
            is_followed: arguments.is_some(),
            program: launch.program.clone(),
        };
        (forked, arguments)
    }

    fn arguments<'j>(
        &self,
        jni: &Jni<'j>,
        launch: &Launch,
        count: c_int,
        fork: u32,
    ) -> Option<Arguments<'j>> {
        if !launch.takes_agent(&self.launchers()) {
            return None;
        }
        let options = Options {
            parent: Some(Parent {
                jvm: self.jvm,
                fork,
            }),
            ..self.options.clone()
        };
        let option = library::option(&options)?;
        Some(Arguments {
            block: jni.new_bytes(&[&option, &[0][..], &launch.arguments].concat())?,
            count: count.checked_add(1)?,
        })
    }

    /// The launchers of this JVM's JDK, which has loaded the agent: so will their JVMs.
    fn launchers(&self) -> Vec<PathBuf> {
        let home = self.jvmti.system_property(c"java.home");
        home.map_or_else(Vec::new, |home| launch::launchers(&home))
    }
}

/// Whether a native method, which gets its code now, starts processes.
pub(crate) fn is_start(method: &MethodNames) -> bool {
    if method.name != NAME || !CLASSES.contains(&method.class.as_str()) {
        return false;
    }
    if method.descriptor != DESCRIPTOR {
        note_incomplete("this JDK starts processes in a way that the agent does not know");
        return false;
    }
    true
}

/// Remembers the JDK's own code; the code to use instead of it.
pub(crate) fn replace(code: *mut c_void, ours: ForkAndExec) -> *mut c_void {
    let ours = ours as *mut c_void;
    // Should another agent have bound the method again, ours may be what it calls.
    if code != ours {
        ORIGINAL.store(code, Ordering::Release);
    }
    ours
}

/// The JDK's own code.
pub(crate) fn original() -> Option<ForkAndExec> {
    let code = ORIGINAL.load(Ordering::Acquire);
    // SAFETY: only code of a method with this very descriptor is kept, and null is no function.
    unsafe { mem::transmute::<*mut c_void, Option<ForkAndExec>>(code) }
}
