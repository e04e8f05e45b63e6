//! javac in a JVM that stays: sources in, classes and errors out, nothing on a disk.
//!
//! `java/tamis/check/Compiler.java` is the other side, and describes what is said.

use std::io::{self, BufReader, BufWriter, Read, Write};
use std::os::unix::process::CommandExt as _;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use crate::evolving::SourceFile;
use crate::java_side::JavaSide;

/// No text or class that javac answers with is greater.
const MAX_LENGTH: usize = 1 << 26;
const MAX_COUNT: usize = 1 << 20;

/// What is asked of javac beside the class path.
const OPTIONS: &[&str] = &[
    "-proc:none",
    "-nowarn",
    "-implicit:none",
    "-encoding",
    "UTF-8",
    // Errors beyond the default of a hundred are needed too: each names a program to be dropped.
    "-Xmaxerrs",
    "1000000",
];

/// The JVM; it goes with the value.
#[derive(Debug)]
pub(crate) struct Compiler {
    child: Child,
    stdin: BufWriter<ChildStdin>,
    stdout: BufReader<ChildStdout>,
    class_path: String,
}

/// What javac made.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Compilation {
    pub(crate) errors: Vec<CompileError>,
    pub(crate) classes: Vec<CompiledClass>,
}

/// An error in a source file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct CompileError {
    /// The path of the source; empty if the error is in none.
    pub(crate) source: String,
    pub(crate) line: u32,
    pub(crate) message: String,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct CompiledClass {
    /// The path of the source.
    pub(crate) source: String,
    /// `p00042.A$1`
    pub(crate) name: String,
    pub(crate) bytes: Vec<u8>,
}

impl Compiler {
    pub(crate) fn start(java: &JavaSide) -> io::Result<Self> {
        let mut child = Command::new(java.jdk.java())
            .args(["-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-cp"])
            .arg(&java.compiler)
            .arg("tamis.check.Compiler")
            .env_remove("JAVA_TOOL_OPTIONS")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            // A user's signal from the terminal is for us.
            .process_group(0)
            .spawn()?;
        let missing = || io::Error::other("the pipes of javac are missing");
        Ok(Self {
            stdin: BufWriter::new(child.stdin.take().ok_or_else(missing)?),
            stdout: BufReader::new(child.stdout.take().ok_or_else(missing)?),
            child,
            class_path: java.compile_class_path(),
        })
    }

    pub(crate) fn compile<'a>(
        &mut self,
        sources: impl IntoIterator<Item = &'a SourceFile>,
    ) -> io::Result<Compilation> {
        let sources: Vec<&SourceFile> = sources.into_iter().collect();
        let out = &mut self.stdin;
        let options = OPTIONS.iter().copied();
        let options = options.chain(["-classpath", self.class_path.as_str()]);
        let options: Vec<&str> = options.collect();
        write_count(out, options.len())?;
        for option in options {
            write_text(out, option)?;
        }
        write_count(out, sources.len())?;
        for source in sources {
            write_text(out, &source.path)?;
            write_text(out, &source.text)?;
        }
        out.flush()?;
        read_compilation(&mut self.stdout)
    }
}

impl Drop for Compiler {
    fn drop(&mut self) {
        // One that has ended already cannot be killed, and need not.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn read_compilation(stream: &mut impl Read) -> io::Result<Compilation> {
    let mut compilation = Compilation::default();
    for _ in 0..read_count(stream)? {
        compilation.errors.push(CompileError {
            source: read_text(stream)?,
            line: read_number(stream)?,
            message: read_text(stream)?,
        });
    }
    for _ in 0..read_count(stream)? {
        compilation.classes.push(CompiledClass {
            source: read_text(stream)?,
            name: read_text(stream)?,
            bytes: read_bytes(stream)?,
        });
    }
    Ok(compilation)
}

fn write_count(out: &mut impl Write, count: usize) -> io::Result<()> {
    let count = u32::try_from(count).map_err(io::Error::other)?;
    out.write_all(&count.to_be_bytes())
}

fn write_text(out: &mut impl Write, text: &str) -> io::Result<()> {
    write_count(out, text.len())?;
    out.write_all(text.as_bytes())
}

fn read_number(stream: &mut impl Read) -> io::Result<u32> {
    let mut bytes = [0; 4];
    stream.read_exact(&mut bytes)?;
    Ok(u32::from_be_bytes(bytes))
}

fn read_count(stream: &mut impl Read) -> io::Result<usize> {
    let count = read_number(stream)? as usize;
    if count > MAX_COUNT {
        return Err(io::Error::other(format!("javac announces {count} parts")));
    }
    Ok(count)
}

fn read_bytes(stream: &mut impl Read) -> io::Result<Vec<u8>> {
    let length = read_number(stream)? as usize;
    if length > MAX_LENGTH {
        return Err(io::Error::other(format!("javac announces {length} bytes")));
    }
    let mut bytes = Vec::new();
    stream.take(length as u64).read_to_end(&mut bytes)?;
    if bytes.len() < length {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    Ok(bytes)
}

fn read_text(stream: &mut impl Read) -> io::Result<String> {
    String::from_utf8(read_bytes(stream)?).map_err(io::Error::other)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::java_side::tests::java_side;

    fn source(path: &str, text: &str) -> SourceFile {
        SourceFile {
            path: path.to_owned(),
            text: text.to_owned(),
        }
    }

    #[test]
    fn classes_and_errors_come_with_their_sources_again_and_again() {
        let dir = tempfile::tempdir().unwrap();
        let mut compiler = Compiler::start(&java_side(dir.path())).unwrap();
        let good = source(
            "p1/A.java",
            "package p1; class A { Object o = new Object() {}; }",
        );
        let bad = source("p2/B.java", "package p2;\nclass B extends Missing {}");
        let made = compiler.compile([&good, &bad]).unwrap();
        assert_eq!(made.errors.len(), 1);
        assert_eq!(
            (made.errors[0].source.as_str(), made.errors[0].line),
            ("p2/B.java", 2)
        );
        for _ in 0..2 {
            let made = compiler.compile([&good]).unwrap();
            assert_eq!(made.errors, []);
            let names: Vec<&str> = made
                .classes
                .iter()
                .map(|class| class.name.as_str())
                .collect();
            assert_eq!(names, ["p1.A$1", "p1.A"]);
            assert!(made.classes.iter().all(|class| class.source == "p1/A.java"));
            assert!(made.classes[0].bytes.starts_with(&[0xca, 0xfe, 0xba, 0xbe]));
        }
    }

    #[test]
    fn an_answer_that_lies_is_an_error() {
        for bytes in [
            &[0xff, 0xff, 0xff, 0xff][..],
            &[0, 0, 0, 1, 0xff, 0, 0, 0],
            &[0, 0, 0, 1, 0, 0, 0, 9, b'a'],
            &[0, 0, 0, 0],
        ] {
            assert!(read_compilation(&mut &*bytes).is_err());
        }
    }
}
