//! What ran while no entity did, and which of it counts for whom.
//!
//! Somebody may have asked for the class of another entity, or what it declares: a program that runs tests looks for them so,
//! and what it finds decides about that entity alone.

use std::collections::{BTreeSet, HashMap};

use tamis_facts::ClassName;
use tamis_wire::{Sighting, UnitSet};

use crate::conversation::{FIRST_SIGHTING, sighting_of};

/// The ambient set of a JVM.
pub(super) struct Ambient<'a> {
    parts: &'a [UnitSet],
    /// The first of the parts together, and how many these are.
    begun: (usize, UnitSet),
    /// Sightings of test classes, and of what belongs to one.
    about_tests: UnitSet,
    /// The same by the classes that they are about, and by those that these are nested in.
    by_class: HashMap<ClassName, UnitSet>,
}

impl<'a> Ambient<'a> {
    /// Test classes have these families.
    pub(super) fn new<'f>(
        parts: &'a [UnitSet],
        sightings: &[Sighting],
        families: impl Iterator<Item = &'f BTreeSet<ClassName>>,
    ) -> Self {
        let families: BTreeSet<&ClassName> = families.flatten().collect();
        let mut ambient = Self {
            parts,
            begun: (0, UnitSet::default()),
            about_tests: UnitSet::default(),
            by_class: HashMap::new(),
        };
        let units = parts.iter().flat_map(UnitSet::iter);
        for unit in units.filter(|unit| *unit >= FIRST_SIGHTING) {
            for class in with_outer(seen_class(unit, sightings)) {
                if families.contains(&class) {
                    ambient.about_tests.insert(unit);
                    ambient.by_class.entry(class).or_default().insert(unit);
                }
            }
        }
        ambient
    }

    /// What counts of so many parts for an entity of this family.
    pub(super) fn counting(&mut self, n_parts: usize, family: &BTreeSet<ClassName>) -> UnitSet {
        self.begin(n_parts);
        let (_, begun) = &self.begun;
        let mut counting = begun.without(&self.about_tests);
        for own in family.iter().filter_map(|class| self.by_class.get(class)) {
            counting.extend(&own.shared_with(begun));
        }
        counting
    }

    /// Puts the first parts together. Nearly always they are more than the last time.
    fn begin(&mut self, n_parts: usize) {
        let (n_begun, begun) = &mut self.begun;
        if n_parts < *n_begun {
            (*n_begun, *begun) = (0, UnitSet::default());
        }
        for part in self.parts.iter().take(n_parts).skip(*n_begun) {
            begun.extend(part);
        }
        *n_begun = n_parts;
    }
}

/// The class that a sighting is about.
fn seen_class(unit: u32, sightings: &[Sighting]) -> Option<&ClassName> {
    match sighting_of(unit, sightings)? {
        Sighting::Class(name) | Sighting::Members(name) => Some(name),
        _ => None,
    }
}

/// A class, and those that it is nested in.
fn with_outer(name: Option<&ClassName>) -> impl Iterator<Item = ClassName> {
    name.into_iter().flat_map(|name| {
        let bytes = name.as_bytes();
        let ends = bytes.iter().enumerate().filter(|(_, byte)| **byte == b'$');
        let outer = ends.map(|(end, _)| ClassName::from(&bytes[..end]));
        outer.chain([name.clone()])
    })
}
