//! The JDKs of this machine: they are found, they run, and their own classes can be read.

use std::path::PathBuf;
use std::process::Command;

use tamis_build::{ClassSource, Jdk};

fn jdks() -> Vec<Jdk> {
    let found = Jdk::find().expect("every JDK in TAMIS_JDKS is one");
    assert!(!found.jdks.is_empty(), "these tests need a JDK");
    found.jdks
}

/// The archive in which a JDK ships `java.lang`, when it ships one.
fn core_classes(jdk: &Jdk) -> Option<(PathBuf, &'static str)> {
    let places = [
        ("jre/lib/rt.jar", "java/lang/Object.class"),
        ("jmods/java.base.jmod", "classes/java/lang/Object.class"),
    ];
    let places = places.map(|(archive, class)| (jdk.home.join(archive), class));
    places.into_iter().find(|(archive, _)| archive.is_file())
}

#[test]
fn each_says_the_version_that_was_found() {
    for jdk in jdks() {
        let output = Command::new(jdk.java()).arg("-version").output().unwrap();
        let banner = String::from_utf8_lossy(&output.stderr);
        assert!(banner.contains(&jdk.version), "{jdk:?} says {banner}");
        assert!(jdk.javap().is_file());
    }
}

#[test]
fn every_core_class_is_read() {
    for jdk in jdks() {
        let Some((archive, object)) = core_classes(&jdk) else {
            continue; // From 24 on, a JDK may ship its classes in `lib/modules` only.
        };
        let source = ClassSource::open(&archive).unwrap();
        assert!(source.classes().len() > 5_000);
        let mut paths = Vec::new();
        for entry in source.read_all() {
            let entry = entry.unwrap();
            assert!(
                entry.bytes.starts_with(b"\xca\xfe\xba\xbe"),
                "{}",
                entry.location
            );
            paths.push(entry.path);
        }
        assert!(paths.contains(&object.to_owned()));
        assert!(paths.is_sorted());
    }
}
