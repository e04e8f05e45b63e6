//! Sets of fact numbers and lists of tests as compressed bytes.
//!
//! Nothing that a blob says about its size is believed: what it expands to is bounded.

use std::io::{self, Read as _, Write as _};

use roaring::RoaringBitmap;
use tamis_facts::{ModifiedUtf8, TestOutcome, TestRecord};

use crate::error::StoreError;

/// No set of facts and no list of tests is larger than this, expanded.
const MAX_EXPANDED: u64 = 256 << 20;

/// The best ratio for its time on such data.
const LEVEL: i32 = 3;

/// Each number less the one before it and one, in as few bytes as it takes: facts that are seen together mostly
/// have numbers near each other.
pub(crate) fn encode_facts(facts: &RoaringBitmap) -> Vec<u8> {
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
    compress(&plain)
}

pub(crate) fn parse_facts(bytes: &[u8]) -> Result<RoaringBitmap, StoreError> {
    const WHAT: &str = "a set of facts";
    let plain = expand(bytes, WHAT)?;
    let mut facts = Vec::new();
    let mut next = 0_u64;
    let (mut gap, mut shift) = (0_u64, 0);
    for byte in plain {
        // Five bytes hold every number.
        if shift > 28 {
            return Err(damaged(WHAT));
        }
        gap |= u64::from(byte & 0x7f) << shift;
        shift += 7;
        if byte & 0x80 == 0 {
            let number = u32::try_from(next + gap).map_err(|_| damaged(WHAT))?;
            facts.push(number);
            next = u64::from(number) + 1;
            (gap, shift) = (0, 0);
        }
    }
    if shift != 0 {
        return Err(damaged(WHAT));
    }
    RoaringBitmap::from_sorted_iter(facts).map_err(|_| damaged(WHAT))
}

pub(crate) fn encode_tests(tests: &[TestRecord]) -> Vec<u8> {
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
    compress(&plain)
}

pub(crate) fn parse_tests(bytes: &[u8]) -> Result<Vec<TestRecord>, StoreError> {
    const WHAT: &str = "a list of tests";
    let plain = expand(bytes, WHAT)?;
    let mut rest = &plain[..];
    let mut tests = Vec::new();
    while let Some((outcome, behind)) = rest.split_first() {
        let (microseconds, behind) = behind.split_first_chunk().ok_or(damaged(WHAT))?;
        let (length, behind) = behind.split_first_chunk().ok_or(damaged(WHAT))?;
        let length = u32::from_le_bytes(*length) as usize;
        let (name, behind) = behind.split_at_checked(length).ok_or(damaged(WHAT))?;
        tests.push(TestRecord {
            name: ModifiedUtf8::from(name),
            outcome: match outcome {
                0 => TestOutcome::Disabled,
                1 => TestOutcome::Passed,
                2 => TestOutcome::Aborted,
                3 => TestOutcome::Failed,
                _ => return Err(damaged(WHAT)),
            },
            microseconds: u64::from_le_bytes(*microseconds),
        });
        rest = behind;
    }
    Ok(tests)
}

/// With a checksum: a set with a bit turned over must not pass for another set.
fn compress(plain: &[u8]) -> Vec<u8> {
    let compressed = || -> io::Result<Vec<u8>> {
        let mut encoder = zstd::Encoder::new(Vec::new(), LEVEL)?;
        encoder.include_checksum(true)?;
        encoder.write_all(plain)?;
        encoder.finish()
    };
    compressed().expect("a vector takes all that is written")
}

fn expand(bytes: &[u8], what: &'static str) -> Result<Vec<u8>, StoreError> {
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

    proptest! {
        #[test]
        fn what_is_kept_comes_back(tests in prop::collection::vec(test(), 0..20), facts: Vec<u32>) {
            prop_assert_eq!(parse_tests(&encode_tests(&tests)).unwrap(), tests);
            let facts: RoaringBitmap = facts.into_iter().collect();
            prop_assert_eq!(parse_facts(&encode_facts(&facts)).unwrap(), facts);
        }

        #[test]
        fn damaged_bytes_are_an_error_and_never_another_value(tests in prop::collection::vec(test(), 0..5), at: prop::sample::Index, bit in 0..8) {
            let mut bytes = encode_tests(&tests);
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
