//! Another file beside the classes: half of it, none, or one that nobody knows.

use crate::code_base::{Change, CodeBase, ResourceEdit};

pub(super) fn places(code: &CodeBase) -> Vec<Change> {
    // What describes the jar is read by no test.
    let resources = code
        .resources
        .iter()
        .filter(|path| !path.starts_with("META-INF"));
    let mut places: Vec<Change> = resources
        .flat_map(|path| {
            [ResourceEdit::Halve, ResourceEdit::Delete].map(|edit| Change::Resource {
                path: path.clone(),
                edit,
            })
        })
        .collect();
    places.push(Change::Resource {
        path: "added.properties".into(),
        edit: ResourceEdit::Create,
    });
    places
}
