//! Hashes as checksums.

use tamis_facts::Checksum;

/// The first 128 bits.
pub(crate) fn cut(hash: &blake3::Hash) -> Checksum {
    let mut checksum = [0; 16];
    checksum.copy_from_slice(&hash.as_bytes()[..16]);
    Checksum(checksum)
}
