//! Probes over real classes: those of the JDKs found and of many libraries, by many compilers.
//!
//! ASM puts the same probes into the same classes, and the results are compared as text; then the
//! JVM of each JDK links probed libraries with full verification, and must link exactly what it
//! links of the plain ones. A tenth of the classes by default, all with `TAMIS_CORPUS=whole`.

#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "the whole crate is tests"
)]

mod classes;
mod probes;
mod tally;

use std::path::Path;

use tamis_build::Jdk;
use tamis_testkit::corpus::CORPUS;
use tamis_testkit::jdks::{jdks, newest_jdk};
use tamis_testkit::maven::{artifact, artifacts};
use tamis_testkit::server::{Classes, JavaServer};

use classes::{Corpus, Share};
use probes::Probe;
use tally::Tally;

/// How many classes are in memory at a time.
const PORTION: usize = 1024;

#[test]
fn probes_of_libraries_equal_those_of_asm() {
    let mut server = JavaServer::start(&newest_jdk().unwrap()).unwrap();
    let mut tally = Tally::new("libraries beside ASM");
    for jar in artifacts(CORPUS).unwrap() {
        compare(&mut server, &jar, &mut tally);
    }
    tally.finish();
}

#[test]
fn probes_of_jdk_classes_equal_those_of_asm() {
    let mut server = JavaServer::start(&newest_jdk().unwrap()).unwrap();
    for jdk in jdks().unwrap() {
        let mut tally = Tally::new(&format!("JDK {} beside ASM", jdk.version));
        for place in classes::of_jdk(&jdk).unwrap() {
            compare(&mut server, &place, &mut tally);
        }
        tally.finish();
    }
}

fn compare(server: &mut JavaServer, place: &Path, tally: &mut Tally) {
    let corpus = Corpus::open(place, Share::of_environment()).unwrap();
    for portion in corpus.portions(PORTION) {
        tally.n_classes += portion.len();
        for probe in Probe::ALL {
            probe.compare(server, &portion, tally);
        }
    }
}

/// Kinds one by one, and then all on one class, as the agent puts them there.
#[test]
fn probed_libraries_link_like_plain_ones() {
    for jdk in jdks().unwrap() {
        let mut server = JavaServer::start(&jdk).unwrap();
        let mut tally = Tally::new(&format!("libraries linked on JDK {}", jdk.version));
        for coordinates in CORPUS {
            link_all(
                &jdk,
                &mut server,
                &artifact(coordinates).unwrap(),
                &mut tally,
            );
        }
        tally.finish();
    }
}

fn link_all(jdk: &Jdk, server: &mut JavaServer, jar: &Path, tally: &mut Tally) {
    let plain = Corpus::open(jar, Share::of_environment())
        .unwrap()
        .classes_for(jdk);
    tally.n_classes += plain.len();
    let expected = server.link_library(jar, &plain).unwrap();
    tally.n_linked += expected.iter().filter(|end| *end == "ok").count();
    let mut all = plain.clone();
    for probe in Probe::ALL {
        let probed = probe.put_into(&plain, tally);
        compare_links(
            &plain,
            &expected,
            &server.link_library(jar, &probed).unwrap(),
            probe.name(),
            tally,
        );
        all = probe.put_into(&all, &mut Tally::new("counted before"));
    }
    compare_links(
        &plain,
        &expected,
        &server.link_library(jar, &all).unwrap(),
        "all",
        tally,
    );
}

fn compare_links(
    plain: &Classes,
    expected: &[String],
    found: &[String],
    probe: &str,
    tally: &mut Tally,
) {
    for (name, (expected, found)) in plain.keys().zip(expected.iter().zip(found)) {
        if expected != found {
            tally.differs(&format!(
                "{probe}: {name} ended with {found}, plain with {expected}"
            ));
        }
    }
}
