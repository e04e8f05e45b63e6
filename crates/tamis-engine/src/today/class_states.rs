//! The classes of a class path today: read only where their stamps say that something may be new.

use std::collections::{BTreeSet, HashMap};
use std::hash::Hash;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use tamis_build::{ClassCandidate, ClassListing, ClassPath, Stamp, Winner, WinningClass};
use tamis_classfile::checksum::DebugInfo;
use tamis_facts::{Checksum, ClassName};
use tamis_select::plain;
use tamis_store::{FileKey, FileStamp, StatCache, SumKind};

use super::State;
use super::class_sums::{ClassSums, smart, together};

/// The classes of a class path, all as they were at the first question.
#[derive(Debug)]
pub struct ClassStates<'a> {
    class_path: &'a ClassPath,
    cache: &'a StatCache,
    debug_info: DebugInfo,
    listing: OnceLock<ClassListing>,
    /// Classes whose files had to be read.
    smart: Memory<ClassName, State<Checksum>>,
    /// Classes that were taken apart.
    sums: Memory<ClassName, State<Arc<ClassSums>>>,
}

/// What was found out before.
type Memory<K, V> = Mutex<HashMap<K, V>>;

impl<'a> ClassStates<'a> {
    /// The classes of a class path.
    pub fn new(class_path: &'a ClassPath, cache: &'a StatCache, debug_info: DebugInfo) -> Self {
        Self {
            class_path,
            cache,
            debug_info,
            listing: OnceLock::new(),
            smart: Mutex::default(),
            sums: Mutex::default(),
        }
    }

    fn listing(&self) -> &ClassListing {
        self.listing.get_or_init(|| self.class_path.list())
    }

    /// The checksum of a whole class.
    pub fn smart(&self, name: &ClassName) -> State<Checksum> {
        let class = match self.listing().winner(name) {
            Winner::Absent => return State::Absent,
            Winner::Unknown { place } => return State::Unknown(place),
            Winner::Found(class) => class,
        };
        if let Some(known) = self.known(&class) {
            return State::Known(known);
        }
        remembered(&self.smart, name, || self.read_smart(&class))
    }

    /// The checksum that is known by the stamps.
    fn known(&self, class: &WinningClass) -> Option<Checksum> {
        let kind = self.kind();
        let mut known = class
            .candidates()
            .map(|file| self.cache.get(kind, &key(file)));
        if class.is_ambiguous() {
            let checksums = known.collect::<Option<Vec<_>>>()?;
            return are_distinct(class).then(|| of_candidates(class, &checksums));
        }
        known.next().flatten()
    }

    fn read_smart(&self, class: &WinningClass) -> State<Checksum> {
        let mut checksums = Vec::new();
        for file in class.candidates() {
            match file.read() {
                Ok(bytes) => checksums.push(smart(&bytes, self.debug_info)),
                Err(error) => return State::Unknown(error.location),
            }
        }
        self.keep(class, &checksums);
        State::Known(of_candidates(class, &checksums))
    }

    fn keep(&self, class: &WinningClass, checksums: &[Checksum]) {
        if !are_distinct(class) {
            return;
        }
        let since = self.listing().since();
        for (file, checksum) in class.candidates().zip(checksums) {
            self.cache.put(self.kind(), &key(file), since, *checksum);
        }
    }

    /// All checksums of a class, which is read for it.
    pub fn checksums(&self, name: &ClassName) -> State<Arc<ClassSums>> {
        remembered(&self.sums, name, || self.read_sums(name))
    }

    fn read_sums(&self, name: &ClassName) -> State<Arc<ClassSums>> {
        let class = match self.listing().winner(name) {
            Winner::Absent => return State::Absent,
            Winner::Unknown { place } => return State::Unknown(place),
            Winner::Found(class) => class,
        };
        if class.is_ambiguous() {
            return self.smart(name).map(|smart| {
                let parts = None;
                Arc::new(ClassSums { smart, parts })
            });
        }
        match class.read() {
            Ok(bytes) => {
                let sums = ClassSums::of(&bytes, self.debug_info);
                self.keep(&class, &[sums.smart]);
                State::Known(Arc::new(sums))
            }
            Err(error) => State::Unknown(error.location),
        }
    }

    /// The bytes of a class, and where they are.
    pub fn bytes(&self, name: &ClassName) -> State<(Vec<u8>, WinningClass)> {
        match self.listing().winner(name) {
            Winner::Absent => State::Absent,
            Winner::Unknown { place } => State::Unknown(place),
            Winner::Found(class) => match class.read() {
                Ok(bytes) => State::Known((bytes, class)),
                Err(error) => State::Unknown(error.location),
            },
        }
    }

    /// One checksum over the names of all classes.
    pub fn names(&self) -> State<Checksum> {
        match self.listing().class_names() {
            Ok(names) => State::Known(of_names(&names)),
            Err(place) => State::Unknown(place),
        }
    }

    fn kind(&self) -> SumKind {
        match self.debug_info {
            DebugInfo::Ignored => SumKind::Smart,
            DebugInfo::Counted => SumKind::SmartWithDebugInfo,
        }
    }
}

/// Lengths keep names from running together.
fn of_names(names: &[&[u8]]) -> Checksum {
    let mut bytes = Vec::with_capacity(names.iter().map(|name| name.len() + 4).sum());
    for name in names {
        bytes.extend((name.len() as u32).to_le_bytes());
        bytes.extend_from_slice(name);
    }
    plain(&bytes)
}

/// Of a class with several files, all of them count, with their paths.
fn of_candidates(class: &WinningClass, checksums: &[Checksum]) -> Checksum {
    if let ([checksum], false) = (checksums, class.is_ambiguous()) {
        return *checksum;
    }
    let paths: Vec<Checksum> = class
        .candidates()
        .map(|file| plain(file.path().as_bytes()))
        .collect();
    let pairs = paths.iter().zip(checksums);
    together(pairs.flat_map(|(path, checksum)| [path, checksum]))
}

/// Whether no two files have the same place and path, as two members of an archive may.
fn are_distinct(class: &WinningClass) -> bool {
    let mut seen = BTreeSet::new();
    !class.is_ambiguous()
        || class
            .candidates()
            .all(|file| seen.insert((file.place(), file.path())))
}

fn key(file: &ClassCandidate) -> FileKey<'_> {
    FileKey {
        place: file.place(),
        path: file.path().as_bytes(),
        stamp: file_stamp(&file.stamp()),
    }
}

/// The stamp as the store has it.
pub(crate) fn file_stamp(stamp: &Stamp) -> FileStamp {
    FileStamp {
        device: stamp.device,
        inode: stamp.inode,
        size: stamp.size,
        modified: stamp.modified,
        changed: stamp.changed,
    }
}

/// Nothing is locked while a value is found out: two threads may find it out at once.
fn remembered<K: Clone + Eq + Hash, V: Clone>(
    memory: &Memory<K, V>,
    key: &K,
    find: impl FnOnce() -> V,
) -> V {
    let lock = || memory.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = lock().get(key) {
        return known.clone();
    }
    let found = find();
    lock().entry(key.clone()).or_insert(found).clone()
}
