//! The files that a JVM looked at: which facts follow, what was left for later tests, and what concerns nobody.
//!
//! An access is a unit like a method. It counts for whoever it is attributed to, with one exception: who relies on the
//! code that wrote a file does not rely on what it wrote, since that follows from the code. So what a test writes and
//! reads again is no fact, nor what an earlier test wrote for it.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use globset::GlobSet;
use tamis_wire::{Access, Accessed, Asker, Found, N_UNITS, UnitSet};

use super::FactTable;
use super::class_table::ClassTable;
use super::left_state::Spot;
use super::slots::Slots;
use super::unit_table::UnitFacts;
use crate::conversation::WatchedJvm;
use crate::sabotage::Sabotage;
use crate::today::Paths;

/// Which files count for the tests of a JVM, and where to look at them.
pub(crate) struct FileView<'v> {
    pub(crate) paths: Paths<'v>,
    /// When the run began, in seconds since 1970.
    pub(crate) started: u64,
    /// The store: no test depends on it.
    pub(crate) store: &'v Path,
    /// The directory of the module, and paths in it that no test depends on.
    pub(crate) base: &'v Path,
    pub(crate) ignored: &'v GlobSet,
    /// The directories on the class path: what lies in them may be asked for by class loaders, which cache.
    pub(crate) class_directories: &'v [PathBuf],
    /// The archives on the class path: loaders open them for themselves.
    pub(crate) archives: &'v [PathBuf],
    /// What the build makes.
    pub(crate) build_directories: &'v [PathBuf],
}

/// What makes files for whoever relies on it.
#[derive(Clone, Copy)]
pub(super) struct Makers<'m> {
    /// Units of the same JVM.
    pub(super) units: &'m UnitSet,
    /// Paths that were written in other JVMs that work for the same test.
    pub(super) elsewhere: &'m BTreeSet<&'m [u8]>,
}

/// The accesses of a JVM, each worked out once.
pub(super) struct AccessTable<'t> {
    accesses: &'t [Accessed],
    view: &'t FileView<'t>,
    /// Paths that were accessed, by number.
    numbers: HashMap<&'t [u8], u32>,
    /// The units that wrote a path, ascending, by its number.
    writers: HashMap<u32, Vec<u32>>,
    /// Directories in which something was written, by the numbers of their paths.
    filled: HashSet<u32>,
    facts: Slots<UnitFacts>,
}

impl<'t> AccessTable<'t> {
    pub(super) fn new(jvm: &'t WatchedJvm, view: &'t FileView<'t>) -> Self {
        let mut numbers = HashMap::new();
        let mut writers: HashMap<u32, Vec<u32>> = HashMap::new();
        let mut filled = HashSet::new();
        for accessed in &jvm.accesses {
            for path in [Some(&accessed.path[..]), parent(&accessed.path)] {
                let next = numbers.len() as u32;
                if let Some(path) = path {
                    numbers.entry(path).or_insert(next);
                }
            }
            if accessed.access == Access::Wrote {
                let number = numbers[&accessed.path[..]];
                writers.entry(number).or_default().push(accessed.unit);
                filled.extend(parent(&accessed.path).map(|parent| numbers[parent]));
            }
        }
        Self {
            accesses: &jvm.accesses,
            view,
            numbers,
            writers,
            filled,
            facts: Slots::default(),
        }
    }

    /// The access that a unit is; none if it is a method.
    fn access(&self, unit: u32) -> Option<&'t Accessed> {
        self.accesses.get(unit.checked_sub(N_UNITS)? as usize)
    }

    /// What counts for whoever did it.
    pub(super) fn get(
        &mut self,
        unit: u32,
        classes: &ClassTable<'_>,
        facts: &mut FactTable,
    ) -> Rc<UnitFacts> {
        if let Some(known) = self.facts.get(unit - N_UNITS) {
            return known;
        }
        let mut found = UnitFacts::default();
        let accessed = self.access(unit).filter(|one| self.counts(one));
        match accessed.and_then(|accessed| self.view.paths.fact(accessed)) {
            Some(Ok(fact)) => {
                found.facts.insert(facts.number(fact));
            }
            Some(Err(doubt)) => found.doubt = Some(doubt),
            None => {}
        }
        if let Some(name) = accessed.and_then(|accessed| self.resource(accessed)) {
            found.add_resource(name, classes, facts);
        }
        let found = Rc::new(found);
        self.facts.insert(unit - N_UNITS, Rc::clone(&found));
        found
    }

    /// What a class loader may have looked for there: other places of the class path may have it too, and come first.
    fn resource(&self, accessed: &'t Accessed) -> Option<&'t [u8]> {
        let is_asked_for = !matches!(
            accessed.access,
            Access::Wrote | Access::Listed | Access::Followed
        );
        if !is_asked_for {
            return None;
        }
        let path = Path::new(OsStr::from_bytes(&accessed.path));
        let mut directories = self.view.class_directories.iter();
        let inside = directories.find_map(|directory| path.strip_prefix(directory).ok())?;
        Some(inside.as_os_str().as_bytes()).filter(|name| !name.is_empty())
    }

    /// Whether a test may depend on it at all.
    fn counts(&self, accessed: &'t Accessed) -> bool {
        let path = Path::new(OsStr::from_bytes(&accessed.path));
        let view = self.view;
        let is_ignored = path
            .strip_prefix(view.base)
            .is_ok_and(|inside| view.ignored.is_match(inside));
        // Loaders look for classes in each place: that they are asked for one is noted elsewhere.
        let is_absent_class = accessed.found == Found::Nothing && self.is_class_file(path);
        !is_ignored
            && !is_absent_class
            && !path.starts_with(view.store)
            && !self.is_library(accessed, path)
            && !self.is_plugins(path)
            && !self.is_output(accessed, path)
            && !self.is_made_up(accessed)
    }

    /// Whether it is a name that this JVM made up, to make a temporary file of it: each run has another one. A name
    /// that only looks like that, and that nobody makes here, counts.
    fn is_made_up(&self, accessed: &'t Accessed) -> bool {
        accessed.access == Access::Guessed && self.written_around(&accessed.path).next().is_some()
    }

    /// Whether it is something in a build directory that the tests of this JVM write themselves, logs for instance; or a
    /// directory there, which they must be able to make.
    fn is_output(&self, accessed: &Accessed, path: &Path) -> bool {
        let mut built = self.view.build_directories.iter();
        if self.is_in_class_directory(path) || !built.any(|made| path.starts_with(made)) {
            return false;
        }
        let is_directory = matches!(accessed.found, Found::Directory(_));
        let number = self.numbers.get(&accessed.path[..]);
        let is_in = |set: &HashSet<u32>| number.is_some_and(|number| set.contains(number));
        match accessed.access {
            Access::Listed => is_in(&self.filled),
            _ => is_directory || number.is_some_and(|number| self.writers.contains_key(number)),
        }
    }

    /// Whether it belongs to the plug-in that runs tests: it looks for its reports and hands files to its JVMs.
    fn is_plugins(&self, path: &Path) -> bool {
        let mut built = self.view.build_directories.iter();
        let inside = built.find_map(|made| path.strip_prefix(made).ok());
        let first = inside.and_then(|inside| inside.components().next());
        let first = first.map(|first| first.as_os_str().as_bytes());
        first.is_some_and(|name| name.starts_with(b"surefire") || name.starts_with(b"failsafe"))
    }

    /// Whether it is an archive of the class path that was opened as one: what was looked for in it is noted by the names of
    /// its members. One that is read from its beginning is a file like others.
    fn is_library(&self, accessed: &Accessed, path: &Path) -> bool {
        let is_opened = matches!(
            accessed.access,
            Access::Opened | Access::Looked | Access::Followed
        );
        is_opened && self.view.archives.iter().any(|archive| archive == path)
    }

    fn is_class_file(&self, path: &Path) -> bool {
        path.extension() == Some(OsStr::new("class")) && self.is_in_class_directory(path)
    }

    fn is_in_class_directory(&self, path: &Path) -> bool {
        let mut directories = self.view.class_directories.iter();
        directories.any(|directory| path.starts_with(directory))
    }

    /// Accesses to what class loaders and the JDK may cache: they count for all later entities. What code of the program
    /// asked for, it keeps in fields of its own.
    pub(super) fn sticky(&self) -> impl Iterator<Item = (usize, u32)> {
        let all = self.accesses.iter().enumerate();
        all.filter(|(_, accessed)| {
            let path = Path::new(OsStr::from_bytes(&accessed.path));
            self.is_in_class_directory(path)
                && accessed.access != Access::Wrote
                && accessed.asker == Asker::Unknown
                && !Sabotage::NoStickyQuestions.is_on()
        })
        .map(|(position, accessed)| (position, accessed.unit))
    }

    /// Where whoever did it looked for what others left.
    pub(super) fn looked_at(&self, unit: u32) -> BTreeSet<Spot> {
        let Some(accessed) = self.access(unit) else {
            return BTreeSet::new();
        };
        let written = || self.written_around(&accessed.path);
        match accessed.access {
            Access::Wrote => BTreeSet::new(),
            Access::Read | Access::Opened | Access::Looked | Access::Guessed | Access::Followed => {
                written().map(Spot::Path).collect()
            }
            Access::Listed => {
                let names = self.numbers.get(&accessed.path[..]);
                let names = names.map(|number| Spot::Names(*number));
                written().map(Spot::Path).chain(names).collect()
            }
        }
    }

    /// Where whoever did it left something.
    pub(super) fn left_at(&self, unit: u32) -> BTreeSet<Spot> {
        let accessed = self.access(unit);
        let Some(accessed) = accessed.filter(|one| one.access == Access::Wrote) else {
            return BTreeSet::new();
        };
        let number = |path: &[u8]| self.numbers.get(path).copied();
        let names = parent(&accessed.path).and_then(number).map(Spot::Names);
        number(&accessed.path)
            .map(Spot::Path)
            .into_iter()
            .chain(names)
            .collect()
    }

    /// A path and the directories that it lies in, as far as they were written: by number.
    fn written_around(&self, path: &'t [u8]) -> impl Iterator<Item = u32> {
        around(path)
            .filter_map(|path| self.numbers.get(path).copied())
            .filter(|number| self.writers.contains_key(number))
    }

    /// Whether what it saw follows from the code that is relied on: some of that wrote it before.
    pub(super) fn is_made_by(&self, unit: u32, makers: Makers<'_>) -> bool {
        let accessed = self.access(unit);
        let Some(accessed) = accessed.filter(|one| one.access != Access::Wrote) else {
            return false;
        };
        let mut around = around(&accessed.path);
        if self.is_new(accessed) && around.any(|path| makers.elsewhere.contains(path)) {
            return true;
        }
        let mut writers = self
            .written_around(&accessed.path)
            .flat_map(|number| &self.writers[&number]);
        writers.any(|writer| *writer < unit && makers.units.contains(*writer))
    }

    /// Accesses of which it depends on what else is relied on whether they count.
    pub(super) fn conditional(&self) -> UnitSet {
        let seen = self.accesses.iter();
        let seen = seen.filter(|accessed| accessed.access != Access::Wrote);
        let conditional = seen.filter(|accessed| {
            self.is_new(accessed) || self.written_around(&accessed.path).next().is_some()
        });
        conditional.map(|accessed| accessed.unit).collect()
    }

    /// Whether what was found was written since the run began. (In which order JVMs do things is not known.)
    fn is_new(&self, accessed: &Accessed) -> bool {
        let (Found::File(stamp) | Found::Directory(stamp)) = accessed.found else {
            return false;
        };
        u64::try_from(stamp.changed.0).is_ok_and(|changed| changed >= self.view.started)
    }

    /// The paths that units wrote.
    pub(super) fn written(&self, units: &UnitSet) -> BTreeSet<&'t [u8]> {
        let accesses = units.iter().filter_map(|unit| self.access(unit));
        written(accesses)
    }
}

/// The paths that were written in accesses.
pub(super) fn written<'a>(accesses: impl IntoIterator<Item = &'a Accessed>) -> BTreeSet<&'a [u8]> {
    let accesses = accesses.into_iter();
    let written = accesses.filter(|accessed| accessed.access == Access::Wrote);
    written.map(|accessed| &accessed.path[..]).collect()
}

/// A path and the directories that it lies in.
fn around(path: &[u8]) -> impl Iterator<Item = &[u8]> {
    std::iter::successors(Some(path), |path| parent(path))
}

/// The directory of a path, by its bytes alone.
fn parent(path: &[u8]) -> Option<&[u8]> {
    let slash = path.iter().rposition(|byte| *byte == b'/')?;
    (slash > 0).then(|| &path[..slash])
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::time::SystemTime;

    use tamis_build::ClassPath;
    use tamis_classfile::checksum::DebugInfo;
    use tamis_store::StatCache;
    use tamis_wire::{FileStamp, Hello};

    use super::*;
    use crate::collect::class_table::Loaded;
    use crate::today::ClassStates;

    const STARTED: u64 = 100;

    fn found(changed: i64) -> Found {
        Found::File(FileStamp {
            device: 1,
            inode: 1,
            size: 1,
            modified: (changed, 0),
            changed: (changed, 0),
        })
    }

    fn jvm(accesses: &[(Access, &str, Found)]) -> WatchedJvm {
        let mut jvm = WatchedJvm::new(1, Hello::default());
        jvm.accesses = (N_UNITS..)
            .zip(accesses)
            .map(|(unit, (access, path, found))| Accessed {
                unit,
                access: *access,
                asker: Asker::Unknown,
                path: path.as_bytes().to_vec(),
                found: *found,
            })
            .collect();
        jvm
    }

    fn check(jvm: &WatchedJvm, body: impl FnOnce(&mut AccessTable<'_>, &ClassTable<'_>)) {
        let cache = StatCache::new(SystemTime::now());
        let ignored = globset::GlobSetBuilder::new()
            .add(globset::Glob::new("docs/**").unwrap())
            .build()
            .unwrap();
        let view = FileView {
            paths: Paths {
                root: Path::new("/p"),
                cache: &cache,
            },
            started: STARTED,
            store: Path::new("/p/.tamis"),
            base: Path::new("/p"),
            ignored: &ignored,
            class_directories: &["/p/target/classes".into()],
            archives: &["/lib/a.jar", "/p/lib/b.jar", "/p/target/c.jar"].map(PathBuf::from),
            build_directories: &["/p/target".into()],
        };
        let class_path = ClassPath::of_places::<&str>(&[], &Arc::default());
        let states = ClassStates::new(&class_path, &cache, DebugInfo::Ignored);
        let classes = ClassTable::new(&states, Loaded::default());
        body(&mut AccessTable::new(jvm, &view), &classes);
    }

    fn units(positions: &[u32]) -> UnitSet {
        positions
            .iter()
            .map(|position| N_UNITS + position)
            .collect()
    }

    #[test]
    fn what_is_written_before_is_made() {
        let jvm = jvm(&[
            (Access::Read, "/p/a", found(1)),
            (Access::Wrote, "/p/a", found(1)),
            (Access::Read, "/p/a", found(200)),
            (Access::Wrote, "/p/made", Found::Nothing),
            (Access::Looked, "/p/made/b/c", Found::Nothing),
        ]);
        check(&jvm, |table, _| {
            let made = |relied: &[u32]| -> Vec<u32> {
                let makers = Makers {
                    units: &units(relied),
                    elsewhere: &BTreeSet::new(),
                };
                let all = 0..5;
                all.filter(|position| table.is_made_by(N_UNITS + position, makers))
                    .collect()
            };
            assert_eq!(made(&[1]), [2]);
            assert_eq!(made(&[3]), [4]);
            assert_eq!(made(&[0, 2, 4]), [0; 0]);
        });
    }

    #[test]
    fn what_another_jvm_wrote_since_the_run_began_is_made() {
        let jvm = jvm(&[
            (Access::Read, "/p/a", found(1)),
            (Access::Read, "/p/a", found(200)),
            (Access::Looked, "/p/a", Found::Nothing),
            (Access::Read, "/p/ab", found(200)),
        ]);
        check(&jvm, |table, _| {
            let makers = Makers {
                units: &UnitSet::default(),
                elsewhere: &BTreeSet::from([&b"/p/a"[..]]),
            };
            let made = (0..4).filter(|position| table.is_made_by(N_UNITS + position, makers));
            assert_eq!(made.collect::<Vec<_>>(), [1]);
        });
    }

    #[test]
    fn readers_look_where_writers_leave() {
        let jvm = jvm(&[
            (Access::Wrote, "/p/a/b", Found::Nothing),
            (Access::Read, "/p/a/b", found(200)),
            (Access::Listed, "/p/a", found(200)),
            (Access::Read, "/p/a/c", found(200)),
            (Access::Read, "/p/a/b/d", found(200)),
        ]);
        check(&jvm, |table, _| {
            let left = table.left_at(N_UNITS);
            let is_found = |position| !table.looked_at(N_UNITS + position).is_disjoint(&left);
            let found = (0..5).filter(|position| is_found(*position));
            assert_eq!(found.collect::<Vec<_>>(), [1, 2, 4]);
        });
    }

    #[test]
    fn what_tests_write_into_the_build_directory_is_theirs() {
        let directory = Found::Directory(FileStamp {
            device: 1,
            inode: 2,
            size: 3,
            modified: (4, 0),
            changed: (4, 0),
        });
        let jvm = jvm(&[
            (Access::Looked, "/p/target/log", directory),
            (Access::Read, "/p/target/log/x.log", Found::Nothing),
            (Access::Wrote, "/p/target/log/x.log", Found::Nothing),
            (Access::Listed, "/p/target/log", directory),
            (Access::Read, "/p/target/made.txt", Found::Nothing),
            (Access::Read, "/p/x.log", Found::Nothing),
            (Access::Wrote, "/p/x.log", Found::Nothing),
            (Access::Listed, "/p/target/other", Found::Nothing),
        ]);
        check(&jvm, |table, classes| {
            let mut facts = FactTable::default();
            let is_seen = |position: &u32| {
                let unit = table.get(N_UNITS + position, classes, &mut facts);
                !unit.facts.is_empty() || unit.doubt.is_some()
            };
            let seen: Vec<u32> = (0..8).filter(is_seen).collect();
            assert_eq!(seen, [4, 5, 7]);
        });
    }

    #[test]
    fn what_concerns_nobody_is_no_fact() {
        let nothing = Found::Nothing;
        let jvm = jvm(&[
            (Access::Looked, "/p/x", nothing),
            (Access::Looked, "/p/docs/x", nothing),
            (Access::Looked, "/p/.tamis/x", nothing),
            (Access::Looked, "/lib/a.jar", nothing),
            (Access::Looked, "/p/target/c.jar", nothing),
            (Access::Looked, "/p/lib/b.jar", nothing),
            (Access::Looked, "/p/target/classes/a/B.class", nothing),
            (Access::Looked, "/p/target/classes/a/b.txt", nothing),
            (Access::Wrote, "/p/target/classes/a/c.txt", nothing),
            (Access::Looked, "/p/target/surefire-reports", nothing),
            (Access::Read, "/lib/a.jar", nothing),
        ]);
        check(&jvm, |table, classes| {
            let mut facts = FactTable::default();
            let has_fact = |position: &u32| {
                let unit = table.get(N_UNITS + position, classes, &mut facts);
                !unit.facts.is_empty()
            };
            let counted: Vec<u32> = (0..11).filter(has_fact).collect();
            assert_eq!(counted, [0, 7, 10]);
            let sticky: Vec<usize> = table.sticky().map(|(position, _)| position).collect();
            assert_eq!(sticky, [6, 7]);
        });
    }

    #[test]
    fn a_made_up_name_is_no_fact_if_something_is_made_of_it() {
        let nothing = Found::Nothing;
        let jvm = jvm(&[
            (Access::Guessed, "/tmp/a12345678", nothing),
            (Access::Guessed, "/tmp/b12345678", nothing),
            (Access::Wrote, "/tmp/a12345678", nothing),
            (Access::Guessed, "/tmp/a12345678/c12345678", nothing),
        ]);
        check(&jvm, |table, classes| {
            let mut facts = FactTable::default();
            let has_fact = |position: &u32| {
                let unit = table.get(N_UNITS + position, classes, &mut facts);
                !unit.facts.is_empty()
            };
            let counted: Vec<u32> = (0..4).filter(has_fact).collect();
            assert_eq!(counted, [1]);
            // Who looks before somebody makes something of it inherits nothing, who looks behind that does.
            let looks = |position: &u32| !table.looked_at(N_UNITS + position).is_empty();
            assert_eq!((0..4).filter(looks).collect::<Vec<u32>>(), [0, 3]);
        });
    }

    #[test]
    fn what_the_program_asked_for_itself_is_its_own() {
        let path = "/p/target/classes/a/b.txt";
        let mut jvm = jvm(&[
            (Access::Read, path, Found::Nothing),
            (Access::Read, path, Found::Nothing),
        ]);
        jvm.accesses[0].asker = Asker::Program;
        check(&jvm, |table, classes| {
            let sticky: Vec<usize> = table.sticky().map(|(position, _)| position).collect();
            assert_eq!(sticky, [1], "the JDK asked for it, too");
            let mut facts = FactTable::default();
            let own = table.get(N_UNITS, classes, &mut facts);
            assert!(!own.facts.is_empty(), "it counts for who asked");
        });
    }
}
