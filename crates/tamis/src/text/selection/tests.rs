//! What a person reads after a run, or instead of one.

use tamis_engine::{CoarseKind, RunReport};
use tamis_facts::{ClassName, RunVerdict, Subject, TestOutcome};
use tamis_select::Reason;

use super::selection;
use crate::text::palette::Palette;
use crate::text::samples::{
    Sample, changed, changed_method, git_was_started, not_told_apart, realm_report, run_report,
    sample, view, view_of_all,
};
use crate::view::Question;

/// The report of a run in one module; no line is too long.
fn ran(entities: Vec<Sample>) -> String {
    shown(
        Question::Test,
        &run_report(entities, vec![realm_report("shop:cart", 1)]),
    )
}

fn shown(question: Question, report: &RunReport) -> String {
    let text = selection(&view(question, report), &Palette::plain());
    for line in text.lines() {
        assert!(line.chars().count() <= 100, "{line}");
    }
    text
}

fn failed_of_four() -> Vec<TestOutcome> {
    let mut outcomes = vec![TestOutcome::Passed; 3];
    outcomes.push(TestOutcome::Failed);
    outcomes
}

#[test]
fn first_run() {
    let entities = vec![
        sample("shop.CartTest").unknown().passed(3),
        sample("shop.OrderTest")
            .unknown()
            .ran(RunVerdict::Failed, &failed_of_four()),
    ];
    insta::assert_snapshot!(ran(entities), @r"
    everything ran: nothing was known of these tests
      shop.OrderTest  1 of 4 failed  17 ms

    tamis: 7 tests ran in 30 ms, 1 failed; none skipped
    ");
}

#[test]
fn unchanged() {
    let report = run_report(
        vec![sample("shop.CartTest"), sample("shop.OrderTest")],
        vec![realm_report("shop:cart", 0)],
    );
    insta::assert_snapshot!(shown(Question::Test, &report), @"tamis: no test ran; 6 skipped, about 240 ms saved");
}

#[test]
fn one_change() {
    let rebate = [changed_method("rebate")];
    let both = [changed_method("add"), changed_method("rebate")];
    let entities = vec![
        sample("shop.CartTest").broken(&both).passed(3),
        sample("shop.OrderTest").broken(&rebate).passed(1),
        sample("shop.checkout.CheckoutTest")
            .broken(&rebate)
            .passed(12),
        sample("shop.OtherTest"),
    ];
    insta::assert_snapshot!(ran(entities), @r"
    method shop.Cart.rebate(int) changed
      shop.CartTest               3 passed    13 ms  and 1 other cause
      shop.OrderTest              1 passed   5.0 ms
      shop.checkout.CheckoutTest  12 passed   49 ms

    tamis: 16 tests ran in 67 ms; 3 skipped, about 120 ms saved
    ");
}

#[test]
fn each_reason_has_its_words() {
    let not_covered = Reason::NotCovered(0, vec!["adds()".into()]);
    let members = changed(Subject::Members(ClassName::from("shop/RuleTest")));
    let entities = vec![
        sample("shop.NewTest").unknown().passed(1),
        sample("shop.OldTest").because(Reason::Old).passed(1),
        sample("shop.AddedTest").because(not_covered).passed(4),
        sample("shop.RuleTest").broken(&[members]).passed(2),
        sample("shop.SkippedTest"),
    ];
    insta::assert_snapshot!(ran(entities), @r"
    its records are older than 30 days
      shop.OldTest    1 passed  5.0 ms
    new: no record
      shop.NewTest    1 passed  5.0 ms
    shop.RuleTest has other members
      shop.RuleTest   2 passed  9.0 ms
    test adds() is not covered by the record
      shop.AddedTest  4 passed   17 ms

    tamis: 8 tests ran in 36 ms; 3 skipped, about 120 ms saved
    ");
}

#[test]
fn everything_ran_because_of_files() {
    let files = [changed(Subject::Files)];
    let both = [changed_method("add"), changed(Subject::Files)];
    let entities = vec![
        sample("shop.CartTest").broken(&files).passed(3),
        sample("shop.OrderTest")
            .broken(&both)
            .ran(RunVerdict::Failed, &failed_of_four()),
    ];
    let mut realm = realm_report("shop:cart", 1);
    realm.common_cause = files.to_vec();
    realm.changed_files = (1..=7).map(|number| format!("data/{number}.txt")).collect();
    let report = run_report(entities, vec![realm]);
    insta::assert_snapshot!(shown(Question::Test, &report), @r"
    everything ran: files of the module changed
      shop.OrderTest  1 of 4 failed  17 ms  and 1 other cause
      shop.CartTest   3 passed       13 ms
    files written since the last run: data/1.txt, data/2.txt, data/3.txt and 4 more

    tamis: 7 tests ran in 30 ms, 1 failed; none skipped
    ");
}

#[test]
fn everything_was_asked_for() {
    let entities = vec![
        sample("shop.CartTest").forced().passed(3),
        sample("shop.OrderTest").unknown().passed(4),
    ];
    let report = run_report(entities, vec![realm_report("shop:cart", 1)]);
    let text = selection(&view_of_all(&report), &Palette::plain());
    insta::assert_snapshot!(text, @r"
    everything ran: that was asked for

    tamis: 7 tests ran in 30 ms; none skipped
    ");
}

#[test]
fn everything_because_of_what_was_not_seen() {
    let doubt = "its JVM was killed";
    let entities = vec![
        sample("shop.CartTest").doubted_before(doubt).passed(3),
        sample("shop.OrderTest").doubted_before(doubt).passed(4),
    ];
    insta::assert_snapshot!(ran(entities), @r"
    everything ran: not all that it saw is known: its JVM was killed
      shop.CartTest   3 passed  13 ms
      shop.OrderTest  4 passed  17 ms

    tamis: 7 tests ran in 30 ms; none skipped
    ");
}

#[test]
fn what_failed_stays_selected() {
    let failed = Reason::NotPassed(0, RunVerdict::Failed);
    let incomplete = Reason::NotPassed(0, RunVerdict::Incomplete);
    let entities = vec![
        sample("shop.CartTest").because(failed.clone()).passed(3),
        sample("shop.OrderTest")
            .because(failed)
            .ran(RunVerdict::Failed, &failed_of_four()),
        sample("shop.DeepTest")
            .because(incomplete)
            .ran(RunVerdict::Incomplete, &[]),
        sample("shop.OtherTest"),
    ];
    insta::assert_snapshot!(ran(entities), @r"
    failed last time
      shop.OrderTest  1 of 4 failed   17 ms
      shop.CartTest   3 passed        13 ms
    did not end last time, or not all that it saw is known
      shop.DeepTest   incomplete     1.0 ms

    tamis: 7 tests ran in 31 ms, 1 failed; 3 skipped, about 120 ms saved
    ");
}

#[test]
fn flaky() {
    let flaky = Reason::NotPassed(0, RunVerdict::Flaky);
    let outcomes = [
        TestOutcome::Passed,
        TestOutcome::Disabled,
        TestOutcome::Aborted,
    ];
    let entities = vec![
        sample("shop.ClockTest")
            .because(flaky)
            .ran(RunVerdict::Flaky, &outcomes),
        sample("shop.OtherTest"),
    ];
    insta::assert_snapshot!(ran(entities), @r"
    failed and then passed last time
      shop.ClockTest  flaky  13 ms

    tamis: 2 tests ran in 13 ms, 1 flaky, 1 aborted, 1 disabled; 3 skipped, about 120 ms saved
    ");
}

#[test]
fn what_cannot_be_relied_on_and_what_is_not_tracked() {
    let doubt = "a JVM that it started ended without a word";
    let entities = vec![
        sample("shop.GitTest")
            .unknown()
            .ran(RunVerdict::Incomplete, &[TestOutcome::Passed])
            .doubted(doubt),
        sample("shop.ShellTest")
            .unknown()
            .ran(RunVerdict::Incomplete, &[TestOutcome::Passed])
            .doubted(doubt),
        sample("shop.OtherTest"),
    ];
    let mut report = run_report(entities, vec![realm_report("shop:cart", 1)]);
    report.untracked.push(git_was_started());
    let reason = "a program was started that is no JVM";
    let coarse = [CoarseKind::Files, CoarseKind::Environment];
    report.realms[0].coarse = coarse.map(|what| not_told_apart(what, reason)).to_vec();
    insta::assert_snapshot!(shown(Question::Test, &report), @r"
    new: no record
      shop.GitTest    1 passed  5.0 ms
      shop.ShellTest  1 passed  5.0 ms
    will run again next time: a JVM that it started ended without a word
      shop.GitTest
      shop.ShellTest
    not told apart: files, variables and properties: a program was started that is no JVM
    not tracked: a process was started: git (2 test classes)

    tamis: 2 tests ran in 10 ms; 3 skipped, about 120 ms saved
    ");
}

#[test]
fn modules_stand_one_after_the_other() {
    let entities = vec![
        sample("shop.CartTest")
            .broken(&[changed_method("add")])
            .passed(3),
        sample("shop.LineTest"),
        sample("shop.core.MoneyTest").of("shop:core"),
        sample("shop.core.TaxTest").of("shop:core"),
    ];
    let modules = [("shop:cart", 1), ("shop:core", 0), ("shop:parent", 0)];
    let realms = modules.map(|(module, n_jvms)| realm_report(module, n_jvms));
    let report = run_report(entities, realms.into());
    insta::assert_snapshot!(shown(Question::Test, &report), @r"
    shop:cart (default-test)
      method shop.Cart.add(int) changed
        shop.CartTest  3 passed  13 ms
      1 test class skipped
    shop:core (default-test)
      2 test classes skipped; no JVM was started

    tamis: 3 tests ran in 13 ms; 9 skipped, about 360 ms saved
    ");
}

#[test]
fn many_share_a_cause() {
    let add = [changed_method("add")];
    let mut entities: Vec<Sample> = (0..1_012)
        .map(|number| {
            sample(&format!("shop.Case{number:04}Test"))
                .broken(&add)
                .passed(2)
        })
        .collect();
    entities.push(
        sample("shop.ZoneTest")
            .broken(&add)
            .ran(RunVerdict::Failed, &failed_of_four()),
    );
    entities.push(sample("shop.OtherTest"));
    insta::assert_snapshot!(ran(entities), @r"
    method shop.Cart.add(int) changed
      shop.ZoneTest      1 of 4 failed   17 ms
      shop.Case0000Test  2 passed       9.0 ms
      shop.Case0001Test  2 passed       9.0 ms
      shop.Case0002Test  2 passed       9.0 ms
      shop.Case0003Test  2 passed       9.0 ms
      shop.Case0004Test  2 passed       9.0 ms
      shop.Case0005Test  2 passed       9.0 ms
      shop.Case0006Test  2 passed       9.0 ms
      shop.Case0007Test  2 passed       9.0 ms
      shop.Case0008Test  2 passed       9.0 ms
      and 1,003 more

    tamis: 2,028 tests ran in 9.1 s, 1 failed; 3 skipped, about 120 ms saved
    ");
}

#[test]
fn nothing_known_and_nothing_seen() {
    let report = run_report(Vec::new(), Vec::new());
    insta::assert_snapshot!(shown(Question::Test, &report), @"tamis: no tests were seen");
    insta::assert_snapshot!(shown(Question::Select, &report), @"nothing is known of any test");
}

#[test]
fn a_build_that_does_not_run_what_is_selected() {
    let entities = vec![
        sample("shop.CartTest")
            .broken(&[changed_method("add")])
            .passed(3),
        sample("shop.OrderTest").broken(&[changed_method("add")]),
        sample("shop.OtherTest"),
    ];
    insta::assert_snapshot!(ran(entities), @r"
    method shop.Cart.add(int) changed
      shop.CartTest  3 passed  13 ms

    tamis: 3 tests ran in 13 ms; 3 skipped, about 120 ms saved
    tamis: 1 test class would have to run, but not in this build
    ");
}

#[test]
fn what_would_run() {
    let entities = vec![
        sample("shop.CartTest").broken(&[changed_method("add")]),
        sample("shop.OrderTest").because(Reason::NotPassed(0, RunVerdict::Failed)),
        sample("shop.OtherTest"),
    ];
    let mut realm = realm_report("shop:cart", 0);
    realm.unknown_classes = vec!["shop/Samples".to_owned(), "shop/SoonTest".to_owned()];
    let report = run_report(entities, vec![realm]);
    insta::assert_snapshot!(shown(Question::Select, &report), @r"
    failed last time
      shop.OrderTest  3 tests  120 ms
    method shop.Cart.add(int) changed
      shop.CartTest   3 tests  120 ms
    new, or not a test
      shop.Samples
      shop.SoonTest

    2 test classes would run (6 tests, about 240 ms)
    1 test class would be skipped (3 tests, about 120 ms)
    2 classes are new, or not tests
    ");
}

#[test]
fn nothing_would_run() {
    let report = run_report(
        vec![sample("shop.CartTest")],
        vec![realm_report("shop:cart", 0)],
    );
    insta::assert_snapshot!(shown(Question::Select, &report), @r"
    nothing would run
    1 test class would be skipped (3 tests, about 120 ms)
    ");
}

/// JSON says what the text says.
#[test]
fn the_same_as_json() {
    let doubt = "its JVM was killed";
    let not_covered = Reason::NotCovered(1, vec!["adds()".into()]);
    let entities = vec![
        sample("shop.AddedTest").because(not_covered),
        sample("shop.CartTest")
            .broken(&[changed(Subject::Files), changed_method("add")])
            .nearest(&[changed_method("add")])
            .ran(RunVerdict::Failed, &failed_of_four()[2..])
            .doubted(doubt),
        sample("shop.OtherTest"),
    ];
    let mut realm = realm_report("shop:cart", 1);
    realm.unknown_classes.push("shop/SoonTest".to_owned());
    let mut report = run_report(entities, vec![realm]);
    report.notes.push("a sentence".to_owned());
    report.untracked.push(git_was_started());
    let document = view(Question::Test, &report);
    insta::assert_snapshot!(serde_json::to_string_pretty(&document).unwrap());
}

#[test]
fn colours_only_add() {
    let entities = || {
        vec![
            sample("shop.CartTest")
                .broken(&[changed_method("add")])
                .passed(3),
            sample("shop.OrderTest")
                .unknown()
                .ran(RunVerdict::Failed, &failed_of_four()),
            sample("shop.OtherTest"),
        ]
    };
    let report = run_report(entities(), vec![realm_report("shop:cart", 1)]);
    let coloured = selection(&view(Question::Test, &report), &Palette::coloured());
    assert!(coloured.contains("\u{1b}[31m") || coloured.contains("\u{1b}[1m"));
    let mut without = coloured;
    while let Some(start) = without.find("\u{1b}[") {
        let end = without[start..].find('m').unwrap();
        without.replace_range(start..=start + end, "");
    }
    assert_eq!(without, ran(entities()));
}
