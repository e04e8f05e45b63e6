//! What the engine would run, from the records of the library as it is.

use std::collections::{BTreeMap, BTreeSet};
use std::iter;

use anyhow::{Result, ensure};
use serde::{Deserialize, Serialize};
use tamis_engine::{EntityReport, TestOptions};
use tamis_facts::{Mesh, Subject, SubjectKind};
use tamis_select::{Decision, Reason};
use tamis_wire::Granularity;

use crate::baseline::Baseline;
use crate::outcomes::TestName;

/// The meshes that a drill looks at, from coarse to fine.
pub(crate) const MESHES: &[(&str, Mesh)] = &[
    ("file", Mesh::File),
    ("method", Mesh::Method),
    ("dispatch", Mesh::Dispatch),
    ("block", Mesh::Block),
];

/// What would run under a mesh.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Selection {
    pub(crate) n_entities: usize,
    /// What would run of all: of the entities, or of the tests where classes and methods are both entities.
    pub(crate) share: f64,
    /// Entities that would run, with what they saw in the nearest record and is not so any more, or why else they run.
    pub(crate) selected: BTreeMap<String, BTreeSet<String>>,
    /// How many of those have broken facts of a kind in the nearest record.
    pub(crate) kinds: BTreeMap<String, usize>,
    /// Entities that would be skipped, and what was said of them.
    pub(crate) skipped: BTreeMap<String, String>,
}

impl Selection {
    /// Asks for what would run now.
    pub(crate) fn ask(baseline: &Baseline, mesh: Mesh) -> Result<Self> {
        let options = TestOptions {
            mesh,
            granularity: baseline.granularity,
            ..TestOptions::default()
        };
        let report = tamis_engine::select(None, &baseline.project, &options)?;
        let mut selection = Self {
            n_entities: report.entities.len(),
            ..Self::default()
        };
        for entity in &report.entities {
            selection.add(entity);
        }
        selection.share = match baseline.granularity {
            Granularity::Class => share(selection.selected.len(), selection.n_entities),
            Granularity::Method => {
                let names: Vec<TestName> = baseline.outcomes.names().collect();
                let lost = names
                    .iter()
                    .find(|name| selection.entity_of(name).is_none());
                // Of a test without an entity nothing is said, and so nothing could be missed.
                ensure!(lost.is_none(), "no entity has {lost:?}");
                let selected = names.iter().filter(|name| selection.skips(name).is_none());
                share(selected.count(), names.len())
            }
        };
        Ok(selection)
    }

    fn add(&mut self, entity: &EntityReport) {
        let name = entity.id.test.to_string();
        let explanation = &entity.explanation;
        let nearest = explanation.nearest.as_ref().or(explanation.newest.as_ref());
        if entity.is_selected() {
            let broken = nearest.into_iter().flat_map(|record| &record.broken);
            let broken: BTreeSet<&Subject> = broken.map(|fact| &fact.subject).collect();
            let kinds: BTreeSet<SubjectKind> =
                broken.iter().map(|subject| subject.kind()).collect();
            for kind in kinds {
                *self.kinds.entry(kind.to_string()).or_default() += 1;
            }
            let mut facts: BTreeSet<String> = broken.iter().map(ToString::to_string).collect();
            if facts.is_empty() {
                facts.extend(reason(&explanation.decision));
            }
            self.selected.insert(name, facts);
        } else {
            let n_facts = nearest.map_or(0, |record| record.n_facts);
            let text = format!("{:?}, {n_facts} facts, all true", explanation.decision);
            self.skipped.insert(name, text);
        }
    }

    /// What was said of the entity that a test belongs to, if it would be skipped.
    pub(crate) fn skips(&self, test: &TestName) -> Option<&str> {
        self.skipped.get(&self.entity_of(test)?).map(String::as_str)
    }

    fn entity_of(&self, test: &TestName) -> Option<String> {
        let is_known =
            |name: &str| self.selected.contains_key(name) || self.skipped.contains_key(name);
        entities_of(test).find(|name| is_known(name))
    }

    /// The entities that would run here and are not in one that would run there.
    pub(crate) fn beyond<'s>(&'s self, coarser: &'s Self) -> impl Iterator<Item = &'s String> {
        let runs_there = |name: &str| {
            let class = name.split('#').next().unwrap_or(name);
            [name, class]
                .into_iter()
                .any(|name| coarser.selected.contains_key(name))
        };
        self.selected.keys().filter(move |name| !runs_there(name))
    }
}

/// Why an entity runs of which all is true that it saw.
fn reason(decision: &Decision) -> Option<String> {
    match decision {
        Decision::Skip(_) => None,
        Decision::Run(Reason::Companion(other)) => {
            Some(format!("what it leaves for {}", other.test))
        }
        Decision::Run(reason) => Some(format!("{reason:?}")),
    }
}

/// What an entity may be called that has a test, the smallest first: its run, its method, its class.
fn entities_of(test: &TestName) -> impl Iterator<Item = String> {
    let TestName { class, path } = test;
    let ends = path.rmatch_indices('/').map(|(end, _)| end);
    let methods = iter::once(path.len()).chain(ends);
    let methods = methods.map(move |end| format!("{class}#{}", &path[..end]));
    methods.chain(iter::once(class.clone()))
}

fn share(n_selected: usize, n_all: usize) -> f64 {
    #[expect(clippy::cast_precision_loss, reason = "a library has few tests")]
    let share = n_selected as f64 / n_all.max(1) as f64;
    share
}

#[cfg(test)]
mod tests {
    use super::*;

    fn selection(selected: &[&str], skipped: &[&str]) -> Selection {
        let owned = |name: &&str| (*name).to_owned();
        Selection {
            selected: selected
                .iter()
                .map(|name| (owned(name), BTreeSet::new()))
                .collect(),
            skipped: skipped
                .iter()
                .map(|name| (owned(name), "all true".to_owned()))
                .collect(),
            ..Selection::default()
        }
    }

    #[test]
    fn a_test_is_skipped_with_its_method_or_its_class() {
        let selection = selection(&["A#m()", "B"], &["A#n(int)", "C"]);
        for (class, path, is_skipped) in [
            ("A", "m()", false),
            ("A", "n(int)/#2", true),
            ("A", "new()", false),
            ("B", "m()", false),
            ("C", "m()/#1", true),
            ("C", "", true),
            ("D", "m()", false),
        ] {
            let test = TestName {
                class: class.to_owned(),
                path: path.to_owned(),
            };
            assert_eq!(selection.skips(&test).is_some(), is_skipped, "{test:?}");
        }
    }

    #[test]
    fn a_class_that_runs_runs_all_its_methods() {
        let coarser = selection(&["A", "B#m"], &["B#n", "C"]);
        let check = |finer: &[&str], expected: &[&str]| {
            let finer = selection(finer, &[]);
            let beyond: Vec<&String> = finer.beyond(&coarser).collect();
            assert_eq!(beyond, expected);
        };
        check(&["A#m", "A#n", "B#m"], &[]);
        check(&["B", "B#n", "C#m"], &["B", "B#n", "C#m"]);
    }
}
