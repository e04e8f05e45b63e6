//! The look-ups that a revision changes, in the words of stories.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use tamis_classfile::ClassFile;
use tamis_facts::ClassName;
use tamis_select::{By, ChangedLookUp, Declared, Found, Member, changed_look_ups};
use tamis_testkit::server::Classes;

/// The classes of a revision; those of the JDK are not seen.
struct Seen(BTreeMap<ClassName, Arc<Declared>>);

impl tamis_select::Classes for Seen {
    fn declared(&self, class: &ClassName) -> Result<Option<Arc<Declared>>, String> {
        Ok(self.0.get(class).cloned())
    }
}

impl Seen {
    fn new(classes: &Classes) -> Self {
        let declared = classes.iter().map(|(name, bytes)| {
            let class = ClassFile::parse(bytes).unwrap();
            let declared = Declared::of(&class).unwrap();
            (ClassName::from(name.as_str()), Arc::new(declared))
        });
        Self(declared.collect())
    }
}

/// All look-ups that find something else.
pub(crate) fn looked_up(old: &Classes, new: &Classes) -> BTreeSet<String> {
    let [old, new] = [old, new].map(Seen::new);
    let classes = old.0.keys().chain(new.0.keys());
    let classes: BTreeSet<&ClassName> = classes.collect();
    let changed = classes
        .into_iter()
        .flat_map(|class| changed_look_ups(class, &old, &new).unwrap());
    changed.map(|one| shown(&one)).collect()
}

fn shown(look_up: &ChangedLookUp) -> String {
    let member = match &look_up.member {
        Member::Method(id) => id.to_string(),
        Member::Field(id) => id.to_string(),
    };
    let class = &look_up.class;
    let by = match look_up.by {
        By::Receiver => format!("for {class}"),
        By::Name => format!("where {class} is named"),
    };
    let change = &look_up.change;
    let cause = match &change.change {
        Some((kind, class)) => format!("{kind} {class}"),
        None => "?".to_owned(),
    };
    let before = change.before.as_ref().map_or("?".to_owned(), found);
    let now = found(&change.now);
    format!("{cause}: {member} {before} -> {now} {by}")
}

fn found(found: &Found) -> String {
    match found {
        Found::Method(class) => class.to_string(),
        Found::Abstract => "abstract".to_owned(),
        Found::Ambiguous(classes) => {
            let names: Vec<String> = classes.iter().map(ToString::to_string).collect();
            names.join("|")
        }
        Found::Nothing => "nothing".to_owned(),
    }
}

/// Where the look-ups of a revision are not as expected.
pub(crate) fn other_look_ups(
    heading: &str,
    expected: &BTreeSet<String>,
    found: &BTreeSet<String>,
) -> Option<String> {
    if expected == found {
        return None;
    }
    let missing = expected.difference(found);
    let missing = missing.map(|look_up| format!("  expected {look_up}\n"));
    let more = found.difference(expected);
    let more = more.map(|look_up| format!("     found {look_up}\n"));
    Some(format!(
        "{heading}\n{}",
        missing.chain(more).collect::<String>()
    ))
}
