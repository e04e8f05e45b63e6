//! The JVM's native interface.

use std::ffi::{c_char, c_int, c_uchar, c_void};

use super::{RawObject, Unused};

/// `JNIEnv`: a pointer to the table.
pub(crate) type RawJni = *const Functions;

/// A method or a field.
pub(crate) type RawMember = *mut c_void;

/// `jvalue`, of which the agent passes `int` only.
#[repr(C)]
pub(crate) union RawValue {
    pub(crate) int: c_int,
    /// The widest one.
    pub(crate) long: i64,
}

/// `JNINativeInterface_`.
#[repr(C)]
pub(crate) struct Functions {
    gap0: [Unused; 5],
    pub(crate) define_class: unsafe extern "C" fn(
        *mut RawJni,
        *const c_char,
        RawObject,
        *const c_uchar,
        c_int,
    ) -> RawObject,
    pub(crate) find_class: unsafe extern "C" fn(*mut RawJni, *const c_char) -> RawObject,
    gap7: [Unused; 3],
    pub(crate) get_superclass: unsafe extern "C" fn(*mut RawJni, RawObject) -> RawObject,
    gap11: [Unused; 6],
    pub(crate) exception_clear: unsafe extern "C" fn(*mut RawJni),
    gap18: [Unused; 1],
    pub(crate) push_local_frame: unsafe extern "C" fn(*mut RawJni, c_int) -> c_int,
    pub(crate) pop_local_frame: unsafe extern "C" fn(*mut RawJni, RawObject) -> RawObject,
    pub(crate) new_global_ref: unsafe extern "C" fn(*mut RawJni, RawObject) -> RawObject,
    gap22: [Unused; 1],
    pub(crate) delete_local_ref: unsafe extern "C" fn(*mut RawJni, RawObject),
    pub(crate) is_same_object: unsafe extern "C" fn(*mut RawJni, RawObject, RawObject) -> c_uchar,
    gap25: [Unused; 1],
    pub(crate) ensure_local_capacity: unsafe extern "C" fn(*mut RawJni, c_int) -> c_int,
    gap27: [Unused; 4],
    pub(crate) get_object_class: unsafe extern "C" fn(*mut RawJni, RawObject) -> RawObject,
    gap32: [Unused; 1],
    pub(crate) get_method_id:
        unsafe extern "C" fn(*mut RawJni, RawObject, *const c_char, *const c_char) -> RawMember,
    gap34: [Unused; 2],
    pub(crate) call_object_method_a:
        unsafe extern "C" fn(*mut RawJni, RawObject, RawMember, *const c_void) -> RawObject,
    gap37: [Unused; 2],
    pub(crate) call_boolean_method_a:
        unsafe extern "C" fn(*mut RawJni, RawObject, RawMember, *const c_void) -> c_uchar,
    gap40: [Unused; 23],
    pub(crate) call_void_method_a:
        unsafe extern "C" fn(*mut RawJni, RawObject, RawMember, *const c_void),
    gap64: [Unused; 30],
    pub(crate) get_field_id:
        unsafe extern "C" fn(*mut RawJni, RawObject, *const c_char, *const c_char) -> RawMember,
    pub(crate) get_object_field:
        unsafe extern "C" fn(*mut RawJni, RawObject, RawMember) -> RawObject,
    gap96: [Unused; 4],
    pub(crate) get_int_field: unsafe extern "C" fn(*mut RawJni, RawObject, RawMember) -> c_int,
    gap101: [Unused; 12],
    pub(crate) get_static_method_id:
        unsafe extern "C" fn(*mut RawJni, RawObject, *const c_char, *const c_char) -> RawMember,
    gap114: [Unused; 29],
    pub(crate) call_static_void_method_a:
        unsafe extern "C" fn(*mut RawJni, RawObject, RawMember, *const RawValue),
    pub(crate) get_static_field_id:
        unsafe extern "C" fn(*mut RawJni, RawObject, *const c_char, *const c_char) -> RawMember,
    pub(crate) get_static_object_field:
        unsafe extern "C" fn(*mut RawJni, RawObject, RawMember) -> RawObject,
    gap146: [Unused; 23],
    pub(crate) get_string_utf_chars:
        unsafe extern "C" fn(*mut RawJni, RawObject, *mut c_uchar) -> *const c_char,
    pub(crate) release_string_utf_chars:
        unsafe extern "C" fn(*mut RawJni, RawObject, *const c_char),
    pub(crate) get_array_length: unsafe extern "C" fn(*mut RawJni, RawObject) -> c_int,
    gap172: [Unused; 1],
    pub(crate) get_object_array_element:
        unsafe extern "C" fn(*mut RawJni, RawObject, c_int) -> RawObject,
    gap174: [Unused; 2],
    pub(crate) new_byte_array: unsafe extern "C" fn(*mut RawJni, c_int) -> RawObject,
    gap177: [Unused; 23],
    pub(crate) get_byte_array_region:
        unsafe extern "C" fn(*mut RawJni, RawObject, c_int, c_int, *mut u8),
    gap201: [Unused; 7],
    pub(crate) set_byte_array_region:
        unsafe extern "C" fn(*mut RawJni, RawObject, c_int, c_int, *const u8),
    gap209: [Unused; 13],
    pub(crate) get_primitive_array_critical:
        unsafe extern "C" fn(*mut RawJni, RawObject, *mut c_uchar) -> *mut c_void,
    pub(crate) release_primitive_array_critical:
        unsafe extern "C" fn(*mut RawJni, RawObject, *mut c_void, c_int),
    gap224: [Unused; 4],
    pub(crate) exception_check: unsafe extern "C" fn(*mut RawJni) -> c_uchar,
}
