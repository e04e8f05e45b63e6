//! Class files as compressed bytes.
//!
//! Nothing that a blob says about its size is believed: what it expands to is bounded.

use std::io::{self, Read as _};

use zstd::bulk::{Compressor, Decompressor};

use crate::error::StoreError;

/// No class file is larger than this, expanded.
const MAX_EXPANDED: u64 = 256 << 20;

/// Nearly all are smaller than this.
const USUAL_EXPANDED: usize = 1 << 20;

/// The best ratio for its time on such data.
const LEVEL: i32 = 3;

const WHAT: &str = "a class file";

/// Makes one blob after the other. What is needed for it is made once: that takes longer than a small blob itself.
pub(crate) struct Packer(Compressor<'static>);

impl Packer {
    pub(crate) fn new() -> Result<Self, StoreError> {
        let made = || -> io::Result<Compressor<'static>> {
            let mut compressor = Compressor::new(LEVEL)?;
            // A class with a bit turned over must not pass for another class.
            compressor.include_checksum(true)?;
            Ok(compressor)
        };
        made().map(Self).map_err(StoreError::Packing)
    }

    pub(crate) fn pack(&mut self, plain: &[u8]) -> Result<Vec<u8>, StoreError> {
        self.0.compress(plain).map_err(StoreError::Packing)
    }
}

/// The bytes that a blob was made of.
pub(crate) fn expand(bytes: &[u8]) -> Result<Vec<u8>, StoreError> {
    // No blob is empty, but to a decompressor nothing is the same as nothing compressed.
    if bytes.is_empty() {
        return Err(damaged());
    }
    let mut plain = Vec::with_capacity(USUAL_EXPANDED);
    let expanded = Decompressor::default().decompress_to_buffer(bytes, &mut plain);
    if expanded.is_ok() {
        return Ok(plain);
    }
    expand_slowly(bytes)
}

/// However much it is, within limits.
fn expand_slowly(bytes: &[u8]) -> Result<Vec<u8>, StoreError> {
    let mut plain = Vec::new();
    let decoder = zstd::Decoder::new(bytes).map_err(|_| damaged())?;
    let n_read = decoder.take(MAX_EXPANDED).read_to_end(&mut plain);
    match n_read {
        Ok(n_read) if (n_read as u64) < MAX_EXPANDED => Ok(plain),
        _ => Err(damaged()),
    }
}

fn damaged() -> StoreError {
    StoreError::Damaged { what: WHAT }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn pack(plain: &[u8]) -> Vec<u8> {
        Packer::new().unwrap().pack(plain).unwrap()
    }

    #[test]
    fn large_blobs_come_back_too() {
        for plain in [vec![], vec![1; 7], vec![2; 3 << 20]] {
            assert_eq!(expand(&pack(&plain)).unwrap(), plain);
        }
    }

    #[test]
    fn nothing_and_half_a_blob_are_damage() {
        let plain: Vec<u8> = (0..1000_u32)
            .map(|number| (number * number) as u8)
            .collect();
        let blob = pack(&plain);
        for length in 0..blob.len() {
            assert!(expand(&blob[..length]).is_err(), "{length}");
        }
    }

    proptest! {
        #[test]
        fn damaged_bytes_are_an_error_and_never_another_value(plain: Vec<u8>, at: prop::sample::Index, bit in 0..8) {
            let mut bytes = pack(&plain);
            let at = at.index(bytes.len());
            bytes[at] ^= 1_u8 << bit;
            // The head of the blob may have bits that mean nothing.
            if let Ok(read) = expand(&bytes) {
                prop_assert_eq!(read, plain);
            }
        }
    }
}
