//! What changed in a class: as a story says it, and as it is found.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use anyhow::{Context, Result, bail};
use tamis_classfile::checksum::DebugInfo;
use tamis_select::{Change, ChangedBlocks, ClassState, Parts, Subject, diff};
use tamis_testkit::server::Classes;

/// One thing that changed in a class, as a story says it and as `diff` finds it.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Finding {
    /// `CIM f()V`, `CH`, `plain`.
    what: String,
    /// `0 2`, `all`; none where a story does not say.
    blocks: Option<String>,
}

/// `A: CIM f()V blocks 0 2, CM`.
pub(crate) fn parse_expectation(text: &str) -> Result<(String, Vec<Finding>)> {
    let (class, findings) = text.split_once(": ").context("no colon")?;
    let findings = findings
        .split(',')
        .map(|finding| Finding::parse(finding.trim()));
    let mut findings = findings.collect::<Result<Vec<_>>>()?;
    findings.sort();
    Ok((class.to_owned(), findings))
}

impl Finding {
    fn parse(text: &str) -> Result<Self> {
        let (what, blocks) = match text.split_once(" blocks ") {
            Some((what, blocks)) => (what, Some(blocks.to_owned())),
            None => (text, None),
        };
        let n_words = what.split(' ').count();
        if what.is_empty() || n_words > 2 {
            bail!("not a change: `{text}`");
        }
        Ok(Self {
            what: what.to_owned(),
            blocks,
        })
    }

    fn word(what: &str) -> Self {
        Self {
            what: what.to_owned(),
            blocks: None,
        }
    }
}

impl From<&Change> for Finding {
    fn from(change: &Change) -> Self {
        let what = match &change.subject {
            Subject::Class => change.kind.to_string(),
            Subject::Field(id) => format!("{} {id}", change.kind),
            Subject::Method(id) => format!("{} {id}", change.kind),
        };
        let blocks = change.blocks.as_ref().map(|blocks| match blocks {
            ChangedBlocks::All { .. } => "all".to_owned(),
            ChangedBlocks::Some(numbers) => {
                let numbers: Vec<String> = numbers.iter().map(u32::to_string).collect();
                numbers.join(" ")
            }
        });
        Self { what, blocks }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.what)?;
        match &self.blocks {
            Some(blocks) => write!(f, " blocks {blocks}"),
            None => Ok(()),
        }
    }
}

/// By class: what a revision changed.
pub(crate) fn findings(
    old: &Classes,
    new: &Classes,
    debug_info: DebugInfo,
) -> BTreeMap<String, Vec<Finding>> {
    let names: BTreeSet<&String> = old.keys().chain(new.keys()).collect();
    names
        .into_iter()
        .map(|name| {
            let state = |bytes| ClassState::of(bytes, debug_info);
            let old = old.get(name).map(|bytes| state(bytes));
            let new = new.get(name).map(|bytes| state(bytes));
            (name.clone(), findings_of(old.as_ref(), new.as_ref()))
        })
        .filter(|(_, findings)| !findings.is_empty())
        .collect()
}

fn findings_of(old: Option<&ClassState<'_>>, new: Option<&ClassState<'_>>) -> Vec<Finding> {
    let changes = diff(old, new);
    let mut findings: Vec<Finding> = changes.iter().map(Finding::from).collect();
    if let (Some(old), Some(new)) = (old, new) {
        findings.extend(findings_of_both(old, new, changes.is_empty()));
    }
    findings.sort();
    findings
}

/// What the checksums of a class that is on both sides say beside its changes.
fn findings_of_both(old: &ClassState<'_>, new: &ClassState<'_>, is_equal: bool) -> Vec<Finding> {
    let (old_parts, new_parts) = (old.parts.as_ref().unwrap(), new.parts.as_ref().unwrap());
    let (old_sums, new_sums) = (&old_parts.checksums, &new_parts.checksums);
    let is_smart_equal = old.smart() == new.smart();
    assert!(
        is_equal || !is_smart_equal,
        "{} changed, and its smart checksum did not",
        new_sums.name
    );
    assert!(
        !is_equal || are_parts_equal(old_parts, new_parts),
        "{} changed, and nothing says where",
        new_sums.name
    );
    let word = if !is_smart_equal && is_equal {
        "smart"
    } else if is_equal && old.plain != new.plain {
        "plain"
    } else if old_sums.head == new_sums.head && old_sums.signatures != new_sums.signatures {
        "signatures"
    } else {
        return Vec::new();
    };
    vec![Finding::word(word)]
}

/// Whether every finer checksum is equal, those of blocks included.
fn are_parts_equal(old: &Parts<'_>, new: &Parts<'_>) -> bool {
    let (old_sums, new_sums) = (&old.checksums, &new.checksums);
    old_sums.head == new_sums.head
        && old_sums.signatures == new_sums.signatures
        && old_sums.members == new_sums.members
        && old_sums.listing == new_sums.listing
        && old_sums.fields == new_sums.fields
        && method_parts(old) == method_parts(new)
}

/// The checksums of all methods and their blocks, whatever the order of the methods.
fn method_parts(parts: &Parts<'_>) -> BTreeSet<String> {
    let methods = parts.checksums.methods.iter().zip(0..);
    methods
        .map(|(method, position)| {
            let blocks = parts.blocks(position).unwrap();
            let sums = blocks.map(|blocks| blocks.checksums);
            format!("{} {sums:?}", method.checksum)
        })
        .collect()
}

/// Where a revision is not as expected, by class; blocks that the story does not speak of do not count.
pub(crate) fn difference(
    heading: &str,
    expected: &BTreeMap<String, Vec<Finding>>,
    mut found: BTreeMap<String, Vec<Finding>>,
) -> Option<String> {
    for (class, findings) in &mut found {
        let expected = expected.get(class);
        findings.retain(|finding| finding.what != "plain" || expected.is_some());
        for finding in findings {
            let wanted = expected.and_then(|all| all.iter().find(|e| e.what == finding.what));
            if wanted.is_some_and(|wanted| wanted.blocks.is_none()) {
                finding.blocks = None;
            }
        }
    }
    found.retain(|_, findings| !findings.is_empty());
    if *expected == found {
        return None;
    }
    let mut text = format!("{heading}\n");
    let classes: BTreeSet<&String> = expected.keys().chain(found.keys()).collect();
    for class in classes {
        let (expected, found) = (expected.get(class), found.get(class));
        if expected != found {
            let (expected, found) = (shown(expected), shown(found));
            text.extend([
                format!("  expected {class}: {expected}\n"),
                format!("     found {class}: {found}\n"),
            ]);
        }
    }
    Some(text)
}

fn shown(findings: Option<&Vec<Finding>>) -> String {
    match findings {
        None => "=".to_owned(),
        Some(findings) => {
            let findings: Vec<String> = findings.iter().map(Finding::to_string).collect();
            findings.join(", ")
        }
    }
}
