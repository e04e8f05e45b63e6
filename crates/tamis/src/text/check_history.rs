//! What tools did along a history, as text: a row for each tool, and what is to be known of them.

use tamis_check::{ExtraSummary, Finding, HistoryResult, LeftOut, ToolSummary, Weight};

use super::columns::{Cell, Columns};
use super::counts::counted;
use super::palette::{Palette, paint};
use crate::escape::printable;

/// How many tests of a finding are named.
const MAX_TESTS: usize = 5;

/// How many digits of a revision tell it from others.
const N_DIGITS: usize = 8;

/// Everything that `tamis check history` has to say.
pub(crate) fn history(result: &HistoryResult, palette: &Palette) -> String {
    let mut lines = table(&result.tools, palette);
    lines.extend(result.left_out.iter().map(left_out));
    for (revision, found) in &result.findings {
        let revision: String = revision.chars().take(N_DIGITS).collect();
        lines.push(finding(&revision, found, palette));
    }
    lines.extend(result.extra.iter().map(extra));
    lines.push(String::new());
    lines.push(revisions(result));
    lines.join("\n") + "\n"
}

/// `hyrts is left out, because: it runs no test`
pub(super) fn left_out(left_out: &LeftOut) -> String {
    let (tool, because) = (printable(&left_out.tool), printable(&left_out.because));
    format!("{tool} is left out, because: {because}")
}

/// Shares and times are parts of what every test is and takes.
fn table(tools: &[ToolSummary], palette: &Palette) -> Vec<String> {
    let heading = [
        "classes",
        "median",
        "tests",
        "nothing",
        "CPU",
        "median",
        "wall",
        "median",
        "first",
        "again",
        "violations",
    ];
    let mut columns = Columns::default();
    let mut row = vec![Cell::text("tool").styled(palette.aside)];
    row.extend(heading.map(|name| Cell::number(name).styled(palette.aside)));
    columns.push(row);
    for tool in tools {
        let mut row = vec![Cell::text(printable(&tool.name)).styled(palette.name)];
        let texts = [
            percent(tool.classes_share),
            percent(tool.classes_share_median),
            percent(tool.tests_share),
            tool.n_nothing.to_string(),
            ratio(tool.cpu_ratio),
            ratio(tool.cpu_ratio_median),
            ratio(tool.wall_ratio),
            ratio(tool.wall_ratio_median),
            ratio(tool.first_cpu_ratio),
            ratio(tool.again_cpu_ratio),
            rules(tool),
        ];
        row.extend(texts.map(Cell::number));
        columns.push(row);
    }
    columns.lines()
}

pub(super) fn percent(share: f64) -> String {
    format!("{:.1} %", share * 100.0)
}

pub(super) fn ratio(ratio: f64) -> String {
    format!("{ratio:.2}")
}

/// `2 R1, 1 R7`
pub(super) fn rules(tool: &ToolSummary) -> String {
    if tool.by_rule.is_empty() {
        return "none".to_owned();
    }
    let rules = tool.by_rule.iter();
    let rules = rules.map(|(rule, count)| format!("{count} {rule}"));
    rules.collect::<Vec<_>>().join(", ")
}

/// With the revision or the bug: `R1 tamis-method, 275a8431: 1 newly failed and not shown: p.A.test`
pub(super) fn finding(place: &str, finding: &Finding, palette: &Palette) -> String {
    let style = match finding.weight {
        Weight::Bug => palette.failure,
        Weight::Suspicion => palette.changed,
    };
    let suspicion = match finding.weight {
        Weight::Bug => "",
        Weight::Suspicion => " (a suspicion)",
    };
    let named = finding.tests.iter().take(MAX_TESTS);
    let named: Vec<String> = named.map(|test| printable(test)).collect();
    let more = if finding.tests.len() > MAX_TESTS {
        ", …"
    } else {
        ""
    };
    format!(
        "{} {}, {place}: {}{suspicion}: {}{more}",
        paint(style, finding.rule),
        printable(&finding.tool),
        printable(&finding.text),
        named.join(", ")
    )
}

/// What Tamis selects more than HyRTS, by the kinds of facts that only it has.
fn extra(extra: &ExtraSummary) -> String {
    let kinds = extra.by_kind.iter();
    let kinds = kinds.map(|(kind, count)| format!("{count} {}", printable(kind)));
    format!(
        "{} selects {} that {} does not: {}; others {}",
        extra.ours,
        counted(extra.n_selected, "class", "classes"),
        extra.theirs,
        kinds.collect::<Vec<_>>().join(", "),
        extra.n_others
    )
}

fn revisions(result: &HistoryResult) -> String {
    let run = counted(result.n_revisions, "revision", "revisions");
    let classes = counted(result.n_classes, "test class", "test classes");
    let tests = counted(result.n_tests, "test", "tests");
    let flaky = counted(result.n_flaky_tests, "flaky test", "flaky tests");
    let stopped = if result.is_stopped { "; stopped" } else { "" };
    format!(
        "{run} with {classes} and {tests}, {} skipped, {flaky} left out{stopped}",
        result.n_skipped
    )
}
