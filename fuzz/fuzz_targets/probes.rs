//! A probed class can be read and has the members it had.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| tamis_fuzz::exercise::probes(bytes));
