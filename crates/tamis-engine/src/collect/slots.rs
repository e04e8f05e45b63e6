//! A table by number. Numbers are given out one after the other, so that a place in a list will do instead of a hash: the
//! tables of a run are asked for each unit and each class of each entity.

use std::rc::Rc;

/// What is known of numbers so far.
#[derive(Debug)]
pub(super) struct Slots<T>(Vec<Option<Rc<T>>>);

impl<T> Default for Slots<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T> Slots<T> {
    pub(super) fn get(&self, number: u32) -> Option<Rc<T>> {
        self.0.get(number as usize)?.clone()
    }

    pub(super) fn insert(&mut self, number: u32, value: Rc<T>) {
        let place = number as usize;
        if self.0.len() <= place {
            self.0.resize(place + 1, None);
        }
        self.0[place] = Some(value);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_in_any_order() {
        let mut slots = Slots::default();
        slots.insert(3, Rc::new("three"));
        slots.insert(0, Rc::new("none"));
        let found = [0, 1, 3, 4].map(|number| slots.get(number).map(|text| *text));
        assert_eq!(found, [Some("none"), None, Some("three"), None]);
    }
}
