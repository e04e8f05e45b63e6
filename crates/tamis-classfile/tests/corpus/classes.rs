//! Which classes are looked at, and reading them.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};
use tamis_build::{ClassSource, Jdk};
use tamis_testkit::place::{content_key, folder_once};
use tamis_testkit::server::Classes;

/// How much of the corpus is looked at.
#[derive(Clone, Copy)]
pub(crate) enum Share {
    Tenth,
    Whole,
}

/// The classes of a jar, a JDK's module or a directory.
pub(crate) struct Corpus {
    source: ClassSource,
    share: Share,
}

/// A class of the corpus.
pub(crate) struct Class {
    pub(crate) location: String,
    pub(crate) bytes: Vec<u8>,
}

impl Share {
    /// What `TAMIS_CORPUS` says.
    pub(crate) fn of_environment() -> Self {
        match env::var("TAMIS_CORPUS").as_deref() {
            Ok("whole") => Self::Whole,
            Ok("tenth") | Err(_) => Self::Tenth,
            Ok(other) => panic!("TAMIS_CORPUS is whole or tenth, not {other}"),
        }
    }

    /// By name, so that it is the same classes on every machine.
    fn has(self, path: &str) -> bool {
        match self {
            Self::Tenth => {
                path.bytes()
                    .fold(0u32, |sum, b| sum.wrapping_mul(31) + u32::from(b))
                    % 10
                    == 0
            }
            Self::Whole => true,
        }
    }
}

impl Corpus {
    pub(crate) fn open(place: &Path, share: Share) -> Result<Self> {
        Ok(Self {
            source: ClassSource::open(place)?,
            share,
        })
    }

    /// All classes, some at a time. What is no class file of the library but data of it is left out.
    pub(crate) fn portions(&self, size: usize) -> impl Iterator<Item = Vec<Class>> {
        let chosen: Vec<_> = self
            .source
            .classes()
            .iter()
            .filter(|class| self.share.has(class.path()))
            .collect();
        let portions: Vec<Vec<_>> = chosen.chunks(size).map(<[_]>::to_vec).collect();
        portions.into_iter().map(|portion| {
            let read = portion.into_iter().map(|class| class.read().unwrap());
            read.map(|entry| Class {
                location: entry.location,
                bytes: entry.bytes,
            })
            .collect()
        })
    }

    /// The classes that a class loader on this JDK finds, by name.
    pub(crate) fn classes_for(&self, jdk: &Jdk) -> Classes {
        let mut classes = Classes::new();
        for class in self.source.classes() {
            let name = class.path().strip_suffix(".class").unwrap_or_default();
            let is_found = !name.starts_with("META-INF/") && !name.ends_with("-info");
            if !is_found || !self.share.has(class.path()) {
                continue;
            }
            let bytes = class.read().unwrap().bytes;
            // Version 52 is that of Java 8.
            let version = bytes.get(7).copied().unwrap_or_default();
            if u32::from(version) <= jdk.feature + 44 {
                classes.insert(name.to_owned(), bytes);
            }
        }
        classes
    }
}

/// Where a JDK keeps its own classes.
pub(crate) fn of_jdk(jdk: &Jdk) -> Result<Vec<PathBuf>> {
    let jar = jdk.home.join("jre/lib/rt.jar");
    if jar.is_file() {
        return Ok(vec![jar]);
    }
    let modules = jdk.home.join("jmods");
    if !modules.is_dir() {
        return Ok(vec![extracted(jdk)?]);
    }
    let mut files = Vec::new();
    for entry in modules.read_dir()? {
        files.push(entry?.path());
    }
    files.sort();
    Ok(files)
}

/// From 24 on, a JDK may have its classes in its run-time image only.
fn extracted(jdk: &Jdk) -> Result<PathBuf> {
    let image = jdk.home.join("lib/modules");
    let key = content_key(&(&jdk.version, &jdk.home));
    folder_once(&format!("jdk-classes/{key}"), |dir| {
        let output = Command::new(jdk.tool("jimage"))
            .args(["extract", "--include", "regex:.*\\.class", "--dir"])
            .args([dir, &image])
            .output()
            .context("cannot start jimage")?;
        ensure!(
            output.status.success(),
            "{}",
            String::from_utf8_lossy(&output.stderr)
        );
        Ok(())
    })
}
