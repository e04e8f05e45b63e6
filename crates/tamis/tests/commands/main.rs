//! The real program, run as a user runs it: command line, standard output, standard error and exit code are one snapshot.

mod bad_input;
mod class;
mod class_diff;
mod fixtures;
mod sandbox;
mod trace;
