//! What can be read comes back byte for byte, also with its constants permuted and back.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| tamis_fuzz::exercise::writer(bytes));
