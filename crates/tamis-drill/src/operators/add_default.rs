//! An interface gets a default method, or gives one of its methods a body.

use crate::code_base::{Change, CodeBase, constant_of};
use crate::java::{MemberKind, TypeKind};

pub(super) fn places(code: &CodeBase) -> Vec<Change> {
    let mut places = Vec::new();
    let types = code.types();
    for found in types.filter(|found| found.declaration.kind == TypeKind::Interface) {
        places.push(Change::add_member(found, "default void addedByDrill() { }"));
        let source = &found.file.source;
        for member in &found.declaration.members {
            let MemberKind::Method {
                declared,
                body: None,
                ..
            } = &member.kind
            else {
                continue;
            };
            let body = match source.between(declared.start, declared.end) {
                "void" => "{ }".to_owned(),
                declared => format!("{{ return {}; }}", constant_of(declared)),
            };
            let (begin, end) = (source.start(member.first), source.end(member.last));
            let declaration = source.between(member.first, member.last);
            let text = format!("default {declaration} {body}");
            places.push(Change::edit(found.number, begin..end, text));
        }
    }
    places
}
