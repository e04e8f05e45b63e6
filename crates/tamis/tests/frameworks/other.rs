//! What is no framework that is known: it runs as it always does, and that is said.

use crate::traced::Program;

const TESTNG: [&str; 2] = ["org.testng:testng:6.14.3", "com.beust:jcommander:1.72"];

#[test]
fn an_unknown_framework_runs_and_is_named() {
    let output = tempfile::tempdir().unwrap();
    let directory = output.path().to_str().unwrap();
    let main = ["org.testng.TestNG", "-d", directory, "-testclass", "Ng"];
    let scenario = Program::new("other", &TESTNG, &TESTNG).run(&main);
    let plain = scenario.plain();
    let traced = scenario.trace();
    assert_eq!(plain.status.code(), Some(traced.code()));
    assert_ne!(traced.code(), 0);
    assert_eq!(String::from_utf8_lossy(&plain.stdout), traced.stdout());
    assert_eq!(traced.unsupported(), ["TestNG"]);
    assert_eq!(traced.entities(), "");
}

#[test]
fn a_program_without_tests_has_no_entities() {
    let traced = Program::new("other", &TESTNG, &[]).run(&["Plain"]).trace();
    assert_eq!(traced.code(), 3);
    assert_eq!(traced.said(), "no tests here");
    assert_eq!(traced.entities(), "");
    assert!(traced.unsupported().is_empty());
}
