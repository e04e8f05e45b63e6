//! What the README shows is what the program prints.

use std::fs;
use std::path::Path;

use serde_json::Value;
use tamis_testkit::jdks::newest_jdk;

use crate::fixtures::{compile, files_in};
use crate::sandbox::Sandbox;

/// What is not promised.
const LIMITS: &[&str] = &[
    "clock",
    "randomness",
    "what the network and other programs answer (`network` and `processes` run such tests each time)",
    "race outcomes",
    "line numbers and names of variables, unless `debug-info` is set",
    "times, owners and permissions of files, but for the right to run one",
    "files that tests themselves leave in the build directory",
    "whether a temporary file is there, by a made-up name of 8 digits and more, before a test makes it",
    "what native code reads by itself",
    "the class path as a text (`java.class.path`)",
    "that an archive begins to seal its packages, or to be signed",
    "that a symbolic link to the same content takes the place of a file, for who asks for nothing but where it leads",
    "what the JDK reads once for all tests outside of class directories (archives by `jar:` URLs, tables, login and logging configurations)",
    "what a test changes inside of an object that a framework keeps, or that a test put into a second static collection",
    "static fields of classes that the code does not name which looks at them by reflection",
    "methods of libraries that link `invokedynamic`",
    "what tests leave inside of the JDK and of logging libraries (default locale, log levels, not system properties)",
    "what a test begins to leave for others only with the change, unless other methods than before set a static field",
];

/// The README, `tamis doctor` and this list name the same limits, and no others.
#[test]
fn the_limits_are_those_that_the_doctor_names() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let readme = fs::read_to_string(root.join("README.md")).unwrap();
    let readme: Vec<&str> = readme.split_whitespace().collect();
    let readme = readme.join(" ");
    let (_, promised) = readme.split_once("Not promised: ").unwrap();
    let (limits, _) = promised.split_once(". ").unwrap();
    assert_eq!(limits.split("; ").collect::<Vec<_>>(), LIMITS);

    let sandbox = Sandbox::empty();
    let mut command = sandbox.tamis();
    let output = command.args(["doctor", "--format", "json"]).output();
    let output = output.unwrap();
    let document: Value = serde_json::from_slice(&output.stdout).unwrap();
    let mut diagnoses = document["diagnoses"].as_array().unwrap().iter();
    let limits = diagnoses
        .find(|one| one["subject"] == "not tracked")
        .unwrap();
    let limits = limits["text"].as_str().unwrap();
    assert_eq!(limits.split("; ").collect::<Vec<_>>(), LIMITS);
}

#[test]
fn the_changes_of_the_bundled_program() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let sandbox = Sandbox::empty();
    for version in ["before", "after"] {
        let sources = root.join("examples/shop").join(version).join("shop");
        let sources = files_in(&sources, "java");
        compile(
            &newest_jdk().unwrap(),
            &[],
            &sources,
            &sandbox.path(version),
        );
    }
    let shown = sandbox.run(["class", "diff", "before", "after"]);
    let (_, data) = shown.split_once("--- stdout\n").unwrap();
    let (data, talk) = data.split_once("--- stderr\n").unwrap();
    assert_eq!(talk, "");
    let excerpt = format!("```console\n$ tamis class diff before after\n{data}```\n");
    let readme = fs::read_to_string(root.join("README.md")).unwrap();
    assert!(
        readme.contains(&excerpt),
        "README.md lacks this:\n{excerpt}"
    );
}
