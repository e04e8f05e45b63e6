//! What once initialised the classes that units use, and those that these initialisers use.
//!
//! Each step leads from one unit or class to others: so what units lead to together is what each leads to, and sets of
//! units may be added one after the other.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use roaring::RoaringBitmap as ClassSet;
use tamis_wire::{Initialiser, UnitSet};

use super::Classes;
use crate::conversation::WatchedJvm;
use crate::sabotage::Sabotage;

/// What a JVM initialised.
pub(super) struct Initialisers<'a> {
    classes: &'a Classes<'a>,
    /// What initialised classes, with the methods of what are blocks.
    sets: HashMap<u32, UnitSet>,
    /// Classes of which it is not seen who initialises them.
    unseen: ClassSet,
    /// What their first users relied on.
    by_first_user: HashMap<u32, UnitSet>,
    /// The same classes, in the order in which they were noted.
    noted: Vec<u32>,
}

/// What units lead to.
#[derive(Debug, Clone, Default)]
pub(super) struct Initialised {
    /// Classes that are used, by number.
    pub(super) used: ClassSet,
    /// What was seen to initialise them.
    pub(super) seen: UnitSet,
    /// What may have done so.
    pub(super) unseen: UnitSet,
    /// How many classes had been noted when it was worked out.
    n_noted: usize,
}

impl<'a> Initialisers<'a> {
    pub(super) fn new(jvm: &'a WatchedJvm, classes: &'a Classes<'a>) -> Self {
        let sets = jvm.initialisers.iter();
        let sets = sets.map(|(class, units)| (*class, classes.with_methods(units)));
        let unseen = classes.numbers();
        let is_unseen = |number: &u32| classes.initialiser(*number) == Initialiser::Unbracketed;
        Self {
            classes,
            sets: sets.collect(),
            unseen: unseen.filter(is_unseen).collect(),
            by_first_user: HashMap::new(),
            noted: Vec::new(),
        }
    }

    /// Adds what units lead to.
    pub(super) fn add_units(&self, units: &UnitSet, initialised: &mut Initialised) {
        self.add_noted(initialised);
        let used = units.iter().flat_map(|unit| self.classes.used_by(unit));
        self.add_classes(used.collect(), initialised);
    }

    /// Some classes that are used may have had their first users since.
    fn add_noted(&self, initialised: &mut Initialised) {
        let noted = self.noted.iter().skip(initialised.n_noted);
        let noted: Vec<u32> = noted
            .copied()
            .filter(|class| initialised.used.contains(*class))
            .collect();
        initialised.n_noted = self.noted.len();
        let mut next = Vec::new();
        for class in noted {
            self.add_unseen(class, initialised, &mut next);
        }
        self.add_classes(next, initialised);
    }

    /// Adds what classes lead to.
    pub(super) fn add_classes(&self, mut next: Vec<u32>, initialised: &mut Initialised) {
        while let Some(class) = next.pop() {
            if !initialised.used.insert(class) {
                continue;
            }
            next.extend(self.classes.supertypes(class));
            next.extend(self.classes.shown(class));
            if Sabotage::NoInitSets.is_on() {
                continue;
            }
            if let Some(set) = self.sets.get(&class) {
                next.extend(self.used_by_new(set, initialised));
                initialised.seen.extend(set);
            }
            self.add_unseen(class, initialised, &mut next);
        }
    }

    /// What the first user of a class relied on may have initialised it.
    fn add_unseen(&self, class: u32, initialised: &mut Initialised, next: &mut Vec<u32>) {
        if Sabotage::NoInitSets.is_on() {
            return;
        }
        if let Some(set) = self.by_first_user.get(&class) {
            next.extend(self.used_by_new(set, initialised));
            initialised.unseen.extend(set);
        }
    }

    /// The classes that those of the units use that were not there yet.
    fn used_by_new(&self, units: &UnitSet, initialised: &Initialised) -> Vec<u32> {
        let new = units.without(&initialised.seen);
        let new = new.without(&initialised.unseen);
        let used = new.iter().flat_map(|unit| self.classes.used_by(unit));
        used.collect()
    }

    /// An entity has ended that uses classes and relies on units: whoever comes first to a class that is initialised unseen
    /// may have done it.
    pub(super) fn note_first_user(&mut self, used: &ClassSet, units: &UnitSet) {
        for class in used & &self.unseen {
            if let Entry::Vacant(first) = self.by_first_user.entry(class) {
                first.insert(units.clone());
                self.noted.push(class);
            }
        }
    }

    /// Those of the classes that were seen to be initialised.
    pub(super) fn seen_of(&self, used: &ClassSet) -> impl Iterator<Item = u32> {
        let is_seen = |class: &u32| self.sets.contains_key(class);
        used.iter().filter(is_seen)
    }
}
