//! `tamis trace -- mvn …` on real builds: the tests are watched, and neither they nor the console can tell.
//!
//! Each build runs twice in the same directory, without Tamis and with it. The tests themselves write down
//! what they see of their JVM: properties, environment, arguments.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;
use tamis_testkit::jdks::jdks;
use tamis_testkit::place::Lock;
use walkdir::WalkDir;

use crate::sandbox::Sandbox;

/// Where the agent is kept: Surefire's line of arguments has to bear it.
const CACHE: &str = "the \"agents\" cache é";

const REPORT: &str = "report.json";

/// Writes what a test sees to a file that is named after the execution of the plug-in and the test.
const SEEN: &str = r#"
package shop;
import java.io.PrintWriter;
import java.lang.management.ManagementFactory;
import java.lang.management.RuntimeMXBean;
import java.util.Map;
import java.util.TreeMap;
class Seen {
    static void write(Class<?> test) throws Exception {
        String file = System.getProperty("seen") + "-" + test.getSimpleName() + ".txt";
        RuntimeMXBean jvm = ManagementFactory.getRuntimeMXBean();
        try (PrintWriter out = new PrintWriter(file)) {
            for (Map.Entry<?, ?> e : new TreeMap<Object, Object>(System.getProperties()).entrySet()) {
                out.println("property " + e.toString().replace("\n", "\\n"));
            }
            for (Map.Entry<?, ?> e : new TreeMap<Object, Object>(System.getenv()).entrySet()) {
                out.println("variable " + e.toString().replace("\n", "\\n"));
            }
            for (String argument : jvm.getInputArguments()) {
                out.println("argument " + argument);
            }
            out.println("pid " + jvm.getName().split("@")[0]);
        }
    }
}
"#;

/// A test class whose one test looks around and asserts something.
fn test_class(name: &str, assertion: &str) -> String {
    format!(
        "package shop;
        public class {name} {{
            @org.junit.Test
            public void runs() throws Exception {{
                Seen.write({name}.class);
                org.junit.Assert.{assertion};
            }}
        }}"
    )
}

/// The POM of a module with a test library and these plug-ins.
fn pom(module: &str, plugins: &str) -> String {
    format!(
        "<project>
          <modelVersion>4.0.0</modelVersion>
          <groupId>shop</groupId><artifactId>{module}</artifactId><version>1</version>
          <properties>
            <maven.compiler.source>8</maven.compiler.source>
            <maven.compiler.target>8</maven.compiler.target>
            <project.build.sourceEncoding>UTF-8</project.build.sourceEncoding>
          </properties>
          <dependencies><dependency>
            <groupId>junit</groupId><artifactId>junit</artifactId><version>4.13.2</version>
            <scope>test</scope>
          </dependency></dependencies>
          <build><plugins>{plugins}</plugins></build>
        </project>"
    )
}

/// A plug-in that runs tests: its executions, each with its goal and what else it is configured with. Those whose
/// names differ behind a dot alone have the same configuration.
fn test_plugin(name: &str, version: &str, executions: &[(&str, &str, &str)]) -> String {
    let mut all = String::new();
    for (id, goal, configuration) in executions {
        let seen = id.split('.').next().unwrap();
        write!(
            all,
            "<execution><id>{id}</id><phase>integration-test</phase><goals><goal>{goal}</goal></goals>
             <configuration>
               <systemPropertyVariables><seen>${{project.basedir}}/seen/{seen}</seen></systemPropertyVariables>
               {configuration}
             </configuration></execution>"
        )
        .unwrap();
    }
    format!(
        "<plugin><groupId>org.apache.maven.plugins</groupId><artifactId>{name}</artifactId>
         <version>{version}</version><executions>{all}</executions></plugin>"
    )
}

/// Surefire with several executions; `default-test` is the one that each module has anyway.
fn surefire(version: &str, executions: &[(&str, &str)]) -> String {
    let executions: Vec<_> = executions
        .iter()
        .map(|(id, configuration)| (*id, "test", *configuration))
        .collect();
    test_plugin("maven-surefire-plugin", version, &executions)
}

const JACOCO: &str = "
    <plugin><groupId>org.jacoco</groupId><artifactId>jacoco-maven-plugin</artifactId>
    <version>0.8.12</version><executions><execution><goals><goal>prepare-agent</goal></goals></execution></executions>
    </plugin>";

fn write_module(sandbox: &Sandbox, module: &str, pom: &str, tests: &[&str]) {
    let sources = Path::new(module).join("src/test/java/shop");
    sandbox.write(Path::new(module).join("pom.xml"), pom.as_bytes());
    sandbox.write(sources.join("Seen.java"), SEEN.as_bytes());
    for name in tests {
        let assertion = if *name == "FailingTest" {
            "assertEquals(3, 1 + 1)"
        } else {
            "assertEquals(2, 1 + 1)"
        };
        let file = sources.join(format!("{name}.java"));
        sandbox.write(file, test_class(name, assertion).as_bytes());
    }
    fs::create_dir_all(sandbox.path(module).join("seen")).unwrap();
}

/// What a build did, apart from what may differ from run to run.
struct Build {
    code: Option<i32>,
    /// The lines of the console, sorted, since modules may be built at the same time.
    console: Vec<String>,
    standard_error: String,
    /// The outcome of each test, by the file that reports it.
    results: BTreeMap<String, Vec<String>>,
    /// What each test saw, by module, execution and test.
    seen: BTreeMap<String, Seen>,
    /// Every file there is, the histories of Surefire with their whole names.
    files: Vec<String>,
}

/// What a test saw.
struct Seen {
    /// Properties and variables, without what is random.
    surroundings: Vec<String>,
    arguments: Vec<String>,
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

const NONE: [String; 0] = [];

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
fn without_digits(line: &str) -> String {
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
struct Pair {
    plain: Build,
    traced: Build,
    report: Value,
}

impl Pair {
    fn new(
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
    fn assert_same(&self) {
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
    fn assert_watched(&self, left_alone: &[&str]) {
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
        pids.sort_unstable();
        pids.dedup();
        let jvms = self.report["jvms"].as_array().unwrap();
        assert_eq!(jvms.len(), pids.len());
    }

    /// The test methods that ran in the JVM that a test ran in; nothing if that JVM was not watched.
    fn watched(&self, seen: &Seen) -> Option<Vec<String>> {
        let jvms = self.report["jvms"].as_array().unwrap();
        let jvm = jvms.iter().find(|jvm| jvm["pid"] == seen.pid)?;
        assert_eq!(jvm["ending"]["status"], "complete");
        let classes = jvm["classes"].as_array().unwrap().iter();
        let ran = classes.filter(|class| class["n_ran"].as_u64() > Some(0));
        let names = ran.map(|class| class["name"].as_str().unwrap());
        Some(
            names
                .filter_map(|name| name.strip_prefix("shop/"))
                .map(str::to_owned)
                .collect(),
        )
    }
}

/// Module, execution and test, of `module execution-Test.txt`.
fn parts(name: &str) -> [&str; 3] {
    let (module, rest) = name.split_once(' ').unwrap();
    let (execution, test) = rest.strip_suffix(".txt").unwrap().rsplit_once('-').unwrap();
    [module, execution, test]
}

fn warnings(build: &Build) -> Vec<&str> {
    let lines = build.standard_error.lines();
    lines
        .filter_map(|line| Some(line.split_once("warning: ")?.1))
        .collect()
}

/// A launcher that starts the right JVM, but lies in a home that nobody has proven anything of.
fn unproven_launcher(sandbox: &Sandbox) -> PathBuf {
    let java = jdks().unwrap().pop().unwrap().java();
    write_script(
        sandbox,
        "jdk/bin/java",
        &format!("exec {} \"$@\"", java.display()),
    )
}

/// Lets builds ask for the JDK `oldest`.
fn toolchains(home: &Path) -> String {
    format!(
        "<toolchains><toolchain><type>jdk</type><provides><id>oldest</id></provides>
         <configuration><jdkHome>{}</jdkHome></configuration></toolchain></toolchains>",
        home.display()
    )
}

fn write_script(sandbox: &Sandbox, name: &str, line: &str) -> PathBuf {
    sandbox.write(name, format!("#!/bin/sh\n{line}\n").as_bytes());
    let path = sandbox.path(name);
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    path
}

/// Three versions of Surefire, with JaCoCo, forks of all kinds, and lines of arguments from everywhere; two modules at
/// a time.
#[test]
fn every_test_jvm_of_a_build_is_watched_and_nothing_else_is_changed() {
    let sandbox = Sandbox::empty();
    let tests = ["FirstTest", "SecondTest", "FailingTest"];
    let modules =
        "<modules><module>old</module><module>middle</module><module>new</module></modules>";
    let parent = pom("parent", "").replace(
        "<dependencies>",
        &format!("<packaging>pom</packaging>{modules}<dependencies>"),
    );
    sandbox.write("pom.xml", parent.as_bytes());
    let forks =
        "<argLine>-Dfrom.pom=2</argLine><forkCount>2</forkCount><reuseForks>false</reuseForks>";
    let first = "<argLine>@{argLine} -Dfrom.pom=1</argLine>";
    let old = surefire("2.22.2", &[("default-test", first), ("forks", forks)]);
    let old = pom("old", &(JACOCO.to_owned() + &old));
    write_module(&sandbox, "old", &old, &tests[..2]);
    let ignored = "<testFailureIgnore>true</testFailureIgnore>";
    let two = format!("{ignored}<argLine>-Dfrom.pom=3</argLine><forkCount>2</forkCount>");
    let middle = surefire("3.2.5", &[("default-test", ignored), ("two", &two)])
        + &test_plugin(
            "maven-failsafe-plugin",
            "3.2.5",
            &[("it", "integration-test", "")],
        );
    let middle_tests = [&tests[..], &["ThirdIT"]].concat();
    write_module(&sandbox, "middle", &pom("middle", &middle), &middle_tests);
    let new = surefire("3.5.4", &[("default-test", "")]);
    write_module(&sandbox, "new", &pom("new", &new), &tests[..1]);

    let arguments = [
        "-B",
        "-ntp",
        "-T",
        "2",
        "integration-test",
        "-DargLine=-Dfrom.line=y",
    ];
    let pair = Pair::new(&sandbox, "mvn", &arguments, |_| ());
    pair.assert_same();
    pair.assert_watched(&[]);
    assert_eq!(warnings(&pair.traced), NONE);
    let report = "middle/target/surefire-reports/TEST-shop.FailingTest.xml";
    assert_eq!(pair.plain.results[report], ["shop.FailingTest.runs failed"]);
    for test in &tests[..2] {
        let seen = &pair.traced.seen[&format!("old forks-{test}.txt")];
        let classes = pair.watched(seen).unwrap();
        assert_eq!(classes, [test, "Seen"], "each class has its own JVM");
    }
    let arguments = |name: &str| {
        let arguments = pair.traced.seen[name].arguments[1..].iter();
        let short =
            arguments.map(|a| a.split(['.', ':']).next().unwrap().to_owned() + &a[a.len() - 2..]);
        short.collect::<Vec<_>>()
    };
    let both = ["-javaagentec", "-Dfrom=1"];
    assert_eq!(arguments("old default-test-FirstTest.txt"), both);
    assert_eq!(arguments("old forks-SecondTest.txt"), ["-Dfrom=2"]);
    assert_eq!(
        arguments("middle default-test-FailingTest.txt"),
        ["-Dfrom=y"]
    );
    assert_eq!(arguments("middle two-FirstTest.txt"), ["-Dfrom=3"]);
    assert_eq!(arguments("middle it-ThirdIT.txt"), ["-Dfrom=y"]);
    assert_eq!(arguments("new default-test-FirstTest.txt"), ["-Dfrom=y"]);
}

/// The newest JDK, by a wrapper: an extension of the user's own is still there, and tests that cannot be watched are
/// left alone and named.
#[test]
fn tests_that_cannot_be_watched_are_left_alone_and_named() {
    let sandbox = Sandbox::empty();
    write_script(&sandbox, "mvnw", "exec mvn \"$@\"");
    let java = unproven_launcher(&sandbox);
    let plugin = surefire(
        "3.5.4",
        &[
            ("default-test", ""),
            ("inside", "<forkCount>0</forkCount>"),
            ("ordered", "<runOrder>balanced</runOrder>"),
            ("same", ""),
            ("same.again", ""),
            ("skipped", "<skipTests>true</skipTests>"),
            ("toolchain", "<jdkToolchain><id>oldest</id></jdkToolchain>"),
            ("unproven", &format!("<jvm>{}</jvm>", java.display())),
        ],
    );
    write_module(&sandbox, "only", &pom("only", &plugin), &["FirstTest"]);
    let all = jdks().unwrap();
    let (oldest, newest) = (&all[0], &all[all.len() - 1]);
    sandbox.write("toolchains.xml", toolchains(&oldest.home).as_bytes());
    let own = "-Dmaven.ext.class.path=/no/such.jar";
    let mut arguments = vec!["-B", "-ntp", "-f", "only", own];
    arguments.extend(["-t", "toolchains.xml", "integration-test"]);
    let pair = Pair::new(&sandbox, "./mvnw", &arguments, |command| {
        command.env("JAVA_HOME", &newest.home);
    });
    pair.assert_same();
    pair.assert_watched(&["inside", "ordered", "unproven"]);
    let seen = &pair.traced.seen["only toolchain-FirstTest.txt"];
    let home = format!("property java.home={}", oldest.home.display());
    let home = without_digits(&home);
    assert!(seen.surroundings.iter().any(|seen| seen.starts_with(&home)));
    let seen = &pair.traced.seen["only default-test-FirstTest.txt"];
    for line in [
        "property maven.ext.class.path=/no/such.jar",
        "variable MAVEN_CMD_LINE_ARGS= -B -ntp -f only -Dmaven.ext.class.path=/no/such.jar",
    ] {
        let mut seen = seen.surroundings.iter();
        assert!(seen.any(|seen| seen.starts_with(line)), "{line}");
    }
    let nothing = "everything ran, nothing was recorded";
    let java = java.display();
    let expected = [
        format!("tests of shop:only (inside) run inside Maven itself (forkCount=0): {nothing}"),
        format!(
            "tests of shop:only (ordered) are ordered by their history (balanced), which Surefire \
             would not find with the agent: {nothing}"
        ),
        "tests of shop:only (skipped) are skipped by the build: none ran".to_owned(),
        format!(
            "tests of shop:only (unproven) run on `{java}`, which was not seen to load the agent: {nothing}"
        ),
    ];
    assert_eq!(warnings(&pair.traced), expected);
}

/// The oldest JDK, where the run-time environment has a home of its own, and the old way not to fork.
#[test]
fn the_oldest_jdk() {
    let sandbox = Sandbox::empty();
    let never = "<forkMode>never</forkMode>";
    let plugin = surefire("2.22.2", &[("default-test", ""), ("inside", never)]);
    write_module(&sandbox, "only", &pom("only", &plugin), &["FirstTest"]);
    let jdk = jdks().unwrap().remove(0);
    let arguments = ["-B", "-ntp", "-f", "only/pom.xml", "integration-test"];
    let pair = Pair::new(&sandbox, "mvn", &arguments, |command| {
        command.env("JAVA_HOME", &jdk.home);
    });
    pair.assert_same();
    pair.assert_watched(&["inside"]);
    let warning = "tests of shop:only (inside) run inside Maven itself (forkMode=never): everything ran, nothing was \
                   recorded";
    assert_eq!(warnings(&pair.traced), [warning]);
}

/// A Maven that is too old loads no extension, and neither does one that builds nothing.
#[test]
fn a_maven_that_does_not_load_the_extension() {
    let sandbox = Sandbox::empty();
    let mut command = sandbox.tamis();
    command.env("TAMIS_CACHE_DIR", sandbox.path(CACHE));
    let output = command
        .args(["trace", "--", "mvn", "--version"])
        .output()
        .unwrap();
    assert!(output.status.success());
    let error = String::from_utf8(output.stderr).unwrap();
    let expected = "warning: Maven did not load the extension that watches tests (it needs Maven 3.2.5 or later, \
                    and a build): nothing was recorded\n";
    assert!(error.ends_with(expected), "{error}");
}
