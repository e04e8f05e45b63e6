//! Another condition: negated, with another boundary, with the other connective.

use crate::code_base::{Body, Change, CodeBase, Edit};

pub(super) fn places(code: &CodeBase) -> Vec<Change> {
    let bodies = code.bodies();
    bodies
        .flat_map(|body| (body.open..body.close).filter_map(move |number| at_token(body, number)))
        .collect()
}

fn at_token(body: Body<'_>, number: usize) -> Option<Change> {
    let source = body.source;
    let other = match source.token(number) {
        "if" => return negated(body, number + 1),
        // Type arguments stand without spaces.
        "<" if is_spaced(body, number) => "<=",
        ">" if is_spaced(body, number) => ">=",
        "<=" => "<",
        ">=" => ">",
        "==" => "!=",
        "!=" => "==",
        "&&" => "||",
        "||" => "&&",
        _ => return None,
    };
    Some(Change::token(body.number, source, number, other))
}

fn is_spaced(body: Body<'_>, number: usize) -> bool {
    let source = body.source;
    source.end(number - 1) < source.start(number) && source.end(number) < source.start(number + 1)
}

fn negated(body: Body<'_>, open: usize) -> Option<Change> {
    let close = body.source.partner(open)?;
    let (begin, end) = (body.source.end(open), body.source.start(close));
    let edit = |at, text: &str| Edit {
        range: at..at,
        text: text.to_owned(),
    };
    Some(Change::Source {
        file: body.number,
        edits: vec![edit(begin, "!("), edit(end, ")")],
    })
}
