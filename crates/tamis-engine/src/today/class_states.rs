//! The classes of a class path today: read only where their stamps say that something may be new.

use std::collections::{BTreeSet, HashMap};
use std::hash::Hash;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use tamis_build::{
    ClassCandidate, ClassListing, ClassPath, FoundFile, Stamp, Winner, WinningClass,
};
use tamis_classfile::ClassFile;
use tamis_classfile::checksum::DebugInfo;
use tamis_facts::{Checksum, ClassName};
use tamis_select::{Classes, Declared, Hierarchy, plain};
use tamis_store::{FileKey, FileStamp, StatCache, SumKind};

use super::State;
use super::class_sums::{ClassSums, smart, together};
use super::files::CachedContents;
use super::setters_elsewhere::{SetElsewhere, SettingPackages};

/// The classes of a class path, all as they were at the first question.
#[derive(Debug)]
pub struct ClassStates<'a> {
    class_path: &'a ClassPath,
    pub(super) cache: &'a StatCache,
    debug_info: DebugInfo,
    listing: OnceLock<ClassListing>,
    names: OnceLock<State<Checksum>>,
    pub(super) setting_packages: OnceLock<Result<SettingPackages, String>>,
    pub(super) set_elsewhere: OnceLock<Result<SetElsewhere, String>>,
    /// Classes whose files had to be read.
    smart: Memory<ClassName, State<Checksum>>,
    /// Classes that were taken apart.
    sums: Memory<ClassName, State<Arc<ClassSums>>>,
    /// What classes say that look-ups ask for; nothing of one that is not on the class path, or cannot be understood.
    declared: Memory<ClassName, Result<Option<Arc<Declared>>, String>>,
    hierarchies: Memory<ClassName, Result<Option<Arc<Hierarchy>>, String>>,
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
            names: OnceLock::new(),
            setting_packages: OnceLock::new(),
            set_elsewhere: OnceLock::new(),
            smart: Mutex::default(),
            sums: Mutex::default(),
            declared: Mutex::default(),
            hierarchies: Mutex::default(),
        }
    }

    /// Whether checksums count debug information.
    pub(crate) fn debug_info(&self) -> DebugInfo {
        self.debug_info
    }

    pub(super) fn listing(&self) -> &ClassListing {
        self.listing.get_or_init(|| self.class_path.list())
    }

    /// The checksum of a whole class.
    pub fn smart(&self, name: &ClassName) -> State<Checksum> {
        if let Some(known) = self.known_of_file(name) {
            return State::Known(known);
        }
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

    /// The checksum of a class that has just one file, by its stamp: nearly always it is known.
    fn known_of_file(&self, name: &ClassName) -> Option<Checksum> {
        let FoundFile { place, path, stamp } = self.listing().file(name)?;
        let key = FileKey {
            place: &place,
            path: path.as_bytes(),
            stamp: file_stamp(&stamp),
        };
        self.cache.get(self.kind(), &key)
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

    /// A class with everything above it; nothing if it is not on the class path, or cannot be understood. An error, for
    /// people, if that cannot be told.
    pub fn hierarchy(&self, name: &ClassName) -> Result<Option<Arc<Hierarchy>>, String> {
        remembered(&self.hierarchies, name, || {
            Ok(Hierarchy::of(name, self)?.map(Arc::new))
        })
    }

    fn read_declared(&self, name: &ClassName) -> Result<Option<Arc<Declared>>, String> {
        let known = self.sums.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(State::Known(sums)) = known.get(name) {
            let parts = sums.parts.as_ref();
            return Ok(parts.map(|parts| Arc::clone(&parts.declared)));
        }
        drop(known);
        let class = match self.listing().winner(name) {
            Winner::Absent => return Ok(None),
            Winner::Unknown { place } => return Err(place),
            Winner::Found(class) if class.is_ambiguous() => return Ok(None),
            Winner::Found(class) => class,
        };
        let bytes = class.read().map_err(|error| error.location)?;
        let declared = ClassFile::parse(&bytes).and_then(|class| Declared::of(&class));
        Ok(declared.ok().map(Arc::new))
    }

    /// Whether a class comes from an archive: then it is not the project's own.
    pub(crate) fn is_in_archive(&self, name: &ClassName) -> bool {
        let Winner::Found(class) = self.listing().winner(name) else {
            return false;
        };
        let mut files = class.candidates();
        files.any(|file| std::path::Path::new(file.place()).is_file())
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
        let names = self.names.get_or_init(|| {
            let names = self.listing().names_checksum();
            names.map_or_else(State::Unknown, State::Known)
        });
        names.clone()
    }

    /// Everything of this name on the class path, in the order of the search.
    pub fn resource(&self, name: &[u8]) -> State<Checksum> {
        let found = self.class_path.resource(name, &CachedContents(self.cache));
        match found {
            Ok(found) => found.map_or(State::Absent, State::Known),
            Err(place) => State::Unknown(place),
        }
    }

    /// One checksum over all archives.
    pub fn archives(&self) -> State<Checksum> {
        let contents = CachedContents(self.cache);
        let archives = self.class_path.archives_checksum(&contents);
        archives.map_or_else(State::Unknown, State::Known)
    }

    fn kind(&self) -> SumKind {
        match self.debug_info {
            DebugInfo::Ignored => SumKind::Smart,
            DebugInfo::Counted => SumKind::SmartWithDebugInfo,
        }
    }
}

impl Classes for ClassStates<'_> {
    fn declared(&self, class: &ClassName) -> Result<Option<Arc<Declared>>, String> {
        remembered(&self.declared, class, || self.read_declared(class))
    }
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

#[cfg(test)]
mod tests {
    use std::fs::{self, File};
    use std::io::Write as _;
    use std::path::PathBuf;
    use std::time::{Duration, SystemTime};

    use tamis_build::path_text;
    use tempfile::TempDir;

    use super::*;

    /// A class path of directories and jars, and what is known of them.
    struct World {
        root: TempDir,
        cache: StatCache,
    }

    impl World {
        fn new(files: &[(&str, &[u8])]) -> Self {
            let world = Self {
                root: tempfile::tempdir().unwrap(),
                cache: StatCache::new(SystemTime::now()),
            };
            for (path, bytes) in files {
                world.write(path, bytes);
            }
            world
        }

        fn path(&self, path: &str) -> PathBuf {
            self.root.path().join(path)
        }

        fn write(&self, path: &str, bytes: &[u8]) {
            let path = self.path(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, bytes).unwrap();
        }

        fn class_path(&self, places: &[&str]) -> ClassPath {
            let places: Vec<_> = places
                .iter()
                .map(|place| path_text(&self.path(place)))
                .collect();
            ClassPath::of_places(&places, &Arc::default())
        }

        /// The checksum of `a/B` today.
        fn smart(&self, places: &[&str]) -> State<Checksum> {
            let path = self.class_path(places);
            ClassStates::new(&path, &self.cache, DebugInfo::Ignored).smart(&"a/B".into())
        }

        /// Keeps a checksum for the file of `a/B` as it is now, as if long ago.
        fn pretend(&self, places: &[&str], checksum: Checksum) {
            let path = self.class_path(places);
            let Winner::Found(class) = path.winner(&"a/B".into()) else {
                panic!("there is no such class");
            };
            let later = SystemTime::now() + Duration::from_mins(1);
            for file in class.candidates() {
                self.cache.put(SumKind::Smart, &key(file), later, checksum);
            }
        }
    }

    const PRETENDED: Checksum = Checksum([1; 16]);

    /// What is no class counts by its bytes.
    fn of_bytes(bytes: &[u8]) -> State<Checksum> {
        State::Known(plain(bytes))
    }

    /// An archive of stored members, as small as it gets.
    fn jar(files: &[(&str, &[u8])]) -> Vec<u8> {
        let (mut zip, mut directory) = (Vec::new(), Vec::new());
        for (name, bytes) in files {
            let offset = zip.len() as u32;
            let sizes = [crc32(bytes), bytes.len() as u32, bytes.len() as u32];
            let sizes = sizes.map(u32::to_le_bytes).concat();
            let length = (name.len() as u16).to_le_bytes();
            zip.extend(b"PK\x03\x04\x0a\0\0\0\0\0\0\0\0\0");
            zip.extend([&sizes[..], &length, &[0, 0], name.as_bytes(), bytes].concat());
            directory.extend(b"PK\x01\x02\x0a\0\x0a\0\0\0\0\0\0\0\0\0");
            directory.extend([&sizes[..], &length, &[0; 12]].concat());
            directory.extend([&offset.to_le_bytes()[..], name.as_bytes()].concat());
        }
        let (start, size) = (zip.len() as u32, directory.len() as u32);
        let count = (files.len() as u16).to_le_bytes();
        zip.extend(directory);
        zip.extend([&b"PK\x05\x06\0\0\0\0"[..], &count, &count].concat());
        zip.extend([size, start].map(u32::to_le_bytes).concat());
        zip.extend([0, 0]);
        zip
    }

    fn crc32(bytes: &[u8]) -> u32 {
        let step = |sum: u32| (sum >> 1) ^ (0xedb8_8320 & (sum & 1).wrapping_neg());
        let add = |sum: u32, byte: &u8| (0..8).fold(sum ^ u32::from(*byte), |sum, _| step(sum));
        !bytes.iter().fold(!0, add)
    }

    #[test]
    fn a_known_stamp_is_believed() {
        let world = World::new(&[
            ("one/a/B.class", b"1"),
            ("x.jar", &jar(&[("a/B.class", b"2")])),
        ]);
        for (place, bytes) in [("one", b"1"), ("x.jar", b"2")] {
            assert_eq!(world.smart(&[place]), of_bytes(bytes));
            world.pretend(&[place], PRETENDED);
            assert_eq!(world.smart(&[place]), State::Known(PRETENDED));
        }
    }

    #[test]
    fn a_file_that_was_just_written_is_read_each_time() {
        let world = World::new(&[("one/a/B.class", b"1")]);
        assert_eq!(world.smart(&["one"]), of_bytes(b"1"));
        let Winner::Found(class) = world.class_path(&["one"]).winner(&"a/B".into()) else {
            panic!("there is no such class");
        };
        let mut files = class.candidates();
        let known = world.cache.get(SumKind::Smart, &key(files.next().unwrap()));
        assert_eq!(known, None);
    }

    #[test]
    fn another_content_of_the_same_size_and_time_is_noticed() {
        let world = World::new(&[("one/a/B.class", b"1")]);
        let file = world.path("one/a/B.class");
        let modified = fs::metadata(&file).unwrap().modified().unwrap();
        world.pretend(&["one"], PRETENDED);
        let mut written = File::options().write(true).open(&file).unwrap();
        written.write_all(b"2").unwrap();
        written.set_modified(modified).unwrap();
        let metadata = fs::metadata(&file).unwrap();
        assert_eq!(
            (metadata.len(), metadata.modified().unwrap()),
            (1, modified)
        );
        assert_eq!(world.smart(&["one"]), of_bytes(b"2"));
    }

    #[test]
    fn a_class_in_front_of_another_is_noticed() {
        let world = World::new(&[("two/a/B.class", b"2")]);
        world.pretend(&["one", "two"], PRETENDED);
        assert_eq!(world.smart(&["one", "two"]), State::Known(PRETENDED));
        world.write("one/a/B.class", b"1");
        assert_eq!(world.smart(&["one", "two"]), of_bytes(b"1"));
        assert_eq!(world.smart(&["two", "one"]), State::Known(PRETENDED));
        fs::remove_file(world.path("one/a/B.class")).unwrap();
        fs::remove_file(world.path("two/a/B.class")).unwrap();
        assert_eq!(world.smart(&["one", "two"]), State::Absent);
    }

    #[test]
    fn a_jar_that_was_replaced_is_noticed() {
        let world = World::new(&[("x.jar", &jar(&[("a/B.class", b"1")]))]);
        world.pretend(&["x.jar"], PRETENDED);
        world.write("y.jar", &jar(&[("a/B.class", b"2")]));
        fs::rename(world.path("y.jar"), world.path("x.jar")).unwrap();
        assert_eq!(world.smart(&["x.jar"]), of_bytes(b"2"));
    }

    #[test]
    fn all_variants_of_a_multi_release_jar_count() {
        let files = |newer: &'static [u8]| -> Vec<u8> {
            jar(&[
                ("META-INF/MANIFEST.MF", b"Multi-Release: true\n"),
                ("META-INF/versions/9/a/B.class", newer),
                ("a/B.class", b"8"),
            ])
        };
        let world = World::new(&[("x.jar", &files(b"9"))]);
        let before = world.smart(&["x.jar"]);
        world.pretend(&["x.jar"], PRETENDED);
        let pretended = world.smart(&["x.jar"]);
        assert_ne!(before, pretended);
        world.write("x.jar", &files(b"10"));
        let after = world.smart(&["x.jar"]);
        assert!(matches!(after, State::Known(_)));
        assert!(after != before && after != pretended);
        world.write("x.jar", &files(b"9"));
        assert_eq!(world.smart(&["x.jar"]), before);
        let path = world.class_path(&["x.jar"]);
        let classes = ClassStates::new(&path, &world.cache, DebugInfo::Ignored);
        let State::Known(sums) = classes.checksums(&"a/B".into()) else {
            panic!("it is there");
        };
        assert_eq!((State::Known(sums.smart), &sums.parts), (before, &None));
    }

    #[test]
    fn what_cannot_be_read_is_unknown() {
        let world = World::new(&[("x.jar", &jar(&[("a/B.class", b"1"), ("a/C.class", b"1")]))]);
        let mut damaged = fs::read(world.path("x.jar")).unwrap();
        let at = damaged
            .windows(4)
            .rposition(|w| w == b"PK\x01\x02")
            .unwrap();
        damaged[at] = 0;
        world.write("x.jar", &damaged);
        world.write("two/a/B.class", b"2");
        let place = path_text(&world.path("x.jar"));
        let path = world.class_path(&["x.jar", "two"]);
        let classes = ClassStates::new(&path, &world.cache, DebugInfo::Ignored);
        assert_eq!(classes.smart(&"a/C".into()), State::Unknown(place.clone()));
        assert_eq!(classes.names(), State::Unknown(place.clone()));
        assert!(matches!(classes.checksums(&"a/D".into()), State::Unknown(p) if p == place));
    }

    #[test]
    fn names_do_not_depend_on_the_order_of_places() {
        let world = World::new(&[
            ("one/a/B$1.class", b"1"),
            ("one/a/B.class", b"1"),
            ("one/a/b/C.class", b"1"),
            ("one/a.b/C.class", b"1"),
            ("two/a/D.class", b"1"),
            ("three/BD.class", b"1"),
        ]);
        let names = ["a/b/C", "a.b/C", "a/B", "a/B$1"].map(|name| format!("{name}.class"));
        let files = names
            .each_ref()
            .map(|name| (name.as_str(), b"2".as_slice()));
        world.write("x.jar", &jar(&files));
        let names = |places: &[&str]| {
            let path = world.class_path(places);
            ClassStates::new(&path, &world.cache, DebugInfo::Ignored).names()
        };
        let both = names(&["one", "two"]);
        assert_eq!(names(&["two", "missing", "one"]), both);
        // A module may be a directory today and a jar tomorrow.
        assert_eq!(names(&["x.jar", "two"]), both);
        assert_eq!(names(&["one", "x.jar", "two"]), both);
        assert_ne!(names(&["one"]), both);
        assert_ne!(names(&["one", "two", "three"]), both);
    }
}
