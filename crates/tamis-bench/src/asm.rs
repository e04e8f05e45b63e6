//! ASM, in a JVM of its own that gets the corpus once and is warm when it is measured.
//! `java/tamis/bench/Asm.java` is the other end and describes the protocol.

use std::cell::RefCell;
use std::env;
use std::fs;
use std::io::{BufReader, BufWriter, Read, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::rc::Rc;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use tamis_build::Jdk;
use tamis_testkit::corpus::ORACLE;
use tamis_testkit::maven::artifacts;
use tamis_testkit::place::{content_key, folder_once};

use crate::contender::{Contender, Pass};
use crate::corpus::Corpus;

const SOURCE: &str = include_str!("../java/tamis/bench/Asm.java");

/// The three jobs that ASM is measured on, all in one JVM.
pub(crate) fn contenders(jdk: &Jdk, corpus: &Corpus) -> Result<Vec<Contender>> {
    let jvm = Rc::new(RefCell::new(Jvm::start(jdk, corpus)?));
    let contender = |command: u8, name, what| {
        let jvm = Rc::clone(&jvm);
        Contender {
            name,
            what,
            run: Box::new(move |_| jvm.borrow_mut().pass(command)),
        }
    };
    Ok(vec![
        contender(
            b'r',
            "ASM visit",
            "JIT-compiled Java: all visited, instructions decoded, nothing kept",
        ),
        contender(
            b'c',
            "ASM visit and write",
            "JIT-compiled Java: into a `ClassWriter` with a new constant pool",
        ),
        contender(
            b'p',
            "ASM entry probe",
            "JIT-compiled Java: visitors, constant pool copied; the same probe",
        ),
    ])
}

/// The JVM; it ends with this value.
struct Jvm {
    child: Child,
    commands: BufWriter<ChildStdin>,
    answers: BufReader<ChildStdout>,
}

impl Jvm {
    fn start(jdk: &Jdk, corpus: &Corpus) -> Result<Self> {
        let mut child = Command::new(jdk.java())
            .args(["-XX:+UseSerialGC", "-Xms1g", "-Xmx1g", "-classpath"])
            .arg(class_path(jdk)?)
            .arg("tamis.bench.Asm")
            .env_remove("JAVA_TOOL_OPTIONS")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .with_context(|| format!("cannot start {}", jdk.java().display()))?;
        let commands = BufWriter::new(child.stdin.take().context("stdin is piped")?);
        let answers = BufReader::new(child.stdout.take().context("stdout is piped")?);
        let mut jvm = Self {
            child,
            commands,
            answers,
        };
        jvm.send(corpus)
            .context("the JVM does not take the corpus")?;
        Ok(jvm)
    }

    fn send(&mut self, corpus: &Corpus) -> Result<()> {
        let out = &mut self.commands;
        out.write_all(&u32::try_from(corpus.classes.len())?.to_be_bytes())?;
        for class in &corpus.classes {
            out.write_all(&u32::try_from(class.len())?.to_be_bytes())?;
            out.write_all(class)?;
        }
        Ok(out.flush()?)
    }

    fn pass(&mut self, command: u8) -> Result<Pass> {
        self.commands.write_all(&[command])?;
        self.commands.flush()?;
        let (mut nanoseconds, mut n_refused) = ([0; 8], [0; 4]);
        self.answers.read_exact(&mut nanoseconds)?;
        self.answers.read_exact(&mut n_refused)?;
        Ok(Pass {
            time: Duration::from_nanos(u64::from_be_bytes(nanoseconds)),
            n_refused: u32::from_be_bytes(n_refused) as usize,
        })
    }
}

impl Drop for Jvm {
    fn drop(&mut self) {
        // It may have ended by itself, which is as good.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// ASM and the compiled Java side, which is kept until its source changes.
fn class_path(jdk: &Jdk) -> Result<std::ffi::OsString> {
    let asm = artifacts(ORACLE)?;
    let name = format!("bench/{}", content_key(&(SOURCE, ORACLE, jdk.feature)));
    let classes = folder_once(&name, |dir| {
        let source = dir.join("Asm.java");
        fs::write(&source, SOURCE)?;
        let output = Command::new(jdk.javac())
            .args(["-encoding", "UTF-8", "-proc:none", "-classpath"])
            .arg(env::join_paths(&asm)?)
            .arg("-d")
            .args([dir, &source])
            .output()
            .with_context(|| format!("cannot start {}", jdk.javac().display()))?;
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        ensure!(
            output.status.success(),
            "cannot compile the Java side:\n{said}"
        );
        Ok(())
    })?;
    let path: Vec<PathBuf> = [classes].into_iter().chain(asm).collect();
    Ok(env::join_paths(path)?)
}
