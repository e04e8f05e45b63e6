//! What methods on stacks are, once it was found out: a table without a lock, for it is looked into for each frame.
//!
//! A method has a few places in the table. If they are all taken, one of the others there is forgotten, and found out again
//! when it is seen.

use std::sync::atomic::{AtomicU64, Ordering};

use super::Frame;

/// How many methods are remembered.
const N_PLACES: usize = 1 << N_BITS;
const N_BITS: u32 = 14;

/// How many places a method has.
const N_OF_METHOD: usize = 4;

/// What a word has for the frame; above it is the number of the method.
const FRAME_BITS: u32 = 4;

/// Methods, and what they are. One word has both, so that no thread sees half of it.
pub(super) struct Remembered([AtomicU64; N_PLACES]);

impl Remembered {
    #[expect(clippy::large_stack_arrays, reason = "it is the value of a static")]
    pub(super) const fn new() -> Self {
        Self([const { AtomicU64::new(0) }; N_PLACES])
    }

    /// What a method is, by the JVM's own number, which it gives to no other method later.
    pub(super) fn get(&self, method: usize) -> Option<Frame> {
        let words = self
            .places(method)?
            .map(|place| place.load(Ordering::Relaxed));
        let mut words = words.filter(|word| word >> FRAME_BITS == method as u64);
        // No method is number 0.
        let word = words.next()?;
        Frame::ALL.get((word & FRAME_MASK) as usize).copied()
    }

    pub(super) fn insert(&self, method: usize, frame: Frame) {
        let Some(mut places) = self.places(method) else {
            return;
        };
        let free = places.find(|place| place.load(Ordering::Relaxed) == 0);
        let place = free.or_else(|| self.places(method)?.next());
        if let Some(place) = place {
            let word = (method as u64) << FRAME_BITS | frame as u64;
            place.store(word, Ordering::Relaxed);
        }
    }

    /// The places of a method; none if there is no room for its number in a word.
    fn places(&self, method: usize) -> Option<impl Iterator<Item = &AtomicU64>> {
        // Half of 2^64 by the golden ratio: numbers are addresses, which differ in few bits.
        const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;
        let method = method as u64;
        if method == 0 || method.leading_zeros() < FRAME_BITS {
            return None;
        }
        let first = (method.wrapping_mul(SPREAD) >> (u64::BITS - N_BITS)) as usize;
        Some((first..first + N_OF_METHOD).map(|place| &self.0[place % N_PLACES]))
    }
}

const FRAME_MASK: u64 = (1 << FRAME_BITS) - 1;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_remembered_is_there_or_forgotten_but_never_anothers() {
        static REMEMBERED: Remembered = Remembered::new();
        let frame = |method: usize| Frame::ALL[method % Frame::ALL.len()];
        let methods = || (1..100_000).map(|number: usize| 0x7f00_0000_0000 + number * 8);
        for method in methods() {
            assert_eq!(REMEMBERED.get(method), None);
            REMEMBERED.insert(method, frame(method / 8));
            assert_eq!(REMEMBERED.get(method), Some(frame(method / 8)));
        }
        let known = methods().filter(|method| {
            let known = REMEMBERED.get(*method);
            assert!(known.is_none_or(|known| known == frame(method / 8)));
            known.is_some()
        });
        assert!(known.count() > N_PLACES / 2);
    }

    #[test]
    fn a_number_without_room_is_not_remembered() {
        static REMEMBERED: Remembered = Remembered::new();
        for method in [0, usize::MAX, 1 << 60] {
            REMEMBERED.insert(method, Frame::Program);
            assert_eq!(REMEMBERED.get(method), None);
        }
        REMEMBERED.insert((1 << 60) - 1, Frame::Program);
        assert_eq!(REMEMBERED.get((1 << 60) - 1), Some(Frame::Program));
    }
}
