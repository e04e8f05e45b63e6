//! Real classes are read and written back: byte for byte, and after an edit saying the same to ASM,
//! `javap` and the JVM. That is what shows that the model understands attributes instead of carrying
//! bytes. A tenth of the classes by default, all with `TAMIS_CORPUS=whole`.

#![expect(
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "the whole crate is tests, and tells its numbers"
)]

#[path = "../corpus/classes.rs"]
mod classes;
mod edits;
mod identity;
mod jvm;
mod permutation;
mod random;
mod ristretto;
mod said;
mod versions;

use std::path::{Path, PathBuf};

use tamis_build::{ClassSource, Jdk};
use tamis_classfile::ClassFile;
use tamis_testkit::corpus::CORPUS;
use tamis_testkit::jdks::{jdks, newest_jdk};
use tamis_testkit::maven::artifacts;
use tamis_testkit::server::JavaServer;

use classes::{Class, Corpus, Share};
use edits::Edit;
use identity::Seen;

/// How many classes are in memory at a time.
const PORTION: usize = 512;

#[test]
fn classes_of_every_jdk_come_back_byte_for_byte() {
    let mut all = Seen::default();
    for jdk in jdks().unwrap() {
        let mut seen = Seen::default();
        for place in places_of(&jdk) {
            for_each_portion(&place, |portion| seen.round_trip(portion));
        }
        println!("JDK {}: {}", jdk.version, seen.counts());
        all.add(seen);
    }
    all.finish("all JDKs");
}

#[test]
fn classes_of_libraries_come_back_byte_for_byte() {
    let mut seen = Seen::default();
    for jar in artifacts(CORPUS).unwrap() {
        for_each_portion(&jar, |portion| seen.round_trip(portion));
    }
    seen.finish("libraries");
}

#[test]
fn every_version_that_javac_writes_and_later_ones() {
    let jdk = newest_jdk().unwrap();
    let mut server = JavaServer::start(&jdk).unwrap();
    let mut seen = Seen::default();
    for release in 8..=jdk.feature {
        let classes = versions::compiled(&mut server, release);
        for (name, bytes) in classes {
            assert_eq!(u32::from(bytes[7]), release + 44, "{name}");
            let future = versions::of_the_future(&bytes);
            assert!(ClassFile::parse(&future).unwrap().is_newer_than_known());
            let both = [bytes, future].map(|bytes| Class {
                location: name.clone(),
                bytes,
            });
            seen.round_trip(&both);
        }
    }
    seen.finish("compiled");
}

#[test]
fn edited_classes_of_libraries_say_the_same_to_asm() {
    let mut server = JavaServer::start(&newest_jdk().unwrap()).unwrap();
    let mut tally = said::Tally::new("libraries, by ASM");
    for jar in artifacts(CORPUS).unwrap() {
        for_each_portion(&jar, |portion| {
            for edit in Edit::ALL {
                said::compare_by_asm(&mut server, edit, portion, &mut tally);
            }
        });
    }
    tally.finish();
}

/// The JDK's own classes have what libraries lack: modules, the JDK's attributes, the newest version.
#[test]
fn permuted_classes_of_the_newest_jdk_say_the_same() {
    let jdk = newest_jdk().unwrap();
    let mut server = JavaServer::start(&jdk).unwrap();
    let mut by_asm = said::Tally::new(&format!("JDK {}, by ASM", jdk.version));
    let mut by_javap = said::Tally::new(&format!("modules of JDK {}, by javap", jdk.version));
    for place in places_of(&jdk) {
        for_each_portion(&place, |portion| {
            // ASM does not know the attributes that only the JDK's modules have.
            let (modules, others): (Vec<Class>, Vec<Class>) = portion
                .drain(..)
                .partition(|class| class.location.ends_with("module-info.class"));
            said::compare_by_asm(&mut server, Edit::Permuted, &others, &mut by_asm);
            said::compare_by_javap(&jdk, &modules, &mut by_javap);
        });
    }
    by_asm.finish();
    by_javap.finish();
}

#[test]
fn permuted_classes_of_libraries_say_the_same_to_javap() {
    let jdk = newest_jdk().unwrap();
    let mut few = Vec::new();
    for jar in artifacts(CORPUS).unwrap() {
        for_each_portion(&jar, |portion| {
            few.extend(portion.drain(..).step_by(said::JAVAP_STEP));
        });
    }
    let mut tally = said::Tally::new("libraries, by javap");
    for portion in few.chunks(PORTION) {
        said::compare_by_javap(&jdk, portion, &mut tally);
    }
    tally.finish();
}

/// With a tenth of the classes, on the oldest and the newest JDK only: probes link on all of them.
#[test]
fn permuted_libraries_link_like_plain_ones() {
    let mut jdks = jdks().unwrap();
    if let Share::Tenth = Share::of_environment() {
        jdks = jdks
            .first()
            .into_iter()
            .chain(jdks.last())
            .cloned()
            .collect();
        jdks.dedup();
    }
    for jdk in jdks {
        let mut server = JavaServer::start(&jdk).unwrap();
        let mut tally = jvm::Tally::default();
        for jar in artifacts(CORPUS).unwrap() {
            let corpus = Corpus::open(&jar, Share::of_environment()).unwrap();
            jvm::compare_links(&mut server, &jar, &corpus.classes_for(&jdk), &mut tally);
        }
        tally.finish(&jdk);
    }
}

#[test]
fn another_reader_sees_the_same_structure() {
    let mut tally = ristretto::Tally::default();
    for jar in artifacts(CORPUS).unwrap() {
        for_each_portion(&jar, |portion| {
            for class in portion {
                tally.compare(class);
            }
        });
    }
    tally.finish();
}

/// Where a JDK keeps its classes; Java 8 has them in many jars.
fn places_of(jdk: &Jdk) -> Vec<PathBuf> {
    let mut places = classes::of_jdk(jdk).unwrap();
    for folder in ["jre/lib", "jre/lib/ext", "lib"] {
        let Ok(entries) = jdk.home.join(folder).read_dir() else {
            continue;
        };
        let jars = entries.map(|entry| entry.unwrap().path());
        places.extend(jars.filter(|path| path.extension().is_some_and(|e| e == "jar")));
    }
    places.sort();
    places.dedup();
    places
}

fn for_each_portion(place: &Path, mut visit: impl FnMut(&mut Vec<Class>)) {
    let n_listed = ClassSource::open(place).unwrap().classes().len();
    let corpus = Corpus::open(place, Share::of_environment()).unwrap();
    let mut n_read = 0;
    for mut portion in corpus.portions(PORTION) {
        n_read += portion.len();
        visit(&mut portion);
    }
    // A share that chose nothing of a large source would prove nothing.
    assert!(n_read > 0 || n_listed < 100, "{}", place.display());
}
