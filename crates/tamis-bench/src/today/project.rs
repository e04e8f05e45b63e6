//! A project on disk with the facts that somebody relied on, and how long it takes to compare them with today.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant, SystemTime};

use anyhow::{Context, Result, ensure};
use rustix::time::{ClockId, clock_gettime};
use tamis_build::{Archives, ClassPath, map_in_parallel};
use tamis_classfile::AccessFlags;
use tamis_classfile::checksum::DebugInfo;
use tamis_engine::{
    Circumstances, ClassStates, Paths, Properties, State, Variables, World, broken, value,
};
use tamis_facts::{Checksum, ClassName, Fact, Subject};
use tamis_select::ClassState;
use tamis_store::{Facts, StatCache, Store};

/// Every such class of the jars is relied on too.
const ONE_IN: usize = 8;

/// How old files have to be before their stamps are believed.
const QUIET: Duration = Duration::from_secs(4);

/// The directory with a class that was changed.
const CHANGED: &str = "changed";

/// A project, and the facts that somebody relied on.
pub(crate) struct Project {
    directory: tempfile::TempDir,
    store: Store,
    places: Vec<String>,
    pub(crate) facts: Facts,
    pub(crate) n_classes: usize,
    /// The same places behind a directory with another version of one class.
    changed_places: Vec<String>,
}

/// How long the steps took, in milliseconds.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Times {
    pub(crate) load: f64,
    pub(crate) open: f64,
    pub(crate) names: f64,
    pub(crate) facts: f64,
    /// Of all threads.
    pub(crate) processor: f64,
    pub(crate) n_broken: u64,
}

impl Times {
    pub(crate) fn all(&self) -> f64 {
        self.load + self.open + self.names + self.facts
    }
}

/// Which time counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Clock {
    /// As people see it.
    Wall,
    /// Of all threads of this process.
    Processor,
}

impl Clock {
    /// Milliseconds since some moment.
    pub(crate) fn now(self, start: Instant) -> f64 {
        match self {
            Self::Wall => start.elapsed().as_secs_f64() * 1e3,
            Self::Processor => processor_time().as_secs_f64() * 1e3,
        }
    }
}

impl Project {
    /// The first two places are directories.
    pub(crate) fn make<'p>(
        directory: tempfile::TempDir,
        places: impl Iterator<Item = &'p PathBuf> + Clone,
    ) -> Result<Self> {
        let texts: Vec<String> = places
            .clone()
            .map(|place| tamis_build::path_text(place))
            .collect();
        thread::sleep(QUIET);
        let mut store = Store::open(&directory.path().join(".tamis"))?.store;
        let path = ClassPath::of_places(&texts, &Arc::default());
        let cache = StatCache::new(SystemTime::now());
        let names = path.class_names().map_err(anyhow::Error::msg)?;
        let facts = facts(&path, &cache, &names)?;
        store.save_stat_cache(&cache)?;
        let changed = directory.path().join(CHANGED);
        change_one(places, &names, &changed)?;
        Ok(Self {
            changed_places: [vec![tamis_build::path_text(&changed)], texts.clone()].concat(),
            directory,
            store,
            places: texts,
            facts: (0..).zip(facts).collect(),
            n_classes: names.len(),
        })
    }

    /// What `tamis` does before it can decide.
    pub(crate) fn analyse(&self, clock: Clock) -> Result<Times> {
        self.analyse_places(&self.places, clock)
    }

    /// The same with another class in the place of one. It was never seen before.
    pub(crate) fn analyse_changed(&self, clock: Clock) -> Result<Times> {
        self.analyse_places(&self.changed_places, clock)
    }

    fn analyse_places(&self, places: &[String], clock: Clock) -> Result<Times> {
        let processor = processor_time();
        let start = Instant::now();
        let begun = clock.now(start);
        let cache = self.store.load_stat_cache(SystemTime::now())?;
        let loaded = clock.now(start);
        let archives: Arc<Archives> = Arc::default();
        let path = ClassPath::of_places(places, &archives);
        let opened = clock.now(start);
        let classes = ClassStates::new(&path, &cache, DebugInfo::Ignored);
        let names = classes.names();
        let named = clock.now(start);
        let (circumstances, variables) = (circumstances(), Variables::default());
        let world = world(&classes, &cache, &circumstances, &variables);
        let broken = broken(&self.facts, &world);
        let ended = clock.now(start);
        let processor = processor_time().saturating_sub(processor);
        ensure!(matches!(names, State::Known(_)), "names are unknown");
        Ok(Times {
            load: loaded - begun,
            open: opened - loaded,
            names: named - opened,
            facts: ended - named,
            processor: processor.as_secs_f64() * 1e3,
            n_broken: broken.len(),
        })
    }

    /// How long it takes to read and sum up all classes, and to keep what their stamps tell, in milliseconds.
    pub(crate) fn sum_up(&self, clock: Clock) -> Result<[f64; 2]> {
        let mut store = Store::open(&self.directory.path().join("anew"))?.store;
        let cache = StatCache::new(SystemTime::now());
        let path = ClassPath::of_places(&self.places, &Arc::default());
        let classes = ClassStates::new(&path, &cache, DebugInfo::Ignored);
        let names: Vec<&ClassName> = self.facts.of_classes().map(|it| it.class()).collect();
        let start = Instant::now();
        let begun = clock.now(start);
        let known = map_in_parallel(&names, |name| {
            matches!(classes.smart(name), State::Known(_))
        });
        let summed = clock.now(start);
        store.save_stat_cache(&cache)?;
        let saved = clock.now(start);
        ensure!(known.iter().all(|known| *known), "a class is unknown");
        drop(store);
        fs::remove_dir_all(self.directory.path().join("anew"))?;
        Ok([summed - begun, saved - summed])
    }
}

/// Writes another class in the place of one that lies in the first two places, into a directory of its own.
fn change_one<'p>(
    places: impl Iterator<Item = &'p PathBuf>,
    names: &[Vec<u8>],
    directory: &Path,
) -> Result<()> {
    let folders: Vec<&PathBuf> = places.take(2).collect();
    let bytes = |name: &String| -> Option<Vec<u8>> {
        let mut files = folders.iter().map(|folder| folder.join(name));
        files.find_map(|file| fs::read(file).ok())
    };
    let names = names.iter().skip(names.len() / 2);
    let names = names.map(|name| format!("{}.class", String::from_utf8_lossy(name)));
    let mut files = names.filter_map(|name| Some((bytes(&name)?, name)));
    let (before, name) = files.next().context("no class lies in a directory")?;
    let other = files.find(|(bytes, _)| *bytes != before);
    let (after, _) = other.context("all classes are the same")?;
    let file = directory.join(name);
    fs::create_dir_all(file.parent().context("a file lies in a directory")?)?;
    Ok(fs::write(file, after)?)
}

/// The time that processors spent on this process.
pub(crate) fn processor_time() -> Duration {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    let [seconds, nanoseconds] = [time.tv_sec, time.tv_nsec].map(i64::unsigned_abs);
    Duration::from_secs(seconds) + Duration::from_nanos(nanoseconds)
}

/// All facts about the project's classes and some of the jars', as records have them.
fn facts(path: &ClassPath, cache: &StatCache, names: &[Vec<u8>]) -> Result<Vec<Fact>> {
    let classes = ClassStates::new(path, cache, DebugInfo::Ignored);
    let mut subjects = vec![Subject::ClassNames, Subject::AllSettersElsewhere];
    for (number, name) in names.iter().enumerate() {
        let name = ClassName::from(&name[..]);
        let State::Known((bytes, class)) = classes.bytes(&name) else {
            continue;
        };
        let is_used = class.is_in_directory() || number % ONE_IN == 0;
        if !is_used || class.is_ambiguous() {
            continue;
        }
        subjects.extend(subjects_of(name, &bytes));
    }
    let (circumstances, variables) = (circumstances(), Variables::default());
    let world = world(&classes, cache, &circumstances, &variables);
    let fact = |subject: Subject| {
        let value = match value(&subject, &world) {
            State::Known(value) => Some(value),
            State::Absent => None,
            State::Unknown(place) => anyhow::bail!("{subject} has no value: {place}"),
        };
        Ok(Fact { subject, value })
    };
    subjects.into_iter().map(fact).collect()
}

/// All that can be seen of a class.
fn subjects_of(name: ClassName, bytes: &[u8]) -> Vec<Subject> {
    let Ok(parts) = ClassState::of(bytes, DebugInfo::Ignored).parts else {
        return vec![Subject::Whole(name)];
    };
    let mut subjects = vec![
        Subject::Class(name.clone()),
        Subject::Head(name.clone()),
        Subject::Members(name.clone()),
    ];
    let methods = parts.checksums.methods.into_iter();
    subjects.extend(methods.map(|method| Subject::Method(name.clone(), method.id)));
    for field in parts.checksums.fields {
        let flags = field.access_flags;
        if flags.contains(AccessFlags::STATIC) && !flags.contains(AccessFlags::FINAL) {
            subjects.push(Subject::Setters(name.clone(), field.id.clone()));
            subjects.push(Subject::SettersElsewhere(name.clone(), field.id.clone()));
        }
        subjects.push(Subject::Field(name.clone(), field.id));
    }
    subjects
}

fn world<'w>(
    classes: &'w ClassStates<'w>,
    cache: &'w StatCache,
    circumstances: &'w Circumstances,
    variables: &'w Variables,
) -> World<'w> {
    let root = Path::new("/");
    World {
        classes,
        paths: Paths { root, cache },
        variables,
        circumstances,
    }
}

fn circumstances() -> Circumstances {
    let known = || State::Known(Checksum([0; 16]));
    Circumstances {
        files: known(),
        configuration: known(),
        properties: Properties::default(),
        environment: known(),
        untrusted: BTreeSet::new(),
        jvm: known(),
        semantics: Checksum([0; 16]),
    }
}
