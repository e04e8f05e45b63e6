//! What the README shows is what the program prints.

use std::fs;
use std::path::Path;

use tamis_testkit::jdks::newest_jdk;

use crate::fixtures::{compile, files_in};
use crate::sandbox::Sandbox;

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
