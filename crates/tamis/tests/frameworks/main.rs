//! Test frameworks under `tamis trace`: what is an entity, when it begins and ends, how it is skipped,
//! and what it relies on.

#![expect(clippy::unwrap_used, reason = "the whole crate is tests")]

mod attribution;
mod junit4;
mod other;
mod platform;
mod skipping;
mod strange;
mod threads;
mod traced;
