//! The world around a build: which JDKs there are, and where class files lie.
//!
//! This crate looks and reads; it never decides what to run. What it reads is untrusted: a damaged
//! file becomes an error that names it, and the others are still read.

mod jdk;

mod archive;
mod class_source;
mod directory;
mod path_text;
mod read_error;

pub use class_source::{ClassEntry, ClassSource, ListedClass};
pub use jdk::{FoundJdks, Jdk, JdkError, JdkErrorKind, JdkPlaces};
pub use path_text::path_text;
pub use read_error::{MAX_CLASS_SIZE, ReadError, ReadErrorKind};
