//! `--skip`: what is skipped does not run, nor does its set-up, and the framework has nothing to say of it.

use crate::junit4::{JUNIT_4_12, JUNIT_4_13, junit4, junit4_of};
use crate::platform::{V6, counts, platform, platform_of};

#[test]
fn a_skipped_class_of_junit_4_leaves_no_trace() {
    let traced = junit4(&["Fixtures$Tests", "Outcomes$AllPass", "Outcomes$Plain"])
        .skip("Fixtures*")
        .skip("*Plain")
        .trace();
    assert_eq!(traced.code(), 0);
    assert_eq!(traced.said(), "");
    assert!(traced.stdout().contains("OK (2 tests)"));
    assert_eq!(
        traced.entities(),
        "Fixtures$Tests class, to be skipped\n\
         Outcomes$AllPass class, passed (one passed, two passed)\n\
         Outcomes$Plain class, to be skipped\n"
    );
}

#[test]
fn all_classes_of_junit_4_can_be_skipped() {
    let classes = [
        "Fixtures$Tests",
        "Runners$Outer",
        "Old$All",
        "Runners$Words",
    ];
    let traced = junit4(&classes).skip("*").trace();
    assert_eq!(traced.code(), 0);
    // A suite has no tests of its own, and its set-up belongs to whatever runs in it.
    assert_eq!(traced.said(), "outer begins, inner begins");
    assert!(traced.stdout().contains("OK (0 tests)"));
}

#[test]
fn a_suite_runs_what_is_left_of_it() {
    let traced = junit4(&["Runners$Outer"]).skip("*First").trace();
    assert_eq!(traced.said(), "outer begins, inner begins, second, third");
    assert_eq!(
        traced.entities(),
        "Runners$Outer container, passed\n\
         Runners$Inner container in Runners$Outer, passed\n\
         Runners$First class in Runners$Inner, to be skipped\n\
         Runners$Second class in Runners$Inner, passed (second passed)\n\
         Runners$Third class in Runners$Outer, passed (third passed)\n"
    );
}

#[test]
fn methods_of_junit_4_are_skipped_one_by_one() {
    for version in [JUNIT_4_12, JUNIT_4_13] {
        let main = [
            "org.junit.runner.JUnitCore",
            "Fixtures$Tests",
            "Runners$Parameters",
        ];
        let traced = junit4_of("junit4", version)
            .run(&main)
            .by_method()
            .skip("*#one")
            .skip("*#isOne")
            .trace();
        assert_eq!(traced.code(), 0);
        assert!(traced.stdout().contains("OK (3 tests)"));
        assert_eq!(
            traced.entities(),
            "Fixtures$Tests class, passed (two passed, one not told)\n\
             Runners$Parameters class, passed (isPositive passed, isOne not told)\n\
             Fixtures$Tests#one method in Fixtures$Tests, to be skipped\n\
             Fixtures$Tests#two method in Fixtures$Tests, passed\n\
             Runners$Parameters#isOne method in Runners$Parameters, to be skipped\n\
             Runners$Parameters#isPositive method in Runners$Parameters, passed, passed\n"
        );
    }
}

#[test]
fn a_class_without_a_method_left_is_not_set_up() {
    let traced = junit4(&["Fixtures$Tests"]).by_method().skip("*#*").trace();
    assert_eq!((traced.code(), &traced.said()[..]), (0, ""));
    let traced = platform(&["Kinds$Fixtures"])
        .by_method()
        .skip("*#*")
        .trace();
    assert_eq!((traced.code(), &traced.said()[..]), (0, ""));
}

#[test]
fn a_skipped_class_of_the_platform_leaves_no_trace() {
    let traced = platform(&["Kinds$Fixtures", "Kinds$Plain", "Kinds$PerClass"])
        .skip("*Fixtures")
        .skip("*Plain")
        .trace();
    assert_eq!(traced.code(), 0);
    assert_eq!(traced.said(), "");
    assert_eq!(counts(&traced), [2, 0, 0, 2, 0]);
    assert_eq!(
        traced.entities(),
        "Kinds$Fixtures class, to be skipped\n\
         Kinds$Plain class, to be skipped\n\
         Kinds$PerClass class, passed (one() passed, two() passed)\n"
    );
}

#[test]
fn all_classes_of_the_platform_can_be_skipped() {
    let traced = platform(&["Kinds$Fixtures", "Kinds$Plain"])
        .skip("*")
        .trace();
    assert_eq!(traced.code(), 0);
    assert_eq!(counts(&traced), [0, 0, 0, 0, 0]);
}

#[test]
fn methods_of_the_platform_are_skipped_one_by_one() {
    let classes = [
        "Kinds$Fixtures",
        "Kinds$Outer",
        "Kinds$Repeated",
        "Kinds$Factory",
    ];
    let traced = platform(&classes)
        .by_method()
        .skip("*Fixtures#one()")
        .skip("*Outer#Inner/*")
        .skip("*#isOne*")
        .skip("*#made()")
        .trace();
    assert_eq!(traced.code(), 0);
    assert_eq!(traced.said(), "before all, two");
    // One of two, one of four and one that is disabled with its class, three and two repetitions, none.
    assert_eq!(counts(&traced), [8, 1, 0, 7, 0]);
}

#[test]
fn a_suite_of_the_platform_runs_what_is_left_of_it() {
    for (glob, code, said, n_tests) in [
        ("*First", 0, "second", 1),
        ("*Second", 0, "first", 1),
        // Without tests it would fail.
        ("*", 0, "", 0),
    ] {
        let traced = platform_of(V6, "suites", &["Suites$Around"])
            .skip(glob)
            .trace();
        assert_eq!((traced.code(), &traced.said()[..]), (code, said), "{glob}");
        assert_eq!(counts(&traced)[0], n_tests, "{glob}");
    }
}

#[test]
fn tests_of_junit_4_are_skipped_on_the_platform_too() {
    let classes = [
        "Runners$Outer",
        "Fixtures$Tests",
        "Runners$Parameters",
        "Old$Case",
    ];
    let traced = platform_of(V6, "junit4", &classes)
        .skip("*First")
        .skip("*Tests")
        .skip("*Parameters")
        .skip("Old*")
        .trace();
    assert_eq!(traced.code(), 0);
    assert_eq!(traced.said(), "outer begins, inner begins, second, third");
    assert_eq!(counts(&traced), [2, 0, 0, 2, 0]);
}
