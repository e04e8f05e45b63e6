//! Entities as text: how each went, and the classes and methods that it ran itself.

use super::counts::{counted, with_commas};
use super::palette::{Palette, paint};
use super::time::time;
use crate::escape::printable;
use crate::view::{
    AccessKindView, AccessView, EntityKindView, EntityView, FoundView, OutcomeView, RelianceView,
    ReliedClassView, ReliedMethodView, method_in_source,
};

/// The lines of an entity.
pub(super) fn entity(entity: &EntityView, palette: &Palette) -> Vec<String> {
    let name = paint(palette.name, &printable(&entity.name));
    let mut lines = vec![format!("{name}  {}", how_it_went(entity, palette))];
    if entity.is_skipped || entity.runs.is_empty() {
        return lines;
    }
    for class in &entity.classes {
        lines.extend(class_lines(class, palette));
    }
    let own = entity.files.iter();
    let own = own.filter(|file| is_own_reliance(file.reliance));
    lines.extend(own.map(|file| format!("  {}", access(&file.file))));
    lines.extend(beside(entity).map(|text| format!("  {}", paint(palette.aside, &text))));
    lines
}

fn how_it_went(entity: &EntityView, palette: &Palette) -> String {
    if entity.is_skipped {
        return paint(palette.aside, "skipped, as asked for");
    }
    let Some(worst) = entity.runs.iter().map(|run| run.outcome).max() else {
        return paint(
            palette.failure,
            if entity.is_unfinished {
                "did not end"
            } else {
                "was shown and did not run"
            },
        );
    };
    let n_tests: usize = entity.runs.iter().map(|run| run.tests.len()).sum();
    let tests = match entity.kind {
        EntityKindView::Container => String::new(),
        _ => format!(", {}", counted(n_tests, "test", "tests")),
    };
    let microseconds: u64 = entity.runs.iter().map(|run| run.microseconds).sum();
    format!("{}{tests}, {}", outcome(worst, palette), time(microseconds))
}

fn outcome(outcome: OutcomeView, palette: &Palette) -> String {
    match outcome {
        OutcomeView::Skipped => paint(palette.aside, "disabled"),
        OutcomeView::Passed => paint(palette.added, "passed"),
        OutcomeView::Aborted => paint(palette.changed, "aborted"),
        OutcomeView::Failed => paint(palette.failure, "failed"),
    }
}

fn class_lines(class: &ReliedClassView, palette: &Palette) -> Vec<String> {
    let ran: Vec<&ReliedMethodView> = class.methods.iter().filter(|m| is_own(m)).collect();
    if ran.is_empty() {
        return Vec::new();
    }
    let name = paint(palette.name, &printable(&class.name.replace('/', ".")));
    let mut lines = vec![format!("  {name}")];
    lines.extend(
        ran.iter()
            .map(|method| format!("    {}", method_text(method))),
    );
    lines
}

fn is_own(method: &ReliedMethodView) -> bool {
    is_own_reliance(method.reliance)
}

fn is_own_reliance(reliance: RelianceView) -> bool {
    matches!(reliance, RelianceView::Ran | RelianceView::Around)
}

/// What was done with a file, and that it was not there.
pub(super) fn access(file: &AccessView) -> String {
    let path = printable(&file.path);
    match (file.access, file.found) {
        (AccessKindView::Wrote, _) => format!("wrote {path}"),
        (_, FoundView::Nothing) => format!("looked in vain for {path}"),
        (AccessKindView::Read, _) => format!("read {path}"),
        (AccessKindView::Looked, _) => format!("looked for {path}"),
        (AccessKindView::Listed, _) => format!("listed {path}"),
    }
}

fn method_text(method: &ReliedMethodView) -> String {
    match (&method.name, &method.descriptor) {
        (Some(name), Some(descriptor)) => printable(&method_in_source(name, descriptor)),
        _ => "a method made at run time".to_owned(),
    }
}

/// What the entity relies on without having run it itself.
fn beside(entity: &EntityView) -> Option<String> {
    let count = |wanted: RelianceView| -> usize {
        let methods = entity.classes.iter().flat_map(|class| &class.methods);
        methods.filter(|method| method.reliance == wanted).count()
    };
    let n_whole = entity.classes.iter().filter(|class| class.is_whole).count();
    let parts: Vec<String> = [
        (
            count(RelianceView::Initialiser),
            "that initialised its classes",
        ),
        (
            count(RelianceView::Ambient),
            "that ran before, outside of tests",
        ),
        (
            count(RelianceView::Carried),
            "that other threads went on with",
        ),
    ]
    .into_iter()
    .filter(|(n_methods, _)| *n_methods > 0)
    .map(|(n_methods, what)| format!("{} {what}", counted(n_methods, "method", "methods")))
    .chain((n_whole > 0).then(|| {
        let classes = if n_whole == 1 { "class" } else { "classes" };
        format!("{} whole {classes}", with_commas(n_whole))
    }))
    .collect();
    (!parts.is_empty()).then(|| format!("and {}", parts.join(", ")))
}
