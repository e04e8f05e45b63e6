//! `tamis class diff`.

use std::fs;

use insta::assert_snapshot;

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
