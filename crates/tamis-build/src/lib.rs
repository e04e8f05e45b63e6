//! The world around a build: which JDKs there are.
//!
//! This crate looks and reads; it never decides what to run.

mod jdk;

pub use jdk::{FoundJdks, Jdk, JdkError, JdkErrorKind, JdkPlaces};
