//! What those left for a test that are skipped while it runs.
//!
//! A test that looks at a static field relies on whoever fills it. If it is run without them, nothing of that shows, and
//! its new record would know nothing of what they rely on: once that changes they would run, and it would not. So each
//! skipped test that names such a field counts as one that left something there; which of them did is only known of those that ran. Who
//! sets a system property no record tells: there it counts what the record before inherited.
//!
//! If the user chose some tests, the others may have changed as well, and nobody knows what they leave now: then those that look are not
//! done, and run again until they have run together.

use std::collections::BTreeMap;
use std::sync::Arc;

use tamis_facts::{Record, SubjectKind};
use tamis_store::{FactSet, KeptRecord, KeptSet, Marks};

use super::analysis::Analysis;
use super::renumbered::Renumbered;
use crate::collect::{FactTable, Looks};

/// The records of those that are skipped, by the static fields that they name.
pub(super) struct LeftBySkipped<'r> {
    all: Vec<Leaving<'r>>,
}

/// A test that did not run.
pub(super) struct Skipped<'r> {
    pub(super) analysis: &'r Arc<Analysis>,
    pub(super) record: &'r KeptRecord,
    /// Whether it was decided to skip it: what differs for it is taken on trust, if anything does.
    pub(super) is_decided: bool,
}

struct Leaving<'r> {
    skipped: Skipped<'r>,
    /// Facts about static fields at which somebody looked, by their numbers in the table.
    names: FactSet,
}

impl<'r> LeftBySkipped<'r> {
    /// Those of the records that name a field at which somebody looked.
    pub(super) fn new(
        skipped: impl Iterator<Item = Skipped<'r>>,
        looks: &FactSet,
        facts: &FactTable,
    ) -> Self {
        let mut all = Vec::new();
        let mut fields = BTreeMap::new();
        for skipped in skipped.filter(|_| !looks.is_empty()) {
            let key = Arc::as_ptr(skipped.analysis).addr();
            let fields = fields
                .entry(key)
                .or_insert_with(|| Fields::new(skipped.analysis, looks, facts));
            let names = fields.named_by(&skipped.record.facts);
            if !names.is_empty() {
                all.push(Leaving { skipped, names });
            }
        }
        Self { all }
    }

    /// Adds what counts for who looked there.
    pub(super) fn add_to(
        &self,
        record: &mut Record<FactSet>,
        looks: &Looks,
        facts: &mut FactTable,
        renumbered: &mut Renumbered,
    ) {
        let left = self.all.iter();
        for one in left.filter(|one| !one.names.is_disjoint(&looks.fields)) {
            let Skipped {
                analysis,
                record: left,
                is_decided,
            } = one.skipped;
            let saw = left.facts.iter();
            let saw = if is_decided {
                renumbered.set(analysis.true_of(saw), analysis, facts)
            } else {
                renumbered.set(saw, analysis, facts)
            };
            inherit(record, &saw, facts);
        }
    }
}

/// Facts that count only because of what others left.
pub(super) fn inherit(record: &mut Record<FactSet>, saw: &FactSet, facts: &FactTable) {
    // Where one side does not know which blocks ran, no one does.
    let mut unblocked = facts.methods_without_blocks(&record.facts);
    unblocked |= facts.methods_without_blocks(saw);
    record.inherited |= saw - &(&record.facts - &record.inherited);
    record.facts |= saw;
    facts.drop_blocks(&unblocked, &mut record.facts);
    record.inherited &= &record.facts;
}

/// The facts about fields that an analysis knows, and at which somebody looked.
struct Fields {
    marks: Marks,
    /// Their numbers in the table.
    numbers: BTreeMap<u32, u32>,
}

impl Fields {
    fn new(analysis: &Analysis, looks: &FactSet, facts: &FactTable) -> Self {
        let known = analysis.facts().iter();
        let fields = known.filter(|fact| fact.kind == SubjectKind::Field);
        let numbers = fields.filter_map(|fact| {
            let number = facts.known_number(&fact.to_fact())?;
            looks.contains(number).then_some((fact.number, number))
        });
        let numbers: BTreeMap<u32, u32> = numbers.collect();
        Self {
            marks: Marks::from(&numbers.keys().copied().collect::<FactSet>()),
            numbers,
        }
    }

    fn named_by(&self, facts: &KeptSet) -> FactSet {
        let named = facts.marked(&self.marks);
        named.iter().map(|known| self.numbers[&known]).collect()
    }
}
