//! What a check found as a page for a browser: one file, without scripts and without anything to fetch.
//!
//! Names of tools, texts of rules and sources come from programs under check: all of them are escaped.

mod check;
mod element;

pub(crate) use check::{Example, check};
