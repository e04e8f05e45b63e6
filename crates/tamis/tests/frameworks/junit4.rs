//! JUnit 4 through its own runner: which entities and tests there are, and how they go.

use crate::traced::{Program, Scenario, smoke_jdks};

const HAMCREST: &str = "org.hamcrest:hamcrest-core:1.3";
pub(crate) const JUNIT_4_12: &str = "junit:junit:4.12";
pub(crate) const JUNIT_4_13: &str = "junit:junit:4.13.2";

/// Test classes with a version of JUnit, whatever they were compiled with.
pub(crate) fn junit4_of(sources: &str, version: &str) -> Program {
    Program::new(sources, &[JUNIT_4_12, HAMCREST], &[version, HAMCREST])
}

/// Test classes, each given by the file that it is in and its own name, with the newest version.
pub(crate) fn junit4(classes: &[&str]) -> Scenario {
    run(JUNIT_4_13, classes)
}

fn run(version: &str, classes: &[&str]) -> Scenario {
    let mut arguments = vec!["org.junit.runner.JUnitCore"];
    arguments.extend(classes);
    junit4_of("junit4", version).run(&arguments)
}

#[test]
fn tests_end_in_every_way() {
    let classes = [
        "Outcomes$Plain",
        "Outcomes$AllPass",
        "Outcomes$IgnoredClass",
        "Outcomes$BeforeClassFails",
        "Outcomes$BeforeClassAssumes",
        "Outcomes$AfterClassFails",
        "Outcomes$ConstructorFails",
        "Outcomes$NoTests",
        "Outcomes$RunnerFails",
    ];
    let jdks = smoke_jdks();
    let old = jdks.first().map(|jdk| (jdk, JUNIT_4_12));
    for (jdk, version) in jdks.iter().map(|jdk| (jdk, JUNIT_4_13)).chain(old) {
        let traced = run(version, &classes).on(jdk).trace();
        assert_eq!(traced.code(), 1);
        assert_eq!(
            traced.entities(),
            "Outcomes$Plain class, failed (assumes aborted, fails failed, ignored skipped, passes passed)\n\
                 Outcomes$AllPass class, passed (one passed, two passed)\n\
                 Outcomes$IgnoredClass class, skipped (itself skipped)\n\
                 Outcomes$BeforeClassFails class, failed (never not told)\n\
                 Outcomes$BeforeClassAssumes class, aborted (never not told)\n\
                 Outcomes$AfterClassFails class, failed (passes passed)\n\
                 Outcomes$ConstructorFails class, failed (never failed)\n\
                 Outcomes$NoTests class, failed (initializationError failed)\n\
                 Outcomes$RunnerFails class, failed (initializationError failed)\n"
        );
    }
}

#[test]
fn set_up_and_tear_down_belong_to_every_test() {
    let traced = junit4(&["Fixtures$Tests"]).trace();
    assert_eq!(
        traced.relied("Fixtures$Tests"),
        "ran: ForClass.before ForClass.after ForMethod.<init> ForMethod.before ForMethod.after \
         Tests.<init> Tests.beforeClass Tests.afterClass Tests.before Tests.after Tests.one Tests.two \
         Tests.onlyOne Tests.onlyTwo\n\
         ambient: ForClass.<init> Tests.<clinit>\n"
    );
    // Version 4.12 makes the object before it says that the test starts.
    for (version, own, around) in [
        (JUNIT_4_12, "", "ForMethod.<init> Tests.<init> "),
        (JUNIT_4_13, "ForMethod.<init> Tests.<init> ", ""),
    ] {
        let traced = run(version, &["Fixtures$Tests"]).by_method().trace();
        assert_eq!(
            traced.entities(),
            "Fixtures$Tests class, passed (one passed, two passed)\n\
             Fixtures$Tests#one method in Fixtures$Tests, passed\n\
             Fixtures$Tests#two method in Fixtures$Tests, passed\n"
        );
        let words = |text: &str| -> Vec<String> {
            let mut words: Vec<_> = text.split_whitespace().map(str::to_owned).collect();
            words.sort();
            words
        };
        assert_eq!(
            words(&traced.relied("Fixtures$Tests#two")),
            words(&format!(
                "ran: {own} ForMethod.before ForMethod.after Tests.before Tests.after Tests.two \
                 Tests.onlyTwo \
                 around: {around} ForClass.before ForClass.after Tests.beforeClass Tests.afterClass \
                 ambient: ForClass.<init> Tests.<clinit>"
            )),
            "{version}"
        );
    }
}

#[test]
fn a_suite_holds_the_entities_of_its_classes() {
    for version in [JUNIT_4_12, JUNIT_4_13] {
        let traced = run(version, &["Runners$Outer"]).trace();
        assert_eq!(
            traced.entities(),
            "Runners$Outer container, passed\n\
             Runners$Inner container in Runners$Outer, passed\n\
             Runners$First class in Runners$Inner, passed (first passed)\n\
             Runners$Second class in Runners$Inner, passed (second passed)\n\
             Runners$Third class in Runners$Outer, passed (third passed)\n"
        );
        assert_eq!(
            traced.relied("Runners$Second"),
            "ran: Second.<init> Second.second\naround: Inner.beforeInner Outer.beforeOuter\n"
        );
        assert_eq!(
            traced.relied("Runners$Third"),
            "ran: Third.<init> Third.third\naround: Outer.beforeOuter\n"
        );
    }
}

#[test]
fn a_class_that_appears_twice_runs_twice_and_relies_on_both() {
    let classes = ["Runners$Third", "Runners$Inner", "Runners$Outer"];
    let traced = junit4(&classes).trace();
    assert_eq!(
        traced.entities(),
        "Runners$Third class in Runners$Outer, passed (third passed), passed (third passed)\n\
         Runners$Inner container in Runners$Outer, passed, passed\n\
         Runners$First class in Runners$Inner, passed (first passed), passed (first passed)\n\
         Runners$Second class in Runners$Inner, passed (second passed), passed (second passed)\n\
         Runners$Outer container, passed\n"
    );
    let why = |method| traced.why("Runners$Third", method);
    assert_eq!(why("Outer.beforeOuter").as_deref(), Some("around"));
    assert_eq!(why("Inner.beforeInner"), None);
}

#[test]
fn a_class_in_two_suites_relies_on_both() {
    let traced = junit4(&["Runners$Inner", "Runners$Quick"]).trace();
    assert_eq!(
        traced.entities(),
        "Runners$Inner container, passed\n\
         Runners$First class in Runners$Inner in Runners$Quick, passed (first passed), passed (first passed)\n\
         Runners$Second class in Runners$Inner, passed (second passed)\n\
         Runners$Quick container, passed\n\
         Runners$Mixed class in Runners$Quick, passed (quick passed)\n"
    );
    let why = |method| traced.why("Runners$First", method);
    assert_eq!(why("Quick.beforeQuick").as_deref(), Some("around"));
    assert_eq!(why("Inner.beforeInner").as_deref(), Some("around"));
}

#[test]
fn runners_of_junit_and_of_ones_own() {
    let classes = [
        "Runners$Parameters",
        "Runners$Enclosing",
        "Runners$Theorems",
        "Runners$Direct",
        "Runners$Twice",
        "Runners$Words",
    ];
    for version in [JUNIT_4_12, JUNIT_4_13] {
        let traced = run(version, &classes).trace();
        // The order of member classes is the JVM's.
        let mut lines: Vec<_> = traced.entities().lines().map(str::to_owned).collect();
        lines.sort();
        assert_eq!(
            lines,
            [
                "Runners$Direct class, failed (breaks failed, works passed)",
                "Runners$Enclosing container, passed",
                "Runners$Enclosing$One class in Runners$Enclosing, passed (one passed)",
                "Runners$Enclosing$Two class in Runners$Enclosing, passed (two passed)",
                "Runners$Parameters class, failed (isOne failed, isPositive passed)",
                "Runners$Theorems class, passed (positive passed)",
                "Runners$Twice class, passed (twice passed)",
                "Runners$Words class, passed (hello passed)",
            ]
        );
        assert_eq!(
            traced.said(),
            "theory 1, theory 2, theory 3, twice, twice, hello"
        );
    }
}

#[test]
fn by_method_the_runs_of_one_test_are_one_entity() {
    let traced = junit4(&["Runners$Parameters", "Runners$Twice"])
        .by_method()
        .trace();
    assert_eq!(
        traced.entities(),
        "Runners$Parameters class, failed (isOne failed, isPositive passed)\n\
         Runners$Twice class, passed (twice passed)\n\
         Runners$Parameters#isOne method in Runners$Parameters, passed, failed\n\
         Runners$Parameters#isPositive method in Runners$Parameters, passed, passed\n\
         Runners$Twice#twice method in Runners$Twice, passed, passed\n"
    );
}

#[test]
fn the_tests_of_one_runner_may_be_of_many_classes() {
    let classes = ["Old$Case", "Old$All", "Old$Nameless"];
    for version in [JUNIT_4_12, JUNIT_4_13] {
        let traced = run(version, &classes).trace();
        assert_eq!(
            traced.entities(),
            "Old$Case class, failed (testOne passed, testTwo failed)\n\
             Old$All class, failed (Old$Case/testOne passed, Old$Case/testTwo failed, Old$Other/testOne passed)\n\
             Old$Nameless class, passed (Old$Other/testOne passed)\n"
        );
        assert_eq!(
            traced.relied("Old$Case"),
            "ran: Case.<init> Case.setUp Case.tearDown Case.testOne Case.testTwo\n"
        );
        assert_eq!(traced.why("Old$All", "All.suite").as_deref(), Some("ran"));
        assert_eq!(traced.why("Old$Nameless", "All.suite"), None);
    }
}

#[test]
fn tests_of_one_name_in_two_classes_are_told_apart() {
    let traced = junit4(&["Runners$SameNamesSuite"]).trace();
    assert_eq!(
        traced.entities(),
        "Runners$SameNamesSuite container, passed\n\
         Runners$SameNamesFails class in Runners$SameNamesSuite, failed (scenario failed)\n\
         Runners$SameNamesPasses class in Runners$SameNamesSuite, passed (scenario passed)\n"
    );
}
