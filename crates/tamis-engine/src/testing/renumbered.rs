//! Facts of earlier records in the table of a run.
//!
//! Records of skipped methods have most of their facts in common, so each fact is looked up by its content once, and by its
//! number from then on.

use std::collections::HashMap;
use std::sync::Arc;

use tamis_store::FactSet;

use super::analysis::Analysis;
use crate::collect::FactTable;

/// The numbers in the table of a run that facts of earlier records have got.
#[derive(Debug, Default)]
pub(super) struct Renumbered {
    /// By where the analysis lies that knows the records, and the number there.
    numbers: HashMap<usize, HashMap<u32, u32>>,
}

impl Renumbered {
    /// Facts of records that an analysis knows, by their numbers in the table. The analysis must stay where it is.
    pub(super) fn set(
        &mut self,
        kept: impl Iterator<Item = u32>,
        analysis: &Arc<Analysis>,
        facts: &mut FactTable,
    ) -> FactSet {
        let numbers = self
            .numbers
            .entry(Arc::as_ptr(analysis).addr())
            .or_default();
        let mut number = |known: u32| {
            *numbers
                .entry(known)
                .or_insert_with(|| facts.number(analysis.fact(known)))
        };
        kept.map(&mut number).collect()
    }
}
