//! Sets of fact numbers and lists of tests as compressed bytes.
//!
//! Nothing that a blob says about its size is believed: what it expands to is bounded.

use std::io::{self, Read as _};

use roaring::RoaringBitmap;
use tamis_facts::{ModifiedUtf8, TestOutcome, TestRecord};
use zstd::bulk::{Compressor, Decompressor};

use crate::error::StoreError;

/// No set of facts and no list of tests is larger than this, expanded.
const MAX_EXPANDED: u64 = 256 << 20;

/// Nearly all are smaller than this.
const USUAL_EXPANDED: usize = 1 << 20;

/// The best ratio for its time on such data.
const LEVEL: i32 = 3;

/// Makes one blob after the other. What is needed for it is made once: that takes longer than a small blob itself.
pub(crate) struct Packer(Compressor<'static>);

impl Packer {
    pub(crate) fn new() -> Result<Self, StoreError> {
        let made = || -> io::Result<Compressor<'static>> {
            let mut compressor = Compressor::new(LEVEL)?;
            // A set with a bit turned over must not pass for another set.
            compressor.include_checksum(true)?;
            Ok(compressor)
        };
        made().map(Self).map_err(StoreError::Packing)
    }

    pub(crate) fn facts(&mut self, facts: &RoaringBitmap) -> Result<Vec<u8>, StoreError> {
        self.pack(&encode_facts(facts))
    }

    pub(crate) fn tests(&mut self, tests: &[TestRecord]) -> Result<Vec<u8>, StoreError> {
        self.pack(&encode_tests(tests))
    }

    pub(crate) fn pack(&mut self, plain: &[u8]) -> Result<Vec<u8>, StoreError> {
        self.0.compress(plain).map_err(StoreError::Packing)
    }
}

/// Each number less the one before it and one, in as few bytes as it takes: facts that are seen together mostly
/// have numbers near each other.
fn encode_facts(facts: &RoaringBitmap) -> Vec<u8> {
    let mut plain = Vec::new();
    let mut next = 0;
    for number in facts {
        let mut gap = number - next;
        while gap >= 0x80 {
            plain.push(gap as u8 | 0x80);
            gap >>= 7;
        }
        plain.push(gap as u8);
        next = number.saturating_add(1);
    }
    plain
}

/// Expands one blob after the other. What is needed for it is made once: that takes longer than a small blob itself.
pub(crate) struct Expander {
    decompressor: Decompressor<'static>,
    plain: Vec<u8>,
    numbers: Vec<u32>,
}

impl Default for Expander {
    fn default() -> Self {
        Self {
            decompressor: Decompressor::default(),
            plain: Vec::with_capacity(USUAL_EXPANDED),
            numbers: Vec::new(),
        }
    }
}

impl Expander {
    /// The set that [`encode_facts`] has made a blob of.
    pub(crate) fn facts(&mut self, bytes: &[u8]) -> Result<RoaringBitmap, StoreError> {
        const WHAT: &str = "a set of facts";
        self.expand(bytes, WHAT)?;
        self.numbers.clear();
        parse_numbers(&self.plain, &mut self.numbers).ok_or(damaged(WHAT))?;
        RoaringBitmap::from_sorted_iter(self.numbers.iter().copied()).map_err(|_| damaged(WHAT))
    }

    /// The tests that [`encode_tests`] has made a blob of.
    pub(crate) fn tests(&mut self, bytes: &[u8]) -> Result<Vec<TestRecord>, StoreError> {
        const WHAT: &str = "a list of tests";
        self.expand(bytes, WHAT)?;
        parse_tests(&self.plain).ok_or(damaged(WHAT))
    }

    /// The bytes that a blob was made of.
    pub(crate) fn bytes(&mut self, bytes: &[u8]) -> Result<Vec<u8>, StoreError> {
        self.expand(bytes, "a class file")?;
        Ok(self.plain.clone())
    }

    /// Leaves what was compressed in `plain`.
    fn expand(&mut self, bytes: &[u8], what: &'static str) -> Result<(), StoreError> {
        self.plain.clear();
        // No blob is empty, but to a decompressor nothing is the same as nothing compressed.
        if bytes.is_empty() {
            return Err(damaged(what));
        }
        let expanded = self
            .decompressor
            .decompress_to_buffer(bytes, &mut self.plain);
        if expanded.is_ok() {
            return Ok(());
        }
        self.plain = expand_slowly(bytes, what)?;
        Ok(())
    }
}

/// Ascending numbers; none if these are no bytes of [`encode_facts`].
fn parse_numbers(plain: &[u8], numbers: &mut Vec<u32>) -> Option<()> {
    let mut next = 0_u64;
    let (mut gap, mut shift) = (0_u64, 0);
    for byte in plain {
        // Five bytes hold every number.
        if shift > 28 {
            return None;
        }
        gap |= u64::from(byte & 0x7f) << shift;
        shift += 7;
        if byte & 0x80 == 0 {
            let number = u32::try_from(next + gap).ok()?;
            numbers.push(number);
            next = u64::from(number) + 1;
            (gap, shift) = (0, 0);
        }
    }
    (shift == 0).then_some(())
}

fn encode_tests(tests: &[TestRecord]) -> Vec<u8> {
    let mut plain = Vec::new();
    for test in tests {
        plain.push(match test.outcome {
            TestOutcome::Disabled => 0,
            TestOutcome::Passed => 1,
            TestOutcome::Aborted => 2,
            TestOutcome::Failed => 3,
        });
        plain.extend(test.microseconds.to_le_bytes());
        let name = test.name.as_bytes();
        plain.extend((name.len() as u32).to_le_bytes());
        plain.extend(name);
    }
    plain
}

fn parse_tests(plain: &[u8]) -> Option<Vec<TestRecord>> {
    let mut rest = plain;
    let mut tests = Vec::new();
    while let Some((outcome, behind)) = rest.split_first() {
        let (microseconds, behind) = behind.split_first_chunk()?;
        let (length, behind) = behind.split_first_chunk()?;
        let length = u32::from_le_bytes(*length) as usize;
        let (name, behind) = behind.split_at_checked(length)?;
        tests.push(TestRecord {
            name: ModifiedUtf8::from(name),
            outcome: match outcome {
                0 => TestOutcome::Disabled,
                1 => TestOutcome::Passed,
                2 => TestOutcome::Aborted,
                3 => TestOutcome::Failed,
                _ => return None,
            },
            microseconds: u64::from_le_bytes(*microseconds),
        });
        rest = behind;
    }
    Some(tests)
}

/// However much it is, within limits.
fn expand_slowly(bytes: &[u8], what: &'static str) -> Result<Vec<u8>, StoreError> {
    let mut plain = Vec::new();
    let decoder = zstd::Decoder::new(bytes).map_err(|_| damaged(what))?;
    let n_read = decoder.take(MAX_EXPANDED).read_to_end(&mut plain);
    match n_read {
        Ok(n_read) if (n_read as u64) < MAX_EXPANDED => Ok(plain),
        _ => Err(damaged(what)),
    }
}

fn damaged(what: &'static str) -> StoreError {
    StoreError::Damaged { what }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn test() -> impl Strategy<Value = TestRecord> {
        let outcomes = [
            TestOutcome::Disabled,
            TestOutcome::Passed,
            TestOutcome::Aborted,
            TestOutcome::Failed,
        ];
        let name = prop::collection::vec(any::<u8>(), 0..20);
        (name, prop::sample::select(outcomes.to_vec()), any::<u64>()).prop_map(
            |(name, outcome, microseconds)| TestRecord {
                name: ModifiedUtf8(name),
                outcome,
                microseconds,
            },
        )
    }

    fn pack_facts(facts: &RoaringBitmap) -> Vec<u8> {
        Packer::new().unwrap().facts(facts).unwrap()
    }

    fn pack_tests(tests: &[TestRecord]) -> Vec<u8> {
        Packer::new().unwrap().tests(tests).unwrap()
    }

    fn parse_tests(bytes: &[u8]) -> Result<Vec<TestRecord>, StoreError> {
        Expander::default().tests(bytes)
    }

    fn parse_facts(bytes: &[u8]) -> Result<RoaringBitmap, StoreError> {
        Expander::default().facts(bytes)
    }

    #[test]
    fn large_blobs_come_back_too_and_small_ones_behind_them() {
        let mut expander = Expander::default();
        let many: RoaringBitmap = (0..3_000_000).map(|number| number * 2).collect();
        let few: RoaringBitmap = [1, 7].into_iter().collect();
        for facts in [&few, &many, &few] {
            assert_eq!(expander.facts(&pack_facts(facts)).unwrap(), *facts);
        }
    }

    #[test]
    fn nothing_and_half_a_blob_are_damage() {
        let mut expander = Expander::default();
        let blob = pack_facts(&(0..1000).collect());
        assert!(expander.facts(b"").is_err());
        for length in 0..blob.len() {
            assert!(expander.facts(&blob[..length]).is_err(), "{length}");
        }
    }

    proptest! {
        #[test]
        fn what_is_kept_comes_back(tests in prop::collection::vec(test(), 0..20), facts: Vec<u32>) {
            prop_assert_eq!(parse_tests(&pack_tests(&tests)).unwrap(), tests);
            let facts: RoaringBitmap = facts.into_iter().collect();
            prop_assert_eq!(parse_facts(&pack_facts(&facts)).unwrap(), facts);
        }

        #[test]
        fn damaged_bytes_are_an_error_and_never_another_value(tests in prop::collection::vec(test(), 0..5), at: prop::sample::Index, bit in 0..8) {
            let mut bytes = pack_tests(&tests);
            let at = at.index(bytes.len());
            bytes[at] ^= 1_u8 << bit;
            // The head of the blob may have bits that mean nothing.
            if let Ok(read) = parse_tests(&bytes) {
                prop_assert_eq!(read, tests);
            }
            drop(parse_facts(&bytes));
        }
    }
}
