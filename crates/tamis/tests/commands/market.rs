//! The commands on the bundled market, one after the other, as somebody would try them.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;
use tamis_testkit::jdks::newest_jdk;
use walkdir::WalkDir;

use crate::sandbox::{Sandbox, shown};

const SOURCE: &str = "till/src/main/java/market/till/Discount.java";

/// A copy of the market; the agent has a cache of its own.
struct Market {
    sandbox: Sandbox,
    java_home: PathBuf,
}

impl Market {
    fn new() -> Self {
        let sandbox = Sandbox::empty();
        let original = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/market");
        for file in WalkDir::new(&original) {
            let file = file.unwrap();
            let path = file.path().strip_prefix(&original).unwrap();
            let is_made = path.components().any(|part| part.as_os_str() == "target");
            if file.file_type().is_file() && !is_made && !path.starts_with(".tamis") {
                sandbox.write(path, &std::fs::read(file.path()).unwrap());
            }
        }
        let java_home = newest_jdk().unwrap().home;
        Self { sandbox, java_home }
    }

    fn tamis(&self, arguments: &[&str]) -> Command {
        let mut command = self.sandbox.tamis();
        command
            .args(arguments)
            .env("JAVA_HOME", &self.java_home)
            .env_remove("JAVA_TOOL_OPTIONS")
            .env("TAMIS_CACHE_DIR", self.sandbox.path("cache"));
        command
    }

    fn output(&self, arguments: &[&str]) -> Output {
        self.tamis(arguments).output().unwrap()
    }

    fn json(&self, arguments: &[&str]) -> Value {
        let (command, rest) = arguments.split_at(1);
        let output = self.output(&[command, &["--format", "json"], rest].concat());
        assert!(output.status.success(), "{output:?}");
        serde_json::from_slice(&output.stdout).unwrap()
    }

    fn edit(&self, from: &str, to: &str) {
        let text = String::from_utf8(self.sandbox.read(SOURCE)).unwrap();
        assert!(text.contains(from), "{text}");
        self.sandbox
            .write(SOURCE, text.replace(from, to).as_bytes());
    }
}

fn names(entities: &Value, is_selected: bool) -> Vec<&str> {
    let entities = entities.as_array().unwrap().iter();
    let chosen = entities.filter(|entity| entity["is_selected"] == is_selected);
    chosen
        .map(|entity| entity["name"].as_str().unwrap())
        .collect()
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap()
}

#[test]
fn from_the_first_run_to_the_first_explanation() {
    let market = Market::new();
    let first = market.output(&["test", "--", "-B", "-ntp"]);
    assert!(first.status.success(), "{first:?}");
    let end = text(&first.stdout).lines().last().unwrap();
    assert!(end.starts_with("tamis: 6 tests ran in "), "{end}");
    assert!(end.ends_with("; none skipped"), "{end}");

    market.edit("total / 10", "total / 5");
    let selection = market.json(&["select", "--", "-B", "-ntp"]);
    assert_eq!(selection["format"], "tamis.select/1");
    let tests = ["market.till.DiscountTest", "market.till.ReceiptTest"];
    let selected = names(&selection["entities"], true);
    assert_eq!(selected, tests, "{selection:#}");
    assert_eq!(selection["summary"]["n_skipped"], 2);
    // Of tests that are run in another way nothing is known, which must not look as if nothing would run.
    let other = market.json(&["select", "--", "-B", "-ntp", "-DargLine=-Dother=1"]);
    let note = other["notes"][0].as_str().unwrap();
    assert!(
        note.ends_with("would run: nothing is known of them, run in this way"),
        "{other}"
    );

    // The class files are new now, and nothing has run yet.
    let why = market.output(&["why", "DiscountTest"]);
    let cause = "\n    CSM method market.till.Discount.of(int, int) changed\n";
    assert!(text(&why.stdout).contains(cause), "{why:?}");
    let why = market.json(&["why", "market.stock.*"]);
    assert_eq!(names(&why["entities"], true), [""; 0]);
    assert_eq!(why["entities"].as_array().unwrap().len(), 2);

    let second = market.output(&["test", "--output", "report", "--", "-B", "-ntp"]);
    assert_eq!(second.status.code(), Some(1), "Maven's own");
    let said = text(&second.stderr).lines().last().unwrap();
    assert!(said.contains("tamis: 3 tests ran in "), "{said}");
    assert!(said.contains(", 1 failed; 3 skipped, about "), "{said}");
    let report = market.sandbox.read("report");
    let report = text(&report);
    assert!(
        report.contains("  market.till.ReceiptTest   1 of 2 failed"),
        "{report}"
    );
    assert!(
        !text(&second.stdout).contains("tamis: "),
        "it is in the file"
    );
}

#[test]
fn questions_about_what_is_known() {
    let market = Market::new();
    assert!(
        market
            .output(&["test", "-q", "--", "-B", "-q"])
            .status
            .success()
    );
    let what = market.json(&["what", SOURCE]);
    assert_eq!(what["classes"], serde_json::json!(["market/till/Discount"]));
    let dependents = what["dependents"].as_array().unwrap().iter();
    let dependents: Vec<_> = dependents
        .map(|test| test["name"].as_str().unwrap())
        .collect();
    assert_eq!(
        dependents,
        ["market.till.DiscountTest", "market.till.ReceiptTest"]
    );
    let methods = market.json(&["what", "Discount#of"]);
    assert_eq!(methods["dependents"][0]["facts"][0]["descriptor"], "(II)I");

    let status = market.json(&["status"]);
    assert_eq!(status["n_records"], 4);
    assert_eq!(status["realms"][1]["module"], "market:till");
    assert_eq!(status["realms"][1]["n_tests"], 3);
    let doctor = market.json(&["doctor"]);
    assert_eq!(doctor["is_fine"], true, "{doctor:#}");
    let mut diagnoses = doctor["diagnoses"].as_array().unwrap().iter();
    let agent = diagnoses.find(|diagnosis| diagnosis["subject"] == "agent");
    assert_eq!(agent.unwrap()["text"], "loads on each JDK", "{doctor:#}");

    for arguments in [
        &["why", "RecieptTest"][..],
        &["what", "market.till.Discont"],
        &["what", "Discount#off"],
        &["forget", "ReceiptTest", "NoTest"],
        &["why", "ReceiptTest"],
        &["forget"],
        &["forget"],
    ] {
        insta::assert_snapshot!(shown(market.tamis(arguments)));
    }
}
