//! Where and on what was measured, as far as it can be found out.

use std::fs;
use std::num::NonZero;
use std::process::Command;
use std::thread::available_parallelism;

use serde::Serialize;
use tamis_build::Jdk;

#[derive(Debug, Serialize)]
pub(crate) struct Machine {
    pub(crate) cpu: String,
    pub(crate) n_cores: usize,
    pub(crate) jdk: String,
    pub(crate) commit: String,
}

const UNKNOWN: &str = "unknown";

impl Machine {
    pub(crate) fn this(jdk: &Jdk) -> Self {
        Self {
            cpu: cpu().unwrap_or_else(|| UNKNOWN.to_owned()),
            n_cores: available_parallelism().map_or(0, NonZero::get),
            jdk: jdk.version.clone(),
            commit: commit().unwrap_or_else(|| UNKNOWN.to_owned()),
        }
    }
}

/// The kernel and its release.
pub(crate) fn system() -> String {
    let part = |name| fs::read_to_string(format!("/proc/sys/kernel/{name}"));
    match (part("ostype"), part("osrelease")) {
        (Ok(name), Ok(release)) => format!("{} {}", name.trim(), release.trim()),
        _ => UNKNOWN.to_owned(),
    }
}

fn cpu() -> Option<String> {
    let text = fs::read_to_string("/proc/cpuinfo").ok()?;
    let line = text.lines().find(|line| line.starts_with("model name"))?;
    Some(line.split_once(':')?.1.trim().to_owned())
}

/// The commit, with a plus behind it when files that it holds were changed since.
fn commit() -> Option<String> {
    let id = git(&["rev-parse", "--short=12", "HEAD"])?;
    let is_changed = !git(&["status", "--porcelain", "--untracked-files=no"])?.is_empty();
    Some(format!("{id}{}", if is_changed { "+" } else { "" }))
}

fn git(arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").args(arguments).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| text.trim().to_owned())
}
