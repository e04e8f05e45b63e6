//! Paths as text, without ever making two different paths equal, and back.

use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt as _;
use std::path::{Path, PathBuf};

/// A path as text: a byte that is no part of UTF-8 is `\xff`, and a backslash is doubled.
pub fn path_text(path: &Path) -> String {
    bytes_as_text(path.as_os_str().as_encoded_bytes())
}

/// The bytes of a name, as text in the same way.
pub(crate) fn bytes_as_text(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        text.push_str(&chunk.valid().replace(ESCAPE, "\\\\"));
        // Each of these bytes is above ASCII and comes out as `\xff`.
        text.extend(chunk.invalid().escape_ascii().map(char::from));
    }
    text
}

/// The path that this is the text of.
pub(crate) fn text_path(text: &str) -> PathBuf {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    loop {
        rest = match rest {
            [] => return OsString::from_vec(bytes).into(),
            [b'\\', b'\\', behind @ ..] => {
                bytes.push(b'\\');
                behind
            }
            [b'\\', b'x', high, low, behind @ ..] if is_hex(*high) && is_hex(*low) => {
                bytes.push(hex_value(*high) << 4 | hex_value(*low));
                behind
            }
            [byte, behind @ ..] => {
                bytes.push(*byte);
                behind
            }
        };
    }
}

fn is_hex(digit: u8) -> bool {
    digit.is_ascii_hexdigit()
}

fn hex_value(digit: u8) -> u8 {
    match digit {
        b'0'..=b'9' => digit - b'0',
        _ => (digit | 0x20) - b'a' + 10,
    }
}

/// Windows separates names by backslashes, and they stay as they are there.
const ESCAPE: &[char] = if cfg!(windows) { &[] } else { &['\\'] };

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_text_stays_as_it_is() {
        assert_eq!(path_text(Path::new("a/Käse.class")), "a/Käse.class");
    }

    #[test]
    fn different_bytes_never_look_the_same() {
        let names: [&[u8]; 4] = [b"\xff", b"\xfe", b"\\xff", "\u{fffd}".as_bytes()];
        let shown = names.map(bytes_as_text);
        assert_eq!(shown, ["\\xff", "\\xfe", "\\\\xff", "\u{fffd}"]);
    }

    #[test]
    fn a_path_comes_back_from_its_text() {
        let names: [&[u8]; 6] = [
            b"/a b",
            b"\xff\xfe",
            b"\\xff",
            b"\\\\",
            "/\u{fffd}".as_bytes(),
            b"",
        ];
        for name in names {
            let path = text_path(&bytes_as_text(name));
            assert_eq!(path.as_os_str().as_encoded_bytes(), name);
        }
    }
}
