//! Any bytes are a class or an error that lies inside them.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| tamis_fuzz::exercise::reader(bytes));
