//! `tamis check history`, with real git and real Maven, or without it: on Tamis, and on a tool that is known to be wrong.

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value;
use tamis_testkit::maven::artifacts;
use tempfile::TempDir;

use crate::sandbox::Sandbox;

pub(crate) const POM: &str = "<project>
  <modelVersion>4.0.0</modelVersion>
  <groupId>shop</groupId><artifactId>shop</artifactId><version>1</version>
  <properties>
    <maven.compiler.source>8</maven.compiler.source>
    <maven.compiler.target>8</maven.compiler.target>
    <project.build.sourceEncoding>UTF-8</project.build.sourceEncoding>
  </properties>
  <dependencies><dependency>
    <groupId>junit</groupId><artifactId>junit</artifactId><version>4.13.2</version>
    <scope>test</scope>
  </dependency></dependencies>
  <build><plugins><plugin>
    <groupId>org.apache.maven.plugins</groupId><artifactId>maven-surefire-plugin</artifactId>
    <version>3.5.4</version>
  </plugin></plugins></build>
</project>";

/// Does everything wrong that can be done: runs what did not change, and then nothing any more.
const BAD: &str =
    r#"--tool=bad=test "$TAMIS_CHECK_STEP" = next || eval "$TAMIS_CHECK_RUN" > /dev/null"#;

pub(crate) fn cart(body: &str) -> (&'static str, String) {
    let text = format!("package shop;\npublic class Cart {{ public int total() {{ {body} }} }}\n");
    ("src/main/java/shop/Cart.java", text)
}

pub(crate) fn test(name: &str, assertion: &str) -> (String, String) {
    let text = format!(
        "package shop;
        public class {name} {{
            @org.junit.Test public void runs() {{ org.junit.Assert.{assertion}; }}
        }}"
    );
    (format!("src/test/java/shop/{name}.java"), text)
}

/// A comment, a revision that does not compile, and one that makes a test fail and brings another that fails. The files of
/// the build are the same in all of them.
fn repository(build: &[(&str, &str)]) -> TempDir {
    let dir = tempfile::tempdir().unwrap();
    git(dir.path(), &["init", "--quiet"]);
    let write = |path: &str, text: &str| {
        let file = dir.path().join(path);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, text).unwrap();
    };
    let commit = |subject: &str, files: &[(&str, String)]| {
        for (path, text) in files {
            write(path, text);
        }
        git(dir.path(), &["add", "."]);
        git(dir.path(), &["commit", "--quiet", "-m", subject]);
    };
    for (path, text) in build {
        write(path, text);
    }
    let [cart_test, other_test, new_test] = [
        test("CartTest", "assertEquals(3, new Cart().total())"),
        test("OtherTest", "assertTrue(true)"),
        test("NewTest", "assertEquals(3, new Cart().total())"),
    ];
    write(&cart_test.0, &cart_test.1);
    write(&other_test.0, &other_test.1);
    commit("first", &[cart("return 3;")]);
    commit("comment", &[cart("return 3; /* for now */")]);
    commit("broken", &[cart("return")]);
    commit(
        "failing",
        &[cart("return 4;"), (&new_test.0, new_test.1.clone())],
    );
    dir
}

/// What git says to this.
pub(crate) fn git(directory: &Path, arguments: &[&str]) -> String {
    let output = Command::new("git")
        .arg("-C")
        .arg(directory)
        .args(["-c", "user.name=shop", "-c", "user.email=shop@localhost"])
        .args(arguments)
        .output()
        .unwrap();
    assert!(output.status.success(), "git {arguments:?}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn a_miss_and_a_needless_run_are_found_and_tamis_has_neither() {
    let build = [("pom.xml", POM), (".gitignore", "target/\n")];
    check_bad_and_tamis(&repository(&build), &["--tools", "tamis"]);
}

/// The build is a script that calls javac, and the tests are run by another one, which starts JUnit's console launcher.
#[test]
fn a_history_without_maven_is_gone_through_by_commands_of_the_user() {
    let jars = [
        "org.junit.platform:junit-platform-console-standalone:1.13.4",
        "junit:junit:4.13.2",
        "org.hamcrest:hamcrest-core:1.3",
    ];
    let jars = artifacts(&jars).unwrap();
    let jars: Vec<&str> = jars.iter().map(|jar| jar.to_str().unwrap()).collect();
    let jars = jars.join(":");
    let compile = format!(
        "set -e
        mkdir -p out/classes
        javac -nowarn -d out/classes -cp '{jars}' $(find src -name '*.java')"
    );
    let test = format!(
        "exec java -cp 'out/classes:{jars}' org.junit.platform.console.ConsoleLauncher execute \
            --scan-class-path=out/classes --reports-dir=out/results"
    );
    let build = [
        ("build.sh", &compile[..]),
        ("test.sh", &test),
        (".gitignore", "out/\n"),
    ];
    let result = check_bad_and_tamis(
        &repository(&build),
        &[
            "--tools",
            "tamis,starts",
            "--build",
            "sh build.sh",
            "--test",
            "sh test.sh",
            "--reports",
            "results",
        ],
    );
    let left_out = &result["left_out"][0];
    assert_eq!(left_out["tool"], "starts", "{result}");
    assert!(
        left_out["because"]
            .as_str()
            .unwrap()
            .contains("it needs Maven")
    );
}

/// What is found of Tamis and of the tool that is wrong; the result.
///
/// A machine that stands still for seconds makes Tamis run what it need not: a JVM waits that long for an answer and no longer (P4). So one
/// such history is gone through again, and the record of the second one tells why.
#[expect(
    clippy::print_stderr,
    reason = "who looks at the failure of a later time wants to know of the first"
)]
fn check_bad_and_tamis(repository: &TempDir, conditions: &[&str]) -> Value {
    let expected = [
        "first, first: bad=2 tamis-method=2",
        "first, again: bad=2 tamis-method=0",
        "comment, next: bad=0 tamis-method=0",
        "broken, next: skipped",
        "failing, next: bad=0 tamis-method=2",
    ];
    let steps = |lines: &[Value]| lines.iter().map(step).collect::<Vec<String>>();
    let (mut lines, mut result) = go_through(repository, conditions);
    if steps(&lines) != expected {
        eprintln!("gone through again, for Tamis ran more: {lines:#?}");
        (lines, result) = go_through(repository, conditions);
    }
    assert_eq!(steps(&lines), expected, "{lines:#?}");
    let findings = result["findings"].as_array().unwrap().iter();
    let findings: Vec<String> = findings.map(|found| finding(&found[1])).collect();
    assert_eq!(
        findings,
        [
            "bad R5 [\"shop.CartTest\",\"shop.OtherTest\"]",
            "bad R1 [\"shop.CartTest.runs\",\"shop.NewTest.runs\"]",
        ]
    );
    result
}

/// The steps of a history, and the result.
fn go_through(repository: &TempDir, conditions: &[&str]) -> (Vec<Value>, Value) {
    let sandbox = Sandbox::new();
    let records = TempDir::new().unwrap();
    let record = records.path().join("lines.jsonl");
    let mut arguments = vec![
        "history",
        "--repository",
        repository.path().to_str().unwrap(),
        "--last",
        "9",
        BAD,
        "--output",
        record.to_str().unwrap(),
    ];
    arguments.extend(conditions);
    let said = sandbox.check(&arguments);
    assert_eq!(said.code, Some(1), "{}{}", said.out, said.err);
    assert!(
        said.out
            .contains("3 revisions with 3 test classes and 3 tests, 1 skipped"),
        "{}",
        said.out
    );
    let mut lines = json_lines(&record);
    assert_eq!(lines[0]["format"], "tamis.check-history/1");
    let result = lines.pop().unwrap();
    assert_eq!(result["format"], "tamis.check-history-result/1");
    (lines.split_off(1), result)
}

/// What a file has, line by line.
pub(crate) fn json_lines(file: &Path) -> Vec<Value> {
    let text = fs::read_to_string(file).unwrap();
    let lines = text.lines();
    lines
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

/// `failing, next: bad=0 tamis-method=2`: the test classes that each tool ran.
fn step(line: &Value) -> String {
    let name = |key: &str| line[key].as_str().unwrap().to_owned();
    let done = if line["skipped"].is_string() {
        "skipped".to_owned()
    } else {
        let tools = line["tools"].as_object().unwrap().iter();
        let tools = tools.map(|(name, tool)| {
            assert!(tool["cpu_milliseconds"].as_u64().is_some());
            format!("{name}={}", tool["classes"].as_array().unwrap().len())
        });
        tools.collect::<Vec<_>>().join(" ")
    };
    format!("{}, {}: {done}", name("subject"), name("step"))
}

/// `bad R1 ["shop.CartTest.runs"]`
pub(crate) fn finding(found: &Value) -> String {
    let text = |key: &str| found[key].as_str().unwrap().to_owned();
    format!("{} {} {}", text("tool"), text("rule"), found["tests"])
}

#[test]
fn what_is_no_history_is_told() {
    let (sandbox, repository) = (Sandbox::new(), TempDir::new().unwrap());
    let check = |last: &str| {
        let path = repository.path().to_str().unwrap();
        sandbox.check(&["history", "--repository", path, "--last", last])
    };
    assert_eq!(check("5").code, Some(64));
    git(repository.path(), &["init", "--quiet"]);
    for subject in ["one", "two"] {
        git(
            repository.path(),
            &["commit", "--quiet", "--allow-empty", "-m", subject],
        );
    }
    assert_eq!(check("1").code, Some(64));
    let said = check("2");
    assert_eq!(said.code, Some(68), "{}{}", said.out, said.err);
    assert!(said.err.contains("it is no Maven project"), "{}", said.err);
}
