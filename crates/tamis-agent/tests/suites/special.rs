//! Tests that look closely, in `special/`: they print all they see of themselves, of their children and of
//! the framework, end their JVM, close descriptors and bring agents of their own. What is printed and
//! the exit code are the same with the agent and without it.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::{env, fs};

use anyhow::{Result, ensure};
use tamis_build::Jdk;
use tamis_testkit::jacoco::agent_option;
use tamis_testkit::jdks::jdks;
use tamis_testkit::maven::class_path;
use tamis_testkit::place::{content_key, folder_once};
use tempfile::TempDir;

use crate::libraries::is_wanted;
use crate::watched::watched;

macro_rules! sources {
    ($($name:literal),*) => {
        &[$(($name, include_str!(concat!("special/", $name, ".java")))),*]
    };
}

const SOURCES: &[(&str, &str)] = sources!(
    "Child",
    "ClosesTest",
    "EndsTest",
    "Looks",
    "Main",
    "NewStyleTest",
    "OldStyleTest",
    "OwnAgentsTest"
);

/// Needs JDK 9.
const WALKS: &[(&str, &str)] = sources!("Walks");

const FRAMEWORKS: &[&str] = &[
    "junit:junit:4.13.2",
    "org.junit.jupiter:junit-jupiter:5.11.4",
    "org.junit.platform:junit-platform-launcher:1.11.4",
];
const BYTE_BUDDY: &[&str] = &[
    "net.bytebuddy:byte-buddy:1.17.7",
    "net.bytebuddy:byte-buddy-agent:1.17.7",
];
/// The last for JDK 8; its mocks of final classes are an artefact of their own.
const MOCKITO_4: &[&str] = &[
    "org.mockito:mockito-core:4.11.0",
    "org.mockito:mockito-inline:4.11.0",
];
const MOCKITO_5: &[&str] = &["org.mockito:mockito-core:5.20.0"];

/// The compiled tests of one JDK.
struct Special {
    jdk: Jdk,
    dir: TempDir,
    path: Vec<PathBuf>,
}

/// Where JaCoCo's agent stands on the command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Jacoco {
    Absent,
    Before,
    After,
}

#[test]
fn what_tests_see_of_themselves_is_the_same() {
    each_jdk(|special| {
        special.check(&[], "junit4", "OldStyleTest", Jacoco::Absent, 1);
        special.check(&[], "jupiter", "NewStyleTest", Jacoco::Absent, 0);
    });
}

#[test]
fn beside_jacoco_it_is_the_same_too() {
    each_jdk(|special| {
        special.check(&[], "junit4", "OldStyleTest", Jacoco::Before, 1);
        special.check(&[], "jupiter", "NewStyleTest", Jacoco::After, 0);
    });
}

#[test]
fn tests_with_agents_of_their_own() {
    each_jdk(|special| {
        let options: &[&str] = match special.jdk.feature {
            // Without a word about agents that come late.
            21.. => &["-XX:+EnableDynamicAgentLoading"],
            _ => &[],
        };
        // Not beside JaCoCo: its classes cannot be redefined from the disk, with or without us.
        special.check(options, "junit4", "OwnAgentsTest", Jacoco::Absent, 0);
    });
}

#[test]
fn a_test_that_ends_its_jvm() {
    each_jdk(|special| {
        special.check(&["-Dending=exit"], "junit4", "EndsTest", Jacoco::Absent, 3);
        special.check(&["-Dending=halt"], "junit4", "EndsTest", Jacoco::Absent, 4);
    });
}

#[test]
fn a_test_that_closes_descriptors() {
    each_jdk(|special| {
        let options: &[&str] = match special.jdk.feature {
            9.. => &["--add-opens=java.base/java.io=ALL-UNNAMED"],
            _ => &[],
        };
        special.check(options, "junit4", "ClosesTest", Jacoco::Absent, 0);
    });
}

fn each_jdk(check: impl Fn(&Special)) {
    let jdks = jdks().unwrap();
    for jdk in jdks.into_iter().filter(is_wanted) {
        check(&Special::compile(jdk));
    }
}

impl Special {
    fn compile(jdk: Jdk) -> Self {
        let mockito = if jdk.feature < 11 {
            MOCKITO_4
        } else {
            MOCKITO_5
        };
        let mut path = class_path(&[FRAMEWORKS, BYTE_BUDDY, mockito].concat()).unwrap();
        let walks = if jdk.feature >= 9 { WALKS } else { &[] };
        let sources = [SOURCES, walks].concat();
        let name = format!("special/{}", content_key(&(&sources, &path, jdk.feature)));
        let classes = folder_once(&name, |dir| compile(&jdk, &sources, &path, dir)).unwrap();
        path.insert(0, classes);
        let dir = tempfile::tempdir().unwrap();
        Self { jdk, dir, path }
    }

    /// Runs a test class with the agent and without, and compares all that can be seen from outside.
    fn check(&self, options: &[&str], framework: &str, class: &str, jacoco: Jacoco, code: i32) {
        let exec = self.dir.path().join("exec");
        let context = format!("{class} on JDK {}, JaCoCo {jacoco:?}", self.jdk.feature);
        let jacoco_option = (jacoco != Jacoco::Absent).then(|| agent_option(&exec).unwrap());
        let plain = self.run(jacoco_option.as_slice(), options, framework, class);
        let (output, told) = watched(|option| {
            let mut agents = vec![option];
            match jacoco {
                Jacoco::Before => agents.splice(..0, jacoco_option.clone()).for_each(drop),
                _ => agents.extend(jacoco_option.clone()),
            }
            self.run(&agents, options, framework, class)
        });
        assert!(!told.is_empty(), "{context}: the agent was there");
        assert_eq!(
            plain.status.code(),
            Some(code),
            "{context}: {}",
            text(&plain.stderr)
        );
        assert_eq!(output.status, plain.status, "{context}");
        compare(&text(&plain.stdout), &text(&output.stdout), &context);
        compare(&text(&plain.stderr), &text(&output.stderr), &context);
    }

    fn run(&self, agents: &[String], options: &[&str], framework: &str, class: &str) -> Output {
        let mut command = Command::new(self.jdk.java());
        command
            .current_dir(self.dir.path())
            .env_remove("JAVA_TOOL_OPTIONS")
            .env_remove("JDK_JAVA_OPTIONS")
            .args(agents)
            .args(options)
            .arg("-classpath")
            .arg(env::join_paths(&self.path).unwrap())
            .args(["Main", framework, class]);
        command.output().unwrap()
    }
}

fn compile(jdk: &Jdk, sources: &[(&str, &str)], path: &[PathBuf], dir: &Path) -> Result<()> {
    let mut javac = Command::new(jdk.javac());
    javac
        .args(["-nowarn", "-g", "-proc:none", "-encoding", "UTF-8"])
        .arg("-classpath")
        .arg(env::join_paths(path)?)
        .arg("-d")
        .arg(dir);
    for (name, text) in sources {
        let file = dir.join(format!("{name}.java"));
        fs::write(&file, text)?;
        javac.arg(file);
    }
    let output = javac.output()?;
    ensure!(output.status.success(), "{}", text(&output.stderr));
    Ok(())
}

/// Shows the first line that differs, not hundreds that do not.
fn compare(plain: &str, watched: &str, context: &str) {
    for (number, (plain, watched)) in (1..).zip(plain.lines().zip(watched.lines())) {
        assert_eq!(plain, watched, "{context}, line {number}");
    }
    assert_eq!(plain.len(), watched.len(), "{context}");
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}
