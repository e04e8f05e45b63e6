//! `tamis check defects`, with real git and real Maven, on a small database of our own in the layout of Defects4J: on Tamis,
//! and on a tool that is known to be wrong.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;
use tempfile::TempDir;

use crate::history::{POM, cart, finding, git, json_lines, test};
use crate::sandbox::{Said, Sandbox};

/// Runs every test of the fixed revision, twice, and nothing of the buggy one.
const BAD: &str =
    r#"--tool=bad=test "$TAMIS_CHECK_STEP" = next || eval "$TAMIS_CHECK_RUN" > /dev/null"#;

const RESOURCE: &str = "src/test/resources/total.txt";

/// The first line of the resource, in Java.
const READ: &str =
    "new java.util.Scanner(ResourceTest.class.getResourceAsStream(\"/total.txt\")).nextLine()";

/// A database and the repository of its only project.
struct Shop {
    directory: TempDir,
    fixed: String,
    /// A revision that does not compile.
    broken: String,
    table: String,
}

impl Shop {
    fn new() -> Self {
        let directory = tempfile::tempdir().unwrap();
        let repository = directory.path().join("repository");
        fs::create_dir(&repository).unwrap();
        git(&repository, &["init", "--quiet"]);
        let reads = format!("assertEquals(\"3\", {READ})");
        let tests = [
            test("CartTest", "assertEquals(3, new Cart().total())"),
            test("OtherTest", "assertTrue(true)"),
            test("ResourceTest", &reads),
        ];
        for (path, text) in tests {
            write(&repository.join(path), &text);
        }
        write(&repository.join("pom.xml"), POM);
        write(&repository.join(".gitignore"), "target/\n");
        write(&repository.join(RESOURCE), "3");
        let commit = |body: &str| {
            let (path, text) = cart(body);
            write(&repository.join(path), &text);
            git(&repository, &["add", "."]);
            git(&repository, &["commit", "--quiet", "-m", body]);
            git(&repository, &["rev-parse", "HEAD"]).trim().to_owned()
        };
        let broken = commit("return");
        let fixed = commit("return 3;");
        Self {
            directory,
            fixed,
            broken,
            table: "bug.id,revision.id.buggy,revision.id.fixed,report.id,report.url\n".to_owned(),
        }
    }

    fn repository(&self) -> PathBuf {
        self.directory.path().join("repository")
    }

    fn database(&self) -> PathBuf {
        self.directory.path().join("database")
    }

    fn project(&self) -> PathBuf {
        self.database().join("framework/projects/Shop")
    }

    /// A bug by its patch of the fixed revision.
    fn add(&mut self, number: u32, patch: &str, triggers: &[&str]) {
        let fixed = self.fixed.clone();
        self.add_to(&fixed, number, patch, triggers);
    }

    fn add_to(&mut self, fixed: &str, number: u32, patch: &str, triggers: &[&str]) {
        let row = format!("{number},0000,{fixed},SHOP-{number},http://localhost\n");
        self.table.push_str(&row);
        let place = self.project();
        write(&place.join("active-bugs.csv"), &self.table);
        write(&place.join(format!("patches/{number}.src.patch")), patch);
        let triggers = triggers
            .iter()
            .map(|test| format!("--- {test}\njava.lang.Error\n\tat a.B\n"));
        let triggers: String = triggers.collect();
        write(&place.join(format!("trigger_tests/{number}")), &triggers);
    }

    /// The patch that changes a file of the fixed revision.
    fn patch(&self, path: &str, text: &str) -> String {
        write(&self.repository().join(path), text);
        let patch = git(&self.repository(), &["diff"]);
        git(&self.repository(), &["checkout", "--quiet", "--", "."]);
        patch
    }

    fn check(&self, sandbox: &Sandbox, arguments: &[&str]) -> Said {
        let database = self.database();
        let repository = format!("--repository=Shop={}", self.repository().display());
        let words = ["defects", database.to_str().unwrap(), &repository];
        sandbox.check(&[words.as_slice(), arguments].concat())
    }
}

fn write(file: &Path, text: &str) {
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    fs::write(file, text).unwrap();
}

#[test]
fn trigger_tests_must_be_selected_and_what_does_not_show_is_counted() {
    let (sandbox, mut shop) = (Sandbox::new(), Shop::new());
    let (path, text) = cart("return 4;");
    let patch = shop.patch(path, &text);
    shop.add(1, &patch, &["shop.CartTest::runs"]);
    let patch = shop.patch(RESOURCE, "4");
    shop.add(2, &patch, &["shop.ResourceTest::runs"]);
    let broken = shop.broken.clone();
    shop.add_to(&broken, 4, &patch, &["shop.ResourceTest::runs"]);
    let outside = "--- /dev/null\n+++ b/../../outside\n@@ -0,0 +1 @@\n+here\n";
    shop.add(7, outside, &["shop.CartTest::runs"]);
    let lines = shop.directory.path().join("lines.jsonl");
    let output = format!("--output={}", lines.display());
    let scratch = shop.directory.path().join("scratch");
    let place = format!("--scratch={}", scratch.display());
    let options = ["--tools=tamis", "--mesh=block", BAD, &place, &output];
    let said = shop.check(&sandbox, &options);
    assert_eq!(said.code, Some(1), "{}{}", said.out, said.err);
    assert!(
        said.out
            .contains("4 bugs, 2 reproduced, 1 not prepared, 1 not built"),
        "{}",
        said.out
    );
    let lines = json_lines(&lines);
    assert_eq!(lines[0]["format"], "tamis.check-defects/1");
    let result = lines.last().unwrap();
    assert_eq!(result["format"], "tamis.check-defects-result/1");
    let bugs: Vec<String> = lines[1..lines.len() - 1].iter().map(bug).collect();
    assert_eq!(
        bugs,
        [
            "Shop-1: bad 0/1, tamis-block 1/1",
            "Shop-2: bad 0/1, tamis-block 1/1",
            "Shop-4: \"not-built\"",
            "Shop-7: \"not-prepared\"",
        ]
    );
    let selected: Vec<&Value> = lines[1..3]
        .iter()
        .map(|bug| &bug["steps"][2]["tools"]["tamis-block"]["classes"])
        .collect();
    assert_eq!(
        selected,
        [
            &Value::from(["shop.CartTest"].as_slice()),
            &Value::from(["shop.ResourceTest"].as_slice())
        ]
    );
    let findings = result["findings"].as_array().unwrap().iter();
    let findings = findings.map(|found| format!("{} {}", found[0], finding(&found[1])));
    assert_eq!(
        findings.collect::<Vec<_>>(),
        [
            r#""Shop-1" bad R5 ["shop.CartTest","shop.OtherTest","shop.ResourceTest"]"#,
            r#""Shop-1" bad R1 ["shop.CartTest.runs"]"#,
            r#""Shop-2" bad R5 ["shop.CartTest","shop.OtherTest","shop.ResourceTest"]"#,
            r#""Shop-2" bad R1 ["shop.ResourceTest.runs"]"#,
        ]
    );
    assert_eq!(fs::read_dir(&scratch).unwrap().count(), 0);
}

/// `Shop-1: tamis-block 1/1`, the trigger tests that each tool ran.
fn bug(line: &Value) -> String {
    let name = line["bug"].as_str().unwrap();
    let not = &line["not_reproduced"];
    if not.is_object() {
        return format!("{name}: {}", not["obstacle"]);
    }
    let tools = line["tools"].as_object().unwrap().iter();
    let tools = tools
        .map(|(tool, count)| format!("{tool} {}/{}", count["n_selected"], count["n_triggers"]));
    format!("{name}: {}", tools.collect::<Vec<_>>().join(", "))
}

#[test]
fn what_is_no_database_is_told() {
    let (sandbox, mut shop) = (Sandbox::new(), Shop::new());
    assert_eq!(shop.check(&sandbox, &[]).code, Some(64));
    shop.add(1, "", &["shop.CartTest::runs"]);
    assert_eq!(shop.check(&sandbox, &["--bug=Shop-2"]).code, Some(64));
    assert_eq!(shop.check(&sandbox, &["--project=Bank"]).code, Some(64));
    assert_eq!(shop.check(&sandbox, &["--bug=Shop"]).code, Some(2));
    let said = sandbox.check(&["defects", shop.database().to_str().unwrap()]);
    assert_eq!(said.code, Some(64));
    assert!(
        said.err.contains("hint: `--repository PROJECT=DIR`"),
        "{}",
        said.err
    );
    let said = shop.check(&sandbox, &[]);
    assert_eq!(said.code, Some(68), "{}", said.err);
    assert!(
        said.err.contains("git cannot apply a patch"),
        "{}",
        said.err
    );
    write(
        &shop.project().join("active-bugs.csv"),
        "bug.id,revision.id.fixed\n../1,aa\n",
    );
    let said = shop.check(&sandbox, &[]);
    assert_eq!(said.code, Some(65), "{}", said.err);
    assert!(
        said.err.contains("line 2: `../1` is no bug"),
        "{}",
        said.err
    );
}
