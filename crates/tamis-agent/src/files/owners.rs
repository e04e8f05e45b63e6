//! Who made what: a file that a test wrote itself is no fact about the world for it.

use crate::quick_hash::QuickMap;

/// The paths that were written in this JVM, and by whom.
#[derive(Debug, Default)]
pub(super) struct Owners {
    paths: QuickMap<Vec<u8>, Owned>,
    /// Whether any of them is a directory that was made.
    has_directories: bool,
}

#[derive(Debug)]
struct Owned {
    owner: Owner,
    /// Whether it is a directory that was made: then all that is in it was made too.
    is_made_directory: bool,
}

/// Who knows how a file came about.
#[derive(Debug)]
enum Owner {
    /// It was made while nothing was open, and that counts for everything.
    Everybody,
    /// These entities, each of them. Of none it is nobody's.
    Only(Vec<u32>),
}

/// What is claimed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Claim {
    /// One path.
    Path,
    /// A directory that was made, and all that is in it.
    Directory,
}

impl Owners {
    /// Whether everything that is going on knows how a path came about.
    pub(super) fn is_own(&self, path: &[u8], going_on: impl Iterator<Item = u32>) -> bool {
        match self.nearest(path).map(|owned| &owned.owner) {
            None => false,
            Some(Owner::Everybody) => true,
            Some(Owner::Only(owners)) => {
                let mut going_on = going_on.peekable();
                going_on.peek().is_some() && going_on.all(|entity| owners.contains(&entity))
            }
        }
    }

    /// Whether a path is a directory that was made.
    pub(super) fn is_made_directory(&self, path: &[u8]) -> bool {
        self.nearest(path)
            .is_some_and(|owned| owned.is_made_directory)
    }

    /// What is going on makes, replaces or removes something.
    pub(super) fn claim(&mut self, path: &[u8], going_on: impl Iterator<Item = u32>, claim: Claim) {
        let entities: Vec<u32> = going_on.collect();
        let owner = match entities[..] {
            [] => Owner::Everybody,
            _ => Owner::Only(entities),
        };
        self.has_directories |= claim == Claim::Directory;
        let owned = Owned {
            owner,
            is_made_directory: claim == Claim::Directory,
        };
        self.paths.insert(path.to_vec(), owned);
    }

    /// What is going on changed a part of something whose rest it does not know.
    pub(super) fn disown(&mut self, path: &[u8]) {
        if self.nearest(path).is_some() {
            let owned = Owned {
                owner: Owner::Only(Vec::new()),
                is_made_directory: false,
            };
            self.paths.insert(path.to_vec(), owned);
        }
    }

    /// The entry of a path, or of the closest directory above it that was made.
    fn nearest(&self, path: &[u8]) -> Option<&Owned> {
        let own = self.paths.get(path);
        if own.is_some() || !self.has_directories {
            return own;
        }
        let mut above = path;
        loop {
            let slash = above.iter().rposition(|byte| *byte == b'/')?;
            above = &above[..slash];
            let owned = self.paths.get(above);
            if let Some(owned) = owned.filter(|owned| owned.is_made_directory) {
                return Some(owned);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn claim(owners: &mut Owners, path: &str, entities: &[u32], what: Claim) {
        owners.claim(path.as_bytes(), entities.iter().copied(), what);
    }

    fn is_own(owners: &Owners, path: &str, entities: &[u32]) -> bool {
        owners.is_own(path.as_bytes(), entities.iter().copied())
    }

    #[test]
    fn a_path_is_own_to_those_that_were_all_there() {
        let mut owners = Owners::default();
        claim(&mut owners, "/a", &[1, 2], Claim::Path);
        for (entities, expected) in [
            (&[1][..], true),
            (&[2, 1], true),
            (&[1, 3], false),
            // Outside of tests nobody knows what a test did.
            (&[], false),
        ] {
            assert_eq!(is_own(&owners, "/a", entities), expected, "{entities:?}");
        }
        assert!(!is_own(&owners, "/b", &[1]) && !is_own(&owners, "/a/b", &[1]));
    }

    #[test]
    fn what_is_made_outside_of_tests_is_everybodys() {
        let mut owners = Owners::default();
        claim(&mut owners, "/a", &[], Claim::Path);
        assert!(is_own(&owners, "/a", &[]) && is_own(&owners, "/a", &[1]));
        claim(&mut owners, "/a", &[1], Claim::Path);
        assert!(!is_own(&owners, "/a", &[2]));
    }

    #[test]
    fn what_is_in_a_directory_that_was_made_is_own_unless_somebody_else_wrote_it() {
        let mut owners = Owners::default();
        claim(&mut owners, "/a/d", &[], Claim::Directory);
        assert!(is_own(&owners, "/a/d", &[1]) && is_own(&owners, "/a/d/x/y", &[1]));
        assert!(!is_own(&owners, "/a/dd", &[1]) && !is_own(&owners, "/a", &[1]));
        claim(&mut owners, "/a/d/x/y", &[1], Claim::Path);
        assert!(!is_own(&owners, "/a/d/x/y", &[2]));
        owners.disown(b"/a/d/z");
        assert!(!is_own(&owners, "/a/d/z", &[1]));
        owners.disown(b"/other");
        assert!(!owners.paths.contains_key(&b"/other"[..]));
    }

    #[test]
    fn a_directory_that_is_removed_holds_nothing() {
        let mut owners = Owners::default();
        claim(&mut owners, "/d", &[1], Claim::Directory);
        claim(&mut owners, "/d", &[1], Claim::Path);
        assert!(is_own(&owners, "/d", &[1]) && !is_own(&owners, "/d/x", &[1]));
    }
}
