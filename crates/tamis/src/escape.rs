//! Names from class files, and any other untrusted text, as text that is safe to show.
//!
//! A name in a class file is any bytes. The escaped form is unambiguous: two names are equal exactly
//! if their escaped forms are. It is used in JSON and in text alike. Characters that move the cursor,
//! colour the terminal or reorder a line are escaped too, so that a class cannot disguise itself.

use std::fmt::Write as _;

/// A name in modified UTF-8 (JVMS 4.4.7), readable and unambiguous.
///
/// A backslash is doubled, a UTF-16 unit that is no character or should not be shown is `\ud83d`, and
/// a byte that is no part of modified UTF-8 is `\xff`.
pub(crate) fn name(bytes: &[u8]) -> String {
    let mut shown = String::with_capacity(bytes.len());
    let mut rest = bytes;
    while let [first, ..] = rest {
        let length = match next_unit(rest) {
            None => {
                push(&mut shown, format_args!("\\x{first:02x}"));
                1
            }
            Some((unit, length)) => length + push_unit(&mut shown, unit, &rest[length..]),
        };
        rest = &rest[length..];
    }
    shown
}

/// Text with everything escaped that does not simply stand on a line.
pub(crate) fn printable(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    text.chars()
        .for_each(|character| push_character(&mut shown, character));
    shown
}

/// Shows a unit, together with the next one where both are one character; the length of the latter.
fn push_unit(shown: &mut String, unit: u16, rest: &[u8]) -> usize {
    if let Some(character) = char::from_u32(u32::from(unit)) {
        match character {
            '\\' => shown.push_str("\\\\"),
            _ => push_character(shown, character),
        }
        return 0;
    }
    if let Some((low, length)) = next_unit(rest)
        && let Some(Ok(character)) = char::decode_utf16([unit, low]).next()
    {
        push_character(shown, character);
        return length;
    }
    push(shown, format_args!("\\u{unit:04x}"));
    0
}

/// The UTF-16 unit at the beginning and how many bytes encode it, if it is encoded as it should be.
fn next_unit(bytes: &[u8]) -> Option<(u16, usize)> {
    let low = |byte: u8| (byte >> 6 == 0b10).then_some(u16::from(byte & 0x3f));
    match *bytes {
        [a @ 1..0x80, ..] => Some((u16::from(a), 1)),
        [a @ 0xc0..0xe0, b, ..] => {
            let unit = u16::from(a & 0x1f) << 6 | low(b)?;
            (unit >= 0x80 || unit == 0).then_some((unit, 2))
        }
        [a @ 0xe0..0xf0, b, c, ..] => {
            let unit = u16::from(a & 0x0f) << 12 | low(b)? << 6 | low(c)?;
            (unit >= 0x800).then_some((unit, 3))
        }
        _ => None,
    }
}

fn push_character(shown: &mut String, character: char) {
    if !is_unsafe(character) {
        shown.push(character);
        return;
    }
    for unit in character.encode_utf16(&mut [0; 2]) {
        push(shown, format_args!("\\u{unit:04x}"));
    }
}

/// Whether a character does something to the line instead of standing on it.
fn is_unsafe(character: char) -> bool {
    let is_format = matches!(
        character,
        '\u{ad}' | '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{e0000}'..='\u{e007f}'
    );
    character.is_control() || is_format
}

fn push(shown: &mut String, escape: std::fmt::Arguments<'_>) {
    shown
        .write_fmt(escape)
        .expect("a string takes whatever is written");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ordinary_names_are_themselves() {
        assert_eq!(name("shop/Käse$1".as_bytes()), "shop/Käse$1");
        assert_eq!(name(&[0xed, 0xa0, 0xbd, 0xed, 0xb8, 0x80]), "\u{1f600}");
    }

    #[test]
    fn different_bytes_never_look_the_same() {
        let names: [&[u8]; 9] = [
            b"A",
            &[0xc1, 0x81],
            b"\\x41",
            b"\\u0041",
            &[0xed, 0xa0, 0xbd],
            b"\\ud83d",
            &[0xff],
            &[0],
            &[0xc0, 0x80],
        ];
        let shown = names.map(name);
        assert_eq!(
            shown,
            [
                "A",
                "\\xc1\\x81",
                "\\\\x41",
                "\\\\u0041",
                "\\ud83d",
                "\\\\ud83d",
                "\\xff",
                "\\x00",
                "\\u0000"
            ]
        );
    }

    #[test]
    fn what_acts_on_the_terminal_is_escaped() {
        assert_eq!(
            printable("a\u{1b}[31m\n\u{202e}b"),
            "a\\u001b[31m\\u000a\\u202eb"
        );
        assert_eq!(name(b"a\x1b[31m"), "a\\u001b[31m");
    }

    #[test]
    fn a_sequence_that_breaks_off_is_shown_byte_by_byte() {
        assert_eq!(name(&[b'a', 0xe2, 0x82]), "a\\xe2\\x82");
    }
}
