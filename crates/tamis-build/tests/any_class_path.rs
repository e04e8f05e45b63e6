//! Any class path, arguments, name and origin give an answer, and none that has to be believed
//! blindly.

use std::fs;
use std::sync::Arc;

use proptest::prelude::*;
use tamis_build::{ClassPath, FileMatch, Launch};

/// Text made of what has a meaning in paths, URLs, manifests and arguments.
fn text() -> impl Strategy<Value = Vec<u8>> {
    let pieces = prop::sample::select(vec![
        "a",
        "B",
        "/",
        "//",
        ":",
        "*",
        ".",
        "..",
        "!/",
        "/!",
        "!",
        "%",
        "%2F",
        "%zz",
        "=",
        "@",
        "-p",
        " ",
        "jar:",
        "file:",
        "nested:",
        "http:",
        "x.jar",
        "file:x.jar",
        "\"",
        "'",
        "\\",
        "#",
        "\n",
        "\r\n",
        "--module-path",
        "--patch-module=m=",
        "-Xbootclasspath/a:",
        "-javaagent:",
        "\0",
        "\u{e4}",
    ]);
    let pieces = prop::collection::vec(pieces, 0..8);
    let text = pieces.prop_map(|pieces| pieces.concat().into_bytes());
    prop_oneof![4 => text, 1 => prop::collection::vec(any::<u8>(), 0..20)]
}

proptest! {
    #[test]
    fn gives_an_answer(
        class_path in text(),
        arguments in prop::collection::vec(text(), 0..4),
        file in text(),
        name in text(),
        origin in text(),
    ) {
        let dir = tempfile::tempdir().unwrap();
        fs::write(dir.path().join("a"), &file).unwrap();
        fs::write(dir.path().join("x.jar"), &file).unwrap();
        let launch = Launch {
            class_path: &class_path,
            directory: dir.path(),
            arguments: &arguments,
        };
        let class_path = ClassPath::expand(&launch, &Arc::default());
        let name = String::from_utf8_lossy(&name);
        let answer = class_path.find(&name, &origin, |_| false);
        let is_found = matches!(answer, FileMatch::Found { .. });
        prop_assert!(!is_found, "no file was the right one: {:?}", answer);
    }
}
