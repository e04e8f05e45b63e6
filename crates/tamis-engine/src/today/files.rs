//! The files of a module today, by what the store knows of their contents.

use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::SystemTime;

use tamis_build::{ContentChecksums, FileScope, Stamp, path_text};
use tamis_facts::Checksum;
use tamis_store::{FileKey, StatCache, SumKind};

use super::State;
use super::class_states::file_stamp;

/// One checksum over the files of a module.
pub fn files(scope: &FileScope, cache: &StatCache) -> State<Checksum> {
    state(scope.checksum(&CachedContents(cache)))
}

/// The same, and the files that were changed at that time or later, sorted; those in the module's directory by their
/// paths in there. What is gone is not among them, nor what lies behind something that cannot be read.
pub(crate) fn files_and_changes(
    scope: &FileScope,
    cache: &StatCache,
    since: SystemTime,
) -> (State<Checksum>, Vec<String>) {
    let contents = NotingContents {
        contents: CachedContents(cache),
        since,
        changed: Mutex::default(),
    };
    let state = state(scope.checksum(&contents));
    let changed = contents.changed.into_inner();
    let changed = changed.unwrap_or_else(PoisonError::into_inner);
    let mut changed: Vec<String> = changed
        .into_iter()
        .map(|file| {
            let inside = Path::new(&file).strip_prefix(&scope.base);
            inside.map_or_else(|_| file.clone(), path_text)
        })
        .collect();
    changed.sort();
    (state, changed)
}

fn state(checksum: Result<Checksum, String>) -> State<Checksum> {
    match checksum {
        Ok(checksum) => State::Known(checksum),
        Err(place) => State::Unknown(place),
    }
}

/// Notes which files are newer than something.
struct NotingContents<'c> {
    contents: CachedContents<'c>,
    since: SystemTime,
    changed: Mutex<Vec<String>>,
}

impl ContentChecksums for NotingContents<'_> {
    fn known(&self, place: &str, path: &[u8], stamp: &Stamp) -> Option<Checksum> {
        if stamp.is_changed_since(self.since) {
            let mut changed = self.changed.lock().unwrap_or_else(PoisonError::into_inner);
            changed.push(format!("{place}/{}", String::from_utf8_lossy(path)));
        }
        self.contents.known(place, path, stamp)
    }

    fn keep(&self, place: &str, path: &[u8], stamp: &Stamp, seen: SystemTime, checksum: Checksum) {
        self.contents.keep(place, path, stamp, seen, checksum);
    }
}

/// What the store knows of contents.
pub(super) struct CachedContents<'c>(pub(super) &'c StatCache);

impl ContentChecksums for CachedContents<'_> {
    fn known(&self, place: &str, path: &[u8], stamp: &Stamp) -> Option<Checksum> {
        let stamp = file_stamp(stamp);
        self.0
            .get(SumKind::Content, &FileKey { place, path, stamp })
    }

    fn keep(&self, place: &str, path: &[u8], stamp: &Stamp, seen: SystemTime, checksum: Checksum) {
        let stamp = file_stamp(stamp);
        let key = FileKey { place, path, stamp };
        self.0.put(SumKind::Content, &key, seen, checksum);
    }
}
