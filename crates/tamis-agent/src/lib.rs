//! The agent that a JVM under test loads, and this crate as its carrier.
//!
//! The same sources are compiled twice: by `build.rs` as the library with the entry points that a JVM
//! looks for, and by cargo as an ordinary crate, which embeds that library as [`AGENT`] and has the
//! unit tests. `unsafe` is used here and nowhere else in the product.
//!
//! Two things matter above all: the tests in the JVM cannot tell that the agent is there, and what
//! the agent cannot tell for sure it tells as incomplete.
#![expect(
    unsafe_code,
    reason = "the JVM's interfaces are tables of C functions; nothing else can call them"
)]

pub mod calls;
#[cfg(not(tamis_cdylib))]
mod embedded;
pub mod entry;
pub mod jdk_calls;

mod child;
mod environment;
mod handshake;
mod jvm_options;
mod options;
mod programs;

mod channel;
mod guard;
mod jni;
mod jvmti;
mod raw;

mod boot_path;
mod doors;
mod helper_class;
mod instrument;
mod jdk_doors;
mod marks;
mod origin;
mod quick_hash;
mod registry;

mod files;
mod natives;
mod questions;

mod entities;
mod frameworks;
mod segments;
mod sightings;
mod threads;
mod watch;

#[cfg(not(tamis_cdylib))]
pub use embedded::AGENT;
#[cfg(not(tamis_cdylib))]
#[doc(hidden)]
pub use marks::drain_slice;
pub use options::Options;
