//! `cargo xtask demo`: Tamis at work on two versions of a small program.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use tamis_build::Jdk;
use walkdir::WalkDir;

use crate::command::{no_arguments, run as run_command};
use crate::metadata::Metadata;
use crate::setup;
use crate::workplace::Workplace;

/// The bundled program; `before` and `after` in it are its two versions.
const EXAMPLE: &str = "examples/shop";

/// Sets up, builds Tamis, compiles the example and shows what Tamis sees in it.
pub(crate) fn run(arguments: &[String]) -> Result<()> {
    no_arguments(arguments)?;
    let (workplace, jdks) = setup::for_demo()?;
    let jdk = jdks.last().context("a set-up machine has a JDK")?;
    println!("Using JDK {} in {}.", jdk.version, jdk.home.display());

    run_command(&mut workplace.cargo(&["build", "--release", "--package", "tamis"])?)?;
    let target = Metadata::load(&workplace)?.target_directory()?;
    let tamis = target.join("release/tamis");
    let before = compile(&workplace, jdk, "before", &target)?;
    let after = compile(&workplace, jdk, "after", &target)?;

    println!("\nWhat Tamis sees in the compiled classes:\n");
    run_command(workplace.command(&tamis)?.arg("class").arg(&before))?;
    println!("\nWhat changed between the two versions:\n");
    run_command(
        workplace
            .command(&tamis)?
            .args(["class", "diff"])
            .args([before, after]),
    )
}

/// Compiles one version of the example into a fresh directory, which it returns.
fn compile(workplace: &Workplace, jdk: &Jdk, version: &str, target: &Path) -> Result<PathBuf> {
    let classes = target.join("demo").join(version);
    if classes.exists() {
        fs::remove_dir_all(&classes)?;
    }
    fs::create_dir_all(&classes)?;
    let sources = java_files(&workplace.root.join(EXAMPLE).join(version))?;
    let mut command = workplace.command(jdk.javac())?;
    run_command(command.arg("-d").arg(&classes).args(sources))?;
    Ok(classes)
}

fn java_files(directory: &Path) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for entry in WalkDir::new(directory).sort_by_file_name() {
        let path = entry?.into_path();
        if path.extension() == Some(OsStr::new("java")) {
            files.push(path);
        }
    }
    Ok(files)
}
