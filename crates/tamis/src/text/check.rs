//! What a check found, as text: a table per tool, violations with the commands that show them again, and one program
//! step by step.

use std::collections::BTreeSet;

use tamis_check::{
    ConfirmedKind, DropReason, FailedTool, FailureKind, History, Outcome, Rule, StepHistory,
    ToolStep, Variant, VariantResult, Violation, Weight,
};

use super::columns::{Cell, Columns};
use super::counts::{counted, with_commas};
use super::palette::{Palette, paint};
use super::time::time;
use crate::escape::printable;
use crate::view::{CheckReport, FileDifference, Line, ReducedView, ReplayReport, ViolationView};

/// How many violations are shown; JSON has all.
const MAX_SHOWN: usize = 20;

/// How many lines around a difference are shown.
const N_AROUND: usize = 3;

/// Everything that `tamis check auto` has to say.
pub(crate) fn check(report: &CheckReport<'_>, palette: &Palette) -> String {
    let mut lines = table(report.tools, palette);
    lines.extend(operators(report.tools, palette));
    lines.extend(confirmed(report.confirmed, palette));
    lines.extend(violations(&report.violations, palette));
    for failed in &report.failures {
        lines.push(failure(failed.failed, palette));
        lines.push(format!("  {}", printable(&failed.replay)));
    }
    for small in &report.reduced {
        lines.push(String::new());
        lines.extend(reduced(small, palette));
    }
    if !lines.is_empty() {
        lines.push(String::new());
    }
    lines.push(programs(report));
    lines.extend(times(report));
    lines.push(pace(report));
    lines.join("\n") + "\n"
}

/// Tools by numbers: what they were run on, and which rules they violate.
fn table(tools: &[VariantResult], palette: &Palette) -> Vec<String> {
    if tools.is_empty() {
        return Vec::new();
    }
    let rules: BTreeSet<(usize, &String)> = tools
        .iter()
        .flat_map(|tool| tool.by_rule.keys())
        .map(|rule| (rule.len(), rule))
        .collect();
    let heading = ["programs", "revisions", "tests", "selected"];
    let rule_names = rules.iter().map(|(_, rule)| printable(rule));
    let mut columns = Columns::default();
    let mut row = vec![Cell::text("tool").styled(palette.aside)];
    let names = heading
        .iter()
        .map(|name| (*name).to_owned())
        .chain(rule_names);
    row.extend(names.map(|name| Cell::number(name).styled(palette.aside)));
    row.push(Cell::number("violations").styled(palette.aside));
    columns.push(row);
    for tool in tools {
        let mut row = vec![Cell::text(printable(&tool.variant.name)).styled(palette.name)];
        let numbers = [
            tool.n_programs,
            tool.n_revisions,
            tool.n_tests,
            tool.n_selected,
        ];
        row.extend(numbers.map(|number| Cell::number(with_commas(number))));
        for (_, rule) in &rules {
            let count = tool.by_rule.get(*rule).copied().unwrap_or(0);
            row.push(Cell::number(with_commas(count)));
        }
        let all = tool.by_rule.values().sum();
        row.push(Cell::number(with_commas(all)));
        columns.push(row);
    }
    columns.lines()
}

/// Violations by operator, if there are any.
fn operators(tools: &[VariantResult], palette: &Palette) -> Vec<String> {
    let operators: BTreeSet<&String> = tools
        .iter()
        .flat_map(|tool| tool.by_operator.keys())
        .collect();
    if operators.is_empty() {
        return Vec::new();
    }
    let mut columns = Columns::default();
    let mut row = vec![Cell::text("operator").styled(palette.aside)];
    let names = tools.iter().map(|tool| printable(&tool.variant.name));
    row.extend(names.map(|name| Cell::number(name).styled(palette.aside)));
    columns.push(row);
    for operator in operators {
        let mut row = vec![Cell::text(printable(operator))];
        row.extend(tools.iter().map(|tool| {
            let count = tool.by_operator.get(operator).copied().unwrap_or(0);
            Cell::number(with_commas(count))
        }));
        columns.push(row);
    }
    let mut lines = vec![String::new()];
    lines.extend(columns.lines());
    lines
}

/// What shows of each kind when programs are alone, if that was tried.
fn confirmed(kinds: &[ConfirmedKind], palette: &Palette) -> Vec<String> {
    if kinds.is_empty() {
        return Vec::new();
    }
    let mut columns = Columns::default();
    let texts = ["rule", "tool", "operator"].map(Cell::text).into_iter();
    let numbers = ["found", "run alone", "shown alone"].map(Cell::number);
    let heading = texts.chain(numbers);
    columns.push(
        heading
            .map(|cell| cell.styled(palette.aside))
            .collect::<Vec<_>>(),
    );
    for kind in kinds {
        let texts = [&kind.rule, &kind.tool, &kind.operator];
        let texts = texts.map(|text| Cell::text(printable(text))).into_iter();
        let numbers = [kind.n_found, kind.n_tried, kind.n_shown];
        let numbers = numbers.map(|number| Cell::number(with_commas(number)));
        columns.push(texts.chain(numbers).collect::<Vec<_>>());
    }
    let mut lines = vec![String::new()];
    lines.extend(columns.lines());
    lines
}

/// Bugs first; each with the command that shows it again.
fn violations(violations: &[ViolationView<'_>], palette: &Palette) -> Vec<String> {
    let mut sorted: Vec<&ViolationView<'_>> = violations.iter().collect();
    sorted.sort_by_key(|view| {
        let violation = view.violation;
        (
            view.shows_alone.is_none(),
            violation.weight,
            violation.rule.len(),
        )
    });
    let mut lines = Vec::new();
    for view in sorted.iter().take(MAX_SHOWN) {
        lines.push(String::new());
        lines.push(violation(view.violation, palette));
        lines.push(format!("  {}", printable(&view.replay)));
    }
    if sorted.len() > MAX_SHOWN {
        let more = counted(sorted.len() - MAX_SHOWN, "violation", "violations");
        lines.push(String::new());
        lines.push(format!("and {more} more; `--format json` shows all"));
    }
    lines
}

/// `R1 tamis-method, JD3-42-E5-7, evolved: 1 test newly failed and not shown: T1.test2`
fn violation(violation: &Violation, palette: &Palette) -> String {
    let style = match violation.weight {
        Weight::Bug => palette.failure,
        Weight::Suspicion => palette.changed,
    };
    let step = violation
        .step
        .map_or(String::new(), |step| format!(", {}", step.name()));
    let suspicion = match violation.weight {
        Weight::Bug => "",
        Weight::Suspicion => " (a suspicion)",
    };
    let tests = if violation.tests.is_empty() {
        String::new()
    } else {
        format!(": {}", printable(&violation.tests.join(", ")))
    };
    format!(
        "{} {}{suspicion}, {}{step}: {}{tests}",
        paint(style, &printable(&violation.rule)),
        printable(&violation.tool),
        violation.program,
        printable(&violation.text)
    )
}

fn failure(failed: &FailedTool, palette: &Palette) -> String {
    let what = match failed.failure.kind {
        FailureKind::DoesNotStart => "does not start",
        FailureKind::Crashed => "crashed",
        FailureKind::Hangs => "hangs",
        FailureKind::BrokenReport => "left a broken report",
    };
    format!(
        "{} {} in step {}, on {} from {} on: {}",
        paint(palette.failure, &printable(&failed.tool)),
        what,
        failed.step.name(),
        counted(failed.n_programs, "program", "programs"),
        failed.program,
        printable(&failed.failure.text)
    )
}

/// A program that was made smaller: all that is left of it.
fn reduced(reduced: &ReducedView<'_>, palette: &Palette) -> Vec<String> {
    let Violation {
        rule,
        tool,
        program,
        ..
    } = reduced.violation;
    let tries = counted(reduced.n_tried, "program", "programs");
    let mut lines = vec![format!(
        "{} {} on {program}, reduced: {} of {} parts are left, {tries} tried",
        paint(palette.failure, &printable(rule)),
        printable(tool),
        with_commas(reduced.n_left),
        with_commas(reduced.n_parts),
    )];
    for file in &reduced.files {
        lines.extend(file_lines(file, palette, |_| true));
    }
    lines
}

/// How many programs there were, and what became of those that are in no row.
fn programs(report: &CheckReport<'_>) -> String {
    let mut clauses = vec![counted(report.n_programs, "program", "programs")];
    let reasons = report.n_dropped.iter().filter(|(_, count)| **count > 0);
    let reasons =
        reasons.map(|(reason, count)| format!("{} {}", with_commas(*count), why(*reason)));
    let reasons: Vec<String> = reasons.collect();
    if !reasons.is_empty() {
        clauses.push(format!("dropped: {}", reasons.join(", ")));
    }
    if report.n_unstable_tests > 0 {
        let tests = counted(report.n_unstable_tests, "test", "tests");
        clauses.push(format!("{tests} left out as unstable"));
    }
    clauses.join("; ")
}

fn why(reason: DropReason) -> &'static str {
    match reason {
        DropReason::NotCompiledBefore => "not compiled before",
        DropReason::NotCompiledAfter => "not compiled after",
        DropReason::Unstable => "unstable",
    }
}

/// From end to end, beside all tests without a tool.
fn times(report: &CheckReport<'_>) -> Vec<String> {
    let times = report.times.iter();
    times
        .map(|(tool, spent)| {
            format!(
                "{}: {} in all; every test without it: {}",
                printable(tool),
                time(spent.milliseconds * 1000),
                time(spent.retest_all_milliseconds * 1000)
            )
        })
        .collect()
}

fn pace(report: &CheckReport<'_>) -> String {
    let pace = match report.programs_per_hour {
        Some(number) => {
            let number = usize::try_from(number).unwrap_or(usize::MAX);
            format!("{} programs per hour", with_commas(number))
        }
        None => "all known from before".to_owned(),
    };
    format!("seed {}; {pace}", report.seed)
}

/// A program step by step.
pub(crate) fn replay(report: &ReplayReport<'_>, palette: &Palette) -> String {
    let mut lines = Vec::new();
    for difference in &report.differences {
        lines.extend(file_difference(difference, palette));
        lines.push(String::new());
    }
    if let Some(dropped) = report.dropped {
        let text = printable(&dropped.text);
        lines.push(format!("dropped, {}: {text}", why(dropped.reason)));
    }
    if let Some(history) = report.history {
        lines.extend(steps(history, palette));
        if history.n_unstable > 0 {
            let tests = counted(history.n_unstable, "test", "tests");
            lines.push(format!("{tests} left out as unstable"));
        }
        lines.push(String::new());
    }
    for failed in report.failures {
        lines.push(failure(failed, palette));
    }
    for found in report.violations {
        lines.push(violation(found, palette));
    }
    if report.violations.is_empty() && report.failures.is_empty() && report.dropped.is_none() {
        lines.push("no rule is violated".to_owned());
    }
    if let Some(small) = &report.reduced {
        lines.push(String::new());
        lines.extend(reduced(small, palette));
        lines.push(String::new());
    }
    lines.push(format!("program {}, seed {}", report.program, report.seed));
    lines.join("\n") + "\n"
}

/// The lines that differ, with some around them.
fn file_difference(difference: &FileDifference, palette: &Palette) -> Vec<String> {
    let changed: Vec<usize> = (0..)
        .zip(&difference.lines)
        .filter(|(_, line)| !matches!(line, Line::Both(_)))
        .map(|(at, _)| at)
        .collect();
    let is_near = |at: usize| {
        changed
            .iter()
            .any(|changed| changed.abs_diff(at) <= N_AROUND)
    };
    file_lines(difference, palette, is_near)
}

/// Those lines of a file that are to be shown.
fn file_lines(
    difference: &FileDifference,
    palette: &Palette,
    is_shown: impl Fn(usize) -> bool,
) -> Vec<String> {
    let mut lines = vec![paint(palette.name, &printable(&difference.path))];
    let mut last = None;
    for (at, line) in difference
        .lines
        .iter()
        .enumerate()
        .filter(|(at, _)| is_shown(*at))
    {
        if last.is_some_and(|last: usize| at > last + 1) {
            lines.push("  …".to_owned());
        }
        last = Some(at);
        lines.push(match line {
            Line::Both(text) => format!("    {}", printable(text)),
            Line::Before(text) => paint(palette.deleted, &format!("  - {}", printable(text))),
            Line::After(text) => paint(palette.added, &format!("  + {}", printable(text))),
        });
    }
    lines
}

/// A row per step and test.
fn steps(history: &History, palette: &Palette) -> Vec<String> {
    let mut columns = Columns::default();
    let names = ["step", "test", "retest-all"]
        .map(str::to_owned)
        .into_iter();
    let names = names.chain(history.tools.iter().map(|tool| printable(&tool.name)));
    let heading: Vec<Cell> = names
        .map(|name| Cell::text(name).styled(palette.aside))
        .collect();
    columns.push(heading);
    for step in &history.steps {
        let tests = tests_of(step);
        for (at, test) in tests.into_iter().enumerate() {
            let name = if at == 0 { step.step.name() } else { "" };
            let truth = step.retest_all.get(test).copied();
            let mut row = vec![
                Cell::text(name),
                Cell::text(printable(test)),
                outcome(truth, palette),
            ];
            row.extend(
                history
                    .tools
                    .iter()
                    .map(|tool| done(step, tool, test, palette)),
            );
            columns.push(row);
        }
    }
    columns.lines()
}

/// Those that a tool alone shows too.
fn tests_of(step: &StepHistory) -> BTreeSet<&str> {
    let shown = step.tools.values().flat_map(|tool| tool.ran.keys());
    step.retest_all
        .keys()
        .chain(shown)
        .map(String::as_str)
        .collect()
}

/// What a tool did with a test.
fn done(step: &StepHistory, tool: &Variant, test: &str, palette: &Palette) -> Cell {
    let Some(done): Option<&ToolStep> = step.tools.get(&tool.name) else {
        return Cell::text("not run").styled(palette.aside);
    };
    outcome(done.ran.get(test).copied(), palette)
}

fn outcome(outcome: Option<Outcome>, palette: &Palette) -> Cell {
    match outcome {
        Some(Outcome::Passed) => Cell::text("passed"),
        Some(Outcome::Failed) => Cell::text("failed").styled(palette.failure),
        Some(Outcome::OtherState) => Cell::text("other state").styled(palette.failure),
        Some(Outcome::Skipped) => Cell::text("off").styled(palette.aside),
        None => Cell::text("-").styled(palette.aside),
    }
}

/// All rules, a line each.
pub(crate) fn rules(rules: &[Rule], palette: &Palette) -> String {
    let mut columns = Columns::default();
    for rule in rules {
        columns.push([
            Cell::text(rule.id).styled(palette.name),
            Cell::text(weight(rule.weight)).styled(palette.aside),
            Cell::text(rule.title),
        ]);
    }
    columns.lines().join("\n") + "\n"
}

/// Rules with their explanations, in lines that fit a screen.
pub(crate) fn explained_rules(rules: &[&Rule], palette: &Palette) -> String {
    let texts = rules.iter().map(|rule| {
        let id = paint(palette.name, rule.id);
        let paragraphs = rule.explanation.split("\n\n").map(wrapped);
        let paragraphs: Vec<String> = paragraphs.collect();
        format!(
            "{id} {} ({})\n\n{}\n",
            rule.title,
            weight(rule.weight),
            paragraphs.join("\n\n")
        )
    });
    texts.collect::<Vec<_>>().join("\n")
}

fn weight(weight: Weight) -> &'static str {
    match weight {
        Weight::Bug => "bug",
        Weight::Suspicion => "suspicion",
    }
}

/// A paragraph in lines of at most 80 columns.
fn wrapped(paragraph: &str) -> String {
    let mut lines: Vec<String> = Vec::new();
    for word in paragraph.split_whitespace() {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= 80 => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paragraphs_fit_a_screen() {
        let text = wrapped(&"four ".repeat(40));
        let longest = text.lines().map(str::len).max();
        assert_eq!(longest, Some(79));
    }

    #[test]
    fn only_lines_near_a_difference_are_shown() {
        let both = |n: usize| (0..n).map(|at| Line::Both(format!("{at}")));
        let changed = [Line::Before("x".to_owned()), Line::After("y".to_owned())];
        let difference = FileDifference {
            path: "A.java".to_owned(),
            lines: both(9).chain(changed).chain(both(9)).collect(),
        };
        let shown = file_difference(&difference, &Palette::plain());
        let expected = [
            "A.java", "    6", "    7", "    8", "  - x", "  + y", "    0", "    1", "    2",
        ];
        assert_eq!(shown, expected);
    }
}
