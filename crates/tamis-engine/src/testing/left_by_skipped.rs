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

/// What is known of those that are skipped, by the static fields at which somebody looked and that they name: nearly all name the
/// same ones.
#[derive(Default)]
pub(super) struct LeftBySkipped {
    by_names: BTreeMap<Vec<u32>, Known>,
}

/// A test that did not run.
pub(super) struct Skipped<'r> {
    pub(super) analysis: &'r Arc<Analysis>,
    pub(super) record: &'r KeptRecord,
    /// Whether it was decided to skip it: what differs for it is taken on trust, if anything does.
    pub(super) is_decided: bool,
}

/// Facts of records.
#[derive(Default)]
struct Known {
    facts: FactSet,
    /// Facts about methods of which one record at least does not know which blocks ran.
    unblocked: FactSet,
}

impl LeftBySkipped {
    /// Those of the records that name a field at which somebody looked.
    pub(super) fn new(
        skipped: &[Skipped<'_>],
        looks: &FactSet,
        facts: &mut FactTable,
        renumbered: &mut Renumbered,
    ) -> Self {
        let mut left = Self::default();
        let mut fields = BTreeMap::new();
        for one in skipped.iter().filter(|_| !looks.is_empty()) {
            let key = Arc::as_ptr(one.analysis).addr();
            let fields = fields
                .entry(key)
                .or_insert_with(|| Fields::new(one.analysis, looks, facts));
            let names = fields.named_by(&one.record.facts);
            if !names.is_empty() {
                let known = left.by_names.entry(names).or_default();
                known.add(&one.facts(facts, renumbered), facts);
            }
        }
        left
    }

    /// Adds what counts for who looked there.
    pub(super) fn add_to(&self, record: &mut Record<FactSet>, looks: &Looks, facts: &FactTable) {
        let mut known = Known::default();
        for (names, left) in &self.by_names {
            if names.iter().any(|name| looks.fields.contains(*name)) {
                known.facts |= &left.facts;
                known.unblocked |= &left.unblocked;
            }
        }
        if !known.facts.is_empty() {
            known.add_to(record, facts);
        }
    }
}

impl Skipped<'_> {
    /// Its facts, but for those that differ and are trusted.
    fn facts(&self, facts: &mut FactTable, renumbered: &mut Renumbered) -> FactSet {
        let all = self.record.facts.iter();
        if self.is_decided {
            renumbered.set(self.analysis.true_of(all), self.analysis, facts)
        } else {
            renumbered.set(all, self.analysis, facts)
        }
    }
}

impl Known {
    fn add(&mut self, record: &FactSet, facts: &FactTable) {
        self.facts |= record;
        self.unblocked |= facts.methods_without_blocks(record);
    }

    /// These count only because of what others left. Where one side does not know which blocks ran, no one does.
    fn add_to(mut self, record: &mut Record<FactSet>, facts: &FactTable) {
        self.unblocked |= facts.methods_without_blocks(&record.facts);
        record.inherited |= &self.facts - &(&record.facts - &record.inherited);
        record.facts |= self.facts;
        facts.drop_blocks(&self.unblocked, &mut record.facts);
        record.inherited &= &record.facts;
    }
}

/// Adds facts that count only because of what others left.
pub(super) fn inherit(record: &mut Record<FactSet>, saw: &FactSet, facts: &FactTable) {
    let mut known = Known::default();
    known.add(saw, facts);
    known.add_to(record, facts);
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

    /// Those that a record has, sorted.
    fn named_by(&self, facts: &KeptSet) -> Vec<u32> {
        let named = facts.marked(&self.marks);
        let mut named: Vec<u32> = named.iter().map(|known| self.numbers[&known]).collect();
        named.sort_unstable();
        named
    }
}
