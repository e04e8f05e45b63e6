//! A build of Maven's, without Tamis and with it in the same directory, and what must be the same of both.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;
use tamis_testkit::place::Lock;
use walkdir::WalkDir;

use crate::sandbox::Sandbox;

/// Where the agent is kept: Surefire's line of arguments has to bear it.
pub(crate) const CACHE: &str = "the \"agents\" cache é";

const REPORT: &str = "report.json";

/// What a build did, apart from what may differ from run to run.
pub(crate) struct Build {
    code: Option<i32>,
    /// The lines of the console, sorted, since modules may be built at the same time.
    console: Vec<String>,
    standard_error: String,
    /// The outcome of each test, by the file that reports it.
    pub(crate) results: BTreeMap<String, Vec<String>>,
    /// What each test saw, by module, execution and test.
    pub(crate) seen: BTreeMap<String, Seen>,
    /// Every file there is, the histories of Surefire with their whole names.
    files: Vec<String>,
}

/// What a test saw.
pub(crate) struct Seen {
    /// Properties and variables, without what is random.
    pub(crate) surroundings: Vec<String>,
    pub(crate) arguments: Vec<String>,
    pid: u64,
}

impl Build {
    fn new(sandbox: &Sandbox, mut command: Command) -> Self {
        let output = command.output().unwrap();
        let Output {
            status,
            stdout,
            stderr,
        } = output;
        let [console, standard_error] = [stdout, stderr].map(|b| String::from_utf8(b).unwrap());
        let mut build = Self {
            code: status.code(),
            console: normal_form(&console),
            standard_error,
            results: BTreeMap::new(),
            seen: BTreeMap::new(),
            files: Vec::new(),
        };
        for file in files(&sandbox.path("")) {
            let name = file
                .strip_prefix(sandbox.path(""))
                .unwrap()
                .to_str()
                .unwrap();
            if name.contains("/seen/") {
                let text = fs::read_to_string(&file).unwrap();
                build
                    .seen
                    .insert(name.replace("/seen/", " "), Seen::parse(&text));
                fs::remove_file(&file).unwrap();
            } else if name.contains("-reports/TEST-") {
                let text = fs::read_to_string(&file).unwrap();
                build.results.insert(name.to_owned(), outcomes(&text));
            }
            assert!(
                !name.contains(".dump"),
                "{name}: {:?}",
                fs::read_to_string(&file)
            );
            if !name.starts_with(CACHE) && name != REPORT {
                let is_history = name.contains("/.surefire-");
                build.files.push(if is_history {
                    name.to_owned()
                } else {
                    without_digits(name)
                });
            }
        }
        assert!(!console.contains("Corrupted channel"), "{console}");
        build
    }

    /// What Tamis said beside what Maven says.
    pub(crate) fn warnings(&self) -> Vec<&str> {
        let lines = self.standard_error.lines();
        let warnings = lines.filter_map(|line| line.split_once("warning: "));
        warnings.map(|(_, warning)| warning).collect()
    }
}

impl Seen {
    fn parse(text: &str) -> Self {
        let lines = |kind: &str| {
            let lines = text.lines().filter_map(|line| line.strip_prefix(kind));
            lines.map(str::to_owned).collect::<Vec<_>>()
        };
        let is_inside_maven = lines("property maven.home=").len() == 1;
        let is_ordered = lines("property seen=")[0].ends_with("/ordered");
        // Maven's own JVM cannot be told what stood on its command line; and nothing at all may be changed where
        // Surefire keeps a history.
        let is_command_line = |line: &str| {
            (is_inside_maven || is_ordered)
                && ["sun.java.command=", "MAVEN_CMD_LINE_ARGS="]
                    .iter()
                    .any(|name| line.contains(name))
        };
        let surroundings = text
            .lines()
            .filter(|line| line.starts_with("property ") || line.starts_with("variable "));
        Self {
            surroundings: surroundings
                .filter(|line| !is_command_line(line))
                .map(without_digits)
                .collect(),
            arguments: lines("argument "),
            pid: lines("pid ")[0].parse().unwrap(),
        }
    }

    /// What the agent was told about the test.
    fn label(&self) -> String {
        let (_, label) = self.arguments[0].split_once(",label=").unwrap();
        let bytes = label
            .as_bytes()
            .chunks(2)
            .map(|pair| u8::from_str_radix(std::str::from_utf8(pair).unwrap(), 16).unwrap());
        String::from_utf8(bytes.collect()).unwrap()
    }
}

pub(crate) const NONE: [String; 0] = [];

/// What one of two sorted lists has more than the other.
fn differences(left: &[String], right: &[String]) -> Vec<String> {
    let mut counts: BTreeMap<&str, i32> = BTreeMap::new();
    for line in left {
        *counts.entry(line).or_default() += 1;
    }
    for line in right {
        *counts.entry(line).or_default() -= 1;
    }
    let counts = counts.into_iter().filter(|(_, count)| *count != 0);
    counts
        .map(|(line, count)| format!("{:+} {line}", -count))
        .collect()
}

fn files(root: &Path) -> Vec<PathBuf> {
    let entries = WalkDir::new(root).sort_by_file_name().into_iter();
    let entries = entries
        .map(|entry| entry.unwrap())
        .filter(|entry| entry.file_type().is_file());
    entries.map(walkdir::DirEntry::into_path).collect()
}

/// Times, dates and names of temporary files: each row of digits becomes one.
pub(crate) fn without_digits(line: &str) -> String {
    let mut text = String::new();
    for character in line.chars() {
        match character {
            '0'..='9' if text.ends_with('0') => {}
            '0'..='9' => text.push('0'),
            other => text.push(other),
        }
    }
    text
}

fn normal_form(console: &str) -> Vec<String> {
    let without_time = |line: &str| {
        let end = ["Time elapsed", " [ ", "Total time"]
            .iter()
            .filter_map(|word| line.find(word))
            .min();
        without_digits(&line[..end.unwrap_or(line.len())])
    };
    let mut lines: Vec<String> = console.lines().map(without_time).collect();
    lines.sort();
    lines
}

/// Name and outcome of each test in a report.
fn outcomes(report: &str) -> Vec<String> {
    let mut outcomes: Vec<String> = report
        .split("<testcase")
        .skip(1)
        .map(|case| {
            let attribute = |name: &str| {
                let (_, rest) = case.split_once(&format!(" {name}=\"")).unwrap();
                rest.split('"').next().unwrap().to_owned()
            };
            let has_failed = case.contains("<failure") || case.contains("<error");
            format!(
                "{}.{} {}",
                attribute("classname"),
                attribute("name"),
                if has_failed { "failed" } else { "passed" }
            )
        })
        .collect();
    outcomes.sort();
    outcomes
}

/// A build without Tamis, then with it.
pub(crate) struct Pair {
    pub(crate) plain: Build,
    pub(crate) traced: Build,
    report: Value,
}

impl Pair {
    pub(crate) fn new(
        sandbox: &Sandbox,
        program: &str,
        arguments: &[&str],
        set: impl Fn(&mut Command),
    ) -> Self {
        let prepared = |mut command: Command| {
            command
                .env_remove("JAVA_TOOL_OPTIONS")
                .env_remove("MAVEN_OPTS")
                .env("TAMIS_CACHE_DIR", sandbox.path(CACHE));
            set(&mut command);
            command
        };
        // Two builds at once may spoil what they download for each other.
        let lock = Lock::take("maven-builds").unwrap();
        let mut command = sandbox.command(program);
        command.args(arguments);
        let plain = Build::new(sandbox, prepared(command));
        for entry in WalkDir::new(sandbox.path("")) {
            let Ok(entry) = entry else { continue };
            if entry.file_name() == "target" {
                fs::remove_dir_all(entry.path()).unwrap();
            }
        }
        let mut command = sandbox.tamis();
        command
            .args([
                "trace", "--format", "json", "--output", REPORT, "--", program,
            ])
            .args(arguments);
        let traced = Build::new(sandbox, prepared(command));
        drop(lock);
        let report = serde_json::from_slice(&sandbox.read(REPORT)).unwrap();
        Self {
            plain,
            traced,
            report,
        }
    }

    /// The same build, as far as anybody but Tamis can tell.
    pub(crate) fn assert_same(&self) {
        let (plain, traced) = (&self.plain, &self.traced);
        assert_eq!(plain.code, Some(0), "{:#?}", plain.console);
        assert_eq!(differences(&plain.console, &traced.console), NONE);
        assert_eq!(plain.code, traced.code);
        assert_eq!(plain.results, traced.results);
        assert_eq!(differences(&plain.files, &traced.files), NONE);
        let [names, others] = [plain, traced].map(|build| build.seen.keys().collect::<Vec<_>>());
        assert_eq!(names, others);
        for (name, seen) in &plain.seen {
            let with = &traced.seen[name];
            assert_eq!(
                differences(&seen.surroundings, &with.surroundings),
                NONE,
                "{name}"
            );
            let is_agent = |argument: &&String| argument.starts_with("-agentpath:");
            let arguments: Vec<_> = with.arguments.iter().filter(|a| !is_agent(a)).collect();
            assert_eq!(
                seen.arguments.iter().collect::<Vec<_>>(),
                arguments,
                "{name}"
            );
        }
    }

    /// Each test ran in a JVM that was watched and knows what it is about, but for these executions; no other JVM was
    /// watched.
    pub(crate) fn assert_watched(&self, left_alone: &[&str]) {
        let mut pids = Vec::new();
        for (name, seen) in &self.traced.seen {
            let [module, execution, test] = parts(name);
            let watched = self.watched(seen);
            if left_alone.contains(&execution) {
                assert_eq!(watched, None, "{name}");
                continue;
            }
            pids.push(seen.pid);
            let classes = watched.unwrap_or_else(|| panic!("{name} is not watched"));
            let is_there = classes.iter().any(|class| class == test);
            assert!(is_there, "{name}: {classes:?}");
            assert_eq!(seen.label(), format!("shop:{module}\n{execution}"));
        }
        for jvm in self.report["jvms"].as_array().unwrap() {
            // A fork that came too late may have had no test to run.
            let is_known = pids.iter().any(|pid| jvm["pid"] == *pid);
            assert!(is_known || classes_of(jvm).is_empty(), "{}", jvm["pid"]);
        }
    }

    /// The project's classes that ran in the JVM that a test ran in; nothing if that JVM was not watched.
    pub(crate) fn watched(&self, seen: &Seen) -> Option<Vec<String>> {
        let jvms = self.report["jvms"].as_array().unwrap();
        let jvm = jvms.iter().find(|jvm| jvm["pid"] == seen.pid)?;
        assert_eq!(jvm["ending"]["status"], "complete");
        Some(classes_of(jvm))
    }
}

fn classes_of(jvm: &Value) -> Vec<String> {
    let classes = jvm["classes"].as_array().unwrap().iter();
    let ran = classes.filter(|class| class["n_ran"].as_u64() > Some(0));
    let names = ran.filter_map(|class| class["name"].as_str().unwrap().strip_prefix("shop/"));
    names.map(str::to_owned).collect()
}

/// Module, execution and test, of `module execution-Test.txt`.
fn parts(name: &str) -> [&str; 3] {
    let (module, rest) = name.split_once(' ').unwrap();
    let (execution, test) = rest.strip_suffix(".txt").unwrap().rsplit_once('-').unwrap();
    [module, execution, test]
}
