//! The agent in real JVMs, of every JDK found: what it tells, and that programs cannot tell.

#![expect(clippy::unwrap_used, reason = "the whole crate is tests")]

mod blocks;
mod children;
mod files;
mod hostile;
mod jdk_doors;
mod other_agents;
mod peer;
mod programs;
mod questions;
mod small;
