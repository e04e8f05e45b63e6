//! Another hierarchy: a class between a class and its superclass, or an interface more.

use crate::code_base::{Change, CodeBase, Edit, TypeIn};
use crate::java::TypeKind;

pub(super) fn places(code: &CodeBase) -> Vec<Change> {
    let types = code
        .types()
        .filter(|found| found.declaration.kind == TypeKind::Class);
    types
        .flat_map(|found| [between(found), serializable(found)])
        .collect()
}

fn between(found: TypeIn<'_>) -> Change {
    const NAME: &str = "BetweenByDrill";
    let source = &found.file.source;
    let end = source.text.len();
    let (header, class) = if let Some(superclass) = &found.declaration.superclass {
        let range = source.start(superclass.start)..source.end(superclass.end - 1);
        let name = source.text[range.clone()].to_owned();
        let header = Edit {
            range,
            text: NAME.to_owned(),
        };
        (header, format!(" class {NAME} extends {name} {{ }}\n"))
    } else {
        let header = insertion(found, &format!(" extends {NAME}"));
        (header, format!(" class {NAME} {{ }}\n"))
    };
    let class = Edit {
        range: end..end,
        text: class,
    };
    Change::Source {
        file: found.number,
        edits: vec![header, class],
    }
}

fn serializable(found: TypeIn<'_>) -> Change {
    let source = &found.file.source;
    let edit = match found.declaration.implements {
        Some(implements) => {
            let at = source.end(implements);
            Edit {
                range: at..at,
                text: " java.io.Serializable,".to_owned(),
            }
        }
        None => insertion(found, " implements java.io.Serializable"),
    };
    Change::Source {
        file: found.number,
        edits: vec![edit],
    }
}

/// Something more in the header of a class, before what it implements.
fn insertion(found: TypeIn<'_>, text: &str) -> Edit {
    let next = found
        .declaration
        .implements
        .unwrap_or(found.declaration.open);
    let is_superclass = text.contains("extends");
    let next = if is_superclass {
        next
    } else {
        found.declaration.open
    };
    let at = found.file.source.end(next - 1);
    Edit {
        range: at..at,
        text: text.to_owned(),
    }
}
