//! What it costs that a question is seen: files, properties, variables, resources, classes, members, each asked over and
//! over in one JVM.

use std::ffi::OsStr;
use std::fs;
use std::time::Duration;

use anyhow::{Context, Result};
use tamis_build::Jdk;
use tamis_testkit::maven::class_path;

use super::figure::{Figure, Unit};
use super::generated;
use super::measured::{Program, Usage, Watcher};
use super::report::Section;
use super::rounds::{Rounds, go_round};
use crate::measure::to_f64;

const N_WARM_UP: usize = 20_000;
const N_ASKED: usize = 100_000;

/// As `Questions.java` calls them, and in words.
const QUESTIONS: &[(&str, &str)] = &[
    ("file", "a file opened and closed"),
    ("missing-file", "a file looked for in vain"),
    ("property", "a property read"),
    ("variable", "a variable read"),
    ("resource", "a resource of an archive"),
    ("class", "a class by its name"),
    ("members", "the methods of a class"),
];

/// Who watches, and which question is asked.
type Contestant = (Watcher, usize);

pub(crate) fn measure(jdk: &Jdk, n_rounds: usize) -> Result<Section> {
    let mut path = class_path(&["junit:junit:4.13.2"])?;
    path.push(generated::questions(jdk)?);
    let watchers = [Watcher::Plain, Watcher::TamisByClass, Watcher::PlainAgain];
    let contestants = (0..QUESTIONS.len()).flat_map(|question| watchers.map(|w| (w, question)));
    let contestants: Vec<Contestant> = contestants.collect();
    let rounds = go_round(&contestants, n_rounds, |(watcher, question)| {
        let dir = tempfile::tempdir()?;
        let [result, file] = ["time", "file"].map(|name| dir.path().join(name));
        fs::write(&file, "content")?;
        let (name, _) = QUESTIONS[question];
        let numbers = [N_WARM_UP, N_ASKED].map(|n| n.to_string());
        let mut arguments: Vec<&OsStr> = vec!["tamis.bench.Questions".as_ref()];
        arguments.extend([result.as_os_str(), name.as_ref()]);
        arguments.extend(numbers.iter().map(AsRef::<OsStr>::as_ref));
        arguments.push(file.as_os_str());
        let usage = Program::java(jdk, &path, &arguments)?.measure(watcher)?;
        let time = fs::read_to_string(&result).context("the questions did not end")?;
        Ok(Usage {
            cpu: Duration::from_nanos(time.parse()?),
            ..usage
        })
    })?;
    Ok(section(jdk, &rounds))
}

fn section(jdk: &Jdk, rounds: &Rounds<Contestant>) -> Section {
    let questions = || QUESTIONS.iter().enumerate();
    let plain = questions().map(|(question, (name, _))| {
        let asked = rounds.median((Watcher::Plain, question), microseconds);
        format!("{name} {asked:.2}")
    });
    let plain: Vec<String> = plain.collect();
    let figures = questions().map(|(question, (_, text))| Figure {
        name: (*text).to_owned(),
        unit: Unit::Microseconds,
        values: added(rounds, Watcher::TamisByClass, question),
        noise: added(rounds, Watcher::PlainAgain, question),
        bar: None,
    });
    Section {
        name: format!("questions (JDK {}, added CPU each)", jdk.version),
        notes: vec![format!(
            "{N_ASKED} times, after {N_WARM_UP} that do not count; plain, in µs: {}",
            plain.join(", ")
        )],
        figures: figures.collect(),
        series: Vec::new(),
    }
}

/// Microseconds a question beyond plain, round by round.
fn added(rounds: &Rounds<Contestant>, watcher: Watcher, question: usize) -> Vec<f64> {
    let to = (Watcher::Plain, question);
    rounds.compared((watcher, question), to, microseconds, |a, b| a - b)
}

fn microseconds(usage: &Usage) -> f64 {
    usage.cpu.as_secs_f64() * 1e6 / to_f64(N_ASKED)
}
