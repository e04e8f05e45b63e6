//! Classes that loaders were asked for: who relies on one that no code names that ran for him.
//!
//! A JVM asks for a class before any code runs that names it: to check another class that does, or to list what that one
//! declares. So all that test classes name may be loaded while they are looked at, those that are skipped among them, and
//! that is no concern of the tests that run. But code may also ask for a class by a name that it made up, and look at it
//! without running any of it. The two cannot be told apart: who asked relies on it, and what was asked for while no test
//! ran concerns nobody if a class names it that was there before.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use tamis_wire::{Sighting, UnitSet};

use super::class_table::{ClassTable, NameId};
use crate::attribution::{Attributed, Reliance};
use crate::conversation::FIRST_SIGHTING;
use crate::examined::ExaminedJvm;

/// What loaders were asked for that a JVM has loaded.
pub(super) struct AskedFor {
    /// By the unit of the question.
    asked: BTreeMap<u32, Asked>,
    /// The units of all questions.
    questions: UnitSet,
    /// What was asked for while no test ran. Launchers look at all tests then.
    ambient: UnitSet,
}

/// A class that was loaded.
#[derive(Debug)]
struct Asked {
    name: NameId,
    /// Whether a class names it that was loaded before it.
    is_named: bool,
}

impl AskedFor {
    pub(super) fn new(trace: &ExaminedJvm, classes: &mut ClassTable<'_>) -> Self {
        let loaded = || trace.jvm.classes.iter().enumerate();
        let mut positions = HashMap::new();
        for (position, class) in loaded() {
            positions.entry(&class.name).or_insert(position);
        }
        // Of each class, the place of the first that names it.
        let mut namers = HashMap::new();
        for (position, class) in loaded() {
            for name in &trace.classes[&class.number].shape.named {
                namers.entry(name).or_insert(position);
            }
        }
        let sightings = (FIRST_SIGHTING..).zip(&trace.jvm.sightings);
        let asked = sightings.filter_map(|(unit, sighting)| {
            let Sighting::LookedFor(name) = sighting else {
                return None;
            };
            let position = positions.get(name)?;
            let is_named = namers.get(name).is_some_and(|first| first < position);
            let name = classes.id(name);
            Some((unit, Asked { name, is_named }))
        });
        let asked: BTreeMap<u32, Asked> = asked.collect();
        let mut ambient = UnitSet::default();
        for units in &trace.jvm.ambient {
            ambient.extend(units);
        }
        Self {
            questions: asked.keys().copied().collect(),
            asked,
            ambient,
        }
    }

    /// Classes that the JVM may have looked for because of another one that names them and was there before.
    pub(super) fn named(&self) -> BTreeSet<NameId> {
        let named = self.asked.values().filter(|asked| asked.is_named);
        named.map(|asked| asked.name).collect()
    }

    /// What an entity asked for that relies on these units, and what those did that left something for it.
    pub(super) fn by(&self, attributed: &Attributed, units: &UnitSet) -> Vec<NameId> {
        let relied = &attributed.units;
        let others = self.ambient.without(relied.all());
        let asked = self.questions.shared_with(units);
        let asked = asked.without(relied.by(Reliance::Ambient));
        let asked = asked.without(&others);
        asked.iter().map(|unit| self.asked[&unit].name).collect()
    }
}
