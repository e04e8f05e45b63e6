//! The places of a class path as text, so that they can be kept and looked into again later.
//!
//! A place is kept as what was said to the JVM, not as what was found there: a directory of modules is
//! listed again, a jar's manifest is followed again. What a manifest names is kept too, because jars that
//! hold nothing but a class path are gone when a build has ended.

use std::fmt;
use std::path::PathBuf;

use crate::path_text::{path_text, text_path};

/// A place that is looked into for classes.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum KeptPlace {
    /// An entry of a class path: `/x/classes`, `/x/a.jar`, `/x/lib/*`.
    Entry(PathBuf),
    /// An entry of a module path.
    Module(PathBuf),
    /// Something that names places and cannot be read.
    Unreadable(String),
}

const MODULE: &str = "module ";
const UNREADABLE: &str = "unreadable ";

impl KeptPlace {
    /// The place that this is the text of. A text that is none is a place that cannot be read.
    pub(crate) fn parse(text: &str) -> Self {
        if text.starts_with('/') {
            return Self::Entry(text_path(text));
        }
        match (text.strip_prefix(MODULE), text.strip_prefix(UNREADABLE)) {
            (Some(path), _) if path.starts_with('/') => Self::Module(text_path(path)),
            (_, Some(what)) => Self::Unreadable(what.to_owned()),
            _ => Self::Unreadable(text.to_owned()),
        }
    }
}

impl fmt::Display for KeptPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Entry(path) => f.write_str(&path_text(path)),
            Self::Module(path) => write!(f, "{MODULE}{}", path_text(path)),
            Self::Unreadable(what) => write!(f, "{UNREADABLE}{what}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_place_comes_back() {
        let places = [
            KeptPlace::Entry("/x/module a.jar".into()),
            KeptPlace::Entry("/x\\y/*".into()),
            KeptPlace::Module("/mods".into()),
            KeptPlace::Unreadable("args".to_owned()),
            KeptPlace::Unreadable("/x/y".to_owned()),
        ];
        for place in places {
            assert_eq!(KeptPlace::parse(&place.to_string()), place);
        }
    }

    #[test]
    fn what_is_no_place_cannot_be_read() {
        for text in ["", "x.jar", "module x"] {
            let unreadable = KeptPlace::Unreadable(text.to_owned());
            assert_eq!(KeptPlace::parse(text), unreadable);
        }
    }
}
