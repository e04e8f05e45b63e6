//! Compilers other than `javac`, from Maven Central, each run in a JVM of its own. That is slow, so
//! what they make is kept in `target/testkit/programs/` under a key of sources, compiler and
//! options.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

use anyhow::{Context, Result, ensure};
use tamis_build::{ClassSource, Jdk};

use crate::jdks::jdks;
use crate::maven::class_path;
use crate::place::{content_key, folder_once};
use crate::server::Classes;

/// A compiler and how it is called: `<java> -cp <artefacts> <main> <options> -d <folder> <files>`.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ExternalCompiler {
    /// Coordinates; what they need comes with them.
    pub artifacts: &'static [&'static str],
    /// Its main class.
    pub main: &'static str,
    /// The libraries that the program needs to compile and to run.
    pub libraries: &'static [&'static str],
    /// Options before the files.
    pub options: Vec<String>,
    /// The newest JDK it is known to run on; the newest found that is not newer is taken, or else
    /// the oldest found.
    pub newest_jdk: u32,
}

impl ExternalCompiler {
    /// Kotlin, with coroutines on the class path.
    pub fn kotlin() -> Self {
        Self {
            artifacts: &["org.jetbrains.kotlin:kotlin-compiler-embeddable:2.1.0"],
            main: "org.jetbrains.kotlin.cli.jvm.K2JVMCompiler",
            libraries: &["org.jetbrains.kotlinx:kotlinx-coroutines-core-jvm:1.9.0"],
            options: words("-no-stdlib -no-reflect -nowarn -jvm-target 1.8"),
            newest_jdk: 21,
        }
    }

    /// Scala 2.13.
    pub fn scala() -> Self {
        Self {
            artifacts: &["org.scala-lang:scala-compiler:2.13.15"],
            main: "scala.tools.nsc.Main",
            libraries: &["org.scala-lang:scala-library:2.13.15"],
            options: words("-release 8 -nowarn"),
            newest_jdk: 21,
        }
    }

    /// Groovy 4; it compiles for the JDK it runs on, so it runs on the oldest.
    pub fn groovy() -> Self {
        Self {
            artifacts: &["org.apache.groovy:groovy:4.0.23"],
            main: "org.codehaus.groovy.tools.FileSystemCompiler",
            libraries: &["org.apache.groovy:groovy:4.0.23"],
            options: Vec::new(),
            newest_jdk: 8,
        }
    }

    /// The Eclipse compiler for Java; below release 5 it makes `jsr` of `finally`.
    pub fn ecj(release: u32) -> Self {
        Self {
            artifacts: &["org.eclipse.jdt:ecj:3.26.0"],
            main: "org.eclipse.jdt.internal.compiler.batch.Main",
            libraries: &[],
            options: words(&format!(
                "-1.{release} -source 1.{release} -target 1.{release} -g -nowarn -proc:none"
            )),
            newest_jdk: 11,
        }
    }

    /// Compiles sources (file name, text).
    pub fn compile(&self, sources: &[(String, String)]) -> Result<Classes> {
        let name = format!(
            "programs/{}",
            content_key(&(self, self.jdk()?.feature, sources))
        );
        let dir = folder_once(&name, |dir| self.compile_into(sources, dir))?;
        let mut classes = Classes::new();
        for entry in ClassSource::open(&dir)?.read_all() {
            let entry = entry?;
            let name = entry
                .path
                .strip_suffix(".class")
                .context("a class file")?
                .to_owned();
            classes.insert(name, entry.bytes);
        }
        Ok(classes)
    }

    /// The jars of the libraries.
    pub fn library_jars(&self) -> Result<Vec<PathBuf>> {
        if self.libraries.is_empty() {
            Ok(Vec::new())
        } else {
            class_path(self.libraries)
        }
    }

    fn compile_into(&self, sources: &[(String, String)], out: &Path) -> Result<()> {
        let dir = tempfile::tempdir()?;
        let mut command = Command::new(self.jdk()?.java());
        command
            .arg("-Xss8m")
            .arg("-classpath")
            .arg(env::join_paths(class_path(self.artifacts)?)?);
        command
            .arg(self.main)
            .args(&self.options)
            .arg("-d")
            .arg(out);
        let libraries = self.library_jars()?;
        if !libraries.is_empty() {
            command.arg("-classpath").arg(env::join_paths(libraries)?);
        }
        for (name, text) in sources {
            fs::write(dir.path().join(name), text)?;
            command.arg(dir.path().join(name));
        }
        let output = command.env_remove("JAVA_TOOL_OPTIONS").output()?;
        ensure!(
            output.status.success(),
            "{} failed:\n{}{}",
            self.main,
            String::from_utf8_lossy(&output.stdout),
            String::from_utf8_lossy(&output.stderr)
        );
        Ok(())
    }

    fn jdk(&self) -> Result<Jdk> {
        let mut jdks = jdks()?;
        let known = jdks.iter().rposition(|jdk| jdk.feature <= self.newest_jdk);
        Ok(jdks.swap_remove(known.unwrap_or(0)))
    }
}

fn words(text: &str) -> Vec<String> {
    text.split(' ').map(str::to_owned).collect()
}
