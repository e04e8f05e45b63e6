//! Threads that outlive the test that started them: what they go on with counts for the next one.

use tamis_testkit::jdks::jdks;

use crate::junit4::{JUNIT_4_13, junit4_of};
use crate::traced::{Scenario, Traced, smoke_jdks};

/// A test class that starts something, and one that runs beside it.
fn pair(first: &str, second: &str) -> Scenario {
    let main = ["org.junit.runner.JUnitCore", first, second];
    junit4_of("attribution", JUNIT_4_13).run(&main)
}

/// That the second relies on these methods, and on these not.
fn check(traced: &Traced, entity: &str, relied: &[&str], not_relied: &[&str]) {
    let text = traced.relied(entity);
    for method in relied {
        assert!(traced.why(entity, method).is_some(), "{method} in\n{text}");
    }
    for method in not_relied {
        assert_eq!(traced.why(entity, method), None, "{method} in\n{text}");
    }
}

#[test]
fn a_hot_loop_is_carried() {
    // Compilers differ more than anything else here.
    for jdk in jdks().unwrap() {
        let traced = pair("Threads$StartsSpinning", "Threads$BesideSpinning")
            .on(&jdk)
            .trace();
        let methods = ["Spinning.run", "Spinning.spin", "Spinning.step"];
        check(&traced, "Threads$BesideSpinning", &methods, &[]);
        let why = traced.why("Threads$BesideSpinning", "Spinning.spin");
        assert_eq!(why.as_deref(), Some("carried"), "JDK {}", jdk.feature);
    }
}

#[test]
fn a_loop_of_compiled_calls_is_carried() {
    let traced = pair("Threads$StartsHot", "Threads$BesideHot").trace();
    let methods = ["Hot.run", "Hot.turn", "Hot.add"];
    check(&traced, "Threads$BesideHot", &methods, &[]);
}

/// What it waits in is carried, what it does then marks anew.
#[test]
fn a_thread_that_waits_carries_the_class_that_it_is_in() {
    for jdk in smoke_jdks() {
        let traced = pair("Threads$StartsWaiting", "Threads$WakesWaiting")
            .on(&jdk)
            .trace();
        let why = |method| traced.why("Threads$WakesWaiting", method);
        assert_eq!(why("Waiting.run").as_deref(), Some("carried"));
        assert_eq!(why("Waiting.work").as_deref(), Some("ran"));
        let not_relied = ["StartsWaiting.starts", "Threads.start"];
        check(&traced, "Threads$WakesWaiting", &[], &not_relied);
    }
}

#[test]
fn a_loop_that_sleeps_marks_anew() {
    let traced = pair("Threads$StartsSleeping", "Threads$BesideSleeping").trace();
    check(&traced, "Threads$BesideSleeping", &["Sleeping.run"], &[]);
    let why = traced.why("Threads$BesideSleeping", "Sleeping.turn");
    assert_eq!(why.as_deref(), Some("ran"));
}

#[test]
fn a_thread_that_is_idle_in_a_pool_carries_nothing() {
    let traced = pair("Threads$UsesPool", "Threads$BesidePool").trace();
    let not_relied = [
        "UsesPool.work",
        "UsesPool.works",
        "UsesPool.lambda$static$0",
    ];
    check(
        &traced,
        "Threads$BesidePool",
        &["BesidePool.empty"],
        &not_relied,
    );
}

#[test]
fn a_virtual_thread_is_carried_coarsely() {
    let with_virtual_threads = jdks().unwrap().into_iter().filter(|jdk| jdk.feature >= 21);
    for jdk in with_virtual_threads {
        let traced = pair("Threads$StartsVirtual", "Threads$BesideSpinning")
            .on(&jdk)
            .trace();
        let methods = ["Spinning.run", "Spinning.spin", "Spinning.step"];
        check(&traced, "Threads$BesideSpinning", &methods, &[]);
    }
}
