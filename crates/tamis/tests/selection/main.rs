//! `tamis test` on real projects of Maven's: what runs, what is skipped, and that nothing is missed.

#![expect(clippy::unwrap_used, reason = "the whole crate is tests")]

mod blocks;
mod changes;
mod coarse;
mod combinations;
mod dispatch;
mod files;
mod given;
mod holes;
mod hostile;
mod languages;
mod methods;
mod plain;
mod project;
mod resources;
mod rtscheck;
mod runs;
mod seen;
