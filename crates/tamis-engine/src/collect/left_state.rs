//! What tests leave for later ones in static fields: singletons, caches, settings.
//!
//! Code that fills such a field runs once and is not repeated; who reads the field later relies on it. Who
//! filled it is not known, so an entity inherits what every earlier entity of its JVM relied on that names one
//! of the same fields (DESIGN 3, *lazy sets*; P1).

use std::collections::{BTreeMap, BTreeSet};

use tamis_wire::UnitSet;

/// For each static field that was named so far, what those relied on that named it.
#[derive(Debug, Default)]
pub(super) struct LeftState {
    by_field: BTreeMap<u32, UnitSet>,
}

impl LeftState {
    /// What an entity relies on that names these fields, and by itself on `units`.
    pub(super) fn inherit(&self, fields: &BTreeSet<u32>, mut units: UnitSet) -> UnitSet {
        for left in fields.iter().filter_map(|field| self.by_field.get(field)) {
            units.extend(left);
        }
        units
    }

    /// An entity has ended that names these fields.
    pub(super) fn leave(&mut self, fields: &BTreeSet<u32>, units: &UnitSet) {
        for field in fields {
            self.by_field.entry(*field).or_default().extend(units);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn units(ids: &[u32]) -> UnitSet {
        ids.iter().copied().collect()
    }

    #[test]
    fn state_is_handed_on_from_field_to_field() {
        let mut left = LeftState::default();
        let [one, both, two] = [vec![1], vec![1, 2], vec![2]].map(BTreeSet::from_iter);
        let first = left.inherit(&one, units(&[10]));
        assert_eq!(first, units(&[10]));
        left.leave(&one, &first);
        let second = left.inherit(&both, units(&[20]));
        assert_eq!(second, units(&[10, 20]));
        left.leave(&both, &second);
        // It never named field 1, and relies on what the second made of it.
        assert_eq!(left.inherit(&two, units(&[30])), units(&[10, 20, 30]));
        assert_eq!(
            left.inherit(&BTreeSet::from([3]), units(&[40])),
            units(&[40])
        );
    }
}
