//! The units of a JVM, methods, accesses to files and other sightings: what counts for whoever runs one.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use tamis_build::FileMatch;
use tamis_facts::{ClassName, RawText, Subject};
use tamis_wire::{N_UNITS, Sight, UnitSet};

use super::access_table::{AccessTable, FileView};
use super::background::{hands_over, may_hand_over};
use super::changes::Changes;
use super::class_table::{ClassTable, NameId, ResolvedMember, UsedFile, number};
use super::keepers::{asked_by, is_linking, keeper_below};
use super::left_state::{Keeper, Spot};
use super::look_ups::{SignatureId, allocates, joins_interfaces};
use super::read_types::reads_types;
use super::sight_table::SightTable;
use super::slots::Slots;
use super::{FactTable, Given};
use crate::class_info::{NamedMember, UnitInfo};
use crate::common_part::CommonPart;
use crate::conversation::FIRST_SIGHTING;
use crate::examined::{ClassTrace, ExaminedJvm};
use crate::today::State;

/// The units of a JVM, each worked out once.
pub(super) struct UnitTable<'t> {
    /// Where the units of classes begin; a class that was redefined shares them.
    first_units: BTreeMap<u32, Vec<&'t ClassTrace>>,
    numbered: BTreeMap<u32, &'t ClassTrace>,
    units: Slots<UnitFacts>,
    accesses: AccessTable<'t>,
    sightings: SightTable<'t>,
    /// The units that set a static field, of those that were worked out, by its number.
    setters: BTreeMap<u32, BTreeSet<u32>>,
    /// Accesses of which it depends on what else is relied on whether they count.
    conditional: UnitSet,
    /// Whether code may run of which it is not seen what it changes.
    has_unseen_code: bool,
    /// Whether somebody may have got hold of what private fields hold, and may have left it somewhere.
    has_private: bool,
}

/// What counts for whoever runs a unit.
#[derive(Debug, Default)]
pub(super) struct UnitFacts {
    /// Numbers of facts.
    pub(super) facts: BTreeSet<u32>,
    /// The classes that it uses, its own among them.
    pub(super) classes: BTreeSet<NameId>,
    /// The static fields that it names and that may hold what a test left.
    pub(super) statics: BTreeSet<u32>,
    /// Those of them that it sets.
    pub(super) written: BTreeSet<u32>,
    /// Those of them that it looks at: it does more than to set them.
    read: BTreeSet<u32>,
    /// The static fields of its own class that it names while it initialises that class: nobody can have left anything in
    /// them before, but it may leave a handle there to work that goes on.
    pub(super) made: BTreeSet<u32>,
    /// Those of them that may lead to the same objects from then on, in groups.
    mingled: Vec<BTreeSet<u32>>,
    /// What it may change in objects and arrays.
    pub(super) changes: Changes,
    /// What may give it objects that it keeps, and what keeps the object that it runs on.
    asked: BTreeSet<Keeper>,
    kept_by: Option<Keeper>,
    /// Classes that reflection was asked about.
    pub(super) listed: BTreeSet<NameId>,
    /// The methods that it calls on objects, and itself if it is found by the class of an object.
    pub(super) called: BTreeSet<SignatureId>,
    /// Its class, if it runs on objects.
    pub(super) of_object: Option<NameId>,
    /// Whether it may make objects without running code of theirs.
    pub(super) makes_any: bool,
    /// Whether it may get at classes that others declare, by reflection.
    pub(super) reads_types: bool,
    /// Of what it asked for all: the coarse form counts.
    pub(super) coarse: BTreeSet<Sight>,
    /// What it asked for that no fact covers.
    pub(super) outside: Option<String>,
    /// Facts about methods of which it is not known which blocks ran, in a run that marks blocks.
    pub(super) unblocked: BTreeSet<u32>,
    /// Whether it may hand work to other threads.
    pub(super) hands_over: bool,
    /// Why a run of it cannot be relied on.
    pub(super) doubt: Option<String>,
}

/// Where an entity looks for what others left, and where it leaves something.
#[derive(Debug, Default, Clone)]
pub(super) struct Spots {
    pub(super) looked_at: BTreeSet<Spot>,
    pub(super) left_at: BTreeSet<Spot>,
    /// Where code looked that ran for it, or for what holds it.
    pub(super) looked_at_itself: BTreeSet<Spot>,
    /// Where such code wrote.
    pub(super) written: BTreeSet<Spot>,
    /// Static fields that such code named while it initialised their class, and groups of them that may lead to the same objects.
    pub(super) made: BTreeSet<u32>,
    pub(super) mingled: Vec<BTreeSet<u32>>,
    /// Static fields that it may look at or set without naming them.
    pub(super) reflected: BTreeSet<u32>,
}

/// What is asked about where an entity looks and leaves something.
#[derive(Clone, Copy)]
pub(super) struct Doer<'d> {
    /// The units that lived for it.
    pub(super) lived: &'d UnitSet,
    /// Those that ran for it: only what these write files for is known.
    pub(super) ran: &'d UnitSet,
    /// Static fields that others look at for its sake.
    pub(super) shown: &'d BTreeSet<u32>,
}

impl<'d> Doer<'d> {
    /// What just ran these units.
    pub(super) fn of(units: &'d UnitSet) -> Self {
        const NONE: &BTreeSet<u32> = &BTreeSet::new();
        Self {
            lived: units,
            ran: units,
            shown: NONE,
        }
    }
}

/// What those have in common of which spots are asked for, one after the other.
#[derive(Default)]
pub(super) struct CommonSpots {
    lived: CommonPart<Looks>,
    ran: CommonPart<Spots>,
}

/// Where units look that lived for an entity.
#[derive(Debug, Default, Clone)]
struct Looks {
    looked_at: BTreeSet<Spot>,
    statics: StaticFields,
}

impl<'t> UnitTable<'t> {
    pub(super) fn new(trace: &'t ExaminedJvm, view: &'t FileView<'t>, given: Given<'t>) -> Self {
        let mut first_units: BTreeMap<u32, Vec<&ClassTrace>> = BTreeMap::new();
        for class in trace.classes.values().filter(|class| class.n_methods > 0) {
            first_units.entry(class.first_unit).or_default().push(class);
        }
        let accesses = AccessTable::new(&trace.jvm, view);
        Self {
            first_units,
            numbered: trace
                .classes
                .iter()
                .map(|(number, class)| (*number, class))
                .collect(),
            units: Slots::default(),
            conditional: accesses.conditional(),
            accesses,
            sightings: SightTable::new(&trace.jvm, view.archives, given),
            setters: BTreeMap::new(),
            has_unseen_code: false,
            has_private: false,
        }
    }

    /// What was done with files.
    pub(super) fn accesses(&self) -> &AccessTable<'t> {
        &self.accesses
    }

    /// Accesses of which it depends on what else is relied on whether they count.
    pub(super) fn conditional(&self) -> &UnitSet {
        &self.conditional
    }

    /// What else was asked for.
    pub(super) fn sightings(&self) -> &SightTable<'t> {
        &self.sightings
    }

    /// Accesses to what class loaders and the JDK may cache, as far as something follows from them: loaders look for each
    /// class in each place, and nothing follows from where it is not.
    pub(super) fn sticky_accesses(
        &mut self,
        classes: &ClassTable<'_>,
        facts: &mut FactTable,
    ) -> Vec<(usize, u32)> {
        let mut sticky: Vec<(usize, u32)> = self.accesses.sticky().collect();
        sticky.retain(|(_, unit)| {
            let found = self.accesses.get(*unit, classes, facts);
            !found.is_nothing() || !self.accesses.looked_at(*unit).is_empty()
        });
        sticky
    }

    /// From now on code may run of which it is not seen what it changes.
    pub(super) fn note_unseen_code(&mut self) {
        self.has_unseen_code = true;
    }

    /// Where units look for what others left that lived for an entity, and where they leave something themselves. Only what an
    /// entity ran writes files for it: what was written outside of tests is everybody's.
    pub(super) fn spots(
        &mut self,
        of: Doer<'_>,
        common: &mut CommonSpots,
        classes: &mut ClassTable<'_>,
        facts: &mut FactTable,
    ) -> Spots {
        let mut looks = common.lived.sum(of.lived, |looks, units| {
            for unit in units.iter() {
                self.add_looks(unit, looks, classes, facts);
            }
        });
        let has_run = of.lived.shared_with(of.ran);
        let mut spots = common.ran.sum(&has_run, |spots, units| {
            for unit in units.iter() {
                self.add_own_spots(unit, spots, classes, facts);
            }
        });
        spots.looked_at = looks.looked_at;
        spots.looked_at.extend(of_fields(of.shown));
        looks.statics.named.extend(of.shown);
        if looks.statics.changes.reflects {
            spots.reflected = self.reflected_by(of.lived, classes, facts);
            spots.looked_at.extend(of_fields(&spots.reflected));
            looks.statics.named.extend(&spots.reflected);
        }
        self.has_unseen_code |= looks.statics.changes.brings_unseen;
        looks.statics.changes.is_any |= self.has_unseen_code;
        self.has_private |= looks.statics.changes.gets_private;
        looks.statics.changes.gets_private = self.has_private;
        let left_at = looks.statics.left_at(classes);
        spots.left_at.extend(left_at.map(Spot::Field));
        spots
    }

    /// The static fields of the classes that units name, which reflection can get at.
    fn reflected_by(
        &mut self,
        units: &UnitSet,
        classes: &mut ClassTable<'_>,
        facts: &mut FactTable,
    ) -> BTreeSet<u32> {
        let mut named = BTreeSet::new();
        for unit in units.iter().filter(|unit| *unit < N_UNITS) {
            named.extend(&self.get(unit, classes, facts).classes);
        }
        let mut fields = BTreeSet::new();
        for class in named {
            fields.extend(classes.static_state(class, |_, _| true, facts));
        }
        fields
    }

    /// Where a unit looks for what others left, and what it does with static fields.
    fn add_looks(
        &mut self,
        unit: u32,
        looks: &mut Looks,
        classes: &mut ClassTable<'_>,
        facts: &mut FactTable,
    ) {
        if unit >= N_UNITS {
            looks.looked_at.extend(self.spots_of_access(unit).0);
            return;
        }
        let found = self.get(unit, classes, facts);
        looks.statics.add(&found);
        looks.looked_at.extend(of_fields(&found.read));
        looks
            .looked_at
            .extend(found.asked.iter().copied().map(Spot::Kept));
    }

    /// Where a unit looks that an entity ran, and where it writes. What it leaves in static fields is seen of all together.
    fn add_own_spots(
        &mut self,
        unit: u32,
        spots: &mut Spots,
        classes: &mut ClassTable<'_>,
        facts: &mut FactTable,
    ) {
        if unit >= N_UNITS {
            let (looked_at, left_at) = self.spots_of_access(unit);
            spots.looked_at_itself.extend(looked_at);
            spots.written.extend(&left_at);
            spots.left_at.extend(left_at);
            return;
        }
        let found = self.get(unit, classes, facts);
        spots.looked_at_itself.extend(of_fields(&found.read));
        spots.written.extend(of_fields(&found.written));
        spots.made.extend(&found.made);
        spots.mingled.extend_from_slice(&found.mingled);
        let filled = found.asked.iter().filter(|it| it.keeps_for_who_asks());
        let left_at = filled.chain(&found.kept_by).copied();
        spots.left_at.extend(left_at.map(Spot::Kept));
    }

    /// Where a unit that is no code looks for what others left, and where it leaves something.
    fn spots_of_access(&self, unit: u32) -> (BTreeSet<Spot>, BTreeSet<Spot>) {
        if unit >= FIRST_SIGHTING {
            return (self.sightings.looked_at(unit), self.sightings.left_at(unit));
        }
        (self.accesses.looked_at(unit), self.accesses.left_at(unit))
    }

    /// What counts for whoever runs a unit.
    pub(super) fn get(
        &mut self,
        unit: u32,
        classes: &mut ClassTable<'_>,
        facts: &mut FactTable,
    ) -> Rc<UnitFacts> {
        if unit >= FIRST_SIGHTING {
            return self.sightings.get(unit, classes, facts);
        }
        if unit >= N_UNITS {
            return self.accesses.get(unit, classes, facts);
        }
        if let Some(known) = self.units.get(unit) {
            return known;
        }
        let mut found = UnitFacts::default();
        let holders = self.first_units.range(..=unit).next_back();
        for (first, class) in holders
            .into_iter()
            .flat_map(|(first, all)| all.iter().map(move |c| (first, c)))
        {
            found.add(class, (unit - first) as usize, classes, facts);
        }
        for field in &found.written {
            self.note_setter(*field, unit);
        }
        let found = Rc::new(found);
        self.units.insert(unit, Rc::clone(&found));
        found
    }

    /// A unit sets a static field.
    pub(super) fn note_setter(&mut self, field: u32, unit: u32) {
        self.setters.entry(field).or_default().insert(unit);
    }

    /// Whether it is a static field that several pieces of code set: it matters which comes last.
    pub(super) fn is_set_variously(&self, spot: Spot) -> bool {
        let Spot::Field(field) = spot else {
            return false;
        };
        self.setters
            .get(&field)
            .is_some_and(|units| units.len() > 1)
    }

    /// Whether a class was not probed.
    pub(super) fn is_whole(&self, number: u32) -> bool {
        self.numbered
            .get(&number)
            .is_some_and(|class| class.refused.is_some())
    }

    /// What counts for whoever may have run any method of a class.
    pub(super) fn whole(
        &mut self,
        number: u32,
        classes: &mut ClassTable<'_>,
        facts: &mut FactTable,
    ) -> UnitFacts {
        let mut found = UnitFacts::default();
        if let Some(class) = self.numbered.get(&number) {
            found.add_whole(class, classes, facts);
        }
        found
    }

    /// Why what was loaded cannot be compared with files later.
    pub(super) fn doubts(
        &self,
        classes: &mut ClassTable<'_>,
        facts: &mut FactTable,
    ) -> BTreeSet<String> {
        let all = self.numbered.values();
        all.filter_map(|class| doubt_of(class, classes, facts))
            .collect()
    }
}

/// What code of an entity does with static fields.
#[derive(Debug, Default, Clone)]
struct StaticFields {
    named: BTreeSet<u32>,
    written: BTreeSet<u32>,
    changes: Changes,
}

impl StaticFields {
    fn add(&mut self, unit: &UnitFacts) {
        self.named.extend(&unit.statics);
        self.written.extend(&unit.written);
        self.changes.extend(&unit.changes);
    }

    /// The fields in which it may leave something: which it sets, or of what it can reach through them it changes something.
    fn left_at(&self, classes: &ClassTable<'_>) -> impl Iterator<Item = u32> {
        let may_change = |field: &u32| {
            let reach = classes.reach(*field);
            self.written.contains(field) || reach.is_none_or(|reach| self.changes.touch(reach))
        };
        self.named.iter().copied().filter(may_change)
    }
}

fn of_fields(fields: &BTreeSet<u32>) -> impl Iterator<Item = Spot> {
    fields.iter().copied().map(Spot::Field)
}

impl UnitFacts {
    /// All places where it may look or leave something.
    pub(super) fn spots(&self) -> impl Iterator<Item = Spot> {
        let asked = self.asked.iter().copied().map(Spot::Kept);
        of_fields(&self.statics).chain(asked)
    }

    /// Whether nothing follows from an access.
    fn is_nothing(&self) -> bool {
        self.facts.is_empty() && self.doubt.is_none()
    }

    /// A method of a class ran, or a block of one, by the position of its unit.
    fn add(
        &mut self,
        class: &ClassTrace,
        position: usize,
        classes: &mut ClassTable<'_>,
        facts: &mut FactTable,
    ) {
        let id = classes.id(&class.name);
        self.classes.insert(id);
        let used = classes.get(id, facts);
        let same = used
            .file
            .as_ref()
            .filter(|file| Some(file.hash) == class.hash);
        let place = class.shape.unit(position);
        let position = place.map_or(position, |place| place.method);
        if let Some((file, unit)) =
            same.and_then(|file| Some((file, file.info.units.get(position)?)))
        {
            let block = place.and_then(|place| place.block);
            if matches!(block, None | Some(0)) {
                self.add_unit(&class.name, file, unit, classes, facts);
            }
            if facts.has_blocks {
                self.add_block(&class.name, file, unit, block, facts);
            }
            return;
        }
        self.doubt = self
            .doubt
            .take()
            .or_else(|| doubt_of(class, classes, facts));
        // Nobody knows what such code does.
        self.changes.is_any |= !is_proxy(class);
        self.reads_types |= !is_proxy(class);
        let names = class.shape.uses.get(position).into_iter().flatten();
        self.hands_over |= may_hand_over(names.clone());
        let names = names.chain(&class.shape.supertypes);
        let names: Vec<NameId> = names.map(|name| classes.id(name)).collect();
        self.classes.extend(&names);
        // What it calls is not known.
        self.facts.extend(classes.any_called(names, facts));
    }

    /// Something was looked for by its name on the class path.
    pub(super) fn add_resource(
        &mut self,
        name: &[u8],
        classes: &ClassTable<'_>,
        facts: &mut FactTable,
    ) {
        let value = match classes.resource(name) {
            State::Absent => None,
            State::Known(value) => Some(value),
            State::Unknown(place) => {
                self.doubt = Some(format!("cannot read {place}"));
                return;
            }
        };
        let subject = Subject::Resource(RawText(name.to_vec()));
        self.facts.insert(number(facts, subject, value));
    }

    fn add_unit(
        &mut self,
        class: &ClassName,
        file: &UsedFile,
        unit: &UnitInfo,
        classes: &mut ClassTable<'_>,
        facts: &mut FactTable,
    ) {
        // A framework waits for the threads that it runs tests in.
        self.hands_over |= !file.is_frameworks(class) && hands_over(unit);
        // It lists tests, and what these declare counts for them in any case.
        self.reads_types |= !file.is_frameworks(class) && reads_types(unit);
        self.add_method(class, file, unit, facts);
        if unit.is_initialiser() {
            for field in file.info.fields.keys() {
                let subject = Subject::Field(class.clone(), field.clone());
                self.facts.insert(number(facts, subject, file.field(field)));
            }
            let subject = Subject::Fields(class.clone());
            self.facts
                .insert(number(facts, subject, file.visible_fields()));
        }
        self.add_calls(class, file, unit, classes, facts);
        let names = unit.classes.iter().chain(&unit.possible_names);
        self.classes.extend(names.map(|name| classes.id(name)));
        let own = classes.id(class);
        // A framework has no objects of tests but those that it is given to look at.
        let may_change = !file.is_frameworks(class);
        if may_change {
            self.changes.add_stores(&unit.array_stores);
            let mut supertypes = file.info.supertypes();
            self.kept_by = supertypes.find_map(keeper_below);
        }
        self.add_mingled(own, unit, classes, facts);
        if unit.has_constants() {
            self.add_constants(own, classes, facts);
        }
        for member in &unit.members {
            let resolved = classes.resolve(member, facts);
            self.facts.extend(&resolved.facts);
            if may_change {
                self.add_change(member, unit, &resolved);
                self.add_linking(member, classes, facts);
            }
            if let Some(field) = resolved.instance_field {
                self.add_constants(classes.declaring(field), classes, facts);
            }
            let Some((field, declaring)) = resolved.state else {
                continue;
            };
            if unit.is_class_initialiser() && declaring == own {
                self.made.insert(field);
            } else {
                self.statics.insert(field);
                if unit.written.contains(member) {
                    self.written.insert(field);
                }
                if unit.read.contains(member) {
                    self.read.insert(field);
                    self.add_setters(&resolved);
                }
            }
        }
    }

    /// It has an object of this class. If that is an enum, it is what a static field holds, whether that is named or not.
    fn add_constants(
        &mut self,
        class: NameId,
        classes: &mut ClassTable<'_>,
        facts: &mut FactTable,
    ) {
        for field in classes.constants(class, facts) {
            self.facts.extend(classes.state_fact(field));
            self.statics.insert(field);
            self.read.insert(field);
        }
    }

    /// It initialises its class, after which some static fields may lead to the same objects.
    fn add_mingled(
        &mut self,
        class: NameId,
        unit: &UnitInfo,
        classes: &mut ClassTable<'_>,
        facts: &mut FactTable,
    ) {
        for group in &unit.mingled {
            let fields = classes.static_state(class, |field, _| group.contains(field), facts);
            self.mingled.push(fields.into_iter().collect());
        }
    }

    /// It looks at a static field: who may have set it counts. Whoever begins to is known to nobody who ran before.
    fn add_setters(&mut self, field: &ResolvedMember) {
        match &field.setters {
            Ok(setters) => self.facts.extend(setters),
            Err(place) => self.doubt = Some(format!("cannot read {place}")),
        }
    }

    /// The number of the fact about a method, which counts.
    fn add_method(
        &mut self,
        class: &ClassName,
        file: &UsedFile,
        unit: &UnitInfo,
        facts: &mut FactTable,
    ) -> u32 {
        let subject = Subject::Method(class.clone(), unit.id.clone());
        let method = number(facts, subject, file.method(&unit.id));
        self.facts.insert(method);
        method
    }

    /// What it may change by setting a field of an object, or by a call of what is not on the class path.
    fn add_change(&mut self, member: &NamedMember, unit: &UnitInfo, resolved: &ResolvedMember) {
        if let NamedMember::Method(owner, method) = member {
            self.changes.add_getting(owner, method);
            self.asked.extend(asked_by(owner, method));
        }
        match member {
            NamedMember::Field(..) if unit.assigned.contains(member) => {
                self.changes.fields.extend(resolved.instance_field);
            }
            NamedMember::Method(owner, method) if !resolved.is_found => {
                self.changes.add_call(owner, method);
            }
            _ => {}
        }
    }

    /// It has call sites that the program's own code linked for whoever came first.
    fn add_linking(
        &mut self,
        member: &NamedMember,
        classes: &mut ClassTable<'_>,
        facts: &mut FactTable,
    ) {
        let NamedMember::Method(owner, method) = member else {
            return;
        };
        if is_linking(method) {
            let owner = classes.id(owner);
            let used = classes.get(owner, facts);
            let file = used.file.as_ref();
            let is_own = file.is_some_and(|file| !file.is_library());
            self.asked.extend(is_own.then_some(Keeper::CallSites));
        }
    }

    /// What it does with objects.
    fn add_calls(
        &mut self,
        class: &ClassName,
        file: &UsedFile,
        unit: &UnitInfo,
        classes: &mut ClassTable<'_>,
        facts: &mut FactTable,
    ) {
        let own = unit.is_dispatched().then_some(&unit.id);
        let called = unit.called.iter().chain(own);
        self.called
            .extend(called.map(|method| classes.signature(method)));
        if unit.is_of_object() {
            self.of_object = Some(classes.id(class));
        }
        self.makes_any |= allocates(unit);
        for (owner, method) in &unit.called_above {
            let counting = classes.call_above(&file.info, owner, method, facts);
            self.facts.extend(counting);
        }
        if joins_interfaces(unit) {
            let named = unit.classes.iter().map(|name| classes.id(name)).collect();
            self.facts.extend(classes.any_called(named, facts));
        }
    }

    /// A block of a method began. What the method names counts for who entered it; that one is relied on too.
    fn add_block(
        &mut self,
        class: &ClassName,
        file: &UsedFile,
        unit: &UnitInfo,
        block: Option<u32>,
        facts: &mut FactTable,
    ) {
        if !file.has_blocks(&unit.id) {
            return;
        }
        let method = self.add_method(class, file, unit, facts);
        match block {
            Some(block) => {
                let subject = Subject::Block(class.clone(), unit.id.clone(), block);
                let value = file.method(&unit.id);
                self.facts.insert(number(facts, subject, value));
            }
            None => {
                self.unblocked.insert(method);
            }
        }
    }

    fn add_whole(
        &mut self,
        class: &ClassTrace,
        classes: &mut ClassTable<'_>,
        facts: &mut FactTable,
    ) {
        let id = classes.id(&class.name);
        self.classes.insert(id);
        self.classes
            .extend(class.shape.supertypes.iter().map(|name| classes.id(name)));
        let used = classes.get(id, facts);
        // Of a class that was loaded before the agent could see it, only the file is known.
        let same = used
            .file
            .as_ref()
            .filter(|file| class.hash.is_none_or(|hash| file.hash == hash));
        let Some(file) = same else {
            self.doubt = doubt_of(class, classes, facts);
            return;
        };
        let subject = Subject::Whole(class.name.clone());
        self.facts
            .insert(number(facts, subject, Some(file.sums.smart)));
        for unit in &file.info.units {
            self.add_unit(&class.name, file, unit, classes, facts);
        }
    }
}

/// Whether a class is one of the JDK's own making that passes calls on, as those of annotations.
fn is_proxy(class: &ClassTrace) -> bool {
    let name = class.name.as_bytes().rsplit(|byte| *byte == b'/').next();
    let is_named = name.is_some_and(|name| name.starts_with(b"$Proxy"));
    let proxy = ClassName::from("java/lang/reflect/Proxy");
    is_named && class.file == FileMatch::Generated && class.shape.supertypes.contains(&proxy)
}

/// Why a class that was loaded cannot be compared with a file later, if so.
fn doubt_of(
    class: &ClassTrace,
    classes: &mut ClassTable<'_>,
    facts: &mut FactTable,
) -> Option<String> {
    let name = &class.name;
    match &class.file {
        FileMatch::OtherBytes { location } => Some(format!(
            "{name} was loaded with other bytes than {location} has"
        )),
        FileMatch::Unknown { place } if class.hash.is_some() => {
            Some(format!("{name} cannot be compared with {place}"))
        }
        // Of a class whose bytes were never seen, the file is all that is known.
        FileMatch::Generated | FileMatch::Unknown { .. } => None,
        FileMatch::Found { location } => {
            let id = classes.id(name);
            let used = classes.get(id, facts);
            let is_winner = used
                .file
                .as_ref()
                .is_some_and(|file| Some(file.hash) == class.hash);
            // One that cannot be understood is a fact as a whole; that there is none on the class path says nothing of this one.
            let is_whole = used.file.is_none() && !used.is_absent && !used.facts.is_empty();
            (!is_winner && !is_whole)
                .then(|| format!("{name} was loaded from {location}, not from the class path"))
        }
    }
}
