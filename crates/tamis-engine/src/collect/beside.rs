//! Entities that are open at the same time: one that has not ended may have left something for one that has.

use std::collections::{BTreeMap, BTreeSet};

use tamis_wire::EntityKind;

use crate::conversation::{ToldEntity, WatchedJvm};

/// Goes through the entities of a JVM in the order of their first ends.
#[derive(Debug, Default)]
pub(super) struct Beside {
    spans: BTreeMap<u32, Span>,
    /// Those that have not begun yet, the next one last, with when they begin.
    later: Vec<(usize, u32)>,
    /// Those that have begun and whose turn has not come.
    begun: BTreeSet<u32>,
}

/// From when to when an entity was there, counted in runs that had ended.
#[derive(Debug, Default)]
struct Span {
    begin: usize,
    /// The last one.
    end: usize,
    /// What holds it.
    parents: BTreeSet<u32>,
}

/// Who is there beside an entity.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Company {
    pub(super) others: Vec<u32>,
    /// Whether some of them were not there beside the one before.
    pub(super) is_new: bool,
}

impl Beside {
    /// What holds others leaves nothing but what they do.
    pub(super) fn new(jvm: &WatchedJvm) -> Self {
        let entities = jvm.entities.iter();
        let single = entities.filter(|(_, entity)| entity.discovered.kind != EntityKind::Container);
        Self::of(single.filter_map(|(number, entity)| Some((*number, Span::of(entity)?))))
    }

    fn of(spans: impl Iterator<Item = (u32, Span)>) -> Self {
        let spans: BTreeMap<u32, Span> = spans.collect();
        let later = spans.iter().map(|(number, span)| (span.begin, *number));
        let mut later: Vec<(usize, u32)> = later.collect();
        later.sort_unstable_by(|a, b| b.cmp(a));
        Self {
            spans,
            later,
            begun: BTreeSet::new(),
        }
    }

    /// It is an entity's turn: those that began before its last end, and whose turn comes later. Those that hold it, or are
    /// part of it, are no others.
    pub(super) fn turn(&mut self, number: u32) -> Company {
        let end = self.spans.get(&number).map_or(usize::MAX, |span| span.end);
        let mut is_new = false;
        while let Some((_, next)) = self.later.pop_if(|(begin, _)| *begin <= end) {
            is_new |= next != number;
            self.begun.insert(next);
        }
        self.begun.remove(&number);
        let is_part = |whole: u32, part: u32| {
            let span = self.spans.get(&part);
            span.is_some_and(|span| span.parents.contains(&whole))
        };
        let others = self.begun.iter().copied();
        let others = others.filter(|other| !is_part(number, *other) && !is_part(*other, number));
        Company {
            others: others.collect(),
            is_new,
        }
    }
}

impl Span {
    /// Nothing if it never began.
    fn of(entity: &ToldEntity) -> Option<Self> {
        Some(Self {
            begin: entity.first_begin?,
            end: entity.runs.last().map_or(usize::MAX, |run| run.order),
            parents: entity.parents.clone(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Entities with their beginnings and last ends.
    fn beside(spans: &[(u32, usize, usize)]) -> Beside {
        let spans = spans.iter().map(|(number, begin, end)| {
            let span = Span {
                begin: *begin,
                end: *end,
                ..Span::default()
            };
            (*number, span)
        });
        Beside::of(spans)
    }

    #[test]
    fn those_that_run_in_turn_are_alone() {
        let mut beside = beside(&[(1, 0, 0), (2, 1, 1), (3, 2, 2)]);
        for number in 1..4 {
            assert_eq!(beside.turn(number).others, [0; 0]);
        }
    }

    #[test]
    fn one_that_has_begun_is_beside_those_that_end_before_it() {
        // The first begins first and ends last.
        let mut beside = beside(&[(1, 0, 2), (2, 0, 0), (3, 1, 1)]);
        let company = |others: &[u32], is_new| Company {
            others: others.to_vec(),
            is_new,
        };
        assert_eq!(beside.turn(2), company(&[1], true));
        assert_eq!(beside.turn(3), company(&[1], false));
        assert_eq!(beside.turn(1), company(&[], false));
    }

    #[test]
    fn one_that_runs_again_is_there_to_the_end() {
        let mut beside = beside(&[(1, 0, 2), (2, 1, 1)]);
        assert_eq!(beside.turn(1).others, [2]);
        assert_eq!(beside.turn(2).others, [0; 0]);
    }

    #[test]
    fn a_whole_is_not_beside_its_parts() {
        let mut beside = beside(&[(1, 0, 1), (2, 0, 0)]);
        let part = beside.spans.get_mut(&2).unwrap();
        part.parents.insert(1);
        assert_eq!(beside.turn(2).others, [0; 0]);
    }
}
