//! Input that is damaged, huge, forbidden or gone: a clear message, the right exit code, and nothing lost.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::Read as _;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::PermissionsExt as _;
use std::process::Stdio;

use insta::assert_snapshot;

use crate::fixtures::jar_of;
use crate::sandbox::{Sandbox, shown};

#[test]
fn an_empty_file() {
    let sandbox = Sandbox::with_fixtures();
    sandbox.write("before/shop/Empty.class", b"");
    assert_snapshot!(sandbox.run(["class", "before/shop/Empty.class"]));
    assert_snapshot!(sandbox.run(["class", "before"]));
}

#[test]
fn a_class_truncated_at_every_byte() {
    let sandbox = Sandbox::with_fixtures();
    let class = sandbox.read("before/shop/Basket.class");
    for length in 0..class.len() {
        sandbox.write(format!("cut/{length:04}.class"), &class[..length]);
    }
    sandbox.write("cut/whole.class", &class);
    let shown = sandbox.run(["class", "cut"]);
    assert!(shown.contains("exit code: 65\n"), "{shown}");
    for length in 0..class.len() {
        let row = format!("{length:04}.class is not understood: ");
        assert_eq!(shown.matches(&row).count(), 1, "of {length} bytes");
    }
    assert!(shown.contains("shop.Basket (in whole)"), "{shown}");
    let (n_cut, without_commas) = (class.len(), shown.replace(',', ""));
    assert!(without_commas.contains(&format!("\n{} classes ", n_cut + 1)));
    assert!(without_commas.contains(&format!("; {n_cut} not understood\n")));
}

fn position(bytes: &[u8], wanted: &[u8]) -> usize {
    bytes
        .windows(wanted.len())
        .position(|window| window == wanted)
        .unwrap()
}

#[test]
fn a_class_inside_a_corrupt_jar() {
    let sandbox = Sandbox::with_fixtures();
    let mut bytes = jar_of(&sandbox, "before");
    let class = sandbox.read("before/shop/Level.class");
    let start = position(&bytes, &class);
    bytes[start + 20] ^= 0xff;
    sandbox.write("corrupt.jar", &bytes);
    let shown = sandbox.run(["class", "corrupt.jar"]);
    let crc = position(shown.as_bytes(), b"its CRC-32 is");
    assert_snapshot!(shown.replace(&shown[crc + 14..crc + 22], "[actual]"));
}

#[test]
fn a_jar_whose_end_is_missing() {
    let sandbox = Sandbox::with_fixtures();
    let bytes = jar_of(&sandbox, "before");
    sandbox.write("short.jar", &bytes[..bytes.len() / 2]);
    assert_snapshot!(sandbox.run(["class", "short.jar", "before/shop/Old.class"]));
}

/// What an archive's damaged directory does not list any more must not be called deleted.
#[test]
fn a_jar_that_lists_less_than_it_announces_is_not_a_jar_with_deleted_classes() {
    let sandbox = Sandbox::with_fixtures();
    let mut bytes = jar_of(&sandbox, "before");
    let last = bytes
        .windows(4)
        .rposition(|window| window == b"PK\x01\x02")
        .unwrap();
    bytes[last] = b'X';
    sandbox.write("broken.jar", &bytes);
    assert_snapshot!(sandbox.run(["class", "diff", "before.jar", "broken.jar"]));
}

#[test]
fn a_file_of_200_megabytes() {
    let sandbox = Sandbox::with_fixtures();
    let huge = File::create(sandbox.path("before/shop/Huge.class")).unwrap();
    huge.set_len(200 << 20).unwrap();
    assert_snapshot!(sandbox.run(["class", "before"]));
    assert_snapshot!(sandbox.run(["class", "before/shop/Huge.class"]));
}

#[test]
fn a_directory_without_read_permission() {
    let sandbox = Sandbox::with_fixtures();
    sandbox.write(
        "after/secret/Secret.class",
        &sandbox.read("after/shop/New.class"),
    );
    sandbox.write(
        "before/secret/Secret.class",
        &sandbox.read("after/shop/New.class"),
    );
    let permissions = |mode| {
        let permissions = fs::Permissions::from_mode(mode);
        fs::set_permissions(sandbox.path("after/secret"), permissions).unwrap();
    };
    permissions(0o000);
    let mut class = sandbox.tamis_without_privileges();
    class.args(["class", "after"]);
    let class = shown(class);
    let mut diff = sandbox.tamis_without_privileges();
    diff.args(["class", "diff", "before", "after"]);
    let diff = shown(diff);
    // The sandbox could not be removed by a user who is not root.
    permissions(0o755);
    assert_snapshot!(class);
    assert_snapshot!(diff);
}

#[test]
fn a_missing_path_and_a_good_one() {
    assert_snapshot!(Sandbox::with_fixtures().run([
        "class",
        "nowhere.jar",
        "before/shop/Old.class"
    ]));
}

#[test]
fn a_missing_path_as_json() {
    assert_snapshot!(Sandbox::with_fixtures().run(["class", "nowhere.jar", "--format", "json"]));
}

#[test]
fn a_directory_without_classes() {
    let sandbox = Sandbox::empty();
    sandbox.write("docs/notes.txt", b"hello");
    assert_snapshot!(sandbox.run(["class", "docs"]));
    assert_snapshot!(sandbox.run(["class", "docs/notes.txt"]));
}

#[test]
fn names_that_are_no_utf_8() {
    let sandbox = Sandbox::with_fixtures();
    let class = sandbox.read("before/shop/Old.class");
    for name in [
        b"odd/\xff.class".as_slice(),
        b"odd/\xfe.class",
        b"odd/\x1b[31m.class",
    ] {
        sandbox.write(OsStr::from_bytes(name), &class);
    }
    assert_snapshot!(sandbox.run(["class", "odd"]));
    assert_snapshot!(sandbox.run(["class".as_ref(), OsStr::from_bytes(b"odd/\xff.class")]));
    assert_snapshot!(sandbox.run(["class".as_ref(), OsStr::from_bytes(b"odd/\xfd.class")]));
}

/// A constant pool may name a class by bytes that are no text at all.
#[test]
fn a_class_whose_own_name_is_no_text() {
    let sandbox = Sandbox::with_fixtures();
    let mut class = sandbox.read("before/shop/Old.class");
    let name = position(&class, b"shop/Old");
    class[name..name + 8].copy_from_slice(b"\xff/\\\x1b[1m\0");
    sandbox.write("Odd.class", &class);
    assert_snapshot!(sandbox.run(["class", "Odd.class"]));
    assert_snapshot!(sandbox.run(["class", "Odd.class", "--format", "json"]));
}

#[test]
fn a_reader_that_goes_away_is_no_failure() {
    let sandbox = Sandbox::with_fixtures();
    let mut command = sandbox.tamis();
    command
        .arg("class")
        .args(std::iter::repeat_n("before", 500));
    let mut child = command
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut start = [0; 10];
    // What is still to come is more than a pipe holds, so the program notices that nobody reads it.
    child.stdout.take().unwrap().read_exact(&mut start).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert!(output.stderr.is_empty(), "{output:?}");
}

/// A comparison that nobody reads to its end still tells its result.
#[test]
fn a_reader_that_goes_away_gets_the_right_exit_code() {
    let sandbox = Sandbox::with_fixtures();
    let mut command = sandbox.tamis();
    command.args(["class", "diff", "before", "after"]);
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let status = command
        .stdout(writer)
        .stderr(Stdio::null())
        .status()
        .unwrap();
    assert_eq!(status.code(), Some(1));
}

#[test]
fn an_output_that_is_full() {
    let sandbox = Sandbox::with_fixtures();
    let mut command = sandbox.tamis();
    command
        .args(["class", "before"])
        .stdout(File::create("/dev/full").unwrap());
    let output = command
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
        .wait_with_output()
        .unwrap();
    assert_eq!(output.status.code(), Some(74));
    assert_snapshot!(String::from_utf8(output.stderr).unwrap());
}
