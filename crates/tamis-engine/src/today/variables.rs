//! The environment variables of today: of each a hash, since the value may be secret.

use std::collections::BTreeMap;
use std::env;
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt as _;

use tamis_facts::Checksum;
use tamis_select::plain;

/// The variables that tests are given, as far as they come from this process. (What a build adds belongs to the fact about
/// the JVM.)
#[derive(Debug, Clone, Default)]
pub struct Variables {
    salt: [u8; 16],
    values: BTreeMap<OsString, OsString>,
}

impl Variables {
    /// Those of this process. Hashes are made with the salt of a store, and say nothing elsewhere.
    pub fn of_process(salt: [u8; 16]) -> Self {
        let values = env::vars_os().collect();
        Self { salt, values }
    }

    /// A hash that says nothing elsewhere, of one that may.
    pub(crate) fn salted(&self, hash: Checksum) -> Checksum {
        plain(&[self.salt, hash.0].concat())
    }

    /// The hash of a variable; none if there is no such one.
    pub fn value(&self, name: &[u8]) -> Option<Checksum> {
        let value = self.values.get(OsStr::from_bytes(name))?;
        Some(plain(&[&self.salt, value.as_bytes()].concat()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hash_says_nothing_elsewhere() {
        let variables = |salt| Variables {
            salt: [salt; 16],
            values: BTreeMap::from([("A".into(), "1".into()), ("B".into(), "1".into())]),
        };
        let here = variables(1);
        assert_eq!(here.value(b"A"), here.value(b"B"));
        assert_ne!(here.value(b"A"), variables(2).value(b"A"));
        assert_eq!(here.value(b"C"), None);
    }
}
