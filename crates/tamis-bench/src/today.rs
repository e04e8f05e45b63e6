//! `cargo xtask bench today`: which facts are broken in a project that did not change, and in one of which one class did.
//!
//! The project is made of classes of the test kit's libraries: so many lie as files in two directories, and
//! behind them stand jars, the smaller ones of the test kit. Each round begins with nothing in memory but the facts; the files are in the
//! system's cache, as they are right after a build.

pub(crate) mod project;

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use tamis_build::ClassSource;
use tamis_testkit::corpus::{CORPUS, VERSION_PAIRS};
use tamis_testkit::maven::artifacts;

use crate::agent::figure::{Figure, Unit};
use crate::agent::report::Section;
use crate::journal::Journal;
use project::{Clock, Project, Times};

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

/// Rounds that are not counted.
const N_WARM_UP_ROUNDS: u32 = 3;

/// What an unchanged project may take, in milliseconds, by the greatest number of its classes.
const BARS: &[(usize, f64)] = &[(5_000, 20.0), (100_000, 250.0)];

/// What one changed class may add, in milliseconds.
const BAR_OF_CHANGE: f64 = 2.0;

pub(crate) fn run(options: &Options, journal: &mut Journal) -> Result<()> {
    journal.begin_without_jvms(options.rounds, options.seed)?;
    journal.add(&section(options)?)
}

/// A round: unchanged, the same again, and with another class in the place of one.
struct Round {
    unchanged: Times,
    again: Times,
    changed: Times,
}

fn section(options: &Options) -> Result<Section> {
    let directory = tempfile::tempdir()?;
    let jars = artifacts(&libraries())?;
    write_classes(&jars, directory.path(), options.classes)?;
    let folders = FOLDERS.map(|folder| directory.path().join(folder));
    let behind = smallest(jars, options.jars)?;
    let project = Project::make(directory, folders.iter().chain(&behind))?;
    let mut rounds = Vec::new();
    for round in 0..N_WARM_UP_ROUNDS + options.rounds {
        let measured = measure(&project)?;
        if round >= N_WARM_UP_ROUNDS {
            rounds.push(measured);
        }
    }
    Ok(Section {
        name: format!("today ({} classes)", options.classes),
        notes: vec![format!(
            "{} jars with {} more classes; {} facts; files in the system's cache",
            options.jars,
            project.n_classes - options.classes,
            project.facts.len()
        )],
        figures: figures(options.classes, &rounds),
        series: Vec::new(),
    })
}

fn measure(project: &Project) -> Result<Round> {
    let unchanged = project.analyse(Clock::Wall)?;
    let again = project.analyse(Clock::Wall)?;
    ensure!(
        unchanged.n_broken == 0,
        "{} facts are broken",
        unchanged.n_broken
    );
    let changed = project.analyse_changed(Clock::Wall)?;
    ensure!(changed.n_broken > 0, "a changed class breaks no fact");
    Ok(Round {
        unchanged,
        again,
        changed,
    })
}

fn figures(n_classes: usize, rounds: &[Round]) -> Vec<Figure> {
    let figure = |name: &str, bar, time: fn(&Times) -> f64| Figure {
        name: name.to_owned(),
        unit: Unit::Milliseconds,
        values: rounds.iter().map(|round| time(&round.unchanged)).collect(),
        noise: rounds
            .iter()
            .map(|round| time(&round.again) - time(&round.unchanged))
            .collect(),
        bar,
    };
    let bar = BARS.iter().find(|(n_most, _)| n_classes <= *n_most);
    let all = Times::all;
    let mut figures = vec![
        figure("load what stamps tell", None, |times| times.load),
        figure("open the class path", None, |times| times.open),
        figure("list, sum up the names", None, |times| times.names),
        figure("compare the facts", None, |times| times.facts),
        figure("unchanged, in all", bar.map(|(_, bar)| *bar), all),
        figure("time of processors", None, |times| times.processor),
    ];
    figures.push(Figure {
        name: "one changed class adds".to_owned(),
        values: rounds
            .iter()
            .map(|round| all(&round.changed) - all(&round.unchanged))
            .collect(),
        ..figure("", Some(BAR_OF_CHANGE), all)
    });
    figures
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

/// Writes classes of libraries as files, every fifth beside the tests. Where they do not suffice, they come again, in folders of
/// other names.
fn write_classes(jars: &[PathBuf], directory: &Path, n_wanted: usize) -> Result<()> {
    let mut n_written = 0;
    for copy in 0.. {
        let prefix = match copy {
            0 => String::new(),
            copy => format!("copy{copy}/"),
        };
        let n_before = n_written;
        for jar in jars {
            n_written = write_jar(jar, directory, &prefix, n_written, n_wanted)?;
        }
        if n_written == n_wanted {
            break;
        }
        ensure!(n_written > n_before, "the libraries have no classes");
    }
    Ok(())
}

/// The same with the classes of one library. How many there are then.
fn write_jar(
    jar: &Path,
    directory: &Path,
    prefix: &str,
    mut n_written: usize,
    n_wanted: usize,
) -> Result<usize> {
    for class in ClassSource::open(jar)?.classes() {
        let path = format!("{prefix}{}", class.path());
        let is_plain = !class.path().starts_with("META-INF/");
        let file = |beside_tests: bool| {
            let folder = FOLDERS[usize::from(!beside_tests)];
            directory.join(folder).join(&path)
        };
        let beside_tests = n_written.is_multiple_of(5);
        if n_written == n_wanted {
            break;
        }
        if !is_plain || file(true).exists() || file(false).exists() {
            continue;
        }
        let file = file(beside_tests);
        fs::create_dir_all(file.parent().context("a file lies in a directory")?)?;
        fs::write(&file, class.read()?.bytes)?;
        n_written += 1;
    }
    Ok(n_written)
}
