//! What a JVM is started with, as far as tests may notice: its options, wherever they stand, and what the program is told.
//!
//! Options stand in the arguments, in files of arguments (`@file`), in variables of the environment, and in files that only
//! the JVM itself reads (`-XX:VMOptionsFile`, `-XX:Flags`).

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

use super::argument_file;
use super::arguments::ClassArguments;
use super::program;
use crate::path_text::path_text;

/// What a JVM is started with.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct JvmOptions {
    /// Its options without the class path, files of arguments read; and the contents of other files that hold options.
    pub options: Vec<Vec<u8>>,
    /// The files that hold options.
    pub files: Vec<PathBuf>,
    /// The program, and what it is told but for the choice of tests.
    pub program: Vec<Vec<u8>>,
}

/// Variables that the launcher or the JVM takes options from.
const VARIABLES: [&str; 3] = ["JDK_JAVA_OPTIONS", "JAVA_TOOL_OPTIONS", "_JAVA_OPTIONS"];

/// Options that name a file of options.
const NAME_A_FILE: [&[u8]; 2] = [b"-XX:VMOptionsFile=", b"-XX:Flags="];

impl JvmOptions {
    /// Those of a process with these arguments, its own name first, and variables, in this directory; or the file that
    /// cannot be read. The values of variables are not among the options, the files that they name are.
    pub fn read<'v>(
        arguments: &[Vec<u8>],
        variables: impl IntoIterator<Item = (&'v OsString, &'v OsString)>,
        directory: &Path,
    ) -> Result<Self, String> {
        let mut parsed = ClassArguments::parse(arguments, directory);
        if let Some(file) = parsed.unreadable.pop() {
            return Err(format!("cannot read {file}"));
        }
        let mut read = Self {
            program: program::told(&parsed.program, directory)?,
            files: parsed.files,
            options: Vec::new(),
        };
        for option in &parsed.options {
            read.add_file(option, directory)?;
        }
        for (name, value) in variables {
            if VARIABLES.iter().any(|known| name == known) {
                for word in words(value.as_bytes()) {
                    if let Some(file) = word.strip_prefix(b"@").filter(|_| name == VARIABLES[0]) {
                        read.add_content(&directory.join(OsStr::from_bytes(file)), directory)?;
                    }
                    read.add_file(&word, directory)?;
                }
            }
        }
        parsed.options.append(&mut read.options);
        read.options = parsed.options;
        Ok(read)
    }

    /// The content of the file that an option names, if it names one.
    fn add_file(&mut self, option: &[u8], directory: &Path) -> Result<(), String> {
        let name = NAME_A_FILE.iter().find_map(|it| option.strip_prefix(*it));
        name.map_or(Ok(()), |name| {
            self.add_content(&directory.join(OsStr::from_bytes(name)), directory)
        })
    }

    /// A file of options may name others.
    fn add_content(&mut self, file: &Path, directory: &Path) -> Result<(), String> {
        if self.files.iter().any(|known| known == file) {
            return Ok(());
        }
        let text =
            argument_file::text(file).map_err(|_| format!("cannot read {}", path_text(file)))?;
        self.files.push(file.to_path_buf());
        let named = words(&text);
        self.options.push(text);
        for option in &named {
            self.add_file(option, directory)?;
        }
        Ok(())
    }
}

/// Words are separated by white space; either kind of quotes keeps them together.
fn words(text: &[u8]) -> Vec<Vec<u8>> {
    let mut words = Vec::new();
    let mut word = Vec::new();
    let mut quote = None;
    for &byte in text {
        match quote {
            Some(open) if open == byte => quote = None,
            None if matches!(byte, b'"' | b'\'') => quote = Some(byte),
            None if byte.is_ascii_whitespace() => words.push(std::mem::take(&mut word)),
            _ => word.push(byte),
        }
    }
    words.push(word);
    words.retain(|word| !word.is_empty());
    words
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn read(
        directory: &Path,
        line: &str,
        variables: &[(&str, &str)],
    ) -> Result<JvmOptions, String> {
        let arguments: Vec<Vec<u8>> = line.split(' ').map(|a| a.as_bytes().to_vec()).collect();
        let variables: Vec<(OsString, OsString)> = variables
            .iter()
            .map(|(name, value)| (name.into(), value.into()))
            .collect();
        let variables = variables.iter().map(|(name, value)| (name, value));
        JvmOptions::read(&arguments, variables, directory)
    }

    /// What stands in one file after the other counts, wherever that is named.
    fn check(line: &str, variables: &[(&str, &str)], expected: &[&str]) {
        let dir = tempfile::tempdir().unwrap();
        fs::write(dir.path().join("args"), "-da -XX:VMOptionsFile=vm").unwrap();
        fs::write(dir.path().join("vm"), "-Dx=1 '-XX:Flags=flags'").unwrap();
        for text in ["+A", "-A"] {
            fs::write(dir.path().join("flags"), text).unwrap();
            let read = read(dir.path(), line, variables).unwrap();
            let expected: Vec<PathBuf> =
                expected.iter().map(|file| dir.path().join(file)).collect();
            assert_eq!(read.files, expected, "{line}");
            let is_there = read.options.contains(&text.as_bytes().to_vec());
            assert_eq!(is_there, !expected.is_empty(), "{line}");
        }
    }

    #[test]
    fn files_of_options_are_read_wherever_they_are_named() {
        check("java -XX:Flags=flags Main", &[], &["flags"]);
        check("java -XX:VMOptionsFile=vm Main", &[], &["vm", "flags"]);
        check("java @args Main", &[], &["args", "vm", "flags"]);
        check("java Main @args -XX:Flags=flags", &[], &[]);
        let in_variable = |name, value| check("java Main", &[(name, value)], &["vm", "flags"]);
        in_variable("JAVA_TOOL_OPTIONS", "-ea -XX:VMOptionsFile=vm @args");
        in_variable("_JAVA_OPTIONS", "'-XX:VMOptionsFile=vm'");
        let of_launcher = [("JDK_JAVA_OPTIONS", "-da @args")];
        check("java Main", &of_launcher, &["args", "vm", "flags"]);
        check("java Main", &[("OTHER", "-XX:Flags=flags")], &[]);
    }

    #[test]
    fn a_file_that_cannot_be_read_is_told() {
        let none = Path::new("/none");
        for line in [
            "j @gone Main",
            "j -XX:Flags=gone Main",
            "j -XX:VMOptionsFile=/none/gone Main",
        ] {
            assert_eq!(
                read(none, line, &[]),
                Err("cannot read /none/gone".to_owned()),
                "{line}"
            );
        }
    }
}
