//! The hash of the agent's own tables of paths and names: they are looked into for each file that a test touches, and the
//! standard library's hash, which withstands attackers, takes longer than all else that is done in them.
//!
//! A test that chose its paths to meet in one place of a table would slow down itself alone.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// A table with this hash.
pub(crate) type QuickMap<K, V> = HashMap<K, V, BuildHasherDefault<QuickHasher>>;

/// Folds eight bytes at a time into one word.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct QuickHasher(u64);

impl QuickHasher {
    fn fold(&mut self, word: u64) {
        // Odd, with its bits spread: a part of the golden ratio.
        const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;
        let product = u128::from(self.0.rotate_left(23) ^ word) * u128::from(FACTOR);
        self.0 = product as u64 ^ (product >> 64) as u64;
    }
}

impl Hasher for QuickHasher {
    fn write(&mut self, bytes: &[u8]) {
        let (words, rest) = bytes.as_chunks();
        for word in words {
            self.fold(u64::from_le_bytes(*word));
        }
        let mut last = [0; 8];
        last[..rest.len()].copy_from_slice(rest);
        // The length tells a rest from one with zeros behind it.
        self.fold(u64::from_le_bytes(last) ^ (bytes.len() as u64) << 56);
    }

    fn write_u8(&mut self, number: u8) {
        self.fold(number.into());
    }

    fn write_u32(&mut self, number: u32) {
        self.fold(number.into());
    }

    fn write_u64(&mut self, number: u64) {
        self.fold(number);
    }

    fn write_usize(&mut self, number: usize) {
        self.fold(number as u64);
    }

    fn finish(&self) -> u64 {
        // The lowest bits choose the place in a table, the highest ones tell neighbours apart.
        self.0 ^ self.0.rotate_right(32)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;
    use std::hash::BuildHasher as _;

    use super::*;

    fn hash(bytes: &[u8]) -> u64 {
        BuildHasherDefault::<QuickHasher>::default().hash_one(bytes)
    }

    #[test]
    fn paths_that_differ_little_are_told_apart() {
        let paths = (0..50_000).map(|number| format!("/work/shop/data/part{number}/{number}.txt"));
        let hashes: HashSet<u64> = paths.map(|path| hash(path.as_bytes())).collect();
        assert_eq!(hashes.len(), 50_000);
        // As a table of 65,536 places with marks of seven bits sees them.
        let places: HashSet<u64> = hashes.iter().map(|hash| hash & 0xffff).collect();
        assert!(places.len() > 33_000, "{}", places.len());
        let marks: HashSet<u64> = hashes.iter().map(|hash| hash >> 57).collect();
        assert_eq!(marks.len(), 128);
    }

    #[test]
    fn bytes_of_zero_count() {
        let zeros = [0; 20];
        let hashes: HashSet<u64> = (0..20).map(|length| hash(&zeros[..length])).collect();
        assert_eq!(hashes.len(), 20);
    }
}
