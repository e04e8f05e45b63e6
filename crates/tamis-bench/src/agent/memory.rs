//! What the agent and its probes add to the memory of a JVM that loads many classes.

use anyhow::Result;
use tamis_build::Jdk;

use super::figure::{Figure, Unit};
use super::generated::{self, N_METHODS_OF_FILLER};
use super::measured::{Program, Watcher};
use super::report::Section;
use super::rounds::go_round;

const N_METHODS: usize = 100_000;

/// Megabytes for [`N_METHODS`].
const BAR: f64 = 40.0;

/// A collector whose own memory does not depend on when it has time.
const STEADY: [&str; 2] = ["-XX:+UseSerialGC", "-Xmx128m"];

pub(crate) fn measure(jdk: &Jdk, n_rounds: usize) -> Result<Section> {
    let n_classes = N_METHODS / N_METHODS_OF_FILLER;
    let number = n_classes.to_string();
    let arguments = [STEADY[0], STEADY[1], "tamis.bench.Loading", &number].map(AsRef::as_ref);
    let program = Program::java(jdk, &[generated::fillers(jdk)?], &arguments)?;
    let watchers = [
        Watcher::Plain,
        Watcher::TamisByClass,
        Watcher::PlainAgain,
        Watcher::Jacoco,
    ];
    let rounds = go_round(&watchers, n_rounds, |watcher| program.measure(watcher))?;
    let peak = |usage: &super::measured::Usage| {
        // Far below 2^52.
        #[expect(clippy::cast_precision_loss, reason = "see above")]
        let bytes = usage.peak_memory as f64;
        bytes / 1e6
    };
    let figure = |watcher, bar| Figure {
        name: format!("{}: added peak", Watcher::text(watcher)),
        unit: Unit::Megabytes,
        values: rounds.differences(watcher, peak),
        noise: rounds.differences(Watcher::PlainAgain, peak),
        bar,
    };
    Ok(Section {
        name: format!("memory ({N_METHODS} methods in {n_classes} classes)"),
        notes: vec![format!(
            "peak resident set, {}; plain: {:.0} MB",
            STEADY.join(" "),
            rounds.median(Watcher::Plain, peak)
        )],
        figures: vec![
            figure(Watcher::TamisByClass, Some(BAR)),
            figure(Watcher::Jacoco, None),
        ],
        series: Vec::new(),
    })
}
