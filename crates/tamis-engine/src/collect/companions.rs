//! Who left something for whom: if a test runs that read what an earlier one wrote, that one runs before it (DESIGN 3).
//!
//! Of files it is known who wrote them. Of static fields it is known which code sets one; a test that runs such code itself
//! (a singleton that is made on demand) needs nobody for it. What is changed inside of an object that a field holds is
//! not seen: there the facts of the earlier test count (`left_state.rs`), and it is not run for others.
//!
//! System properties count among the methods of one class alone: there an order may be meant that nothing shows. From one class to another nearly all
//! tests set them back.
//!
//! What initialises a class runs for its first user. It sets what that one would have set, and in a run without that one it
//! would run later, if at all: before something else is set, or after it.

use std::collections::{BTreeMap, BTreeSet};

use tamis_facts::ClassName;

use super::left_state::Spot;
use crate::sabotage::Sabotage;

/// For each spot, the entities that wrote there so far, by number; and what initialising classes had to do with others.
#[derive(Debug, Default)]
pub(super) struct Companions {
    writers: BTreeMap<Spot, Vec<u32>>,
    /// The classes of entities that are methods.
    classes: BTreeMap<u32, ClassName>,
    /// Of properties, by the class whose methods they are.
    of_methods: BTreeMap<(ClassName, Spot), Vec<u32>>,
    initialised: BTreeMap<u32, FirstUse>,
}

/// What an entity did that companions are found by.
pub(super) struct Doing<'d> {
    /// Where its own code looked.
    pub(super) looked_at: &'d BTreeSet<Spot>,
    /// Where its own code wrote.
    pub(super) written: &'d BTreeSet<Spot>,
    /// The classes that it uses, by number.
    pub(super) classes: &'d BTreeSet<u32>,
}

/// How a class was initialised.
#[derive(Debug)]
struct FirstUse {
    entity: u32,
    /// What was set in doing so that is not the class's own.
    written: BTreeSet<Spot>,
    /// Who had left something for it.
    companions: BTreeSet<u32>,
}

impl Companions {
    /// Nobody has written anything yet. Some entities are methods of these classes.
    pub(super) fn new(classes: BTreeMap<u32, ClassName>) -> Self {
        Self {
            classes,
            ..Self::default()
        }
    }

    /// The first user of a class has ended; when the class was initialised, its code looked at these spots and wrote those,
    /// which are not its own.
    pub(super) fn note_initialised(
        &mut self,
        class: u32,
        entity: u32,
        looked_at: &BTreeSet<Spot>,
        written: BTreeSet<Spot>,
    ) {
        let companions = self.left_for(entity, looked_at, &written);
        self.add_writer(entity, &written);
        let first_use = FirstUse {
            entity,
            written,
            companions,
        };
        self.initialised.insert(class, first_use);
    }

    /// An entity has ended: who left something for it. Some fields are set by several pieces of code: of these it matters
    /// when a class was initialised that sets one, even for whom sets it too.
    pub(super) fn end(
        &mut self,
        entity: u32,
        doing: &Doing<'_>,
        is_set_variously: impl Fn(Spot) -> bool,
    ) -> BTreeSet<u32> {
        let mut companions = self.left_for(entity, doing.looked_at, doing.written);
        for class in doing.classes {
            let Some(first_use) = self.initialised.get(class) else {
                continue;
            };
            companions.extend(&first_use.companions);
            let is_shared =
                |spot: &&Spot| doing.looked_at.contains(spot) || doing.written.contains(spot);
            let mut shared = first_use.written.iter().filter(is_shared);
            if shared.any(|spot| is_set_variously(*spot)) {
                companions.insert(first_use.entity);
            }
        }
        self.add_writer(entity, doing.written);
        companions.remove(&entity);
        if Sabotage::NoCompanions.is_on() {
            companions.clear();
        }
        companions
    }

    /// Who left something for code that looked at these spots and wrote those.
    fn left_for(
        &self,
        entity: u32,
        looked_at: &BTreeSet<Spot>,
        written: &BTreeSet<Spot>,
    ) -> BTreeSet<u32> {
        let mut companions = BTreeSet::new();
        for spot in looked_at {
            let writers = self.writers.get(spot).map_or(&[][..], Vec::as_slice);
            match spot {
                Spot::Field(_) | Spot::Property(_) if written.contains(spot) => {}
                // What was set last is what it saw.
                Spot::Field(_) => companions.extend(writers.last()),
                // Each may have written a part.
                Spot::Path(_) | Spot::Names(_) => companions.extend(writers),
                // One may have set it back, so that what was set before is what it saw.
                Spot::Property(_) | Spot::AnyProperty | Spot::Properties => {
                    let class = self.classes.get(&entity);
                    let of = class.map(|class| (class.clone(), *spot));
                    let writers = of.and_then(|of| self.of_methods.get(&of));
                    companions.extend(writers.into_iter().flatten());
                }
                // What is inside of objects is not seen.
                Spot::Kept(_) => {}
            }
        }
        companions
    }

    fn add_writer(&mut self, entity: u32, written: &BTreeSet<Spot>) {
        for spot in written {
            if is_of_properties(*spot) {
                if let Some(class) = self.classes.get(&entity) {
                    let writers = self.of_methods.entry((class.clone(), *spot));
                    writers.or_default().push(entity);
                }
            } else {
                self.writers.entry(*spot).or_default().push(entity);
            }
        }
    }
}

fn is_of_properties(spot: Spot) -> bool {
    matches!(
        spot,
        Spot::Property(_) | Spot::AnyProperty | Spot::Properties
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spots(all: &[Spot]) -> BTreeSet<Spot> {
        all.iter().copied().collect()
    }

    /// An entity that uses a class ends; whose companions they are. All fields are set in one place, but field 9.
    fn end(
        companions: &mut Companions,
        entity: u32,
        looked_at: &[Spot],
        written: &[Spot],
    ) -> Vec<u32> {
        let doing = Doing {
            looked_at: &spots(looked_at),
            written: &spots(written),
            classes: &BTreeSet::from([1]),
        };
        let found = companions.end(entity, &doing, |spot| spot == Spot::Field(9));
        found.into_iter().collect()
    }

    #[test]
    fn who_set_a_field_last_is_a_companion_of_who_only_reads_it() {
        let mut companions = Companions::default();
        let field = [Spot::Field(1)];
        for writer in [1, 2] {
            assert_eq!(end(&mut companions, writer, &field, &field), [0_u32; 0]);
        }
        assert_eq!(end(&mut companions, 3, &field, &[]), [2]);
        assert_eq!(end(&mut companions, 4, &[Spot::Field(2)], &[]), [0_u32; 0]);
    }

    #[test]
    fn all_who_wrote_a_file_are_companions_of_who_reads_it() {
        let mut companions = Companions::default();
        let file = [Spot::Path(1)];
        for writer in [1, 2] {
            end(&mut companions, writer, &[], &file);
        }
        assert_eq!(end(&mut companions, 3, &file, &[]), [1, 2]);
        // One that runs twice is no companion of itself.
        assert_eq!(end(&mut companions, 2, &file, &file), [1]);
    }

    #[test]
    fn who_initialised_a_class_set_what_that_set() {
        let mut companions = Companions::default();
        companions.note_initialised(1, 5, &BTreeSet::new(), spots(&[Spot::Field(1)]));
        end(&mut companions, 5, &[], &[]);
        assert_eq!(end(&mut companions, 6, &[Spot::Field(1)], &[]), [5]);
        // A singleton that is made in one place.
        let field = [Spot::Field(1)];
        assert_eq!(end(&mut companions, 7, &field, &field), [0_u32; 0]);
    }

    #[test]
    fn when_a_class_was_initialised_matters_to_who_sets_the_same_field() {
        let mut companions = Companions::default();
        companions.note_initialised(1, 5, &BTreeSet::new(), spots(&[Spot::Field(9)]));
        end(&mut companions, 5, &[], &[]);
        let field = [Spot::Field(9)];
        assert_eq!(end(&mut companions, 6, &field, &field), [5]);
        assert_eq!(end(&mut companions, 7, &[Spot::Field(2)], &[]), [0_u32; 0]);
    }

    #[test]
    fn what_initialising_a_class_looked_at_was_left_for_all_its_users() {
        let mut companions = Companions::default();
        end(&mut companions, 4, &[], &[Spot::Field(1)]);
        companions.note_initialised(1, 5, &spots(&[Spot::Field(1)]), BTreeSet::new());
        assert_eq!(end(&mut companions, 5, &[], &[]), [4]);
        assert_eq!(end(&mut companions, 6, &[], &[]), [4]);
    }

    #[test]
    fn who_set_a_property_is_a_companion_in_its_own_class() {
        let classes = [(1, "p/A"), (3, "p/A"), (4, "p/B"), (6, "p/A")];
        let classes = classes.map(|(method, class)| (method, ClassName::from(class)));
        let mut companions = Companions::new(BTreeMap::from(classes));
        let property = [Spot::Property(1)];
        for writer in [1, 2] {
            end(&mut companions, writer, &[], &property);
        }
        for (entity, expected) in [(3, &[1][..]), (4, &[]), (5, &[])] {
            assert_eq!(end(&mut companions, entity, &property, &[]), expected);
        }
        // One that sets it, too.
        assert_eq!(end(&mut companions, 6, &property, &property), [0_u32; 0]);
    }
}
