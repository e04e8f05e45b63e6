//! What looking for members finds on both sides of a comparison (SPEC 2.5).
//!
//! A class is looked for by the name that its file has in it. Where several files have the same name, as the variants of a
//! multi-release jar do, the one counts whose path is that name.

use std::collections::BTreeMap;
use std::sync::Arc;

use tamis_build::{ClassSource, ListedClass};
use tamis_classfile::ClassFile;
use tamis_facts::ClassName;
use tamis_select::{Classes, Declared, changed_look_ups};

use super::{Comparison, Side};
use crate::reading::stem;

/// Adds the look-ups that find something else. Both sides extend the libraries.
pub(super) fn add(
    comparison: &mut Comparison,
    old: &Side<'_>,
    new: &Side<'_>,
    libraries: &[Side<'_>],
) {
    // Nothing changed: nothing is found elsewhere.
    if comparison.report.summary.n_changed == 0 {
        return;
    }
    let mut below = Seen::default();
    for library in libraries {
        below.add(&library.source);
    }
    let [old, new] = [old, new].map(|side| {
        let mut own = Seen::default();
        own.add(&side.source);
        Stack { own, below: &below }
    });
    for class in old
        .own
        .0
        .keys()
        .filter(|class| new.own.0.contains_key(class))
    {
        match changed_look_ups(class, &old, &new) {
            Ok(changed) => {
                for one in &changed {
                    comparison.report.push_look_up(one);
                }
            }
            Err(reason) => comparison.report.push_unknown_look_ups(class, reason),
        }
    }
}

/// What classes declare, or why that is not known.
#[derive(Default)]
struct Seen(BTreeMap<ClassName, Result<Arc<Declared>, String>>);

/// The classes of a side, with the libraries behind them.
struct Stack<'s> {
    own: Seen,
    below: &'s Seen,
}

impl Seen {
    fn add(&mut self, source: &ClassSource) {
        for class in source.classes() {
            let (name, declared) = read(class);
            if name.as_bytes() == stem(class.path()).as_bytes() {
                self.0.insert(name, declared);
            } else {
                self.0.entry(name).or_insert(declared);
            }
        }
    }
}

/// What a class file says, by the name in it; of one that is not understood, by that of the file.
fn read(class: &ListedClass) -> (ClassName, Result<Arc<Declared>, String>) {
    let entry = match class.read() {
        Ok(entry) => entry,
        Err(error) => {
            let reason = format!("{} cannot be read", error.location);
            return (stem(class.path()).into(), Err(reason));
        }
    };
    let understood = ClassFile::parse(&entry.bytes).and_then(|class| {
        let name = ClassName::from(class.name()?);
        Ok((name, Declared::of(&class)?))
    });
    if let Ok((name, declared)) = understood {
        return (name, Ok(Arc::new(declared)));
    }
    let reason = format!("{} is not understood", class.location());
    (stem(class.path()).into(), Err(reason))
}

impl Classes for Stack<'_> {
    fn declared(&self, class: &ClassName) -> Result<Option<Arc<Declared>>, String> {
        let found = self.own.0.get(class).or_else(|| self.below.0.get(class));
        found.cloned().transpose()
    }
}
