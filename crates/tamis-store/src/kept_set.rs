//! Sets of fact numbers as they are kept, and asked without being taken apart.
//!
//! Facts that are seen together mostly have numbers near each other, since those of a class are numbered in a row. So a set is a
//! table of bits of which only the bytes are kept that are not zero, in runs. To select from a hundred thousand records is to go over
//! these bytes once, and compare each with the one in the table of what is broken.

use roaring::RoaringBitmap;

use crate::error::StoreError;
use crate::seal::{check_seal, sealed};
use crate::varint;

/// A set of fact numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KeptSet {
    /// For each run of bytes: how many are left out before it, how many it has, and these. It was seen to be well formed.
    runs: Vec<u8>,
}

/// A table of bits, in which any number is found at once.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Marks {
    bytes: Vec<u8>,
}

/// There are 2^32 numbers, eight in a byte.
const MAX_BYTES: u64 = 1 << 29;

const WHAT: &str = "a set of facts";

impl KeptSet {
    /// The set as it is kept.
    pub fn pack(&self) -> Vec<u8> {
        sealed(b"", self.runs.clone())
    }

    /// What [`KeptSet::pack`] has made bytes of.
    pub fn unpack(mut bytes: Vec<u8>) -> Result<Self, StoreError> {
        let length = check_seal(b"", &bytes, WHAT)?;
        bytes.truncate(length);
        let set = Self { runs: bytes };
        if set.is_well_formed() {
            return Ok(set);
        }
        Err(StoreError::Damaged { what: WHAT })
    }

    fn is_well_formed(&self) -> bool {
        let mut runs = self.runs();
        let last = runs.by_ref().last();
        runs.rest.is_empty()
            && last.is_none_or(|(first, bytes)| (first + bytes.len()) as u64 <= MAX_BYTES)
    }

    fn runs(&self) -> Runs<'_> {
        Runs {
            rest: &self.runs,
            next: 0,
        }
    }

    /// The numbers, ascending.
    pub fn iter(&self) -> impl Iterator<Item = u32> {
        let bytes = self
            .runs()
            .flat_map(|(first, bytes)| (first..).zip(bytes.iter().copied()));
        bytes.flat_map(|(position, byte)| {
            let numbers = (0..8).filter(move |bit| byte & 1 << bit != 0);
            numbers.map(move |bit| position as u32 * 8 + bit)
        })
    }

    /// How many there are.
    pub fn len(&self) -> u64 {
        let bytes = self.runs().flat_map(|(_, bytes)| bytes);
        bytes.map(|byte| u64::from(byte.count_ones())).sum()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.iter().next().is_none()
    }

    /// Whether it has a number.
    pub fn contains(&self, number: u32) -> bool {
        let position = number as usize / 8;
        let mut runs = self.runs();
        let run = runs.find(|(first, bytes)| position < first + bytes.len());
        run.is_some_and(|(first, bytes)| {
            let position = position.checked_sub(first);
            position.is_some_and(|position| bytes[position] & bit(number) != 0)
        })
    }

    /// Whether no number is marked.
    pub fn is_disjoint(&self, marks: &Marks) -> bool {
        let is_marked = |(first, bytes)| marks.has_any(first, bytes);
        marks.bytes.is_empty() || !self.runs().any(is_marked)
    }

    /// The numbers that are marked.
    pub fn marked(&self, marks: &Marks) -> RoaringBitmap {
        let marked = self.iter().filter(|number| marks.contains(*number));
        marked.collect()
    }

    /// The numbers of both.
    pub(crate) fn union(&self, other: &Self) -> Self {
        let mut marks = Marks::default();
        marks.add(self);
        marks.add(other);
        marks.to_kept()
    }
}

impl From<&RoaringBitmap> for KeptSet {
    fn from(set: &RoaringBitmap) -> Self {
        set.iter().collect()
    }
}

impl FromIterator<u32> for KeptSet {
    /// Of ascending numbers.
    fn from_iter<I: IntoIterator<Item = u32>>(numbers: I) -> Self {
        let mut writer = Writer::default();
        for number in numbers {
            writer.add(number as usize / 8, bit(number));
        }
        writer.end_run();
        Self { runs: writer.runs }
    }
}

fn bit(number: u32) -> u8 {
    1 << (number % 8)
}

/// Makes runs of bytes that come in ascending order.
#[derive(Default)]
struct Writer {
    runs: Vec<u8>,
    /// Where the run before ended.
    end: usize,
    /// Where this one begins.
    first: usize,
    run: Vec<u8>,
}

impl Writer {
    fn add(&mut self, position: usize, byte: u8) {
        let end = self.first + self.run.len();
        match self.run.last_mut() {
            // A number that shares its byte with the one before.
            Some(last) if position + 1 == end => {
                *last |= byte;
                return;
            }
            // To begin another run takes two bytes.
            Some(_) if position <= end + 1 => self.run.resize(position - self.first, 0),
            _ => {
                self.end_run();
                self.first = position;
            }
        }
        self.run.push(byte);
    }

    fn end_run(&mut self) {
        if self.run.is_empty() {
            return;
        }
        varint::push(&mut self.runs, (self.first - self.end) as u64);
        varint::push(&mut self.runs, self.run.len() as u64);
        self.end = self.first + self.run.len();
        self.runs.append(&mut self.run);
    }
}

/// The runs of a set: where each begins, and its bytes. Ends early where they are not well formed.
struct Runs<'s> {
    rest: &'s [u8],
    next: usize,
}

impl<'s> Iterator for Runs<'s> {
    type Item = (usize, &'s [u8]);

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        let mut rest = self.rest;
        let n_left_out = varint::take(&mut rest).filter(|n_bytes| *n_bytes < MAX_BYTES)?;
        let bytes = varint::take_bytes(&mut rest)?;
        let first = self.next + n_left_out as usize;
        self.next = first + bytes.len();
        self.rest = rest;
        Some((first, bytes))
    }
}

impl Marks {
    /// Marks all numbers of a set.
    pub(crate) fn add(&mut self, set: &KeptSet) {
        for (first, bytes) in set.runs() {
            let end = first + bytes.len();
            if self.bytes.len() < end {
                self.bytes.resize(end, 0);
            }
            for (mark, byte) in self.bytes[first..end].iter_mut().zip(bytes) {
                *mark |= byte;
            }
        }
    }

    /// Marks a number.
    fn insert(&mut self, number: u32) {
        let position = number as usize / 8;
        if self.bytes.len() <= position {
            self.bytes.resize(position + 1, 0);
        }
        self.bytes[position] |= bit(number);
    }

    /// Whether a number is marked.
    pub fn contains(&self, number: u32) -> bool {
        let byte = self.bytes.get(number as usize / 8);
        byte.is_some_and(|byte| byte & bit(number) != 0)
    }

    /// How many are marked.
    pub(crate) fn len(&self) -> u64 {
        let bytes = self.bytes.iter();
        bytes.map(|byte| u64::from(byte.count_ones())).sum()
    }

    fn to_kept(&self) -> KeptSet {
        let mut writer = Writer::default();
        let bytes = self.bytes.iter().enumerate();
        for (position, byte) in bytes.filter(|(_, byte)| **byte != 0) {
            writer.add(position, *byte);
        }
        writer.end_run();
        KeptSet { runs: writer.runs }
    }

    /// Whether one of the bits is set in the table from that byte on.
    fn has_any(&self, first: usize, bytes: &[u8]) -> bool {
        let marks = self.bytes.get(first..).unwrap_or_default();
        marks.iter().zip(bytes).any(|(mark, byte)| mark & byte != 0)
    }
}

impl From<&RoaringBitmap> for Marks {
    fn from(set: &RoaringBitmap) -> Self {
        let mut marks = Self::default();
        set.iter().for_each(|number| marks.insert(number));
        marks
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn set() -> impl Strategy<Value = RoaringBitmap> {
        let near = prop::collection::btree_set(0..300_u32, 0..200);
        let far = prop::collection::btree_set(0..2_000_000_u32, 0..20);
        (near, far).prop_map(|(near, far)| near.union(&far).copied().collect())
    }

    #[test]
    fn the_greatest_number_comes_back() {
        let kept: KeptSet = [0, u32::MAX].into_iter().collect();
        let kept = KeptSet::unpack(kept.pack()).unwrap();
        assert!(kept.iter().eq([0, u32::MAX]));
        assert!(kept.contains(u32::MAX) && !kept.contains(u32::MAX - 1));
    }

    #[test]
    fn what_is_sealed_and_no_set_is_damage() {
        let cases: [&[u8]; 5] = [
            b"\x00",
            b"\x00\x02a",
            b"\xff",
            b"\x00\x01a\x01",
            b"\xff\xff\xff\xff\x0f\x01a",
        ];
        for case in cases {
            assert!(
                KeptSet::unpack(sealed(b"", case.to_vec())).is_err(),
                "{case:?}"
            );
        }
        assert!(KeptSet::unpack(Vec::new()).is_err());
        assert!(KeptSet::unpack(sealed(b"", Vec::new())).unwrap().is_empty());
    }

    #[test]
    fn facts_of_few_classes_take_few_bytes() {
        // Five facts each of a hundred neighbours.
        let kept: KeptSet = (40..540).collect();
        assert!(kept.pack().len() < 80);
    }

    proptest! {
        #[test]
        fn a_kept_set_is_the_set(set in set(), other in set()) {
            let kept = KeptSet::from(&set);
            prop_assert_eq!(&KeptSet::unpack(kept.pack()).unwrap(), &kept);
            prop_assert!(kept.iter().eq(set.iter()));
            prop_assert_eq!(kept.len(), set.len());
            prop_assert_eq!(kept.is_empty(), set.is_empty());
            let marks = Marks::from(&other);
            prop_assert_eq!(kept.is_disjoint(&marks), set.is_disjoint(&other));
            prop_assert_eq!(kept.marked(&marks), &set & &other);
            prop_assert_eq!(kept.union(&KeptSet::from(&other)), KeptSet::from(&(&set | &other)));
            prop_assert_eq!(marks.len(), other.len());
            for number in set.iter().chain(&other) {
                prop_assert_eq!(kept.contains(number), set.contains(number));
                prop_assert_eq!(marks.contains(number), other.contains(number));
            }
        }

        #[test]
        fn any_bytes_are_a_set_or_damage(bytes: Vec<u8>) {
            if let Ok(set) = KeptSet::unpack(sealed(b"", bytes)) {
                prop_assert_eq!(set.iter().take(9000).count() as u64, set.len());
            }
        }
    }
}
