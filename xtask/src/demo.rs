//! `cargo xtask demo`: Tamis at work on two versions of a small program.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};
use tamis_build::Jdk;
use walkdir::WalkDir;

use crate::command::{no_arguments, run as run_command, run_expecting};
use crate::metadata::Metadata;
use crate::setup;
use crate::workplace::Workplace;

/// The bundled program; `before` and `after` in it are its two versions.
const EXAMPLE: &str = "examples/shop";

/// What `tamis class diff` returns when something changed, as it must here.
const DIFFERENT: i32 = 1;

/// Sets up, builds Tamis, compiles the example and shows what Tamis sees in it.
pub(crate) fn run(arguments: &[String]) -> Result<()> {
    no_arguments(arguments)?;
    let (workplace, jdks) = setup::for_demo()?;
    let jdk = jdks.last().context("a set-up machine has a JDK")?;
    println!("Using JDK {} in {}.", jdk.version, jdk.home.display());

    run_command(&mut workplace.cargo(&["build", "--release", "--package", "tamis"])?)?;
    let target = Metadata::load(&workplace)?.target_directory()?;
    let classes = target.join("demo");
    for version in ["before", "after"] {
        compile(&workplace, jdk, version, &classes)?;
    }
    let tamis = |arguments: &[&str]| -> Result<Command> {
        let mut command = workplace.command(target.join("release/tamis"))?;
        command.args(arguments).current_dir(&classes);
        Ok(command)
    };
    show_classes(&tamis)?;
    show_changes(&tamis)?;
    let program = target.join("release/tamis");
    println!(
        "\nTry it on classes of your own: {} class --help",
        program.display()
    );
    Ok(())
}

/// A `tamis` with arguments, run where the compiled versions are.
type Tamis<'t> = dyn Fn(&[&str]) -> Result<Command> + 't;

fn show_classes(tamis: &Tamis<'_>) -> Result<()> {
    println!("\nWhat Tamis sees in the compiled classes:\n");
    run_command(&mut tamis(&["class", "before"])?)?;
    println!("\nOne method of one class, with its blocks and the ways between them:\n");
    let of_one = [
        "class", "before", "--class", "Cart", "--method", "rebate", "--blocks",
    ];
    run_command(&mut tamis(&of_one)?)
}

fn show_changes(tamis: &Tamis<'_>) -> Result<()> {
    println!("\nWhat changed between the two versions; see examples/shop for what was edited:\n");
    run_expecting(
        &mut tamis(&["class", "diff", "before", "after"])?,
        DIFFERENT,
    )
}

/// Compiles one version of the example into a fresh directory of its name in `target`.
fn compile(workplace: &Workplace, jdk: &Jdk, version: &str, target: &Path) -> Result<()> {
    let classes = target.join(version);
    if classes.exists() {
        fs::remove_dir_all(&classes)?;
    }
    fs::create_dir_all(&classes)?;
    let sources = java_files(&workplace.root, &format!("{EXAMPLE}/{version}"))?;
    let mut command = workplace.command(jdk.javac())?;
    run_command(command.arg("-d").arg(&classes).args(sources))
}

/// The source files in a directory of the repository, as paths inside the repository.
fn java_files(root: &Path, directory: &str) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for entry in WalkDir::new(root.join(directory)).sort_by_file_name() {
        let path = entry?.into_path();
        if path.extension() == Some(OsStr::new("java")) {
            files.push(path.strip_prefix(root)?.to_path_buf());
        }
    }
    Ok(files)
}
