//! Another static initialiser: other literals in it, another order, another place.

use super::literal;
use crate::code_base::{Change, CodeBase, Edit, TypeIn};
use crate::java::{Member, MemberKind, TypeKind};

pub(super) fn places(code: &CodeBase) -> Vec<Change> {
    let mut places = Vec::new();
    let types = code.main_types();
    for found in types.filter(|found| found.declaration.kind != TypeKind::Interface) {
        let source = &found.file.source;
        let members = &found.declaration.members;
        let is_static = |member: &Member| member.has_modifier(source, "static");
        for (index, member) in members.iter().enumerate().filter(|(_, m)| is_static(m)) {
            match &member.kind {
                MemberKind::Field {
                    value: Some(value), ..
                } => {
                    places.extend(literal::in_tokens(
                        found.number,
                        source,
                        value.start,
                        value.end,
                    ));
                    places.extend(moved_to_block(found, member));
                    let next = members.get(index + 1).filter(|next| is_static(next));
                    let next = next.filter(|next| has_value(next));
                    places
                        .extend(next.map(|next| Change::swap(found.number, source, member, next)));
                }
                MemberKind::Initialiser {
                    body: (open, close),
                } => {
                    places.extend(literal::in_tokens(found.number, source, *open, *close));
                }
                _ => {}
            }
        }
    }
    places
}

fn has_value(member: &Member) -> bool {
    matches!(member.kind, MemberKind::Field { value: Some(_), .. })
}

/// The field gets its value in a block at the end of the class.
fn moved_to_block(found: TypeIn<'_>, member: &Member) -> Option<Change> {
    let source = &found.file.source;
    let MemberKind::Field {
        name_at,
        value: Some(value),
        ..
    } = &member.kind
    else {
        return None;
    };
    // The short form of an array is none of an expression.
    if source.token(value.start) == "{" {
        return None;
    }
    let (name, expression) = (
        source.token(*name_at),
        source.between(value.start, value.end),
    );
    let end = source.start(found.declaration.close);
    let taken = Edit {
        range: source.end(*name_at)..source.start(value.end),
        text: String::new(),
    };
    let block = Edit {
        range: end..end,
        text: format!("static {{ {name} = {expression}; }} "),
    };
    Some(Change::Source {
        file: found.number,
        edits: vec![taken, block],
    })
}
