//! JVM class files: read, write, flow, checksums, probes.
//!
//! This crate runs inside other people's JVMs and on untrusted input. It has no third-party
//! dependencies, does no I/O, and turns any bytes into a value or a named [`Error`]: it never panics.
#![warn(missing_docs)]

mod cursor;
mod error;
mod pool_index;
mod table;

mod access_flags;
pub mod attribute;
pub mod checksum;
mod class_file;
mod constant_pool;
mod descriptor;
pub mod flow;
pub mod instruction;
mod relocate;
mod remap;
#[cfg(feature = "sabotage")]
pub mod sabotage;

pub mod probe;
mod uses;

pub use access_flags::AccessFlags;
pub use class_file::{ClassFile, Field, Method};
pub use constant_pool::{Constant, ConstantPool, DynamicIndex, Member, MemberIndex};
pub use error::{Error, ErrorKind, Result};
pub use remap::VisitConstants;
pub use table::{MAX_WIDTH, Row, Table};
pub use uses::{Reference, ReferenceKind, Uses, named_classes};
