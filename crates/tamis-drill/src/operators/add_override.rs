//! A method of a superclass is overridden: what was called before is not called any more.

use crate::code_base::{Change, CodeBase, TypeIn, constant_of, copy_of_method};
use crate::java::{Member, MemberKind, SourceText, TypeKind};

/// What every class inherits.
const OF_OBJECT: &[(&str, &str)] = &[
    (
        "toString",
        "public String toString() { return \"mutant\"; }",
    ),
    ("hashCode", "public int hashCode() { return 7; }"),
    (
        "equals",
        "public boolean equals(Object other) { return false; }",
    ),
];

/// What keeps a method from being overridden.
const FINAL: &[&str] = &["static", "private", "final", "abstract"];

pub(super) fn places(code: &CodeBase) -> Vec<Change> {
    let mut places = Vec::new();
    for found in code
        .types()
        .filter(|found| found.declaration.kind == TypeKind::Class)
    {
        let mut above = code.superclasses(found);
        for base in &above {
            let members = base.declaration.members.iter();
            places
                .extend(members.filter_map(|member| overriding(found, &base.file.source, member)));
        }
        above.push(found);
        for (name, text) in OF_OBJECT {
            let is_declared = above
                .iter()
                .any(|base| base.declaration.declares(&base.file.source, name));
            if !is_declared {
                places.push(Change::add_member(found, text));
            }
        }
    }
    places
}

fn overriding(found: TypeIn<'_>, source: &SourceText, member: &Member) -> Option<Change> {
    let MemberKind::Method {
        declared, name_at, ..
    } = &member.kind
    else {
        return None;
    };
    let is_final = FINAL.iter().any(|word| member.has_modifier(source, word));
    let is_declared = found
        .declaration
        .declares(&found.file.source, source.token(*name_at));
    if is_final || is_declared || declared.is_empty() {
        return None;
    }
    let body = match source.between(declared.start, declared.end) {
        "void" => String::new(),
        declared => format!("return {};", constant_of(declared)),
    };
    let text = copy_of_method(source, member, &["synchronized", "native"], &body)?;
    Some(Change::add_member(found, &text))
}
