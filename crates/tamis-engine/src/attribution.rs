//! What each entity relies on: what it ran, and what ran for it before or around it (DESIGN 3).
//!
//! The agent tells what ran while an entity was open. Beside that an entity relies on what ran for the
//! entities that hold it (set-up and tear-down), while none was open (ambient), on threads that may have
//! run on (carried), and on what once initialised the classes that it uses, however early that was.

mod ambient;
mod initialisers;
mod relied_units;

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use tamis_facts::ClassName;
use tamis_wire::{ClassLoaded, Initialiser, N_UNITS, Probing, Sighting, UnitSet};

use self::ambient::Ambient;
use self::initialisers::{Initialised, Initialisers};
pub(crate) use self::relied_units::ReliedUnits;
use crate::class_info::internal_name;
use crate::class_shape::ClassShape;
use crate::common_part::CommonPart;
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

impl Reliance {
    /// All reasons, in their order.
    const ALL: [Self; 5] = [
        Self::Ran,
        Self::Around,
        Self::Carried,
        Self::Ambient,
        Self::Initialiser,
    ];
}

/// What an entity relies on.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Attributed {
    /// Each unit with the most direct reason.
    pub(crate) units: ReliedUnits,
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
        let mut ran = self.units.by(Reliance::Ran).clone();
        ran.extend(self.units.by(Reliance::Around));
        ran
    }
}

/// The classes of a JVM, with what they are.
pub(crate) struct Classes<'c> {
    numbered: BTreeMap<u32, (&'c ClassLoaded, &'c ClassShape)>,
    names: HashMap<&'c ClassName, Vec<u32>>,
    /// Where the units of a class begin; a class that was redefined shares them.
    first_units: BTreeMap<u32, Vec<u32>>,
    sightings: &'c [Sighting],
    /// Those whose declarations were asked for, by reflection.
    listed: HashSet<&'c ClassName>,
}

impl<'c> Classes<'c> {
    pub(crate) fn new(
        classes: impl Iterator<Item = (&'c ClassLoaded, &'c ClassShape)>,
        sightings: &'c [Sighting],
    ) -> Self {
        let mut all = Self {
            numbered: BTreeMap::new(),
            names: HashMap::new(),
            first_units: BTreeMap::new(),
            sightings,
            listed: sightings.iter().filter_map(listed).collect(),
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

    /// The units, and of blocks among them the methods too.
    fn with_methods(&self, units: &UnitSet) -> UnitSet {
        let methods = units.iter().flat_map(|unit| self.methods_of(unit));
        let mut all: UnitSet = methods.collect();
        all.extend(units);
        all
    }

    /// The numbers of all classes.
    fn numbers(&self) -> impl Iterator<Item = u32> {
        self.numbered.keys().copied()
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

    /// Classes that a use of this one may initialise too: reflection told somebody what it declares, and the JDK keeps that.
    fn shown(&self, number: u32) -> impl Iterator<Item = u32> {
        let class = self.numbered.get(&number);
        let class = class.filter(|(class, _)| self.listed.contains(&class.name));
        let declared = class.into_iter().flat_map(|(_, shape)| &shape.declared);
        declared.flat_map(|name| self.named(name)).copied()
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

/// The class whose declarations were asked for.
fn listed(sighting: &Sighting) -> Option<&ClassName> {
    match sighting {
        Sighting::Members(name) => Some(name),
        _ => None,
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
    let refused = jvm.classes.iter().enumerate();
    let refused = refused.filter(|(_, class)| matches!(class.probing, Probing::Refused(_)));
    let mut attribution = Attribution {
        jvm,
        classes,
        parts: parts(jvm),
        ambient: Ambient::new(&jvm.ambient, &jvm.sightings, families.values()),
        families,
        refused: refused.map(|(at, class)| (at, class.number)).collect(),
        initialisers: Initialisers::new(jvm, classes),
        common: CommonPart::default(),
    };
    let attributed = ended
        .into_iter()
        .map(|(number, entity)| (*number, attribution.entity(*number, entity)));
    attributed.collect()
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
    ambient: Ambient<'a>,
    /// Classes that were not probed, with when they were loaded.
    refused: Vec<(usize, u32)>,
    initialisers: Initialisers<'a>,
    common: CommonPart<LedTo>,
}

/// What units lead to that an entity relies on.
#[derive(Debug, Clone, Default)]
struct LedTo {
    /// The units, with the methods of what are blocks.
    with_methods: UnitSet,
    initialised: Initialised,
}

impl Attribution<'_> {
    fn entity(&mut self, number: u32, entity: &ToldEntity) -> Attributed {
        let mut units = ReliedUnits::default();
        units.add(&entity.own, Reliance::Ran);
        self.add_parts(number, &mut units);
        self.add_around(entity, &mut units);
        units.add(&entity.carried, Reliance::Carried);
        let last = entity.runs.last();
        let n_ambient = last.map_or(self.jvm.ambient.len(), |run| run.n_ambient);
        if !Sabotage::NoAmbient.is_on() {
            let ambient = self.ambient.counting(n_ambient, &self.families[&number]);
            units.add(&ambient, Reliance::Ambient);
        }
        let n_classes = last.map_or(self.jvm.classes.len(), |run| run.n_classes);
        let whole = self.refused.iter().filter(|(at, _)| *at < n_classes);
        let whole: BTreeSet<u32> = whole.map(|(_, class)| *class).collect();
        let mut led_to = self.led_to(units.all());
        self.add_methods(&led_to.with_methods, &mut units);
        let initialised = &mut led_to.initialised;
        self.initialisers
            .add_classes(whole.iter().copied().collect(), initialised);
        let once = initialised.seen.without(units.all());
        units.add(&initialised.seen, Reliance::Initialiser);
        units.add(&initialised.unseen, Reliance::Initialiser);
        self.initialisers
            .note_first_user(&initialised.used, units.all());
        Attributed {
            whole,
            initialised: self.initialisers.seen_of(&initialised.used).collect(),
            once: once.without(&initialised.unseen),
            units,
        }
    }

    fn led_to(&mut self, units: &UnitSet) -> LedTo {
        self.common.sum(units, |led_to, units| {
            let units = self.classes.with_methods(units);
            led_to.with_methods.extend(&units);
            self.initialisers.add_units(&units, &mut led_to.initialised);
        })
    }

    fn add_parts(&self, number: u32, units: &mut ReliedUnits) {
        for entity in self.parts.get(&number).into_iter().flatten() {
            units.add(&entity.own, Reliance::Ran);
            units.add(&entity.carried, Reliance::Carried);
        }
    }

    fn add_around(&self, entity: &ToldEntity, units: &mut ReliedUnits) {
        let mut seen = BTreeSet::new();
        let mut next: Vec<u32> = entity.parents.iter().copied().collect();
        while let Some(number) = next.pop() {
            if !seen.insert(number) {
                continue;
            }
            if let Some(around) = self.jvm.entities.get(&number) {
                units.add(&around.own, Reliance::Around);
                units.add(&around.carried, Reliance::Carried);
                next.extend(&around.parents);
            }
        }
    }

    /// Who relies on a block relies on its method, although it may have been entered before: for the same reason as on the
    /// first of its blocks.
    fn add_methods(&self, with_methods: &UnitSet, units: &mut ReliedUnits) {
        let entered_before = with_methods.without(units.all());
        if entered_before.is_empty() {
            return;
        }
        let relied = units.clone();
        for unit in relied.all().iter() {
            let methods = self.classes.methods_of(unit);
            for method in methods.filter(|method| entered_before.contains(*method)) {
                if let Some(reliance) = relied.reliance(unit) {
                    units.add(&UnitSet::from_iter([method]), reliance);
                }
            }
        }
    }
}

/// The class of an entity, which is a class or one of its methods.
pub(crate) fn class_of(entity: &ToldEntity) -> ClassName {
    let name = entity.discovered.name.split(|byte| *byte == b'#').next();
    internal_name(name.unwrap_or_default())
}
