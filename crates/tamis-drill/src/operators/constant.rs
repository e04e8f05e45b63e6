//! Another constant, which compilers copy into the classes that name it.

use super::literal::other_literal;
use crate::code_base::{Change, CodeBase};
use crate::java::{MemberKind, TypeKind};

pub(super) fn places(code: &CodeBase) -> Vec<Change> {
    let mut places = Vec::new();
    for found in code.main_types() {
        let source = &found.file.source;
        let is_interface = found.declaration.kind == TypeKind::Interface;
        for member in &found.declaration.members {
            let MemberKind::Field {
                value: Some(value), ..
            } = &member.kind
            else {
                continue;
            };
            let is_constant = ["static", "final"]
                .iter()
                .all(|word| member.has_modifier(source, word));
            if (is_constant || is_interface) && value.len() == 1 {
                let other = other_literal(source, value.start);
                places.extend(
                    other.map(|other| Change::token(found.number, source, value.start, other)),
                );
            }
        }
    }
    places
}
