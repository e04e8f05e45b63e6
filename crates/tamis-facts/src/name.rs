//! Names as the JVM has them: modified UTF-8 bytes, never `String`.
//!
//! A class file may hold names that are no valid UTF-8 (unpaired surrogates, `C0 80` for zero), and
//! two different names must never become equal. So the bytes are kept, and only `Display` decodes.

use std::fmt;

/// A string in the JVM's modified UTF-8 (JVMS 4.4.7), kept as its bytes.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct ModifiedUtf8(pub Vec<u8>);

/// The name of a class in internal form, with slashes: `java/lang/Object`.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct ClassName(pub ModifiedUtf8);

/// A method inside its class: name and descriptor.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MethodId {
    /// The simple name; `<init>` and `<clinit>` for initialisers.
    pub name: ModifiedUtf8,
    /// The descriptor: `(I)V`.
    pub descriptor: ModifiedUtf8,
}

/// A field inside its class: name and descriptor.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FieldId {
    /// The simple name.
    pub name: ModifiedUtf8,
    /// The descriptor: `[I`.
    pub descriptor: ModifiedUtf8,
}

impl ModifiedUtf8 {
    /// The bytes as they stand in the class file.
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }
}

impl ClassName {
    /// The bytes as they stand in the class file.
    pub fn as_bytes(&self) -> &[u8] {
        &self.0.0
    }
}

impl From<&[u8]> for ModifiedUtf8 {
    fn from(bytes: &[u8]) -> Self {
        Self(bytes.to_vec())
    }
}

impl From<&str> for ModifiedUtf8 {
    /// Takes the bytes as they are: right for text without zeros and supplementary characters.
    fn from(text: &str) -> Self {
        Self(text.as_bytes().to_vec())
    }
}

impl From<&[u8]> for ClassName {
    fn from(bytes: &[u8]) -> Self {
        Self(bytes.into())
    }
}

impl From<&str> for ClassName {
    fn from(text: &str) -> Self {
        Self(text.into())
    }
}

impl fmt::Display for ModifiedUtf8 {
    /// Decodes what can be decoded; what is no character is shown as U+FFFD.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let units = utf16_units(&self.0);
        for character in char::decode_utf16(units) {
            fmt::Write::write_char(f, character.unwrap_or(char::REPLACEMENT_CHARACTER))?;
        }
        Ok(())
    }
}

impl fmt::Debug for ModifiedUtf8 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.to_string())
    }
}

impl fmt::Display for ClassName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl fmt::Debug for ClassName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.0, f)
    }
}

impl fmt::Display for MethodId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.name, self.descriptor)
    }
}

impl fmt::Debug for MethodId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

impl fmt::Display for FieldId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.name, self.descriptor)
    }
}

impl fmt::Debug for FieldId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

/// The UTF-16 units that modified UTF-8 encodes; a byte that starts nothing becomes U+FFFD.
fn utf16_units(bytes: &[u8]) -> impl Iterator<Item = u16> {
    let mut rest = bytes;
    std::iter::from_fn(move || {
        let (unit, length) = match rest {
            [] => return None,
            [a, ..] if *a < 0x80 => (u16::from(*a), 1),
            [a, b, ..] if a >> 5 == 0b110 && b >> 6 == 0b10 => {
                (u16::from(a & 0x1f) << 6 | u16::from(b & 0x3f), 2)
            }
            [a, b, c, ..] if a >> 4 == 0b1110 && b >> 6 == 0b10 && c >> 6 == 0b10 => {
                let high = u16::from(a & 0x0f) << 12 | u16::from(b & 0x3f) << 6;
                (high | u16::from(c & 0x3f), 3)
            }
            _ => (0xfffd, 1),
        };
        rest = &rest[length..];
        Some(unit)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(bytes: &[u8]) -> String {
        ModifiedUtf8::from(bytes).to_string()
    }

    #[test]
    fn supplementary_characters_are_two_surrogates_of_three_bytes_each() {
        assert_eq!(shown(&[0xed, 0xa0, 0xbd, 0xed, 0xb8, 0x80]), "\u{1f600}");
    }

    #[test]
    fn zero_is_two_bytes() {
        assert_eq!(shown(&[b'a', 0xc0, 0x80]), "a\0");
    }

    #[test]
    fn an_unpaired_surrogate_and_a_stray_byte_are_replaced() {
        assert_eq!(shown(&[0xed, 0xa0, 0xbd, b'x', 0xff]), "\u{fffd}x\u{fffd}");
    }
}
