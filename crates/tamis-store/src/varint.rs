//! Numbers in as few bytes as they need: seven bits a byte, the lowest first, the eighth bit set where more follow.

/// Appends a number.
pub(crate) fn push(bytes: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

/// Takes a number off the front; none if there is none, or one that has too many bits.
#[inline]
pub(crate) fn take(bytes: &mut &[u8]) -> Option<u64> {
    let mut number = 0;
    for shift in (0..64).step_by(7) {
        let (byte, behind) = bytes.split_first()?;
        *bytes = behind;
        let bits = u64::from(byte & 0x7f);
        if shift == 63 && bits > 1 {
            return None;
        }
        number |= bits << shift;
        if byte & 0x80 == 0 {
            return Some(number);
        }
    }
    None
}

/// Takes a length off the front, and as many bytes.
pub(crate) fn take_bytes<'b>(bytes: &mut &'b [u8]) -> Option<&'b [u8]> {
    let length = usize::try_from(take(bytes)?).ok()?;
    let (taken, behind) = bytes.split_at_checked(length)?;
    *bytes = behind;
    Some(taken)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn what_is_too_long_or_cut_off_is_no_number() {
        assert_eq!(take(&mut &[0xff; 9][..]), None);
        assert_eq!(take(&mut &[0xff; 12][..]), None);
        let mut greatest = vec![0xff; 9];
        greatest.push(1);
        assert_eq!(take(&mut &greatest[..]), Some(u64::MAX));
        greatest[9] = 2;
        assert_eq!(take(&mut &greatest[..]), None);
        assert_eq!(take_bytes(&mut &b"\x03ab"[..]), None);
    }

    proptest! {
        #[test]
        fn every_number_comes_back(number: u64, small in 0..1000_u64, behind: Vec<u8>) {
            for number in [number, small] {
                let mut bytes = Vec::new();
                push(&mut bytes, number);
                bytes.extend(&behind);
                let mut rest = &bytes[..];
                prop_assert_eq!(take(&mut rest), Some(number));
                prop_assert_eq!(rest, &behind[..]);
            }
        }
    }
}
