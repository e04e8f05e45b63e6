//! Sets of fact numbers as they are kept, and asked without being taken apart.
//!
//! Facts that are seen together mostly have numbers near each other, since those of a class are numbered in a row. So a set is a
//! table of bits of which only the words are kept that are not zero. To select from a hundred thousand records is to go over
//! these words once, and compare each with the one in the table of what is broken. How far it is from word to word stands
//! in bytes of its own, before all of them: so the way through a set does not depend on what it holds, and a processor that
//! foresees it does not wait.

use roaring::RoaringBitmap;

use crate::error::StoreError;
use crate::seal::{check_seal, sealed};
use crate::slice::Slice;

/// A set of fact numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KeptSet {
    /// For each word how many are left out before it, a byte; behind these the words, little-endian. Behind [`JUMP`] there is no
    /// word, but how much farther the next one is. It was seen to be well formed.
    bytes: Slice,
}

/// A table of bits, in which any number is found at once.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Marks {
    words: Vec<Word>,
}

/// Sixteen numbers. With eight there would be nearly as many bytes that tell how far it is as are told of, with more of them more
/// zeros.
type Word = u16;

/// As many words are left out as 255 times what is in place of the word, and 255 more.
const JUMP: u8 = u8::MAX;

/// There are 2^32 numbers.
const MAX_WORDS: usize = 1 << 28;

const WHAT: &str = "a set of facts";

impl KeptSet {
    /// The set as it is kept.
    pub fn pack(&self) -> Vec<u8> {
        sealed(b"", self.bytes.to_vec())
    }

    /// What [`KeptSet::pack`] has made bytes of.
    pub fn unpack(bytes: Vec<u8>) -> Result<Self, StoreError> {
        Self::of(bytes.into())
    }

    /// The same, of bytes that lie among others.
    pub(crate) fn of(mut bytes: Slice) -> Result<Self, StoreError> {
        let length = check_seal(b"", &bytes, WHAT)?;
        bytes.truncate(length);
        let set = Self { bytes };
        if length.is_multiple_of(3) && set.end() <= MAX_WORDS {
            return Ok(set);
        }
        Err(StoreError::Damaged { what: WHAT })
    }

    /// Behind the last word, in a table that has them all.
    fn end(&self) -> usize {
        self.words().last().map_or(0, |(last, _)| last + 1)
    }

    /// The words, each with its position in a table that has them all.
    #[inline]
    fn words(&self) -> impl Iterator<Item = (usize, Word)> {
        let (left_out, words) = self.bytes.split_at(self.bytes.len() / 3);
        let (words, _) = words.as_chunks();
        let mut next = 0;
        left_out
            .iter()
            .zip(words)
            .filter_map(move |(n_left_out, word)| {
                let word = Word::from_le_bytes(*word);
                if *n_left_out == JUMP {
                    next += (usize::from(word) + 1) * usize::from(JUMP);
                    return None;
                }
                let position = next + usize::from(*n_left_out);
                next = position + 1;
                Some((position, word))
            })
    }

    /// The numbers, ascending.
    pub fn iter(&self) -> impl Iterator<Item = u32> {
        self.words().flat_map(|(position, word)| {
            let numbers = (0..Word::BITS).filter(move |bit| word & 1 << bit != 0);
            numbers.map(move |bit| position as u32 * Word::BITS + bit)
        })
    }

    /// How many there are.
    pub fn len(&self) -> u64 {
        let words = self.words();
        words.map(|(_, word)| u64::from(word.count_ones())).sum()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.words().all(|(_, word)| word == 0)
    }

    /// Whether it has a number.
    pub fn contains(&self, number: u32) -> bool {
        let wanted = position(number);
        let mut words = self.words();
        let found = words.find(|(position, _)| *position >= wanted);
        found.is_some_and(|(position, word)| position == wanted && word & bit(number) != 0)
    }

    /// Whether no number is marked.
    pub fn is_disjoint(&self, marks: &Marks) -> bool {
        let is_marked = |(position, word)| marks.at(position) & word != 0;
        marks.words.is_empty() || !self.words().any(is_marked)
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
        let (mut last, mut word) = (0, 0);
        for number in numbers {
            if position(number) != last {
                writer.add(last, word);
                (last, word) = (position(number), 0);
            }
            word |= bit(number);
        }
        writer.add(last, word);
        writer.finish()
    }
}

/// Where the word of a number is in a table that has them all.
fn position(number: u32) -> usize {
    (number / Word::BITS) as usize
}

fn bit(number: u32) -> Word {
    1 << (number % Word::BITS)
}

/// Makes a set of words that come in ascending order.
#[derive(Default)]
struct Writer {
    left_out: Vec<u8>,
    words: Vec<u8>,
    /// Behind the last one.
    next: usize,
}

impl Writer {
    fn add(&mut self, position: usize, word: Word) {
        if word == 0 {
            return;
        }
        let mut n_left_out = position - self.next;
        while n_left_out >= usize::from(JUMP) {
            let n_times = (n_left_out / usize::from(JUMP)).min(1 << Word::BITS);
            self.push(JUMP, (n_times - 1) as Word);
            n_left_out -= n_times * usize::from(JUMP);
        }
        self.push(n_left_out as u8, word);
        self.next = position + 1;
    }

    fn push(&mut self, left_out: u8, word: Word) {
        self.left_out.push(left_out);
        self.words.extend(word.to_le_bytes());
    }

    fn finish(mut self) -> KeptSet {
        self.left_out.append(&mut self.words);
        KeptSet {
            bytes: self.left_out.into(),
        }
    }
}

impl Marks {
    /// Marks all numbers of a set.
    pub(crate) fn add(&mut self, set: &KeptSet) {
        for (position, word) in set.words() {
            if self.words.len() <= position {
                self.words.resize(position + 1, 0);
            }
            self.words[position] |= word;
        }
    }

    /// Marks a number.
    fn insert(&mut self, number: u32) {
        let position = position(number);
        if self.words.len() <= position {
            self.words.resize(position + 1, 0);
        }
        self.words[position] |= bit(number);
    }

    /// The marks of sixteen numbers.
    #[inline]
    fn at(&self, position: usize) -> Word {
        self.words.get(position).copied().unwrap_or_default()
    }

    /// Whether a number is marked.
    pub fn contains(&self, number: u32) -> bool {
        self.at(position(number)) & bit(number) != 0
    }

    /// How many are marked.
    pub(crate) fn len(&self) -> u64 {
        let words = self.words.iter();
        words.map(|word| u64::from(word.count_ones())).sum()
    }

    fn to_kept(&self) -> KeptSet {
        let mut writer = Writer::default();
        for (position, word) in self.words.iter().enumerate() {
            writer.add(position, *word);
        }
        writer.finish()
    }
}

impl From<&RoaringBitmap> for Marks {
    fn from(set: &RoaringBitmap) -> Self {
        set.iter().collect()
    }
}

impl FromIterator<u32> for Marks {
    fn from_iter<I: IntoIterator<Item = u32>>(numbers: I) -> Self {
        let mut marks = Self::default();
        numbers.into_iter().for_each(|number| marks.insert(number));
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
        // Too far away for any number.
        let far = [[JUMP; 17].to_vec(), vec![0], vec![0xff; 36]].concat();
        for case in [&b"\x00"[..], b"\x00\x02", b"\x00\x01a\x01", &far] {
            let sealed = sealed(b"", case.to_vec());
            assert!(KeptSet::unpack(sealed).is_err(), "{case:?}");
        }
        assert!(KeptSet::unpack(Vec::new()).is_err());
        assert!(KeptSet::unpack(sealed(b"", Vec::new())).unwrap().is_empty());
    }

    #[test]
    fn facts_of_few_classes_take_few_bytes() {
        // Five facts each of a hundred neighbours.
        let kept: KeptSet = (40..540).collect();
        assert!(kept.pack().len() < 110);
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
