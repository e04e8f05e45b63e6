//! A static of a superclass is hidden by one of a class between it and whoever names it.

use crate::code_base::{Change, CodeBase, TypeIn, constant_of, copy_of_method};
use crate::java::{Member, MemberKind, TypeKind};

pub(super) fn places(code: &CodeBase) -> Vec<Change> {
    let (mut looked_for, mut others) = (Vec::new(), Vec::new());
    for found in code
        .types()
        .filter(|found| found.declaration.kind == TypeKind::Class)
    {
        for above in code.superclasses(found) {
            for member in &above.declaration.members {
                let Some((name, hiding)) = hiding(found, above, member) else {
                    continue;
                };
                let change = Change::add_member(found, &hiding);
                if is_named(code, found, name) {
                    looked_for.push(change);
                } else {
                    others.push(change);
                }
            }
        }
    }
    if looked_for.is_empty() {
        others
    } else {
        looked_for
    }
}

/// The name of a static that a class inherits, and the declaration that hides it.
fn hiding<'c>(found: TypeIn<'_>, above: TypeIn<'c>, member: &Member) -> Option<(&'c str, String)> {
    let source = &above.file.source;
    let name = source.token(member.name_at()?);
    let is_inherited =
        member.has_modifier(source, "static") && !member.has_modifier(source, "private");
    if !is_inherited || found.declaration.declares(&found.file.source, name) {
        return None;
    }
    let text = match &member.kind {
        MemberKind::Field { declared, .. } => {
            let declared = source.between(declared.start, declared.end);
            let modifiers = member.modifiers.iter().map(|number| source.token(*number));
            let modifiers: Vec<&str> = modifiers.collect();
            let value = constant_of(declared);
            format!("{} {declared} {name} = {value};", modifiers.join(" "))
        }
        _ => copy_of_method(
            source,
            member,
            &[],
            "throw new IllegalStateException(\"hidden\");",
        )?,
    };
    Some((name, text))
}

/// Whether somebody looks for this name in this class: it does so itself, or another class names both.
fn is_named(code: &CodeBase, found: TypeIn<'_>, name: &str) -> bool {
    let class = &found.declaration.name;
    let own = &found.file.source;
    let members = found.declaration.open..found.declaration.close;
    let in_class = members
        .clone()
        .any(|at| own.token(at) == name && own.token(at - 1) != ".");
    in_class
        || code.files.iter().any(|file| {
            let source = &file.source;
            (0..source.n_tokens()).any(|at| {
                source.token(at) == class
                    && source.token(at + 1) == "."
                    && source.token(at + 2) == name
            })
        })
}
