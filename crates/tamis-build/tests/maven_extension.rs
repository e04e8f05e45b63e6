//! The classes of the extension for Maven that lie in the repository are those that its sources make.

#![expect(clippy::unwrap_used, reason = "the whole crate is tests")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, ffi};

use tamis_build::Jdk;
use tamis_testkit::jdks::jdks;
use tamis_testkit::maven::artifacts;

/// The oldest Maven that loads the extension, so that it links to any later one.
const CLASS_PATH: &[&str] = &[
    "javax.inject:javax.inject:1",
    "org.apache.maven:maven-artifact:3.2.5",
    "org.apache.maven:maven-core:3.2.5",
    "org.apache.maven:maven-model:3.2.5",
    "org.apache.maven:maven-plugin-api:3.2.5",
    "org.codehaus.plexus:plexus-utils:3.0.20",
];

/// Other compilers make other bytes of the same sources.
const COMPILER: u32 = 17;

/// When it is set, the classes are written instead of compared.
const UPDATE: &str = "TAMIS_UPDATE_CLASSES";

fn sources() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("java/maven")
}

/// The files in a directory that end so, sorted, from `tamis/maven` on.
fn files(root: &Path, extension: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(root.join("tamis/maven")).unwrap();
    let names = entries.map(|entry| PathBuf::from(entry.unwrap().file_name()));
    let has_extension = |name: &PathBuf| name.extension() == Some(ffi::OsStr::new(extension));
    let mut files: Vec<_> = names
        .filter(has_extension)
        .map(|name| Path::new("tamis/maven").join(name))
        .collect();
    files.sort();
    files
}

fn compile(jdk: &Jdk, out: &Path) {
    let class_path = env::join_paths(artifacts(CLASS_PATH).unwrap()).unwrap();
    let mut javac = Command::new(jdk.javac());
    javac
        .current_dir(sources())
        .args(["--release", "8", "-g:none", "-proc:none", "-Xlint:all"])
        .args(["-Xlint:-options", "-Werror", "-cp"])
        .arg(class_path)
        .arg("-d")
        .arg(out)
        .args(files(&sources(), "java"));
    let output = javac.output().unwrap();
    assert!(output.status.success(), "{output:?}");
}

#[test]
fn the_classes_are_those_of_the_sources() {
    let jdks = jdks().unwrap();
    let jdk = jdks.iter().find(|jdk| jdk.feature == COMPILER);
    let jdk = jdk.expect("JDK 17 is needed to compile the extension; name it in TAMIS_JDKS");
    let out = tempfile::tempdir().unwrap();
    compile(jdk, out.path());
    let classes = files(out.path(), "class");
    if env::var_os(UPDATE).is_some() {
        for class in &classes {
            fs::copy(out.path().join(class), sources().join(class)).unwrap();
        }
    }
    assert_eq!(classes, files(&sources(), "class"));
    for class in &classes {
        let [made, kept] = [out.path(), &sources()].map(|root| fs::read(root.join(class)).unwrap());
        let name = class.display();
        assert!(
            made == kept,
            "{name} is not up to date: run this test with {UPDATE}=1"
        );
    }
}
