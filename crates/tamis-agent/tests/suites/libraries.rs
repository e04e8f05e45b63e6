//! The suites of real libraries: each test ends as it does without the agent. Two quick libraries are part
//! of every run; `TAMIS_SUITES=whole` asks for all, and for a second plain run that shows which tests are
//! unstable by themselves.

use std::env;
use std::time::{Duration, Instant};

use tamis_build::Jdk;
use tamis_testkit::jdks::jdks;
use tamis_testkit::suite::SuiteRun;
use tamis_testkit::suite_library::{CompiledLibrary, LONG, Library, QUICK};
use tamis_testkit::suite_results::{Difference, differences};
use tamis_wire::Bye;

use crate::watched::watched;

/// The releases that are promised to work.
const JDKS: [u32; 3] = [8, 17, 25];

/// A row of the table.
struct Row {
    library: &'static str,
    jdk: u32,
    n_tests: usize,
    /// Tests that end alike in both plain runs, and otherwise with the agent.
    different: Vec<Difference>,
    /// Tests that end otherwise in a second plain run.
    unstable: Vec<Difference>,
    time: Duration,
}

/// Whether all is asked for, however long it takes.
pub(crate) fn is_whole() -> bool {
    env::var_os("TAMIS_SUITES").is_some_and(|value| value == "whole")
}

#[test]
fn tests_of_the_first_library_end_as_without_the_agent() {
    check(&QUICK[..1]);
}

#[test]
fn tests_of_the_second_library_end_as_without_the_agent() {
    check(&QUICK[1..]);
}

#[test]
fn tests_of_long_suites_end_as_without_the_agent() {
    if is_whole() {
        check(LONG);
    }
}

fn check(libraries: &'static [Library]) {
    let mut rows = Vec::new();
    for library in libraries {
        let found = jdks().unwrap();
        for jdk in found.iter().filter(|jdk| JDKS.contains(&jdk.feature)) {
            let row = compare(library, jdk);
            println!("{}", row.line());
            rows.push(row);
        }
    }
    assert!(!rows.is_empty(), "one of the JDKs {JDKS:?} is needed");
    for row in &rows {
        for unstable in &row.unstable {
            println!("unstable on JDK {}: {unstable}", row.jdk);
        }
    }
    let different = rows.iter().flat_map(|row| {
        let lines = row.different.iter();
        lines.map(|difference| format!("JDK {}: {difference}", row.jdk))
    });
    assert_eq!(different.collect::<Vec<_>>(), [""; 0]);
}

fn compare(library: &Library, jdk: &Jdk) -> Row {
    let compiled = library.compile(jdk).unwrap();
    let start = Instant::now();
    let plain = run_plain(&compiled, jdk);
    let watched = run_watched(&compiled, jdk);
    let mut different = differences(&plain.results, &watched.results);
    let mut unstable = Vec::new();
    // A test that differs is not excused in a quick suite.
    if is_whole() {
        unstable = differences(&plain.results, &run_plain(&compiled, jdk).results);
        let is_unstable = |test: &Difference| {
            let mut tests = unstable.iter();
            tests.any(|unstable| unstable.identifier == test.identifier)
        };
        different.retain(|test| !is_unstable(test));
    }
    if different.is_empty() && unstable.is_empty() {
        assert_eq!(plain.output.status, watched.output.status);
    }
    Row {
        library: library.name,
        jdk: jdk.feature,
        n_tests: plain.results.len(),
        different,
        unstable,
        time: start.elapsed(),
    }
}

fn run_plain(library: &CompiledLibrary, jdk: &Jdk) -> SuiteRun {
    let classes = library.test_classes().unwrap();
    let run = library.run(jdk, &[], &classes, |command| command.output().unwrap());
    run.unwrap()
}

/// With the agent, which is to tell everything.
fn run_watched(library: &CompiledLibrary, jdk: &Jdk) -> SuiteRun {
    let classes = library.test_classes().unwrap();
    let (run, told) = watched(|option| {
        library.run(jdk, &[option], &classes, |command| {
            command.output().unwrap()
        })
    });
    let byes: Vec<_> = told.iter().map(|told| told.bye.as_ref()).collect();
    assert_eq!(byes, [Some(&Bye::Complete)], "{}", library.library.name);
    run.unwrap()
}

impl Row {
    fn line(&self) -> String {
        format!(
            "{:<20} JDK {:<2} {:>6} tests, {} different, {} unstable, {:.1} minutes",
            self.library,
            self.jdk,
            self.n_tests,
            self.different.len(),
            self.unstable.len(),
            self.time.as_secs_f64() / 60.0
        )
    }
}
