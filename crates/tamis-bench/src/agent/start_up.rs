//! What it costs to be there: the shortest program, and programs in which the agent has nothing to do.

use std::path::PathBuf;

use anyhow::Result;
use tamis_build::Jdk;

use super::figure::{Figure, Unit};
use super::generated;
use super::measured::{Program, Usage, Watcher};
use super::report::Section;
use super::rounds::{Rounds, go_round};

/// Milliseconds of processor time.
const BAR: f64 = 10.0;

const WATCHERS: &[Watcher] = &[
    Watcher::Plain,
    Watcher::TamisByClass,
    Watcher::PlainAgain,
    Watcher::Jacoco,
];

/// A JVM that prints one line.
pub(crate) fn hello(jdk: &Jdk, n_rounds: usize) -> Result<Section> {
    let classes = generated::hello(jdk)?;
    let program = Program::java(jdk, &[classes], &["tamis.bench.Hello".as_ref()])?;
    let rounds = go_round(WATCHERS, n_rounds, |watcher| program.measure(watcher))?;
    Ok(Section {
        name: format!(
            "start-up (hello world, JDK {}, {n_rounds} rounds)",
            jdk.version
        ),
        notes: vec![plain_note("a JVM", &rounds)],
        figures: vec![
            added(
                &rounds,
                Watcher::TamisByClass,
                "Tamis: added CPU",
                Some(BAR),
                cpu,
            ),
            added(
                &rounds,
                Watcher::TamisByClass,
                "Tamis: added wall",
                None,
                wall,
            ),
            added(&rounds, Watcher::Jacoco, "JaCoCo: added CPU", None, cpu),
        ],
        series: Vec::new(),
    })
}

/// Maven and `javac`, of which nothing is wanted. A shell starts them: Maven under its own name would be given an extension
/// in the place of the agent.
pub(crate) fn idle(jdk: &Jdk, n_rounds: usize) -> Result<Section> {
    let mut section = Section {
        name: format!("idle (JDK {}, {n_rounds} rounds)", jdk.version),
        notes: Vec::new(),
        figures: Vec::new(),
        series: Vec::new(),
    };
    let version = |executable: PathBuf| Program {
        executable: "sh".into(),
        arguments: vec![
            "-c".into(),
            r#"exec "$0" -version"#.into(),
            executable.into(),
        ],
        n_watched_jvms: 0,
        ..Program::bare(jdk)
    };
    let programs = [("Maven", "mvn".into()), ("javac", jdk.javac())];
    for (name, executable) in programs {
        let program = version(executable);
        let rounds = go_round(&WATCHERS[..3], n_rounds, |watcher| program.measure(watcher))?;
        section.notes.push(plain_note(name, &rounds));
        let what = format!("{name}: added CPU");
        let figure = added(&rounds, Watcher::TamisByClass, &what, Some(BAR), cpu);
        section.figures.push(figure);
    }
    Ok(section)
}

fn plain_note(name: &str, rounds: &Rounds<Watcher>) -> String {
    format!(
        "{name}, plain: {:.0} ms CPU, {:.0} ms wall",
        rounds.median(Watcher::Plain, cpu),
        rounds.median(Watcher::Plain, wall),
    )
}

fn added(
    rounds: &Rounds<Watcher>,
    watcher: Watcher,
    name: &str,
    bar: Option<f64>,
    number: fn(&Usage) -> f64,
) -> Figure {
    Figure {
        name: name.to_owned(),
        unit: Unit::Milliseconds,
        values: rounds.differences(watcher, number),
        noise: rounds.differences(Watcher::PlainAgain, number),
        bar,
    }
}

fn cpu(usage: &Usage) -> f64 {
    usage.cpu.as_secs_f64() * 1e3
}

fn wall(usage: &Usage) -> f64 {
    usage.wall.as_secs_f64() * 1e3
}
