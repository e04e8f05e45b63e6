//! What JVMs ran, as text: a heading for each JVM, then its entities, or without any each class with the
//! methods that ran.

use super::counts::{counted, with_commas};
use super::entity::{access, entity as entity_lines};
use super::palette::{Palette, paint};
use crate::escape::printable;
use crate::view::{
    EndingView, EntityKindView, FileView, JvmView, TraceReport, TracedClassView, method_in_source,
};

/// All JVMs, one after the other.
pub(crate) fn trace(report: &TraceReport, palette: &Palette) -> String {
    let jvms = report.jvms.iter().map(|jvm| jvm_text(jvm, palette));
    jvms.collect::<Vec<_>>().join("\n")
}

fn jvm_text(jvm: &JvmView, palette: &Palette) -> String {
    let command = paint(palette.name, &printable(&jvm.command));
    let mut lines = vec![format!("JVM {} ({}): {command}", jvm.pid, jvm.vm_version)];
    lines.extend(jvm.parent.map(|parent| {
        let text = format!("started by JVM {parent}");
        format!("  {}", paint(palette.aside, &text))
    }));
    lines.extend(warning(&jvm.ending).map(|text| format!("  {}", paint(palette.failure, &text))));
    lines.extend(jvm.unsupported.iter().map(|unsupported| {
        let framework = printable(&unsupported.framework);
        let reason = printable(&unsupported.reason);
        let text = format!("the tests of {framework} ran and are not told apart: {reason}");
        format!("  {}", paint(palette.failure, &text))
    }));
    lines.extend(jvm.unseen_files.iter().map(|reason| {
        let text = format!("which files it read was not seen: {}", printable(reason));
        format!("  {}", paint(palette.failure, &text))
    }));
    if jvm.entities.is_empty() {
        lines.extend(classes(jvm, palette).map(|line| format!("  {line}")));
        lines.extend(jvm.files.iter().map(|file| format!("  {}", access(file))));
    }
    let entities = jvm.entities.iter();
    let entities = entities.flat_map(|entity| entity_lines(entity, palette));
    lines.extend(entities.map(|line| format!("  {line}")));
    lines.push(format!("  {}", totals(jvm)));
    lines.join("\n") + "\n"
}

fn classes(jvm: &JvmView, palette: &Palette) -> impl Iterator<Item = String> {
    let shown = jvm.classes.iter().filter(|class| is_shown(class));
    shown.flat_map(|class| {
        let ran = class.methods.iter().filter(|method| method.ran);
        let methods = ran.map(|method| {
            let method = method_in_source(&method.name, &method.descriptor);
            format!("  {}", printable(&method))
        });
        std::iter::once(heading(class, palette)).chain(methods)
    })
}

/// Classes of which nothing ran are only counted.
fn is_shown(class: &TracedClassView) -> bool {
    class.n_ran > 0 || class.refused.is_some()
}

/// What is missing, if anything may be.
fn warning(ending: &EndingView) -> Option<String> {
    match ending {
        EndingView::Complete => None,
        EndingView::Incomplete { reason } => Some(format!("incomplete: {}", printable(reason))),
        EndingView::Lost => Some("incomplete: it was killed, or lost its agent".to_owned()),
        EndingView::Garbled { reason } => Some(format!(
            "incomplete: it was not understood: {}",
            printable(reason)
        )),
        EndingView::Contradictory => {
            Some("incomplete: it told of tests that it had not shown".to_owned())
        }
        EndingView::StillRunning => Some("incomplete: it outlives the command".to_owned()),
    }
}

fn heading(class: &TracedClassView, palette: &Palette) -> String {
    let name = paint(palette.name, &printable(&class.name.replace('/', ".")));
    let n_ran = with_commas(class.n_ran);
    let n_methods = with_commas(class.n_methods);
    let mut beside = match &class.refused {
        Some(reason) => format!("counts as a whole: {}", printable(reason)),
        None => format!("{n_ran} of {n_methods}"),
    };
    beside.extend(doubt(&class.file).map(|doubt| format!("; {doubt}")));
    format!("{name}  {}", paint(palette.aside, &beside))
}

/// What is to be said of a class that no file has.
fn doubt(file: &FileView) -> Option<String> {
    match file {
        FileView::Found { .. } => None,
        FileView::OtherBytes { location } => {
            Some(format!("{} has other bytes", printable(location)))
        }
        FileView::Generated => Some("made at run time".to_owned()),
        FileView::Unknown { place } => {
            Some(format!("cannot be compared with {}", printable(place)))
        }
    }
}

fn totals(jvm: &JvmView) -> String {
    let n_used = jvm.classes.iter().filter(|class| is_shown(class)).count();
    let n_ran: usize = jvm.classes.iter().map(|class| class.n_ran).sum();
    let n_methods: usize = jvm.classes.iter().map(|class| class.n_methods).sum();
    let tests = entity_totals(jvm).map(|totals| format!("{totals}; "));
    format!(
        "{}{} of {} classes, {} of {} methods ran",
        tests.unwrap_or_default(),
        with_commas(n_used),
        with_commas(jvm.classes.len()),
        with_commas(n_ran),
        with_commas(n_methods)
    )
}

/// How many entities ran and did not, if there are any.
fn entity_totals(jvm: &JvmView) -> Option<String> {
    let mut entities: Vec<_> = jvm.entities.iter().collect();
    entities.retain(|entity| entity.kind != EntityKindView::Container);
    let n_skipped = entities.iter().filter(|entity| entity.is_skipped).count();
    let n_ran = entities
        .iter()
        .filter(|entity| !entity.runs.is_empty())
        .count();
    (!entities.is_empty()).then(|| {
        format!(
            "{} ran, {} skipped",
            counted(n_ran, "entity", "entities"),
            with_commas(n_skipped)
        )
    })
}
