//! What edited classes say, in the words of ASM and of `javap`.

use std::collections::BTreeMap;

use tamis_build::Jdk;
use tamis_testkit::javap::javap;
use tamis_testkit::server::JavaServer;

use crate::classes::Class;
use crate::edits::{Edit, Edited, Effect, SEED};

/// Of the classes that ASM looks at, `javap`, which is slow, sees one in this many.
pub(crate) const JAVAP_STEP: usize = 5;

/// The numbers of one test.
pub(crate) struct Tally {
    name: String,
    edited: BTreeMap<Edit, usize>,
    /// By edit and reason.
    refused: BTreeMap<(Edit, String), usize>,
    differences: Vec<String>,
}

/// Attributes that compilers add for themselves, whose layout nobody tells.
const KNOWN_REFUSALS: [&str; 1] = ["the attribute ScalaInlineInfo may hold constant indices"];

/// More differences than these are counted, not shown.
const N_SHOWN: usize = 10;

impl Tally {
    pub(crate) fn new(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            edited: BTreeMap::new(),
            refused: BTreeMap::new(),
            differences: Vec::new(),
        }
    }

    /// Prints the numbers; fails on a difference and on a refusal that nobody knows.
    pub(crate) fn finish(self) {
        println!("{}, seed {SEED}:", self.name);
        for (edit, count) in &self.edited {
            println!("  {edit:?}: {count} classes");
        }
        for ((edit, reason), count) in &self.refused {
            println!("  {edit:?}: {count} refused: {reason}");
        }
        println!("  {} differences", self.differences.len());
        for difference in self.differences.iter().take(N_SHOWN) {
            println!("{difference}");
        }
        assert!(
            self.differences.is_empty(),
            "{}: see the differences above",
            self.name
        );
        for (_, reason) in self.refused.keys() {
            let is_known = KNOWN_REFUSALS.iter().any(|known| reason.contains(known));
            assert!(is_known, "{}: refused: {reason}", self.name);
        }
        assert!(
            !self.edited.is_empty(),
            "{}: no class was edited",
            self.name
        );
    }

    /// The classes that the edit does something to, with what it made of them.
    fn edit<'c>(&mut self, edit: Edit, classes: &'c [Class]) -> Vec<(&'c Class, Edited)> {
        let mut all = Vec::new();
        for class in classes {
            match edit.apply(&class.bytes) {
                Ok(Some(edited)) => all.push((class, edited)),
                Ok(None) => {}
                Err(error) => {
                    let reason = error.message().to_owned();
                    *self.refused.entry((edit, reason)).or_default() += 1;
                }
            }
        }
        *self.edited.entry(edit).or_default() += all.len();
        all
    }

    fn compare(&mut self, edit: Edit, class: &Class, expected: &str, found: &str) {
        if expected == found {
            return;
        }
        let mut lines = expected.lines().zip(found.lines());
        let at = lines.position(|(expected, found)| expected != found);
        let shown = |text: &str| {
            let lines = text.lines().skip(at.unwrap_or_default().saturating_sub(3));
            lines.take(8).collect::<Vec<_>>().join("\n")
        };
        self.differences.push(format!(
            "{edit:?} {}:\n--- expected\n{}\n--- found\n{}",
            class.location,
            shown(expected),
            shown(found)
        ));
    }
}

pub(crate) fn compare_by_asm(
    server: &mut JavaServer,
    edit: Edit,
    classes: &[Class],
    tally: &mut Tally,
) {
    let pairs = tally.edit(edit, classes);
    let plain: Vec<&[u8]> = pairs.iter().map(|(class, _)| &class.bytes[..]).collect();
    let edited: Vec<&[u8]> = pairs.iter().map(|(_, edited)| &edited.bytes[..]).collect();
    let expected = match edit {
        Edit::DebugInfoRemoved => server.texts_without_debug_info(&plain).unwrap(),
        _ => server.texts(&plain).unwrap(),
    };
    let found = server.texts(&edited).unwrap();
    for ((class, edited), (expected, found)) in pairs.iter().zip(expected.into_iter().zip(found)) {
        let expected = expected.unwrap_or_else(|trace| panic!("{}: {trace}", class.location));
        let found = found.unwrap_or_else(|trace| panic!("{edit:?} {}: {trace}", class.location));
        let (expected, found) = with_effect(&edited.effect, expected, found);
        tally.compare(edit, class, &expected, &found);
    }
}

/// Makes texts equal that differ by nothing but the effect.
fn with_effect(effect: &Effect, expected: String, found: String) -> (String, String) {
    match effect {
        Effect::None | Effect::NoDebugInfo => (expected, found),
        Effect::Renamed(old, new) => {
            let literal = format!("\"{old}\"");
            (expected.replace(&literal, &format!("\"{new}\"")), found)
        }
        Effect::Added(method) => (expected, found.replacen(method, "", 1)),
    }
}

pub(crate) fn compare_by_javap(jdk: &Jdk, classes: &[Class], tally: &mut Tally) {
    let pairs = tally.edit(Edit::Permuted, classes);
    if pairs.is_empty() {
        return;
    }
    let plain: Vec<&[u8]> = pairs.iter().map(|(class, _)| &class.bytes[..]).collect();
    let edited: Vec<&[u8]> = pairs.iter().map(|(_, edited)| &edited.bytes[..]).collect();
    let (expected, found) = (javap(jdk, &plain).unwrap(), javap(jdk, &edited).unwrap());
    for ((class, _), (expected, found)) in pairs.iter().zip(expected.iter().zip(&found)) {
        tally.compare(Edit::Permuted, class, expected, found);
    }
}
