//! The JVM's tables of functions, as far as the agent calls them.
//!
//! A table is a fixed list of function pointers; what is not called is a gap of so many pointers.
//! The tests compare the position of each entry with the headers of the JDKs found.

pub(crate) mod jni;
pub(crate) mod jvmti;

#[cfg(test)]
mod tests;

use std::ffi::c_void;

/// An entry that the agent does not call.
type Unused = *const c_void;

/// A reference to an object of the JVM.
pub(crate) type RawObject = *mut c_void;
