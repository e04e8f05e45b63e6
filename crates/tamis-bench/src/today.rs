//! `cargo xtask bench today`: which facts are broken in a project that did not change.
//!
//! The project is made of classes of the test kit's libraries: so many lie as files in two directories, and
//! behind them stand jars, the smaller ones of the test kit. Each round begins with nothing in memory but the facts; the files are in the
//! system's cache, as they are right after a build.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant, SystemTime};

use anyhow::{Context, Result, ensure};
use rustix::time::{ClockId, clock_gettime};
use tamis_build::{Archives, ClassPath, ClassSource};
use tamis_classfile::checksum::DebugInfo;
use tamis_engine::{
    Circumstances, ClassStates, Paths, Properties, State, Variables, World, broken, value,
};
use tamis_facts::{Checksum, ClassName, Fact, Subject};
use tamis_select::ClassState;
use tamis_store::{Facts, StatCache, Store};
use tamis_testkit::corpus::{CORPUS, VERSION_PAIRS};
use tamis_testkit::maven::artifacts;

use crate::agent::figure::{Figure, Unit};
use crate::agent::report::Section;
use crate::journal::{Journal, Plan};

#[derive(Debug, clap::Args)]
pub(crate) struct Options {
    /// How many classes the project has
    #[arg(long, default_value_t = 5_000)]
    classes: usize,
    /// How many jars stand behind them
    #[arg(long, default_value_t = 20)]
    jars: usize,
    /// How often it is measured, after warming up
    #[arg(long, default_value_t = 21, value_parser = clap::value_parser!(u32).range(1..))]
    rounds: u32,
    /// Where the drawing of the intervals begins
    #[arg(long, default_value_t = 4)]
    seed: u64,
}

/// Every such class of the jars is relied on too.
const ONE_IN: usize = 8;

/// Rounds that are not counted.
const N_WARM_UP_ROUNDS: u32 = 3;

/// What an unchanged project of 5,000 classes may take.
const WANTED_MILLISECONDS: f64 = 20.0;

/// How old files have to be before their stamps are believed.
const QUIET: Duration = Duration::from_secs(4);

pub(crate) fn run(options: &Options, journal: &mut Journal) -> Result<()> {
    journal.begin(&Plan {
        jdk: &tamis_testkit::jdks::newest_jdk()?,
        other_jdks: &[],
        n_rounds: options.rounds as usize,
        seed: options.seed,
    })?;
    let project = Project::make(options)?;
    let mut rounds = Vec::new();
    for round in 0..N_WARM_UP_ROUNDS + options.rounds {
        let times = project.analyse()?;
        if round >= N_WARM_UP_ROUNDS {
            rounds.push(times);
        }
    }
    journal.add(&section(&project, &rounds))
}

/// A project, and the facts that somebody relied on.
struct Project {
    _directory: tempfile::TempDir,
    store: Store,
    places: Vec<String>,
    facts: Facts,
    n_classes: usize,
    n_jars: usize,
    n_in_jars: usize,
}

/// How long the steps took, in milliseconds.
#[derive(Debug, Clone, Copy)]
struct Times {
    load: f64,
    open: f64,
    names: f64,
    facts: f64,
    /// Of all threads.
    processor: f64,
}

impl Times {
    fn all(&self) -> f64 {
        self.load + self.open + self.names + self.facts
    }
}

impl Project {
    fn make(options: &Options) -> Result<Self> {
        let directory = tempfile::tempdir()?;
        let jars = artifacts(&libraries())?;
        let n_classes = write_classes(&jars, directory.path(), options.classes)?;
        ensure!(n_classes == options.classes, "the libraries have too few");
        let folders = FOLDERS.map(|folder| directory.path().join(folder));
        let behind = smallest(jars, options.jars)?;
        let places = folders.iter().chain(&behind);
        let places: Vec<String> = places.map(|place| tamis_build::path_text(place)).collect();
        thread::sleep(QUIET);
        let mut store = Store::open(&directory.path().join(".tamis"))?.store;
        let path = ClassPath::of_places(&places, &Arc::default());
        let cache = StatCache::new(SystemTime::now());
        let names = path.class_names().map_err(anyhow::Error::msg)?;
        let facts = facts(&path, &cache)?;
        store.save_stat_cache(&cache)?;
        Ok(Self {
            _directory: directory,
            store,
            places,
            facts: (0..).zip(facts).collect(),
            n_classes,
            n_jars: options.jars,
            n_in_jars: names.len() - n_classes,
        })
    }

    /// What `tamis` does before it can decide.
    fn analyse(&self) -> Result<Times> {
        let processor = processor_time();
        let start = Instant::now();
        let cache = self.store.load_stat_cache(SystemTime::now())?;
        let loaded = Instant::now();
        let archives: Arc<Archives> = Arc::default();
        let path = ClassPath::of_places(&self.places, &archives);
        let opened = Instant::now();
        let classes = ClassStates::new(&path, &cache, DebugInfo::Ignored);
        let names = classes.names();
        let named = Instant::now();
        let (circumstances, variables) = (circumstances(), Variables::default());
        let broken = broken(
            &self.facts,
            &world(&classes, &cache, &circumstances, &variables),
        );
        let end = Instant::now();
        let processor = processor_time().saturating_sub(processor);
        ensure!(matches!(names, State::Known(_)), "names are unknown");
        ensure!(broken.is_empty(), "{} facts are broken", broken.len());
        let milliseconds = |from: Instant, to: Instant| (to - from).as_secs_f64() * 1e3;
        Ok(Times {
            load: milliseconds(start, loaded),
            open: milliseconds(loaded, opened),
            names: milliseconds(opened, named),
            facts: milliseconds(named, end),
            processor: processor.as_secs_f64() * 1e3,
        })
    }
}

/// The time that processors spent on this process.
fn processor_time() -> Duration {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    let [seconds, nanoseconds] = [time.tv_sec, time.tv_nsec].map(i64::unsigned_abs);
    Duration::from_secs(seconds) + Duration::from_nanos(nanoseconds)
}

const FOLDERS: [&str; 2] = ["test-classes", "classes"];

/// Many of different sizes.
fn libraries() -> Vec<&'static str> {
    let newer = VERSION_PAIRS.iter().map(|(_, newer)| *newer);
    let mut all: Vec<_> = CORPUS.iter().copied().chain(newer).collect();
    all.sort_unstable();
    all.dedup();
    all
}

/// The jars that take the least space. The largest of the test kit are compilers and whole languages.
fn smallest(mut jars: Vec<PathBuf>, n_jars: usize) -> Result<Vec<PathBuf>> {
    ensure!(jars.len() >= n_jars, "there are only {} jars", jars.len());
    let size = |jar: &PathBuf| fs::metadata(jar).map_or(u64::MAX, |metadata| metadata.len());
    jars.sort_by_cached_key(size);
    jars.truncate(n_jars);
    Ok(jars)
}

/// Writes classes of libraries as files, every fifth beside the tests. How many.
fn write_classes(jars: &[PathBuf], directory: &Path, n_wanted: usize) -> Result<usize> {
    let mut n_written = 0;
    for jar in jars {
        for class in ClassSource::open(jar)?.classes() {
            let is_plain = !class.path().starts_with("META-INF/");
            let folder = FOLDERS[usize::from(n_written % 5 > 0)];
            let file = directory.join(folder).join(class.path());
            if n_written == n_wanted {
                return Ok(n_written);
            }
            let other = directory.join(FOLDERS[usize::from(n_written % 5 == 0)]);
            if !is_plain || file.exists() || other.join(class.path()).exists() {
                continue;
            }
            fs::create_dir_all(file.parent().context("a file lies in a directory")?)?;
            fs::write(&file, class.read()?.bytes)?;
            n_written += 1;
        }
    }
    Ok(n_written)
}

/// All facts about the project's classes and some of the jars', as records have them.
fn facts(path: &ClassPath, cache: &StatCache) -> Result<Vec<Fact>> {
    let classes = ClassStates::new(path, cache, DebugInfo::Ignored);
    let names = path.class_names().map_err(anyhow::Error::msg)?;
    let mut subjects = vec![Subject::ClassNames];
    for (number, name) in names.iter().enumerate() {
        let name = ClassName::from(&name[..]);
        let State::Known((bytes, class)) = classes.bytes(&name) else {
            continue;
        };
        let is_used = class.is_in_directory() || number % ONE_IN == 0;
        let state = ClassState::of(&bytes, DebugInfo::Ignored);
        if !is_used || class.is_ambiguous() {
            continue;
        }
        let Ok(parts) = state.parts else {
            subjects.push(Subject::Whole(name));
            continue;
        };
        subjects.push(Subject::Class(name.clone()));
        subjects.push(Subject::Head(name.clone()));
        subjects.push(Subject::Members(name.clone()));
        let methods = parts.checksums.methods.into_iter();
        subjects.extend(methods.map(|method| Subject::Method(name.clone(), method.id)));
        let fields = parts.checksums.fields.into_iter();
        subjects.extend(fields.map(|field| Subject::Field(name.clone(), field.id)));
    }
    let (circumstances, variables) = (circumstances(), Variables::default());
    let fact = |subject: Subject| {
        let value = value(
            &subject,
            &world(&classes, cache, &circumstances, &variables),
        );
        let State::Known(value) = value else {
            anyhow::bail!("{subject} has no value");
        };
        let value = Some(value);
        Ok(Fact { subject, value })
    };
    subjects.into_iter().map(fact).collect()
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

fn section(project: &Project, rounds: &[Times]) -> Section {
    let step = |name: &str, bar, time: fn(&Times) -> f64| Figure {
        name: name.to_owned(),
        unit: Unit::Milliseconds,
        values: rounds.iter().map(time).collect(),
        noise: Vec::new(),
        bar,
    };
    Section {
        name: format!("today ({} classes, unchanged)", project.n_classes),
        notes: vec![format!(
            "{} jars with {} more classes; {} facts",
            project.n_jars,
            project.n_in_jars,
            project.facts.len()
        )],
        figures: vec![
            step("load what stamps tell", None, |times| times.load),
            step("open the class path", None, |times| times.open),
            step("list, sum up the names", None, |times| times.names),
            step("compare the facts", None, |times| times.facts),
            step("in all", Some(WANTED_MILLISECONDS), Times::all),
            step("time of processors", None, |times| times.processor),
        ],
        series: Vec::new(),
    }
}
