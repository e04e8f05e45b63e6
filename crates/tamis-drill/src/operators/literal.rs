//! Another literal: a number one off, another text or character, the other boolean.

use crate::code_base::{Change, CodeBase};
use crate::java::{SourceText, TokenKind};

pub(super) fn places(code: &CodeBase) -> Vec<Change> {
    let bodies = code.bodies();
    bodies
        .flat_map(|body| in_tokens(body.number, body.source, body.open, body.close))
        .collect()
}

/// The mutants of the literals from one token up to another.
pub(super) fn in_tokens(
    file: usize,
    source: &SourceText,
    from: usize,
    end: usize,
) -> impl Iterator<Item = Change> {
    (from..end).filter_map(move |number| {
        let other = other_literal(source, number)?;
        Some(Change::token(file, source, number, other))
    })
}

/// A literal that is not the one this token is.
pub(super) fn other_literal(source: &SourceText, number: usize) -> Option<String> {
    let text = source.token(number);
    match source.kind(number)? {
        TokenKind::Number => Some(other_number(text)),
        TokenKind::Text if text.starts_with("\"\"\"") => None,
        TokenKind::Text => Some(format!("\"x{}", &text[1..])),
        TokenKind::Character => Some(if text == "'~'" { "'x'" } else { "'~'" }.to_owned()),
        TokenKind::Word if text == "true" => Some("false".to_owned()),
        TokenKind::Word if text == "false" => Some("true".to_owned()),
        TokenKind::Word | TokenKind::Symbol => None,
    }
}

/// One more; or one less, for every second decimal number.
fn other_number(text: &str) -> String {
    let digits = text.trim_end_matches(['l', 'L']);
    let suffix = &text[digits.len()..];
    let digits = digits.replace('_', "");
    if let Some(hexadecimal) = digits.strip_prefix("0x")
        && let Ok(value) = i64::from_str_radix(hexadecimal, 16)
        && let Some(more) = value.checked_add(1)
    {
        return format!("{more}{suffix}");
    }
    let is_decimal = digits == "0" || !digits.starts_with('0');
    match digits.parse::<i64>() {
        Ok(value) if is_decimal && value % 2 == 1 && value > 1 => format!("{}{suffix}", value - 1),
        Ok(value) if is_decimal && value < i64::MAX => format!("{}{suffix}", value + 1),
        _ => format!("({text} + 1)"),
    }
}
