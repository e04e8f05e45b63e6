//! The JVM tool interface, version 1.2: what JDK 8 and all later ones have.

use std::ffi::{c_char, c_int, c_uchar, c_void};
use std::ptr;

use super::jni::{RawJni, RawMember};
use super::{RawObject, Unused};

/// `jvmtiEnv`: a pointer to the table.
pub(crate) type RawJvmti = *const Functions;

/// `jvmtiError`; zero is success.
pub(crate) type Error = c_int;

/// `JVMTI_VERSION_1_2`.
pub(crate) const VERSION: c_int = 0x3001_0200;

/// `JVMTI_ENABLE` of `jvmtiEventMode`.
pub(crate) const ENABLE: c_int = 1;

/// Numbers of events.
pub(crate) const VM_INIT: c_int = 50;
pub(crate) const VM_DEATH: c_int = 51;
pub(crate) const CLASS_FILE_LOAD_HOOK: c_int = 54;
pub(crate) const NATIVE_METHOD_BIND: c_int = 67;

/// A function that lists objects: how many, and where.
pub(crate) type GetObjects =
    unsafe extern "C" fn(*mut RawJvmti, *mut c_int, *mut *mut RawObject) -> Error;

/// `jvmtiInterface_1_`.
#[repr(C)]
pub(crate) struct Functions {
    gap1: Unused,
    /// Takes more arguments for extension events only, of which there are none here.
    pub(crate) set_event_notification_mode:
        unsafe extern "C" fn(*mut RawJvmti, c_int, c_int, RawObject, ...) -> Error,
    gap3: [Unused; 1],
    pub(crate) get_all_threads: GetObjects,
    gap5: [Unused; 12],
    pub(crate) get_thread_state:
        unsafe extern "C" fn(*mut RawJvmti, RawObject, *mut c_int) -> Error,
    pub(crate) get_current_thread: unsafe extern "C" fn(*mut RawJvmti, *mut RawObject) -> Error,
    gap19: [Unused; 21],
    /// Since JDK 9; null before.
    pub(crate) get_named_module: Option<
        unsafe extern "C" fn(*mut RawJvmti, RawObject, *const c_char, *mut RawObject) -> Error,
    >,
    gap41: [Unused; 5],
    pub(crate) allocate: unsafe extern "C" fn(*mut RawJvmti, i64, *mut *mut c_uchar) -> Error,
    pub(crate) deallocate: unsafe extern "C" fn(*mut RawJvmti, *mut c_uchar) -> Error,
    pub(crate) get_class_signature:
        unsafe extern "C" fn(*mut RawJvmti, RawObject, *mut *mut c_char, *mut *mut c_char) -> Error,
    gap49: [Unused; 8],
    pub(crate) get_class_loader:
        unsafe extern "C" fn(*mut RawJvmti, RawObject, *mut RawObject) -> Error,
    gap58: [Unused; 6],
    pub(crate) get_method_name: unsafe extern "C" fn(
        *mut RawJvmti,
        RawMember,
        *mut *mut c_char,
        *mut *mut c_char,
        *mut *mut c_char,
    ) -> Error,
    pub(crate) get_method_declaring_class:
        unsafe extern "C" fn(*mut RawJvmti, RawMember, *mut RawObject) -> Error,
    gap66: [Unused; 12],
    pub(crate) get_loaded_classes: GetObjects,
    gap79: [Unused; 25],
    pub(crate) get_stack_trace: unsafe extern "C" fn(
        *mut RawJvmti,
        RawObject,
        c_int,
        c_int,
        *mut FrameInfo,
        *mut c_int,
    ) -> Error,
    gap105: [Unused; 1],
    pub(crate) get_tag: unsafe extern "C" fn(*mut RawJvmti, RawObject, *mut i64) -> Error,
    pub(crate) set_tag: unsafe extern "C" fn(*mut RawJvmti, RawObject, i64) -> Error,
    gap108: [Unused; 14],
    pub(crate) set_event_callbacks:
        unsafe extern "C" fn(*mut RawJvmti, *const EventCallbacks, c_int) -> Error,
    gap123: [Unused; 8],
    pub(crate) get_system_property:
        unsafe extern "C" fn(*mut RawJvmti, *const c_char, *mut *mut c_char) -> Error,
    gap132: [Unused; 5],
    pub(crate) get_thread_cpu_time:
        unsafe extern "C" fn(*mut RawJvmti, RawObject, *mut i64) -> Error,
    gap138: [Unused; 2],
    pub(crate) get_potential_capabilities:
        unsafe extern "C" fn(*mut RawJvmti, *mut Capabilities) -> Error,
    gap141: [Unused; 1],
    pub(crate) add_capabilities: unsafe extern "C" fn(*mut RawJvmti, *const Capabilities) -> Error,
    gap143: [Unused; 9],
    pub(crate) retransform_classes:
        unsafe extern "C" fn(*mut RawJvmti, c_int, *const RawObject) -> Error,
}

/// `jvmtiFrameInfo`: a method and a place in it.
#[repr(C)]
#[derive(Clone, Copy)]
pub(crate) struct FrameInfo {
    pub(crate) method: *mut c_void,
    pub(crate) location: i64,
}

impl FrameInfo {
    /// Room for one.
    pub(crate) const EMPTY: Self = Self {
        method: ptr::null_mut(),
        location: 0,
    };
}

/// Bits of a thread's state.
pub(crate) const THREAD_STATE_RUNNABLE: c_int = 0x0004;
pub(crate) const THREAD_STATE_IN_NATIVE: c_int = 0x0040_0000;

/// `jvmtiEventCallbacks`, as far as it is needed: the JVM is told its length.
#[repr(C)]
#[derive(Default)]
pub(crate) struct EventCallbacks {
    pub(crate) vm_init: Option<unsafe extern "C" fn(*mut RawJvmti, *mut RawJni, RawObject)>,
    pub(crate) vm_death: Option<unsafe extern "C" fn(*mut RawJvmti, *mut RawJni)>,
    pub(crate) gap52: [usize; 2],
    pub(crate) class_file_load_hook: Option<ClassFileLoadHook>,
    pub(crate) gap55: [usize; 12],
    pub(crate) native_method_bind: Option<NativeMethodBind>,
}

/// Environment, JNI, class being redefined, loader, name, protection domain, length and bytes of the
/// class; length and bytes of what to use instead.
pub(crate) type ClassFileLoadHook = unsafe extern "C" fn(
    *mut RawJvmti,
    *mut RawJni,
    RawObject,
    RawObject,
    *const c_char,
    RawObject,
    c_int,
    *const c_uchar,
    *mut c_int,
    *mut *mut c_uchar,
);

/// Environment, JNI, thread, method, its code; the code to use instead.
pub(crate) type NativeMethodBind = unsafe extern "C" fn(
    *mut RawJvmti,
    *mut RawJni,
    RawObject,
    RawMember,
    *mut c_void,
    *mut *mut c_void,
);

/// `jvmtiCapabilities`: 128 bits.
#[repr(C)]
#[derive(Clone, Copy, Default)]
pub(crate) struct Capabilities(pub(crate) [u32; 4]);

impl Capabilities {
    /// Objects can carry a number: that is how loaders are told apart.
    pub(crate) const CAN_TAG_OBJECTS: u32 = 1;
    /// Native methods can be replaced when they get their code: that is how processes are seen.
    pub(crate) const CAN_GENERATE_NATIVE_METHOD_BIND_EVENTS: u32 = 1 << 30;
    /// What the agent asks for.
    pub(crate) const NEEDED: Self = Self([
        Self::CAN_TAG_OBJECTS | Self::CAN_GENERATE_NATIVE_METHOD_BIND_EVENTS,
        0,
        0,
        0,
    ]);

    /// Threads tell how long they have run.
    pub(crate) const CAN_GET_THREAD_CPU_TIME: Self = Self([1 << 23, 0, 0, 0]);

    /// Native methods show from the JVM's very beginning. Since JDK 9; JDK 8 needs none for that.
    pub(crate) const CAN_GENERATE_EARLY_VMSTART: Self = Self([0, 1 << 9, 0, 0]);

    /// Classes can be given other code after they were loaded. The environment that probes classes never asks
    /// for it: it would come behind other agents.
    pub(crate) const CAN_RETRANSFORM_CLASSES: Self = Self([0, 1 << 5, 0, 0]);

    pub(crate) fn contains(&self, other: &Self) -> bool {
        let mut words = self.0.iter().zip(other.0);
        words.all(|(have, want)| have & want == want)
    }
}

/// `JavaVM`: a pointer to the table.
pub(crate) type RawVm = *const VmFunctions;

/// `JNIInvokeInterface_`.
#[repr(C)]
pub(crate) struct VmFunctions {
    gap: [Unused; 6],
    pub(crate) get_env: unsafe extern "C" fn(*mut RawVm, *mut *mut c_void, c_int) -> c_int,
}
