//! Any bytes between agent and process are messages or named errors, on either side.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| tamis_fuzz::wire::messages(bytes));
