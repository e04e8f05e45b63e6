//! The agent under whole suites of real libraries and under tests that look closely: it tells exactly
//! what ran, and no test ends otherwise than without it.

#![expect(clippy::unwrap_used, reason = "the whole crate is tests")]
#![expect(clippy::print_stdout, reason = "figures are shown with --nocapture")]

mod watched;

mod exact;
mod jacoco;
mod libraries;
mod special;
