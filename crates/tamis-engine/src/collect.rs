//! Turns what a JVM told into the facts of each of its entities (DESIGN 2).
//!
//! An entity relies on methods (`attribution.rs`). Each of them names classes and members, and all of these
//! are looked up in the files of the class path: what is there, and what is not there, are facts. What cannot be
//! told becomes a *doubt*: a run with a doubt is recorded, and never lets its entity be skipped.

mod access_table;
mod background;
mod class_table;
mod harness;
mod left_state;
mod unit_table;

use std::collections::{BTreeMap, BTreeSet};

use tamis_facts::{Checksum, Fact, Subject};
use tamis_store::FactSet;
use tamis_wire::{Forked, N_UNITS, Parent, UnitSet};

pub(crate) use self::access_table::FileView;
use self::access_table::{Makers, written};
use self::class_table::{ClassTable, NameId};
use self::left_state::{HandingOver, Leaving, LeftState, Spot};
use self::unit_table::{UnitFacts, UnitTable};
use crate::class_info::internal_name;
use crate::conversation::{Ending, ToldEntity, WatchedJvm};
use crate::examined::ExaminedJvm;
use crate::today::ClassStates;

/// Facts, each with the number by which the sets of entities name it.
#[derive(Debug, Default)]
pub(crate) struct FactTable {
    facts: Vec<Fact>,
    numbers: std::collections::HashMap<Fact, u32>,
}

/// What an entity saw.
#[derive(Debug, Clone, Default)]
pub(crate) struct Seen {
    pub(crate) facts: FactSet,
    /// Why a run like this one cannot be relied on; sentences without full stop.
    pub(crate) doubts: BTreeSet<String>,
    /// What no fact covers.
    pub(crate) untracked: BTreeSet<String>,
}

/// What is the same for all entities of a JVM.
pub(crate) struct Surroundings<'s> {
    /// The class files that it could load, as they are now.
    pub(crate) classes: &'s ClassStates<'s>,
    /// The coarse facts, or why one of them has no value.
    pub(crate) coarse: &'s [(Subject, Result<Checksum, String>)],
    /// All files of the module, for JVMs of which it is not known what they read.
    pub(crate) all_files: &'s Result<Checksum, String>,
    /// Which files count.
    pub(crate) files: FileView<'s>,
    /// All JVMs of the run: those that the tests of this one started are among them.
    pub(crate) jvms: &'s [ExaminedJvm],
}

impl FactTable {
    /// The number of a fact.
    pub(crate) fn number(&mut self, fact: Fact) -> u32 {
        if let Some(number) = self.numbers.get(&fact) {
            return *number;
        }
        let number = self.facts.len() as u32;
        self.facts.push(fact.clone());
        self.numbers.insert(fact, number);
        number
    }

    /// All facts, by number.
    pub(crate) fn facts(&self) -> &[Fact] {
        &self.facts
    }
}

/// What each entity of a JVM saw that ran in it, by number.
pub(crate) fn collect(
    jvm: &ExaminedJvm,
    surroundings: &Surroundings<'_>,
    facts: &mut FactTable,
) -> BTreeMap<u32, Seen> {
    let mut collector = Collector {
        surroundings,
        classes: ClassTable::new(surroundings.classes),
        facts,
    };
    collector.jvm(jvm)
}

struct Collector<'c> {
    surroundings: &'c Surroundings<'c>,
    classes: ClassTable<'c>,
    facts: &'c mut FactTable,
}

impl Collector<'_> {
    fn jvm(&mut self, trace: &ExaminedJvm) -> BTreeMap<u32, Seen> {
        let mut units = UnitTable::new(trace, &self.surroundings.files);
        let common = self.common(trace);
        let sticky: Vec<(usize, u32)> = units.accesses().sticky().collect();
        let native_since = trace.jvm.native_since();
        let unexplained = self.unexplained(trace, &mut units);
        let mut left = LeftState::default();
        let entities = in_order(&trace.jvm, trace.entities.keys().copied());
        let seen = entities.into_iter().map(|number| {
            let entity = &trace.jvm.entities[&number];
            let n_classes = entity.runs.last().map_or(usize::MAX, |run| run.n_classes);
            let loaded = unexplained.iter().filter(|(at, _)| *at < n_classes);
            let mut names = self.entity_classes(entity);
            names.extend(loaded.map(|(_, name)| *name));
            let mut seen = common.clone();
            let attributed = &trace.entities[&number];
            let mut own: UnitSet = attributed.units.keys().copied().collect();
            let n_accesses = entity.runs.last().map_or(usize::MAX, |run| run.n_accesses);
            let cached = sticky.iter().filter(|(at, _)| *at < n_accesses);
            own.extend(&cached.map(|(_, unit)| *unit).collect());
            let jvms = self.surroundings.jvms;
            let family = Family::new(&trace.jvm, number, jvms, &mut seen);
            let runs_native = native_since.is_some_and(|since| since < n_accesses);
            if family.has_strangers || runs_native {
                self.add_all_files(&mut seen);
            }
            let own = Own {
                ran: attributed.ran(),
                units: own,
                whole: &attributed.whole,
                elsewhere: family.written(None),
            };
            let all = self.add_own(&own, &mut units, &mut left, &mut names, &mut seen);
            self.add_classes(names, &mut seen);
            let written = units.accesses().written(&all);
            for child in &family.jvms {
                let elsewhere = &family.written(Some(child)) | &written;
                self.add_child(child, &elsewhere, &mut seen);
            }
            (number, seen)
        });
        seen.collect()
    }

    /// What an entity relies on by itself, and what earlier ones left for it. All units together.
    fn add_own(
        &mut self,
        own: &Own<'_>,
        units: &mut UnitTable<'_>,
        left: &mut LeftState,
        names: &mut Vec<NameId>,
        seen: &mut Seen,
    ) -> UnitSet {
        let (mut looked_at, mut left_at) =
            units.spots(&own.units, &own.ran, &mut self.classes, self.facts);
        let mut handing_over = HandingOver::default();
        for class in own.whole {
            let whole = self.add_whole(*class, units, names, seen);
            let fields = || whole.statics.iter().copied().map(Spot::Field);
            looked_at.extend(fields());
            left_at.extend(fields());
            handing_over.add(&whole);
        }
        let all = left.inherit(&looked_at, own.units.clone());
        let ran = Makers {
            units: &all,
            elsewhere: &own.elsewhere,
        };
        handing_over.extend(self.add_units(ran, units, names, seen));
        left.leave(&Leaving {
            spots: &left_at,
            own: &own.units,
            all: &all,
            handing_over: &handing_over,
        });
        all
    }

    /// What is true of all entities of a JVM.
    fn common(&mut self, trace: &ExaminedJvm) -> Seen {
        let mut seen = Seen::default();
        for (subject, value) in self.surroundings.coarse {
            self.add_coarse(subject, value, &mut seen);
        }
        self.add_unseen(&trace.jvm, &mut seen);
        if let Some(doubt) = doubt_of_ending(&trace.jvm.ending) {
            seen.doubts.insert(doubt);
        }
        seen
    }

    fn add_coarse(&mut self, subject: &Subject, value: &Result<Checksum, String>, seen: &mut Seen) {
        match value {
            Ok(value) => {
                let fact = Fact {
                    subject: subject.clone(),
                    value: Some(*value),
                };
                seen.facts.insert(self.facts.number(fact));
            }
            Err(reason) => {
                seen.doubts.insert(format!("{subject}: {reason}"));
            }
        }
    }

    /// Whatever a JVM did with files, if that was not seen.
    fn add_unseen(&mut self, jvm: &WatchedJvm, seen: &mut Seen) {
        if !jvm.sees_files() {
            self.add_all_files(seen);
        }
    }

    /// Any file of the module may have been read.
    fn add_all_files(&mut self, seen: &mut Seen) {
        self.add_coarse(&Subject::Files, self.surroundings.all_files, seen);
    }

    /// Classes that were loaded, with when, and that nothing names that ran: some code looked for them at run
    /// time, and nobody knows which.
    fn unexplained(
        &mut self,
        trace: &ExaminedJvm,
        units: &mut UnitTable<'_>,
    ) -> Vec<(usize, NameId)> {
        let mut explained = Seen::default();
        let mut names = Vec::new();
        for entity in trace.jvm.entities.values() {
            names.extend(self.entity_classes(entity));
        }
        let code = trace.jvm.all_units();
        let code = Makers {
            units: &code.iter().filter(|unit| *unit < N_UNITS).collect(),
            elsewhere: &BTreeSet::new(),
        };
        self.add_units(code, units, &mut names, &mut explained);
        let explained = self.classes.closure(names, self.facts);
        let loaded = trace.jvm.classes.iter().enumerate();
        let loaded = loaded.map(|(at, class)| (at, self.classes.id(&class.name)));
        loaded
            .filter(|(_, name)| !explained.contains(name))
            .collect()
    }

    /// The class of an entity, those that it is part of and those that are part of it. (What it extends comes
    /// with it.)
    fn entity_classes(&mut self, entity: &ToldEntity) -> Vec<NameId> {
        let name = entity.discovered.name.split(|byte| *byte == b'#').next();
        let top = self.classes.id(&internal_name(name.unwrap_or_default()));
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

    /// Adds what counts for whoever runs these; what of it has to do with other threads.
    fn add_units(
        &mut self,
        ran: Makers<'_>,
        units: &mut UnitTable<'_>,
        names: &mut Vec<NameId>,
        seen: &mut Seen,
    ) -> HandingOver {
        let mut handing_over = HandingOver::default();
        for number in ran.units.iter() {
            if units.accesses().is_made_by(number, ran) {
                continue;
            }
            let unit = units.get(number, &mut self.classes, self.facts);
            seen.facts.extend(&unit.facts);
            seen.doubts.extend(unit.doubt.clone());
            names.extend(&unit.classes);
            handing_over.add(&unit);
        }
        handing_over
    }

    /// A class that was not probed: all of it may have run.
    fn add_whole(
        &mut self,
        number: u32,
        units: &mut UnitTable<'_>,
        names: &mut Vec<NameId>,
        seen: &mut Seen,
    ) -> UnitFacts {
        let whole = units.whole(number, &mut self.classes, self.facts);
        seen.facts.extend(&whole.facts);
        seen.doubts.extend(whole.doubt.clone());
        names.extend(&whole.classes);
        whole
    }

    /// Adds what counts for each class that is used, supertypes included.
    fn add_classes(&mut self, names: Vec<NameId>, seen: &mut Seen) {
        for name in self.classes.closure(names, self.facts) {
            let class = self.classes.get(name, self.facts);
            seen.facts.extend(&class.facts);
            seen.doubts.extend(class.doubt.clone());
        }
    }

    /// Everything that a JVM ran counts for the test that started it.
    fn add_child(&mut self, child: &ExaminedJvm, elsewhere: &BTreeSet<&[u8]>, seen: &mut Seen) {
        seen.doubts.extend(doubt_of_ending(&child.jvm.ending));
        if !child.jvm.shows_all_files() {
            self.add_all_files(seen);
        }
        let mut units = UnitTable::new(child, &self.surroundings.files);
        let mut names = Vec::new();
        let ran = Makers {
            units: &child.jvm.all_units(),
            elsewhere,
        };
        self.add_units(ran, &mut units, &mut names, seen);
        for class in &child.jvm.classes {
            names.push(self.classes.id(&class.name));
            if units.is_whole(class.number) {
                self.add_whole(class.number, &mut units, &mut names, seen);
            }
        }
        seen.doubts
            .extend(units.doubts(&mut self.classes, self.facts));
        self.add_classes(names, seen);
    }
}

/// What an entity relies on by itself.
struct Own<'o> {
    units: UnitSet,
    /// Those of them that ran for it, or for what holds it.
    ran: UnitSet,
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
