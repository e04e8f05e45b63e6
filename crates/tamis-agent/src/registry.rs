//! Which numbers and marks classes have.
//!
//! A class keeps its number and marks in every loader that loads the same bytes under the same name:
//! a test that makes a loader a thousand times does not use up a thousand times the marks.

use std::collections::HashMap;
use std::ops::Range;

use tamis_wire::{ContentHash, N_UNITS};

use crate::helper_class::N_MARKS;

/// How many holders there can be.
const N_HOLDERS: u32 = N_UNITS / N_MARKS;

/// What is known of all classes.
#[derive(Default)]
pub(crate) struct Registry {
    by_content: HashMap<Content, Known>,
    /// The hash of the name stands for the name.
    by_loader: HashMap<(u32, ContentHash), Known>,
    n_classes: u32,
    holders: Vec<Room>,
    n_promised: u32,
}

/// A name and bytes, each by its hash.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Content {
    pub(crate) name: ContentHash,
    pub(crate) bytes: ContentHash,
}

/// A class that asks for marks.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Request {
    pub(crate) content: Content,
    pub(crate) loader: u32,
    pub(crate) n_units: u32,
    /// Whether the class is there already and gets other bytes.
    pub(crate) is_redefined: bool,
}

/// The answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Answer {
    /// The class's number, and its marks if there are any left.
    Known(Known),
    /// The holder of this number has to be defined first; then ask again.
    Define(u32),
}

/// A class with its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Known {
    pub(crate) number: u32,
    pub(crate) n_units: u32,
    /// Where its marks begin; none if all holders are full.
    pub(crate) slot: Option<Slot>,
}

/// A position in a holder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Slot {
    pub(crate) holder: u32,
    pub(crate) first: u16,
}

/// A holder and how many of its marks are given away.
struct Room {
    holder: u32,
    n_used: u32,
}

impl Slot {
    /// The id of the first unit.
    pub(crate) fn first_unit(self) -> u32 {
        self.holder * N_MARKS + u32::from(self.first)
    }
}

impl Registry {
    /// The number and marks of a class.
    pub(crate) fn request(&mut self, request: &Request) -> Answer {
        let key = (request.loader, request.content.name);
        if let Some(known) = self.by_content.get(&request.content) {
            self.by_loader.insert(key, *known);
            return Answer::Known(*known);
        }
        let before = self
            .by_loader
            .get(&key)
            .filter(|before| request.is_redefined && before.n_units == request.n_units);
        let slot = match before {
            Some(before) => before.slot,
            None => match self.take(request.n_units) {
                Taken::Slot(slot) => Some(slot),
                Taken::Nothing => None,
                Taken::Define(holder) => return Answer::Define(holder),
            },
        };
        let known = Known {
            number: self.new_number(),
            n_units: request.n_units,
            slot,
        };
        self.by_content.insert(request.content, known);
        self.by_loader.insert(key, known);
        Answer::Known(known)
    }

    /// A number for a class that gets no marks.
    pub(crate) fn new_number(&mut self) -> u32 {
        self.n_classes += 1;
        self.n_classes - 1
    }

    /// Whether a loader is known to have a class of this name.
    pub(crate) fn is_known(&self, loader: u32, name: ContentHash) -> bool {
        self.by_loader.contains_key(&(loader, name))
    }

    /// The units of the class of this name in a loader, if it has any.
    pub(crate) fn units(&self, loader: u32, name: ContentHash) -> Option<Range<u32>> {
        let known = self.by_loader.get(&(loader, name))?;
        let first = known.slot?.first_unit();
        Some(first..first + known.n_units)
    }

    /// A holder has been defined.
    pub(crate) fn add_holder(&mut self, holder: u32) {
        self.n_promised = self.n_promised.max(holder + 1);
        self.holders.push(Room { holder, n_used: 0 });
    }

    /// Each holder with the number of marks that are given away.
    pub(crate) fn holders(&self) -> impl Iterator<Item = (u32, u32)> {
        self.holders.iter().map(|room| (room.holder, room.n_used))
    }

    /// From the newest holder, else from a new one. What is left in the old ones stays unused: a few
    /// hundred marks of 32,768.
    fn take(&mut self, n_units: u32) -> Taken {
        if n_units > N_MARKS {
            return Taken::Nothing;
        }
        let room = self
            .holders
            .last_mut()
            .filter(|room| room.n_used + n_units <= N_MARKS);
        if let Some(room) = room {
            // An empty class takes a place too small to be named when the holder is full.
            let first = room.n_used.min(N_MARKS - 1) as u16;
            room.n_used += n_units;
            return Taken::Slot(Slot {
                holder: room.holder,
                first,
            });
        }
        if self.n_promised >= N_HOLDERS {
            return Taken::Nothing;
        }
        // Each thread that comes here defines a holder of its own, since none can wait for another:
        // defining a class may call other agents, and those may load classes.
        self.n_promised += 1;
        Taken::Define(self.n_promised - 1)
    }
}

enum Taken {
    Slot(Slot),
    Define(u32),
    Nothing,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(name: &str, bytes: &str, loader: u32, n_units: u32) -> Request {
        Request {
            content: Content {
                name: ContentHash::of(name.as_bytes()),
                bytes: ContentHash::of(bytes.as_bytes()),
            },
            loader,
            n_units,
            is_redefined: false,
        }
    }

    fn known(registry: &mut Registry, request: &Request) -> Known {
        loop {
            match registry.request(request) {
                Answer::Known(known) => return known,
                Answer::Define(holder) => registry.add_holder(holder),
            }
        }
    }

    #[test]
    fn the_same_class_in_another_loader_has_the_same_marks() {
        let mut registry = Registry::default();
        let first = known(&mut registry, &request("A", "1", 1, 10));
        let other = known(&mut registry, &request("B", "1", 1, 10));
        assert_eq!(known(&mut registry, &request("A", "1", 2, 10)), first);
        assert_eq!((first.number, other.number), (0, 1));
        assert_eq!(other.slot.unwrap().first_unit(), 10);
    }

    #[test]
    fn a_redefined_class_keeps_its_marks_under_a_new_number() {
        let mut registry = Registry::default();
        let first = known(&mut registry, &request("A", "1", 1, 10));
        let redefined = |bytes, loader, n_units| Request {
            is_redefined: true,
            ..request("A", bytes, loader, n_units)
        };
        let second = known(&mut registry, &redefined("2", 1, 10));
        assert_eq!(second.slot, first.slot);
        assert_eq!(second.number, 1);
        // Another loader's class is another class, and so is one with another number of methods.
        assert_ne!(
            known(&mut registry, &redefined("3", 2, 10)).slot,
            first.slot
        );
        assert_ne!(
            known(&mut registry, &redefined("4", 1, 11)).slot,
            first.slot
        );
        assert_eq!(known(&mut registry, &redefined("1", 1, 10)), first);
    }

    #[test]
    fn a_new_holder_begins_where_a_class_does_not_fit() {
        let mut registry = Registry::default();
        let first = known(&mut registry, &request("A", "1", 1, 32_000));
        let second = known(&mut registry, &request("B", "1", 1, 1_000));
        let whole = known(&mut registry, &request("C", "1", 1, 32_768));
        let empty = known(&mut registry, &request("D", "1", 1, 0));
        let holders = [first, second, whole, empty].map(|known| known.slot.unwrap().holder);
        assert_eq!(holders, [0, 1, 2, 2]);
        assert_eq!(
            registry.holders().collect::<Vec<_>>(),
            [(0, 32_000), (1, 1_000), (2, 32_768)]
        );
    }

    #[test]
    fn without_room_a_class_is_known_without_marks() {
        let mut registry = Registry::default();
        let too_many = known(&mut registry, &request("A", "1", 1, N_MARKS + 1));
        assert_eq!(too_many.slot, None);
        for number in 0..N_HOLDERS {
            let bytes = number.to_string();
            assert!(
                known(&mut registry, &request("B", &bytes, 1, N_MARKS))
                    .slot
                    .is_some()
            );
        }
        assert_eq!(known(&mut registry, &request("C", "1", 1, 1)).slot, None);
    }

    #[test]
    fn two_threads_define_two_holders() {
        let mut registry = Registry::default();
        let request = request("A", "1", 1, 1);
        assert_eq!(registry.request(&request), Answer::Define(0));
        assert_eq!(registry.request(&request), Answer::Define(1));
        registry.add_holder(1);
        assert_eq!(known(&mut registry, &request).slot.unwrap().holder, 1);
    }
}
