//! What a check found, as `tamis check auto` and `tamis check replay` show it.

use std::collections::BTreeMap;

use serde::Serialize;
use tamis_check::{
    Checked, Confirmed, ConfirmedKind, DropReason, Dropped, Efficiency, FailedTool, History,
    Reduced, Replay, SourceFile, ToolTime, VariantResult, Violation,
};

/// The document that `tamis check auto --format json` prints.
#[derive(Debug, Serialize)]
pub(crate) struct CheckReport<'a> {
    format: &'static str,
    pub(crate) seed: u64,
    pub(crate) n_programs: usize,
    /// By reason; reasons without a program are there too.
    pub(crate) n_dropped: BTreeMap<DropReason, usize>,
    pub(crate) n_unstable_tests: usize,
    pub(crate) tools: &'a [VariantResult],
    pub(crate) violations: Vec<ViolationView<'a>>,
    pub(crate) failures: Vec<FailureView<'a>>,
    pub(crate) times: &'a BTreeMap<String, ToolTime>,
    /// How long each variant took, against all tests without it.
    pub(crate) efficiency: Vec<EfficiencyView<'a>>,
    /// Programs that show violations with as little as possible, where that was asked for.
    pub(crate) reduced: Vec<ReducedView<'a>>,
    /// What shows of each kind of violation when programs are alone, where that was asked for.
    pub(crate) confirmed: &'a [ConfirmedKind],
    dropped: &'a [Dropped],
    /// Of what this run did; nothing if all was known.
    pub(crate) programs_per_hour: Option<u64>,
    pub(crate) seconds: u64,
}

/// A violation, with the command that shows it again.
#[derive(Debug, Serialize)]
pub(crate) struct ViolationView<'a> {
    #[serde(flatten)]
    pub(crate) violation: &'a Violation,
    pub(crate) replay: String,
    /// Whether it shows when its program is alone; nothing, if that was not tried.
    pub(crate) shows_alone: Option<bool>,
}

/// How long a variant of a tool took.
#[derive(Debug, Serialize)]
pub(crate) struct EfficiencyView<'a> {
    pub(crate) name: &'a str,
    #[serde(flatten)]
    pub(crate) efficiency: Efficiency,
}

/// A violation on a program that was made smaller.
#[derive(Debug, Serialize)]
pub(crate) struct ReducedView<'a> {
    /// On the whole program.
    pub(crate) violation: &'a Violation,
    pub(crate) n_parts: usize,
    pub(crate) n_left: usize,
    pub(crate) n_tried: usize,
    pub(crate) files: Vec<FileDifference>,
}

impl<'a> ReducedView<'a> {
    pub(crate) fn new(violation: &'a Violation, reduced: &Reduced) -> Self {
        Self {
            violation,
            n_parts: reduced.n_parts,
            n_left: reduced.n_left,
            n_tried: reduced.n_tried,
            files: all_files(&reduced.before, &reduced.after),
        }
    }
}

/// A tool that failed as a whole.
#[derive(Debug, Serialize)]
pub(crate) struct FailureView<'a> {
    #[serde(flatten)]
    pub(crate) failed: &'a FailedTool,
    /// It may need the other programs to fail.
    pub(crate) replay: String,
}

/// The document that `tamis check replay --format json` prints.
#[derive(Debug, Serialize)]
pub(crate) struct ReplayReport<'a> {
    format: &'static str,
    pub(crate) seed: u64,
    pub(crate) program: String,
    pub(crate) differences: Vec<FileDifference>,
    pub(crate) history: Option<&'a History>,
    pub(crate) dropped: Option<&'a Dropped>,
    pub(crate) violations: &'a [Violation],
    pub(crate) failures: &'a [FailedTool],
    /// The same violation on a smaller program, where that was asked for.
    pub(crate) reduced: Option<ReducedView<'a>>,
}

/// How a source file differs between the revisions; all of its lines.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub(crate) struct FileDifference {
    pub(crate) path: String,
    pub(crate) lines: Vec<Line>,
}

/// A line, and in which revision it is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "in", content = "text", rename_all = "snake_case")]
pub(crate) enum Line {
    Both(String),
    Before(String),
    After(String),
}

impl<'a> CheckReport<'a> {
    /// `options` are those that a replay needs as well.
    pub(crate) fn new(checked: &'a Checked, seed: u64, options: &[String]) -> Self {
        let result = &checked.result;
        let reasons = [
            DropReason::NotCompiledBefore,
            DropReason::NotCompiledAfter,
            DropReason::Unstable,
        ];
        let replay = |program: &dyn std::fmt::Display| {
            let first = format!("tamis check replay {program} --seed {seed}");
            let words: Vec<&str> = std::iter::once(first.as_str())
                .chain(options.iter().map(String::as_str))
                .collect();
            words.join(" ")
        };
        let violations = result.violations.iter().map(|violation| ViolationView {
            violation,
            replay: replay(&violation.program),
            shows_alone: None,
        });
        let failures = result.failures.iter().map(|failed| FailureView {
            failed,
            replay: replay(&failed.program),
        });
        Self {
            format: "tamis.check/1",
            seed,
            n_programs: result.n_programs,
            n_dropped: reasons
                .map(|reason| (reason, result.n_dropped(reason)))
                .into(),
            n_unstable_tests: result.n_unstable_tests,
            tools: &result.tools,
            violations: violations.collect(),
            failures: failures.collect(),
            times: &result.times,
            efficiency: result
                .efficiencies()
                .into_iter()
                .map(|(name, efficiency)| EfficiencyView { name, efficiency })
                .collect(),
            reduced: Vec::new(),
            confirmed: &[],
            dropped: &result.dropped,
            programs_per_hour: per_hour(checked),
            seconds: checked.duration.as_secs(),
        }
    }
}

impl<'a> CheckReport<'a> {
    /// Leaves out what does not show alone, and has what does come first.
    pub(crate) fn confirm(&mut self, confirmed: &'a Confirmed) {
        for view in &mut self.violations {
            view.shows_alone = confirmed.shows(view.violation);
        }
        self.violations
            .retain(|view| view.shows_alone != Some(false));
        self.violations
            .sort_by_key(|view| view.shows_alone.is_none());
        self.confirmed = &confirmed.kinds;
    }
}

fn per_hour(checked: &Checked) -> Option<u64> {
    let n_run = u64::try_from(checked.n_run).ok()?;
    let milliseconds = u64::try_from(checked.duration.as_millis()).ok()?;
    let per_hour = (n_run * 3_600_000).checked_div(milliseconds)?;
    (n_run > 0).then_some(per_hour)
}

impl<'a> ReplayReport<'a> {
    pub(crate) fn new(replay: &'a Replay, seed: u64) -> Self {
        Self {
            format: "tamis.check-replay/1",
            seed,
            program: replay.program.to_string(),
            differences: differences(&replay.before, &replay.after),
            history: replay.history.as_ref(),
            dropped: replay.dropped.as_ref(),
            violations: &replay.violations,
            failures: &replay.failures,
            reduced: None,
        }
    }
}

/// The files that are not the same in both, each with all of its lines; by path.
fn differences(before: &[SourceFile], after: &[SourceFile]) -> Vec<FileDifference> {
    let mut files = all_files(before, after);
    files.retain(|file| {
        let mut lines = file.lines.iter();
        lines.any(|line| !matches!(line, Line::Both(_)))
    });
    files
}

/// All files of both, each with all of its lines; by path.
pub(crate) fn all_files(before: &[SourceFile], after: &[SourceFile]) -> Vec<FileDifference> {
    let mut files: BTreeMap<&str, [&str; 2]> = BTreeMap::new();
    for (side, sources) in [before, after].into_iter().enumerate() {
        for source in sources {
            files.entry(&source.path).or_default()[side] = &source.text;
        }
    }
    let files = files.into_iter();
    files
        .map(|(path, [before, after])| FileDifference {
            path: path.to_owned(),
            lines: compare(before, after),
        })
        .collect()
}

/// The lines of two texts, those in common told apart by the longest sequence that both have.
fn compare(before: &str, after: &str) -> Vec<Line> {
    let (before, after): (Vec<&str>, Vec<&str>) =
        (before.lines().collect(), after.lines().collect());
    // How many lines the rests have in common, from each place on.
    let mut common = vec![vec![0_usize; after.len() + 1]; before.len() + 1];
    for (i, one) in before.iter().enumerate().rev() {
        for (j, other) in after.iter().enumerate().rev() {
            common[i][j] = if one == other {
                common[i + 1][j + 1] + 1
            } else {
                common[i + 1][j].max(common[i][j + 1])
            };
        }
    }
    let (mut i, mut j) = (0, 0);
    let mut lines = Vec::new();
    while i < before.len() || j < after.len() {
        if i < before.len() && j < after.len() && before[i] == after[j] {
            lines.push(Line::Both(before[i].to_owned()));
            (i, j) = (i + 1, j + 1);
        } else if j == after.len() || i < before.len() && common[i + 1][j] >= common[i][j + 1] {
            lines.push(Line::Before(before[i].to_owned()));
            i += 1;
        } else {
            lines.push(Line::After(after[j].to_owned()));
            j += 1;
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(before: &str, after: &str) -> String {
        let lines = compare(before, after).into_iter().map(|line| match line {
            Line::Both(text) => format!(" {text}"),
            Line::Before(text) => format!("-{text}"),
            Line::After(text) => format!("+{text}"),
        });
        lines.collect::<Vec<_>>().join("|")
    }

    #[test]
    fn lines_that_differ() {
        assert_eq!(shown("a\nb\nc", "a\nx\nc"), " a|-b|+x| c");
        assert_eq!(shown("", "a\nb"), "+a|+b");
        assert_eq!(shown("a\nb", ""), "-a|-b");
        assert_eq!(shown("a\nb\nc\nd", "b\nc\nx\nd\ne"), "-a| b| c|+x| d|+e");
    }

    #[test]
    fn files_that_come_and_go() {
        let file = |path: &str, text: &str| SourceFile {
            path: path.to_owned(),
            text: text.to_owned(),
        };
        let found = differences(
            &[file("A", "a"), file("B", "b")],
            &[file("B", "b"), file("C", "c")],
        );
        let paths: Vec<&str> = found.iter().map(|file| file.path.as_str()).collect();
        assert_eq!(paths, ["A", "C"]);
    }
}
