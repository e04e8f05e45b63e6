//! Who pays for what runs: everything that is going on.
//!
//! Marks do not say which thread set them. So what is harvested counts for all entities that are
//! open, for initialisers that any thread is in, and for runners that are being built. An entity that
//! holds an open one does not pay: its own set is what ran while none of its parts did.

use std::collections::BTreeMap;
use std::ops::Range;
use std::thread::ThreadId;

use tamis_wire::{Segment, UnitSet};

/// What is going on.
#[derive(Debug, Default)]
pub(crate) struct Segments {
    entities: BTreeMap<u32, Open>,
    initialisers: Vec<(u32, UnitSet)>,
    /// Runners that are being built, the innermost last.
    builds: Vec<Build>,
    /// What building the runners of entities took.
    built: BTreeMap<u32, Built>,
    ambient: UnitSet,
    last_seen: LastSeen,
}

/// A runner that is being built.
#[derive(Debug)]
struct Build {
    /// The entity that it will run.
    entity: u32,
    /// Which thread builds it; none where that may change under way.
    thread: Option<ThreadId>,
    units: UnitSet,
}

/// What building the runners of an entity took.
#[derive(Debug, Default)]
struct Built {
    units: UnitSet,
    /// Whether the entity has begun since.
    has_run: bool,
}

/// An entity that is open.
#[derive(Debug, Default)]
struct Open {
    parent: Option<u32>,
    /// How often it was begun and not ended.
    n_begun: u32,
    /// How many of its parts are open.
    n_parts: u32,
    units: UnitSet,
    carried: UnitSet,
}

impl Segments {
    /// Counts what was harvested for everything that is going on.
    pub(crate) fn add(&mut self, units: &UnitSet) {
        if units.is_empty() {
            return;
        }
        self.last_seen.note(units);
        self.for_all_that_pay(|set| set.extend(units));
    }

    /// Counts an access for everything that is going on. It is noted each time, so there is nothing to
    /// carry.
    pub(crate) fn add_access(&mut self, unit: u32) {
        self.for_all_that_pay(|set| {
            set.insert(unit);
        });
    }

    fn for_all_that_pay(&mut self, mut pay: impl FnMut(&mut UnitSet)) {
        for (_, set) in &mut self.initialisers {
            pay(set);
        }
        for position in 0..self.builds.len() {
            if !self.builds_inside(position) {
                pay(&mut self.builds[position].units);
            }
        }
        for open in self.entities.values_mut().filter(|open| open.n_parts == 0) {
            pay(&mut open.units);
        }
        if self.entities.is_empty() && self.builds.is_empty() {
            pay(&mut self.ambient);
        }
    }

    /// An initialiser begins.
    pub(crate) fn begin_initialiser(&mut self, class: u32) {
        self.initialisers.push((class, UnitSet::default()));
    }

    /// An initialiser ends; its units. Nothing if it is not open: an initialiser may end twice.
    pub(crate) fn end_initialiser(&mut self, class: u32) -> Option<UnitSet> {
        let position = self
            .initialisers
            .iter()
            .rposition(|(open, _)| *open == class)?;
        Some(self.initialisers.remove(position).1)
    }

    /// The runner of an entity is about to be built, by a thread that can be told again.
    pub(crate) fn begin_build(&mut self, entity: u32, thread: Option<ThreadId>) {
        self.builds.push(Build {
            entity,
            thread,
            units: UnitSet::default(),
        });
    }

    /// It is built; what that took counts for the entity when it runs, and may have left something for all others.
    pub(crate) fn end_build(&mut self, entity: u32) -> Option<UnitSet> {
        let position = self
            .builds
            .iter()
            .rposition(|build| build.entity == entity)?;
        let build = self.builds.remove(position);
        let built = self.built.entry(entity).or_default();
        built.units.extend(&build.units);
        built.has_run = false;
        Some(build.units)
    }

    /// The entity whose runner a thread is building; of several the innermost.
    pub(crate) fn built_by(&self, thread: ThreadId) -> Option<u32> {
        let mut builds = self.builds.iter().rev();
        let build = builds.find(|build| build.thread == Some(thread))?;
        Some(build.entity)
    }

    /// Whether a thread that builds a runner is now building another one for it, as for a suite.
    fn builds_inside(&self, position: usize) -> bool {
        let thread = self.builds[position].thread;
        let mut later = self.builds[position + 1..].iter();
        thread.is_some() && later.any(|build| build.thread == thread)
    }

    /// An entity begins; whether it was not open yet.
    pub(crate) fn begin(&mut self, entity: u32, parent: Option<u32>, start: Start) -> bool {
        if let Some(open) = self.entities.get_mut(&entity) {
            open.n_begun += 1;
            return false;
        }
        // A part whose whole is not open stands alone.
        let parent = parent.filter(|parent| self.entities.contains_key(parent));
        if let Some(whole) = parent.and_then(|parent| self.entities.get_mut(&parent)) {
            whole.n_parts += 1;
        }
        let units = match start {
            Start::Node => UnitSet::default(),
            Start::Runner => self.run_built(entity, parent.is_some()),
        };
        let open = Open {
            parent,
            n_begun: 1,
            units,
            ..Open::default()
        };
        self.entities.insert(entity, open);
        true
    }

    /// What building its runner took. A runner that was built under another name than it runs by may be
    /// any of those that were built and have not run.
    fn run_built(&mut self, entity: u32, is_part: bool) -> UnitSet {
        if let Some(built) = self.built.get_mut(&entity) {
            built.has_run = true;
            return built.units.clone();
        }
        let mut all = UnitSet::default();
        if !is_part {
            for built in self.built.values().filter(|built| !built.has_run) {
                all.extend(&built.units);
            }
        }
        all
    }

    /// Threads that ran on over the beginning may have marked before it.
    pub(crate) fn carry(&mut self, entity: u32, since: Epoch) {
        if let Some(open) = self.entities.get_mut(&entity) {
            open.carried.extend(&self.last_seen.since(since));
        }
    }

    /// Threads are in the middle of a class with these units.
    pub(crate) fn carry_seen(&mut self, entity: u32, units: Range<u32>) {
        if let Some(open) = self.entities.get_mut(&entity) {
            open.carried.extend(&self.last_seen.among(units));
        }
    }

    /// An entity ends; what to tell of it if it was not begun more often than ended.
    pub(crate) fn end(&mut self, entity: u32) -> Option<Vec<(Segment, UnitSet)>> {
        let open = self.entities.get_mut(&entity)?;
        open.n_begun -= 1;
        if open.n_begun > 0 {
            return None;
        }
        let open = self.entities.remove(&entity)?;
        if let Some(whole) = open
            .parent
            .and_then(|parent| self.entities.get_mut(&parent))
        {
            whole.n_parts -= 1;
        }
        let mut told = self.take_unfinished();
        told.push((Segment::Entity(entity), open.units));
        told.push((Segment::Carried(entity), open.carried));
        told.retain(|(_, units)| !units.is_empty());
        Some(told)
    }

    /// What an entity that ends now relies on and that has not ended itself: the ambient set, and
    /// initialisers that may never end.
    fn take_unfinished(&mut self) -> Vec<(Segment, UnitSet)> {
        let ambient = (Segment::Ambient, std::mem::take(&mut self.ambient));
        let initialisers = self
            .initialisers
            .iter_mut()
            .map(|(class, units)| (Segment::Initialiser(*class), std::mem::take(units)));
        std::iter::once(ambient).chain(initialisers).collect()
    }

    /// The entities that are open.
    pub(crate) fn open_entities(&self) -> impl Iterator<Item = u32> {
        self.entities.keys().copied()
    }

    /// The entities that are open or whose runners are being built; some may be named twice.
    pub(crate) fn going_on(&self) -> impl Iterator<Item = u32> {
        let built = self.builds.iter().map(|build| build.entity);
        self.open_entities().chain(built)
    }

    /// Whether any thread is in an initialiser.
    pub(crate) fn is_initialising(&self) -> bool {
        !self.initialisers.is_empty()
    }

    /// A boundary has been passed.
    pub(crate) fn next_epoch(&mut self) {
        self.last_seen.now.0 += 1;
    }

    /// The boundary that was passed last.
    pub(crate) fn epoch(&self) -> Epoch {
        self.last_seen.now
    }

    /// All that is still open. Runners that were built and never run count as ambient.
    pub(crate) fn end_all(&mut self) -> Vec<(Segment, UnitSet)> {
        let built = std::mem::take(&mut self.built);
        for built in built.values().filter(|built| !built.has_run) {
            self.ambient.extend(&built.units);
        }
        let mut told = self.take_unfinished();
        for (entity, open) in std::mem::take(&mut self.entities) {
            told.push((Segment::Entity(entity), open.units));
            told.push((Segment::Carried(entity), open.carried));
        }
        told.retain(|(_, units)| !units.is_empty());
        told
    }
}

/// What an entity begins with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Start {
    /// A runner, which was built before.
    Runner,
    /// A node of a plan.
    Node,
}

/// A stretch between two boundaries; later ones are greater.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Epoch(pub(crate) u32);

/// When each unit was harvested last.
#[derive(Debug, Default)]
struct LastSeen {
    now: Epoch,
    /// By unit; none has epoch 0, since the first boundary comes before the first harvest of a test.
    epochs: Vec<Option<Epoch>>,
}

impl LastSeen {
    fn note(&mut self, units: &UnitSet) {
        for unit in units.iter() {
            let unit = unit as usize;
            if unit >= self.epochs.len() {
                self.epochs.resize(unit + 1, None);
            }
            self.epochs[unit] = Some(self.now);
        }
    }

    /// Those that have ever been harvested.
    fn among(&self, units: Range<u32>) -> UnitSet {
        let is_seen = |unit: &u32| matches!(self.epochs.get(*unit as usize), Some(Some(_)));
        units.filter(is_seen).collect()
    }

    fn since(&self, since: Epoch) -> UnitSet {
        let units = (0..).zip(&self.epochs);
        units
            .filter(|(_, epoch)| epoch.is_some_and(|epoch| epoch >= since))
            .map(|(unit, _)| unit)
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use tamis_wire::N_UNITS;

    use super::*;

    fn units(ids: &[u32]) -> UnitSet {
        ids.iter().copied().collect()
    }

    fn add(segments: &mut Segments, id: u32) {
        segments.add(&units(&[id]));
    }

    fn told(segments: &mut Segments, entity: u32) -> BTreeMap<Segment, Vec<u32>> {
        let told = segments.end(entity).unwrap();
        told.into_iter()
            .map(|(segment, units)| (segment, units.iter().collect()))
            .collect()
    }

    #[test]
    fn what_runs_inside_counts_for_everything_around_it() {
        let mut segments = Segments::default();
        segments.begin(7, None, Start::Runner);
        segments.begin_initialiser(1);
        add(&mut segments, 2);
        segments.begin_initialiser(2);
        add(&mut segments, 3);
        assert_eq!(segments.end_initialiser(2), Some(units(&[3])));
        assert_eq!(segments.end_initialiser(2), None);
        add(&mut segments, 4);
        assert_eq!(segments.end_initialiser(1), Some(units(&[2, 3, 4])));
        assert_eq!(told(&mut segments, 7)[&Segment::Entity(7)], [2, 3, 4]);
    }

    #[test]
    fn one_class_initialised_in_two_loaders_at_once_ends_twice() {
        let mut segments = Segments::default();
        segments.begin_initialiser(1);
        segments.begin_initialiser(1);
        add(&mut segments, 5);
        assert_eq!(segments.end_initialiser(1), Some(units(&[5])));
        assert_eq!(segments.end_initialiser(1), Some(units(&[5])));
    }

    #[test]
    fn entities_that_overlap_pay_both() {
        let mut segments = Segments::default();
        segments.begin(1, None, Start::Runner);
        add(&mut segments, 10);
        segments.begin(2, None, Start::Runner);
        add(&mut segments, 11);
        assert_eq!(told(&mut segments, 1)[&Segment::Entity(1)], [10, 11]);
        add(&mut segments, 12);
        assert_eq!(told(&mut segments, 2)[&Segment::Entity(2)], [11, 12]);
    }

    #[test]
    fn what_runs_between_entities_is_ambient_and_told_at_the_next_end() {
        let mut segments = Segments::default();
        add(&mut segments, 1);
        segments.begin(1, None, Start::Runner);
        add(&mut segments, 2);
        let first = told(&mut segments, 1);
        assert_eq!(first[&Segment::Ambient], [1]);
        assert_eq!(first[&Segment::Entity(1)], [2]);
        segments.begin(2, None, Start::Runner);
        assert!(told(&mut segments, 2).is_empty());
        add(&mut segments, 3);
        assert_eq!(segments.end_all(), [(Segment::Ambient, units(&[3]))]);
    }

    #[test]
    fn a_whole_pays_only_while_no_part_of_it_is_open() {
        let mut segments = Segments::default();
        segments.begin(1, None, Start::Runner);
        add(&mut segments, 1);
        assert!(segments.begin(2, Some(1), Start::Runner));
        assert!(!segments.begin(2, Some(1), Start::Runner));
        add(&mut segments, 2);
        assert_eq!(segments.end(2), None);
        assert_eq!(told(&mut segments, 2)[&Segment::Entity(2)], [2]);
        add(&mut segments, 3);
        assert_eq!(told(&mut segments, 1)[&Segment::Entity(1)], [1, 3]);
    }

    #[test]
    fn an_initialiser_that_does_not_end_is_told_at_the_end_of_an_entity() {
        let mut segments = Segments::default();
        segments.begin(1, None, Start::Runner);
        segments.begin_initialiser(9);
        add(&mut segments, 5);
        assert_eq!(told(&mut segments, 1)[&Segment::Initialiser(9)], [5]);
        add(&mut segments, 6);
        assert_eq!(segments.end_initialiser(9), Some(units(&[6])));
    }

    #[test]
    fn an_access_counts_like_a_method_and_is_not_carried() {
        let mut segments = Segments::default();
        segments.begin_initialiser(9);
        segments.begin_build(1, None);
        assert!(segments.is_initialising());
        assert_eq!(segments.going_on().collect::<Vec<_>>(), [1]);
        segments.add_access(N_UNITS);
        assert_eq!(segments.end_initialiser(9), Some(units(&[N_UNITS])));
        segments.end_build(1);
        let since = segments.epoch();
        segments.begin(1, None, Start::Runner);
        segments.carry(1, since);
        segments.add_access(N_UNITS + 1);
        let first = told(&mut segments, 1);
        assert_eq!(first[&Segment::Entity(1)], [N_UNITS, N_UNITS + 1]);
        assert_eq!(first.len(), 1);
        segments.add_access(N_UNITS);
        assert_eq!(segments.end_all(), [(Segment::Ambient, units(&[N_UNITS]))]);
    }

    #[test]
    fn building_a_runner_counts_for_what_it_runs() {
        let mut segments = Segments::default();
        for (entity, id) in [(1, 10), (2, 20)] {
            segments.begin_build(entity, None);
            add(&mut segments, id);
            segments.end_build(entity);
        }
        segments.begin(1, None, Start::Runner);
        assert_eq!(told(&mut segments, 1)[&Segment::Entity(1)], [10]);
        // What was built under another name may be this one.
        segments.begin(3, None, Start::Runner);
        assert_eq!(told(&mut segments, 3)[&Segment::Entity(3)], [20]);
        segments.begin(2, None, Start::Runner);
        assert_eq!(told(&mut segments, 2)[&Segment::Entity(2)], [20]);
        // One that runs once more was built as before; all have run by now.
        segments.begin(1, None, Start::Runner);
        assert_eq!(told(&mut segments, 1)[&Segment::Entity(1)], [10]);
        segments.begin(3, None, Start::Runner);
        assert!(told(&mut segments, 3).is_empty());
    }

    #[test]
    fn a_thread_that_runs_on_carries_what_was_seen_since_it_started() {
        let mut segments = Segments::default();
        add(&mut segments, 1);
        segments.next_epoch();
        let since = segments.epoch();
        add(&mut segments, 2);
        segments.next_epoch();
        segments.begin(1, None, Start::Runner);
        segments.carry(1, since);
        let first = told(&mut segments, 1);
        assert_eq!(first[&Segment::Carried(1)], [2]);
        assert!(!first.contains_key(&Segment::Entity(1)));
    }

    #[test]
    fn a_thread_in_the_middle_of_a_class_carries_what_was_seen_of_it() {
        let mut segments = Segments::default();
        segments.add(&units(&[2, 4, 9]));
        segments.begin(1, None, Start::Runner);
        segments.carry_seen(1, 3..7);
        segments.carry_seen(1, 100..200);
        assert_eq!(told(&mut segments, 1)[&Segment::Carried(1)], [4]);
    }

    #[test]
    fn a_runner_built_for_another_one_pays_alone_if_its_thread_is_known() {
        let here = Some(std::thread::current().id());
        for (thread, expected) in [(here, vec![1]), (None, vec![1, 2])] {
            let mut segments = Segments::default();
            segments.begin_build(1, thread);
            add(&mut segments, 1);
            segments.begin_build(2, thread);
            add(&mut segments, 2);
            assert_eq!(
                here.and_then(|here| segments.built_by(here)),
                thread.map(|_| 2)
            );
            segments.end_build(2);
            segments.end_build(1);
            segments.begin(1, None, Start::Runner);
            assert_eq!(told(&mut segments, 1)[&Segment::Entity(1)], expected);
            segments.begin(2, None, Start::Runner);
            assert_eq!(told(&mut segments, 2)[&Segment::Entity(2)], [2]);
        }
    }

    #[test]
    fn a_node_of_a_plan_was_not_built() {
        let mut segments = Segments::default();
        segments.begin_build(1, None);
        add(&mut segments, 1);
        segments.end_build(1);
        segments.begin(2, None, Start::Node);
        assert!(told(&mut segments, 2).is_empty());
    }
}
