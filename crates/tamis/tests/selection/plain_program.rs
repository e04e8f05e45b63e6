//! A small program, compiled again and again in memory; a plain command runs its tests, all in one JVM.

use std::collections::BTreeSet;
use std::env;
use std::fs;
use std::path::PathBuf;

use tamis_testkit::jdks::jdks;
use tamis_testkit::maven::class_path;
use tamis_testkit::server::JavaServer;

pub(crate) use crate::project::Launch;
use crate::project::{Project, Ran};

/// The program; it goes away with the value.
pub(crate) struct PlainProgram {
    pub(crate) project: Project,
    server: JavaServer,
    /// Names of classes of the package `shop`, and their texts without the package.
    sources: Vec<(String, String)>,
    /// Test classes, in the order in which they run.
    tests: Vec<String>,
    written: BTreeSet<PathBuf>,
}

impl PlainProgram {
    /// A program of these classes. Those that end with `Test` are tests.
    pub(crate) fn new(sources: &[(&str, &str)]) -> Self {
        const JDK: u32 = 17;
        let jdk = jdks().unwrap().into_iter().find(|jdk| jdk.feature == JDK);
        let names = sources.iter().map(|(name, _)| *name);
        let tests = names.filter(|name| name.ends_with("Test"));
        let owned = |(name, text): &(&str, &str)| ((*name).to_owned(), (*text).to_owned());
        let mut program = Self {
            project: Project::empty(JDK),
            server: JavaServer::start(&jdk.unwrap()).unwrap(),
            sources: sources.iter().map(owned).collect(),
            tests: tests.map(str::to_owned).collect(),
            written: BTreeSet::new(),
        };
        program.compile(&[]);
        program
    }

    /// All test classes, sorted.
    pub(crate) fn tests(&self) -> Vec<&str> {
        let mut tests: Vec<&str> = self.tests.iter().map(String::as_str).collect();
        tests.sort_unstable();
        tests
    }

    /// Compiles the program as it is but for these changes: a class, a text that is in it, and what stands there instead.
    pub(crate) fn compile(&mut self, changes: &[[&str; 3]]) {
        let mut sources = self.sources.clone();
        for [class, from, to] in changes {
            let source = sources.iter_mut().find(|(name, _)| name == class);
            let (_, text) = source.unwrap_or_else(|| panic!("there is a class {class}"));
            assert!(text.contains(from), "{class} has no `{from}`");
            *text = text.replace(from, to);
        }
        let files = sources.iter().map(|(name, text)| {
            let header = if name == "package-info" {
                ""
            } else {
                "package shop; "
            };
            (format!("{name}.java"), format!("{header}{text}"))
        });
        let files: Vec<(String, String)> = files.collect();
        let files: Vec<(&str, &str)> = files.iter().map(|(n, t)| (&**n, &**t)).collect();
        let libraries = env::join_paths(junit()).unwrap();
        let options = [
            "--release",
            "8",
            "-nowarn",
            "-cp",
            libraries.to_str().unwrap(),
        ];
        let classes = self.server.compile(&options, &files).unwrap();
        let mut written = BTreeSet::new();
        for (name, bytes) in classes {
            let path = self.project.path(format!("classes/{name}.class"));
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            // What is as it was stays untouched, as builds do it.
            if fs::read(&path).ok().as_ref() != Some(&bytes) {
                fs::write(&path, bytes).unwrap();
            }
            written.insert(path);
        }
        for gone in self.written.difference(&written) {
            fs::remove_file(gone).unwrap();
        }
        self.written = written;
    }

    /// `tamis run` of all tests.
    pub(crate) fn run(&self) -> Ran {
        self.run_as(&Launch::default())
    }

    /// The same with options for `tamis run`, and for the JVM.
    pub(crate) fn run_with(&self, options: &[&str], jvm_options: &[&str]) -> Ran {
        self.run_as(&Launch {
            options,
            jvm_options,
            ..Launch::default()
        })
    }

    /// The same in another way.
    pub(crate) fn run_as(&self, launch: &Launch<'_>) -> Ran {
        let mut places = vec![self.project.path("classes")];
        places.extend(junit());
        let names: Vec<String> = self
            .tests
            .iter()
            .map(|name| format!("shop.{name}"))
            .collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        self.project.junit_core_as(launch, &places, &names)
    }
}

fn junit() -> Vec<PathBuf> {
    class_path(&["junit:junit:4.13.2"]).unwrap()
}
