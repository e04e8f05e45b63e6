//! Files of arguments (`java @file`), read as Java's launcher reads them.

use std::fs::{self, File};
use std::io::{self, Read as _};
use std::path::Path;

/// The largest file that is read; module paths of the largest builds have a hundredth of it.
const MAX_FILE_SIZE: u64 = 64 << 20;

/// The arguments in the file at `path`.
pub(crate) fn read(path: &Path) -> io::Result<Vec<Vec<u8>>> {
    Ok(arguments_in(&text(path)?))
}

/// The text of the file at `path`.
pub(crate) fn text(path: &Path) -> io::Result<Vec<u8>> {
    let metadata = fs::metadata(path)?;
    // A pipe gives its content only once, and the JVM has had it.
    if !metadata.is_file() || metadata.len() > MAX_FILE_SIZE {
        return Err(io::ErrorKind::InvalidInput.into());
    }
    let mut text = Vec::new();
    File::open(path)?
        .take(MAX_FILE_SIZE)
        .read_to_end(&mut text)?;
    Ok(text)
}

/// They are separated by white space. Either kind of quotes keeps spaces together, and a backslash
/// between quotes is an escape; at the end of a line it joins the next line, without the spaces
/// that begin it. A `#` outside of quotes begins a comment, and takes with it what stands before it
/// without quotes.
fn arguments_in(text: &[u8]) -> Vec<Vec<u8>> {
    let mut arguments = Vec::new();
    let mut argument = Argument::default();
    let mut place = Between::Arguments;
    for &byte in text {
        place = match (place, byte) {
            (Between::Comment, b'\n' | b'\r') => Between::Arguments,
            (Between::Comment, _) => Between::Comment,
            (Between::Escape(quote), b'\n' | b'\r') => Between::Joined(quote),
            (Between::Escape(quote), byte) => {
                argument.kept.push(unescaped(byte));
                Between::Quotes(quote)
            }
            (Between::Arguments | Between::Joined(_), byte) if is_space(byte) => place,
            (Between::Inside, byte) if is_space(byte) => {
                arguments.push(argument.finish());
                Between::Arguments
            }
            // A quote that is open at the end of its line ends there.
            (Between::Quotes(_), b'\n' | b'\r') => {
                arguments.push(argument.finish());
                Between::Arguments
            }
            (Between::Arguments | Between::Inside, byte) => argument.add(byte, None),
            (Between::Quotes(quote) | Between::Joined(quote), byte) => {
                argument.add(byte, Some(quote))
            }
        };
    }
    if !argument.is_empty() && matches!(place, Between::Inside | Between::Quotes(_)) {
        arguments.push(argument.finish());
    }
    arguments
}

/// Where a byte of a file of arguments stands.
#[derive(Debug, Clone, Copy)]
enum Between {
    Arguments,
    Comment,
    /// In an argument, outside of quotes.
    Inside,
    /// Between quotes of this kind.
    Quotes(u8),
    /// Behind a backslash there.
    Escape(u8),
    /// In the spaces that begin a line which goes on from the last.
    Joined(u8),
}

/// An argument that is being read.
#[derive(Debug, Default)]
struct Argument {
    kept: Vec<u8>,
    /// What a comment would take with it.
    loose: Vec<u8>,
}

impl Argument {
    fn add(&mut self, byte: u8, quote: Option<u8>) -> Between {
        match (byte, quote) {
            (b'#', None) => {
                self.loose.clear();
                Between::Comment
            }
            (b'\\', Some(quote)) => {
                self.keep();
                Between::Escape(quote)
            }
            (b'"' | b'\'', None) => {
                self.keep();
                Between::Quotes(byte)
            }
            (byte, Some(quote)) if byte == quote => {
                self.keep();
                Between::Inside
            }
            (byte, quote) => {
                self.loose.push(byte);
                quote.map_or(Between::Inside, Between::Quotes)
            }
        }
    }

    fn keep(&mut self) {
        self.kept.append(&mut self.loose);
    }

    fn finish(&mut self) -> Vec<u8> {
        self.keep();
        std::mem::take(&mut self.kept)
    }

    fn is_empty(&self) -> bool {
        self.kept.is_empty() && self.loose.is_empty()
    }
}

fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\n' | b'\r' | b'\t' | b'\x0c')
}

fn unescaped(byte: u8) -> u8 {
    match byte {
        b'n' => b'\n',
        b'r' => b'\r',
        b't' => b'\t',
        b'f' => b'\x0c',
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;
    use std::process::Command;

    use super::*;
    use crate::jdk::Jdk;

    fn in_file(text: &str) -> Vec<String> {
        let arguments = arguments_in(text.as_bytes()).into_iter();
        arguments.map(|a| String::from_utf8(a).unwrap()).collect()
    }

    #[test]
    fn files_of_arguments() {
        assert_eq!(in_file("-a  -b\n\t-c"), ["-a", "-b", "-c"]);
        assert_eq!(in_file("\"a b\" 'c \"d'"), ["a b", "c \"d"]);
        assert_eq!(in_file("x'y z'w"), ["xy zw"]);
        assert_eq!(in_file("a\\b \"a\\\\b\\t\""), ["a\\b", "a\\b\t"]);
        assert_eq!(
            in_file("\"/lib/\\\n   a.jar:\\\n   b.jar\""),
            ["/lib/a.jar:b.jar"]
        );
        assert_eq!(in_file("# all of it\n-a # rest\n\"#b\""), ["-a", "#b"]);
        assert_eq!(in_file("lost#x\n'kept'lost#x\nby"), ["keptby"]);
        assert_eq!(in_file("'open\n-b"), ["open", "-b"]);
        assert_eq!(in_file("\"\" -a"), ["", "-a"]);
        assert_eq!(in_file(""), [""; 0]);
    }

    /// The launcher itself is the oracle: a program prints the arguments that it gets from a file.
    #[test]
    fn as_the_launcher_reads_them() {
        let dir = tempfile::tempdir().unwrap();
        let run = |program: PathBuf, arguments: &[&str]| {
            let mut command = Command::new(program);
            let output = command.current_dir(&dir).args(arguments).output().unwrap();
            assert!(output.status.success(), "{output:?}");
            output.stdout
        };
        let jdk = Jdk::find().unwrap().jdks.pop().unwrap();
        assert!(jdk.feature >= 9, "older launchers read no files");
        let source = "class Echo { public static void main(String[] arguments) {
            for (String argument : arguments) System.out.print(argument + '\\0'); } }";
        fs::write(dir.path().join("Echo.java"), source).unwrap();
        run(jdk.javac(), &["Echo.java"]);
        for seed in 1..=5 {
            let text = format!("-cp . Echo x\n{}", any_text(seed));
            fs::write(dir.path().join("file"), &text).unwrap();
            let printed = run(jdk.java(), &["@file"]);
            let printed = printed
                .strip_suffix(b"\0")
                .unwrap()
                .split(|byte| *byte == 0);
            let expected: Vec<_> = printed
                .map(|argument| String::from_utf8_lossy(argument))
                .collect();
            assert_eq!(in_file(&text)[3..], expected[..], "{text:?}");
        }
    }

    /// Text of what matters in such files; less than what the launcher reads at once.
    fn any_text(seed: u32) -> String {
        let mut state = seed;
        let letters = std::iter::repeat_with(|| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            char::from(b"abnt  \t\r\n\n\"\"''\\\\#"[(state >> 16) as usize % 17])
        });
        letters.take(3000).collect()
    }
}
