//! What is on the stack and in local variables, by where it comes from.

use std::collections::BTreeSet;

/// Where an array comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Origin {
    /// Made by the instruction at this offset, and nowhere but here.
    Made(u32),
    /// Read from a field of the class, by its position.
    Field(usize),
    /// Read from a field of the object that the constructor makes.
    OwnField(usize),
    /// That object; it is no array.
    Own,
    /// Given to the method, by the slot.
    Parameter(u16),
}

/// What a slot may hold. Nothing at all is `null`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Value {
    /// Arrays that are followed, each with its number of dimensions: an array in an array counts as the outer one.
    pub(super) origins: BTreeSet<(Origin, u8)>,
    /// Whether it may be something that is not followed.
    pub(super) is_other: bool,
}

/// The slots at some point of a method. What takes two slots is two others.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Frame {
    pub(super) locals: Vec<Value>,
    pub(super) stack: Vec<Value>,
}

impl Value {
    pub(super) fn other() -> Self {
        Self {
            is_other: true,
            ..Self::default()
        }
    }

    pub(super) fn of(origin: Origin, n_dimensions: u8) -> Self {
        Self {
            origins: BTreeSet::from([(origin, n_dimensions)]),
            is_other: false,
        }
    }

    /// An element of such an array. One that is no array is not followed.
    pub(super) fn element(&self) -> Self {
        let arrays = self.origins.iter().filter(|(_, depth)| *depth > 1);
        Self {
            origins: arrays.map(|(origin, depth)| (*origin, depth - 1)).collect(),
            is_other: self.is_other || self.origins.iter().any(|(_, depth)| *depth <= 1),
        }
    }

    /// Whether there are arrays in the array.
    pub(super) fn is_deep(&self) -> bool {
        self.origins.iter().any(|(_, depth)| *depth > 1)
    }

    /// Takes in what else it may be; whether that is new.
    fn merge(&mut self, more: &Self) -> bool {
        let before = (self.origins.len(), self.is_other);
        self.origins.extend(&more.origins);
        self.is_other |= more.is_other;
        before != (self.origins.len(), self.is_other)
    }
}

impl Frame {
    pub(super) fn push(&mut self, value: Value) {
        self.stack.push(value);
    }

    pub(super) fn push_others(&mut self, n: usize) {
        let others = std::iter::repeat_with(Value::other).take(n);
        self.stack.extend(others);
    }

    /// The slots on top, the topmost last; nothing if there are fewer.
    pub(super) fn pop_many(&mut self, n: usize) -> Option<Vec<Value>> {
        let at = self.stack.len().checked_sub(n)?;
        Some(self.stack.split_off(at))
    }

    pub(super) fn pop(&mut self) -> Option<Value> {
        self.stack.pop()
    }

    /// Puts copies of the slots on top below those that are further down.
    pub(super) fn double(&mut self, n: usize, n_below: usize) -> Option<()> {
        let top = self.pop_many(n)?;
        let below = self.pop_many(n_below)?;
        self.stack.extend(top.iter().cloned());
        self.stack.extend(below);
        self.stack.extend(top);
        Some(())
    }

    /// What was made here is, from now on, one of others as well: by its depth, what it counts as.
    pub(super) fn rename(&mut self, made: u32, new: impl Fn(u8) -> Value) {
        for slot in self.locals.iter_mut().chain(&mut self.stack) {
            let is_it = |(origin, _): &&(Origin, u8)| *origin == Origin::Made(made);
            let depths: Vec<u8> = slot.origins.iter().filter(is_it).map(|one| one.1).collect();
            for depth in depths {
                slot.origins.remove(&(Origin::Made(made), depth));
                slot.merge(&new(depth));
            }
        }
    }

    /// Takes in another way to come here, or nothing if the two do not fit; whether that is new.
    pub(super) fn merge(&mut self, more: &Self) -> Option<bool> {
        let fits = self.locals.len() == more.locals.len() && self.stack.len() == more.stack.len();
        if !fits {
            return None;
        }
        let slots = self.locals.iter_mut().chain(&mut self.stack);
        let others = more.locals.iter().chain(&more.stack);
        let mut is_new = false;
        for (slot, other) in slots.zip(others) {
            is_new |= slot.merge(other);
        }
        Some(is_new)
    }
}
