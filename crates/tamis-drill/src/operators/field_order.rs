//! Two fields change places: reflection lists them in another order.

use crate::code_base::{Change, CodeBase};
use crate::java::{Member, MemberKind, TypeKind};

pub(super) fn places(code: &CodeBase) -> Vec<Change> {
    let mut places = Vec::new();
    let types = code.types();
    for found in types.filter(|found| found.declaration.kind != TypeKind::Interface) {
        let source = &found.file.source;
        let is_instance_field = |member: &Member| {
            matches!(member.kind, MemberKind::Field { .. })
                && !member.has_modifier(source, "static")
        };
        for pair in found.declaration.members.windows(2) {
            if pair.iter().all(is_instance_field) {
                places.push(Change::swap(found.number, source, &pair[0], &pair[1]));
            }
        }
    }
    places
}
