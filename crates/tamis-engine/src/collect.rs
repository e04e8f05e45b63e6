//! Turns what a JVM told into the facts of each of its entities (DESIGN 2).
//!
//! An entity relies on methods (`attribution.rs`). Each of them names classes and members, and all of these
//! are looked up in the files of the class path: what is there, and what is not there, are facts. What cannot be
//! told becomes a *doubt*: a run with a doubt is recorded, and never lets its entity be skipped.

mod access_table;
mod aliases;
mod asked_for;
mod background;
mod beside;
mod changes;
mod class_table;
mod coarse;
mod companions;
mod fact_table;
mod harness;
mod initialised;
mod keepers;
mod left_state;
mod linking;
mod look_ups;
mod reach;
mod read_types;
mod relied_on;
mod sight_table;
mod slots;
mod unit_table;

use std::collections::{BTreeMap, BTreeSet};

use tamis_facts::{Checksum, ClassName, FieldId, Outside, Subject};
use tamis_store::FactSet;
use tamis_wire::{EntityKind, Forked, N_UNITS, Parent, Sight, UnitSet};

pub(crate) use self::access_table::FileView;
use self::access_table::{Makers, written};
use self::asked_for::AskedFor;
use self::beside::{Beside, Company};
use self::class_table::{ClassTable, Loaded, NameId};
use self::companions::{Companions, Doing};
pub(crate) use self::fact_table::FactTable;
use self::initialised::Initialised;
use self::left_state::{HandingOver, Inherited, Leaving, LeftState, Spot};
use self::relied_on::{ReliedOn, Tables};
use self::unit_table::{CommonSpots, Doer, Spots, UnitTable};
use crate::attribution::class_of;
use crate::class_info::FieldInfo;
use crate::common_part::CommonPart;
use crate::conversation::{Ending, FIRST_SIGHTING, ToldEntity, WatchedJvm};
use crate::examined::ExaminedJvm;
use crate::report::Coarse;
use crate::today::{ClassStates, Properties, Variables};

/// What an entity saw.
#[derive(Debug, Clone, Default)]
pub(crate) struct Seen {
    pub(crate) facts: FactSet,
    /// Those of them that count only because earlier entities may have left something.
    pub(crate) inherited: FactSet,
    /// Why a run like this one cannot be relied on; sentences without full stop.
    pub(crate) doubts: BTreeSet<String>,
    /// What no fact covers.
    pub(crate) untracked: BTreeSet<String>,
    /// What was not told apart, and why: one fact stands for all of it.
    pub(crate) coarse: BTreeSet<Coarse>,
    /// Where it looked for what others leave.
    pub(crate) looks: Looks,
    /// Entities of the same JVM that left something for it, by number.
    pub(crate) companions: BTreeSet<u32>,
    /// Facts about methods of which it is not known which blocks ran.
    pub(crate) unblocked: FactSet,
}

/// Where an entity looked for what others leave.
#[derive(Debug, Clone, Default)]
pub(crate) struct Looks {
    /// Facts about static fields, by number.
    pub(crate) fields: FactSet,
    /// Whether it looked at a system property.
    pub(crate) has_properties: bool,
}

/// What is the same for all entities of a JVM.
pub(crate) struct Surroundings<'s> {
    /// The class files that it could load, as they are now.
    pub(crate) classes: &'s ClassStates<'s>,
    /// What is the same for each of them, or why something has no value.
    pub(crate) coarse: &'s [(Subject, Result<Checksum, String>)],
    /// All files of the module, for JVMs of which it is not known what they read.
    pub(crate) all_files: &'s Result<Checksum, String>,
    /// All environment variables, for those that ask for all.
    pub(crate) environment: &'s Result<Checksum, String>,
    /// What it was given of these, one by one.
    pub(crate) given: Given<'s>,
    /// Which files count.
    pub(crate) files: FileView<'s>,
    /// All JVMs of the run: those that the tests of this one started are among them.
    pub(crate) jvms: &'s [ExaminedJvm],
}

/// What a JVM is given by who starts it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Given<'g> {
    pub(crate) variables: &'g Variables,
    pub(crate) properties: &'g Properties,
}

/// What each entity of a JVM saw that ran in it, by number.
pub(crate) fn collect(
    jvm: &ExaminedJvm,
    surroundings: &Surroundings<'_>,
    facts: &mut FactTable,
) -> BTreeMap<u32, Seen> {
    let mut collector = Collector {
        surroundings,
        classes: ClassTable::new(surroundings.classes, Loaded::new(jvm, surroundings.jvms)),
        facts,
    };
    collector.jvm(jvm)
}

/// The class of each entity that is a method, by number.
fn classes_of_methods(trace: &ExaminedJvm) -> BTreeMap<u32, ClassName> {
    let entities = trace.entities.keys();
    let entities = entities.map(|number| (*number, &trace.jvm.entities[number]));
    let methods = entities.filter(|(_, entity)| entity.discovered.kind == EntityKind::Method);
    let methods = methods.map(|(number, entity)| (number, class_of(entity)));
    methods.collect()
}

/// What ran in a JVM beside its entities, as these are gone through.
struct Earlier<'e> {
    /// What ran outside of tests.
    built: std::slice::Iter<'e, UnitSet>,
    n_built: usize,
    beside: Beside,
}

/// What the entities of a JVM have in common.
#[derive(Default)]
struct CommonParts {
    spots: CommonSpots,
    /// Without what others left for them.
    alone: CommonPart<ReliedOn>,
    /// With it; only those for whom something was left.
    heirs: CommonPart<ReliedOn>,
}

struct Collector<'c> {
    surroundings: &'c Surroundings<'c>,
    classes: ClassTable<'c>,
    facts: &'c mut FactTable,
}

impl<'c> Collector<'c> {
    fn jvm(&mut self, trace: &ExaminedJvm) -> BTreeMap<u32, Seen> {
        let surroundings = self.surroundings;
        let mut units = UnitTable::new(trace, &surroundings.files, surroundings.given);
        let common = self.common(trace);
        let sticky = Sticky {
            accesses: units.sticky_accesses(&self.classes, self.facts),
            sightings: units.sightings().sticky(&mut self.classes, self.facts),
        };
        let listed = Listed {
            first: units.sightings().listed(&mut self.classes),
            is_all: !trace.jvm.sees(Sight::Reflection),
        };
        let native_since = trace.jvm.native_since();
        let asked_for = AskedFor::new(trace, &mut self.classes);
        let unexplained = self.unexplained(trace, &asked_for, &mut units);
        let mut left = LeftState::default();
        let mut parts = CommonParts::default();
        let mut companions = Companions::new(classes_of_methods(trace));
        let mut earlier = Earlier {
            built: trace.jvm.built.iter(),
            n_built: 0,
            beside: Beside::new(&trace.jvm),
        };
        let entities = in_order(&trace.jvm, trace.entities.keys().copied());
        let seen = entities.into_iter().map(|number| {
            let entity = &trace.jvm.entities[&number];
            self.leave_earlier(&mut earlier, number, trace, &mut units, &mut left);
            let n_classes = entity.runs.last().map_or(usize::MAX, |run| run.n_classes);
            let loaded = unexplained.iter().filter(|(at, _)| *at < n_classes);
            let mut uses = Uses {
                names: loaded.map(|(_, name)| *name).collect(),
                shown: self.entity_classes(entity),
                ..Uses::default()
            };
            let mut seen = common.clone();
            let closure = self.classes.closure(uses.shown.clone(), self.facts);
            if self.is_tagged(entity, &closure) {
                self.add_outside(Outside::Anything, &mut seen);
            }
            let attributed = &trace.entities[&number];
            let mut own = attributed.units.all().clone();
            let last = entity.runs.last();
            let n_accesses = last.map_or(usize::MAX, |run| run.n_accesses);
            let n_sightings = last.map_or(usize::MAX, |run| run.n_sightings);
            own.extend(&sticky.until(n_accesses, n_sightings));
            let family = Family::new(&trace.jvm, number, surroundings.jvms, &mut seen);
            let runs_native = native_since.is_some_and(|since| since < n_accesses);
            if family.has_strangers {
                self.add_strangers(&mut seen);
            }
            if runs_native {
                self.add_native(&trace.jvm, &mut seen);
                uses.makes_any = true;
            }
            if runs_native || !attributed.whole.is_empty() {
                units.note_unseen_code();
            }
            let (lived, ran) = (own.without(&attributed.once), attributed.ran());
            // First what initialised its classes: from then on there may be code that is not seen, or that has private arrays.
            let used = &attributed.initialised;
            let initialised = self.look_at_initialisers(trace, used, &mut units, &left);
            let doer = Doer {
                lived: &lived,
                ran: &ran,
                shown: &self.annotated_fields(&closure),
            };
            let spots = self.spots(doer, &mut parts.spots, &mut units, &mut seen);
            self.note_aliases(&spots, &initialised, &mut left);
            self.note_first_uses(trace, number, &initialised, &mut units, &mut companions);
            let doing = Doing {
                looked_at: &spots.looked_at_itself,
                written: &spots.written,
                classes: used,
            };
            seen.companions = companions.end(number, &doing, |spot| units.is_set_variously(spot));
            seen.companions
                .retain(|other| !trace.jvm.entities[other].parents.contains(&number));
            let own = Own {
                spots,
                units: own,
                initialised,
                whole: &attributed.whole,
                elsewhere: family.written(None),
            };
            let (mut alone, mut uses_alone) = (seen.clone(), uses.clone());
            let is_listed = ListedBefore(&listed, n_sightings);
            let relied = self.add_own(&own, &mut units, &mut left, &mut parts);
            seen.looks = relied.looks;
            let Inherited { all, certain } = relied.inherited;
            uses.names.extend(asked_for.by(attributed, &all));
            self.add_uses(relied.sum, &uses, is_listed, &mut seen);
            if all != certain {
                uses_alone.names.extend(asked_for.by(attributed, &certain));
                let relied = self.relied_alone(&own, &certain, &mut units, &mut parts.alone);
                self.add_uses(relied, &uses_alone, is_listed, &mut alone);
                seen.inherited = &seen.facts - alone.facts;
            }
            let written = units.accesses().written(&all);
            self.add_children(&family, &written, &mut seen);
            (number, self.with_inherited_setters(seen))
        });
        seen.collect()
    }

    /// Who begins to set a field may leave something there, or nobody does.
    fn with_inherited_setters(&self, mut seen: Seen) -> Seen {
        seen.inherited |= &seen.facts & self.facts.setters();
        seen
    }

    /// What JVMs saw that an entity started, which itself wrote these files.
    fn add_children(&mut self, family: &Family<'_>, written: &BTreeSet<&[u8]>, seen: &mut Seen) {
        for child in &family.jvms {
            let elsewhere = &family.written(Some(child)) | written;
            self.add_child(child, &elsewhere, seen);
        }
    }

    /// What ran before an entity outside of tests, or beside it, may have left something for it.
    fn leave_earlier(
        &mut self,
        earlier: &mut Earlier<'_>,
        entity: u32,
        trace: &ExaminedJvm,
        units: &mut UnitTable<'_>,
        left: &mut LeftState,
    ) {
        let runs = &trace.jvm.entities[&entity].runs;
        let n_built = runs.last().map_or(usize::MAX, |run| run.n_built);
        let n_new = n_built.saturating_sub(earlier.n_built);
        for set in earlier.built.by_ref().take(n_new) {
            self.leave_early(set, units, left);
        }
        earlier.n_built = earlier.n_built.max(n_built);
        let open = left_beside(&earlier.beside.turn(entity), trace);
        // Each of them may have left something for each other.
        for set in std::iter::repeat_n(&open, open.len()).flatten() {
            self.leave_early(set, units, left);
        }
    }

    /// Where an entity looks and leaves something. Static fields that it does not name are facts, too.
    fn spots(
        &mut self,
        doer: Doer<'_>,
        common: &mut CommonSpots,
        units: &mut UnitTable<'_>,
        seen: &mut Seen,
    ) -> Spots {
        let spots = units.spots(doer, common, &mut self.classes, self.facts);
        let unnamed = doer.shown.iter().chain(&spots.reflected);
        let facts = unnamed.filter_map(|field| self.classes.state_fact(*field));
        seen.facts.extend(facts);
        spots
    }

    /// Something ran that may have left something before it, or what it is part of, has ended.
    fn leave_early(&mut self, own: &UnitSet, units: &mut UnitTable<'_>, left: &mut LeftState) {
        let common = &mut CommonSpots::default();
        let spots = units.spots(Doer::of(own), common, &mut self.classes, self.facts);
        self.note_aliases(&spots, &Initialised::default(), left);
        let all = left.inherit(&spots.looked_at, own.clone());
        let mut handing_over = HandingOver::default();
        for unit in all.iter() {
            handing_over.add(&units.get(unit, &mut self.classes, self.facts));
        }
        left.leave(&Leaving {
            spots: &spots.left_at,
            own,
            all: &all,
            handing_over: &handing_over,
        });
    }

    /// What an entity relies on by itself, and what earlier ones left for it: all units, and what they add up to.
    fn add_own(
        &mut self,
        own: &Own<'_>,
        units: &mut UnitTable<'_>,
        left: &mut LeftState,
        parts: &mut CommonParts,
    ) -> Relied {
        let mut looked_at = own.spots.looked_at.clone();
        let mut left_at = own.spots.left_at.clone();
        let mut wholes = Vec::new();
        for class in own.whole {
            let whole = units.whole(*class, &mut self.classes, self.facts);
            looked_at.extend(whole.spots());
            left_at.extend(whole.spots());
            wholes.push(whole);
        }
        let first_uses = own.initialised.first_uses.values();
        looked_at.extend(first_uses.flat_map(|spots| &spots.looked_at));
        let mut inherited = left.inherit_apart(&looked_at, &own.units);
        inherited.all.extend(&own.initialised.inherited.all);
        let of_classes = &own.initialised.inherited.certain;
        inherited.certain.extend(of_classes);
        let all = &inherited.all;
        let ran = Makers {
            units: all,
            elsewhere: &own.elsewhere,
        };
        let common = if *all == own.units {
            &mut parts.alone
        } else {
            &mut parts.heirs
        };
        let mut relied = self.relied_on(ran, units, common);
        for whole in &wholes {
            relied.handing_over.add(whole);
            relied.add_code(whole, &mut self.tables());
        }
        left.leave(&Leaving {
            spots: &left_at,
            own: &own.units,
            all,
            handing_over: &relied.handing_over,
        });
        for (class, spots) in &own.initialised.first_uses {
            left.note_initialised(*class, &spots.looked_at);
        }
        Relied {
            looks: self.looks(&looked_at, left),
            inherited,
            sum: relied,
        }
    }

    fn looks(&self, spots: &BTreeSet<Spot>, left: &LeftState) -> Looks {
        let fields = spots.iter().filter_map(|spot| spot.field());
        let aliases = fields.clone().flat_map(|field| left.aliases(field));
        let fields = fields.chain(aliases.copied());
        let fields = fields.filter_map(|field| self.classes.state_fact(field));
        let is_property = |spot: &Spot| {
            matches!(
                spot,
                Spot::Property(_) | Spot::AnyProperty | Spot::Properties
            )
        };
        Looks {
            fields: fields.collect(),
            has_properties: spots.iter().any(is_property),
        }
    }

    /// What an entity would rely on if nobody had left anything for it in static fields.
    fn relied_alone(
        &mut self,
        own: &Own<'_>,
        certain: &UnitSet,
        units: &mut UnitTable<'_>,
        common: &mut CommonPart<ReliedOn>,
    ) -> ReliedOn {
        let ran = Makers {
            units: certain,
            elsewhere: &own.elsewhere,
        };
        let mut relied = self.relied_on(ran, units, common);
        for class in own.whole {
            let whole = units.whole(*class, &mut self.classes, self.facts);
            relied.add_code(&whole, &mut self.tables());
        }
        relied
    }

    /// What is true of all entities of a JVM.
    fn common(&mut self, trace: &ExaminedJvm) -> Seen {
        let mut seen = Seen::default();
        for (subject, value) in self.surroundings.coarse {
            match subject {
                Subject::AllSettersElsewhere => self.add_all_setters(value, &mut seen),
                _ => self.add_coarse(subject, value, &mut seen),
            }
        }
        self.add_unseen(&trace.jvm, &mut seen);
        if let Some(doubt) = doubt_of_ending(&trace.jvm.ending) {
            seen.doubts.insert(doubt);
        }
        seen
    }

    /// Classes that were loaded, with when, and that nothing names that ran, nor a class for whose sake they were looked for:
    /// some code asked for them at run time, and nobody knows which.
    fn unexplained(
        &mut self,
        trace: &ExaminedJvm,
        asked_for: &AskedFor,
        units: &mut UnitTable<'_>,
    ) -> Vec<(usize, NameId)> {
        let mut names = Vec::new();
        for entity in trace.jvm.entities.values() {
            names.extend(self.entity_classes(entity));
        }
        // Who asked for a class is known, if that is seen.
        let counts = |unit: &u32| match *unit {
            ..N_UNITS => true,
            unit => unit >= FIRST_SIGHTING && trace.jvm.sees(Sight::Classes),
        };
        for unit in trace.jvm.all_units().iter().filter(counts) {
            names.extend(&units.get(unit, &mut self.classes, self.facts).classes);
        }
        let mut explained = self.classes.closure(names, self.facts);
        // Native code asks for classes in ways that are not seen.
        if trace.jvm.sees(Sight::Classes) && trace.jvm.native_since().is_none() {
            explained.extend(asked_for.named());
        }
        let loaded = trace.jvm.classes.iter().enumerate();
        let loaded = loaded.map(|(at, class)| (at, self.classes.id(&class.name)));
        loaded
            .filter(|(_, name)| !explained.contains(name))
            .collect()
    }

    /// Whether an entity says of itself that it runs each time: its class, what that is part of or extends, what is part of it, an
    /// annotation of these, or a method that is a test.
    fn is_tagged(&mut self, entity: &ToldEntity, classes: &BTreeSet<NameId>) -> bool {
        let discovered = &entity.discovered;
        let is_method = discovered.kind == EntityKind::Method;
        let test = discovered.tests.first().filter(|_| is_method);
        let mut files = classes
            .iter()
            .map(|name| self.classes.get(*name, self.facts));
        files.any(|class| {
            let file = class.file.as_ref();
            file.is_some_and(|file| file.info.tags.has(test.map(|test| &test[..])))
        })
    }

    /// The static fields of an entity's classes, and of those that these extend, which a framework may look at for its sake.
    fn annotated_fields(&mut self, classes: &BTreeSet<NameId>) -> BTreeSet<u32> {
        let is_annotated = |_: &FieldId, field: &FieldInfo| field.is_annotated;
        let fields = classes
            .iter()
            .flat_map(|class| self.classes.static_state(*class, is_annotated, self.facts));
        fields.collect()
    }

    /// The class of an entity, those that it is part of and those that are part of it. (What it extends comes
    /// with it.)
    fn entity_classes(&mut self, entity: &ToldEntity) -> Vec<NameId> {
        let top = self.classes.id(&class_of(entity));
        let mut all = vec![top];
        let mut next = 0;
        while let Some(class) = all.get(next).copied() {
            next += 1;
            for more in self.classes.nest(class, self.facts) {
                if !all.contains(&more) {
                    all.push(more);
                }
            }
        }
        all
    }

    /// What units add up to for who relies on them, beginning with what he has in common with others.
    fn relied_on(
        &mut self,
        ran: Makers<'_>,
        units: &mut UnitTable<'_>,
        common: &mut CommonPart<ReliedOn>,
    ) -> ReliedOn {
        let certain = ran.units.without(units.conditional());
        let mut relied = common.sum(&certain, |relied, more| {
            for unit in more.iter() {
                self.add_unit(unit, units, relied);
            }
        });
        for unit in ran.units.shared_with(units.conditional()).iter() {
            if !units.accesses().is_made_by(unit, ran) {
                self.add_unit(unit, units, &mut relied);
            }
        }
        relied
    }

    fn add_unit(&mut self, unit: u32, units: &mut UnitTable<'_>, relied: &mut ReliedOn) {
        let unit = units.get(unit, &mut self.classes, self.facts);
        relied.add_unit(&unit, &mut self.tables());
    }

    /// Adds what was found, with what counts for each class that is used beside it; of the members of classes if reflection
    /// showed them, now or before.
    fn add_uses(
        &mut self,
        mut relied: ReliedOn,
        uses: &Uses,
        is_listed: ListedBefore<'_>,
        seen: &mut Seen,
    ) {
        let shown = self.classes.closure(uses.shown.clone(), self.facts);
        let mut tables = self.tables();
        for name in uses.names.iter().chain(&shown) {
            relied.use_class(*name, &mut tables);
        }
        for name in &shown {
            relied.show(*name, &mut tables);
        }
        for name in is_listed.names() {
            relied.list(name, &mut tables);
        }
        if is_listed.0.is_all {
            relied.list_all(&mut tables);
        }
        if uses.makes_any {
            relied.make_any(&mut tables);
        }
        self.add_relied(relied, seen);
    }

    fn add_relied(&mut self, relied: ReliedOn, seen: &mut Seen) {
        seen.facts |= relied.facts;
        seen.unblocked |= relied.unblocked;
        seen.doubts.extend(relied.doubts);
        seen.untracked.extend(relied.untracked);
        for what in relied.coarse {
            self.add_coarse_form(what, seen);
        }
    }

    fn tables(&mut self) -> Tables<'_, 'c> {
        Tables {
            classes: &mut self.classes,
            facts: self.facts,
        }
    }

    /// Everything that a JVM ran counts for the test that started it.
    fn add_child(&mut self, child: &ExaminedJvm, elsewhere: &BTreeSet<&[u8]>, seen: &mut Seen) {
        seen.doubts.extend(doubt_of_ending(&child.jvm.ending));
        self.add_unseen(&child.jvm, seen);
        self.add_native(&child.jvm, seen);
        let Surroundings { files, given, .. } = self.surroundings;
        let mut units = UnitTable::new(child, files, *given);
        let mut uses = Uses::default();
        let ran = Makers {
            units: &child.jvm.all_units(),
            elsewhere,
        };
        let mut relied = self.relied_on(ran, &mut units, &mut CommonPart::default());
        for class in &child.jvm.classes {
            uses.names.push(self.classes.id(&class.name));
            if units.is_whole(class.number) {
                let whole = units.whole(class.number, &mut self.classes, self.facts);
                relied.add_code(&whole, &mut self.tables());
            }
        }
        seen.doubts
            .extend(units.doubts(&mut self.classes, self.facts));
        let listed = Listed {
            is_all: !child.jvm.sees(Sight::Reflection),
            first: BTreeMap::new(),
        };
        self.add_uses(relied, &uses, ListedBefore(&listed, 0), seen);
    }
}

/// The classes that an entity uses beside what its units use.
#[derive(Default, Clone)]
struct Uses {
    names: Vec<NameId>,
    /// Those that the framework looks at by reflection, with all that they extend.
    shown: Vec<NameId>,
    /// Whether objects of any class may be made without running code of theirs.
    makes_any: bool,
}

/// What the JDK may have cached, with when it was first asked for.
struct Sticky {
    accesses: Vec<(usize, u32)>,
    sightings: Vec<(usize, u32)>,
}

impl Sticky {
    /// What was asked for before so much was told.
    fn until(&self, n_accesses: usize, n_sightings: usize) -> UnitSet {
        let accesses = self.accesses.iter().filter(|(at, _)| *at < n_accesses);
        let sightings = self.sightings.iter().filter(|(at, _)| *at < n_sightings);
        accesses.chain(sightings).map(|(_, unit)| *unit).collect()
    }
}

/// Classes that reflection was asked about.
struct Listed {
    /// With how many sightings had been told then.
    first: BTreeMap<NameId, usize>,
    /// Whether it may have been asked about any.
    is_all: bool,
}

/// Those that it was asked about before so many sightings had been told.
#[derive(Clone, Copy)]
struct ListedBefore<'l>(&'l Listed, usize);

impl<'l> ListedBefore<'l> {
    fn names(self) -> impl Iterator<Item = NameId> + 'l {
        let Self(listed, n_sightings) = self;
        let before = listed.first.iter();
        let before = before.filter(move |(_, first)| **first < n_sightings);
        before.map(|(name, _)| *name)
    }
}

/// What an entity relies on.
struct Relied {
    looks: Looks,
    inherited: Inherited,
    sum: ReliedOn,
}

/// What an entity relies on by itself.
struct Own<'o> {
    units: UnitSet,
    spots: Spots,
    initialised: Initialised,
    /// Classes that were not probed.
    whole: &'o BTreeSet<u32>,
    /// Paths that other JVMs wrote for it.
    elsewhere: BTreeSet<&'o [u8]>,
}

/// The JVMs that work for an entity.
#[derive(Default)]
struct Family<'f> {
    jvms: Vec<&'f ExaminedJvm>,
    /// Whether other programs were started, of which nothing is known.
    has_strangers: bool,
}

impl<'f> Family<'f> {
    /// Those that an entity started, and those that they started. What is not known of others is noted.
    fn new(jvm: &'f WatchedJvm, entity: u32, jvms: &'f [ExaminedJvm], seen: &mut Seen) -> Self {
        let mut family = Self::default();
        // What was started while no test ran may have worked for all of them.
        let forks = jvm
            .forks
            .iter()
            .filter(|fork| fork.entities.contains(&entity) || fork.entities.is_empty());
        let mut next: Vec<(u32, &Forked)> = forks.map(|fork| (jvm.number, &fork.forked)).collect();
        while let Some((jvm, forked)) = next.pop() {
            let program = String::from_utf8_lossy(&forked.program);
            if !forked.is_followed {
                family.has_strangers = true;
                seen.untracked
                    .insert(format!("started a process: {program}"));
                continue;
            }
            let parent = Some(Parent {
                jvm,
                fork: forked.fork,
            });
            let Some(child) = jvms.iter().find(|child| child.jvm.hello.parent == parent) else {
                seen.doubts
                    .insert(format!("a JVM that it started was not heard of: {program}"));
                continue;
            };
            let forks = child.jvm.forks.iter();
            next.extend(forks.map(|fork| (child.jvm.number, &fork.forked)));
            family.jvms.push(child);
        }
        family
    }

    /// The paths that they wrote, one of them excepted.
    fn written(&self, except: Option<&ExaminedJvm>) -> BTreeSet<&'f [u8]> {
        let except = except.map(|jvm| jvm.jvm.number);
        let others = self.jvms.iter();
        let others = others.filter(|jvm| Some(jvm.jvm.number) != except);
        written(others.flat_map(|jvm| &jvm.jvm.accesses))
    }
}

/// Entities in the order of their first ends; what is still open comes last.
fn in_order(jvm: &WatchedJvm, entities: impl Iterator<Item = u32>) -> Vec<u32> {
    let mut entities: Vec<u32> = entities.collect();
    let first_end = |number: &u32| {
        let runs = jvm.entities.get(number).map(|entity| &entity.runs);
        runs.and_then(|runs| runs.first())
            .map_or(usize::MAX, |run| run.order)
    };
    entities.sort_by_key(first_end);
    entities
}

/// What those rely on that were open beside an entity. Many are taken for one, which left everything that any of them
/// did.
fn left_beside(company: &Company, trace: &ExaminedJvm) -> Vec<UnitSet> {
    const MAX_APART: usize = 16;
    let others = company
        .others
        .iter()
        .filter_map(|other| trace.entities.get(other));
    let units = others.map(|attributed| attributed.units.all().clone());
    let all: Vec<UnitSet> = units.collect();
    if all.len() <= MAX_APART {
        return all;
    }
    let mut together = UnitSet::default();
    for units in all.iter().filter(|_| company.is_new) {
        together.extend(units);
    }
    vec![together]
}

/// What may be missing from the words of a JVM.
fn doubt_of_ending(ending: &Ending) -> Option<String> {
    match ending {
        Ending::Complete => None,
        Ending::Incomplete(reason) => Some(reason.clone()),
        Ending::Lost => Some("its JVM was killed, or lost its agent".to_owned()),
        Ending::Garbled(error) => Some(format!("its JVM was not understood: {error}")),
        Ending::Contradictory => Some("its JVM contradicted itself".to_owned()),
        Ending::StillRunning => Some("its JVM outlived the command".to_owned()),
    }
}
