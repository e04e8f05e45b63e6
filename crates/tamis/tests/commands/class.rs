//! `tamis class`.

use insta::assert_snapshot;

use crate::fixtures::jar_of;
use crate::sandbox::{Sandbox, redact, shown};

fn check(arguments: &str) -> String {
    Sandbox::with_fixtures().run(arguments.split(' '))
}

#[test]
fn a_single_class_is_shown_with_its_members() {
    assert_snapshot!(check("class before/shop/Basket.class"));
}

#[test]
fn many_classes_are_listed() {
    assert_snapshot!(check("class before"));
}

#[test]
fn several_places_are_named() {
    assert_snapshot!(check("class before/shop/Old.class after"));
}

#[test]
fn one_class_of_many_by_its_simple_name() {
    assert_snapshot!(check("class before --class Priced"));
}

#[test]
fn blocks_and_ways_of_one_method() {
    assert_snapshot!(check(
        "class before --class shop.Basket --method add --blocks"
    ));
}

#[test]
fn uses_of_one_method() {
    assert_snapshot!(check(
        "class before --class shop/Basket --method print()V --uses"
    ));
}

#[test]
fn members_of_many_and_a_line_for_one_on_request() {
    assert_snapshot!(check("class after/shop/New.class --show classes"));
    assert_snapshot!(check("class after --show members --method <init>"));
}

#[test]
fn json_holds_everything() {
    assert_snapshot!(check(
        "class before --class Basket --method rebate --blocks --uses --format json"
    ));
}

#[test]
fn json_of_a_class_with_fields() {
    assert_snapshot!(check("class before/shop/Coupon.class --format json"));
}

#[test]
fn debug_info_changes_the_smart_checksum_on_request_only() {
    let sandbox = Sandbox::with_fixtures();
    let both = [
        "class",
        "before/shop/Priced.class",
        "after/shop/Priced.class",
    ];
    assert_snapshot!(sandbox.run(both));
    assert_snapshot!(sandbox.run(both.into_iter().chain(["--debug-info"])));
}

#[test]
fn a_name_that_nobody_has() {
    assert_snapshot!(check("class before --class shop.Baskt"));
    assert_snapshot!(check("class before --method prise"));
    assert_snapshot!(check("class nowhere before --class Nobody --format json"));
}

#[test]
fn help() {
    assert_snapshot!(check("--help"));
    assert_snapshot!(check("class --help"));
    assert_snapshot!(check("class -h"));
}

#[test]
fn the_version() {
    assert_snapshot!(check("--version"));
}

#[test]
fn wrong_use() {
    assert_snapshot!(check("class"));
    assert_snapshot!(check("class before --format xml"));
    assert_snapshot!(check("klass before"));
}

#[test]
fn a_directory_called_diff_can_be_named() {
    let sandbox = Sandbox::empty();
    sandbox.write(
        "diff/Old.class",
        &Sandbox::with_fixtures().read("before/shop/Old.class"),
    );
    assert_snapshot!(sandbox.run(["class", "./diff"]));
}

/// The variants of a multi-release jar are classes of their own.
#[test]
fn a_multi_release_jar() {
    let sandbox = Sandbox::with_fixtures();
    let class = sandbox.read("after/shop/Level.class");
    sandbox.write("before/META-INF/versions/9/shop/Level.class", &class);
    jar_of(&sandbox, "before");
    assert_snapshot!(sandbox.run(["class", "before.jar"]));
    assert_snapshot!(sandbox.run(["class", "diff", "before.jar", "after"]));
}

#[test]
fn colours_only_add() {
    let sandbox = Sandbox::with_fixtures();
    let arguments = ["class", "before", "nowhere"];
    let mut coloured = sandbox.tamis();
    coloured.args(arguments).env("CLICOLOR_FORCE", "1");
    let coloured = shown(coloured);
    assert!(coloured.contains("\u{1b}["), "{coloured}");
    let mut without = coloured.clone();
    while let Some(start) = without.find("\u{1b}[") {
        let end = without[start..].find('m').unwrap();
        without.replace_range(start..=start + end, "");
    }
    assert_eq!(redact(&without), sandbox.run(arguments));

    let mut refused = sandbox.tamis();
    refused
        .args(arguments)
        .env("CLICOLOR_FORCE", "1")
        .env("NO_COLOR", "1");
    assert_eq!(shown(refused), sandbox.run(arguments));
}
