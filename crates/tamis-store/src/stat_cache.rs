//! Checksums of files that need not be read again, because their stamps are those of the last time.
//!
//! Kept place by place: a directory with its files, an archive with its members. A place is one row with
//! one blob, which is taken apart when somebody asks for a file of that place.
//!
//! A stamp is only believed if the file had been left alone for a while when it was read. A file that was
//! written again in the same moment, which is two seconds on some file systems, would have the same stamp
//! (git calls such entries *racy*). Nothing is kept of such a file, so it is read again the next time.

use std::collections::HashMap;
use std::sync::{PoisonError, RwLock, RwLockWriteGuard};
use std::time::{Duration, SystemTime};

use rusqlite::params;
use tamis_facts::Checksum;

use crate::error::StoreError;
use crate::open::Store;

/// How long a file must have been left alone: the coarsest clock of a file system in use (FAT, two seconds),
/// and one more for a file server whose clock is a little behind.
const QUIET: Duration = Duration::from_secs(3);

/// What nobody asked for during so many days is dropped.
const DAYS_KEPT: u16 = 30;

/// Whether somebody asked is written down about once a week, so that a run without changes writes nothing.
const DAYS_UNNOTED: u16 = 7;

/// What a checksum is taken over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SumKind {
    /// The bytes of a file.
    Content,
    /// What counts of a class.
    Smart,
    /// The same, debug information included.
    SmartWithDebugInfo,
    /// What the classes of a package set of static fields of others.
    SetElsewhere,
}

/// All of them, each at its position.
const KINDS: [SumKind; 4] = [
    SumKind::Content,
    SumKind::Smart,
    SumKind::SmartWithDebugInfo,
    SumKind::SetElsewhere,
];

/// What changes whenever a file does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct FileStamp {
    /// The file system.
    pub device: u64,
    /// Which file of it.
    pub inode: u64,
    /// How many bytes.
    pub size: u64,
    /// When it was written last: seconds and nanoseconds since 1970.
    pub modified: (i64, i64),
    /// When anything about it was changed last, its modification time included.
    pub changed: (i64, i64),
}

/// A file or a member of an archive.
#[derive(Clone, Copy, Debug)]
pub struct FileKey<'k> {
    /// The directory or the archive.
    pub place: &'k str,
    /// Its path in there.
    pub path: &'k [u8],
    /// Its stamp, or that of the archive.
    pub stamp: FileStamp,
}

/// Checksums of files by their stamps. Several threads may ask at once.
#[derive(Debug, Default)]
pub struct StatCache {
    places: RwLock<Places>,
    /// Days since 1970.
    today: u16,
}

/// Directories and archives by their names, for each kind of checksum.
type Places = [HashMap<String, Place>; 4];

/// What a look at the cache gives.
enum Look {
    Answer(Option<Checksum>),
    /// Something has to be taken apart or noted first.
    NotYet,
}

/// A directory or an archive.
#[derive(Debug)]
struct Place {
    files: Files,
    /// When somebody asked for it last, as it is kept.
    day: u16,
    is_changed: bool,
}

#[derive(Debug)]
enum Files {
    /// As they are kept.
    Packed(Vec<u8>),
    Known(HashMap<Vec<u8>, Entry>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Entry {
    stamp: FileStamp,
    checksum: Checksum,
    /// When somebody asked for it last, about.
    day: u16,
}

impl StatCache {
    /// An empty one.
    pub fn new(now: SystemTime) -> Self {
        Self {
            places: RwLock::default(),
            today: day_of(now),
        }
    }

    /// The checksum of a file, if it was kept for this stamp.
    pub fn get(&self, kind: SumKind, key: &FileKey<'_>) -> Option<Checksum> {
        let today = self.today;
        if let Look::Answer(answer) = self.look(kind, key) {
            return answer;
        }
        let mut places = self.lock();
        let place = places[kind as usize].get_mut(key.place)?;
        place.note_day(today);
        let entry = place.files().get_mut(key.path)?;
        if entry.stamp != key.stamp {
            return None;
        }
        let (checksum, is_unnoted) = (entry.checksum, entry.is_unnoted(today));
        if is_unnoted {
            entry.day = today;
            place.is_changed = true;
        }
        Some(checksum)
    }

    /// Keeps the checksum of a file, which had this stamp at the time `seen` or later, unless the file was
    /// changed too shortly before.
    pub fn put(&self, kind: SumKind, key: &FileKey<'_>, seen: SystemTime, checksum: Checksum) {
        if !key.stamp.is_quiet_at(seen) {
            return;
        }
        let entry = Entry {
            stamp: key.stamp,
            checksum,
            day: self.today,
        };
        let mut places = self.lock();
        let place = places[kind as usize]
            .entry(key.place.to_owned())
            .or_insert_with(|| Place::new(self.today));
        place.files().insert(key.path.to_vec(), entry);
        place.is_changed = true;
    }

    /// The same where nothing is to be taken apart or noted, which is nearly always: then nobody waits for others.
    fn look(&self, kind: SumKind, key: &FileKey<'_>) -> Look {
        let places = self.places.read().unwrap_or_else(PoisonError::into_inner);
        let Some(place) = places[kind as usize].get(key.place) else {
            return Look::Answer(None);
        };
        let Files::Known(files) = &place.files else {
            return Look::NotYet;
        };
        if is_unnoted(place.day, self.today) {
            return Look::NotYet;
        }
        let entry = files.get(key.path).filter(|entry| entry.stamp == key.stamp);
        match entry {
            Some(entry) if entry.is_unnoted(self.today) => Look::NotYet,
            entry => Look::Answer(entry.map(|entry| entry.checksum)),
        }
    }

    fn lock(&self) -> RwLockWriteGuard<'_, Places> {
        self.places.write().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Place {
    fn new(day: u16) -> Self {
        Self {
            files: Files::Known(HashMap::new()),
            day,
            is_changed: true,
        }
    }

    /// What is known of its files. What cannot be understood is nothing: then they are read again.
    fn files(&mut self) -> &mut HashMap<Vec<u8>, Entry> {
        if let Files::Packed(blob) = &self.files {
            self.files = Files::Known(parse(blob).unwrap_or_default());
        }
        match &mut self.files {
            Files::Known(files) => files,
            Files::Packed(_) => unreachable!("it was taken apart above"),
        }
    }

    fn note_day(&mut self, today: u16) {
        if is_unnoted(self.day, today) {
            self.day = today;
            self.is_changed = true;
        }
    }

    /// As it is to be kept; without what nobody asked for.
    fn encode(&mut self, today: u16) -> Vec<u8> {
        let files = self.files();
        files.retain(|_, entry| entry.day.saturating_add(DAYS_KEPT) >= today);
        encode(files)
    }
}

impl Entry {
    fn is_unnoted(&self, today: u16) -> bool {
        is_unnoted(self.day, today)
    }
}

/// A day in the future comes from a clock that was set back.
fn is_unnoted(day: u16, today: u16) -> bool {
    day > today || day.saturating_add(DAYS_UNNOTED) < today
}

impl FileStamp {
    /// Whether a change after the time `seen` cannot leave the same stamp.
    fn is_quiet_at(&self, seen: SystemTime) -> bool {
        let Some(limit) = seen.checked_sub(QUIET) else {
            return false;
        };
        let is_before = |time| point(time).is_some_and(|time| time < limit);
        is_before(self.modified) && is_before(self.changed)
    }
}

/// The point in time; none if no clock has it.
fn point((seconds, nanoseconds): (i64, i64)) -> Option<SystemTime> {
    let nanoseconds = Duration::from_nanos(u64::try_from(nanoseconds).ok()?);
    let whole = Duration::from_secs(seconds.unsigned_abs());
    let point = if seconds < 0 {
        SystemTime::UNIX_EPOCH.checked_sub(whole)
    } else {
        SystemTime::UNIX_EPOCH.checked_add(whole)
    };
    point?.checked_add(nanoseconds)
}

fn day_of(now: SystemTime) -> u16 {
    let since = now.duration_since(SystemTime::UNIX_EPOCH);
    let days = since.map_or(0, |since| since.as_secs() / 86_400);
    u16::try_from(days).unwrap_or(u16::MAX)
}

impl Store {
    /// All checksums that were kept.
    pub fn load_stat_cache(&self, now: SystemTime) -> Result<StatCache, StoreError> {
        let cache = StatCache::new(now);
        let mut statement = self
            .connection
            .prepare_cached("SELECT kind, place, day, files FROM stat_cache")?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            let Some(kind) = parse_kind(row.get(0)?) else {
                continue;
            };
            let place = Place {
                files: Files::Packed(row.get(3)?),
                day: row.get(2)?,
                is_changed: false,
            };
            cache.lock()[kind as usize].insert(row.get(1)?, place);
        }
        drop(rows);
        drop(statement);
        Ok(cache)
    }

    /// Keeps what is new in the cache, and drops what nobody asked for in a long time.
    pub fn save_stat_cache(&mut self, cache: &StatCache) -> Result<(), StoreError> {
        let mut places = cache.lock();
        let mut changed = Vec::new();
        for (kind, places) in KINDS.iter().zip(places.iter_mut()) {
            let places = places.iter_mut().filter(|(_, place)| place.is_changed);
            changed.extend(places.map(|(name, place)| (number(*kind), name, place)));
        }
        if changed.is_empty() {
            return Ok(());
        }
        changed.sort_by(|(a, b, _), (c, d, _)| (a, b).cmp(&(c, d)));
        let transaction = self.begin_writing()?;
        for (kind, name, place) in &mut changed {
            let files = place.encode(cache.today);
            transaction
                .prepare_cached(
                    "INSERT OR REPLACE INTO stat_cache (kind, place, day, files) VALUES (?1, ?2, ?3, ?4)",
                )?
                .execute(params![*kind, *name, place.day, files])?;
        }
        let oldest = cache.today.saturating_sub(DAYS_KEPT);
        transaction.execute("DELETE FROM stat_cache WHERE day < ?1", [oldest])?;
        transaction.commit()?;
        for (_, _, place) in changed {
            place.is_changed = false;
        }
        Ok(())
    }
}

/// Part of the format.
fn number(kind: SumKind) -> i64 {
    match kind {
        SumKind::Content => 1,
        SumKind::Smart => 2,
        SumKind::SmartWithDebugInfo => 3,
        SumKind::SetElsewhere => 4,
    }
}

fn parse_kind(kept: i64) -> Option<SumKind> {
    KINDS.into_iter().find(|kind| number(*kind) == kept)
}

/// Sorted by path. For each: day, checksum, stamp, length of the path, path. A zero in front of the stamp
/// says that it is the one before, as in archives.
fn encode(files: &HashMap<Vec<u8>, Entry>) -> Vec<u8> {
    let mut sorted: Vec<_> = files.iter().collect();
    sorted.sort_by_key(|(path, _)| *path);
    let mut blob = Vec::new();
    let mut last = None;
    for (path, entry) in sorted {
        blob.extend(entry.day.to_le_bytes());
        blob.extend(entry.checksum.0);
        if last == Some(entry.stamp) {
            blob.push(0);
        } else {
            blob.push(1);
            entry.stamp.encode(&mut blob);
            last = Some(entry.stamp);
        }
        blob.extend((path.len() as u32).to_le_bytes());
        blob.extend(path);
    }
    blob
}

fn parse(blob: &[u8]) -> Option<HashMap<Vec<u8>, Entry>> {
    let mut rest = blob;
    let mut files = HashMap::with_capacity(blob.len() / 128);
    let mut last = None;
    while !rest.is_empty() {
        let (day, behind) = rest.split_first_chunk()?;
        let (checksum, behind) = behind.split_first_chunk()?;
        let (has_stamp, behind) = behind.split_first()?;
        let (stamp, behind) = match has_stamp {
            0 => (last?, behind),
            1 => FileStamp::parse(behind)?,
            _ => return None,
        };
        let (length, behind) = behind.split_first_chunk()?;
        let length = u32::from_le_bytes(*length) as usize;
        let (path, behind) = behind.split_at_checked(length)?;
        let entry = Entry {
            stamp,
            checksum: Checksum(*checksum),
            day: u16::from_le_bytes(*day),
        };
        files.insert(path.to_vec(), entry);
        last = Some(stamp);
        rest = behind;
    }
    Some(files)
}

impl FileStamp {
    fn encode(&self, out: &mut Vec<u8>) {
        for number in [self.device, self.inode, self.size] {
            out.extend(number.to_le_bytes());
        }
        for (seconds, nanoseconds) in [self.modified, self.changed] {
            out.extend(seconds.to_le_bytes());
            out.extend(nanoseconds.to_le_bytes());
        }
    }

    fn parse(bytes: &[u8]) -> Option<(Self, &[u8])> {
        let (numbers, rest) = bytes.split_first_chunk::<56>()?;
        let (numbers, _) = numbers.as_chunks::<8>();
        let unsigned = |at: usize| u64::from_le_bytes(numbers[at]);
        let signed = |at: usize| i64::from_le_bytes(numbers[at]);
        let stamp = Self {
            device: unsigned(0),
            inode: unsigned(1),
            size: unsigned(2),
            modified: (signed(3), signed(4)),
            changed: (signed(5), signed(6)),
        };
        Some((stamp, rest))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use tempfile::TempDir;

    const DAY: u64 = 86_400;
    const SUM: Checksum = Checksum([7; 16]);

    /// So many days after some day.
    fn time(days: u64) -> SystemTime {
        SystemTime::UNIX_EPOCH + Duration::from_secs((20_000 + days) * DAY)
    }

    /// Of a file that was left alone since that time.
    fn stamp_at(time: SystemTime) -> FileStamp {
        let since = time.duration_since(SystemTime::UNIX_EPOCH).unwrap();
        let seconds = i64::try_from(since.as_secs()).unwrap();
        let time = (seconds, i64::from(since.subsec_nanos()));
        FileStamp {
            device: 1,
            inode: 2,
            size: 3,
            modified: time,
            changed: time,
        }
    }

    fn stamp() -> FileStamp {
        stamp_at(time(0) - Duration::from_mins(1))
    }

    fn key(place: &'static str, path: &'static str, stamp: FileStamp) -> FileKey<'static> {
        let path = path.as_bytes();
        FileKey { place, path, stamp }
    }

    /// A cache in which one file is kept, if it can be.
    fn cache_with(stamp: FileStamp, seen: SystemTime) -> StatCache {
        let cache = StatCache::new(time(0));
        cache.put(SumKind::Smart, &key("/x", "a", stamp), seen, SUM);
        cache
    }

    fn smart(cache: &StatCache, place: &'static str, path: &'static str) -> Option<Checksum> {
        cache.get(SumKind::Smart, &key(place, path, stamp()))
    }

    fn store() -> (TempDir, Store) {
        let dir = tempfile::tempdir().unwrap();
        let store = Store::open(dir.path()).unwrap().store;
        (dir, store)
    }

    #[test]
    fn a_checksum_is_known_for_its_file_and_stamp_alone() {
        let cache = cache_with(stamp(), time(0));
        assert_eq!(smart(&cache, "/x", "a"), Some(SUM));
        assert_eq!(smart(&cache, "/y", "a"), None);
        assert_eq!(smart(&cache, "/x", "b"), None);
        assert_eq!(cache.get(SumKind::Content, &key("/x", "a", stamp())), None);
        let changes: [fn(&mut FileStamp); 7] = [
            |stamp| stamp.device += 1,
            |stamp| stamp.inode += 1,
            |stamp| stamp.size += 1,
            |stamp| stamp.modified.0 += 1,
            |stamp| stamp.modified.1 += 1,
            |stamp| stamp.changed.0 += 1,
            |stamp| stamp.changed.1 += 1,
        ];
        for change in changes {
            let mut stamp = stamp();
            change(&mut stamp);
            assert_eq!(cache.get(SumKind::Smart, &key("/x", "a", stamp)), None);
        }
    }

    #[test]
    fn what_changed_shortly_before_is_not_kept() {
        let is_kept = |modified: SystemTime, changed: SystemTime| {
            let stamp = FileStamp {
                changed: stamp_at(changed).changed,
                ..stamp_at(modified)
            };
            let cache = cache_with(stamp, time(0));
            cache.get(SumKind::Smart, &key("/x", "a", stamp)).is_some()
        };
        let before = |milliseconds| time(0) - Duration::from_millis(milliseconds);
        assert!(is_kept(before(3001), before(3001)));
        assert!(!is_kept(before(3000), before(9000)));
        assert!(!is_kept(before(9000), before(3000)));
        assert!(!is_kept(before(0), before(0)));
        assert!(!is_kept(time(1), before(9000)));
        // A build may date its files to the beginning of time, or before.
        assert!(is_kept(SystemTime::UNIX_EPOCH, before(9000)));
        let stamp = FileStamp {
            modified: (-5, 0),
            ..stamp()
        };
        let cache = cache_with(stamp, time(0));
        assert!(cache.get(SumKind::Smart, &key("/x", "a", stamp)).is_some());
    }

    #[test]
    fn what_is_saved_is_loaded() {
        let (_dir, mut store) = store();
        let cache = cache_with(stamp(), time(0));
        for path in ["b", "c"] {
            cache.put(SumKind::Smart, &key("/x", path, stamp()), time(0), SUM);
        }
        cache.put(SumKind::Content, &key("/y", "d", stamp()), time(0), SUM);
        store.save_stat_cache(&cache).unwrap();
        let cache = store.load_stat_cache(time(0)).unwrap();
        for path in ["a", "b", "c"] {
            assert_eq!(smart(&cache, "/x", path), Some(SUM));
        }
        assert!(
            cache
                .get(SumKind::Content, &key("/y", "d", stamp()))
                .is_some()
        );
        assert_eq!(smart(&cache, "/y", "d"), None);
    }

    #[test]
    fn an_unchanged_cache_writes_nothing() {
        let (_dir, mut store) = store();
        store
            .save_stat_cache(&cache_with(stamp(), time(0)))
            .unwrap();
        let n_changes = store.connection.total_changes();
        for days in [0, 1, 7] {
            let cache = store.load_stat_cache(time(days)).unwrap();
            assert_eq!(smart(&cache, "/x", "a"), Some(SUM));
            store.save_stat_cache(&cache).unwrap();
        }
        assert_eq!(store.connection.total_changes(), n_changes);
    }

    #[test]
    fn what_nobody_asks_for_is_dropped() {
        let (_dir, mut store) = store();
        let cache = cache_with(stamp(), time(0));
        cache.put(SumKind::Smart, &key("/x", "b", stamp()), time(0), SUM);
        cache.put(SumKind::Smart, &key("/y", "c", stamp()), time(0), SUM);
        store.save_stat_cache(&cache).unwrap();
        for days in [20, 40] {
            let cache = store.load_stat_cache(time(days)).unwrap();
            assert_eq!(smart(&cache, "/x", "a"), Some(SUM));
            store.save_stat_cache(&cache).unwrap();
        }
        let cache = store.load_stat_cache(time(40)).unwrap();
        assert_eq!(smart(&cache, "/x", "a"), Some(SUM));
        assert_eq!(smart(&cache, "/x", "b"), None);
        assert_eq!(smart(&cache, "/y", "c"), None);
    }

    #[test]
    fn what_is_damaged_is_not_there() {
        let (_dir, mut store) = store();
        store
            .save_stat_cache(&cache_with(stamp(), time(0)))
            .unwrap();
        for damage in ["substr(files, 1, length(files) - 1)", "x'00'", "x''"] {
            let update = format!("UPDATE stat_cache SET files = {damage}");
            store.connection.execute(&update, []).unwrap();
            let cache = store.load_stat_cache(time(0)).unwrap();
            assert_eq!(smart(&cache, "/x", "a"), None);
        }
        let unknown = "UPDATE stat_cache SET kind = 99";
        store.connection.execute(unknown, []).unwrap();
        store.load_stat_cache(time(0)).unwrap();
    }

    fn entry() -> impl Strategy<Value = Entry> {
        let stamp = (any::<[u64; 3]>(), any::<[(i64, i64); 2]>());
        // Few different ones, so that neighbours have the same.
        let stamp = prop_oneof![Just(([1; 3], [(1, 1); 2])), stamp];
        (stamp, any::<[u8; 16]>(), any::<u16>()).prop_map(|(stamp, checksum, day)| {
            let ([device, inode, size], [modified, changed]) = stamp;
            Entry {
                stamp: FileStamp {
                    device,
                    inode,
                    size,
                    modified,
                    changed,
                },
                checksum: Checksum(checksum),
                day,
            }
        })
    }

    proptest! {
        #[test]
        fn every_file_comes_back(files in prop::collection::hash_map(any::<Vec<u8>>(), entry(), 0..20)) {
            prop_assert_eq!(parse(&encode(&files)), Some(files));
        }

        #[test]
        fn any_bytes_are_files_or_none(
            files in prop::collection::hash_map(any::<Vec<u8>>(), entry(), 0..5),
            end: prop::sample::Index,
            bytes: Vec<u8>,
        ) {
            let mut blob = encode(&files);
            blob.truncate(end.index(blob.len() + 1));
            blob.extend(bytes);
            drop(parse(&blob));
        }
    }
}
