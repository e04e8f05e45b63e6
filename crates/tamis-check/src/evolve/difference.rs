//! What an operator changes, as lines that tests can compare.

use std::collections::BTreeMap;

use crate::program::Program;
use crate::render;

/// How many places there are, and what changes at the first few.
pub(super) fn differences(before: &Program, changed: &[Program]) -> String {
    let mut text = format!("places: {}\n", changed.len());
    for (number, after) in changed.iter().take(4).enumerate() {
        text.extend([format!("{number}\n"), difference(before, after)]);
    }
    text
}

/// The files and lines that only one of two revisions has.
pub(super) fn difference(before: &Program, after: &Program) -> String {
    let files = |program| {
        let files = render::files(program, "p").into_iter();
        let files = files.map(|file| (file.path, file.text));
        files.collect::<BTreeMap<_, _>>()
    };
    let (old, new) = (files(before), files(after));
    let only = |sign: &str, these: &BTreeMap<String, String>, those: &BTreeMap<String, String>| {
        let paths = these.keys().filter(|path| !those.contains_key(*path));
        let lines: Vec<_> = paths.map(|path| format!("  {sign} {path}\n")).collect();
        lines.concat()
    };
    let mut text = only("-", &old, &new) + &only("+", &new, &old);
    for (path, old) in &old {
        let Some(new) = new.get(path).filter(|new| *new != old) else {
            continue;
        };
        text.extend([
            format!("  {path}\n"),
            surplus("-", old, new),
            surplus("+", new, old),
        ]);
    }
    text
}

/// The lines that a text has more often than another.
fn surplus(sign: &str, text: &str, other: &str) -> String {
    let mut rest: Vec<_> = other.lines().collect();
    let mut surplus = String::new();
    for line in text.lines() {
        match rest.iter().position(|known| *known == line) {
            Some(at) => {
                rest.remove(at);
            }
            None => surplus.extend(["    ", sign, " ", line.trim(), "\n"]),
        }
    }
    surplus
}
