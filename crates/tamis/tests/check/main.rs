//! `tamis check` as a user runs it: on this very Tamis, and on a tool that is known to be wrong.

#![expect(clippy::unwrap_used, reason = "the whole crate is tests")]

mod auto;
mod defects;
mod help;
mod history;
mod sandbox;
