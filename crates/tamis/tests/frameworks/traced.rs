//! Compiles test classes, runs them under `tamis trace`, and tells in few words what came of it.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;

use serde_json::Value;
use tamis_build::Jdk;
use tamis_testkit::jdks::{jdks, newest_jdk};
use tamis_testkit::maven::artifacts;
use tamis_testkit::place::{content_key, folder_once};
use tempfile::TempDir;

/// Test classes and what they need to run.
pub(crate) struct Program {
    /// Directories and jars.
    class_path: Vec<PathBuf>,
    /// The main class and its arguments.
    main: Vec<String>,
}

impl Program {
    /// Compiles the folder `sources` beside this file with the first libraries on the class path, and
    /// runs it with the others.
    pub(crate) fn new(sources: &str, compile_with: &[&str], run_with: &[&str]) -> Self {
        let jars = artifacts(run_with).unwrap();
        let mut class_path = vec![compiled(sources, compile_with)];
        class_path.extend(jars);
        Self {
            class_path,
            main: Vec::new(),
        }
    }

    /// To be run with a main class and arguments.
    pub(crate) fn run(mut self, main: &[&str]) -> Scenario {
        self.main = main.iter().map(|&word| word.to_owned()).collect();
        Scenario {
            program: self,
            jdk: newest_jdk().unwrap(),
            tamis: Vec::new(),
            java: Vec::new(),
        }
    }
}

/// One run of a program.
pub(crate) struct Scenario {
    program: Program,
    jdk: Jdk,
    tamis: Vec<String>,
    java: Vec<String>,
}

impl Scenario {
    pub(crate) fn on(mut self, jdk: &Jdk) -> Self {
        self.jdk = jdk.clone();
        self
    }

    pub(crate) fn by_method(mut self) -> Self {
        self.tamis.extend(["--by".to_owned(), "method".to_owned()]);
        self
    }

    pub(crate) fn skip(mut self, glob: &str) -> Self {
        self.tamis.extend(["--skip".to_owned(), glob.to_owned()]);
        self
    }

    /// With an option of the JVM.
    pub(crate) fn java(mut self, option: &str) -> Self {
        self.java.push(option.to_owned());
        self
    }

    /// Without Tamis.
    pub(crate) fn plain(&self) -> Output {
        let mut command = Command::new(self.jdk.java());
        self.arguments(&mut command);
        command.env_remove("JAVA_TOOL_OPTIONS").output().unwrap()
    }

    /// With Tamis.
    pub(crate) fn trace(&self) -> Traced {
        let report = TempDir::new().unwrap();
        let file = report.path().join("report.json");
        let mut command = Command::new(env!("CARGO_BIN_EXE_tamis"));
        command.arg("trace").args(&self.tamis);
        command.args(["--format", "json", "--output"]).arg(&file);
        command.arg("--").arg(self.jdk.java());
        self.arguments(&mut command);
        command
            .env("TAMIS_CACHE_DIR", cache())
            .env_remove("JAVA_TOOL_OPTIONS");
        let output = command.output().unwrap();
        let report = fs::read(&file).unwrap_or_else(|_| panic!("no report: {output:?}"));
        let report: Value = serde_json::from_slice(&report).unwrap();
        let traced = Traced {
            output,
            jvm: report["jvms"][0].clone(),
            directory: self.program.class_path[0].clone(),
        };
        assert_eq!(traced.jvm["ending"]["status"], "complete", "{traced:?}");
        traced
    }

    fn arguments(&self, command: &mut Command) {
        command
            .arg("-XX:+UseSerialGC")
            .args(&self.java)
            .arg("-cp")
            .arg(std::env::join_paths(&self.program.class_path).unwrap())
            .args(&self.program.main);
    }
}

/// What Tamis told.
#[derive(Debug)]
pub(crate) struct Traced {
    pub(crate) output: Output,
    pub(crate) jvm: Value,
    directory: PathBuf,
}

impl Traced {
    /// The exit code.
    pub(crate) fn code(&self) -> i32 {
        self.output.status.code().unwrap()
    }

    pub(crate) fn stdout(&self) -> String {
        String::from_utf8(self.output.stdout.clone()).unwrap()
    }

    /// What the tests themselves said, on standard error in lower case.
    pub(crate) fn said(&self) -> String {
        let stderr = String::from_utf8_lossy(&self.output.stderr);
        let is_said = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == ' ';
        let lines = stderr.lines();
        let lines = lines.filter(|line| !line.is_empty() && line.chars().all(is_said));
        lines.collect::<Vec<_>>().join(", ")
    }

    /// Each entity in a line: name, kind, how it went, and its tests.
    pub(crate) fn entities(&self) -> String {
        let mut text = String::new();
        for entity in self.all() {
            writeln!(text, "{}", entity_line(entity)).unwrap();
        }
        text
    }

    /// What an entity relies on of the program's own classes: a line for each reason.
    pub(crate) fn relied(&self, name: &str) -> String {
        let entity = self.all().find(|entity| entity["name"] == name);
        let entity = entity.unwrap_or_else(|| panic!("no {name} in\n{}", self.entities()));
        let ours = self.own_classes();
        let mut by_reason: BTreeMap<usize, Vec<String>> = BTreeMap::new();
        for class in entity["classes"].as_array().unwrap() {
            let class_name = class["name"].as_str().unwrap();
            if !ours.contains(class_name) {
                continue;
            }
            for method in class["methods"].as_array().unwrap() {
                let reason = method["reliance"].as_str().unwrap();
                let position = REASONS.iter().position(|known| *known == reason).unwrap();
                let method = method["name"].as_str().unwrap();
                let short = class_name.rsplit('$').next().unwrap();
                by_reason
                    .entry(position)
                    .or_default()
                    .push(format!("{short}.{method}"));
            }
        }
        let mut text = String::new();
        for (position, methods) in by_reason {
            writeln!(text, "{}: {}", REASONS[position], methods.join(" ")).unwrap();
        }
        text
    }

    /// Why an entity relies on a method `Class.method`; nothing if it does not.
    pub(crate) fn why(&self, entity: &str, method: &str) -> Option<String> {
        let relied = self.relied(entity);
        let mut lines = relied.lines();
        let line = lines.find(|line| line.split(' ').any(|word| word == method))?;
        Some(line.split(':').next().unwrap().to_owned())
    }

    /// The frameworks that are not understood.
    pub(crate) fn unsupported(&self) -> Vec<&str> {
        let all = self.jvm["unsupported"].as_array().unwrap().iter();
        all.map(|one| one["framework"].as_str().unwrap()).collect()
    }

    fn all(&self) -> impl Iterator<Item = &Value> {
        self.jvm["entities"].as_array().unwrap().iter()
    }

    /// Classes that lie in the program's own directory.
    fn own_classes(&self) -> BTreeSet<&str> {
        let directory = self.directory.to_str().unwrap();
        let classes = self.jvm["classes"].as_array().unwrap().iter();
        classes
            .filter(|class| {
                let location = class["file"]["location"].as_str();
                location.is_some_and(|location| location.starts_with(directory))
            })
            .map(|class| class["name"].as_str().unwrap())
            .collect()
    }
}

const REASONS: [&str; 5] = ["ran", "around", "carried", "ambient", "initialiser"];

fn entity_line(entity: &Value) -> String {
    let name = entity["name"].as_str().unwrap();
    let kind = entity["kind"].as_str().unwrap();
    let mut line = format!("{name} {kind}");
    for parent in entity["parents"].as_array().unwrap() {
        write!(line, " in {}", parent.as_str().unwrap()).unwrap();
    }
    let shown: BTreeSet<&str> = entity["tests"]
        .as_array()
        .unwrap()
        .iter()
        .map(|test| test.as_str().unwrap())
        .collect();
    if entity["is_skipped"] == true {
        line += ", to be skipped";
    }
    for run in entity["runs"].as_array().unwrap() {
        write!(line, ", {}", run["outcome"].as_str().unwrap()).unwrap();
        let mut tests = Vec::new();
        let mut ran = BTreeSet::new();
        for test in run["tests"].as_array().unwrap() {
            let name = test["name"].as_str().unwrap();
            ran.insert(name);
            let outcome = test["outcome"].as_str().unwrap();
            tests.push(format!("{} {outcome}", test_name(name)));
        }
        let silent = shown.difference(&ran);
        tests.extend(silent.map(|test| format!("{} not told", test_name(test))));
        if !tests.is_empty() && kind != "method" {
            write!(line, " ({})", tests.join(", ")).unwrap();
        }
    }
    if entity["is_unfinished"] == true {
        line += ", unfinished";
    }
    line
}

/// A class that is a test itself has no name in the entity.
fn test_name(name: &str) -> &str {
    if name.is_empty() { "itself" } else { name }
}

/// The JDKs of the smoke set: the oldest, 17, and the newest.
pub(crate) fn smoke_jdks() -> Vec<Jdk> {
    let mut jdks = jdks().unwrap();
    let newest = jdks.last().unwrap().feature;
    let oldest = jdks[0].feature;
    jdks.retain(|jdk| [oldest, 17, newest].contains(&jdk.feature));
    jdks
}

/// The classes of a folder of sources, compiled for Java 8.
fn compiled(sources: &str, libraries: &[&str]) -> PathBuf {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/frameworks/java")
        .join(sources);
    let mut files: Vec<PathBuf> = fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    files.sort();
    let texts: Vec<String> = files
        .iter()
        .map(|file| fs::read_to_string(file).unwrap())
        .collect();
    let jdk = jdks().unwrap().remove(0);
    let key = content_key(&(&texts, libraries, jdk.feature));
    let compile = |classes: &Path| {
        let mut javac = Command::new(jdk.javac());
        if jdk.feature > 8 {
            javac.args(["--release", "8", "-Xlint:-options"]);
        }
        let jars = artifacts(libraries)?;
        if !jars.is_empty() {
            javac.arg("-cp").arg(std::env::join_paths(jars)?);
        }
        javac.args(["-g", "-proc:none", "-d"]).arg(classes);
        let output = javac.args(&files).output()?;
        assert!(output.status.success(), "{output:?}");
        Ok(())
    };
    folder_once(&format!("frameworks/{sources}-{key}"), compile).unwrap()
}

/// One for all tests of this process: the agent is tried on each JDK once.
fn cache() -> &'static Path {
    static CACHE: OnceLock<TempDir> = OnceLock::new();
    CACHE.get_or_init(|| TempDir::new().unwrap()).path()
}
