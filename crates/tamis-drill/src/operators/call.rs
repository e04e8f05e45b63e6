//! Another call: none at all where it is a statement, or another argument.

use std::ops::Range;

use crate::code_base::{Body, Change, CodeBase, Edit};

/// What looks like a call and is none.
const KEYWORDS: &[&str] = &[
    "if",
    "for",
    "while",
    "switch",
    "catch",
    "synchronized",
    "return",
    "throw",
    "new",
    "super",
    "this",
    "try",
    "assert",
    "else",
    "do",
    "case",
];

pub(super) fn places(code: &CodeBase) -> Vec<Change> {
    let mut places = Vec::new();
    for body in code.bodies() {
        let tokens = body.open + 1..body.close;
        places.extend(tokens.clone().filter_map(|number| removed(body, number)));
        for number in tokens {
            places.extend(other_arguments(body, number));
        }
    }
    places
}

/// A statement that is a call, beginning with this token, is left out.
fn removed(body: Body<'_>, first: usize) -> Option<Change> {
    let source = body.source;
    let is_first = matches!(source.token(first - 1), ";" | "{" | "}");
    let word = source.token(first);
    let is_this = word == "this" && source.token(first + 1) == ".";
    if !is_first || !source.is_word(first) || (KEYWORDS.contains(&word) && !is_this) {
        return None;
    }
    let mut at = first + 1;
    loop {
        match source.token(at) {
            "." => at += 2,
            "(" => at = source.partner(at)? + 1,
            ";" if source.token(at - 1) == ")" => break,
            _ => return None,
        }
    }
    let range = source.start(first)..source.end(at);
    Some(Change::edit(body.number, range, ";"))
}

/// The call of the method that this token names, with null for each of its arguments, and with two of them swapped.
fn other_arguments(body: Body<'_>, name: usize) -> Vec<Change> {
    let source = body.source;
    let open = name + 1;
    let is_call = source.is_word(name)
        && source.token(open) == "("
        && !KEYWORDS.contains(&source.token(name));
    let Some(close) = source.partner(open).filter(|_| is_call) else {
        return Vec::new();
    };
    let arguments = arguments(body, open, close);
    let text = |range: &Range<usize>| source.text[range.clone()].to_owned();
    let others = arguments.iter().filter(|range| text(range) != "null");
    let mut changes: Vec<Change> = others
        .map(|range| Change::edit(body.number, range.clone(), "null"))
        .collect();
    if let [a, b, ..] = &arguments[..] {
        let edit = |range: &Range<usize>, text| Edit {
            range: range.clone(),
            text,
        };
        changes.push(Change::Source {
            file: body.number,
            edits: vec![edit(a, text(b)), edit(b, text(a))],
        });
    }
    changes
}

/// Where each argument lies in the text.
fn arguments(body: Body<'_>, open: usize, close: usize) -> Vec<Range<usize>> {
    let source = body.source;
    let mut arguments = Vec::new();
    let mut first = open + 1;
    while first < close {
        let end = source
            .find(first, close, |token| token == ",")
            .unwrap_or(close);
        if first < end {
            arguments.push(source.start(first)..source.end(end - 1));
        }
        first = end + 1;
    }
    arguments
}
