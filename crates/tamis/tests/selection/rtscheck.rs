//! The bugs that RTSCheck's authors reported to OpenClover and STARTS, each as a change that Tamis must notice.

use crate::project::{JUNIT_4, Project};
use crate::runs::FAILS;

/// The report, the classes, what is changed in the last of them, and an expression that is false afterwards.
struct Report {
    test: &'static str,
    classes: &'static [(&'static str, &'static str)],
    change: [&'static str; 2],
    holds: &'static str,
}

const REPORTS: &[Report] = &[
    // openclover/clover #52: another initial value of an instance field.
    Report {
        test: "Clover52Test",
        classes: &[("Initial", "class Initial { int value = 1; }")],
        change: ["value = 1", "value = 2"],
        holds: "new Initial().value == 1",
    },
    // #53: a subclass newly overrides a method.
    Report {
        test: "Clover53Test",
        classes: &[
            ("Plain", "class Plain { int f() { return 1; } }"),
            ("Derived", "class Derived extends Plain { }"),
        ],
        change: ["{ }", "{ int f() { return 2; } }"],
        holds: "new Derived().f() == 1",
    },
    // #54: an interface is implemented no more, and the test asks by `instanceof`.
    Report {
        test: "Clover54Test",
        classes: &[
            ("Marker", "interface Marker { }"),
            ("Marked", "class Marked implements Marker { }"),
        ],
        change: ["implements Marker ", ""],
        holds: "(Object) new Marked() instanceof Marker",
    },
    // #55: the test counts fields by reflection, and one is added. (#56: the agent adds none, or it would fail at once.)
    Report {
        test: "Clover55Test",
        classes: &[("Counted", "class Counted { int one; }")],
        change: ["int one;", "int one; int two;"],
        holds: "Counted.class.getDeclaredFields().length == 1",
    },
    // #57: a subclass newly hides a field.
    Report {
        test: "Clover57Test",
        classes: &[
            (
                "Upper",
                "class Upper { static int n = Integer.parseInt(\"1\"); }",
            ),
            ("Lower", "class Lower extends Upper { }"),
        ],
        change: ["{ }", "{ static int n = Integer.parseInt(\"2\"); }"],
        holds: "Lower.n == 1",
    },
    // #58: without the superclass a call binds to another overload.
    Report {
        test: "Clover58Test",
        classes: &[
            ("Ints", "class Ints { static int m(int n) { return 1; } }"),
            (
                "Longs",
                "class Longs extends Ints { static int m(long n) { return 2; } }",
            ),
        ],
        change: ["extends Ints ", ""],
        holds: "Longs.m(3) == 1",
    },
    // TestingResearchIllinois/starts #59: what the members of a suite depend on. The member is no test by its name, so
    // the suite alone runs it.
    Report {
        test: "Member",
        classes: &[("Deep", "class Deep { static int f() { return 1; } }")],
        change: ["return 1", "return 2"],
        holds: "Deep.f() == 1",
    },
];

const SUITE: &str = "package shop;
    @org.junit.runner.RunWith(org.junit.runners.Suite.class)
    @org.junit.runners.Suite.SuiteClasses(Member.class)
    public class SuiteTest { }";

fn project() -> Project {
    let project = Project::new(&JUNIT_4, "");
    for report in REPORTS {
        for (name, text) in report.classes {
            project.class(name, text);
        }
        let body = format!("if (!({})) {FAILS}", report.holds);
        project.test_class(&JUNIT_4, report.test, &[("holds", &body)]);
    }
    project.write("src/test/java/shop/SuiteTest.java", SUITE);
    // None of the changes concerns it: a build that ran everything would run it.
    project.test_class(&JUNIT_4, "CalmTest", &[("rests", "")]);
    project
}

#[test]
fn every_change_is_noticed() {
    let project = project();
    let mut tests: Vec<&str> = REPORTS.iter().map(|report| report.test).collect();
    tests.sort_unstable();
    let mut all = [&tests[..], &["CalmTest"]].concat();
    all.sort_unstable();
    project.test(&[]).assert_ran(&all);
    // openclover/clover #43: suites are not selected for nothing. (A JVM starts: only JUnit knows what a suite holds.)
    project.test(&[]).assert_ran(&[]);
    for report in REPORTS {
        let [from, to] = report.change;
        let (name, _) = report.classes.last().unwrap();
        project.edit(&format!("src/main/java/shop/{name}.java"), from, to);
    }
    let failed: Vec<(&str, &str)> = tests.iter().map(|test| (*test, "failed")).collect();
    project
        .test(&["-Dmaven.test.failure.ignore=true"])
        .assert_verdicts(&failed);
}

/// openclover/clover #44: a class moves to another source root and changes; its old copy is still there.
#[test]
fn a_class_that_moves_between_source_roots() {
    let project = Project::new(&JUNIT_4, "");
    project.class("Moved", "class Moved { static int f() { return 1; } }");
    let body = format!("if (Moved.f() != 1) {FAILS}");
    project.test_class(&JUNIT_4, "Clover44Test", &[("holds", &body)]);
    project.test_class(&JUNIT_4, "CalmTest", &[("rests", "")]);
    project.test(&[]).assert_ran(&["CalmTest", "Clover44Test"]);
    let moved = "package shop; class Moved { static int f() { return 2; } }";
    project.write("src/test/java/shop/Moved.java", moved);
    project
        .test(&["-Dmaven.test.failure.ignore=true"])
        .assert_verdicts(&[("Clover44Test", "failed")]);
}
