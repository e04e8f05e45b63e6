//! The arguments of `java` that name places of classes: module paths, patches, agents, and the
//! files that hold more arguments.
//!
//! `-classpath` is not among them: the JVM has it as a property.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

use super::argument_file;
use crate::path_text::path_text;

/// Lists of paths, as they stand in the arguments.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct ClassArguments {
    /// Those of `--patch-module`, without the module's name.
    pub(crate) patches: Vec<Vec<u8>>,
    pub(crate) upgrade_module_path: Vec<u8>,
    pub(crate) module_path: Vec<u8>,
    pub(crate) boot_append: Vec<Vec<u8>>,
    /// The jars of `-javaagent`, without their options.
    pub(crate) agents: Vec<Vec<u8>>,
    /// Whether the program is a module; then an empty class path has nothing in it.
    pub(crate) main_is_module: bool,
    /// All options of the JVM, those with a value in two, but for the class path.
    pub(crate) options: Vec<Vec<u8>>,
    /// The files of arguments that were read.
    pub(crate) files: Vec<PathBuf>,
    /// Files of arguments that cannot be read.
    pub(crate) unreadable: Vec<String>,
    /// The program and its arguments. A module stands behind `-m`, an archive behind `-jar`.
    pub(crate) program: Vec<Vec<u8>>,
}

/// Options that name the class path.
const CLASS_PATH: &[&[u8]] = &[b"-cp", b"-classpath", b"--class-path"];

/// Options that take the next argument as their value.
const WITH_VALUE: &[&[u8]] = &[
    b"-p",
    b"--module-path",
    b"--upgrade-module-path",
    b"--patch-module",
    b"-cp",
    b"-classpath",
    b"--class-path",
    b"--add-modules",
    b"--limit-modules",
    b"--add-exports",
    b"--add-opens",
    b"--add-reads",
    b"--enable-native-access",
    b"--describe-module",
    b"-d",
    b"--source",
];

impl ClassArguments {
    /// Reads the arguments. What follows the program is its own, and no file of the JVM's.
    pub(crate) fn parse(arguments: &[Vec<u8>], directory: &Path) -> Self {
        let mut parsed = Self::default();
        let mut state = State::Options;
        for argument in arguments.iter().skip(1) {
            let file = argument.strip_prefix(b"@").filter(|name| !name.is_empty());
            match (&state, file) {
                // Two signs stand for one that belongs to the argument.
                (State::Options | State::Value(_), Some(escaped)) if escaped[0] == b'@' => {
                    state = parsed.take(state, escaped);
                }
                (State::Options | State::Value(_), Some(name)) => {
                    let path = directory.join(OsStr::from_bytes(name));
                    let more = parsed.read_arguments(&path);
                    state = more
                        .iter()
                        .fold(state, |state, more| parsed.take(state, more));
                }
                _ => state = parsed.take(state, argument),
            }
        }
        parsed
    }

    /// Takes one argument; what comes next.
    fn take(&mut self, state: State, argument: &[u8]) -> State {
        match state {
            State::Program => {
                self.program.push(argument.to_vec());
                State::Program
            }
            State::Value(option) => {
                self.take_value(&option, argument);
                if !CLASS_PATH.contains(&&*option) {
                    self.options.extend([option, argument.to_vec()]);
                }
                State::Options
            }
            State::Options => match argument {
                b"-m" | b"--module" => {
                    self.main_is_module = true;
                    self.program.push(b"-m".to_vec());
                    State::Program
                }
                argument if argument == b"-jar" || !argument.starts_with(b"-") => {
                    self.program.push(argument.to_vec());
                    State::Program
                }
                argument if argument.starts_with(b"--module=") => {
                    self.main_is_module = true;
                    let module = argument["--module=".len()..].to_vec();
                    self.program.extend([b"-m".to_vec(), module]);
                    State::Program
                }
                argument if WITH_VALUE.contains(&argument) => State::Value(argument.to_vec()),
                argument => {
                    self.take_joined(argument);
                    if !argument.starts_with(b"--class-path=") {
                        self.options.push(argument.to_vec());
                    }
                    State::Options
                }
            },
        }
    }

    fn take_value(&mut self, option: &[u8], value: &[u8]) {
        match option {
            b"-p" | b"--module-path" => self.module_path = value.to_vec(),
            b"--upgrade-module-path" => self.upgrade_module_path = value.to_vec(),
            b"--patch-module" => {
                let start = value.iter().position(|byte| *byte == b'=');
                self.patches
                    .extend(start.map(|at| value[at + 1..].to_vec()));
            }
            _ => {}
        }
    }

    /// Takes an option that has its value in it, if any.
    fn take_joined(&mut self, argument: &[u8]) {
        if let Some(path) = argument.strip_prefix(b"-Xbootclasspath/a:") {
            self.boot_append.push(path.to_vec());
        } else if let Some(agent) = argument.strip_prefix(b"-javaagent:") {
            let jar = agent.split(|byte| *byte == b'=').next();
            self.agents.extend(jar.map(<[u8]>::to_vec));
        } else if let Some(at) = argument.iter().position(|byte| *byte == b'=') {
            self.take_value(&argument[..at], &argument[at + 1..]);
        }
    }

    fn read_arguments(&mut self, path: &Path) -> Vec<Vec<u8>> {
        let Ok(arguments) = argument_file::read(path) else {
            self.unreadable.push(path_text(path));
            return Vec::new();
        };
        self.files.push(path.to_path_buf());
        arguments
    }
}

/// What the next argument is.
#[derive(Debug)]
enum State {
    Options,
    /// The value of this option.
    Value(Vec<u8>),
    /// The program's own.
    Program,
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn parse(line: &str) -> ClassArguments {
        let arguments: Vec<Vec<u8>> = line.split(' ').map(|a| a.as_bytes().to_vec()).collect();
        ClassArguments::parse(&arguments, Path::new("/none"))
    }

    #[test]
    fn options_in_all_their_forms() {
        for line in [
            "j -p m -m x/y",
            "j --module-path m --module x",
            "j --module-path=m --module=x",
        ] {
            let parsed = parse(line);
            assert_eq!(parsed.module_path, b"m", "{line}");
            assert!(parsed.main_is_module, "{line}");
        }
        let parsed = parse(
            "j -cp x --upgrade-module-path u --patch-module a=p:q --patch-module=b=r \
             -Xbootclasspath/a:boot -javaagent:agent.jar=destfile=x Main",
        );
        let expected = ClassArguments {
            patches: vec![b"p:q".to_vec(), b"r".to_vec()],
            upgrade_module_path: b"u".to_vec(),
            boot_append: vec![b"boot".to_vec()],
            agents: vec![b"agent.jar".to_vec()],
            options: parsed.options.clone(),
            program: vec![b"Main".to_vec()],
            ..ClassArguments::default()
        };
        assert_eq!(parsed, expected);
        let options: Vec<_> = parsed
            .options
            .iter()
            .map(|o| String::from_utf8_lossy(o))
            .collect();
        assert_eq!(
            options.join(" "),
            "--upgrade-module-path u --patch-module a=p:q --patch-module=b=r \
             -Xbootclasspath/a:boot -javaagent:agent.jar=destfile=x"
        );
    }

    #[test]
    fn arguments_of_the_program_are_its_own() {
        for (line, program) in [
            ("j Main -p m", "Main -p m"),
            ("j -jar a.jar -p m", "-jar a.jar -p m"),
            ("j -cp c Main @none", "Main @none"),
            ("j", ""),
            ("", ""),
            ("j -p", ""),
            ("j -cp -p Main -p m", "Main -p m"),
        ] {
            let words = program.split(' ').filter(|word| !word.is_empty());
            let expected = ClassArguments {
                program: words.map(|word| word.as_bytes().to_vec()).collect(),
                ..ClassArguments::default()
            };
            assert_eq!(parse(line), expected, "{line}");
        }
        for line in ["j -m x/y -p", "j --module x/y -p", "j --module=x/y -p"] {
            assert_eq!(parse(line).program.join(&b' '), b"-m x/y -p", "{line}");
        }
    }

    #[test]
    fn files_are_read_where_java_reads_them() {
        let dir = tempfile::tempdir().unwrap();
        fs::write(dir.path().join("args"), "--module-path \"m n\" -m").unwrap();
        let arguments = ["j", "@args", "x/y", "@gone"].map(|a| a.as_bytes().to_vec());
        let parsed = ClassArguments::parse(&arguments, dir.path());
        assert_eq!(parsed.module_path, b"m n");
        assert_eq!(parsed.unreadable, [""; 0]);
        assert_eq!(parsed.files, [dir.path().join("args")]);
        assert_eq!(parsed.program.join(&b' '), b"-m x/y @gone");
        assert_eq!(parse("j @gone Main").unreadable, ["/none/gone"]);
        assert_eq!(parse("j @@gone Main").unreadable, [""; 0]);
    }
}
