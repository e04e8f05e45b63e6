//! Many classes, a line each. Names come last, because they may be long.

use super::columns::{Cell, Columns};
use super::counts::with_commas;
use super::palette::{Palette, paint};
use super::short;
use crate::escape::printable;
use crate::view::{BodyView, ClassReport, ClassView, Content, SourceView, Understood};

/// The classes of each source; sources are named where there are several.
pub(crate) fn class_list(report: &ClassReport, palette: &Palette) -> String {
    let is_one = report.sources.len() == 1;
    let sources = report
        .sources
        .iter()
        .filter(|source| !source.classes.is_empty());
    let blocks = sources.map(|source| {
        let name = paint(palette.name, &printable(&source.source));
        let heading = if is_one {
            String::new()
        } else {
            format!("{name}\n")
        };
        heading + &table(source, palette)
    });
    blocks.collect::<Vec<_>>().join("\n")
}

fn table(source: &SourceView, palette: &Palette) -> String {
    let mut columns = Columns::default();
    columns.push(headings().map(|heading| heading.styled(palette.aside)));
    for class in &source.classes {
        columns.push(match &class.content {
            Content::Understood(understood) => row(class, understood, palette),
            Content::NotUnderstood { reason } => row_without_understanding(class, reason, palette),
        });
    }
    columns.lines().join("\n") + "\n"
}

fn headings() -> [Cell; 7] {
    [
        Cell::text("SMART"),
        Cell::number("JAVA"),
        Cell::text("KIND"),
        Cell::number("FIELDS"),
        Cell::number("METHODS"),
        Cell::number("BLOCKS"),
        Cell::text("CLASS"),
    ]
}

fn row(class: &ClassView, understood: &Understood, palette: &Palette) -> [Cell; 7] {
    let name = understood.name.replace('/', ".");
    let place = place_beside_name(&class.path, &understood.name);
    [
        Cell::text(short(&understood.smart)),
        Cell::number(understood.version.java.clone()),
        Cell::text(understood.kind.name()),
        Cell::number(with_commas(understood.fields.len())),
        Cell::number(with_commas(understood.methods.len())),
        Cell::number(n_blocks(understood)),
        Cell::text(name + &place).styled(palette.name),
    ]
}

fn row_without_understanding(class: &ClassView, reason: &str, palette: &Palette) -> [Cell; 7] {
    let text = format!(
        "{} is not understood: {}",
        printable(&class.path),
        printable(reason)
    );
    [
        Cell::text(short(&class.plain)),
        Cell::number("?"),
        Cell::text("?"),
        Cell::number("?"),
        Cell::number("?"),
        Cell::number("?"),
        Cell::text(text).styled(palette.failure),
    ]
}

/// The number of blocks; a plus sign where some method cannot be divided.
fn n_blocks(class: &Understood) -> String {
    let bodies = class.methods.iter().map(|method| &method.body);
    let n_blocks: usize = bodies.clone().filter_map(BodyView::n_blocks).sum();
    let is_partial = bodies
        .clone()
        .any(|body| matches!(body, BodyView::NotDivided { .. }));
    with_commas(n_blocks) + if is_partial { "+" } else { "" }
}

/// Where a class lies, unless its name says so: below `META-INF/versions`, or under a wrong name.
fn place_beside_name(path: &str, name: &str) -> String {
    let path = path.strip_suffix(".class").unwrap_or(path);
    if path == name || name.ends_with(&format!("/{path}")) {
        return String::new();
    }
    let place = path
        .strip_suffix(name)
        .map_or(path, |root| root.trim_end_matches('/'));
    format!(" (in {})", printable(place))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_place_is_told_only_where_the_name_does_not() {
        let places = [
            ("a/B.class", "a/B"),
            ("B.class", "a/B"),
            ("META-INF/versions/9/a/B.class", "a/B"),
            ("a/Copy.class", "a/B"),
        ];
        let shown = places.map(|(path, name)| place_beside_name(path, name));
        assert_eq!(shown, ["", "", " (in META-INF/versions/9)", " (in a/Copy)"]);
    }
}
