//! What holds for any bytes at all: nothing panics, errors lie inside the input, and what can be
//! read is written back as it was. Inputs are noise, and real classes that were damaged. The same
//! functions are the targets of `fuzz/`. Everything is the same on every run.
#![expect(clippy::unwrap_used, reason = "the whole crate is tests")]

mod damage;
mod exercise;

use proptest::collection::vec;
use proptest::prelude::any;
use proptest::strategy::Strategy;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use tamis_build::ClassSource;
use tamis_classfile::{ClassFile, ErrorKind};
use tamis_testkit::maven::artifacts;

use damage::{Damage, damages};

/// A function that panics when a promise is broken.
type Exercise = fn(&[u8]);

const ALL: [Exercise; 5] = [
    exercise::reader,
    exercise::writer,
    exercise::flow,
    exercise::checksum,
    exercise::probes,
];

/// Many compilers and class-file versions in few bytes.
const LIBRARIES: [&str; 8] = [
    "junit:junit:3.8.1",
    "bsh:bsh:2.0b4",
    "commons-collections:commons-collections:3.1",
    "org.apache.commons:commons-lang3:3.17.0",
    "org.apache.groovy:groovy:4.0.23",
    "org.jetbrains.kotlin:kotlin-stdlib:2.1.0",
    "org.scala-lang:scala3-library_3:3.3.4",
    "org.springframework:spring-core:6.2.0",
];

/// Of each library, so many classes.
const N_CLASSES: usize = 24;
const LARGEST: usize = 6000;

fn real_classes() -> Vec<Vec<u8>> {
    let mut all = Vec::new();
    for jar in artifacts(&LIBRARIES).unwrap() {
        let entries = ClassSource::open(&jar).unwrap();
        let bytes = entries.read_all().map(|entry| entry.unwrap().bytes);
        let small: Vec<_> = bytes.filter(|bytes| bytes.len() <= LARGEST).collect();
        let step = (small.len() / N_CLASSES).max(1);
        all.extend(small.into_iter().step_by(step).take(N_CLASSES));
    }
    all
}

fn check<S: Strategy>(n_cases: u32, strategy: &S, bytes_of: impl Fn(S::Value) -> Vec<u8>) {
    let config = Config {
        cases: n_cases,
        failure_persistence: None,
        ..Config::default()
    };
    let random = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
    let mut runner = TestRunner::new_with_rng(config, random);
    let checked = runner.run(strategy, |value| {
        let bytes = bytes_of(value);
        for exercise in ALL {
            exercise(&bytes);
        }
        Ok(())
    });
    if let Err(failure) = checked {
        panic!("{failure}");
    }
}

#[test]
fn noise() {
    check(4000, &vec(any::<u8>(), 0..400), |bytes| bytes);
}

#[test]
fn noise_behind_a_header() {
    let header = [0xca, 0xfe, 0xba, 0xbe, 0, 0, 0, 52];
    check(4000, &vec(any::<u8>(), 0..400), |bytes| {
        [&header[..], &bytes].concat()
    });
}

#[test]
fn damaged_classes() {
    let classes = real_classes();
    let strategy = (0..classes.len(), damages());
    check(
        12_000,
        &strategy,
        |(position, damages): (usize, Vec<Damage>)| damage::apply(&classes[position], &damages),
    );
}

#[test]
fn real_classes_as_they_are() {
    for class in real_classes() {
        for exercise in ALL {
            exercise(&class);
        }
    }
}

#[test]
fn a_class_cut_off_anywhere_is_an_error_inside_it() {
    for class in real_classes().iter().step_by(6) {
        for end in 0..class.len() {
            let error = ClassFile::parse(&class[..end]).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Truncated, "{error} at {end}");
            assert!(
                error.offset().is_some_and(|offset| offset <= end),
                "{error}"
            );
            exercise::checksum(&class[..end]);
            exercise::probes(&class[..end]);
        }
    }
}
