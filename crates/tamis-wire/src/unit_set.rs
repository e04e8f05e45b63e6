//! A set of units, as one bit each; sorted and delta-coded when it is sent.
//!
//! Only words with a bit in them are kept. A test runs some hundred units of hundreds of thousands, and
//! sets are made, united and emptied at each boundary: what they cost must not depend on how high the
//! ids are.

use crate::error::WireError;
use crate::field::{Decoder, Encoder};

/// How many units of code a JVM can have: 64 arrays of 32,768 marks. Their ids are smaller than this.
pub const N_UNITS: u32 = 64 * 32_768;

/// How many accesses to files a JVM can have; their ids are those from [`N_UNITS`] on.
pub const N_ACCESSES: u32 = 1 << 18;

/// How many other sightings a JVM can have; their ids are those behind the accesses.
pub const N_SIGHTINGS: u32 = 1 << 18;

/// The first id that nothing has.
const END: u32 = N_UNITS + N_ACCESSES + N_SIGHTINGS;

/// Which units ran: methods, accesses to files and other sightings.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct UnitSet {
    /// Ascending by place; none is empty, so that equal sets are equal.
    words: Vec<Word>,
}

/// 64 neighbours: bit `id % 64` of the word at `id / 64`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Word {
    place: u32,
    bits: u64,
}

impl UnitSet {
    /// Adds a unit; an id that no unit can have is refused.
    pub fn insert(&mut self, id: u32) -> bool {
        if id >= END {
            return false;
        }
        let word = Word {
            place: id / 64,
            bits: 1 << (id % 64),
        };
        match self.words.last_mut() {
            Some(last) if last.place == word.place => last.bits |= word.bits,
            Some(last) if last.place > word.place => self.insert_inside(word),
            // Most sets are made in ascending order.
            _ => self.words.push(word),
        }
        true
    }

    fn insert_inside(&mut self, word: Word) {
        match self.find(word.place) {
            Ok(position) => self.words[position].bits |= word.bits,
            Err(position) => self.words.insert(position, word),
        }
    }

    fn find(&self, place: u32) -> Result<usize, usize> {
        self.words.binary_search_by_key(&place, |word| word.place)
    }

    /// Adds all units of another set.
    pub fn extend(&mut self, other: &Self) {
        if other.words.is_empty() {
            return;
        }
        if self.words.is_empty() {
            self.words.clone_from(&other.words);
            return;
        }
        let mut merged = Vec::new();
        let mut position = 0;
        for word in &other.words {
            let n_smaller = self.words[position..].partition_point(|own| own.place < word.place);
            merged.extend_from_slice(&self.words[position..position + n_smaller]);
            position += n_smaller;
            let own = self
                .words
                .get(position)
                .filter(|own| own.place == word.place);
            merged.push(Word {
                bits: word.bits | own.map_or(0, |own| own.bits),
                ..*word
            });
            position += usize::from(own.is_some());
        }
        merged.extend_from_slice(&self.words[position..]);
        self.words = merged;
    }

    /// The units that are not in another set.
    #[must_use]
    pub fn without(&self, other: &Self) -> Self {
        self.by_word(other, |own, others| own & !others)
    }

    /// The units that are in another set too.
    #[must_use]
    pub fn shared_with(&self, other: &Self) -> Self {
        self.by_word(other, |own, others| own & others)
    }

    /// Whether all units are in another set too.
    pub fn is_subset(&self, other: &Self) -> bool {
        self.without(other).is_empty()
    }

    /// Each word together with that of another set at its place.
    fn by_word(&self, other: &Self, bits: impl Fn(u64, u64) -> u64) -> Self {
        let mut others = other.words.iter().peekable();
        let words = self.words.iter().filter_map(|word| {
            while others.next_if(|other| other.place < word.place).is_some() {}
            let other = others.next_if(|other| other.place == word.place);
            let bits = bits(word.bits, other.map_or(0, |other| other.bits));
            (bits != 0).then_some(Word { bits, ..*word })
        });
        Self {
            words: words.collect(),
        }
    }

    /// Whether the unit is in the set.
    pub fn contains(&self, id: u32) -> bool {
        let position = self.find(id / 64);
        position.is_ok_and(|position| self.words[position].bits & 1 << (id % 64) != 0)
    }

    /// Whether nothing is in the set.
    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    /// The greatest id.
    pub fn last(&self) -> Option<u32> {
        let word = self.words.last()?;
        Some(word.place * 64 + word.bits.ilog2())
    }

    /// How many units are in the set.
    pub fn len(&self) -> usize {
        let counts = self
            .words
            .iter()
            .map(|word| word.bits.count_ones() as usize);
        counts.sum()
    }

    /// The ids, ascending.
    pub fn iter(&self) -> impl Iterator<Item = u32> {
        let words = self.words.iter();
        words.flat_map(|word| bits(word.bits).map(move |bit| word.place * 64 + bit))
    }

    /// The number of units, then each id less the one before it.
    pub(crate) fn encode(&self, out: &mut Encoder) {
        out.u32(self.len() as u32);
        let mut next = 0;
        for id in self.iter() {
            out.varint(id - next);
            next = id + 1;
        }
    }

    pub(crate) fn parse(fields: &mut Decoder<'_>) -> Result<Self, WireError> {
        let mut set = Self::default();
        let mut next: u32 = 0;
        let n_units = fields.u32("the number of units")?;
        for _ in 0..n_units {
            let distance = fields.varint("a unit")?;
            let id = next.saturating_add(distance);
            if !set.insert(id) {
                return Err(fields.out_of_range("a unit", id));
            }
            next = id + 1;
        }
        Ok(set)
    }
}

impl FromIterator<u32> for UnitSet {
    /// Ids that no unit can have are left out.
    fn from_iter<I: IntoIterator<Item = u32>>(ids: I) -> Self {
        let mut set = Self::default();
        for id in ids {
            set.insert(id);
        }
        set
    }
}

/// The positions of the bits that are set, ascending.
fn bits(mut word: u64) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let bit = (word != 0).then(|| word.trailing_zeros())?;
        word &= word - 1;
        Some(bit)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_come_back_once_and_ascending() {
        let set = UnitSet::from_iter([64, 3, 2_000_000, 3, 0]);
        assert_eq!(set.iter().collect::<Vec<_>>(), [0, 3, 64, 2_000_000]);
        assert_eq!(set.len(), 4);
        assert_eq!(set.last(), Some(2_000_000));
        assert_eq!(UnitSet::default().last(), None);
        assert!(set.contains(64) && !set.contains(65) && !set.contains(u32::MAX));
    }

    #[test]
    fn an_id_beyond_the_last_is_refused() {
        let mut set = UnitSet::default();
        assert!(!set.insert(END));
        assert!(set.is_empty());
        assert!(set.insert(END - 1));
    }

    #[test]
    fn neighbours_take_a_byte_each() {
        let mut out = Encoder::default();
        let neighbours: UnitSet = (1000..1003).collect();
        neighbours.encode(&mut out);
        assert_eq!(out.0, [3, 0, 0, 0, 0xe8, 0x07, 0, 0]);
        let parsed = UnitSet::parse(&mut Decoder::new(&out.0));
        assert_eq!(parsed, Ok(neighbours));
    }

    #[test]
    fn a_union_has_both() {
        let check = |one: &[u32], other: &[u32], both: &[u32]| {
            let sets = [one, other].map(|ids| ids.iter().copied().collect::<UnitSet>());
            for (first, second) in [(0, 1), (1, 0)] {
                let mut union = sets[first].clone();
                union.extend(&sets[second]);
                assert_eq!(union, both.iter().copied().collect());
                assert_eq!(union.iter().collect::<Vec<_>>(), both);
            }
        };
        check(&[1], &[200], &[1, 200]);
        check(&[], &[64, 700], &[64, 700]);
        check(
            &[5, 70, 900],
            &[6, 70, 300, 2_000],
            &[5, 6, 70, 300, 900, 2_000],
        );
        check(&[70], &[5, 300], &[5, 70, 300]);
    }

    #[test]
    fn what_two_sets_share_and_what_not() {
        let one = UnitSet::from_iter([5, 6, 70, 900]);
        let other = UnitSet::from_iter([6, 70, 300, 2_000]);
        assert_eq!(one.shared_with(&other), UnitSet::from_iter([6, 70]));
        assert_eq!(one.without(&other), UnitSet::from_iter([5, 900]));
        assert_eq!(other.without(&one), UnitSet::from_iter([300, 2_000]));
        assert!(one.shared_with(&other).is_subset(&one) && !one.is_subset(&other));
        assert!(UnitSet::default().is_subset(&one));
    }

    #[test]
    fn the_order_of_adding_leaves_no_trace() {
        let ids = [900, 5, 70, 2_000, 6, 71, 899];
        let mut sorted = ids;
        sorted.sort_unstable();
        assert_eq!(UnitSet::from_iter(ids), UnitSet::from_iter(sorted));
    }
}
