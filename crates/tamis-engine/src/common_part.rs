//! What many sets of units have in common, with what it adds up to.
//!
//! Each entity of a JVM relies on thousands of units, nearly all of them those that every other one relies on too: the
//! test framework. So what units add up to is worked out once for what all sets had in common so far, and each set
//! begins with a copy of that. What it adds up to must not depend on the order in which units are added.

use tamis_wire::UnitSet;

/// What sets of units have in common that came one after the other.
#[derive(Debug, Default)]
pub(crate) struct CommonPart<S> {
    units: UnitSet,
    sum: S,
    /// What all sets since it last changed have beside it; none if there was no such set.
    beside: Option<UnitSet>,
    /// How many units were added for these sets.
    n_added: usize,
}

impl<S: Clone + Default> CommonPart<S> {
    /// What units add up to, if `add` adds some of them.
    pub(crate) fn sum(&mut self, units: &UnitSet, mut add: impl FnMut(&mut S, &UnitSet)) -> S {
        if !self.units.is_subset(units) {
            self.shrink(units, &mut add);
        }
        let rest = units.without(&self.units);
        let mut sum = self.sum.clone();
        add(&mut sum, &rest);
        self.note(rest, &mut add);
        sum
    }

    /// Only what a set has too remains.
    fn shrink(&mut self, units: &UnitSet, add: &mut impl FnMut(&mut S, &UnitSet)) {
        self.units = self.units.shared_with(units);
        self.sum = S::default();
        add(&mut self.sum, &self.units);
        self.beside = None;
        self.n_added = 0;
    }

    /// A set had these beside it. Once as much was added for such sets as adding all anew costs, it grows by what they
    /// have in common: should the next set lack some of that, as much is lost as was gained before.
    fn note(&mut self, rest: UnitSet, add: &mut impl FnMut(&mut S, &UnitSet)) {
        self.n_added += rest.len();
        let Some(beside) = self.beside.take() else {
            self.beside = Some(rest);
            return;
        };
        let beside = beside.shared_with(&rest);
        if self.n_added <= self.units.len() {
            self.beside = Some(beside);
            return;
        }
        add(&mut self.sum, &beside);
        self.units.extend(&beside);
        self.n_added = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The sums of sets, and how many units were added for all of them.
    fn check(sets: &[&[u32]]) -> usize {
        let mut common = CommonPart::<UnitSet>::default();
        let mut n_added = 0;
        for set in sets {
            let set: UnitSet = set.iter().copied().collect();
            let sum = common.sum(&set, |sum, units| {
                n_added += units.len();
                sum.extend(units);
            });
            assert_eq!(sum, set);
        }
        n_added
    }

    #[test]
    fn what_is_in_all_sets_is_added_no_more() {
        let sets: [&[u32]; 5] = [
            &[1, 2, 3, 4, 10],
            &[1, 2, 3, 4, 20],
            &[1, 2, 3, 4, 30],
            &[1, 2, 3, 4, 40],
            &[1, 2, 3, 4, 50],
        ];
        // Two sets as they are, what they share once more, then one unit for each.
        assert_eq!(check(&sets), 5 + 5 + 4 + 1 + 1 + 1);
    }

    #[test]
    fn sets_that_share_nothing_are_summed_as_well() {
        check(&[&[1, 2], &[1, 2], &[1, 2], &[3], &[1, 3], &[], &[1, 2]]);
    }
}
