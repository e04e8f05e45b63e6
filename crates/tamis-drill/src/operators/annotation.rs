//! An annotation comes or goes: `@Deprecated` in the library, `@Test` and its opposites in the tests.

use crate::code_base::{Change, CodeBase, Part, TypeIn};
use crate::java::MemberKind;

pub(super) fn places(code: &CodeBase) -> Vec<Change> {
    let mut places = Vec::new();
    for found in code.types() {
        match found.file.part {
            Part::Main => places.extend(deprecated(found)),
            Part::Tests => places.extend(of_tests(found)),
        }
    }
    places
}

fn deprecated(found: TypeIn<'_>) -> Vec<Change> {
    let source = &found.file.source;
    let insert = |first: usize| {
        let at = source.start(first);
        Change::edit(found.number, at..at, "@Deprecated ")
    };
    let members = found.declaration.members.iter();
    let members = members.filter(|member| {
        let is_method = matches!(member.kind, MemberKind::Method { .. });
        is_method && member.annotation(source, "Deprecated").is_none()
    });
    let mut changes = vec![insert(found.declaration.first)];
    changes.extend(members.map(|member| insert(member.first)));
    changes
}

fn of_tests(found: TypeIn<'_>) -> Vec<Change> {
    let source = &found.file.source;
    let disabled = if source.text.contains("org.junit.jupiter") {
        "@org.junit.jupiter.api.Disabled "
    } else {
        "@org.junit.Ignore "
    };
    let mut changes = Vec::new();
    for member in &found.declaration.members {
        let Some(test) = member.annotation(source, "Test") else {
            continue;
        };
        let first = source.start(member.first);
        changes.push(Change::edit(found.number, first..first, disabled));
        let range = source.start(test.start)..source.end(test.end - 1);
        changes.push(Change::edit(found.number, range, ""));
    }
    changes
}
