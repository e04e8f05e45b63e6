//! Runs a program in a JVM of its own, every class verified, the JDK's too. Slower than
//! [`JavaServer::run`] and closer to how a user's program runs.
//!
//! [`JavaServer::run`]: crate::server::JavaServer::run

use std::path::Path;
use std::process::Command;
use std::{env, fs};

use anyhow::{Context, Result};
use tamis_build::Jdk;

use crate::java_side;
use crate::server::{Classes, Launch, Run};

/// What makes a JVM verify every class; `-Xverify:all` says the same but is deprecated.
pub const VERIFY_ALL: [&str; 3] = [
    "-XX:+UnlockDiagnosticVMOptions",
    "-XX:+BytecodeVerificationLocal",
    "-XX:+BytecodeVerificationRemote",
];

/// Runs the program with assertions on. `thrown` of the result is all that went to standard error.
pub fn run(jdk: &Jdk, launch: &Launch<'_>, jvm_options: &[&str]) -> Result<Run> {
    let dir = tempfile::tempdir()?;
    write_classes(launch.classes, dir.path())?;
    let marks = dir.path().join("marks");
    let mut path = vec![dir.path().to_path_buf()];
    path.extend_from_slice(launch.path);
    path.push(java_side::classes(jdk)?);
    let output = Command::new(jdk.java())
        .args(VERIFY_ALL)
        .args([
            "-XX:+UseSerialGC",
            "-ea",
            "-Dfile.encoding=UTF-8",
            "-Duser.language=en",
        ])
        .args(jvm_options)
        .arg("-classpath")
        .arg(env::join_paths(path)?)
        .args(["tamis.testkit.Runner", launch.main])
        .arg(&marks)
        .env_remove("JAVA_TOOL_OPTIONS")
        .output()
        .with_context(|| format!("cannot start {}", jdk.java().display()))?;
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    let marks = fs::read_to_string(&marks)
        .with_context(|| format!("{} did not run to its end: {said}", launch.main))?;
    let (hits, events): (Vec<_>, Vec<_>) = marks.lines().partition(|line| line.starts_with("hit "));
    Ok(Run {
        stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
        thrown: said,
        hits: hits
            .iter()
            .map(|line| Ok(line[4..].parse()?))
            .collect::<Result<_>>()?,
        events: events.into_iter().map(str::to_owned).collect(),
    })
}

/// Writes classes where a class path finds them.
pub fn write_classes(classes: &Classes, dir: &Path) -> Result<()> {
    for (name, class) in classes {
        let path = dir.join(format!("{name}.class"));
        fs::create_dir_all(path.parent().context("a class lies in a folder")?)?;
        fs::write(path, class)?;
    }
    Ok(())
}
