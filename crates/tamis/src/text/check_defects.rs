//! What tools did with the bugs of a database, as text: a row for each project and tool, and what is to be known of them.

use tamis_check::{DefectsResult, DefectsTool, Obstacle};

use super::check_history::{finding, left_out, percent, ratio, rules};
use super::columns::{Cell, Columns};
use super::counts::counted;
use super::palette::Palette;
use crate::escape::printable;

/// Everything that `tamis check defects` has to say.
pub(crate) fn defects(result: &DefectsResult, palette: &Palette) -> String {
    let mut lines = table(result, palette);
    for (bug, not) in &result.not_reproduced {
        let (bug, because) = (printable(bug), printable(&not.because));
        lines.push(format!("{bug} {}: {because}", not.obstacle));
    }
    for (bug, left) in &result.left_out {
        lines.push(format!("{}: {}", printable(bug), left_out(left)));
    }
    for (bug, found) in &result.findings {
        lines.push(finding(&printable(bug), found, palette));
    }
    lines.push(String::new());
    lines.push(bugs(result));
    lines.join("\n") + "\n"
}

/// Shares and times are parts of what every test is and takes.
fn table(result: &DefectsResult, palette: &Palette) -> Vec<String> {
    let heading = [
        "bugs",
        "triggers",
        "classes",
        "median",
        "tests",
        "nothing",
        "CPU",
        "first",
        "again",
        "violations",
    ];
    let mut columns = Columns::default();
    let names = ["project", "tool"].map(|name| Cell::text(name).styled(palette.aside));
    let mut row = Vec::from(names);
    row.extend(heading.map(|name| Cell::number(name).styled(palette.aside)));
    columns.push(row);
    for project in &result.projects {
        for tool in &project.tools {
            columns.push(row_of(&project.project, tool, palette));
        }
    }
    if result.projects.len() > 1 {
        for tool in &result.tools {
            columns.push(row_of("all", tool, palette));
        }
    }
    columns.lines()
}

fn row_of(project: &str, tool: &DefectsTool, palette: &Palette) -> Vec<Cell> {
    let summary = &tool.summary;
    let name = printable(&summary.name);
    let mut row = vec![
        Cell::text(printable(project)),
        Cell::text(name).styled(palette.name),
    ];
    let texts = [
        summary.n_revisions.to_string(),
        format!("{}/{}", tool.n_triggers_selected, tool.n_triggers),
        percent(summary.classes_share),
        percent(summary.classes_share_median),
        percent(summary.tests_share),
        summary.n_nothing.to_string(),
        ratio(summary.cpu_ratio),
        ratio(summary.first_cpu_ratio),
        ratio(summary.again_cpu_ratio),
        rules(summary),
    ];
    row.extend(texts.map(Cell::number));
    row
}

/// `5 bugs, 2 reproduced, 1 cannot be built, 1 is not revealed; 0 flaky tests left out`
fn bugs(result: &DefectsResult) -> String {
    let mut parts = vec![
        counted(result.n_bugs, "bug", "bugs"),
        format!("{} reproduced", result.n_reproduced),
    ];
    for obstacle in [
        Obstacle::NotPrepared,
        Obstacle::NotBuilt,
        Obstacle::NotRevealed,
    ] {
        let bugs = result.not_reproduced.iter();
        let n_bugs = bugs.filter(|(_, not)| not.obstacle == obstacle).count();
        if n_bugs > 0 {
            parts.push(format!("{n_bugs} {}", counted_obstacle(obstacle)));
        }
    }
    let flaky = counted(result.n_flaky_tests, "flaky test", "flaky tests");
    let stopped = if result.is_stopped { "; stopped" } else { "" };
    format!("{}; {flaky} left out{stopped}", parts.join(", "))
}

fn counted_obstacle(obstacle: Obstacle) -> &'static str {
    match obstacle {
        Obstacle::NotPrepared => "not prepared",
        Obstacle::NotBuilt => "not built",
        Obstacle::NotRevealed => "not revealed",
    }
}
