//! `cargo xtask setup`: finds, or installs and says so, what the other commands need.
//!
//! On Debian and as root a missing JDK, Maven and valgrind are installed from the distribution's packages;
//! elsewhere the command fails and says what to install. Nothing is ever skipped for want of a tool.

use std::path::PathBuf;

use anyhow::{Context, Result, ensure};
use tamis_build::Jdk;

use crate::command::{no_arguments, output_of, run as run_command, succeeds};
use crate::workplace::Workplace;

/// The JDKs on which everything is meant to work: the releases with long-term support.
const SUPPORTED_JDKS: &[u32] = &[8, 11, 17, 21, 25];

/// Those without which a run in CI proves too little.
const JDKS_IN_CI: &[u32] = &[8, 17, 25];

/// Packages with a JDK, the preferred one first; not every release of Debian has each.
const JDK_PACKAGES: &[&str] = &["openjdk-17-jdk-headless", "default-jdk-headless"];

/// A program beside a checkout that provides JDKs which the distribution does not have.
const GET_JDKS: &str = "../shared/tools/get-jdks";

const CARGO_DENY_VERSION: &str = "0.20.2";

const JDK_HINT: &str =
    "hint: install it, or name the homes of JDKs in TAMIS_JDKS, separated by colons";

/// Sets up for the tests and shows the JDKs.
pub(crate) fn run(arguments: &[String]) -> Result<()> {
    no_arguments(arguments)?;
    for_tests().map(|_| ())
}

/// A workplace with at least one JDK, and Maven.
pub(crate) fn for_demo() -> Result<(Workplace, Vec<Jdk>)> {
    let workplace = Workplace::new()?;
    if workplace.jdks()?.jdks.is_empty() {
        install_jdk(&workplace)?;
    }
    let jdks = workplace.jdks()?.jdks;
    check_jdks(&features(&jdks), &[]).context(JDK_HINT)?;
    ensure_maven(&workplace)?;
    Ok((workplace, jdks))
}

/// A workplace with what counts instructions.
pub(crate) fn for_instructions() -> Result<Workplace> {
    let workplace = Workplace::new()?;
    ensure_valgrind(&workplace)?;
    Ok(workplace)
}

/// A workplace with everything the tests need; prints the JDKs.
pub(crate) fn for_tests() -> Result<Workplace> {
    let mut workplace = Workplace::new()?;
    if workplace.jdks()?.jdks.is_empty() {
        install_jdk(&workplace)?;
    }
    add_jdks_beside_the_checkout(&mut workplace)?;
    print_jdks(&workplace)?;
    let required = if Workplace::is_ci() { JDKS_IN_CI } else { &[] };
    check_jdks(&features(&workplace.jdks()?.jdks), required).context(JDK_HINT)?;
    ensure_maven(&workplace)?;
    ensure_valgrind(&workplace)?;
    ensure_cargo_deny(&workplace)?;
    Ok(workplace)
}

fn features(jdks: &[Jdk]) -> Vec<u32> {
    jdks.iter().map(|jdk| jdk.feature).collect()
}

/// Fails when no JDK was found, or not each of those required.
fn check_jdks(found: &[u32], required: &[u32]) -> Result<()> {
    ensure!(!found.is_empty(), "no JDK was found");
    let missing: Vec<String> = required
        .iter()
        .filter(|feature| !found.contains(feature))
        .map(ToString::to_string)
        .collect();
    ensure!(
        missing.is_empty(),
        "CI=true asks for JDK {}, which was not found",
        missing.join(" and ")
    );
    Ok(())
}

/// Runs the program that provides more JDKs, when it is there and one of ours is missing.
fn add_jdks_beside_the_checkout(workplace: &mut Workplace) -> Result<()> {
    let program = workplace.root.join(GET_JDKS);
    let found = features(&workplace.jdks()?.jdks);
    let complete = SUPPORTED_JDKS.iter().all(|feature| found.contains(feature));
    if complete || !program.is_file() {
        return Ok(());
    }
    eprintln!("Running {GET_JDKS} for more JDKs; the first time it installs them.");
    match output_of(workplace.command("bash")?.arg(&program)) {
        Ok(homes) => workplace.name_jdks(homes.lines().map(PathBuf::from)),
        // Whether those at hand are enough is decided below, by the same rule as without the program.
        Err(error) => eprintln!("Going on with the JDKs at hand: {error:#}"),
    }
    Ok(())
}

fn print_jdks(workplace: &Workplace) -> Result<()> {
    let found = workplace.jdks()?;
    for jdk in &found.jdks {
        let home = jdk.home.display();
        println!("JDK {:<3} {:<14} {home}", jdk.feature, jdk.version);
    }
    for error in found.unusable {
        println!("unusable: {:#}", anyhow::Error::from(error));
    }
    Ok(())
}

fn install_jdk(workplace: &Workplace) -> Result<()> {
    install_any_jdk(workplace)
        .context("no JDK was found, and none could be installed")
        .context(JDK_HINT)
}

/// Tries the packages one after the other.
fn install_any_jdk(workplace: &Workplace) -> Result<()> {
    check_can_install(workplace)?;
    let mut packages = JDK_PACKAGES.iter();
    let installed = packages.any(|package| install(workplace, "JDK", package).is_ok());
    ensure!(
        installed,
        "none of {} can be installed",
        JDK_PACKAGES.join(", ")
    );
    Ok(())
}

fn ensure_maven(workplace: &Workplace) -> Result<()> {
    if has_maven(workplace)? {
        return Ok(());
    }
    install_maven(workplace)
        .context("Maven was not found, and could not be installed")
        .context("hint: put a working `mvn` on the PATH")
}

fn install_maven(workplace: &Workplace) -> Result<()> {
    check_can_install(workplace)?;
    install(workplace, "Maven", "maven")?;
    ensure!(
        has_maven(workplace)?,
        "`mvn --version` fails after the installation"
    );
    Ok(())
}

fn has_maven(workplace: &Workplace) -> Result<bool> {
    Ok(succeeds(workplace.command("mvn")?.arg("--version")))
}

fn ensure_valgrind(workplace: &Workplace) -> Result<()> {
    if has_valgrind(workplace)? {
        return Ok(());
    }
    install_valgrind(workplace)
        .context("valgrind was not found, and could not be installed")
        .context("hint: put a working `valgrind` on the PATH")
}

fn install_valgrind(workplace: &Workplace) -> Result<()> {
    check_can_install(workplace)?;
    install(workplace, "valgrind", "valgrind")?;
    ensure!(
        has_valgrind(workplace)?,
        "`valgrind --version` fails after the installation"
    );
    Ok(())
}

fn has_valgrind(workplace: &Workplace) -> Result<bool> {
    Ok(succeeds(workplace.command("valgrind")?.arg("--version")))
}

fn ensure_cargo_deny(workplace: &Workplace) -> Result<()> {
    if succeeds(&mut workplace.cargo(&["deny", "--version"])?) {
        return Ok(());
    }
    eprintln!("Installing cargo-deny {CARGO_DENY_VERSION}; this takes some minutes.");
    let arguments = [
        "install",
        "cargo-deny",
        "--locked",
        "--version",
        CARGO_DENY_VERSION,
    ];
    run_command(&mut workplace.cargo(&arguments)?)
}

/// Fails with the reason where packages cannot be installed.
fn check_can_install(workplace: &Workplace) -> Result<()> {
    ensure!(
        succeeds(workplace.command("apt-get")?.arg("--version")),
        "this command installs packages on Debian only"
    );
    let user = output_of(workplace.command("id")?.arg("-u"))?;
    ensure!(
        user.trim() == "0",
        "this command installs packages as root only"
    );
    Ok(())
}

/// Installs a package of Debian, and says so.
fn install(workplace: &Workplace, what: &str, package: &str) -> Result<()> {
    eprintln!("No {what} was found: installing the package {package}.");
    run_command(workplace.command("apt-get")?.args(["update", "-qq"]))?;
    let mut command = workplace.command("apt-get")?;
    command.env("DEBIAN_FRONTEND", "noninteractive");
    run_command(command.args(["install", "-y", "-qq", "--no-install-recommends", package]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_jdk_is_enough_where_none_is_required() {
        assert!(check_jdks(&[11], &[]).is_ok());
        assert!(check_jdks(&[], &[]).is_err());
    }

    #[test]
    fn missing_jdks_are_named() {
        assert!(check_jdks(&[8, 11, 17, 25], JDKS_IN_CI).is_ok());
        let error = check_jdks(&[11, 17], JDKS_IN_CI).unwrap_err().to_string();
        assert!(
            error.starts_with("CI=true asks for JDK 8 and 25, which"),
            "{error}"
        );
    }
}
