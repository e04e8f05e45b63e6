//! Paths as text, without ever making two different paths equal.

use std::path::Path;

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
}
