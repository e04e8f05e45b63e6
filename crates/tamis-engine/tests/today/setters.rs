//! Who sets static fields: by methods of their class, and by code of others.

use std::collections::BTreeMap;

use tamis_engine::{State, value};
use tamis_facts::{Fact, FieldId, Subject};
use tamis_testkit::jdks::newest_jdk;
use tamis_testkit::server::JavaServer;

use crate::{Snapshot, broken_facts, in_world, numbered_facts};

/// Two fields that can be set, one by its own initialiser.
const FIELDS: &str = "class A { static int f = 1, g; static int get() { return f; } }";

/// A class below, by which other code may name them.
const BELOW: &str = "class B extends A { }";

fn compile(server: &mut JavaServer, fields: &str, other: &str) -> Snapshot {
    let other = format!("class C {{ {other} }}");
    let sources = [("A.java", fields), ("B.java", BELOW), ("C.java", &*other)];
    server.compile(&[], &sources).unwrap()
}

/// What a record says who looked at both fields.
fn facts(then: &Snapshot) -> BTreeMap<u32, Fact> {
    let mut subjects = vec![Subject::Class("A".into()), Subject::AllSettersElsewhere];
    for name in ["f", "g"] {
        let field = || FieldId {
            name: name.into(),
            descriptor: "I".into(),
        };
        subjects.push(Subject::Setters("A".into(), field()));
        subjects.push(Subject::SettersElsewhere("A".into(), field()));
    }
    let of_then = in_world(then, |world| {
        let facts = subjects.into_iter().map(|subject| {
            let value = match value(&subject, world) {
                State::Known(value) => Some(value),
                State::Absent => None,
                State::Unknown(place) => panic!("{subject}: {place}"),
            };
            Fact { subject, value }
        });
        facts.collect()
    });
    numbered_facts(of_then)
}

fn broken(then: &Snapshot, now: &Snapshot) -> Vec<String> {
    let facts = facts(then);
    let broken = broken_facts(&facts, now);
    let broken = broken
        .iter()
        .map(|number| facts[&number].subject.to_string());
    broken.collect()
}

/// What is broken of who sets fields elsewhere, where something is.
fn elsewhere(fields: &[&str]) -> Vec<String> {
    let names = fields
        .iter()
        .map(|name| format!("setters elsewhere A.{name}"));
    let all = "all setters elsewhere".to_owned();
    names.chain([all]).collect()
}

#[test]
fn code_of_other_classes_that_begins_to_set_a_field() {
    let mut server = JavaServer::start(&newest_jdk().unwrap()).unwrap();
    let mut of = |other| compile(&mut server, FIELDS, other);
    let then = of("");
    assert_eq!(broken(&then, &then), [""; 0]);
    for (other, set) in [
        ("static { A.f = 2; }", &["f"][..]),
        ("void m() { B.g = 2; }", &["g"]),
        (
            "Runnable m() { return () -> { A.f++; B.g--; }; }",
            &["f", "g"],
        ),
    ] {
        let now = of(other);
        assert_eq!(broken(&then, &now), elsewhere(set), "{other}");
        assert_eq!(broken(&now, &then), elsewhere(set), "without {other}");
    }
    for (other, same) in [
        ("int m() { return A.f + B.g; }", ""),
        ("static int f; void m() { f = 2; }", ""),
        ("long f; void m() { f = 2; }", ""),
        (
            "Runnable m() { Runnable r = () -> { }; return () -> A.f = 2; }",
            "Runnable m() { return () -> A.f = 3; }",
        ),
    ] {
        let then = of(same);
        assert_eq!(broken(&then, &of(other)), [""; 0], "{other}");
    }
}

/// A second one of the same method and a file that nobody understands may set it otherwise.
#[test]
fn code_that_may_set_more_than_before() {
    let mut server = JavaServer::start(&newest_jdk().unwrap()).unwrap();
    let mut of = |other| compile(&mut server, FIELDS, other);
    let one = of("void m() { Runnable r = () -> A.f = 2; }");
    let two = of("void m() { Runnable r = () -> A.f = 2; Runnable s = () -> A.f = 3; }");
    assert_eq!(broken(&one, &two), elsewhere(&["f"]));
    let mut unseen = one.clone();
    unseen.insert("D".to_owned(), b"garbage".to_vec());
    assert_eq!(broken(&one, &unseen), elsewhere(&["f", "g"]));
    assert_eq!(broken(&unseen, &unseen), [""; 0]);
}

#[test]
fn methods_of_the_class_itself_that_begin_to_set_a_field() {
    let mut server = JavaServer::start(&newest_jdk().unwrap()).unwrap();
    let mut of = |fields: &str| compile(&mut server, fields, "");
    let then = of(FIELDS);
    let setting = of(&FIELDS.replace("return f;", "g = 2; return f;"));
    assert_eq!(broken(&then, &setting), ["class A", "setters A.g"]);
    let initialising = of(&FIELDS.replace("g;", "g = 2;"));
    assert_eq!(broken(&then, &initialising), ["class A"]);
}
