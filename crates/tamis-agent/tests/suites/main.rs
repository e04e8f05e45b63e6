//! The agent under whole suites of real libraries and under tests that look closely: it tells exactly
//! what ran, and no test ends otherwise than without it.

#![expect(clippy::unwrap_used, reason = "the whole crate is tests")]

mod watched;

mod exact_agent;

mod exact;
mod jacoco;
mod libraries;
