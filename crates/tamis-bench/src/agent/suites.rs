//! Suites of real libraries: what a developer waits for.

use std::collections::BTreeMap;
use std::process::{ExitStatus, Output};

use anyhow::{Context, Result, ensure};
use tamis_build::Jdk;
use tamis_testkit::suite_library::{CompiledLibrary, LONG};
use tamis_testkit::suite_results::TestResult;

use super::figure::{Figure, Unit};
use super::measured::{Program, Usage, Watcher};
use super::report::Section;
use super::rounds::{Rounds, go_round};
use crate::measure::to_f64;

/// Part of a library's suite, cut so that a plain run takes some seconds of processor time.
pub(crate) struct Subject {
    pub(crate) name: &'static str,
    library: &'static str,
    /// The test classes are those whose names begin so.
    beginnings: &'static [&'static str],
    bar: f64,
}

pub(crate) const SUBJECTS: &[Subject] = &[
    Subject {
        name: "long tests (commons-math 3.6.1: ode.nonstiff, CMAES; JUnit 4)",
        library: "commons-math",
        beginnings: &[
            "org.apache.commons.math3.ode.nonstiff.",
            "org.apache.commons.math3.optim.nonlinear.scalar.noderiv.CMAES",
        ],
        bar: 1.05,
    },
    Subject {
        name: "many short tests (commons-collections 4.4: map; JUnit 4)",
        library: "commons-collections",
        beginnings: &["org.apache.commons.collections4.map."],
        bar: 1.10,
    },
    Subject {
        name: "many short tests (commons-lang 3.12.0: builder; Jupiter)",
        library: "commons-lang",
        beginnings: &["org.apache.commons.lang3.builder."],
        bar: 1.10,
    },
];

const WATCHERS: &[Watcher] = &[
    Watcher::Plain,
    Watcher::TamisByClass,
    Watcher::PlainAgain,
    Watcher::TamisByMethod,
    Watcher::TamisWithBlocks,
    Watcher::Jacoco,
];

/// What marking blocks may cost.
const BAR_WITH_BLOCKS: f64 = 1.25;

impl Subject {
    pub(crate) fn measure(&self, jdk: &Jdk, n_rounds: usize) -> Result<Section> {
        let library = LONG.iter().find(|library| library.name == self.library);
        let compiled = library
            .context("the test kit has the library")?
            .compile(jdk)?;
        let mut classes = compiled.test_classes()?;
        classes.retain(|class| {
            self.beginnings
                .iter()
                .any(|beginning| class.starts_with(beginning))
        });
        ensure!(!classes.is_empty(), "{} has no such tests", self.library);
        let mut plain_results = None;
        let rounds = go_round(WATCHERS, n_rounds, |watcher| {
            let (usage, results) = run(&compiled, jdk, &classes, watcher)?;
            let expected = plain_results.get_or_insert_with(|| results.clone());
            ensure!(
                *expected == results,
                "the tests end otherwise with {watcher:?}"
            );
            Ok(usage)
        })?;
        let n_tests: usize = plain_results.iter().flatten().map(|(_, n)| n).sum();
        Ok(self.section(&rounds, classes.len(), n_tests))
    }

    fn section(&self, rounds: &Rounds<Watcher>, n_classes: usize, n_tests: usize) -> Section {
        let seconds = |watcher, number: fn(&Usage) -> f64| rounds.median(watcher, number);
        let cpu = |usage: &Usage| usage.cpu.as_secs_f64();
        let mut notes = vec![format!(
            "{n_tests} tests in {n_classes} classes; plain: {:.2} s CPU, {:.2} s wall",
            seconds(Watcher::Plain, cpu),
            seconds(Watcher::Plain, |usage| usage.wall.as_secs_f64()),
        )];
        for watcher in [
            Watcher::TamisByClass,
            Watcher::TamisByMethod,
            Watcher::TamisWithBlocks,
        ] {
            notes.push(format!(
                "{}: {:.0} entities; listening and attribution, in a process of their own: {:.2} s CPU",
                watcher.text(),
                seconds(watcher, |usage| to_f64(usage.told.map_or(0, |told| told.n_entities))),
                seconds(watcher, |usage| usage.listener_cpu.as_secs_f64()),
            ));
        }
        let figure = |watcher, bar| Figure {
            name: format!("{}: CPU ratio", Watcher::text(watcher)),
            unit: Unit::Ratio,
            values: rounds.ratios(watcher),
            noise: rounds.ratios(Watcher::PlainAgain),
            bar,
        };
        Section {
            name: self.name.to_owned(),
            notes,
            figures: vec![
                figure(Watcher::TamisByClass, Some(self.bar)),
                figure(Watcher::TamisByMethod, Some(self.bar)),
                figure(Watcher::TamisWithBlocks, Some(BAR_WITH_BLOCKS)),
                figure(Watcher::Jacoco, None),
            ],
            series: Vec::new(),
        }
    }
}

/// How many tests ended in which way.
type Endings = Vec<(String, usize)>;

fn run(
    library: &CompiledLibrary,
    jdk: &Jdk,
    classes: &[String],
    watcher: Watcher,
) -> Result<(Usage, Endings)> {
    let mut usage = None;
    let run = library.run(jdk, &[], classes, |command| {
        let program = Program::of(command, jdk);
        usage = Some(program.and_then(|program| program.measure(watcher)));
        // The suite's own words go nowhere; its results are in a file.
        Output {
            status: ExitStatus::default(),
            stdout: Vec::new(),
            stderr: Vec::new(),
        }
    });
    let usage = usage.context("the suite was not started")??;
    Ok((usage, endings(&run?.results)))
}

fn endings(results: &[TestResult]) -> Endings {
    let mut endings = BTreeMap::<_, usize>::new();
    for result in results {
        *endings.entry(result.ending.status.clone()).or_default() += 1;
    }
    endings.into_iter().collect()
}
