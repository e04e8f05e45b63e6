//! A small project of Maven's, built with Tamis again and again.

use std::collections::{BTreeMap, BTreeSet};
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::Value;
use tamis_testkit::jdks::jdks;
use tempfile::TempDir;

/// The project; it goes away with the value.
pub(crate) struct Project {
    root: TempDir,
    java_home: PathBuf,
}

/// A test framework and the version of Surefire that runs it.
#[derive(Clone, Copy)]
pub(crate) struct Combination {
    pub(crate) surefire: &'static str,
    pub(crate) dependency: &'static str,
    /// What marks a test.
    pub(crate) test: &'static str,
    /// The feature release of the JDK, and what javac is asked for.
    pub(crate) jdk: u32,
    pub(crate) release: &'static str,
}

pub(crate) const JUNIT_4: Combination = Combination {
    surefire: "3.2.5",
    dependency: "junit:junit:4.13.2",
    test: "org.junit.Test",
    jdk: 17,
    release: "8",
};

pub(crate) const JUPITER: Combination = Combination {
    surefire: "3.5.4",
    dependency: "org.junit.jupiter:junit-jupiter:5.11.4",
    test: "org.junit.jupiter.api.Test",
    jdk: 25,
    release: "8",
};

/// Test classes run in the order of their names.
pub(crate) const ALPHABETICAL: &str =
    "<configuration><runOrder>alphabetical</runOrder></configuration>";

/// How a plain command is run.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Launch<'l> {
    /// More variables in the environment.
    pub(crate) variables: &'l [(&'l str, &'l str)],
    /// Options of `tamis run`.
    pub(crate) options: &'l [&'l str],
    /// The program that starts the JVM, if it is not that of the project's JDK.
    pub(crate) launcher: Option<&'l Path>,
    /// Options of the JVM.
    pub(crate) jvm_options: &'l [&'l str],
}

/// What `tamis test` did.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) code: Option<i32>,
    /// Classes that ran, with the verdict of each.
    pub(crate) verdicts: BTreeMap<String, String>,
    pub(crate) skipped: BTreeSet<String>,
    pub(crate) n_jvms: u64,
    pub(crate) notes: Vec<String>,
    pub(crate) report: Value,
    pub(crate) output: String,
}

impl Project {
    /// One module with this test framework, and more in the configuration of Surefire.
    pub(crate) fn new(combination: &Combination, configuration: &str) -> Self {
        let project = Self::empty(combination.jdk);
        project.write("pom.xml", &pom(combination, configuration));
        project
    }

    pub(crate) fn empty(jdk: u32) -> Self {
        let jdks = jdks().unwrap();
        let jdk = jdks.iter().find(|found| found.feature == jdk);
        Self {
            root: tempfile::tempdir().unwrap(),
            java_home: jdk.expect("this JDK is set up").home.clone(),
        }
    }

    pub(crate) fn path(&self, name: impl AsRef<Path>) -> PathBuf {
        self.root.path().join(name)
    }

    pub(crate) fn write(&self, name: &str, text: &str) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    /// Replaces a text that must be there in a file.
    pub(crate) fn edit(&self, name: &str, from: &str, to: &str) {
        let text = fs::read_to_string(self.path(name)).unwrap();
        assert!(text.contains(from), "{name} has no `{from}`");
        self.write(name, &text.replace(from, to));
    }

    /// A class of the program.
    pub(crate) fn class(&self, name: &str, text: &str) {
        self.write(
            &format!("src/main/java/shop/{name}.java"),
            &format!("package shop; {text}"),
        );
    }

    /// A test class with these test methods, each a name and a body.
    pub(crate) fn test_class(&self, combination: &Combination, name: &str, tests: &[(&str, &str)]) {
        let tests = tests.iter().map(|(test, body)| {
            format!(
                "@{} public void {test}() throws Exception {{ {body} }}",
                combination.test
            )
        });
        let tests: Vec<String> = tests.collect();
        let text = format!(
            "package shop; public class {name} {{ {} }}",
            tests.join("\n")
        );
        self.write(&format!("src/test/java/shop/{name}.java"), &text);
    }

    /// A program in the project's directory, with the project's JDK, and as little else as possible in its
    /// environment.
    pub(crate) fn command(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        command
            .current_dir(self.root.path())
            .env("JAVA_HOME", &self.java_home)
            .stdin(Stdio::null());
        for name in ["NO_COLOR", "CLICOLOR_FORCE", "RUST_BACKTRACE"] {
            command.env_remove(name);
        }
        command
    }

    pub(crate) fn maven(&self, arguments: &[&str]) -> Output {
        self.command("mvn")
            .args(["-B", "-ntp"])
            .args(arguments)
            .output()
            .unwrap()
    }

    /// The program that starts JVMs.
    pub(crate) fn launcher(&self) -> PathBuf {
        self.java_home.join("bin/java")
    }

    pub(crate) fn tamis(&self) -> Command {
        self.command(env!("CARGO_BIN_EXE_tamis"))
    }

    /// `tamis test`, with options of its own before `--` and arguments for Maven behind.
    pub(crate) fn test_with(&self, options: &[&str], arguments: &[&str]) -> Ran {
        let mut command = self.tamis();
        command.arg("test").args(options);
        run(command, arguments)
    }

    pub(crate) fn test(&self, arguments: &[&str]) -> Ran {
        self.test_with(&[], arguments)
    }

    /// `tamis test` with more variables in its environment.
    pub(crate) fn test_in(&self, variables: &[(&str, &str)], arguments: &[&str]) -> Ran {
        let mut command = self.tamis();
        command.arg("test").envs(variables.iter().copied());
        run(command, arguments)
    }

    /// `tamis run` of a plain command that runs test classes of JUnit 4, all in one JVM.
    pub(crate) fn junit_core(&self, places: &[PathBuf], tests: &[&str]) -> Ran {
        self.junit_core_as(&Launch::default(), places, tests)
    }

    /// The same in another way.
    pub(crate) fn junit_core_as(
        &self,
        launch: &Launch<'_>,
        places: &[PathBuf],
        tests: &[&str],
    ) -> Ran {
        let arguments = [&["org.junit.runner.JUnitCore"], tests].concat();
        self.java(launch, places, &arguments)
    }

    /// `tamis run` of a program in Java: its main class, and what that is given.
    pub(crate) fn java(&self, launch: &Launch<'_>, places: &[PathBuf], arguments: &[&str]) -> Ran {
        let report = self.path("report.json");
        let own = self.launcher();
        let mut command = self.tamis();
        command
            .envs(launch.variables.iter().copied())
            .args(["run", "--format", "json", "--output"])
            .arg(&report)
            .args(launch.options)
            .arg("--")
            .arg(launch.launcher.unwrap_or(&own))
            .args(launch.jvm_options)
            .arg("-cp")
            .arg(env::join_paths(places).unwrap())
            .args(arguments);
        let output = command.output().unwrap();
        Ran::new(&output, &fs::read(report).unwrap())
    }

    /// What `tamis doctor` says of a subject, where it is fine or not.
    pub(crate) fn diagnoses(&self, subject: &str, is_fine: bool) -> Vec<String> {
        let mut command = self.tamis();
        let output = command.args(["doctor", "--format", "json"]).output();
        let document: Value = serde_json::from_slice(&output.unwrap().stdout).unwrap();
        let all = document["diagnoses"].as_array().unwrap().iter();
        let chosen = all.filter(|one| one["subject"] == subject && one["is_fine"] == is_fine);
        chosen
            .map(|one| one["text"].as_str().unwrap().to_owned())
            .collect()
    }

    /// Takes from everybody the right to write in the project's directory.
    pub(crate) fn make_read_only(&self) {
        self.change_modes("a-w");
    }

    pub(crate) fn make_writable(&self) {
        self.change_modes("u+w");
    }

    fn change_modes(&self, mode: &str) {
        let mut command = self.command("chmod");
        let status = command.args(["-R", mode, "."]).status().unwrap();
        assert!(status.success());
    }

    /// `tamis test` by somebody to whom modes of files matter. To the superuser they do not, unless that power is
    /// given away.
    pub(crate) fn test_unprivileged(&self) -> Ran {
        let probe = self.path("probe");
        let mut command = if fs::write(&probe, "").is_ok() {
            fs::remove_file(probe).unwrap();
            let mut command = self.command("setpriv");
            command
                .arg("--bounding-set=-dac_override,-dac_read_search")
                .arg(env!("CARGO_BIN_EXE_tamis"));
            command
        } else {
            self.tamis()
        };
        command.arg("test");
        run(command, &[])
    }

    /// What would run, with the class files as they stand.
    pub(crate) fn select(&self, mesh: &str) -> BTreeSet<String> {
        self.select_with(mesh, &[])
    }

    /// The same with more options.
    pub(crate) fn select_with(&self, mesh: &str, options: &[&str]) -> BTreeSet<String> {
        let output = self
            .tamis()
            .args(["select", "--no-build", "--mesh", mesh, "--format", "json"])
            .args(options)
            .output()
            .unwrap();
        let ran = Ran::new(&output, &output.stdout);
        let entities = ran.report["entities"].as_array().unwrap().iter();
        let selected = entities.filter(|entity| entity["is_selected"] == true);
        selected.map(name_of).collect()
    }
}

/// A command of Tamis's, with a report and arguments for the build.
fn run(mut command: Command, arguments: &[&str]) -> Ran {
    let report = tempfile::NamedTempFile::new().unwrap();
    command
        .args(["--format", "json", "--output"])
        .arg(report.path())
        .args(["--", "-B", "-ntp"])
        .args(arguments);
    let output = command.output().unwrap();
    Ran::new(&output, &fs::read(report.path()).unwrap())
}

fn name_of(entity: &Value) -> String {
    let name = entity["name"].as_str().unwrap();
    name.strip_prefix("shop.").unwrap_or(name).to_owned()
}

impl Ran {
    pub(crate) fn new(output: &Output, report: &[u8]) -> Self {
        let texts = [&output.stdout, &output.stderr]
            .map(|bytes| String::from_utf8_lossy(bytes).into_owned());
        let text = texts.join("\n");
        let report: Value = serde_json::from_slice(report)
            .unwrap_or_else(|error| panic!("no report: {error}\n{text}"));
        let entities = || report["entities"].as_array().unwrap().iter();
        let ran = entities().filter(|entity| !entity["run"].is_null());
        let verdicts = ran.map(|entity| {
            let verdict = entity["run"]["verdict"].as_str().unwrap().to_owned();
            (name_of(entity), verdict)
        });
        let skipped = entities().filter(|entity| entity["is_selected"] == false);
        let n_jvms = report["realms"].as_array().unwrap().iter();
        let n_jvms = n_jvms.map(|realm| realm["n_jvms"].as_u64().unwrap()).sum();
        let notes = report["notes"].as_array().unwrap().iter();
        Self {
            code: output.status.code(),
            verdicts: verdicts.collect(),
            skipped: skipped.map(name_of).collect(),
            n_jvms,
            notes: notes
                .map(|note| note.as_str().unwrap().to_owned())
                .collect(),
            report,
            output: text,
        }
    }

    /// The classes that ran, all of which must have passed, are these.
    pub(crate) fn assert_ran(&self, expected: &[&str]) {
        let passed: Vec<_> = self
            .verdicts
            .iter()
            .map(|(name, verdict)| (&**name, &**verdict))
            .collect();
        let expected: Vec<_> = expected.iter().map(|name| (*name, "passed")).collect();
        assert_eq!(passed, expected, "{self:#?}");
        assert_eq!(self.code, Some(0), "{self:#?}");
    }

    /// Nothing ran, and no JVM was started for it.
    pub(crate) fn assert_idle(&self, n_skipped: usize) {
        self.assert_ran(&[]);
        assert_eq!(
            (self.n_jvms, self.skipped.len()),
            (0, n_skipped),
            "{self:#?}"
        );
    }

    /// The verdicts of what ran.
    pub(crate) fn assert_verdicts(&self, expected: &[(&str, &str)]) {
        self.assert_verdicts_of(expected, "");
    }

    /// The same, in a case that has a name.
    pub(crate) fn assert_verdicts_of(&self, expected: &[(&str, &str)], case: &str) {
        let verdicts: Vec<_> = self
            .verdicts
            .iter()
            .map(|(name, verdict)| (&**name, &**verdict))
            .collect();
        assert_eq!(verdicts, expected, "{case}: {self:#?}");
    }
}

/// A POM of one module.
pub(crate) fn pom(combination: &Combination, configuration: &str) -> String {
    let Combination {
        surefire,
        dependency,
        release,
        ..
    } = combination;
    let parts: Vec<&str> = dependency.split(':').collect();
    let [group, artifact, version] = parts[..] else {
        panic!("{dependency} has three parts")
    };
    format!(
        "<project>
          <modelVersion>4.0.0</modelVersion>
          <groupId>shop</groupId><artifactId>shop</artifactId><version>1</version>
          <properties>
            <maven.compiler.source>{release}</maven.compiler.source>
            <maven.compiler.target>{release}</maven.compiler.target>
            <project.build.sourceEncoding>UTF-8</project.build.sourceEncoding>
          </properties>
          <dependencies><dependency>
            <groupId>{group}</groupId><artifactId>{artifact}</artifactId><version>{version}</version>
            <scope>test</scope>
          </dependency></dependencies>
          <build><plugins>
            <plugin><groupId>org.apache.maven.plugins</groupId><artifactId>maven-surefire-plugin</artifactId>
              <version>{surefire}</version>{configuration}</plugin>
          </plugins></build>
        </project>"
    )
}
