//! Where a file lies, in a way that is the same in every checkout.

use std::fmt;

/// The path of a file: relative to the root of the build where it lies inside, else absolute. Kept as the bytes that the
/// system has.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct FilePath(pub Vec<u8>);

impl FilePath {
    /// Of a file with this absolute path, in a build with this root.
    pub fn new(path: &[u8], root: &[u8]) -> Self {
        let inside = path.strip_prefix(root);
        let inside = inside.and_then(|rest| {
            if rest.is_empty() {
                Some(rest)
            } else {
                rest.strip_prefix(b"/")
            }
        });
        Self(inside.unwrap_or(path).to_vec())
    }

    /// The absolute path, in a build with this root.
    pub fn absolute(&self, root: &[u8]) -> Vec<u8> {
        match self.0.as_slice() {
            [b'/', ..] => self.0.clone(),
            [] => root.to_vec(),
            inside => [root, b"/", inside].concat(),
        }
    }

    /// The bytes.
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }
}

impl From<&str> for FilePath {
    fn from(text: &str) -> Self {
        Self(text.as_bytes().to_vec())
    }
}

impl fmt::Display for FilePath {
    /// What is no text is shown as U+FFFD; the root itself as a dot.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_empty() {
            return f.write_str(".");
        }
        f.write_str(&String::from_utf8_lossy(&self.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_lies_in_the_root_is_named_from_there() {
        for (path, expected) in [
            ("/p/a/b.txt", "a/b.txt"),
            ("/p", ""),
            ("/pp/a", "/pp/a"),
            ("/q/a", "/q/a"),
        ] {
            let named = FilePath::new(path.as_bytes(), b"/p");
            assert_eq!(named, FilePath::from(expected));
            assert_eq!(named.absolute(b"/p"), path.as_bytes());
        }
        assert_eq!(FilePath::default().to_string(), ".");
    }
}
