//! The oracle itself, over real libraries: ASM's probes verify, and do not change what links.

#![expect(clippy::unwrap_used, reason = "the whole file is tests")]

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use tamis_build::{ClassSource, Jdk};
use tamis_testkit::jdks::{jdks, newest_jdk};
use tamis_testkit::maven::artifacts;
use tamis_testkit::server::{Bracket, Classes, EntryProbe, JavaServer, Link};

/// Small, and between them versions 45, 46 and 49 with `jsr` and without frames, and 52 with them.
const LIBRARIES: [&str; 4] = [
    "junit:junit:3.8.1",
    "bsh:bsh:2.0b4",
    "org.ow2.asm:asm-util:9.11.1",
    "org.apache.commons:commons-lang3:3.17.0",
];

fn classes(jar: &Path) -> Classes {
    let mut classes = Classes::new();
    for entry in ClassSource::open(jar).unwrap().read_all() {
        let entry = entry.unwrap();
        let name = entry.path.strip_suffix(".class").unwrap().to_owned();
        if !name.starts_with("META-INF/") && !name.ends_with("-info") {
            classes.insert(name, entry.bytes);
        }
    }
    classes
}

fn linked(server: &mut JavaServer, jar: &PathBuf, classes: &Classes) -> Vec<String> {
    let names: Vec<String> = classes.keys().cloned().collect();
    server
        .link(&Link {
            path: std::slice::from_ref(jar),
            classes,
            names: &names,
        })
        .unwrap()
}

fn with_entry_probes(server: &mut JavaServer, classes: &Classes) -> Classes {
    let jobs: Vec<_> = classes
        .values()
        .map(|class| EntryProbe {
            class,
            holder: "tamis/H0",
            first: 0,
        })
        .collect();
    let answers = server.probe_entry(&jobs).unwrap();
    let probed = classes.keys().zip(answers);
    probed
        .map(|(name, answer)| (name.clone(), answer.expect(name).class))
        .collect()
}

/// Returns how many classes have an initialiser, too.
fn with_brackets(server: &mut JavaServer, classes: &Classes) -> (Classes, usize) {
    let jobs: Vec<_> = classes
        .values()
        .map(|class| Bracket {
            class,
            owner: "tamis/T",
            id: 70_000,
        })
        .collect();
    let answers = server.probe_bracket(&jobs).unwrap();
    let mut bracketed = classes.clone();
    let mut n_brackets = 0;
    for (name, answer) in classes.keys().zip(answers) {
        match answer {
            Ok(class) => {
                bracketed.insert(name.clone(), class);
                n_brackets += 1;
            }
            Err(error) => assert!(error.contains("no code for"), "{name}: {error}"),
        }
    }
    (bracketed, n_brackets)
}

fn check(jdk: &Jdk, jar: &PathBuf) {
    let mut server = JavaServer::start(jdk).unwrap();
    let plain = classes(jar);
    let expected = linked(&mut server, jar, &plain);
    let n_ok = expected.iter().filter(|end| *end == "ok").count();
    assert!(
        n_ok * 10 > expected.len() * 8,
        "most classes link: {n_ok} of {}",
        expected.len()
    );
    let probed = with_entry_probes(&mut server, &plain);
    assert_eq!(
        linked(&mut server, jar, &probed),
        expected,
        "entry probes on {}",
        jdk.version
    );
    let (bracketed, n_brackets) = with_brackets(&mut server, &plain);
    assert!(n_brackets > 0, "some class has an initialiser");
    assert_eq!(
        linked(&mut server, jar, &bracketed),
        expected,
        "brackets on {}",
        jdk.version
    );
}

#[test]
fn probed_libraries_link_like_plain_ones_on_every_jdk() {
    for jdk in jdks().unwrap() {
        for jar in artifacts(&LIBRARIES).unwrap() {
            check(&jdk, &jar);
        }
    }
}

#[test]
fn text_is_a_function_of_what_the_class_says() {
    let mut server = JavaServer::start(&newest_jdk().unwrap()).unwrap();
    for jar in artifacts(&LIBRARIES).unwrap() {
        let plain = classes(&jar);
        let bytes: Vec<&[u8]> = plain.values().map(Vec::as_slice).collect();
        let texts = server.texts(&bytes).unwrap();
        let distinct: BTreeSet<_> = texts.iter().map(|text| text.as_ref().unwrap()).collect();
        assert_eq!(distinct.len(), plain.len(), "{}", jar.display());
    }
}
