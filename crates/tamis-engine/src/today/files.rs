//! The files of a module today, by what the store knows of their contents.

use std::time::SystemTime;

use tamis_build::{ContentChecksums, FileScope, Stamp};
use tamis_facts::Checksum;
use tamis_store::{FileKey, StatCache, SumKind};

use super::State;
use super::class_states::file_stamp;

/// One checksum over the files of a module.
pub fn files(scope: &FileScope, cache: &StatCache) -> State<Checksum> {
    match scope.checksum(&CachedContents(cache)) {
        Ok(checksum) => State::Known(checksum),
        Err(place) => State::Unknown(place),
    }
}

struct CachedContents<'c>(&'c StatCache);

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
