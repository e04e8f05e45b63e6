//! One class in full: what it declares, its checksums, its members; on request blocks and uses.

use super::columns::{Cell, Columns};
use super::counts::counted;
use super::palette::{Palette, paint};
use super::short;
use crate::escape::printable;
use crate::view::{
    BlockView, BodyView, ClassReport, ClassView, Content, EdgeView, LabelView, MethodView,
    ReferenceView, Understood, UsesView, class_in_source, method_in_source, type_in_source,
};

const INDENT: &str = "  ";

/// Each class in full, one after the other.
pub(crate) fn class_detail(report: &ClassReport, palette: &Palette) -> String {
    let classes = report.classes().map(|class| match &class.content {
        Content::Understood(understood) => in_full(class, understood, palette),
        Content::NotUnderstood { reason } => without_understanding(class, reason, palette),
    });
    let lines = classes.map(|lines| lines.join("\n") + "\n");
    lines.collect::<Vec<_>>().join("\n")
}

fn in_full(class: &ClassView, understood: &Understood, palette: &Palette) -> Vec<String> {
    let mut lines = vec![declaration(understood, palette)];
    lines.push(format!("{INDENT}{}, {}", version(understood), file(class)));
    push_section(&mut lines, checksums(class, understood, palette).lines());
    push_section(&mut lines, fields(understood, palette).lines());
    push_section(&mut lines, methods(understood, palette));
    lines
}

fn without_understanding(class: &ClassView, reason: &str, palette: &Palette) -> Vec<String> {
    let label = paint(palette.failure, "not understood:");
    vec![
        paint(palette.name, &printable(&class.path)),
        format!(
            "{INDENT}{label} {}; it counts as a whole",
            printable(reason)
        ),
        format!("{INDENT}{}", file(class)),
        String::new(),
        format!("{INDENT}plain  {}", short(&class.plain)),
    ]
}

/// Adds indented lines below an empty one, if there are any.
fn push_section(lines: &mut Vec<String>, section: Vec<String>) {
    if section.is_empty() {
        return;
    }
    lines.push(String::new());
    lines.extend(section.into_iter().map(|line| format!("{INDENT}{line}")));
}

/// `public final class shop.Cart extends shop.Basket implements Comparable`
fn declaration(class: &Understood, palette: &Palette) -> String {
    let mut words: Vec<String> = class.modifiers.iter().map(ToString::to_string).collect();
    words.push(class.kind.name().to_owned());
    words.push(paint(palette.name, &class.name.replace('/', ".")));
    let superclass = class
        .superclass
        .as_deref()
        .filter(|name| *name != "java/lang/Object");
    if let Some(superclass) = superclass {
        words.push(format!("extends {}", class_in_source(superclass)));
    }
    if !class.interfaces.is_empty() {
        let keyword = if class.kind.is_interface() {
            "extends"
        } else {
            "implements"
        };
        let names: Vec<String> = class
            .interfaces
            .iter()
            .map(|name| class_in_source(name))
            .collect();
        words.push(format!("{keyword} {}", names.join(", ")));
    }
    words.join(" ")
}

fn version(class: &Understood) -> String {
    let version = &class.version;
    let preview = if version.is_preview {
        " with preview features"
    } else {
        ""
    };
    let unknown = if version.is_known {
        ""
    } else {
        ", newer than Tamis knows"
    };
    format!(
        "Java {}{preview} (class file version {}.{}{unknown})",
        version.java, version.major, version.minor
    )
}

fn file(class: &ClassView) -> String {
    let size = counted(class.n_bytes, "byte", "bytes");
    format!("{size}, {}", printable(&class.location))
}

fn checksums(class: &ClassView, understood: &Understood, palette: &Palette) -> Columns {
    let rows = [
        ("plain", &class.plain, "the bytes of the file"),
        (
            "smart",
            &understood.smart,
            "without what does not count as behaviour",
        ),
        (
            "head",
            &understood.head,
            "what the class declares of itself",
        ),
        (
            "signatures",
            &understood.signatures,
            "what can be overridden or hidden",
        ),
        ("members", &understood.members, "what reflection lists"),
    ];
    let mut columns = Columns::default();
    for (name, checksum, meaning) in rows {
        columns.push([
            Cell::text(name),
            Cell::text(short(checksum)),
            Cell::text(meaning).styled(palette.aside),
        ]);
    }
    columns
}

fn fields(class: &Understood, palette: &Palette) -> Columns {
    let mut columns = Columns::default();
    if !class.fields.is_empty() {
        columns.push(["CHECKSUM", "FIELD"].map(|text| Cell::text(text).styled(palette.aside)));
    }
    for field in &class.fields {
        columns.push([
            Cell::text(short(&field.checksum)),
            Cell::text(field.declaration()),
        ]);
    }
    columns
}

/// The methods as a table; what is told about a method beyond its row stands below it.
fn methods(class: &Understood, palette: &Palette) -> Vec<String> {
    if class.methods.is_empty() {
        return Vec::new();
    }
    let mut columns = Columns::default();
    let headings = [
        Cell::text("CHECKSUM"),
        Cell::number("BLOCKS"),
        Cell::text("METHOD"),
    ];
    columns.push(headings.map(|heading| heading.styled(palette.aside)));
    for method in &class.methods {
        columns.push([
            Cell::text(short(&method.checksum)),
            Cell::number(n_blocks(&method.body)),
            Cell::text(method.declaration()),
        ]);
    }
    let mut rows = columns.lines().into_iter();
    let mut lines: Vec<String> = rows.next().into_iter().collect();
    for (row, method) in rows.zip(&class.methods) {
        lines.push(row + &paint_aside(palette, note(method)));
        lines.extend(below(method, palette));
    }
    lines
}

fn n_blocks(body: &BodyView) -> String {
    match body {
        BodyView::NoCode => "-".to_owned(),
        BodyView::Divided { n_blocks, .. } => n_blocks.to_string(),
        BodyView::NotDivided { .. } => "?".to_owned(),
    }
}

/// That the number in the name of a synthetic method means nothing.
fn note(method: &MethodView) -> &'static str {
    if method.is_known_by_content {
        "  (known by content)"
    } else {
        ""
    }
}

fn paint_aside(palette: &Palette, text: &str) -> String {
    if text.is_empty() {
        return String::new();
    }
    paint(palette.aside, text)
}

/// Blocks and uses of a method, and why there are none.
fn below(method: &MethodView, palette: &Palette) -> Vec<String> {
    let mut lines = match &method.body {
        BodyView::Divided {
            blocks: Some(blocks),
            ..
        } => block_lines(blocks),
        BodyView::NotDivided { reason } => vec![format!("not divided: {}", printable(reason))],
        BodyView::Divided { blocks: None, .. } | BodyView::NoCode => Vec::new(),
    };
    lines.extend(match &method.uses {
        Some(UsesView::Known { classes, members }) => use_lines(classes, members, palette),
        Some(UsesView::NotKnown { reason }) => vec![format!("uses: {}", printable(reason))],
        None => Vec::new(),
    });
    lines
        .into_iter()
        .map(|line| format!("{INDENT}{INDENT}{line}"))
        .collect()
}

fn block_lines(blocks: &[BlockView]) -> Vec<String> {
    let mut columns = Columns::default();
    for (number, block) in blocks.iter().enumerate() {
        columns.push([
            Cell::number(format!("block {number}")),
            Cell::number(format!("{}..{}", block.start, block.end)),
            Cell::text(short(&block.checksum)),
            Cell::text(edges(&block.edges)),
        ]);
    }
    columns.lines()
}

/// `case 1 → 2, default → 3`; a block that goes nowhere leaves the method.
fn edges(edges: &[EdgeView]) -> String {
    if edges.is_empty() {
        return "leaves the method".to_owned();
    }
    let ways = edges
        .iter()
        .map(|edge| format!("{} → {}", label(&edge.label), edge.target));
    ways.collect::<Vec<_>>().join(", ")
}

fn label(label: &LabelView) -> String {
    match label {
        LabelView::FallThrough => "next".to_owned(),
        LabelView::Taken => "taken".to_owned(),
        LabelView::Case { value } => format!("case {value}"),
        LabelView::Default => "default".to_owned(),
        LabelView::Caught { class: Some(class) } => format!("catch {}", class_in_source(class)),
        LabelView::Caught { class: None } => "catch all".to_owned(),
    }
}

fn use_lines(classes: &[String], members: &[ReferenceView], palette: &Palette) -> Vec<String> {
    let mut columns = Columns::default();
    let mut push = |kind: &str, what: String| {
        columns.push([
            Cell::text(format!("uses {kind}")).styled(palette.aside),
            Cell::text(what),
        ]);
    };
    for class in classes {
        push("class", class_in_source(class));
    }
    for member in members {
        let kind = member.kind.strip_suffix("_method").unwrap_or(member.kind);
        push(kind, member_in_source(member));
    }
    columns.lines()
}

/// `int java.util.List.size()`: the name with its owner before it.
fn member_in_source(member: &ReferenceView) -> String {
    let owner = class_in_source(&member.owner);
    if member.kind == "field" {
        return format!(
            "{} {owner}.{}",
            type_in_source(&member.descriptor),
            member.name
        );
    }
    if member.name.starts_with('<') {
        return format!(
            "{owner}.{}",
            method_in_source(&member.name, &member.descriptor)
        );
    }
    method_in_source(&format!("{owner}.{}", member.name), &member.descriptor)
}
