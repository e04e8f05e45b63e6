//! The lines at the end: how many tests ran and did not, and the time that was spent and saved.

use super::counts::{counted, with_commas};
use super::palette::{Palette, paint};
use super::time::time;
use crate::view::{DecidedEntityView, Question, SelectionReport, VerdictView};

/// Everything in a few lines.
pub(crate) fn summary(report: &SelectionReport, palette: &Palette) -> Vec<String> {
    match report.question {
        Question::Test => {
            let lines = what_ran(report, palette).into_iter();
            lines.map(|line| format!("tamis: {line}")).collect()
        }
        Question::Select | Question::Why => what_would_run(report),
    }
}

/// What entities are called: test classes, unless they are something finer.
pub(super) fn noun<'e>(
    entities: impl IntoIterator<Item = &'e DecidedEntityView>,
) -> (&'static str, &'static str) {
    let mut entities = entities.into_iter();
    noun_of(entities.any(|entity| entity.id.name.contains('#')))
}

/// The same, if it is known whether there are methods among them.
pub(super) fn noun_of(has_methods: bool) -> (&'static str, &'static str) {
    if has_methods {
        ("test", "tests")
    } else {
        ("test class", "test classes")
    }
}

fn what_ran(report: &SelectionReport, palette: &Palette) -> Vec<String> {
    if report.entities.is_empty() {
        return vec!["no tests were seen".to_owned()];
    }
    let summary = &report.summary;
    let mut lines = vec![format!("{}; {}", ran(report, palette), skipped(report))];
    if summary.n_not_run > 0 {
        let (one, many) = noun(&report.entities);
        let entities = counted(summary.n_not_run, one, many);
        lines.push(format!(
            "{entities} would have to run, but not in this build"
        ));
    }
    if !report.options.is_recording {
        lines.push("nothing was recorded, as asked for".to_owned());
    }
    lines
}

fn ran(report: &SelectionReport, palette: &Palette) -> String {
    let tests = &report.summary.tests;
    let n_flaky = report
        .entities
        .iter()
        .filter(|entity| has_verdict(entity, VerdictView::Flaky))
        .count();
    let mut parts = vec![match tests.n_run() {
        0 => "no test ran".to_owned(),
        n => {
            let spent = time(report.summary.spent_microseconds);
            format!("{} ran in {spent}", counted(n, "test", "tests"))
        }
    }];
    let numbers = [
        (tests.n_failed, "failed", palette.failure),
        (n_flaky, "flaky", palette.changed),
        (tests.n_aborted, "aborted", palette.changed),
        (tests.n_disabled, "disabled", palette.aside),
    ];
    let numbers = numbers.into_iter().filter(|(number, ..)| *number > 0);
    parts.extend(
        numbers
            .map(|(number, what, style)| paint(style, &format!("{} {what}", with_commas(number)))),
    );
    parts.join(", ")
}

fn has_verdict(entity: &DecidedEntityView, verdict: VerdictView) -> bool {
    let run = entity.run.as_ref();
    run.is_some_and(|run| run.verdict == verdict)
}

fn skipped(report: &SelectionReport) -> String {
    let summary = &report.summary;
    match summary.n_skipped {
        0 => "none skipped".to_owned(),
        _ => format!(
            "{} skipped, about {} saved",
            with_commas(summary.tests.n_skipped),
            time(summary.saved_microseconds)
        ),
    }
}

fn what_would_run(report: &SelectionReport) -> Vec<String> {
    let summary = &report.summary;
    let classes = report
        .realms
        .iter()
        .map(|realm| realm.unknown_classes.len());
    let n_unknown: usize = classes.sum();
    if summary.n_entities == 0 && n_unknown == 0 {
        return vec!["nothing is known of any test".to_owned()];
    }
    let (one, many) = noun(&report.entities);
    let entities = |n: usize| match n {
        0 => "nothing".to_owned(),
        n => counted(n, one, many),
    };
    let tests = &summary.tests;
    let selected = beside(tests.n_expected, summary.expected_microseconds);
    let skipped = beside(tests.n_skipped, summary.saved_microseconds);
    let mut lines = vec![
        format!("{} would run{selected}", entities(summary.n_selected)),
        format!("{} would be skipped{skipped}", entities(summary.n_skipped)),
    ];
    match n_unknown {
        0 => {}
        1 => lines.push("1 class is new, or not a test".to_owned()),
        n => lines.push(format!("{} classes are new, or not tests", with_commas(n))),
    }
    lines
}

/// How many tests entities had the last time, and how long they took.
fn beside(n_tests: usize, microseconds: u64) -> String {
    match n_tests {
        0 => String::new(),
        n => format!(
            " ({}, about {})",
            counted(n, "test", "tests"),
            time(microseconds)
        ),
    }
}
