//! What a boundary costs, and a harvest: empty tests, run over and over in one JVM, with few methods
//! loaded and with many.

use std::fs;
use std::time::Duration;

use anyhow::{Context, Result};
use tamis_build::Jdk;
use tamis_testkit::maven::class_path;

use super::figure::{Figure, Unit};
use super::generated::{
    EmptyTests, N_FILLERS, N_METHODS_OF_FILLER, N_TESTS_OF_CLASS, empty_tests, fillers,
};
use super::measured::{Program, Usage, Watcher};
use super::report::Section;
use super::rounds::{Rounds, go_round};
use crate::measure::to_f64;

const N_CLASSES: usize = 20;
const N_WARM_UP_RUNS: usize = 10;
const N_RUNS: usize = 20;

/// Microseconds.
const BAR: f64 = 20.0;

/// Each test begins and ends.
const N_BOUNDARIES: usize = 2 * N_RUNS * N_CLASSES * N_TESTS_OF_CLASS;

pub(crate) const JUNIT4: Framework = Framework {
    name: "JUnit 4.13.2",
    tests: EmptyTests::Junit4,
    artifacts: &["junit:junit:4.13.2"],
};

pub(crate) const PLATFORM: Framework = Framework {
    name: "Jupiter 5.11.4",
    tests: EmptyTests::Platform,
    artifacts: &[
        "org.junit.jupiter:junit-jupiter:5.11.4",
        "org.junit.platform:junit-platform-launcher:1.11.4",
    ],
};

/// Whose boundaries are measured.
pub(crate) struct Framework {
    name: &'static str,
    tests: EmptyTests,
    artifacts: &'static [&'static str],
}

/// Who watches, and how many fillers are loaded.
type Contestant = (Watcher, usize);

const CONTESTANTS: &[Contestant] = &[
    (Watcher::Plain, 0),
    (Watcher::TamisByMethod, 0),
    (Watcher::Plain, N_FILLERS),
    (Watcher::TamisByMethod, N_FILLERS),
    (Watcher::PlainAgain, 0),
    (Watcher::PlainAgain, N_FILLERS),
];

impl Framework {
    pub(crate) fn measure(&self, jdk: &Jdk, n_rounds: usize) -> Result<Section> {
        let mut path = class_path(self.artifacts)?;
        path.push(fillers(jdk)?);
        let tests = empty_tests(jdk, self.tests, N_CLASSES, &path)?;
        path.push(tests);
        let rounds = go_round(CONTESTANTS, n_rounds, |(watcher, n_fillers)| {
            let dir = tempfile::tempdir()?;
            let result = dir.path().join("time");
            let numbers = [n_fillers, N_WARM_UP_RUNS, N_RUNS, N_CLASSES].map(|n| n.to_string());
            let mut arguments = vec![self.tests.main().as_ref(), result.as_os_str()];
            arguments.extend(numbers.iter().map(AsRef::<std::ffi::OsStr>::as_ref));
            let usage = Program::java(jdk, &path, &arguments)?.measure(watcher)?;
            let time = fs::read_to_string(&result).context("the tests did not end")?;
            Ok(Usage {
                cpu: Duration::from_nanos(time.parse()?),
                ..usage
            })
        })?;
        Ok(self.section(&rounds))
    }

    fn section(&self, rounds: &Rounds<Contestant>) -> Section {
        let boundary = |watcher| added(rounds, watcher, 0);
        let harvest = |watcher| {
            let many = added(rounds, watcher, N_FILLERS);
            let pairs = many.into_iter().zip(boundary(watcher));
            pairs.map(|(many, few)| many - few).collect()
        };
        let figure = |name: &str, values, noise| Figure {
            name: name.to_owned(),
            unit: Unit::Microseconds,
            values,
            noise,
            bar: Some(BAR),
        };
        Section {
            name: format!("boundary ({}, empty tests)", self.name),
            notes: vec![format!(
                "{} tests in {N_RUNS} runs, after {N_WARM_UP_RUNS} that do not count; plain: {:.2} s CPU; \
                 harvest of {} more units",
                N_BOUNDARIES / 2,
                rounds.median((Watcher::Plain, 0), |usage| usage.cpu.as_secs_f64()),
                N_FILLERS * N_METHODS_OF_FILLER,
            )],
            figures: vec![
                figure(
                    "a boundary, few methods loaded",
                    boundary(Watcher::TamisByMethod),
                    boundary(Watcher::PlainAgain),
                ),
                figure(
                    "the harvest of a boundary",
                    harvest(Watcher::TamisByMethod),
                    harvest(Watcher::PlainAgain),
                ),
            ],
            series: Vec::new(),
        }
    }
}

/// Microseconds a boundary beyond plain, round by round.
fn added(rounds: &Rounds<Contestant>, watcher: Watcher, n_fillers: usize) -> Vec<f64> {
    let cpu = |usage: &Usage| usage.cpu.as_secs_f64() * 1e6 / to_f64(N_BOUNDARIES);
    let plain = rounds.values((Watcher::Plain, n_fillers), cpu);
    let watched = rounds.values((watcher, n_fillers), cpu);
    let pairs = watched.into_iter().zip(plain);
    pairs.map(|(watched, plain)| watched - plain).collect()
}
