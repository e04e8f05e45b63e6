//! A hash of the bytes of a class, to find the file that a JVM loaded it from.
//!
//! Both sides compute it: the agent over what was loaded, the process over the files. It is no
//! checksum in the sense of the specification and no defence against an attacker: whoever can write
//! class files can run code anyway. It has to be fast in every load hook, small in code, and good
//! enough that two classes of one name never meet in 128 bits by chance.
//!
//! Two lanes of 64 bits each read all of the input, sixteen bytes at a time, and multiply the two
//! halves of it, masked by different constants, to 128 bits that are folded together.

use std::fmt;

/// 128 bits that depend on every bit of some bytes and on their number.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ContentHash(pub [u8; 16]);

/// The first digits of the fraction of pi: no hidden structure.
const SECRET: [u64; 4] = [
    0x243f_6a88_85a3_08d3,
    0x1319_8a2e_0370_7344,
    0xa409_3822_299f_31d0,
    0x082e_fa98_ec4e_6c89,
];

impl ContentHash {
    /// The hash of `bytes`.
    pub fn of(bytes: &[u8]) -> Self {
        let mut lanes = Lanes(SECRET[0], SECRET[2]);
        let (blocks, rest) = bytes.as_chunks::<16>();
        for block in blocks {
            lanes.add(block);
        }
        // The length, which goes in last, tells the padding from zeros of the input.
        let mut last = [0; 16];
        last[..rest.len()].copy_from_slice(rest);
        lanes.add(&last);
        lanes.finish(bytes.len() as u64)
    }
}

struct Lanes(u64, u64);

impl Lanes {
    fn add(&mut self, block: &[u8; 16]) {
        let block = u128::from_le_bytes(*block);
        let (low, high) = (block as u64, (block >> 64) as u64);
        self.0 = mix(self.0, low ^ SECRET[1], high ^ self.0);
        self.1 = mix(self.1, high ^ SECRET[3], low ^ self.1);
    }

    fn finish(self, length: u64) -> ContentHash {
        let first = avalanche(self.0 ^ length);
        let second = avalanche(self.1 ^ first.rotate_left(32) ^ length);
        let first = avalanche(first ^ second.rotate_left(16));
        ContentHash((u128::from(first) << 64 | u128::from(second)).to_le_bytes())
    }
}

/// A product of zero would forget everything before it, hence the sum with the lane itself.
fn mix(lane: u64, a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    let folded = (product as u64) ^ (product >> 64) as u64;
    folded.wrapping_add(lane.rotate_left(23))
}

/// Lets every bit reach every other one.
fn avalanche(mut value: u64) -> u64 {
    value = (value ^ value >> 33).wrapping_mul(0xff51_afd7_ed55_8ccd);
    value = (value ^ value >> 33).wrapping_mul(0xc4ce_b9fe_1a85_ec53);
    value ^ value >> 33
}

impl fmt::Display for ContentHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for ContentHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    fn hash(bytes: &[u8]) -> u128 {
        u128::from_le_bytes(ContentHash::of(bytes).0)
    }

    /// The two sides may be of different builds: the function never changes without a new version
    /// of the protocol.
    #[test]
    fn the_function_stays_as_it_is() {
        let hashes = [&b""[..], b"a", b"0123456789abcdef", &[0xca; 1000]]
            .map(|bytes| ContentHash::of(bytes).to_string());
        assert_eq!(
            hashes,
            [
                "efba3c6ba91cb6904f99c0051db96fb8",
                "3acba811af81a01d605efdf5c2d31483",
                "19d016e2be4539dc69b4cb43668fc387",
                "e9c71cdf428b13932eaffc91dd429326",
            ]
        );
    }

    #[test]
    fn zeros_of_every_length_differ() {
        let zeros = [0; 4096];
        let hashes: HashSet<u128> = (0..=zeros.len()).map(|n| hash(&zeros[..n])).collect();
        assert_eq!(hashes.len(), zeros.len() + 1);
    }

    #[test]
    fn neither_half_of_the_hash_repeats_over_a_million_similar_inputs() {
        let mut halves = [HashSet::new(), HashSet::new()];
        let mut bytes = [7; 40];
        for number in 0..1_000_000_u32 {
            bytes[20..24].copy_from_slice(&number.to_le_bytes());
            let hash = hash(&bytes);
            halves[0].insert(hash as u64);
            halves[1].insert((hash >> 64) as u64);
        }
        assert_eq!(halves.map(|half| half.len()), [1_000_000; 2]);
    }

    /// Each bit of the input flips each bit of the hash about every second time.
    #[test]
    fn every_bit_counts_and_spreads() {
        let n_inputs = 400;
        for length in [8, 15, 16, 17, 33, 64] {
            for position in 0..length * 8 {
                let mut flips = [0_u32; 128];
                for seed in 0..n_inputs {
                    let mut bytes: Vec<u8> = (0..length)
                        .map(|i| avalanche(seed * 97 + i) as u8)
                        .collect();
                    let before = hash(&bytes);
                    bytes[(position / 8) as usize] ^= 1 << (position % 8);
                    let difference = before ^ hash(&bytes);
                    assert_ne!(difference, 0);
                    for (bit, count) in flips.iter_mut().enumerate() {
                        *count += (difference >> bit & 1) as u32;
                    }
                }
                // Six standard deviations (ten each) around the half, as nothing else will do for
                // so many bits.
                assert!(
                    flips.iter().all(|count| (140..=260).contains(count)),
                    "bit {position} of {length} bytes: {flips:?}"
                );
            }
        }
    }

    #[test]
    fn a_block_that_makes_a_product_of_zero_forgets_nothing() {
        let low = SECRET[1].to_le_bytes();
        let with = |first: u8| hash(&[&[first; 16][..], &low, &low].concat());
        assert_ne!(with(1), with(2));
    }
}
