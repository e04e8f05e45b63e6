//! What each entity relies on: what it ran, and what ran for it before or around it (DESIGN 3).
//!
//! The agent tells what ran while an entity was open. Beside that an entity relies on what ran for the
//! entities that hold it (set-up and tear-down), while none was open (ambient), on threads that may have
//! run on (carried), and on what once initialised the classes that it uses, however early that was.

use std::collections::{BTreeMap, BTreeSet};

use tamis_facts::ClassName;
use tamis_wire::{ClassLoaded, Initialiser, N_UNITS, Probing, Sighting, UnitSet};

use crate::class_info::internal_name;
use crate::class_shape::ClassShape;
use crate::conversation::{ToldEntity, WatchedJvm, sighting_of};
use crate::sabotage::Sabotage;

/// Why an entity relies on something, the most direct reason first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reliance {
    /// It ran while the entity or a part of it did.
    Ran,
    /// It ran for what holds the entity: set-up and tear-down, the suite.
    Around,
    /// A thread may have gone on with it when the entity began.
    Carried,
    /// It ran before, while no entity did.
    Ambient,
    /// It ran when a class that the entity uses was initialised.
    Initialiser,
}

/// What an entity relies on.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Attributed {
    /// Each unit with the most direct reason.
    pub(crate) units: BTreeMap<u32, Reliance>,
    /// Classes that were not probed and count as a whole, by number.
    pub(crate) whole: BTreeSet<u32>,
    /// Classes that it uses, by number, and that were seen to be initialised.
    pub(crate) initialised: BTreeSet<u32>,
    /// Those of the units on which it relies for no other reason than that.
    pub(crate) once: UnitSet,
}

impl Attributed {
    /// What ran while the entity did, or for what holds it.
    pub(crate) fn ran(&self) -> UnitSet {
        let ran = self.units.iter();
        let ran = ran.filter(|(_, reliance)| matches!(reliance, Reliance::Ran | Reliance::Around));
        ran.map(|(unit, _)| *unit).collect()
    }
}

/// The classes of a JVM, with what they are.
pub(crate) struct Classes<'c> {
    numbered: BTreeMap<u32, (&'c ClassLoaded, &'c ClassShape)>,
    names: BTreeMap<&'c ClassName, Vec<u32>>,
    /// Where the units of a class begin; a class that was redefined shares them.
    first_units: BTreeMap<u32, Vec<u32>>,
    sightings: &'c [Sighting],
}

impl<'c> Classes<'c> {
    pub(crate) fn new(
        classes: impl Iterator<Item = (&'c ClassLoaded, &'c ClassShape)>,
        sightings: &'c [Sighting],
    ) -> Self {
        let mut all = Self {
            numbered: BTreeMap::new(),
            names: BTreeMap::new(),
            first_units: BTreeMap::new(),
            sightings,
        };
        for (class, shape) in classes {
            all.numbered.insert(class.number, (class, shape));
            all.names.entry(&class.name).or_default().push(class.number);
            if let Probing::Probed {
                first,
                n_units: 1..,
                ..
            } = class.probing
            {
                all.first_units.entry(first).or_default().push(class.number);
            }
        }
        all
    }

    /// The classes that a unit belongs to; none if it is no code.
    fn of_unit(&self, unit: u32) -> &[u32] {
        if unit >= N_UNITS {
            return &[];
        }
        let found = self.first_units.range(..=unit).next_back();
        found.map_or(&[], |(_, classes)| classes)
    }

    fn named(&self, name: &ClassName) -> &[u32] {
        self.names.get(name).map_or(&[], Vec::as_slice)
    }

    /// The classes of a name that was asked for: they may have been initialised then.
    fn asked_for(&self, unit: u32) -> &[u32] {
        match sighting_of(unit, self.sightings) {
            Some(Sighting::Class(name)) => self.named(name),
            _ => &[],
        }
    }

    /// The classes that a unit uses, its own included.
    fn used_by(&self, unit: u32) -> impl Iterator<Item = u32> {
        let asked_for = self.asked_for(unit).iter().copied();
        asked_for.chain(self.of_unit(unit).iter().flat_map(move |number| {
            let (class, shape) = self.numbered[number];
            let named = match class.probing {
                // What a block uses its method uses.
                Probing::Probed { first, .. } => shape.uses.get((unit - first) as usize),
                Probing::Refused(_) => None,
            };
            let named = named
                .into_iter()
                .flatten()
                .flat_map(|name| self.named(name));
            std::iter::once(*number).chain(named.copied())
        }))
    }

    /// The units of the methods that a block is part of.
    fn methods_of(&self, unit: u32) -> impl Iterator<Item = u32> {
        self.of_unit(unit).iter().filter_map(move |number| {
            let (class, shape) = self.numbered[number];
            let Probing::Probed { first, .. } = class.probing else {
                return None;
            };
            let position = (unit - first) as usize;
            let method = shape.unit(position)?.method;
            (method != position).then(|| first + method as u32)
        })
    }

    /// The class of an entity, with those above it.
    fn family(&self, entity: &ToldEntity) -> BTreeSet<ClassName> {
        let mut family = BTreeSet::new();
        let mut next = vec![class_of(entity)];
        while let Some(name) = next.pop() {
            if family.insert(name.clone()) {
                let numbers = self.named(&name).iter();
                let shapes = numbers.map(|number| self.numbered[number].1);
                next.extend(shapes.flat_map(|shape| shape.supertypes.iter().cloned()));
            }
        }
        family
    }

    /// Classes that a use of this one initialises too.
    fn supertypes(&self, number: u32) -> impl Iterator<Item = u32> {
        let supertypes = self
            .numbered
            .get(&number)
            .map(|(_, shape)| &shape.supertypes);
        let names = supertypes.into_iter().flatten();
        names.flat_map(|name| self.named(name)).copied()
    }

    fn initialiser(&self, number: u32) -> Initialiser {
        match self.numbered.get(&number).map(|(class, _)| &class.probing) {
            Some(Probing::Probed { initialiser, .. }) => *initialiser,
            // Nobody knows what a class does that could not be read.
            Some(Probing::Refused(_)) => Initialiser::Unbracketed,
            None => Initialiser::None,
        }
    }
}

/// What each entity that ran relies on, by number.
pub(crate) fn attribute(jvm: &WatchedJvm, classes: &Classes<'_>) -> BTreeMap<u32, Attributed> {
    let mut ended: Vec<(&u32, &ToldEntity)> = jvm.entities.iter().collect();
    ended.retain(|(_, entity)| !entity.runs.is_empty() || entity.is_open);
    // In the order of their first ends; what is still open ends last.
    ended.sort_by_key(|(_, entity)| entity.runs.first().map_or(usize::MAX, |run| run.order));
    let families = jvm.entities.iter();
    let families = families.map(|(number, entity)| (*number, classes.family(entity)));
    let families: BTreeMap<u32, BTreeSet<ClassName>> = families.collect();
    let mut attribution = Attribution {
        jvm,
        classes,
        parts: parts(jvm),
        about_tests: about_tests(jvm, classes, families.values()),
        families,
        unbracketed: BTreeMap::new(),
    };
    let attributed = ended
        .into_iter()
        .map(|(number, entity)| (*number, attribution.entity(*number, entity)));
    attributed.collect()
}

/// Sightings in the ambient set of classes that belong to one of the families.
fn about_tests<'f>(
    jvm: &WatchedJvm,
    classes: &Classes<'_>,
    families: impl Iterator<Item = &'f BTreeSet<ClassName>>,
) -> BTreeSet<u32> {
    let families: BTreeSet<ClassName> = families.flatten().cloned().collect();
    let ambient = jvm.ambient.iter().flat_map(UnitSet::iter);
    let about = ambient.filter(|unit| {
        let name = seen_class(*unit, classes.sightings);
        name.is_some_and(|name| is_or_is_in(name, &families))
    });
    about.collect()
}

/// The class that a sighting is about.
fn seen_class(unit: u32, sightings: &[Sighting]) -> Option<&ClassName> {
    match sighting_of(unit, sightings)? {
        Sighting::Class(name) | Sighting::Members(name) => Some(name),
        _ => None,
    }
}

/// Whether a class is one of these, or is nested in one.
fn is_or_is_in(name: &ClassName, classes: &BTreeSet<ClassName>) -> bool {
    let bytes = name.0.as_bytes();
    let ends = bytes.iter().enumerate().filter(|(_, byte)| **byte == b'$');
    let mut around = ends.map(|(end, _)| ClassName::from(&bytes[..end]));
    classes.contains(name) || around.any(|outer| classes.contains(&outer))
}

/// The parts of each entity.
fn parts(jvm: &WatchedJvm) -> BTreeMap<u32, Vec<&ToldEntity>> {
    let mut parts: BTreeMap<u32, Vec<&ToldEntity>> = BTreeMap::new();
    for (number, entity) in &jvm.entities {
        for parent in entity.parents.iter().filter(|parent| *parent != number) {
            parts.entry(*parent).or_default().push(entity);
        }
    }
    parts
}

struct Attribution<'a> {
    jvm: &'a WatchedJvm,
    classes: &'a Classes<'a>,
    parts: BTreeMap<u32, Vec<&'a ToldEntity>>,
    /// The class of each entity, with those above it.
    families: BTreeMap<u32, BTreeSet<ClassName>>,
    /// Sightings of test classes, and of what belongs to one.
    about_tests: BTreeSet<u32>,
    /// What the first user of a class relied on that was initialised unseen.
    unbracketed: BTreeMap<u32, UnitSet>,
}

impl Attribution<'_> {
    fn entity(&mut self, number: u32, entity: &ToldEntity) -> Attributed {
        let mut units = BTreeMap::new();
        add(&mut units, &entity.own, Reliance::Ran);
        self.add_parts(number, &mut units);
        self.add_around(entity, &mut units);
        add(&mut units, &entity.carried, Reliance::Carried);
        let last = entity.runs.last();
        let n_ambient = last.map_or(self.jvm.ambient.len(), |run| run.n_ambient);
        let n_ambient = if Sabotage::NoAmbient.is_on() {
            0
        } else {
            n_ambient
        };
        let family = &self.families[&number];
        for ambient in self.jvm.ambient.iter().take(n_ambient) {
            let own = ambient.iter();
            for unit in own.filter(|unit| !self.is_about_other(*unit, family)) {
                units.entry(unit).or_insert(Reliance::Ambient);
            }
        }
        self.add_methods(&mut units);
        let n_classes = last.map_or(self.jvm.classes.len(), |run| run.n_classes);
        let loaded = self.jvm.classes.iter().take(n_classes);
        let whole: BTreeSet<u32> = loaded
            .filter(|class| matches!(class.probing, Probing::Refused(_)))
            .map(|class| class.number)
            .collect();
        let (used, once) = self.add_initialisers(&mut units, &whole);
        self.note_first_users(&units, &used);
        let seen = |class: &u32| self.jvm.initialisers.contains_key(class);
        Attributed {
            units,
            whole,
            initialised: used.into_iter().filter(seen).collect(),
            once,
        }
    }

    /// Whether somebody asked for the class of another entity, or what it declares: a program that runs tests looks for them
    /// so, and what it finds decides about that entity alone.
    fn is_about_other(&self, unit: u32, family: &BTreeSet<ClassName>) -> bool {
        self.about_tests.contains(&unit)
            && !seen_class(unit, self.classes.sightings)
                .is_some_and(|name| is_or_is_in(name, family))
    }

    fn add_parts(&self, number: u32, units: &mut BTreeMap<u32, Reliance>) {
        for entity in self.parts.get(&number).into_iter().flatten() {
            add(units, &entity.own, Reliance::Ran);
            add(units, &entity.carried, Reliance::Carried);
        }
    }

    fn add_around(&self, entity: &ToldEntity, units: &mut BTreeMap<u32, Reliance>) {
        let mut seen = BTreeSet::new();
        let mut next: Vec<u32> = entity.parents.iter().copied().collect();
        while let Some(number) = next.pop() {
            if !seen.insert(number) {
                continue;
            }
            if let Some(around) = self.jvm.entities.get(&number) {
                add(units, &around.own, Reliance::Around);
                add(units, &around.carried, Reliance::Carried);
                next.extend(&around.parents);
            }
        }
    }

    /// Who relies on a block relies on its method, although it may have been entered before.
    fn add_methods(&self, units: &mut BTreeMap<u32, Reliance>) {
        let methods = units.iter().flat_map(|(unit, reliance)| {
            let methods = self.classes.methods_of(*unit);
            methods.map(|method| (method, *reliance))
        });
        let methods: Vec<(u32, Reliance)> = methods.collect();
        for (method, reliance) in methods {
            units.entry(method).or_insert(reliance);
        }
    }

    /// Adds what initialised the classes that are used, until nothing more is; gives those classes, and what was added that
    /// was seen to initialise one.
    fn add_initialisers(
        &self,
        units: &mut BTreeMap<u32, Reliance>,
        whole: &BTreeSet<u32>,
    ) -> (BTreeSet<u32>, UnitSet) {
        let mut used = BTreeSet::new();
        let mut once = UnitSet::default();
        let mut unseen = UnitSet::default();
        let mut new_units: Vec<u32> = units.keys().copied().collect();
        let mut new_classes: Vec<u32> = whole.iter().copied().collect();
        loop {
            for unit in new_units.drain(..) {
                new_classes.extend(self.classes.used_by(unit));
            }
            let Some(class) = new_classes.pop() else {
                let once = once.iter().filter(|unit| !unseen.contains(*unit));
                return (used, once.collect());
            };
            if !used.insert(class) {
                continue;
            }
            new_classes.extend(self.classes.supertypes(class));
            if Sabotage::NoInitSets.is_on() {
                continue;
            }
            let sets = [
                (self.jvm.initialisers.get(&class), &mut once),
                (self.unbracketed.get(&class), &mut unseen),
            ];
            for (set, added) in sets {
                let found = set.into_iter().flat_map(UnitSet::iter);
                let found = found.flat_map(|unit| self.classes.methods_of(unit).chain([unit]));
                for unit in found {
                    let reliance = units.entry(unit).or_insert_with(|| {
                        new_units.push(unit);
                        Reliance::Initialiser
                    });
                    if *reliance == Reliance::Initialiser {
                        added.insert(unit);
                    }
                }
            }
        }
    }

    /// Whoever comes first to a class that is initialised unseen may have done it.
    fn note_first_users(&mut self, units: &BTreeMap<u32, Reliance>, used: &BTreeSet<u32>) {
        for class in used {
            if self.classes.initialiser(*class) == Initialiser::Unbracketed {
                let all = || units.keys().copied().collect();
                self.unbracketed.entry(*class).or_insert_with(all);
            }
        }
    }
}

/// The class of an entity, which is a class or one of its methods.
pub(crate) fn class_of(entity: &ToldEntity) -> ClassName {
    let name = entity.discovered.name.split(|byte| *byte == b'#').next();
    internal_name(name.unwrap_or_default())
}

/// The first reason stays.
fn add(units: &mut BTreeMap<u32, Reliance>, more: &UnitSet, reliance: Reliance) {
    for unit in more.iter() {
        units.entry(unit).or_insert(reliance);
    }
}
