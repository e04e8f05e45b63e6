//! What tests leave for later ones: in static fields singletons, caches, settings, results of other threads; and files.
//!
//! Code that fills such a field runs once and is not repeated; who reads the field later relies on it. Who
//! filled it is not known, so an entity inherits what every earlier entity of its JVM relied on that names one
//! of the same fields (DESIGN 3, *lazy sets*; P1). Of files it is known: who reads one inherits from those that wrote it.
//!
//! If one of those handed work to other threads, it may have been done at any time since, while others were open: then
//! everything that ran since counts too.

use std::collections::{BTreeMap, BTreeSet};

use tamis_wire::UnitSet;

use super::FactTable;
use super::aliases::{Aliases, Joined};
use super::class_table::ClassTable;
use super::unit_table::Spots;

use super::unit_table::UnitFacts;
use crate::sabotage::Sabotage;

/// Where a test may leave something.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Spot {
    /// A static field, by number.
    Field(u32),
    /// What lies under a path, by its number.
    Path(u32),
    /// The names in a directory, by the number of its path.
    Names(u32),
    /// A system property, by number.
    Property(u32),
    /// Some system property.
    AnyProperty,
    /// The table of system properties, which who has it can change.
    Properties,
    /// What something else keeps than a static field.
    Kept(Keeper),
}

/// What is no code of the program's and keeps objects of it (`keepers.rs`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Keeper {
    /// The store that Jupiter has for extensions.
    Store,
    /// The JDK's cache of bundles, some of which are classes.
    Bundles,
    /// The JDK's cache of what beans are, as classes may say.
    Beans,
    /// Call sites that code of the program's own linked, once for all.
    CallSites,
}

impl Keeper {
    /// Whether who asks it may be the one for whom it keeps what he gets.
    pub(super) fn keeps_for_who_asks(self) -> bool {
        matches!(self, Self::Store | Self::CallSites)
    }
}

impl Spot {
    /// The number of the static field, if it is one.
    pub(super) fn field(self) -> Option<u32> {
        match self {
            Self::Field(field) => Some(field),
            _ => None,
        }
    }

    /// Whether nobody knows who left what there.
    fn is_vague(self) -> bool {
        matches!(self, Self::Field(_) | Self::Kept(_))
    }
}

/// For each spot where something was left so far, what those relied on that left it.
#[derive(Debug, Default)]
pub(super) struct LeftState {
    by_spot: BTreeMap<Spot, UnitSet>,
    /// One field of each group of aliases is the spot of all of them.
    aliases: Aliases,
    /// What classes inherited when they were initialised, by number.
    by_class: BTreeMap<u32, Inherited>,
    /// Where somebody left something who had handed work to other threads.
    handed_over: BTreeSet<Spot>,
    /// What ran since work was handed over for the first time; none if it never was.
    since: Option<UnitSet>,
}

/// What somebody relies on because of what others left.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(super) struct Inherited {
    pub(super) all: UnitSet,
    /// What of that comes by files and properties: of these it is known who wrote them.
    pub(super) certain: UnitSet,
}

/// What an entity did that later ones may rely on.
pub(super) struct Leaving<'l> {
    /// Where it may have left something.
    pub(super) spots: &'l BTreeSet<Spot>,
    /// What it relied on by itself.
    pub(super) own: &'l UnitSet,
    /// All that it relied on.
    pub(super) all: &'l UnitSet,
    /// What of that has to do with other threads.
    pub(super) handing_over: &'l HandingOver,
}

/// Whether an entity relies on code that hands work to other threads.
#[derive(Debug, Default, Clone)]
pub(super) struct HandingOver {
    is_seen: bool,
    /// Static fields that were filled while their classes were initialised.
    made: BTreeSet<Spot>,
}

impl HandingOver {
    /// It relies on this too.
    pub(super) fn add(&mut self, unit: &UnitFacts) {
        self.is_seen |= unit.hands_over;
        self.made.extend(unit.made.iter().copied().map(Spot::Field));
    }
}

impl LeftState {
    /// What an entity relies on that looks at these spots, and by itself on `units`.
    pub(super) fn inherit(&self, spots: &BTreeSet<Spot>, mut units: UnitSet) -> UnitSet {
        if Sabotage::NoLeftState.is_on() {
            return units;
        }
        let spots = self.spots_of(spots);
        for left in spots.iter().filter_map(|spot| self.by_spot.get(spot)) {
            units.extend(left);
        }
        if let Some(since) = &self.since
            && !self.handed_over.is_disjoint(&spots)
        {
            units.extend(since);
        }
        units
    }

    /// The same, and what of it comes by files and properties.
    pub(super) fn inherit_apart(&self, spots: &BTreeSet<Spot>, units: &UnitSet) -> Inherited {
        let (vague, others): (BTreeSet<Spot>, BTreeSet<Spot>) =
            spots.iter().copied().partition(|spot| spot.is_vague());
        let certain = self.inherit(&others, units.clone());
        Inherited {
            all: self.inherit(&vague, certain.clone()),
            certain,
        }
    }

    /// What a class inherited that was initialised before; none if this is its first user.
    pub(super) fn inherited_by(&self, class: u32) -> Option<&Inherited> {
        self.by_class.get(&class)
    }

    /// The first user of a class has ended, whose initialiser looked at these spots: later users inherit no more than was left
    /// there by now. (The first user may have left something before.)
    pub(super) fn note_initialised(&mut self, class: u32, spots: &BTreeSet<Spot>) {
        let inherited = self.inherit_apart(spots, &UnitSet::default());
        self.by_class.insert(class, inherited);
    }

    /// Before an entity leaves something: static fields that lead to the same objects by what it did, and by what initialised
    /// classes for it.
    pub(super) fn note_aliases<'s>(
        &mut self,
        entity: &Spots,
        initialised: impl Iterator<Item = &'s Spots>,
        classes: &mut ClassTable<'_>,
        facts: &mut FactTable,
    ) {
        let mut joined = self.aliases.note_entity(entity, classes, facts);
        for spots in initialised {
            joined.extend(self.aliases.note_initialiser(spots, classes, facts));
        }
        for one in &joined {
            self.join(one);
        }
    }

    fn join(&mut self, joined: &Joined) {
        let (kept, gone) = (Spot::Field(joined.kept), Spot::Field(joined.gone));
        if let Some(left) = self.by_spot.remove(&gone) {
            self.by_spot.entry(kept).or_default().extend(&left);
        }
        if self.handed_over.remove(&gone) {
            self.handed_over.insert(kept);
        }
    }

    /// The static fields that lead to the same objects as one that somebody looked at.
    pub(super) fn aliases(&self, field: u32) -> &[u32] {
        self.aliases.all(field)
    }

    /// The spot of a field and its aliases is one.
    fn spots_of(&self, spots: &BTreeSet<Spot>) -> BTreeSet<Spot> {
        let one_for = |spot: &Spot| match spot {
            Spot::Field(field) => Spot::Field(self.aliases.one_for(*field)),
            other => *other,
        };
        spots.iter().map(one_for).collect()
    }

    /// An entity has ended.
    pub(super) fn leave(&mut self, entity: &Leaving<'_>) {
        let spots = self.spots_of(entity.spots);
        for spot in &spots {
            self.by_spot.entry(*spot).or_default().extend(entity.all);
        }
        if entity.handing_over.is_seen {
            self.handed_over.extend(&spots);
            let made = self.spots_of(&entity.handing_over.made);
            self.handed_over.extend(made);
            self.since.get_or_insert_default();
        }
        if let Some(since) = &mut self.since {
            since.extend(entity.own);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn units(ids: &[u32]) -> UnitSet {
        ids.iter().copied().collect()
    }

    /// An entity that names fields and runs a unit; what it relies on.
    fn run(left: &mut LeftState, fields: &[u32], unit: u32) -> UnitSet {
        run_and(left, fields, unit, &HandingOver::default())
    }

    fn run_and(
        left: &mut LeftState,
        fields: &[u32],
        unit: u32,
        handing_over: &HandingOver,
    ) -> UnitSet {
        let spots = fields.iter().copied().map(Spot::Field).collect();
        let own = units(&[unit]);
        let all = left.inherit(&spots, own.clone());
        left.leave(&Leaving {
            spots: &spots,
            own: &own,
            all: &all,
            handing_over,
        });
        all
    }

    #[test]
    fn state_is_handed_on_from_field_to_field() {
        let mut left = LeftState::default();
        assert_eq!(run(&mut left, &[1], 10), units(&[10]));
        assert_eq!(run(&mut left, &[1, 2], 20), units(&[10, 20]));
        // It never named field 1, and relies on what the second made of it.
        assert_eq!(run(&mut left, &[2], 30), units(&[10, 20, 30]));
        assert_eq!(run(&mut left, &[3], 40), units(&[40]));
    }

    #[test]
    fn work_that_was_handed_over_may_be_done_while_others_are_open() {
        let mut left = LeftState::default();
        let handing_over = HandingOver {
            is_seen: true,
            made: BTreeSet::from([Spot::Field(4)]),
        };
        run(&mut left, &[1], 10);
        run_and(&mut left, &[2], 20, &handing_over);
        run(&mut left, &[3], 30);
        assert_eq!(run(&mut left, &[2], 40), units(&[20, 30, 40]));
        assert_eq!(run(&mut left, &[1], 50), units(&[10, 50]));
        assert_eq!(run(&mut left, &[4], 60), units(&[20, 30, 40, 50, 60]));
    }
}
