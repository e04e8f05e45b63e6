//! Checks with generated programs.

use serde_json::Value;

use crate::sandbox::{Sandbox, said};

#[test]
fn tamis_violates_nothing() {
    let sandbox = Sandbox::new();
    let said = sandbox.check(&[
        "auto",
        "--programs",
        "12",
        "--seed",
        "3",
        "--granularity",
        "method",
        "--operators",
        "E5,E7,add-override,change-resource,change-library-class,hide-static",
        "--format",
        "json",
    ]);
    assert_eq!(said.code, Some(0), "{}{}", said.out, said.err);
    let report: Value = serde_json::from_str(&said.out).unwrap();
    assert_eq!(report["format"], "tamis.check/1");
    assert_eq!(report["n_programs"], 12);
    assert_eq!(report["violations"], Value::Array(Vec::new()));
    let tools = report["tools"].as_array().unwrap();
    let names: Vec<&str> = tools
        .iter()
        .map(|tool| tool["name"].as_str().unwrap())
        .collect();
    assert_eq!(
        names,
        [
            "tamis-methods-file",
            "tamis-methods-method",
            "tamis-methods-dispatch",
            "tamis-methods-block"
        ]
    );
    for tool in tools {
        let checked = tool["n_programs"].as_u64().unwrap();
        assert!(checked >= 8, "only {checked} programs are left");
        let (all, selected) = (&tool["n_tests"], &tool["n_selected"]);
        assert!(
            selected.as_u64() < all.as_u64(),
            "{selected} of {all} tests selected"
        );
    }
}

#[test]
fn a_tool_that_selects_nothing_is_caught_and_its_violation_can_be_replayed() {
    let sandbox = Sandbox::new();
    let lazy = r#"--tool=lazy=test "$TAMIS_CHECK_STEP" != first || eval "$TAMIS_CHECK_RUN""#;
    let said = sandbox.check(&[
        "auto",
        "--programs",
        "8",
        "--operators",
        "E7,E5",
        lazy,
        HOSTILE_RULE,
        "--html",
        "check.html",
    ]);
    assert_eq!(said.code, Some(1), "{}{}", said.out, said.err);
    is_safe_page(&sandbox.read("check.html"));
    let violation = said
        .out
        .lines()
        .position(|line| line.starts_with("R1 lazy, "));
    let replay = said.out.lines().nth(violation.unwrap() + 1).unwrap();
    let replayed = sandbox.shell(replay.trim());
    assert_eq!(replayed.code, Some(1), "{}{}", replayed.out, replayed.err);
    assert!(
        replayed
            .out
            .lines()
            .any(|line| line.starts_with("R1 lazy, ")),
        "{}",
        replayed.out
    );
    let heading = replayed.out.lines().find(|line| line.starts_with("step "));
    let columns: Vec<&str> = heading.unwrap().split_whitespace().collect();
    assert_eq!(columns, ["step", "test", "retest-all", "lazy"]);
    assert!(
        replayed.out.contains("\n  - ") && replayed.out.contains("\n  + "),
        "{}",
        replayed.out
    );
}

/// Says of the first program something that must not get into a page as it is.
const HOSTILE_RULE: &str = r#"--rule=head -n 1 | sed 's/^{"program":"\([^"]*\)".*/{"program":"\1","tool":"lazy","text":"<script>alert(1)<\/script>"}/'"#;

/// Has the tables and programs, runs nothing and fetches nothing.
fn is_safe_page(page: &str) {
    for part in [
        "R1 misses a newly failed test",
        "Time from end to end",
        "<span class=\"gone\">- ",
        "<span class=\"new\">+ ",
        "tamis check replay JD",
        "&lt;script&gt;alert(1)&lt;/script&gt;",
    ] {
        assert!(page.contains(part), "{part}: {page}");
    }
    for part in ["<script", "http://", "https://", "src=", "@import", "url("] {
        assert!(!page.contains(part), "{part}: {page}");
    }
}

#[test]
fn what_is_missing_is_named() {
    let sandbox = Sandbox::new();
    let no_jdk = sandbox.check(&["auto", "--jdk", "nowhere"]);
    assert_eq!(no_jdk.code, Some(64));
    assert_eq!(
        no_jdk.err,
        "error: cannot use `nowhere` as a JDK\n  cause: cannot find the directory\n  \
         cause: No such file or directory (os error 2)\n"
    );
    let no_jar = sandbox.check(&["auto", "--junit", "none.jar"]);
    assert_eq!(no_jar.code, Some(64));
    assert_eq!(no_jar.err, "error: there is no file `none.jar`\n");
    let no_rule = sandbox.check(&["rules", "R11"]);
    assert_eq!(no_rule.code, Some(2));
    assert!(
        no_rule.err.contains("there are R1 to R10"),
        "{}",
        no_rule.err
    );
    let mut nowhere = sandbox.command();
    nowhere.args(["check", "replay", "JD3-E5"]);
    let no_program = said(nowhere);
    assert_eq!(no_program.code, Some(2));
    assert!(
        no_program.err.contains("is no program's id"),
        "{}",
        no_program.err
    );
}
