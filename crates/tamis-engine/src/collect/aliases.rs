//! Static fields that lead to the same objects: what a test changes through one, another test finds through the other.
//!
//! Two fields become aliases where one of them is filled. What initialises a class fills the fields of that class: with what its
//! code names beside them, and whatever else it looks at. Later a test may fill one, as lazy singletons do; what it looked at
//! meanwhile may be in there if the types of the fields lead to objects of the same class. Whatever is an alias of an alias is one
//! too.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use super::FactTable;
use super::class_table::{ClassTable, NameId};
use super::left_state::Spot;
use super::unit_table::Spots;

/// Which static fields are aliases of each other.
#[derive(Debug, Default)]
pub(super) struct Aliases {
    groups: Groups,
    /// Pairs of fields of which it is known whether they lead to objects of the same class.
    known: HashSet<(u32, u32)>,
    /// The classes whose objects a field may lead to.
    types: HashMap<u32, BTreeSet<NameId>>,
}

/// A field that stood for others has given its place to another one.
pub(super) struct Joined {
    pub(super) kept: u32,
    pub(super) gone: u32,
}

impl Aliases {
    /// The field that stands for a field and its aliases.
    pub(super) fn one_for(&self, field: u32) -> u32 {
        self.groups.one_for(field)
    }

    /// All aliases of a field, itself among them if there are others.
    pub(super) fn all(&self, field: u32) -> &[u32] {
        self.groups.all(field)
    }

    /// What initialises a class has ended.
    pub(super) fn note_initialiser(
        &mut self,
        spots: &Spots,
        classes: &mut ClassTable<'_>,
        facts: &mut FactTable,
    ) -> Vec<Joined> {
        let is_open = |field: u32, classes: &ClassTable<'_>| {
            let reach = classes.reach(field);
            reach.is_some_and(|reach| reach.is_open)
        };
        let seen = leading(&fields(&spots.looked_at), classes);
        let filled = &leading(&spots.made, classes) | &leading(&fields(&spots.written), classes);
        let groups = spots.mingled.iter().map(|group| leading(group, classes));
        let groups: Vec<BTreeSet<u32>> = groups.collect();
        let mingled = groups.iter().flat_map(|group| pairs(group, group));
        let mut joined = Vec::new();
        for (one, other) in pairs(&filled, &seen).chain(mingled) {
            // Nobody knows what is in what is open.
            if is_open(one, classes)
                || is_open(other, classes)
                || self.share(one, other, classes, facts)
            {
                joined.extend(self.groups.join(one, other));
            }
        }
        joined
    }

    /// An entity has ended.
    pub(super) fn note_entity(
        &mut self,
        spots: &Spots,
        classes: &mut ClassTable<'_>,
        facts: &mut FactTable,
    ) -> Vec<Joined> {
        let filled = leading(&fields(&spots.written), classes);
        if filled.is_empty() {
            return Vec::new();
        }
        let seen = &leading(&fields(&spots.looked_at_itself), classes) | &filled;
        let mut joined = Vec::new();
        for (one, other) in pairs(&filled, &seen) {
            if self.known.insert((one, other)) && self.share(one, other, classes, facts) {
                joined.extend(self.groups.join(one, other));
            }
        }
        joined
    }

    /// Whether there is a class whose objects both fields may lead to.
    fn share(
        &mut self,
        one: u32,
        other: u32,
        classes: &mut ClassTable<'_>,
        facts: &mut FactTable,
    ) -> bool {
        for field in [one, other] {
            let types = &mut self.types;
            types
                .entry(field)
                .or_insert_with(|| classes.types_below(field, facts));
        }
        !self.types[&one].is_disjoint(&self.types[&other])
    }
}

/// Each of the first with each of the second.
fn pairs<'p>(
    first: &'p BTreeSet<u32>,
    second: &'p BTreeSet<u32>,
) -> impl Iterator<Item = (u32, u32)> + 'p {
    let pairs = first
        .iter()
        .flat_map(|one| second.iter().map(|other| (*one, *other)));
    pairs.filter(|(one, other)| one != other)
}

fn fields(spots: &BTreeSet<Spot>) -> BTreeSet<u32> {
    spots.iter().filter_map(|spot| spot.field()).collect()
}

/// Those that lead to something that can change.
fn leading(fields: &BTreeSet<u32>, classes: &ClassTable<'_>) -> BTreeSet<u32> {
    let leads = |field: &u32| classes.reach(*field).is_some_and(|it| !it.is_nothing());
    fields.iter().copied().filter(leads).collect()
}

/// Groups of fields that are aliases of each other.
#[derive(Debug, Default)]
struct Groups {
    of: HashMap<u32, u32>,
    members: BTreeMap<u32, Vec<u32>>,
}

impl Groups {
    fn one_for(&self, field: u32) -> u32 {
        self.of.get(&field).copied().unwrap_or(field)
    }

    fn all(&self, field: u32) -> &[u32] {
        self.members
            .get(&self.one_for(field))
            .map_or(&[], Vec::as_slice)
    }

    /// Two fields are aliases from now on.
    fn join(&mut self, one: u32, other: u32) -> Option<Joined> {
        let (one, other) = (self.one_for(one), self.one_for(other));
        if one == other {
            return None;
        }
        let more = self.members.remove(&other).unwrap_or_else(|| vec![other]);
        for field in &more {
            self.of.insert(*field, one);
        }
        let members = self.members.entry(one).or_insert_with(|| vec![one]);
        members.extend(more);
        Some(Joined {
            kept: one,
            gone: other,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn aliases_of_aliases_are_aliases() {
        let mut groups = Groups::default();
        let mut join = |one, other| {
            let joined = groups.join(one, other)?;
            Some((joined.kept, joined.gone))
        };
        assert_eq!(join(1, 2), Some((1, 2)));
        assert_eq!(join(3, 4), Some((3, 4)));
        assert_eq!(join(2, 1), None);
        assert_eq!(join(2, 4), Some((1, 3)));
        assert_eq!(groups.one_for(4), 1);
        assert_eq!(groups.all(3), [1, 2, 3, 4]);
        assert_eq!(groups.one_for(5), 5);
        assert!(groups.all(5).is_empty());
    }
}
