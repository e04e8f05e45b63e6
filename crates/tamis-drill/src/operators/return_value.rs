//! Another value is returned: the other boolean, another number, null.

use crate::code_base::{Body, Change, CodeBase};
use crate::java::MemberKind;

pub(super) fn places(code: &CodeBase) -> Vec<Change> {
    let bodies = code.bodies();
    bodies
        .flat_map(|body| (body.open..body.close).filter_map(move |number| at_token(body, number)))
        .collect()
}

fn at_token(body: Body<'_>, number: usize) -> Option<Change> {
    let source = body.source;
    let MemberKind::Method { declared, .. } = &body.member.kind else {
        return None;
    };
    if source.token(number) != "return" {
        return None;
    }
    let end = source.find(number + 1, body.close, |token| token == ";")?;
    let value = source.between(number + 1, end);
    let other = match source.between(declared.start, declared.end) {
        "boolean" => format!("!({value})"),
        "int" | "long" | "short" | "byte" | "char" | "float" | "double" if value == "0" => {
            "1".into()
        }
        "int" | "long" | "short" | "byte" | "char" | "float" | "double" => "0".into(),
        "String" if value == "null" => "\"\"".into(),
        _ if value == "null" || value.is_empty() => return None,
        _ => "null".into(),
    };
    let range = source.start(number + 1)..source.end(end - 1);
    Some(Change::edit(body.number, range, other))
}
