//! `cargo xtask demo`: Tamis at work on a small bundled project of Maven's.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, ensure};
use walkdir::WalkDir;

use crate::command::{no_arguments, run as run_command};
use crate::metadata::Metadata;
use crate::setup;

/// The bundled project: two modules, with tests of JUnit 4 and JUnit 5.
const EXAMPLE: &str = "examples/market";

/// One method of it, as it is and as it becomes.
const FILE: &str = "stock/src/main/java/market/stock/Labels.java";
const BEFORE: &str = "item.price() / 100";
const AFTER: &str = "item.price() / 10 / 10";

/// Sets up, builds Tamis, and runs the tests of the example three times: all of them, none, and those that a change
/// can affect.
pub(crate) fn run(arguments: &[String]) -> Result<()> {
    no_arguments(arguments)?;
    let (workplace, jdks) = setup::for_demo()?;
    let jdk = jdks.last().context("a set-up machine has a JDK")?;
    println!("Using JDK {} in {}.", jdk.version, jdk.home.display());

    run_command(&mut workplace.cargo(&["build", "--release", "--package", "tamis"])?)?;
    let target = Metadata::load(&workplace)?.target_directory()?;
    let project = target.join("demo");
    copy_fresh(&workplace.root.join(EXAMPLE), &project)?;
    let tamis = |arguments: &[&str]| -> Result<Command> {
        let mut command = workplace.command(target.join("release/tamis"))?;
        command
            .args(arguments)
            .current_dir(&project)
            .env("JAVA_HOME", &jdk.home);
        Ok(command)
    };
    let test = || run_command(&mut tamis(&["test", "--", "--batch-mode", "--quiet"])?);

    println!("\nThe tests of {EXAMPLE}, for the first time; Maven is told to be quiet:\n");
    test()?;
    println!("\nThe same again, with nothing changed:\n");
    test()?;
    println!("\nA method of Labels is changed, `{BEFORE}` to `{AFTER}`:\n");
    edit(&project.join(FILE))?;
    test()?;
    println!("\nWho depends on that class?\n");
    run_command(&mut tamis(&["what", "market.stock.Labels"])?)?;
    println!(
        "\nTry it on a project of your own: {} test",
        target.join("release/tamis").display()
    );
    Ok(())
}

fn edit(file: &Path) -> Result<()> {
    let text = fs::read_to_string(file)?;
    ensure!(
        text.contains(BEFORE),
        "{} is not as expected",
        file.display()
    );
    Ok(fs::write(file, text.replace(BEFORE, AFTER))?)
}

/// Copies a folder in place of what was there; the example itself stays as it is.
fn copy_fresh(from: &Path, to: &Path) -> Result<()> {
    if to.exists() {
        fs::remove_dir_all(to)?;
    }
    for entry in WalkDir::new(from) {
        let entry = entry?;
        let target = to.join(entry.path().strip_prefix(from)?);
        if entry.file_type().is_dir() {
            fs::create_dir_all(target)?;
        } else {
            fs::copy(entry.path(), target)?;
        }
    }
    Ok(())
}
