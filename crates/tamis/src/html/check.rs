//! The page of `tamis check auto --html`.

use tamis_check::{RULES, Violation, Weight};

use super::element::{Cell, escaped, table};
use crate::text::{counted, time, with_commas};
use crate::view::{CheckReport, EfficiencyView, FileDifference, Line};

const STYLE: &str = include_str!("style.css");

/// A violation with the program that shows it.
#[derive(Debug)]
pub(crate) struct Example<'a> {
    pub(crate) violation: &'a Violation,
    /// How many parts are left, of how many, if the program was made smaller.
    pub(crate) parts: Option<(usize, usize)>,
    /// All files of both revisions.
    pub(crate) files: Vec<FileDifference>,
}

/// The whole page.
pub(crate) fn check(report: &CheckReport<'_>, examples: &[Example<'_>]) -> String {
    let sections = [
        heading(report),
        by_rule(report),
        numbers(report),
        efficiency(report),
        failures(report),
        shown(report, examples),
    ];
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>tamis check</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n{}</body>\n</html>\n",
        sections.concat()
    )
}

fn heading(report: &CheckReport<'_>) -> String {
    let violations = report.violations.iter();
    let bugs = violations.filter(|view| view.violation.weight == Weight::Bug);
    let n_bugs = bugs.count() + report.failures.len();
    let n_suspicions = report.violations.len() + report.failures.len() - n_bugs;
    let (class, word) = match (n_bugs, n_suspicions) {
        (0, 0) => ("good", "no rule is violated".to_owned()),
        (0, some) => ("doubt", counted(some, "suspicion", "suspicions")),
        (some, _) => ("bad", counted(some, "bug", "bugs")),
    };
    let dropped: usize = report.n_dropped.values().sum();
    format!(
        "<h1>tamis check</h1>\n<p><span class=\"{class}\">{word}</span> in {}, {} dropped; seed {}</p>\n",
        counted(report.n_programs, "program", "programs"),
        with_commas(dropped),
        report.seed
    )
}

/// Rules against tools.
fn by_rule(report: &CheckReport<'_>) -> String {
    let mut heading = vec!["rule".to_owned()];
    heading.extend(report.tools.iter().map(|tool| tool.variant.name.clone()));
    let of_user = report.tools.iter().flat_map(|tool| tool.by_rule.keys());
    let mut of_user: Vec<&String> = of_user
        .filter(|name| RULES.iter().all(|rule| rule.id != **name))
        .collect();
    of_user.sort();
    of_user.dedup();
    let ours = RULES.iter().map(|rule| {
        let name = format!("{} {}", rule.id, rule.title);
        (rule.id, name, rule.weight)
    });
    let of_user = of_user
        .into_iter()
        .map(|name| (name.as_str(), name.clone(), Weight::Bug));
    let rows = ours.chain(of_user).map(|(id, name, weight)| {
        let mut row = vec![Cell::new(name)];
        row.extend(report.tools.iter().map(|tool| {
            let count = tool.by_rule.get(id).copied().unwrap_or(0);
            violations_cell(count, weight)
        }));
        row
    });
    let rows: Vec<_> = rows.collect();
    format!("<h2>Violations by rule</h2>\n{}", table(&heading, &rows))
}

fn violations_cell(count: usize, weight: Weight) -> Cell {
    let class = match (count, weight) {
        (0, _) => "none",
        (_, Weight::Bug) => "bad",
        (_, Weight::Suspicion) => "doubt",
    };
    Cell::new(with_commas(count)).of_class(class)
}

fn numbers(report: &CheckReport<'_>) -> String {
    let heading = [
        "tool",
        "programs",
        "revisions",
        "tests",
        "selected",
        "share",
    ];
    let rows = report.tools.iter().map(|tool| {
        let share = (tool.n_selected * 100).checked_div(tool.n_tests);
        let numbers = [
            tool.n_programs,
            tool.n_revisions,
            tool.n_tests,
            tool.n_selected,
        ];
        let mut row = vec![Cell::new(&tool.variant.name)];
        row.extend(numbers.map(|number| Cell::new(with_commas(number))));
        row.push(Cell::new(
            share.map_or("–".to_owned(), |it| format!("{it} %")),
        ));
        row
    });
    let rows: Vec<_> = rows.collect();
    let heading = heading.map(str::to_owned);
    format!("<h2>What was run</h2>\n{}", table(&heading, &rows))
}

/// From end to end, against all tests without a tool.
fn efficiency(report: &CheckReport<'_>) -> String {
    if report.efficiency.is_empty() {
        return String::new();
    }
    let heading = [
        "tool",
        "runs",
        "sum",
        "every test",
        "share",
        "median run",
        "every test",
        "median share",
    ];
    let rows: Vec<_> = report.efficiency.iter().map(efficiency_row).collect();
    let heading = heading.map(str::to_owned);
    format!(
        "<h2>Time from end to end</h2>\n<p class=\"aside\">Each run of a step with the tool, against all tests of that \
         step without it. Many small programs share a run. Of a tool with several variants only the last one records.</p>\n{}",
        table(&heading, &rows)
    )
}

fn efficiency_row(view: &EfficiencyView<'_>) -> Vec<Cell> {
    let it = &view.efficiency;
    let milliseconds = |number: u64| Cell::new(time(number.saturating_mul(1000)));
    let share = it.milliseconds.saturating_mul(100) / it.retest_all_milliseconds.max(1);
    vec![
        Cell::new(view.name),
        Cell::new(with_commas(it.n_runs)),
        milliseconds(it.milliseconds),
        milliseconds(it.retest_all_milliseconds),
        Cell::new(format!("{share} %")),
        milliseconds(it.median_milliseconds),
        milliseconds(it.median_retest_all_milliseconds),
        Cell::new(format!("{} %", it.median_percent)),
    ]
}

fn failures(report: &CheckReport<'_>) -> String {
    if report.failures.is_empty() {
        return String::new();
    }
    let mut text = "<h2>Tools that failed as a whole</h2>\n".to_owned();
    for view in &report.failures {
        let failed = view.failed;
        let programs = counted(failed.n_programs, "program", "programs");
        let one = format!(
            "<div class=\"example\"><h3><span class=\"bad\">{}</span> in step {}, on {programs}</h3>\n<p>{}</p>\n\
             <p><code>{}</code></p></div>\n",
            escaped(&failed.tool),
            escaped(failed.step.name()),
            escaped(&failed.failure.text),
            escaped(&view.replay)
        );
        text.push_str(&one);
    }
    text
}

/// The smallest program of each kind of violation.
fn shown(report: &CheckReport<'_>, examples: &[Example<'_>]) -> String {
    if examples.is_empty() {
        return String::new();
    }
    let mut text = "<h2>The smallest program of each kind</h2>\n".to_owned();
    for example in examples {
        text += &one(report, example);
    }
    text
}

fn one(report: &CheckReport<'_>, example: &Example<'_>) -> String {
    let violation = example.violation;
    let same_kind = report.violations.iter().filter(|view| {
        view.violation.rule == violation.rule && view.violation.operator == violation.operator
    });
    let n_same = same_kind.count();
    let replay = report
        .violations
        .iter()
        .find(|view| view.violation == violation)
        .map_or("", |view| view.replay.as_str());
    let class = match violation.weight {
        Weight::Bug => "bad",
        Weight::Suspicion => "doubt",
    };
    let step = violation.step.map_or("", |step| step.name());
    let parts = example.parts.map_or(String::new(), |(left, all)| {
        format!("; {left} of {all} parts are left")
    });
    let mut text = format!(
        "<div class=\"example\">\n<h3><span class=\"{class}\">{}</span> by {}: {}</h3>\n\
         <p>{} {}: {} {}</p>\n<p class=\"aside\">{} of this kind; {}{}</p>\n<p><code>{}</code></p>\n",
        escaped(&violation.rule),
        escaped(&violation.operator),
        escaped(&violation.tool),
        escaped(step),
        escaped(&violation.program.to_string()),
        escaped(&violation.text),
        escaped(&violation.tests.join(", ")),
        counted(n_same, "violation", "violations"),
        escaped(&violation.program.to_string()),
        parts,
        escaped(replay)
    );
    let is_changed = |file: &&FileDifference| {
        let mut lines = file.lines.iter();
        lines.any(|line| !matches!(line, Line::Both(_)))
    };
    let (changed, same): (Vec<_>, Vec<_>) = example.files.iter().partition(is_changed);
    text.extend(changed.into_iter().map(file));
    if !same.is_empty() {
        let files = counted(same.len(), "file that stays", "files that stay");
        text.extend(["<details><summary>", &files, "</summary>\n"]);
        text.extend(same.into_iter().map(file));
        text += "</details>\n";
    }
    text + "</div>\n"
}

/// All lines of a file, told apart by revision.
fn file(file: &FileDifference) -> String {
    let mut text = format!("<p class=\"path\">{}</p>\n<pre>", escaped(&file.path));
    for line in &file.lines {
        let (class, sign, content) = match line {
            Line::Both(content) => ("", "  ", content),
            Line::Before(content) => (" class=\"gone\"", "- ", content),
            Line::After(content) => (" class=\"new\"", "+ ", content),
        };
        text.extend(["<span", class, ">", sign, &escaped(content), "</span>"]);
    }
    text + "</pre>\n"
}
