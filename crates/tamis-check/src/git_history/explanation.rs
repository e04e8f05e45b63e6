//! Why Tamis selects what HyRTS does not: by the kinds of facts that broke, as Tamis tells them.
//!
//! Tamis knows kinds of facts that HyRTS has not: files, fields (constants too), static initialisers of classes that were used (HyRTS knows those
//! alone who ran one), and what earlier tests relied on that may have left something in the JVM. What is selected for the sake of one of these is explained; what
//! is selected only for kinds that both have is not.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use serde::Serialize;
use serde_json::Value;

/// A mesh of Tamis beside the variant of HyRTS that is like it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pair {
    pub ours: &'static str,
    pub theirs: &'static str,
    /// Kinds that both have.
    shared: &'static [&'static str],
}

/// HyRTSf takes a class as changed with what it declares and its instance methods, as `head` does; HyRTS knows which
/// method a call finds.
pub(super) const PAIRS: &[Pair] = &[
    Pair {
        ours: "tamis-method",
        theirs: "hyrtsf",
        shared: &["method", "head", "new"],
    },
    Pair {
        ours: "tamis-dispatch",
        theirs: "hyrts",
        shared: &["method", "declaration", "dispatch", "new"],
    },
];

/// A test class that Tamis selects and HyRTS does not.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Extra {
    pub ours: &'static str,
    pub theirs: &'static str,
    pub class: String,
    /// The kinds of facts that broke, or what else decided.
    pub kinds: Vec<String>,
    /// Whether all of them are kinds that both have.
    pub is_other: bool,
}

/// By test class: the kinds for which it was selected.
pub type Explanations = BTreeMap<String, BTreeSet<String>>;

impl Pair {
    /// What the one selects and the other does not.
    pub(super) fn extra(
        &self,
        ours: &[String],
        theirs: &[String],
        explanations: &Explanations,
    ) -> Vec<Extra> {
        let alone = ours.iter().filter(|class| !theirs.contains(class));
        alone
            .map(|class| {
                let kinds = explanations.get(class);
                let is_shared = |kind: &String| self.shared.contains(&kind.as_str());
                Extra {
                    ours: self.ours,
                    theirs: self.theirs,
                    class: class.clone(),
                    kinds: kinds.into_iter().flatten().cloned().collect(),
                    is_other: kinds.is_none_or(|kinds| kinds.iter().all(is_shared)),
                }
            })
            .collect()
    }
}

/// What a report of `tamis test` says; nothing if it cannot be read. It is asked of classes that declare something else
/// than before whether only fields did.
pub(super) fn read(report: &Path, is_by_fields: &dyn Fn(&str) -> bool) -> Explanations {
    let text = fs::read(report).unwrap_or_default();
    let report: Value = serde_json::from_slice(&text).unwrap_or_default();
    let entities = report["entities"].as_array();
    let mut explanations = Explanations::new();
    for entity in entities.into_iter().flatten() {
        if entity["is_selected"] == true {
            let name = entity["name"].as_str().unwrap_or_default();
            let kinds = explanations.entry(class_of(name)).or_default();
            kinds.extend(kinds_of(entity, is_by_fields));
        }
    }
    explanations
}

/// A test class by its name in source.
fn class_of(name: &str) -> String {
    name.replace('/', ".")
}

/// Of the record that is nearest to today, for the others may be of long ago.
fn kinds_of(entity: &Value, is_by_fields: &dyn Fn(&str) -> bool) -> BTreeSet<String> {
    let decision = entity["decision"]["kind"].as_str().unwrap_or("unknown");
    let record = ["nearest", "newest"]
        .map(|record| &entity[record])
        .into_iter()
        .find(|record| record.is_object());
    let broken = record.and_then(|record| record["broken"].as_array());
    let subjects = broken.into_iter().flatten();
    let subjects = subjects.filter_map(|fact| kind_of(fact, is_by_fields));
    let subjects: BTreeSet<String> = subjects.collect();
    if decision == "broken" && !subjects.is_empty() {
        return subjects;
    }
    BTreeSet::from([decision.to_owned()])
}

/// The kind of a fact. What counts because of earlier tests is a kind of its own, and so are static initialisers, which run once
/// for all tests of a JVM.
fn kind_of(fact: &Value, is_by_fields: &dyn Fn(&str) -> bool) -> Option<String> {
    let subject = fact["subject"].as_str()?;
    let is_declaration = ["head", "declaration"].contains(&subject);
    let kind = match (&fact["is_inherited"], &fact["name"]) {
        (Value::Bool(true), _) => "inherited",
        (_, Value::String(name)) if name == "<clinit>" => "initialiser",
        _ if is_declaration && fact["class"].as_str().is_some_and(is_by_fields) => "fields",
        _ => subject,
    };
    Some(kind.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_that_only_one_has_explain_and_others_do_not() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("report.json");
        let report = r#"{"entities": [
            {"name": "p.A", "is_selected": true, "decision": {"kind": "broken"},
             "nearest": {"broken": [{"subject": "method"}, {"subject": "file"}]}},
            {"name": "p.B", "is_selected": true, "decision": {"kind": "broken"},
             "nearest": null, "newest": {"broken": [{"subject": "method"}]}},
            {"name": "p.C", "is_selected": true, "decision": {"kind": "companion"}},
            {"name": "p.F", "is_selected": true, "decision": {"kind": "broken"},
             "newest": {"broken": [{"subject": "method", "is_inherited": true}]}},
            {"name": "p.G", "is_selected": true, "decision": {"kind": "broken"},
             "newest": {"broken": [{"subject": "method", "name": "<clinit>"}, {"subject": "method", "name": "m"}]}},
            {"name": "p.H", "is_selected": true, "decision": {"kind": "broken"},
             "newest": {"broken": [{"subject": "head", "class": "p/Constants"}]}},
            {"name": "p.I", "is_selected": true, "decision": {"kind": "broken"},
             "newest": {"broken": [{"subject": "head", "class": "p/Other"}]}},
            {"name": "p.D", "is_selected": false, "decision": {"kind": "skip"}}]}"#;
        fs::write(&file, report).unwrap();
        let explanations = read(&file, &|class| class == "p/Constants");
        assert_eq!(explanations.len(), 7);
        let ours = ["p.A", "p.B", "p.C", "p.E", "p.F", "p.G", "p.H", "p.I"].map(str::to_owned);
        let extra = PAIRS[0].extra(&ours, &["p.C".to_owned()], &explanations);
        let found: Vec<_> = extra
            .iter()
            .map(|extra| (extra.class.as_str(), extra.kinds.join(" "), extra.is_other))
            .collect();
        let expected = [
            ("p.A", "file method".to_owned(), false),
            ("p.B", "method".to_owned(), true),
            ("p.E", String::new(), true),
            ("p.F", "inherited".to_owned(), false),
            ("p.G", "initialiser method".to_owned(), false),
            ("p.H", "fields".to_owned(), false),
            ("p.I", "head".to_owned(), true),
        ];
        assert_eq!(found, expected);
    }

    #[test]
    fn a_report_that_is_none_explains_nothing() {
        assert!(read(Path::new("/nothing"), &|_| false).is_empty());
    }
}
