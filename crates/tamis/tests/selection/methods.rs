//! Selecting by test method: of a class that has to run, what nothing has changed for is skipped.

use crate::project::{Combination, JUNIT_4, JUPITER, Project, Ran};

const PRICE: &str = "public class Price {
    public static int net() { return 1; }
    public static int gross() { return 2; }
    public static int setUp() { return 3; } }";

/// Both tests need what is set up.
fn project(combination: &Combination, before: &str, test: &str) -> Project {
    let project = Project::new(combination, "");
    project.class("Price", PRICE);
    let class = |name: &str, members: &str, [net, gross]: [&str; 2]| {
        let text = format!(
            "package shop; public class {name} {{ {members}
                @{before} public void before() {{ if (Price.setUp() != 3) throw new Error(); }}
                @{test} public void net() {{ {net} }}
                @{test} public void gross() {{ {gross} }} }}"
        );
        project.write(&format!("src/test/java/shop/{name}.java"), &text);
    };
    let bodies = [
        "if (Price.net() != 1) throw new Error();",
        "if (Price.gross() < 2) throw new Error();",
    ];
    class("FreeTest", "static final int LIMIT = 1;", bodies);
    class("TiedTest", "static int count;", bodies);
    project
}

fn test(project: &Project) -> Ran {
    project.test_with(&["--granularity", "method"], &[])
}

fn check(combination: &Combination, before: &str, test_annotation: &str, [net, gross]: [&str; 2]) {
    let project = project(combination, before, test_annotation);
    let price = "src/main/java/shop/Price.java";
    test(&project).assert_ran(&["FreeTest", "TiedTest"]);
    test(&project).assert_idle(2);

    // What a test ran, and what was set up for it.
    project.edit(price, "return 2;", "return 4;");
    let ran = test(&project);
    ran.assert_ran(&[gross, "TiedTest"]);
    assert_eq!(ran.skipped.iter().collect::<Vec<_>>(), [net]);
    // The class knows all its tests, whichever way it is asked.
    test(&project).assert_idle(2);
    project.test(&[]).assert_idle(2);
    project.edit(price, "return 3;", "gross(); return 3;");
    test(&project).assert_ran(&["FreeTest", "TiedTest"]);

    // Red stays red, and only what is red.
    project.edit(price, "return 4;", "return 1;");
    test(&project).assert_verdicts(&[("FreeTest", "failed"), ("TiedTest", "failed")]);
    project.edit(price, "net() { return 1; }", "net() { return 2 - 1; }");
    let red = test(&project);
    assert_eq!(
        red.verdicts.get(gross).map(String::as_str),
        Some("failed"),
        "{red:#?}"
    );
    assert_eq!(red.code, Some(1), "{red:#?}");
}

#[test]
fn a_method_of_junit_4_runs_by_itself() {
    let names = ["FreeTest#net", "FreeTest#gross"];
    check(&JUNIT_4, "org.junit.Before", "org.junit.Test", names);
}

#[test]
fn a_method_of_jupiter_runs_by_itself() {
    let names = ["FreeTest#net()", "FreeTest#gross()"];
    let before = "org.junit.jupiter.api.BeforeEach";
    check(&JUPITER, before, "org.junit.jupiter.api.Test", names);
}
