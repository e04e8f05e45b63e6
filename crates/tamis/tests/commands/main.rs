//! The real program, run as a user runs it: command line, standard output, standard error and exit code are one snapshot.

#![expect(clippy::unwrap_used, reason = "the whole crate is tests")]

mod bad_input;
mod class;
mod class_diff;
mod class_files;
mod config;
mod fixtures;
mod help;
mod market;
mod maven;
mod maven_build;
mod maven_project;
mod nothing_known;
mod readme;
mod robust;
mod sandbox;
mod trace;
