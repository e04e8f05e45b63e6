//! Checksums and uses of anything that can be read are found or refused.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| tamis_fuzz::exercise::checksum(bytes));
