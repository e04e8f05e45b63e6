//! Another access flag of a method: what was private can be overridden, what was public no longer called.

use crate::code_base::{Change, CodeBase};
use crate::java::MemberKind;

/// From, to.
const OTHERS: &[(&str, &str)] = &[
    ("private", ""),
    ("private", "public"),
    ("protected", "public"),
    ("public", "protected"),
    ("public", ""),
];

pub(super) fn places(code: &CodeBase) -> Vec<Change> {
    let mut places = Vec::new();
    for found in code.main_types() {
        let source = &found.file.source;
        let members = found.declaration.members.iter();
        for member in members.filter(|member| matches!(member.kind, MemberKind::Method { .. })) {
            for (from, to) in OTHERS {
                let modifier = member.modifier(source, from);
                places.extend(modifier.map(|at| Change::token(found.number, source, at, *to)));
            }
        }
    }
    places
}
