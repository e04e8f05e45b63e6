//! A small program, compiled again and again in memory; a plain command runs its tests, all in one JVM.

use std::collections::BTreeSet;
use std::env;
use std::fs;
use std::path::PathBuf;

use serde_json::Value;
use tamis_testkit::jdks::jdks;
use tamis_testkit::maven::{artifacts, class_path};
use tamis_testkit::server::JavaServer;

pub(crate) use crate::project::Launch;
use crate::project::{Project, Ran};

/// The program; it goes away with the value.
pub(crate) struct PlainProgram {
    pub(crate) project: Project,
    server: JavaServer,
    framework: Framework,
    /// Where the framework lies.
    pub(crate) libraries: Vec<PathBuf>,
    /// Names of classes of the package `shop`, and their texts without the package.
    sources: Vec<(String, String)>,
    /// Test classes, in the order in which they run.
    tests: Vec<String>,
    written: BTreeSet<PathBuf>,
}

/// What tests call, in one way or another, of which each would notice another result.
const CALC: (&str, &str) = (
    "Calc",
    "public class Calc { public static int one() { return 1; } }",
);

/// Tests of Jupiter and other classes, to which `Calc` comes, and what is done to the class files each time they are compiled. Then
/// `Calc.one()` gives 2 in the place of 1: which tests run by each mesh, and how they end.
pub(crate) fn assert_calc_concerns(
    sources: &[(&str, &str)],
    after_compiling: impl Fn(&PlainProgram),
    expected: &[(&str, &str)],
) {
    let mut program = PlainProgram::of_jupiter(&[&[CALC], sources].concat());
    after_compiling(&program);
    program.run().assert_ran(&program.tests());
    program.run().assert_ran(&[]);
    program.compile(&[["Calc", "return 1", "return 2"]]);
    after_compiling(&program);
    for mesh in ["file", "method", "dispatch", "block"] {
        let changed = program.run_with(&["--mesh", mesh, "--no-record"], &[]);
        changed.assert_verdicts(expected);
    }
}

/// How tests are written and started.
struct Framework {
    imports: &'static str,
    /// The main class, and what stands before the tests.
    main: &'static [&'static str],
    /// What stands before each of them.
    before_each: &'static [&'static str],
}

const JUNIT_4: Framework = Framework {
    imports: "",
    main: &["org.junit.runner.JUnitCore"],
    before_each: &[],
};

const JUPITER: Framework = Framework {
    imports: "import org.junit.jupiter.api.*; ",
    main: &["org.junit.platform.console.ConsoleLauncher", "execute"],
    before_each: &["-c"],
};

impl PlainProgram {
    /// A program of these classes. Those that end with `Test` are tests of JUnit 4.
    pub(crate) fn new(sources: &[(&str, &str)]) -> Self {
        let libraries = class_path(&["junit:junit:4.13.2"]).unwrap();
        Self::with(JUNIT_4, libraries, sources)
    }

    /// The same with tests of Jupiter.
    pub(crate) fn of_jupiter(sources: &[(&str, &str)]) -> Self {
        const CONSOLE: &str = "org.junit.platform:junit-platform-console-standalone:1.13.4";
        Self::with(JUPITER, artifacts(&[CONSOLE]).unwrap(), sources)
    }

    fn with(framework: Framework, libraries: Vec<PathBuf>, sources: &[(&str, &str)]) -> Self {
        const JDK: u32 = 17;
        let jdk = jdks().unwrap().into_iter().find(|jdk| jdk.feature == JDK);
        let names = sources.iter().map(|(name, _)| *name);
        let tests = names.filter(|name| name.ends_with("Test"));
        let owned = |(name, text): &(&str, &str)| ((*name).to_owned(), (*text).to_owned());
        let mut program = Self {
            project: Project::empty(JDK),
            server: JavaServer::start(&jdk.unwrap()).unwrap(),
            framework,
            libraries,
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
                String::new()
            } else {
                format!("package shop; {}", self.framework.imports)
            };
            (format!("{name}.java"), format!("{header}{text}"))
        });
        let files: Vec<(String, String)> = files.collect();
        let files: Vec<(&str, &str)> = files.iter().map(|(n, t)| (&**n, &**t)).collect();
        let libraries = env::join_paths(&self.libraries).unwrap();
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

    /// Which tests would run, without a JVM.
    pub(crate) fn selected(&self, mesh: &str) -> BTreeSet<String> {
        let mut command = self.project.tamis();
        let output = command.args(["why", "*", "--mesh", mesh, "--format", "json"]);
        let report: Value = serde_json::from_slice(&output.output().unwrap().stdout).unwrap();
        let entities = report["entities"].as_array().unwrap().iter();
        let selected = entities.filter(|entity| entity["is_selected"] == true);
        let names = selected.map(|entity| entity["name"].as_str().unwrap());
        names
            .map(|name| name.strip_prefix("shop.").unwrap().to_owned())
            .collect()
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
        places.extend(self.libraries.iter().cloned());
        let names: Vec<String> = self
            .tests
            .iter()
            .map(|name| format!("shop.{name}"))
            .collect();
        let mut arguments = self.framework.main.to_vec();
        for name in &names {
            arguments.extend(self.framework.before_each);
            arguments.push(name);
        }
        self.project.java(launch, &places, &arguments)
    }
}
