//! The classes in `tests/fixtures`: two versions of a small program, kept compiled, so that snapshots do not depend on
//! the compiler at hand.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use tamis_build::Jdk;
use tamis_testkit::jdks::{jdks, newest_jdk};

use crate::sandbox::Sandbox;

fn directory(version: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/fixtures")
        .join(version)
        .join("shop")
}

fn files(version: &str, extension: &str) -> Vec<PathBuf> {
    files_in(&directory(version), extension)
}

/// The files in a directory with this extension, sorted.
pub(crate) fn files_in(directory: &Path, extension: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(directory).unwrap();
    let mut files: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
    files.retain(|file| file.extension().is_some_and(|e| e == extension));
    files.sort();
    files
}

/// Copies the classes of a version into a new directory.
pub(crate) fn copy_classes(version: &str, target: &Path) {
    fs::create_dir_all(target).unwrap();
    for file in files(version, "class") {
        fs::copy(&file, target.join(file.file_name().unwrap())).unwrap();
    }
}

/// Puts a directory of the sandbox into a jar of the same name, without compression; the bytes of the jar.
pub(crate) fn jar_of(sandbox: &Sandbox, directory: &str) -> Vec<u8> {
    let name = format!("{directory}.jar");
    let mut jar = Command::new(newest_jdk().unwrap().tool("jar"));
    jar.args(["cf0M", &name, "-C", directory, "."]);
    let output = jar.current_dir(sandbox.path("")).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    sandbox.read(&name)
}

/// `javac -source 8 -target 8 -d tests/fixtures/before tests/fixtures/before/shop/*.java` makes them anew.
#[test]
fn every_compiler_at_hand_makes_of_the_sources_what_is_kept() {
    for jdk in jdks().unwrap() {
        let sandbox = Sandbox::with_fixtures();
        for version in ["before", "after"] {
            let options = ["-nowarn", "-source", "8", "-target", "8"];
            compile(
                &jdk,
                &options,
                &files(version, "java"),
                &sandbox.path("compiled"),
            );
            let shown = sandbox.run(["class", "diff", version, "compiled"]);
            assert!(shown.contains("exit code: 0\n"), "{jdk:?}: {shown}");
            fs::remove_dir_all(sandbox.path("compiled")).unwrap();
        }
    }
}

/// Compiles sources into a new directory.
pub(crate) fn compile(jdk: &Jdk, options: &[&str], sources: &[PathBuf], target: &Path) {
    fs::create_dir_all(target).unwrap();
    let mut javac = Command::new(jdk.javac());
    javac.args(options).arg("-d").arg(target).args(sources);
    let output = javac.output().unwrap();
    assert!(output.status.success(), "{jdk:?}: {output:?}");
}
