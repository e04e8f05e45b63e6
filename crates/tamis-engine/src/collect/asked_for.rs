//! Classes that loaders were asked for: which entities rely on one that no code names that ran for them.
//!
//! A JVM asks for a class before any code runs that names it: to check another class that does, or to list what that one
//! declares. So all that test classes name may be loaded while they are looked at, those that are skipped among them, and
//! that is no concern of the tests that run. But code may also ask for a class by a name that it made up, and look at it
//! without running any of it. So an entity that asked relies on it, unless a class names it that the entity uses.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::rc::Rc;

use tamis_wire::{Sighting, UnitSet};

use super::class_table::{ClassTable, NameId};
use crate::attribution::{Attributed, Reliance};
use crate::conversation::FIRST_SIGHTING;
use crate::examined::ExaminedJvm;

/// What loaders were asked for that a JVM has loaded.
pub(super) struct AskedFor {
    /// By the unit of the question.
    asked: BTreeMap<u32, Asked>,
    /// What was asked for while no test ran. Launchers look at all tests then.
    ambient: UnitSet,
}

/// A class that was loaded.
#[derive(Debug, Clone)]
pub(super) struct Asked {
    name: NameId,
    /// Its place in the order in which classes were loaded.
    position: usize,
    namers: Rc<Namers>,
}

/// The loaded classes that name another one.
#[derive(Debug, Default)]
struct Namers {
    names: BTreeSet<NameId>,
    /// The place of the first of them.
    first: Option<usize>,
}

impl AskedFor {
    pub(super) fn new(trace: &ExaminedJvm, classes: &mut ClassTable<'_>) -> Self {
        let loaded = trace.jvm.classes.iter().enumerate();
        let mut positions = HashMap::new();
        for (position, class) in loaded.clone() {
            positions.entry(&class.name).or_insert(position);
        }
        let mut namers: HashMap<_, Namers> = HashMap::new();
        for (position, class) in loaded {
            let id = classes.id(&class.name);
            let named = trace.classes[&class.number].shape.named.iter();
            let others = named.filter(|name| **name != class.name && positions.contains_key(name));
            for name in others {
                let of_name = namers.entry(name).or_default();
                of_name.names.insert(id);
                of_name.first.get_or_insert(position);
            }
        }
        let sightings = (FIRST_SIGHTING..).zip(&trace.jvm.sightings);
        let asked = sightings.filter_map(|(unit, sighting)| {
            let Sighting::LookedFor(name) = sighting else {
                return None;
            };
            let asked = Asked {
                name: classes.id(name),
                position: *positions.get(name)?,
                namers: Rc::new(namers.remove(name).unwrap_or_default()),
            };
            Some((unit, asked))
        });
        let asked = asked.collect();
        let mut ambient = UnitSet::default();
        for units in &trace.jvm.ambient {
            ambient.extend(units);
        }
        Self { asked, ambient }
    }

    /// Classes that the JVM may have looked for because of another one that names them and was there before.
    pub(super) fn named(&self) -> BTreeSet<NameId> {
        let asked = self.asked.values();
        let named = asked.filter(|asked| {
            let first = asked.namers.first;
            first.is_some_and(|first| first < asked.position)
        });
        named.map(|asked| asked.name).collect()
    }

    /// What an entity asked for that relies on these units, and what those did that left something for it; in the order in which
    /// it was loaded.
    pub(super) fn by(&self, attributed: &Attributed, units: &UnitSet) -> Vec<Asked> {
        let counts = |unit: &u32| match attributed.units.get(unit) {
            Some(reliance) => *reliance != Reliance::Ambient,
            None => !self.ambient.contains(*unit),
        };
        let asked = self.asked.iter();
        let asked = asked.filter(|(unit, _)| units.contains(**unit) && counts(unit));
        let mut asked: Vec<Asked> = asked.map(|(_, asked)| asked.clone()).collect();
        asked.sort_by_key(|asked| asked.position);
        asked
    }
}

/// Those of the classes asked for that none names that is used, and none that was looked for because of one.
pub(super) fn unnamed(asked: &[Asked], used: &BTreeSet<NameId>) -> Vec<NameId> {
    let mut brought = BTreeSet::new();
    let mut unnamed = Vec::new();
    for asked in asked.iter().filter(|asked| !used.contains(&asked.name)) {
        let mut namers = asked.namers.names.iter();
        if !namers.any(|namer| used.contains(namer) || brought.contains(namer)) {
            unnamed.push(asked.name);
        }
        brought.insert(asked.name);
    }
    unnamed
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(name: NameId, namers: &[NameId]) -> Asked {
        Asked {
            name,
            position: 0,
            namers: Rc::new(Namers {
                names: namers.iter().copied().collect(),
                first: None,
            }),
        }
    }

    #[test]
    fn a_class_counts_that_nothing_names_that_is_used() {
        let used = BTreeSet::from([1, 2]);
        // 3 is looked for to check 1, and 4 since 3 extends it; 2 is used anyway.
        let for_checks = [asked(3, &[1]), asked(4, &[3]), asked(2, &[])];
        assert_eq!(unnamed(&for_checks, &used), Vec::<NameId>::new());
        let by_name = [asked(5, &[6]), asked(7, &[5]), asked(8, &[])];
        assert_eq!(unnamed(&by_name, &used), [5, 8]);
    }
}
