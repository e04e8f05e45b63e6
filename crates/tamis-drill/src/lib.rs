//! The safety drill: source mutants of real libraries, each with a full run of the suite. A test that ends otherwise in
//! an entity that would have been skipped is a miss, and there must be none. `cargo xtask drill` starts it;
//! `docs/design/drill.md` has the method. Whoever measures takes its mutants for revisions.
#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a developer's tool talks on the terminal"
)]

mod command_line;
mod drill;
mod revisions;

mod arrangement;
mod baseline;
mod exact_methods;
mod jvm;
mod look_up_reach;
mod reach;
mod selection;
mod suite_run;
mod summary;
mod trial;
mod workshop;

mod code_base;
mod java;
mod operators;
mod outcomes;
mod plan;
mod random;

pub use command_line::main;
pub use revisions::{Ran, Revision, Revisions};
