//! Facts of earlier states of classes against today's: `broken`, which reads as little as it can, finds what
//! an oracle finds that takes every class apart. Over versions of libraries that users update, and over
//! classes whose numbered methods got other numbers.
#![expect(
    clippy::unwrap_used,
    reason = "the whole crate is tests, and tells its numbers"
)]

#[path = "../../../tamis-select/tests/meshes/numbered.rs"]
mod numbered;
mod oracle;
#[expect(dead_code, reason = "other tests need more of it")]
#[path = "../../../tamis-classfile/tests/round_trip/random.rs"]
mod random;
mod setters;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::time::SystemTime;

use tamis_build::{ClassPath, ClassSource, path_text};
use tamis_classfile::ClassFile;
use tamis_classfile::checksum::DebugInfo;
use tamis_engine::{
    Circumstances, ClassStates, Paths, Properties, State, Variables, World, broken,
};
use tamis_facts::{Checksum, ClassName, Fact, Subject};
use tamis_store::{FactSet, Facts, StatCache};
use tamis_testkit::corpus::VERSION_PAIRS;
use tamis_testkit::jdks::newest_jdk;
use tamis_testkit::maven::artifact;
use tamis_testkit::server::{Classes, JavaServer};

use oracle::{Summed, facts_of};
use random::Random;

/// Which states were known, and what is asked, comes from this number and the bytes of the classes.
const SEED: u64 = 20_261_115;

/// How many classes of each pair of libraries are compared.
const N_CLASSES: usize = 200;

/// Some state of the classes of a project.
type Snapshot = BTreeMap<String, Vec<u8>>;

#[test]
fn versions_of_libraries() {
    let (mut n_facts, mut n_broken) = (0, 0);
    for (old, new) in VERSION_PAIRS {
        let (old, new) = (library(old), library(new));
        let (old, new) = some_of(old, new);
        let facts = known_facts(&old, &new);
        let broken = check(&facts, &new);
        n_facts += facts.len();
        n_broken += broken.len();
    }
    println!("{n_facts} facts, {n_broken} broken");
    let n_true = n_facts as u64 - n_broken;
    assert!(n_broken > 1000 && n_true > 1000);
}

#[test]
fn numbers_that_mean_nothing() {
    let mut n_numbered = 0;
    let (mut old, mut new) = (Snapshot::new(), Snapshot::new());
    for (name, bytes) in library("com.google.guava:guava:33.4.0-jre") {
        let class = ClassFile::parse(&bytes).unwrap();
        let [one, other] = [1, 23].map(|number| numbered::with_number(&class, number));
        let (Some(one), Some(other)) = (one, other) else {
            continue;
        };
        old.insert(name.clone(), one.encode().unwrap());
        new.insert(name, other.encode().unwrap());
        n_numbered += 1;
        if n_numbered == 300 {
            break;
        }
    }
    assert_eq!(n_numbered, 300);
    let of_old: Vec<Fact> = old.values().flat_map(|bytes| facts_of(bytes)).collect();
    let is_known_by_name = |class: &ClassName| {
        let (before, after) = (&old[&class.to_string()], &new[&class.to_string()]);
        Summed::of(before).smart() != Summed::of(after).smart()
    };
    let facts = numbered_facts(of_old);
    let broken = check(&facts, &new);
    for number in &broken {
        let class = facts[&number].subject.class().unwrap();
        assert!(is_known_by_name(class), "{}", facts[&number].subject);
    }
    // With several states known, each class is taken apart.
    let mut both: Vec<Fact> = facts.into_values().collect();
    for (name, bytes) in &new {
        let changed = bytes.iter().map(|byte| byte ^ 1).collect::<Vec<u8>>();
        both.push(Fact {
            subject: Subject::Class(ClassName::from(name.as_str())),
            value: Some(tamis_select::plain(&changed)),
        });
    }
    let again = check(&numbered_facts(both), &new);
    assert_eq!(again.len(), broken.len() + 300);
}

#[test]
fn a_lambda_before_another() {
    let mut server = JavaServer::start(&newest_jdk().unwrap()).unwrap();
    let mut compile = |f: &str, h: &str| -> Classes {
        let text = format!(
            "class A {{ static int g(int x) {{ return x; }}
               Runnable f() {{ {f} }}
               Runnable h() {{ {h} }} }}"
        );
        server.compile(&[], &[("A.java", &text)]).unwrap()
    };
    let one = compile("return () -> g(1);", "return () -> g(2);");
    let more = compile(
        "Runnable r = () -> g(0); return () -> g(1);",
        "return () -> g(2);",
    );
    let changed = compile("return () -> g(1);", "return () -> g(3);");
    let facts = numbered_facts(facts_of(&one["A"]));
    let first_of_f = |classes: &Classes| {
        let mut facts = facts_of(&classes["A"]).into_iter();
        let first = facts.find(|fact| fact.subject.to_string() == "method A.lambda$f$0()V");
        first.unwrap().value
    };
    assert_ne!(first_of_f(&one), first_of_f(&more));
    let broken = |classes: &Classes| -> Vec<String> {
        let broken = check(&facts, classes);
        let shown = broken
            .iter()
            .map(|number| facts[&number].subject.to_string());
        // Compilers differ in where they begin to count.
        shown.map(|name| name.replace("$h$1", "$h$0")).collect()
    };
    assert_eq!(broken(&one), [""; 0]);
    let of_f = ["class A", "method A.f()Ljava/lang/Runnable;", "members A"];
    assert_eq!(broken(&more), of_f);
    let of_h = [
        "class A",
        "method A.h()Ljava/lang/Runnable;",
        "method A.lambda$h$0()V",
    ];
    assert_eq!(broken(&changed), of_h);
}

#[test]
fn classes_that_appear_and_vanish() {
    let mut server = JavaServer::start(&newest_jdk().unwrap()).unwrap();
    let sources = [("A.java", "class A { int x; void m() {} }")];
    let classes = server.compile(&[], &sources).unwrap();
    let mut facts = facts_of(&classes["A"]);
    let absent = Fact {
        subject: Subject::Class("B".into()),
        value: None,
    };
    facts.push(absent);
    let facts = numbered_facts(facts);
    assert!(check(&facts, &classes).is_empty());
    let mut both = classes.clone();
    both.insert("B".to_owned(), classes["A"].clone());
    assert_eq!(check(&facts, &both).len(), 1);
    let nothing = check(&facts, &Snapshot::new());
    // All but the absent class and absent members, which no class has either.
    let n_there = facts.values().filter(|fact| fact.value.is_some()).count();
    assert_eq!(nothing.len(), n_there as u64);
    // What is no class any more has no parts.
    let garbage = Snapshot::from([("A".to_owned(), b"garbage".to_vec())]);
    assert_eq!(check(&facts, &garbage).len(), facts.len() as u64 - 1);
}

/// What is the same for all tests of a JVM is broken by any other value: what facts mean, above all.
#[test]
fn circumstances_that_differ() {
    for subject in [Subject::Semantics, Subject::Configuration, Subject::Jvm] {
        let fact = |value: Option<u8>| Fact {
            subject: subject.clone(),
            value: value.map(|byte| Checksum([byte; 16])),
        };
        let facts = (0..).zip([Some(TODAY), Some(TODAY + 1), None].map(fact));
        let broken = broken_facts(&facts.collect(), &Snapshot::new());
        let broken: Vec<u32> = broken.iter().collect();
        assert_eq!(broken, [1, 2], "{subject}");
    }
}

/// The broken facts, which must be those of the oracle.
fn check(facts: &BTreeMap<u32, Fact>, today: &Snapshot) -> FactSet {
    let found = broken_facts(facts, today);
    let summed: BTreeMap<&str, Summed> = today
        .iter()
        .map(|(name, bytes)| (name.as_str(), Summed::of(bytes)))
        .collect();
    let is_true = |fact: &Fact| {
        let class = fact.subject.class().unwrap().to_string();
        oracle::is_true(fact, summed.get(class.as_str()))
    };
    for (number, fact) in facts {
        assert_eq!(!found.contains(*number), is_true(fact), "{}", fact.subject);
    }
    found
}

/// Each byte of the circumstances of today.
const TODAY: u8 = 7;

fn broken_facts(facts: &BTreeMap<u32, Fact>, today: &Snapshot) -> FactSet {
    let known: Facts = facts.clone().into_iter().collect();
    in_world(today, |world| broken(&known, world))
}

/// Asks something while these class files lie on the class path, and no others.
fn in_world<T>(today: &Snapshot, ask: impl FnOnce(&World<'_>) -> T) -> T {
    let dir = tempfile::tempdir().unwrap();
    for (name, bytes) in today {
        write(dir.path(), name, bytes);
    }
    let places = [path_text(dir.path())];
    let path = ClassPath::of_places(&places, &Arc::default());
    let cache = StatCache::new(SystemTime::now());
    let classes = ClassStates::new(&path, &cache, DebugInfo::Ignored);
    let circumstances = Circumstances {
        files: State::Absent,
        configuration: State::Known(Checksum([TODAY; 16])),
        properties: Properties::default(),
        environment: State::Absent,
        untrusted: BTreeSet::new(),
        jvm: State::Known(Checksum([TODAY; 16])),
        semantics: Checksum([TODAY; 16]),
    };
    let world = World {
        classes: &classes,
        paths: Paths {
            root: dir.path(),
            cache: &cache,
        },
        variables: &Variables::default(),
        circumstances: &circumstances,
    };
    ask(&world)
}

/// Facts of the old state, of the new one, or of both, as several records have them; some of them only, and
/// some about members that were not there.
fn known_facts(old: &Snapshot, new: &Snapshot) -> BTreeMap<u32, Fact> {
    let mut facts = Vec::new();
    for (name, bytes) in old {
        let mut random = Random::for_bytes(SEED, bytes);
        let which = random.below(4);
        let states = [Some(bytes), new.get(name)];
        for (number, state) in states.into_iter().enumerate() {
            if which == 3 || which == number {
                let of_state = state.into_iter().flat_map(|bytes| facts_of(bytes));
                facts.extend(of_state.filter(|fact| {
                    matches!(fact.subject, Subject::Class(_)) || random.below(3) > 0
                }));
            }
        }
    }
    numbered_facts(facts)
}

/// Each once, with its number.
fn numbered_facts(mut facts: Vec<Fact>) -> BTreeMap<u32, Fact> {
    facts.sort();
    facts.dedup();
    (0..).zip(facts).collect()
}

/// Some of the classes that both have, those that differ first; and some that one has alone.
fn some_of(old: Snapshot, mut new: Snapshot) -> (Snapshot, Snapshot) {
    let (changed, same): (Vec<_>, Vec<_>) = old
        .into_iter()
        .partition(|(name, bytes)| new.get(name) != Some(bytes));
    let old: Snapshot = changed
        .into_iter()
        .take(N_CLASSES)
        .chain(same.into_iter().take(N_CLASSES / 5))
        .collect();
    let mut n_new = 0;
    new.retain(|name, _| {
        let is_new = !old.contains_key(name);
        n_new += usize::from(is_new);
        !is_new || n_new < N_CLASSES / 5
    });
    (old, new)
}

fn library(coordinates: &str) -> Snapshot {
    let source = ClassSource::open(&artifact(coordinates).unwrap()).unwrap();
    let classes = source.read_all().map(Result::unwrap);
    let classes = classes.filter(|class| !class.path.starts_with("META-INF/"));
    classes
        .map(|class| {
            (
                class.path.trim_end_matches(".class").to_owned(),
                class.bytes,
            )
        })
        .collect()
}

fn write(directory: &Path, name: &str, bytes: &[u8]) {
    let file = directory.join(format!("{name}.class"));
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    fs::write(file, bytes).unwrap();
}
