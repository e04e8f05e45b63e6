//! The exception table and the debug tables of code, moved with it.

use super::layout::Layout;
use crate::attribute::{
    Attribute, AttributeContent, Code, ExceptionHandler, LineNumber, LocalRange, LocalVariable,
    Target, TypeAnnotation,
};
use crate::error::{Error, Result};
use crate::table::Table;

/// The exception table, and by old row the first row that now stands for it.
///
/// A range with trampolines in it is cut there: their locals are those of their targets, which the
/// handler may know nothing about.
pub(super) fn exception_table(
    code: &Code<'_>,
    layout: &Layout,
) -> Result<(Table<'static, ExceptionHandler>, Vec<u16>)> {
    let gaps: Vec<_> = layout.gaps().collect();
    let mut rows = Vec::with_capacity(code.exception_table.len());
    let mut first_rows = Vec::with_capacity(code.exception_table.len());
    for row in code.exception_table.iter() {
        first_rows.push(rows.len() as u16);
        let row = moved_handler(row, layout)
            .ok_or_else(|| Error::malformed(None, "the exception table leaves the code"))?;
        cut(row, &gaps, &mut rows)?;
    }
    Ok((rows.into_iter().collect(), first_rows))
}

fn moved_handler(row: ExceptionHandler, layout: &Layout) -> Option<ExceptionHandler> {
    Some(ExceptionHandler {
        start: layout.label(row.start.into())? as u16,
        end: layout.edge(row.end.into())? as u16,
        handler: layout.label(row.handler.into())? as u16,
        catch_type: row.catch_type,
    })
}

fn cut(row: ExceptionHandler, gaps: &[(u32, u32)], rows: &mut Vec<ExceptionHandler>) -> Result<()> {
    let mut start = row.start;
    let first = gaps.partition_point(|(gap, _)| *gap < u32::from(row.start));
    let inside = gaps[first..]
        .iter()
        .take_while(|(gap, _)| *gap < u32::from(row.end));
    for (gap, gap_end) in inside {
        rows.push(ExceptionHandler {
            start,
            end: *gap as u16,
            ..row
        });
        start = *gap_end as u16;
        if rows.len() > usize::from(u16::MAX) {
            return Err(Error::too_large("the exception table"));
        }
    }
    rows.push(ExceptionHandler { start, ..row });
    Ok(())
}

/// The attributes but frames, moved; `first_rows` says where rows of the exception table are now.
pub(super) fn attributes<'a>(
    code: &Code<'a>,
    layout: &Layout,
    first_rows: &[u16],
) -> Result<Vec<Attribute<'a>>> {
    let moved = |attribute: &Attribute<'a>| {
        Ok(Attribute {
            name: attribute.name,
            content: content(&attribute.content, layout, first_rows)?,
        })
    };
    code.attributes.iter().map(moved).collect()
}

fn content<'a>(
    content: &AttributeContent<'a>,
    layout: &Layout,
    first_rows: &[u16],
) -> Result<AttributeContent<'a>> {
    use AttributeContent as Content;
    let annotations = |list: &[TypeAnnotation]| -> Vec<_> {
        list.iter()
            .map(|annotation| type_annotation(annotation, layout, first_rows))
            .collect()
    };
    Ok(match content {
        Content::LineNumberTable(table) => Content::LineNumberTable(lines(table, layout)?),
        Content::LocalVariableTable(table) => {
            Content::LocalVariableTable(variables(table, layout)?)
        }
        Content::LocalVariableTypeTable(table) => {
            Content::LocalVariableTypeTable(variables(table, layout)?)
        }
        Content::RuntimeVisibleTypeAnnotations(list) => {
            Content::RuntimeVisibleTypeAnnotations(annotations(list))
        }
        Content::RuntimeInvisibleTypeAnnotations(list) => {
            Content::RuntimeInvisibleTypeAnnotations(annotations(list))
        }
        // Frames have a file of their own; what nobody knows stays as it is.
        other => other.clone(),
    })
}

fn lines(table: &Table<'_, LineNumber>, layout: &Layout) -> Result<Table<'static, LineNumber>> {
    let moved = |row: LineNumber| {
        let start = layout.debug_start(row.start.into())? as u16;
        Some(LineNumber { start, ..row })
    };
    let rows: Option<_> = table.iter().map(moved).collect();
    rows.ok_or_else(|| Error::malformed(None, "LineNumberTable leaves the code"))
}

fn variables(
    table: &Table<'_, LocalVariable>,
    layout: &Layout,
) -> Result<Table<'static, LocalVariable>> {
    let moved = |row: LocalVariable| {
        let (start, length) = range(row.start, row.length, layout)?;
        Some(LocalVariable {
            start,
            length,
            ..row
        })
    };
    let rows: Option<_> = table.iter().map(moved).collect();
    rows.ok_or_else(|| Error::malformed(None, "a local variable table leaves the code"))
}

/// Start and length of what a variable is known in.
fn range(start: u16, length: u16, layout: &Layout) -> Option<(u16, u16)> {
    let end = u32::from(start) + u32::from(length);
    let (start, end) = (layout.debug_start(start.into())?, layout.debug_end(end)?);
    Some((start as u16, (end - start) as u16))
}

/// An offset that is none of an instruction.
const NOWHERE: u16 = u16::MAX;

/// A JVM does not read these, and compilers were seen to write offsets of no instruction: what they
/// said about nothing they go on saying about nothing.
fn type_annotation(
    annotation: &TypeAnnotation,
    layout: &Layout,
    first_rows: &[u16],
) -> TypeAnnotation {
    let mut moved = annotation.clone();
    match &mut moved.target {
        Target::LocalVariable { ranges, .. } => {
            for place in ranges {
                let (start, length) =
                    range(place.start, place.length, layout).unwrap_or((NOWHERE, 0));
                *place = LocalRange {
                    start,
                    length,
                    ..*place
                };
            }
        }
        Target::Catch(row) => {
            *row = first_rows
                .get(usize::from(*row))
                .copied()
                .unwrap_or(NOWHERE);
        }
        Target::Instruction { offset, .. } | Target::TypeArgument { offset, .. } => {
            *offset = layout
                .instruction((*offset).into())
                .map_or(NOWHERE, |at| at as u16);
        }
        Target::TypeParameter { .. }
        | Target::Supertype(_)
        | Target::TypeParameterBound { .. }
        | Target::Whole(_)
        | Target::FormalParameter(_)
        | Target::Throws(_) => {}
    }
    moved
}
