//! Who pays: initialisers, what runs between tests, and runners that are built before they run.

use crate::junit4::{JUNIT_4_13, junit4_of};
use crate::traced::{Scenario, Traced};

/// Test classes one after the other in one JVM.
fn sequence(classes: &[&str]) -> Scenario {
    let mut main = vec!["org.junit.runner.JUnitCore"];
    main.extend(classes);
    junit4_of("attribution", JUNIT_4_13).run(&main)
}

const INITIALISERS: &str =
    "Config.compute Config.<clinit> Deep.start Deep.value Deep.<clinit> Parent.<clinit>";

#[test]
fn whoever_uses_a_class_relies_on_its_initialiser() {
    let classes = [
        "Sequence$InitialisesFirst",
        "Sequence$InitialisesSecond",
        "Sequence$NamesOnly",
        "Sequence$InitialisesNothing",
    ];
    let traced = sequence(&classes).trace();
    check_initialisers(&traced, "");
    assert_eq!(
        traced.relied("Sequence$InitialisesFirst"),
        "ran: Config.compute Config.size Config.<clinit> Deep.start Deep.value Deep.<clinit> \
         InitialisesFirst.<init> InitialisesFirst.reads Parent.<clinit>\n"
    );
    let traced = sequence(&classes).by_method().trace();
    check_initialisers(&traced, "#reads");
}

fn check_initialisers(traced: &Traced, method: &str) {
    assert_eq!(
        traced.relied(&format!("Sequence$InitialisesSecond{method}")),
        format!(
            "ran: Config.size InitialisesSecond.<init> InitialisesSecond.reads\n\
             initialiser: {INITIALISERS}\n"
        )
    );
    assert_eq!(
        traced.relied(&format!("Sequence$NamesOnly{method}")),
        format!("ran: NamesOnly.<init> NamesOnly.reads\ninitialiser: {INITIALISERS}\n")
    );
    assert_eq!(
        traced.relied("Sequence$InitialisesNothing"),
        "ran: InitialisesNothing.<init> InitialisesNothing.empty\n"
    );
}

#[test]
fn a_class_that_another_thread_initialised() {
    let classes = ["Sequence$OtherThreadFirst", "Sequence$InitialisesSecond"];
    let traced = sequence(&classes).trace();
    check_second(&traced);
}

fn check_second(traced: &Traced) {
    let relied = traced.relied("Sequence$InitialisesSecond");
    let expected = format!("\ninitialiser: {INITIALISERS}\n");
    assert!(relied.ends_with(&expected), "{relied}");
}

#[test]
fn an_initialiser_that_throws_counts_for_those_who_meet_the_wreck() {
    let traced = sequence(&["Sequence$ThrowsFirst", "Sequence$ThrowsSecond"]).trace();
    assert_eq!(
        traced.relied("Sequence$ThrowsSecond"),
        "ran: ThrowsSecond.<init> ThrowsSecond.fails\ninitialiser: Broken.length Broken.<clinit>\n"
    );
}

#[test]
fn an_initialiser_that_does_not_end_counts_as_far_as_it_came() {
    let classes = ["Threads$StartsSlowInitialiser", "Threads$NamesSlow"];
    let traced = sequence(&classes).trace();
    for method in ["Slow.prepare", "Slow.<clinit>", "NeverReady.<clinit>"] {
        let why = traced.why("Threads$NamesSlow", method);
        assert!(why.is_some(), "{method}");
    }
}

#[test]
fn what_runs_between_tests_counts_for_later_ones() {
    let traced = junit4_of("attribution", JUNIT_4_13)
        .run(&["Listening"])
        .trace();
    assert_eq!(
        traced.relied("Listening$First"),
        "ran: Building.<init> Building.build First.<init> First.first\n\
         ambient: Listening.main Listening.before Counting.<init> Counting.testRunStarted\n"
    );
    assert_eq!(
        traced.relied("Listening$Second"),
        "ran: Second.<init> Second.second\n\
         ambient: Listening.main Listening.before Listening.between Counting.<init> \
         Counting.testRunStarted Counting.testRunFinished Counting.secondStarts\n"
    );
}

#[test]
fn a_test_that_ends_the_jvm_is_unfinished_and_those_before_are_not() {
    let classes = [
        "Sequence$InitialisesNothing",
        "Sequence$Exits",
        "Sequence$NamesOnly",
    ];
    let traced = sequence(&classes).by_method().trace();
    assert_eq!(traced.code(), 7);
    assert_eq!(
        traced.entities(),
        "Sequence$InitialisesNothing class, passed (empty passed)\n\
         Sequence$Exits class, unfinished\n\
         Sequence$InitialisesNothing#empty method in Sequence$InitialisesNothing, passed\n\
         Sequence$Exits#exits method in Sequence$Exits, unfinished\n"
    );
    assert_eq!(
        traced.relied("Sequence$Exits#exits"),
        "ran: Exits.<init> Exits.exits Exits.before\n"
    );
}
