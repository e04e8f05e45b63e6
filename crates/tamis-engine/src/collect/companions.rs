//! Who left something for whom: if a test runs that read what an earlier one wrote, that one runs before it (DESIGN 3).
//!
//! Of files it is known who wrote them. Of static fields it is known which code sets one; a test that runs such code itself
//! (a singleton that is made on demand) needs nobody for it. What is changed inside of an object that a field holds is
//! not seen: there the facts of the earlier test count (`left_state.rs`), and it is not run for others.

use std::collections::{BTreeMap, BTreeSet};

use super::left_state::Spot;
use crate::sabotage::Sabotage;

/// For each spot, the entities that wrote there so far, by number.
#[derive(Debug, Default)]
pub(super) struct Companions {
    writers: BTreeMap<Spot, Vec<u32>>,
}

impl Companions {
    /// An entity has ended that looked at these spots and wrote those: who left something for it.
    pub(super) fn end(
        &mut self,
        entity: u32,
        looked_at: &BTreeSet<Spot>,
        written: &BTreeSet<Spot>,
    ) -> BTreeSet<u32> {
        let mut companions = BTreeSet::new();
        for spot in looked_at {
            let writers = self.writers.get(spot).map_or(&[][..], Vec::as_slice);
            match spot {
                Spot::Field(_) if written.contains(spot) => {}
                // What was set last is what it saw.
                Spot::Field(_) => companions.extend(writers.last()),
                // Each may have written a part.
                Spot::Path(_) | Spot::Names(_) => companions.extend(writers),
                // Nearly all tests set them back.
                Spot::Property(_) | Spot::AnyProperty | Spot::Properties => {}
            }
        }
        for spot in written {
            self.writers.entry(*spot).or_default().push(entity);
        }
        companions.remove(&entity);
        if Sabotage::NoCompanions.is_on() {
            companions.clear();
        }
        companions
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spots(all: &[Spot]) -> BTreeSet<Spot> {
        all.iter().copied().collect()
    }

    #[test]
    fn who_set_a_field_last_is_a_companion_of_who_only_reads_it() {
        let mut companions = Companions::default();
        let field = spots(&[Spot::Field(1)]);
        for writer in [1, 2] {
            assert_eq!(companions.end(writer, &field, &field), BTreeSet::new());
        }
        let none = BTreeSet::new();
        assert_eq!(companions.end(3, &field, &none), BTreeSet::from([2]));
        assert_eq!(
            companions.end(4, &spots(&[Spot::Field(2)]), &none),
            none_of()
        );
    }

    fn none_of() -> BTreeSet<u32> {
        BTreeSet::new()
    }

    #[test]
    fn all_who_wrote_a_file_are_companions_of_who_reads_it() {
        let mut companions = Companions::default();
        let file = spots(&[Spot::Path(1)]);
        for writer in [1, 2] {
            companions.end(writer, &BTreeSet::new(), &file);
        }
        assert_eq!(
            companions.end(3, &file, &BTreeSet::new()),
            BTreeSet::from([1, 2])
        );
        // One that runs twice is no companion of itself.
        assert_eq!(companions.end(2, &file, &file), BTreeSet::from([1]));
    }
}
