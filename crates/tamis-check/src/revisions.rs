//! Evolving programs as class files: compiled together, those dropped that do not compile.

use std::collections::{BTreeMap, BTreeSet};

use crate::check_error::CheckError;
use crate::compiler::{Compilation, CompileError, Compiler};
use crate::evolving::{EvolvingProgram, Expected, Side, SourceFile};
use crate::java_side::JavaSide;
use crate::program::Surrounding;
use crate::project::{Revision, Surroundings};

/// If not one of so many programs compiles, something is wrong with us.
const MANY: usize = 20;

/// Programs by the package that each has for itself.
pub(crate) type Packages = BTreeMap<String, EvolvingProgram>;

/// What each test said, by package.
pub(crate) type ExpectedLogs = BTreeMap<String, Expected>;

/// A revision of all programs that compile, and the first error of each that does not.
#[derive(Debug, Default)]
pub(crate) struct Compiled {
    pub(crate) revision: Revision,
    pub(crate) refused: BTreeMap<String, String>,
}

/// The sources of a program in one revision.
pub(crate) struct Sources {
    pub(crate) code: Vec<SourceFile>,
    pub(crate) tests: Vec<SourceFile>,
}

impl Sources {
    pub(crate) fn new(
        program: &EvolvingProgram,
        package: &str,
        side: Side,
        expected: Option<&Expected>,
    ) -> Self {
        Self {
            code: program.code(side, package),
            tests: program.tests(side, package, expected),
        }
    }
}

/// Compiles a revision of all programs, again and again without those that javac refuses.
pub(crate) fn compile(
    compiler: &mut Compiler,
    java: &JavaSide,
    packages: &Packages,
    side: Side,
    expected: Option<&ExpectedLogs>,
) -> Result<Compiled, CheckError> {
    let mut sources: BTreeMap<&str, Sources> = BTreeMap::new();
    for (package, program) in packages {
        let expected = expected.and_then(|logs| logs.get(package));
        sources.insert(package, Sources::new(program, package, side, expected));
    }
    let n_programs = sources.len();
    let mut refused = BTreeMap::new();
    loop {
        let files = sources.values();
        let files = files.flat_map(|sources| sources.code.iter().chain(&sources.tests));
        let made = compiler
            .compile(files)
            .map_err(|cause| CheckError::Compiler {
                javac: java.jdk.javac(),
                cause,
            })?;
        if made.errors.is_empty() {
            let mut revision = revision_of(made, &sources);
            revision.take_library(packages, side);
            let compiled = packages.iter();
            let compiled = compiled.filter(|(package, _)| sources.contains_key(package.as_str()));
            for (package, program) in compiled {
                revision.add_services(program.services(package));
                let surroundings = Surroundings::of(program.surroundings(side), package);
                revision.surroundings.insert(package.clone(), surroundings);
            }
            return Ok(Compiled { revision, refused });
        }
        let newly_refused = refused_packages(&made.errors, &sources)?;
        sources.retain(|package, _| !newly_refused.contains_key(*package));
        refused.extend(newly_refused);
        if sources.is_empty() && n_programs >= MANY {
            return Err(all_refused(&refused));
        }
    }
}

/// The programs that errors are in, each with its first error. An error in no program is ours.
fn refused_packages(
    errors: &[CompileError],
    sources: &BTreeMap<&str, Sources>,
) -> Result<BTreeMap<String, String>, CheckError> {
    let mut refused = BTreeMap::new();
    for error in errors {
        let package = package_of(&error.source);
        if !sources.contains_key(package) {
            return Err(CheckError::Refused {
                what: "something that is in no program".to_owned(),
                said: error.message.clone(),
            });
        }
        let message = error.message.split_whitespace().collect::<Vec<_>>();
        let text = format!("{}:{}: {}", error.source, error.line, message.join(" "));
        refused.entry(package.to_owned()).or_insert(text);
    }
    Ok(refused)
}

fn all_refused(refused: &BTreeMap<String, String>) -> CheckError {
    CheckError::Refused {
        what: format!("each of {} programs", refused.len()),
        said: refused.values().next().cloned().unwrap_or_default(),
    }
}

fn revision_of(made: Compilation, sources: &BTreeMap<&str, Sources>) -> Revision {
    let tests = sources.values().flat_map(|sources| &sources.tests);
    let tests: BTreeSet<&str> = tests.map(|file| file.path.as_str()).collect();
    let mut revision = Revision::default();
    for class in made.classes {
        let path = format!("{}.class", class.name.replace('.', "/"));
        let part = if tests.contains(class.source.as_str()) {
            &mut revision.tests
        } else {
            &mut revision.code
        };
        part.insert(path, class.bytes);
    }
    let files = |of: fn(&Sources) -> &[SourceFile]| {
        let files = sources.values().flat_map(of);
        files
            .map(|file| (file.path.clone(), file.text.clone().into_bytes()))
            .collect()
    };
    revision.code_sources = files(|sources| &sources.code);
    revision.test_sources = files(|sources| &sources.tests);
    revision
}

/// The package of a program: the first part of a path.
pub(crate) fn package_of(path: &str) -> &str {
    path.split_once('/').map_or("", |(package, _)| package)
}

impl Revision {
    fn add_services(&mut self, services: impl IntoIterator<Item = (&'static str, String)>) {
        for (interface, class) in services {
            self.services.entry(interface).or_default().insert(class);
        }
    }

    /// Puts the classes apart that come in a library.
    fn take_library(&mut self, packages: &Packages, side: Side) {
        for (package, program) in packages {
            for surrounding in program.surroundings(side) {
                if let Surrounding::LibraryType { name, .. } = surrounding {
                    let path = format!("{package}/{name}.class");
                    self.library.extend(self.code.remove_entry(&path));
                }
            }
        }
    }

    /// The classes of these programs alone.
    pub(crate) fn of_packages(&self, packages: &Packages) -> Self {
        let part = |files: &BTreeMap<String, Vec<u8>>| {
            let own = files.iter();
            own.filter(|(path, _)| packages.contains_key(package_of(path)))
                .map(|(path, bytes)| (path.clone(), bytes.clone()))
                .collect()
        };
        let mut own = Self {
            code: part(&self.code),
            tests: part(&self.tests),
            library: part(&self.library),
            code_sources: part(&self.code_sources),
            test_sources: part(&self.test_sources),
            surroundings: self
                .surroundings
                .iter()
                .filter(|(package, _)| packages.contains_key(*package))
                .map(|(package, surroundings)| (package.clone(), surroundings.clone()))
                .collect(),
            ..Self::default()
        };
        for (package, program) in packages {
            own.add_services(program.services(package));
        }
        own
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(source: &str) -> Result<BTreeMap<String, String>, CheckError> {
        let none = Sources {
            code: Vec::new(),
            tests: Vec::new(),
        };
        let error = CompileError {
            source: source.to_owned(),
            line: 3,
            message: "cannot find\n  symbol".to_owned(),
        };
        refused_packages(&[error.clone(), error], &BTreeMap::from([("p1", none)]))
    }

    #[test]
    fn the_first_error_of_each_program() {
        let refused = refused("p1/sub/A.java").unwrap();
        assert_eq!(refused["p1"], "p1/sub/A.java:3: cannot find symbol");
        assert_eq!(refused.len(), 1);
    }

    #[test]
    fn an_error_in_no_program_is_ours() {
        for source in ["", "p2/A.java"] {
            let error = refused(source).unwrap_err();
            assert!(matches!(error, CheckError::Refused { .. }), "{source}");
        }
    }
}
