//! The 128-bit value that stands for "the same as then".
//!
//! Which hash function made it is the business of whoever computes it; here it is only compared,
//! kept and shown.

use std::fmt;

/// A 128-bit checksum of some canonical bytes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Checksum(pub [u8; 16]);

impl fmt::Display for Checksum {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for Checksum {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Checksum({self})")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn is_shown_as_32_hexadecimal_digits() {
        let mut bytes = [0; 16];
        bytes[0] = 0xab;
        bytes[15] = 0x01;
        assert_eq!(
            Checksum(bytes).to_string(),
            "ab000000000000000000000000000001"
        );
    }
}
