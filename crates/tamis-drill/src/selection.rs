//! What the engine would run, from the records of the library as it is.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::Result;
use serde::{Deserialize, Serialize};
use tamis_engine::{EntityReport, Project, TestOptions};
use tamis_facts::{Mesh, Subject, SubjectKind};

/// The meshes that a drill looks at, from coarse to fine.
pub(crate) const MESHES: &[(&str, Mesh)] = &[
    ("file", Mesh::File),
    ("method", Mesh::Method),
    ("dispatch", Mesh::Dispatch),
    ("block", Mesh::Block),
];

/// What would run under a mesh.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Selection {
    pub(crate) n_entities: usize,
    /// Entities that would run, with what they saw in the nearest record and is not so any more.
    pub(crate) selected: BTreeMap<String, BTreeSet<String>>,
    /// How many of those have broken facts of a kind in the nearest record.
    pub(crate) kinds: BTreeMap<String, usize>,
    /// Entities that would be skipped, and what was said of them.
    pub(crate) skipped: BTreeMap<String, String>,
}

impl Selection {
    /// Asks for what would run now.
    pub(crate) fn ask(project: &Project, mesh: Mesh) -> Result<Self> {
        let options = TestOptions {
            mesh,
            ..TestOptions::default()
        };
        let report = tamis_engine::select(None, project, &options)?;
        let mut selection = Self {
            n_entities: report.entities.len(),
            ..Self::default()
        };
        for entity in &report.entities {
            selection.add(entity);
        }
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
            let facts = broken.iter().map(ToString::to_string);
            self.selected.insert(name, facts.collect());
        } else {
            let n_facts = nearest.map_or(0, |record| record.n_facts);
            let text = format!("{:?}, {n_facts} facts, all true", explanation.decision);
            self.skipped.insert(name, text);
        }
    }

    /// Selected entities among all.
    pub(crate) fn share(&self) -> f64 {
        #[expect(clippy::cast_precision_loss, reason = "a library has few tests")]
        let share = self.selected.len() as f64 / self.n_entities.max(1) as f64;
        share
    }
}
