//! Bytes with a sum behind them, so that damage is noticed and never taken for another value.
//!
//! The sum is made for speed, since all that is kept of a realm is looked at whenever tests are selected. It is no defence
//! against somebody who wants to deceive: whoever can write the store can write anything into it.

use crate::error::StoreError;

/// Bytes that the sum takes.
const LENGTH: usize = 8;

/// Odd, with its bits well mixed: multiplying by it loses nothing.
const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;

/// The bytes with their sum, which is that of `context`, too: of what the bytes are about and stands elsewhere.
pub(crate) fn sealed(context: &[u8], mut bytes: Vec<u8>) -> Vec<u8> {
    let sum = sum(context, &bytes);
    bytes.extend(sum.to_le_bytes());
    bytes
}

/// How many of the bytes were sealed; an error if they are not those.
pub(crate) fn check_seal(
    context: &[u8],
    bytes: &[u8],
    what: &'static str,
) -> Result<usize, StoreError> {
    let found = bytes.split_last_chunk::<LENGTH>();
    match found {
        Some((plain, kept)) if *kept == sum(context, plain).to_le_bytes() => Ok(plain.len()),
        _ => Err(StoreError::Damaged { what }),
    }
}

/// Each step can be undone, so two texts of one length that differ in eight bytes in a row never have the same sum.
pub(crate) fn sum(context: &[u8], bytes: &[u8]) -> u64 {
    let mut sum = FACTOR;
    for part in [context, bytes] {
        sum = step(sum, part.len() as u64);
        let (words, rest) = part.as_chunks::<8>();
        for word in words {
            sum = step(sum, u64::from_le_bytes(*word));
        }
        let mut last = [0; 8];
        last[..rest.len()].copy_from_slice(rest);
        sum = step(sum, u64::from_le_bytes(last));
    }
    sum ^ sum >> 32
}

fn step(sum: u64, word: u64) -> u64 {
    (sum ^ word).wrapping_mul(FACTOR).rotate_left(29)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn without_a_sum_nothing_is_believed() {
        assert!(check_seal(b"", b"", "x").is_err());
        assert!(check_seal(b"", &[0; 7], "x").is_err());
        assert!(check_seal(b"", &[0; 8], "x").is_err());
    }

    proptest! {
        #[test]
        fn a_bit_that_is_turned_over_is_noticed(context: Vec<u8>, bytes: Vec<u8>, at: prop::sample::Index, bit in 0..8) {
            let mut kept = sealed(&context, bytes.clone());
            prop_assert_eq!(check_seal(&context, &kept, "x").unwrap(), bytes.len());
            let at = at.index(kept.len());
            kept[at] ^= 1_u8 << bit;
            prop_assert!(check_seal(&context, &kept, "x").is_err());
        }

        #[test]
        fn half_of_it_and_that_of_another_are_noticed(context: Vec<u8>, bytes: Vec<u8>, at: prop::sample::Index) {
            let kept = sealed(&context, bytes);
            prop_assert!(check_seal(&context, &kept[..at.index(kept.len())], "x").is_err());
            let other = [&context[..], b"x"].concat();
            prop_assert!(check_seal(&other, &kept, "x").is_err());
        }
    }
}
