//! Blocks lie one behind the other, begin at instructions and lead to blocks.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| tamis_fuzz::exercise::flow(bytes));
