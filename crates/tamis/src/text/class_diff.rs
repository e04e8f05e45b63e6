//! What changed, class by class, and the line that sums it up.

use std::collections::BTreeMap;

use super::columns::{Cell, Columns};
use super::counts::{counted, listed, with_commas, with_gaps};
use super::look_up::{self, for_names, for_objects};
use super::palette::{Palette, paint};
use crate::escape::printable;
use crate::view::{
    ChangeView, ChangedBlocksView, ChangedClassView, DiffReport, DiffSummary, LookUpByView,
    SubjectView, method_in_source, type_in_source,
};

/// The changed classes with their changes, those not compared, and the summary. What did not change is
/// not listed.
pub(crate) fn class_diff(report: &DiffReport, palette: &Palette) -> String {
    let mut lines = changed_classes(report, palette);
    for class in &report.not_compared {
        let label = paint(palette.failure, "not compared:");
        lines.push(paint(palette.name, &printable(&class.path)));
        lines.push(format!("  {label} {}", printable(&class.reason)));
    }
    lines.extend(look_ups(report, palette));
    if !lines.is_empty() {
        lines.push(String::new());
    }
    lines.push(summary(&report.summary));
    lines.join("\n") + "\n"
}

/// All changes are one table, so that columns stay where they are from class to class.
fn changed_classes(report: &DiffReport, palette: &Palette) -> Vec<String> {
    let mut columns = Columns::default();
    for change in report.changed.iter().flat_map(|class| &class.changes) {
        columns.push(row(change, palette));
    }
    let mut rows = columns.lines().into_iter();
    let mut lines = Vec::new();
    for class in &report.changed {
        lines.push(heading(class, palette));
        lines.extend(why_as_a_whole(class, palette));
        let rows = rows.by_ref().take(class.changes.len());
        lines.extend(rows.map(|row| format!("  {row}")));
    }
    lines
}

/// What is found elsewhere, in a sentence for all classes of which the same is so.
fn look_ups(report: &DiffReport, palette: &Palette) -> Vec<String> {
    let mut alike: BTreeMap<_, Vec<String>> = BTreeMap::new();
    for changed in &report.look_ups {
        let (SubjectView::Method { name, descriptor } | SubjectView::Field { name, descriptor }) =
            &changed.subject
        else {
            continue;
        };
        let key = (name, descriptor, &changed.look_up, changed.by);
        let class = printable(&changed.class.replace('/', "."));
        alike.entry(key).or_default().push(class);
    }
    let sentences = alike.into_iter().map(|((name, _, look_up, by), classes)| {
        let classes = listed(&classes);
        let whom = match by {
            LookUpByView::Receiver => for_objects(&classes),
            LookUpByView::Name => for_names(&classes),
        };
        format!("  {}", look_up::change(name, look_up, &whom))
    });
    let unknown = report.look_ups_unknown.iter().map(|unknown| {
        let class = printable(&unknown.class.replace('/', "."));
        let label = paint(palette.failure, "not known");
        format!("  {label} for {class}: {}", printable(&unknown.reason))
    });
    let mut lines: Vec<String> = sentences.chain(unknown).collect();
    if !lines.is_empty() {
        lines.insert(0, paint(palette.name, "look-ups"));
    }
    lines
}

fn heading(class: &ChangedClassView, palette: &Palette) -> String {
    let name = match &class.name {
        Some(name) if is_named_by_path(&class.path, name) => name.replace('/', "."),
        _ => printable(&class.path),
    };
    paint(palette.name, &name)
}

/// Which side is not understood, and why.
fn why_as_a_whole(class: &ChangedClassView, palette: &Palette) -> Vec<String> {
    let sides = [
        ("old", &class.not_understood.old),
        ("new", &class.not_understood.new),
    ];
    let reasons = sides.into_iter().filter_map(|(side, reason)| {
        let label = paint(palette.failure, &format!("{side} one not understood:"));
        let reason = printable(reason.as_ref()?);
        Some(format!("  {label} {reason}"))
    });
    reasons.collect()
}

/// Whether the path adds nothing to the name of the class.
fn is_named_by_path(path: &str, name: &str) -> bool {
    let path = path.strip_suffix(".class").unwrap_or(path);
    path == name || name.ends_with(&format!("/{path}"))
}

/// What is said of blocks follows its method at once, since methods differ much in length.
fn row(change: &ChangeView, palette: &Palette) -> [Cell; 3] {
    let mut what = subject(&change.subject);
    if let Some(blocks) = &change.blocks {
        what = format!("{what}  {}", paint(palette.aside, &marked(blocks)));
    }
    [
        Cell::text(change.kind.code()).styled(palette.change(change.kind)),
        Cell::text(change.kind.words()),
        Cell::text(what),
    ]
}

fn subject(subject: &SubjectView) -> String {
    match subject {
        SubjectView::Class => String::new(),
        SubjectView::Field { name, descriptor } => format!("{} {name}", type_in_source(descriptor)),
        SubjectView::Method { name, descriptor } => method_in_source(name, descriptor),
    }
}

/// `block 1`, or why all of them.
fn marked(blocks: &ChangedBlocksView) -> String {
    match blocks {
        ChangedBlocksView::All { reason } => format!("(all blocks: {})", printable(reason)),
        ChangedBlocksView::Some { numbers } => {
            let noun = if numbers.len() == 1 {
                "block"
            } else {
                "blocks"
            };
            let numbers: Vec<String> = numbers.iter().map(ToString::to_string).collect();
            format!("({noun} {})", numbers.join(", "))
        }
    }
}

/// `3 of 214 classes changed: 1 AF, 2 CIM`
fn summary(summary: &DiffSummary) -> String {
    let classes = counted(summary.n_classes, "class", "classes");
    let is_complete = summary.n_not_compared + summary.n_unreadable == 0;
    let changes = match summary.n_changed {
        0 if is_complete => format!("no change in {classes}"),
        0 => format!("no change found in {classes}"),
        n => format!(
            "{} of {classes} changed: {}",
            with_commas(n),
            kinds(summary)
        ),
    };
    let changes = match summary.n_look_ups {
        0 => changes,
        n => format!(
            "{changes}; {}",
            counted(n, "look-up change", "look-up changes")
        ),
    };
    let gaps = [
        (summary.n_not_compared, "not compared"),
        (summary.n_unreadable, "unreadable"),
    ];
    with_gaps(changes, &gaps)
}

fn kinds(summary: &DiffSummary) -> String {
    let kinds = summary.kinds.iter();
    let kinds = kinds.map(|(kind, count)| format!("{} {kind}", with_commas(*count)));
    kinds.collect::<Vec<_>>().join(", ")
}
