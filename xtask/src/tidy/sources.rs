//! Rules about source files: how they begin, how long they are, what they may be called and hold.

use std::ffi::OsStr;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use walkdir::{DirEntry, WalkDir};

/// Directories with source files of ours; not each need be there.
const DIRECTORIES: &[&str] = &["crates", "fuzz", "tests", "xtask"];

/// From here on a file needs a line in [`LONG_FILES`]; tests at its foot do not count.
const MAX_LINES: usize = 1000;

/// Files that are longer for a reason, and the reason.
const LONG_FILES: &[(&str, &str)] = &[];

/// Names that say nothing about what a file is for.
const EMPTY_NAMES: &[&str] = &["utils", "util", "helpers", "common", "misc", "types"];

/// Written in two halves, so that this file obeys its own rules.
const FORBIDDEN: &[(&str, &str)] = &[
    (
        concat!("#[", "ignore"),
        "a test is never switched off: assert today's answer and say what it should be",
    ),
    (
        concat!("todo", "!("),
        "unfinished code does not land; return an error that says so",
    ),
];

/// A source file as the rules see it.
#[derive(Debug, Clone, Copy)]
struct Source<'a> {
    /// From the root of the repository, with slashes.
    path: &'a str,
    text: &'a str,
}

/// What is wrong with the source files below `root`, sorted by file.
pub(crate) fn complaints(root: &Path) -> Result<Vec<String>> {
    let mut complaints = Vec::new();
    let directories = DIRECTORIES.iter().map(|name| root.join(name));
    for directory in directories.filter(|directory| directory.exists()) {
        let files = WalkDir::new(directory).sort_by_file_name().into_iter();
        for entry in files.filter_entry(is_ours) {
            let path = entry?.into_path();
            if path.extension() == Some(OsStr::new("rs")) {
                complaints.extend(complaints_about_file(root, &path)?);
            }
        }
    }
    Ok(complaints)
}

fn is_ours(entry: &DirEntry) -> bool {
    entry.file_name() != "target"
}

fn complaints_about_file(root: &Path, file: &Path) -> Result<Vec<String>> {
    let text =
        fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))?;
    let path = file
        .strip_prefix(root)?
        .to_string_lossy()
        .replace('\\', "/");
    Ok(check(Source {
        path: &path,
        text: &text,
    }))
}

/// Every complaint about one file.
fn check(source: Source<'_>) -> Vec<String> {
    let rules = [
        purpose,
        length,
        file_name,
        contents_of_root,
        forbidden_words,
        bare_reminders,
    ];
    let complaints = rules.iter().flat_map(|rule| rule(source));
    complaints
        .map(|(line, what)| format!("{}:{line}: {what}", source.path))
        .collect()
}

/// A line number and what is wrong there.
type Complaint = (usize, String);

/// A file opens with what it is for.
fn purpose(source: Source<'_>) -> Vec<Complaint> {
    if source.text.starts_with("//!") {
        return Vec::new();
    }
    vec![(
        1,
        "say in a first line of `//!` what this file is for".to_owned(),
    )]
}

/// A long file needs a reason.
fn length(source: Source<'_>) -> Vec<Complaint> {
    let n_lines = code_of(source).lines().count();
    let has_reason = LONG_FILES.iter().any(|(path, _)| *path == source.path);
    match (n_lines > MAX_LINES, has_reason) {
        (true, false) => vec![(
            MAX_LINES,
            format!("has {n_lines} lines; find the seam, or give the reason in LONG_FILES"),
        )],
        (false, true) => vec![(1, "is no longer long: remove it from LONG_FILES".to_owned())],
        _ => Vec::new(),
    }
}

/// A file is named after its idea.
fn file_name(source: Source<'_>) -> Vec<Complaint> {
    let parts = source.path.trim_end_matches(".rs").split('/');
    let empty = parts.filter(|part| EMPTY_NAMES.contains(part));
    empty
        .map(|name| {
            (
                1,
                format!("`{name}` says nothing: name it after what is in it"),
            )
        })
        .collect()
}

/// `lib.rs` and `mod.rs` are tables of contents.
fn contents_of_root(source: Source<'_>) -> Vec<Complaint> {
    let is_root = source.path.ends_with("/lib.rs") || source.path.ends_with("/mod.rs");
    let mut complaints = Vec::new();
    let mut inside_of = None;
    for (number, line) in numbered(source.text).filter(|_| is_root) {
        let line = line.trim();
        let end = inside_of.or_else(|| end_of_allowed_item(line));
        match end {
            None => complaints.push((
                number,
                "a crate's or module's root holds docs, `mod` lines and re-exports only".to_owned(),
            )),
            Some(end) => inside_of = (!line.ends_with(end)).then_some(end),
        }
    }
    complaints
}

/// How an item that begins with `line` ends, when such an item may stand in a root file.
fn end_of_allowed_item(line: &str) -> Option<&'static str> {
    if line.is_empty() || line.starts_with("//") {
        return Some("");
    }
    if line.starts_with("#[") || line.starts_with("#![") {
        return Some("]");
    }
    let public = line
        .strip_prefix("pub(crate) ")
        .or(line.strip_prefix("pub "));
    let is_module = public.unwrap_or(line).starts_with("mod ") && line.ends_with(';');
    let is_reexport = public.is_some_and(|item| item.starts_with("use "));
    (is_module || is_reexport).then_some(";")
}

/// Words that never land.
fn forbidden_words(source: Source<'_>) -> Vec<Complaint> {
    let mut complaints = Vec::new();
    for (number, line) in numbered(source.text) {
        let found = FORBIDDEN.iter().filter(|(word, _)| line.contains(word));
        complaints.extend(found.map(|(word, why)| (number, format!("`{word}`: {why}"))));
    }
    complaints
}

/// A reminder in a comment says what is to be done.
fn bare_reminders(source: Source<'_>) -> Vec<Complaint> {
    let comments = numbered(source.text).filter_map(|(number, line)| {
        let (_, comment) = line.split_once("//")?;
        Some((number, comment.trim_start_matches(['/', '!']).trim()))
    });
    let bare = comments.filter(|(_, comment)| {
        let rest = comment
            .strip_prefix("TODO")
            .or(comment.strip_prefix("FIXME"));
        rest.is_some_and(|rest| rest.split_whitespace().count() < 3)
    });
    bare.map(|(number, _)| (number, "say what is to be done, in a sentence".to_owned()))
        .collect()
}

/// The text before the tests at the foot of the file.
fn code_of(source: Source<'_>) -> &str {
    let tests = source.text.find("\n#[cfg(test)]\nmod tests {");
    &source.text[..tests.unwrap_or(source.text.len())]
}

fn numbered(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.lines()
        .enumerate()
        .map(|(index, line)| (index + 1, line))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn complaints_about(path: &str, text: &str) -> Vec<String> {
        check(Source { path, text })
    }

    #[test]
    fn a_good_file_has_no_complaints() {
        let text = "//! What it is for.\n\n// TODO: the second half of the table is missing.\n";
        assert!(complaints_about("crates/a/src/table.rs", text).is_empty());
    }

    #[test]
    fn a_file_without_a_purpose() {
        let found = complaints_about("crates/a/src/b.rs", "use std::fs;\n");
        assert_eq!(
            found,
            ["crates/a/src/b.rs:1: say in a first line of `//!` what this file is for"]
        );
    }

    #[test]
    fn names_that_say_nothing_as_file_or_directory() {
        for path in ["crates/a/src/utils.rs", "crates/a/src/common/b.rs"] {
            assert_eq!(complaints_about(path, "//! X.\n").len(), 1, "{path}");
        }
    }

    #[test]
    fn tests_do_not_count_as_lines() {
        let long = "fn f() {}\n".repeat(MAX_LINES - 1);
        let with_tests = format!("//! X.\n{long}\n#[cfg(test)]\nmod tests {{\n{long}}}\n");
        assert_eq!(complaints_about("crates/a/src/b.rs", &with_tests), [""; 0]);
        let too_long = format!("//! X.\n{long}{long}");
        assert_eq!(complaints_about("crates/a/src/b.rs", &too_long).len(), 1);
    }

    #[test]
    fn a_root_holds_docs_modules_and_reexports() {
        let good = "//! X.\n#![warn(\n    missing_docs\n)]\n\n/// Docs.\npub mod a;\nmod b;\n\
                    #[cfg(test)]\nmod c;\npub use b::{\n    D,\n    E,\n};\n";
        assert_eq!(complaints_about("crates/a/src/lib.rs", good), [""; 0]);
        let bad = "//! X.\nmod a;\nuse a::B;\nfn f() {\n    a::g();\n}\n";
        assert_eq!(complaints_about("crates/a/src/lib.rs", bad).len(), 4);
        assert_eq!(complaints_about("crates/a/src/a.rs", bad), [""; 0]);
    }

    #[test]
    fn switched_off_tests_and_unfinished_code() {
        let off = concat!("//! X.\n#[", "ignore = \"slow\"]\nfn t() { todo", "!() }\n");
        assert_eq!(complaints_about("crates/a/src/b.rs", off).len(), 2);
    }

    #[test]
    fn reminders_without_text() {
        let text = "//! X.\n// TODO\n// FIXME: later\nlet x = 1; // TODO fix\n";
        assert_eq!(complaints_about("crates/a/src/b.rs", text).len(), 3);
    }
}
