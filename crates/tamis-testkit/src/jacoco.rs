//! JaCoCo, the coverage tool that most builds have: its agent beside ours, and what it says was covered.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

use anyhow::{Context, Result, ensure};
use tamis_build::Jdk;

use crate::java_side::target_options;
use crate::maven::{artifact, class_path};
use crate::place::{content_key, folder_once};
use crate::suite_library::succeed;

const AGENT: &str = "org.jacoco:org.jacoco.agent:0.8.14:runtime";
const CORE: &str = "org.jacoco:org.jacoco.core:0.8.14";
const SOURCE: &str = include_str!("../java/tamis/suite/Covered.java");

/// What JaCoCo says of the methods of some classes, as `shop/Cart.total(I)I`.
#[derive(Debug, Default)]
pub struct Coverage {
    pub covered: BTreeSet<String>,
    /// Methods that it knows of and says did not run.
    pub not_covered: BTreeSet<String>,
}

/// The JVM option that loads JaCoCo's agent; it writes `file` when the JVM ends.
pub fn agent_option(file: &Path) -> Result<String> {
    let agent = artifact(AGENT)?;
    Ok(format!(
        "-javaagent:{}=destfile={}",
        agent.display(),
        file.display()
    ))
}

/// Reads what the agent wrote about the classes in these folders.
pub fn coverage(jdk: &Jdk, file: &Path, folders: &[PathBuf]) -> Result<Coverage> {
    let mut path = class_path(&[CORE])?;
    path.push(program(jdk, &path)?);
    let output = Command::new(jdk.java())
        .arg("-classpath")
        .arg(env::join_paths(path)?)
        .arg("tamis.suite.Covered")
        .arg(file)
        .args(folders)
        .env_remove("JAVA_TOOL_OPTIONS")
        .output()?;
    ensure!(
        output.status.success(),
        "JaCoCo cannot read what its agent wrote: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    let mut coverage = Coverage::default();
    for line in String::from_utf8(output.stdout)?.lines() {
        let (verdict, method) = line.split_once(' ').context("a verdict and a method")?;
        match verdict {
            "covered" => coverage.covered.insert(method.to_owned()),
            _ => coverage.not_covered.insert(method.to_owned()),
        };
    }
    Ok(coverage)
}

fn program(jdk: &Jdk, core: &[PathBuf]) -> Result<PathBuf> {
    let name = format!("suite-runners/{}", content_key(&(SOURCE, CORE)));
    folder_once(&name, |dir| {
        let file = dir.join("Covered.java");
        fs::write(&file, SOURCE)?;
        let mut command = Command::new(jdk.javac());
        command
            .args(target_options(jdk, 8))
            .args(["-nowarn", "-classpath"])
            .arg(env::join_paths(core)?)
            .arg("-d")
            .arg(dir)
            .arg(file);
        succeed(&mut command)
    })
}
