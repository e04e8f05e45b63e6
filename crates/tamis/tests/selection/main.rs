//! `tamis test` on real projects of Maven's: what runs, what is skipped, and that nothing is missed.

#![expect(clippy::unwrap_used, reason = "the whole crate is tests")]

mod blocks;
mod changes;
mod coarse;
mod combinations;
mod dispatch;
mod doctored;
mod files;
mod given;
mod holes;
mod hostile;
mod jvm_setting;
mod keepers;
mod languages;
mod linking;
mod loaded_bytes;
mod methods;
mod native_library;
mod objects;
mod peers;
mod plain;
mod plain_program;
mod project;
mod resolution;
mod resources;
mod rtscheck;
mod runs;
mod scanned;
mod seen;
mod setters;
mod sticky;
mod tags;
mod workshop;
