//! Where the JVM enters: the agent's start and the events it asked for. Each entry is guarded: no panic
//! leaves it.

use std::ffi::{CStr, c_char, c_int, c_uchar, c_void};
use std::ptr::NonNull;
use std::sync::OnceLock;

use tamis_wire::Sighting;

use crate::child::{self, Children, Launch};
use crate::files::Files;
use crate::guard::{guarded, keep_panics_quiet, note_incomplete};
use crate::helper_class::{self, CALLS, c_name};
use crate::jdk_doors::{JdkDoors, Unseen};
use crate::jni::{Jni, Object};
use crate::jvmti::Jvmti;
use crate::natives::{Natives, SIGHTS};
use crate::options::{self, Options};
use crate::raw::RawObject;
use crate::raw::jni::{RawJni, RawMember};
use crate::raw::jvmti::{
    Capabilities, EventCallbacks, NATIVE_METHOD_BIND, RawJvmti, RawVm, VM_DEATH, VM_INIT,
};
use crate::watch::{Load, Watch};
use crate::{environment, handshake, programs};

/// The JVM of this process, once it is watched.
pub(crate) static WATCH: OnceLock<Watch> = OnceLock::new();

/// Its doors in the JDK, if there are any.
pub(crate) static JDK_DOORS: OnceLock<JdkDoors> = OnceLock::new();

/// The processes that it starts.
static CHILDREN: OnceLock<Children> = OnceLock::new();

/// Success, whatever happened: an agent that fails stops its JVM from starting.
const JNI_OK: c_int = 0;

/// The JVM loads the agent.
///
/// # Safety
///
/// Called by a JVM, with its own pointer and with options that end with zero.
#[cfg_attr(tamis_cdylib, unsafe(no_mangle))]
#[expect(non_snake_case, reason = "the JVM looks for this name")]
pub unsafe extern "C" fn Agent_OnLoad(
    vm: *mut c_void,
    options: *const c_char,
    _reserved: *mut c_void,
) -> c_int {
    guarded((), || {
        keep_panics_quiet();
        if options.is_null() {
            return;
        }
        // SAFETY: the JVM gives options that end with zero and live during the call.
        let options = unsafe { CStr::from_ptr(options) }.to_bytes();
        // SAFETY: the pointer is the JVM's, which is loading agents.
        unsafe { start(vm.cast(), options) };
    });
    JNI_OK
}

const NOT_READY: &str = "the JVM does not have what the agent needs";

/// Watches the JVM, if it may hold tests and the process wants it.
///
/// # Safety
///
/// `vm` is the JVM's own pointer, and the JVM is loading agents.
unsafe fn start(vm: *mut RawVm, text: &[u8]) -> Option<()> {
    let (options, doctored) = options::split_doctored(text);
    let options = Options::parse(options)?;
    // SAFETY: as the caller promises.
    let jvmti = unsafe { Jvmti::new(vm) }?;
    let command = jvmti.system_property(c"sun.java.command");
    // A test that starts a build tool or a compiler relies on what that runs.
    let is_no_test = options.parent.is_none() && programs::is_no_test(command.as_deref());
    // A child may be given its parent's arguments, the agent among them, and so have it twice.
    if is_no_test || WATCH.get().is_some() {
        return None;
    }
    let accepted = handshake::connect(&options, jvmti)?;
    // SAFETY: a JVM that is loading agents runs no code yet that uses the environment.
    unsafe { environment::forget_agent(text) };
    let children = Children::new(jvmti, options, accepted.jvm);
    CHILDREN.set(children).ok()?;
    let (natives, unseen) = Natives::new(jvmti, doctored.clone());
    let files = Files::new(jvmti, &accepted.class_directories);
    WATCH
        .set(Watch::new(jvmti, accepted, natives, files))
        .ok()?;
    let callbacks = EventCallbacks {
        vm_init: Some(vm_init),
        vm_death: Some(vm_death),
        class_file_load_hook: Some(class_file_load_hook),
        native_method_bind: Some(native_method_bind),
        ..EventCallbacks::default()
    };
    let is_ready = jvmti.add_capabilities(&Capabilities::NEEDED)
        && jvmti.set_callbacks(&callbacks)
        && jvmti.enable(VM_INIT)
        && jvmti.enable(VM_DEATH)
        && jvmti.enable(NATIVE_METHOD_BIND);
    if !is_ready {
        note_incomplete(NOT_READY);
    }
    if let Some(reason) = unseen.or((!is_ready).then_some(NOT_READY)) {
        for sight in SIGHTS {
            WATCH.get()?.tell_unseen(*sight, reason);
        }
    }
    // SAFETY: as the caller promises.
    let (doors, unseen) =
        unsafe { JdkDoors::new(vm, jvmti.feature(), doctored, jdk_class_file_load_hook) };
    tell_unseen(WATCH.get()?, unseen);
    if let Some(doors) = doors {
        JDK_DOORS.set(doors).ok()?;
    }
    Some(())
}

/// The JVM can run code, and is about to load the first class of the program.
unsafe extern "C" fn vm_init(_env: *mut RawJvmti, jni: *mut RawJni, _thread: RawObject) {
    guarded((), || {
        // SAFETY: the JVM gives this thread's own interface, for this call.
        let Some(jni) = (unsafe { Jni::new(jni) }) else {
            return;
        };
        let Some(watch) = WATCH.get() else { return };
        if !define_helpers(watch, &jni) || !watch.enable_load_hook() {
            note_incomplete("the JVM does not take the agent's classes");
            return;
        }
        watch.tell_loaded_before(&jni);
        if let Some(doors) = JDK_DOORS.get() {
            tell_unseen(watch, doors.open(&jni));
        }
    });
}

fn tell_unseen(watch: &Watch, unseen: Vec<Unseen>) {
    for (what, reason) in unseen {
        watch.tell_unseen(what, &reason);
    }
}

/// Whether the JVM takes the agent's classes, and finds their native methods in the agent. (To
/// register natives in `java.lang` would do, but some JDKs print a warning about it, on standard output.)
fn define_helpers(watch: &Watch, jni: &Jni<'_>) -> bool {
    let calls = jni.define_class(&c_name(CALLS), &helper_class::calls());
    // The end of an initialiser that never began is nothing.
    let is_linked = calls.is_some_and(|class| jni.call_static(class, c"end", -1));
    is_linked && watch.define_holder(jni, 0)
}

/// A class is about to be defined or redefined.
unsafe extern "C" fn class_file_load_hook(
    _env: *mut RawJvmti,
    jni: *mut RawJni,
    redefined: RawObject,
    loader: RawObject,
    name: *const c_char,
    domain: RawObject,
    length: c_int,
    bytes: *const c_uchar,
    new_length: *mut c_int,
    new_bytes: *mut *mut c_uchar,
) {
    guarded((), || {
        // SAFETY: the JVM gives this thread's own interface and references that live during the call.
        let (jni, loader, domain) =
            unsafe { (Jni::new(jni), Object::new(loader), Object::new(domain)) };
        let (Some(jni), Some(watch)) = (jni, WATCH.get()) else {
            return;
        };
        let (Some(start), Ok(length)) = (NonNull::new(bytes.cast_mut()), usize::try_from(length))
        else {
            return;
        };
        // SAFETY: the JVM gives that many bytes, which stay as they are during the call.
        let bytes = unsafe { std::slice::from_raw_parts(start.as_ptr(), length) };
        // SAFETY: a name ends with zero and lives during the call.
        let name = (!name.is_null()).then(|| unsafe { CStr::from_ptr(name) }.to_bytes());
        let Some(loader) = loader else {
            watch.load_without_loader(&jni, name, bytes);
            return;
        };
        let load = Load {
            is_redefined: !redefined.is_null(),
            loader,
            domain,
            name,
            bytes,
        };
        if let Some(probed) = watch.load(&jni, &load) {
            // SAFETY: the JVM lets the hook write both.
            unsafe { replace(watch, &probed, new_length, new_bytes) };
        }
    });
}

/// A class is about to be defined or redefined, as the environment of the JDK's doors hears of it.
unsafe extern "C" fn jdk_class_file_load_hook(
    _env: *mut RawJvmti,
    _jni: *mut RawJni,
    _redefined: RawObject,
    loader: RawObject,
    name: *const c_char,
    _domain: RawObject,
    length: c_int,
    bytes: *const c_uchar,
    new_length: *mut c_int,
    new_bytes: *mut *mut c_uchar,
) {
    // Most classes have a loader; those of the JDK's doors have none.
    if !loader.is_null() || name.is_null() || bytes.is_null() {
        return;
    }
    guarded((), || {
        let (Some(doors), Some(watch)) = (JDK_DOORS.get(), WATCH.get()) else {
            return;
        };
        // SAFETY: a name ends with zero and lives during the call.
        let name = unsafe { CStr::from_ptr(name) }.to_bytes();
        let length = usize::try_from(length).unwrap_or_default();
        // SAFETY: the JVM gives that many bytes, which stay as they are during the call.
        let bytes = unsafe { std::slice::from_raw_parts(bytes, length) };
        let Some(opened) = doors.put(name, bytes) else {
            return;
        };
        tell_unseen(watch, opened.unseen);
        if let Some(bytes) = opened.bytes {
            // SAFETY: the JVM lets the hook write both.
            unsafe { replace(watch, &bytes, new_length, new_bytes) };
        }
    });
}

/// Gives the JVM other bytes to define.
///
/// # Safety
///
/// Both pointers can be written to.
unsafe fn replace(
    watch: &Watch,
    probed: &[u8],
    new_length: *mut c_int,
    new_bytes: *mut *mut c_uchar,
) {
    let copy = watch.copy_for_jvm(probed);
    let (Some(copy), Ok(length)) = (copy, c_int::try_from(probed.len())) else {
        note_incomplete("the JVM has no memory for a probed class");
        return;
    };
    // SAFETY: as the caller promises.
    unsafe {
        *new_length = length;
        *new_bytes = copy.as_ptr();
    }
}

/// The JVM ends; threads of its may still run.
unsafe extern "C" fn vm_death(_env: *mut RawJvmti, jni: *mut RawJni) {
    guarded((), || {
        // SAFETY: the JVM gives this thread's own interface, for this call.
        if let (Some(jni), Some(watch)) = (unsafe { Jni::new(jni) }, WATCH.get()) {
            watch.finish(&jni);
        }
    });
}

/// A native method gets its code. Asked for from the beginning, since other agents may start processes and
/// open files before the program does.
unsafe extern "C" fn native_method_bind(
    _env: *mut RawJvmti,
    jni: *mut RawJni,
    _thread: RawObject,
    method: RawMember,
    code: *mut c_void,
    new_code: *mut *mut c_void,
) {
    guarded((), || {
        // SAFETY: the JVM gives this thread's own interface, for this call.
        let (Some(jni), Some(watch)) = (unsafe { Jni::new(jni) }, WATCH.get()) else {
            return;
        };
        let replaced = watch.bind(&jni, method, code, fork_and_exec);
        if let Some(replaced) = replaced {
            // SAFETY: the JVM lets the event write it.
            unsafe { *new_code = replaced };
        }
    });
}

/// The JVM starts a process: the agent goes along if it can, and the process is told.
unsafe extern "C" fn fork_and_exec(
    env: *mut RawJni,
    this: RawObject,
    mode: c_int,
    helper: RawObject,
    program: RawObject,
    arguments: RawObject,
    n_arguments: c_int,
    environment: RawObject,
    n_variables: c_int,
    directory: RawObject,
    descriptors: RawObject,
    joins_error: c_uchar,
) -> c_int {
    let prepared = guarded(None, || {
        // SAFETY: the JVM gives this thread's own interface and byte arrays, for this call.
        let jni = unsafe { Jni::new(env) }?;
        // SAFETY: as above.
        let bytes = |array| unsafe { Object::new(array) }.and_then(|array| jni.bytes(array));
        let launch = Launch {
            program: without_end(bytes(program)?),
            arguments: bytes(arguments)?,
            environment: bytes(environment),
            directory: bytes(directory).map(without_end),
        };
        if launch.is_surefires() {
            return None;
        }
        let (forked, arguments) = CHILDREN.get()?.prepare(&jni, &launch, n_arguments);
        let watch = WATCH.get()?;
        // A process that is given no variables has those of this one.
        if launch.environment.is_none() {
            watch.note_sighting(Sighting::Variables);
        }
        let is_told = watch.tell_fork(forked);
        let arguments = arguments.filter(|_| is_told)?;
        Some((arguments.block.raw(), arguments.count))
    });
    let (arguments, n_arguments) = prepared.unwrap_or((arguments, n_arguments));
    let Some(original) = child::original() else {
        // The agent stands here only once it knows the JDK's own code.
        return -1;
    };
    // SAFETY: these are the JVM's own arguments, but for a block that begins with one more.
    unsafe {
        original(
            env,
            this,
            mode,
            helper,
            program,
            arguments,
            n_arguments,
            environment,
            n_variables,
            directory,
            descriptors,
            joins_error,
        )
    }
}

/// The text that ends with the first zero.
fn without_end(mut text: Vec<u8>) -> Vec<u8> {
    let end = text.iter().position(|byte| *byte == 0);
    text.truncate(end.unwrap_or(text.len()));
    text
}
