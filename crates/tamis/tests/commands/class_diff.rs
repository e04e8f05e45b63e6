//! `tamis class diff`.

use std::fs;
use std::path::PathBuf;

use insta::assert_snapshot;
use tamis_testkit::jdks::jdks;

use crate::fixtures::compile;
use crate::sandbox::Sandbox;

fn check(arguments: &str) -> String {
    Sandbox::with_fixtures().run(arguments.split(' '))
}

#[test]
fn changes_by_class_and_member() {
    assert_snapshot!(check("class diff before after"));
}

#[test]
fn changes_as_json() {
    assert_snapshot!(check("class diff before after --format json"));
}

#[test]
fn a_comment_is_no_change() {
    assert_snapshot!(check(
        "class diff before/shop/Priced.class after/shop/Priced.class"
    ));
}

#[test]
fn a_comment_is_a_change_where_line_numbers_count() {
    assert_snapshot!(check(
        "class diff before/shop/Priced.class after/shop/Priced.class --debug-info"
    ));
}

#[test]
fn two_class_files_are_compared_whatever_their_names() {
    assert_snapshot!(check(
        "class diff before/shop/Old.class after/shop/New.class"
    ));
}

#[test]
fn a_class_file_is_not_compared_with_a_directory() {
    assert_snapshot!(check("class diff before/shop/Old.class after"));
}

#[test]
fn from_nothing() {
    let sandbox = Sandbox::with_fixtures();
    fs::create_dir(sandbox.path("empty")).unwrap();
    assert_snapshot!(sandbox.run(["class", "diff", "empty", "before"]));
    assert_snapshot!(sandbox.run(["class", "diff", "empty", "empty"]));
}

#[test]
fn both_sides_are_named_when_both_are_missing() {
    assert_snapshot!(check("class diff nowhere neither"));
}

#[test]
fn a_class_that_is_not_understood_counts_as_a_whole() {
    let sandbox = Sandbox::with_fixtures();
    let mut class = sandbox.read("after/shop/Level.class");
    class.truncate(100);
    sandbox.write("after/shop/Level.class", &class);
    sandbox.write("before/shop/Same.class", b"no class");
    sandbox.write("after/shop/Same.class", b"no class");
    assert_snapshot!(sandbox.run(["class", "diff", "before", "after"]));
}

#[test]
fn help() {
    assert_snapshot!(check("class diff --help"));
}

#[test]
fn wrong_use() {
    assert_snapshot!(check("class diff before"));
    assert_snapshot!(check("class before diff after"));
}

/// Two sides that extend a library, compiled for the oldest JDK found.
fn sides_and_library() -> Sandbox {
    let sandbox = Sandbox::empty();
    let jdk = jdks().unwrap().remove(0);
    let base = "package base; public class Base {
        public int f() { return 1; }
        public static int s() { return 2; }
        public int x;
    }";
    let leaf = "package shop; public class Leaf extends Mid { }";
    let old = "package shop; public class Mid extends base.Base { public int g() { return 3; } }";
    let new = "package shop; public class Mid extends base.Base {
        public int f() { return 4; }
        public static int s() { return 5; }
        public int x;
    }";
    let sides = [
        ("library", vec![("base/Base", base)]),
        ("old", vec![("shop/Leaf", leaf), ("shop/Mid", old)]),
        ("new", vec![("shop/Leaf", leaf), ("shop/Mid", new)]),
    ];
    let library = sandbox.path("library");
    for (side, sources) in sides {
        let sources = sources.iter().map(|(name, text)| {
            let file = format!("src-{side}/{name}.java");
            sandbox.write(&file, text.as_bytes());
            sandbox.path(file)
        });
        let sources: Vec<PathBuf> = sources.collect();
        let options = ["-g", "-classpath", library.to_str().unwrap()];
        compile(&jdk, &options, &sources, &sandbox.path(side));
    }
    sandbox
}

#[test]
fn look_ups_that_find_something_else() {
    let sandbox = sides_and_library();
    let diff = |more: &str| {
        let arguments = format!("class diff old new {more}");
        sandbox.run(arguments.split_whitespace())
    };
    assert_snapshot!(diff("--library library"));
    assert_snapshot!(diff("--library library --format json"));
    // What the library has is not seen: it may have these methods and fields.
    assert_snapshot!(diff(""));
    assert_snapshot!(diff("--library nowhere"));
}

#[test]
fn look_ups_through_a_class_that_is_not_understood() {
    let sandbox = sides_and_library();
    sandbox.write("library/base/Base.class", b"no class");
    assert_snapshot!(sandbox.run(["class", "diff", "old", "new", "--library", "library"]));
}
