//! The Java half of this crate, `java/`: compiled when a test first needs it, kept until a source
//! changes.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

use anyhow::{Context, Result, ensure};
use tamis_build::Jdk;

use crate::corpus::ORACLE;
use crate::maven::artifacts;
use crate::place::{content_key, folder_once};

macro_rules! source {
    ($path:literal) => {
        ($path, include_str!(concat!("../java/", $path)))
    };
}

/// The sources, by path below `java/`.
const SOURCES: &[(&str, &str)] = &[
    source!("tamis/H0.java"),
    source!("tamis/T.java"),
    source!("tamis/testkit/Blocks.java"),
    source!("tamis/testkit/Compiler.java"),
    source!("tamis/testkit/Linker.java"),
    source!("tamis/testkit/Probes.java"),
    source!("tamis/testkit/Runner.java"),
    source!("tamis/testkit/Running.java"),
    source!("tamis/testkit/Server.java"),
    source!("tamis/testkit/Text.java"),
    source!("tamis/testkit/UnusedLabels.java"),
];

/// The folder with the compiled classes: the server, the runner, the holder `tamis/H0` and the
/// bracket's `tamis/T`. They run on Java 8 and later, whichever JDK compiled them.
pub fn classes(jdk: &Jdk) -> Result<PathBuf> {
    let name = format!("classes/{}", content_key(&(SOURCES, ORACLE)));
    folder_once(&name, |dir| compile(jdk, dir))
}

/// The same folder with ASM behind it, as a class path.
pub fn server_class_path(jdk: &Jdk) -> Result<std::ffi::OsString> {
    let mut path = vec![classes(jdk)?];
    path.extend(artifacts(ORACLE)?);
    Ok(env::join_paths(path)?)
}

/// What a JDK's `javac` calls Java 8.
pub(crate) fn target_options(jdk: &Jdk, release: u32) -> Vec<String> {
    let release = release.to_string();
    if jdk.feature < 9 {
        vec!["-source".into(), release.clone(), "-target".into(), release]
    } else {
        vec!["--release".into(), release]
    }
}

fn compile(jdk: &Jdk, dir: &Path) -> Result<()> {
    let sources = tempfile::tempdir()?;
    let mut command = Command::new(jdk.javac());
    command
        .args(target_options(jdk, 8))
        .args(["-encoding", "UTF-8", "-proc:none", "-nowarn"]);
    command
        .arg("-classpath")
        .arg(env::join_paths(artifacts(ORACLE)?)?)
        .arg("-d")
        .arg(dir);
    for (name, text) in SOURCES {
        let path = sources.path().join(name);
        fs::create_dir_all(path.parent().context("a source lies in a package")?)?;
        fs::write(&path, text)?;
        command.arg(path);
    }
    let output = command
        .output()
        .with_context(|| format!("cannot start {}", jdk.javac().display()))?;
    ensure!(
        output.status.success(),
        "cannot compile the Java side of the test kit:\n{}{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
    Ok(())
}
