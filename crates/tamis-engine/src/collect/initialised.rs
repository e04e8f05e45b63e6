//! What initialised the classes that an entity uses: where that looked for what others left, and what it set elsewhere.
//!
//! A class is initialised once, for its first user. What was found then is what all its users see.

use std::collections::{BTreeMap, BTreeSet};

use tamis_wire::UnitSet;

use super::Collector;
use super::class_table::NameId;
use super::companions::Companions;
use super::left_state::{Inherited, LeftState, Spot};
use super::unit_table::{CommonSpots, Doer, Spots, UnitTable};
use crate::examined::ExaminedJvm;

/// What comes to an entity with classes that it uses, which were initialised once.
#[derive(Default)]
pub(super) struct Initialised {
    /// What classes inherited that had earlier users.
    pub(super) inherited: Inherited,
    /// Where the initialisers of the others looked, and what they set.
    pub(super) first_uses: BTreeMap<u32, Spots>,
}

impl Collector<'_> {
    /// What the classes inherited that an entity uses and that others used before; of the rest, where their initialisers looked.
    pub(super) fn look_at_initialisers(
        &mut self,
        trace: &ExaminedJvm,
        classes: &BTreeSet<u32>,
        units: &mut UnitTable<'_>,
        left: &LeftState,
    ) -> Initialised {
        let mut initialised = Initialised::default();
        for class in classes {
            if let Some(inherited) = left.inherited_by(*class) {
                initialised.inherited.all.extend(&inherited.all);
                initialised.inherited.certain.extend(&inherited.certain);
                continue;
            }
            let ran = &trace.jvm.initialisers[class];
            let common = &mut CommonSpots::default();
            let spots = units.spots(Doer::of(ran), common, &mut self.classes, self.facts);
            initialised.first_uses.insert(*class, spots);
        }
        initialised
    }

    /// Static fields that lead to the same objects by what an entity did, and by what initialised classes for it.
    pub(super) fn note_aliases(
        &mut self,
        entity: &Spots,
        initialised: &Initialised,
        left: &mut LeftState,
    ) {
        let first_uses = initialised.first_uses.values();
        left.note_aliases(entity, first_uses, &mut self.classes, self.facts);
    }

    /// An entity has ended that was the first user of these classes.
    pub(super) fn note_first_uses(
        &mut self,
        trace: &ExaminedJvm,
        entity: u32,
        initialised: &Initialised,
        units: &mut UnitTable<'_>,
        companions: &mut Companions,
    ) {
        for (class, spots) in &initialised.first_uses {
            let written = self.written_elsewhere(trace, *class, spots, units);
            companions.note_initialised(*class, entity, &spots.looked_at, written);
        }
    }

    /// What was set when a class was initialised that is not its own. Where it is a field of a class that is initialised only
    /// after this one, that one's initialiser may set it before or after: it depends on which of them is used first.
    fn written_elsewhere(
        &mut self,
        trace: &ExaminedJvm,
        class: u32,
        spots: &Spots,
        units: &mut UnitTable<'_>,
    ) -> BTreeSet<Spot> {
        let mut written = spots.written.clone();
        let own = trace.classes.get(&class);
        let own = own.map(|class| self.classes.id(&class.name));
        for spot in &spots.written {
            let Spot::Field(field) = *spot else {
                continue;
            };
            if Some(self.classes.declaring(field)) == own {
                written.remove(spot);
            } else if let Some(own) = own {
                self.note_circle(trace, own, field, units);
            }
        }
        written
    }

    /// If the class that declares a field cannot be initialised without another one, which sets the field when it is
    /// initialised, then what initialises the first sets it as well.
    fn note_circle(
        &mut self,
        trace: &ExaminedJvm,
        setting: NameId,
        field: u32,
        units: &mut UnitTable<'_>,
    ) {
        let declaring = self.classes.declaring(field);
        let name = self.classes.name(declaring).clone();
        let numbers = trace.classes.iter().filter(|(_, class)| class.name == name);
        let sets = numbers.filter_map(|(number, _)| trace.jvm.initialisers.get(number));
        let mut needed = vec![declaring];
        let mut setters = Vec::new();
        for unit in sets.flat_map(UnitSet::iter) {
            let found = units.get(unit, &mut self.classes, self.facts);
            needed.extend(&found.classes);
            if found.made.contains(&field) {
                setters.push(unit);
            }
        }
        if self.classes.closure(needed, self.facts).contains(&setting) {
            for unit in setters {
                units.note_setter(field, unit);
            }
        }
    }
}
