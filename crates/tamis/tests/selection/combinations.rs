//! First run, no change, one change: on each test framework and version of Surefire.

use std::collections::BTreeMap;
use std::fs;

use crate::project::{Combination, JUNIT_4, JUPITER, Project};

const CART: &str = "public class Cart { public int sum(int a, int b) { return a + b; } public int none() { return 0; } }";

fn project(combination: &Combination) -> Project {
    let project = Project::new(combination, "");
    project.class("Cart", CART);
    project.class(
        "Till",
        "public class Till { public static int open() { return 3; } }",
    );
    let check = |condition: &str| format!("if (!({condition})) throw new AssertionError();");
    project.test_class(
        combination,
        "SumTest",
        &[("sums", &check("new Cart().sum(1, 2) == 3"))],
    );
    project.test_class(
        combination,
        "NoneTest",
        &[("none", &check("new Cart().none() == 0"))],
    );
    project.test_class(
        combination,
        "TillTest",
        &[("opens", &check("Till.open() == 3"))],
    );
    project
}

/// Names and outcomes of all tests that Surefire reports.
fn reports(project: &Project) -> BTreeMap<String, String> {
    let reports = fs::read_dir(project.path("target/surefire-reports")).unwrap();
    let reports = reports.map(|entry| entry.unwrap().path());
    let xml = reports.filter(|path| path.extension().is_some_and(|extension| extension == "xml"));
    let mut outcomes = BTreeMap::new();
    for path in xml {
        let text = fs::read_to_string(path).unwrap();
        for case in text.split("<testcase").skip(1) {
            let name = case
                .split(" name=\"")
                .nth(1)
                .unwrap()
                .split('"')
                .next()
                .unwrap();
            let class = case
                .split(" classname=\"")
                .nth(1)
                .unwrap()
                .split('"')
                .next()
                .unwrap();
            let is_red = case.contains("<failure") || case.contains("<error");
            outcomes.insert(format!("{class}.{name}"), is_red.to_string());
        }
    }
    outcomes
}

fn check(combination: &Combination) {
    let project = project(combination);
    let plain = project.maven(&["test"]);
    assert!(
        plain.status.success(),
        "{}",
        String::from_utf8_lossy(&plain.stdout)
    );
    let expected = reports(&project);
    assert_eq!(expected.len(), 3);
    fs::remove_dir_all(project.path("target")).unwrap();

    let first = project.test(&[]);
    first.assert_ran(&["NoneTest", "SumTest", "TillTest"]);
    assert_eq!(first.notes, [""; 0]);
    assert_eq!(
        reports(&project),
        expected,
        "the same tests with the same results"
    );

    project.test(&[]).assert_idle(3);

    project.edit("src/main/java/shop/Cart.java", "a + b", "b + a");
    let changed = project.test(&[]);
    changed.assert_ran(&["SumTest"]);
    let broken = &changed.report["entities"]
        .as_array()
        .unwrap()
        .iter()
        .find(|e| e["name"] == "shop.SumTest")
        .unwrap()["newest"]["broken"];
    assert_eq!(broken[0]["subject"], "method", "{broken}");
    assert_eq!(broken[0]["name"], "sum", "{broken}");

    // There and back: the record of before is found again. And nothing is lost by `mvn clean`.
    project.edit("src/main/java/shop/Cart.java", "b + a", "a + b");
    project.test(&["clean"]).assert_idle(3);
}

#[test]
fn junit_4() {
    check(&JUNIT_4);
}

#[test]
fn junit_4_on_an_old_surefire() {
    check(&Combination {
        surefire: "2.22.2",
        jdk: 8,
        ..JUNIT_4
    });
}

/// Each way to run the tests of a project in several JVMs or threads, and how many JVMs there are then at most.
const WAYS: &[(&str, u64)] = &[
    ("<forkCount>2</forkCount><reuseForks>true</reuseForks>", 2),
    ("<forkCount>2</forkCount><reuseForks>false</reuseForks>", 3),
    (
        "<parallel>classes</parallel><threadCount>2</threadCount><perCoreThreadCount>false</perCoreThreadCount>",
        1,
    ),
];

#[test]
fn several_jvms_or_threads_at_a_time() {
    let project = project(&JUNIT_4);
    let pom = fs::read_to_string(project.path("pom.xml")).unwrap();
    for (way, n_jvms) in WAYS {
        let configuration = format!("</version><configuration>{way}</configuration></plugin>");
        project.write(
            "pom.xml",
            &pom.replace("</version></plugin>", &configuration),
        );
        // None of them knows what another recorded.
        let _ = fs::remove_dir_all(project.path(".tamis"));
        let first = project.test(&[]);
        first.assert_ran(&["NoneTest", "SumTest", "TillTest"]);
        assert_eq!(first.n_jvms, *n_jvms, "{way}: {first:#?}");
        project.test(&[]).assert_idle(3);
        project.edit("src/main/java/shop/Cart.java", "a + b", "a - b");
        let changed = project.test(&[]);
        // What runs at the same time counts for all of them.
        assert_eq!(changed.verdicts["SumTest"], "failed", "{way}: {changed:#?}");
        if !way.contains("parallel") {
            changed.assert_verdicts_of(&[("SumTest", "failed")], way);
        }
        project.edit("src/main/java/shop/Cart.java", "a - b", "a + b");
        project.test(&[]).assert_idle(3);
    }
}

#[test]
fn jupiter() {
    check(&JUPITER);
}

#[test]
fn jupiter_on_an_old_surefire() {
    check(&Combination {
        surefire: "2.22.2",
        jdk: 17,
        ..JUPITER
    });
}

#[test]
fn junit_6() {
    check(&Combination {
        dependency: "org.junit.jupiter:junit-jupiter:6.0.1",
        jdk: 17,
        release: "17",
        ..JUPITER
    });
}
