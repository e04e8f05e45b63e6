//! The suites of real libraries: each test ends as it does without the agent. Two quick libraries are part
//! of every run; `TAMIS_SUITES=whole` asks for all, and for more plain runs that show which tests are
//! unstable by themselves. `TAMIS_SUITES=commons-lang` asks for one of the long ones.

use std::time::{Duration, Instant};
use std::{env, fmt};

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

/// Whether tests run on this JDK: on every one only if all is asked for.
pub(crate) fn is_wanted(jdk: &Jdk) -> bool {
    is_whole() || JDKS.contains(&jdk.feature)
}

#[test]
fn tests_of_the_first_library_end_as_without_the_agent() {
    check(&QUICK[0]);
}

#[test]
fn tests_of_the_second_library_end_as_without_the_agent() {
    check(&QUICK[1]);
}

#[test]
fn tests_of_long_suites_end_as_without_the_agent() {
    let asked = env::var("TAMIS_SUITES").unwrap_or_default();
    for library in LONG {
        if is_whole() || asked == library.name {
            check(library);
        }
    }
}

fn check(library: &Library) {
    let mut different = Vec::new();
    let found = jdks().unwrap();
    let wanted = found.iter().filter(|jdk| JDKS.contains(&jdk.feature));
    let rows: Vec<_> = wanted.map(|jdk| compare(library, jdk)).collect();
    for row in &rows {
        different.extend(row.different.iter().map(ToString::to_string));
    }
    assert!(!rows.is_empty(), "one of the JDKs {JDKS:?} is needed");
    assert_eq!(different, [""; 0], "{}", library.name);
}

/// Compares on one JDK, and prints how it went.
fn compare(library: &Library, jdk: &Jdk) -> Row {
    let compiled = library.compile(jdk).unwrap();
    let start = Instant::now();
    let plain = run_plain(&compiled, jdk);
    let watched = run_watched(&compiled, jdk);
    let mut different = differences(&plain.results, &watched.results);
    let mut unstable = Vec::new();
    // Tests of quick suites are all stable, and nothing excuses them.
    if !is_quick(library) {
        unstable = differences(&plain.results, &run_plain(&compiled, jdk).results);
        let is_unstable = |test: &Difference| {
            let mut tests = unstable.iter();
            tests.any(|unstable| whole_test(unstable) == whole_test(test))
        };
        different.retain(|test| !is_unstable(test));
    }
    if different.is_empty() && unstable.is_empty() {
        assert_eq!(plain.output.status, watched.output.status);
    }
    let row = Row {
        library: library.name,
        jdk: jdk.feature,
        n_tests: plain.results.len(),
        different,
        unstable,
        time: start.elapsed(),
    };
    println!("{row}");
    row
}

/// The test without the number of the repetition: the parameters of some come in an order that changes
/// from run to run, as the JDK's locales do.
fn whole_test(difference: &Difference) -> &str {
    let repetition = difference.identifier.find("/[test-template-invocation:");
    &difference.identifier[..repetition.unwrap_or(difference.identifier.len())]
}

fn is_quick(library: &Library) -> bool {
    QUICK.iter().any(|quick| quick.name == library.name)
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

impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{:<20} JDK {:<2} {:>6} tests, {} different, {} unstable, {:.1} minutes",
            self.library,
            self.jdk,
            self.n_tests,
            self.different.len(),
            self.unstable.len(),
            self.time.as_secs_f64() / 60.0
        )?;
        for test in &self.different {
            write!(f, "\n  different: {test}")?;
        }
        for test in &self.unstable {
            write!(f, "\n  unstable: {test}")?;
        }
        Ok(())
    }
}
