//! The system properties that a build hands to tests: of each a hash, since the value may be secret.

use std::collections::BTreeMap;

use tamis_facts::Checksum;

use crate::circumstances::{Fields, is_among};

/// Names that the JDK may read without being seen, from tables of its own and before anybody can look; and those that say
/// which tests run. They are part of the configuration. A name that ends in `*` stands for all that begin so.
const OF_CONFIGURATION: &[&str] = &[
    "awt.*",
    "com.oracle.*",
    "com.sun.*",
    "content.*",
    "failsafe.*",
    "file.*",
    "ftp.*",
    "http.*",
    "https.*",
    "impl.*",
    "java.*",
    "javax.*",
    "jaxp.*",
    "jdk.*",
    "ldap.*",
    "line.*",
    "maven.*",
    "native.*",
    "networkaddress.*",
    "org.ietf.*",
    "org.jcp.*",
    "org.omg.*",
    "org.w3c.*",
    "org.xml.*",
    "os.*",
    "path.*",
    "policy.*",
    "securerandom.*",
    "stderr.*",
    "stdin.*",
    "stdout.*",
    "sun.*",
    "surefire.*",
    "swing.*",
    "user.*",
];

/// The properties that are facts of their own.
#[derive(Debug, Clone, Default)]
pub struct Properties(BTreeMap<String, Checksum>);

impl Properties {
    /// Those of which these are the hashes.
    pub(crate) fn new(hashes: impl IntoIterator<Item = (String, Checksum)>) -> Self {
        Self(hashes.into_iter().collect())
    }

    /// The hash of a property; none if there is no such one.
    pub fn value(&self, name: &[u8]) -> Option<Checksum> {
        let name = str::from_utf8(name).ok()?;
        self.0.get(name).copied()
    }

    /// All of them.
    pub fn all(&self) -> Checksum {
        let mut fields = Fields::default();
        for (name, hash) in &self.0 {
            fields.add(name.as_bytes());
            fields.add(&hash.0);
        }
        fields.checksum()
    }
}

/// Whether a property is a fact of its own. A name without a dot may be anybody's.
pub(crate) fn is_single(name: &[u8]) -> bool {
    name.contains(&b'.') && !is_among(name, OF_CONFIGURATION)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_jdk_reads_for_itself_is_no_single_fact() {
        for (name, expected) in [
            ("shop.mode", true),
            ("org.slf4j.level", true),
            ("com.example.sun", true),
            ("com.sun.jndi.ldap.trace", false),
            ("java.awt.headless", false),
            ("user.timezone", false),
            ("entityExpansionLimit", false),
        ] {
            assert_eq!(is_single(name.as_bytes()), expected, "{name}");
        }
    }

    #[test]
    fn a_name_or_a_value_more_makes_a_difference() {
        let of = |names: &[(&str, u8)]| {
            let names = names.iter();
            let all = names.map(|(name, byte)| ((*name).to_owned(), Checksum([*byte; 16])));
            Properties::new(all)
        };
        let here = of(&[("a.b", 1)]);
        assert_eq!(here.value(b"a.b"), Some(Checksum([1; 16])));
        assert_eq!(here.value(b"a.c"), None);
        assert_eq!(here.value(b"\xff.b"), None);
        assert_ne!(here.all(), of(&[("a.b", 2)]).all());
        assert_ne!(here.all(), of(&[("a.b", 1), ("a.c", 1)]).all());
    }
}
