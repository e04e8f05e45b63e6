//! Units with the reasons for which an entity relies on them: a set for each reason.

use std::ops::Range;

use tamis_wire::UnitSet;

use super::Reliance;

/// Units, each with the reason that came first.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct ReliedUnits {
    all: UnitSet,
    /// No unit is in two of them. In the order of the reasons.
    by_reliance: [UnitSet; Reliance::ALL.len()],
}

impl ReliedUnits {
    /// Adds units; what is there keeps its reason.
    pub(super) fn add(&mut self, units: &UnitSet, reliance: Reliance) {
        let new = units.without(&self.all);
        self.all.extend(&new);
        self.by_reliance[reliance as usize].extend(&new);
    }

    /// All of them.
    pub(crate) fn all(&self) -> &UnitSet {
        &self.all
    }

    /// Those with this reason.
    pub(crate) fn by(&self, reliance: Reliance) -> &UnitSet {
        &self.by_reliance[reliance as usize]
    }

    /// The reason of a unit.
    pub(crate) fn reliance(&self, unit: u32) -> Option<Reliance> {
        let mut all = Reliance::ALL.into_iter();
        all.find(|reliance| self.by(*reliance).contains(unit))
    }

    /// The units of a range, with their reasons.
    pub(crate) fn range(&self, range: Range<u32>) -> impl Iterator<Item = (u32, Reliance)> {
        range.filter_map(|unit| Some((unit, self.reliance(unit)?)))
    }
}
