//! A set of units, as one bit each; sorted and delta-coded when it is sent.

use crate::error::WireError;
use crate::field::{Decoder, Encoder};

/// How many units a JVM can have: 64 arrays of 32,768 marks. Ids are smaller than this.
pub const N_UNITS: u32 = 64 * 32_768;

/// Which units ran.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct UnitSet {
    /// Bit `id % 64` of word `id / 64`. The last word is never zero, so that equal sets are equal.
    words: Vec<u64>,
}

impl UnitSet {
    /// Adds a unit; an id that no unit can have is refused.
    pub fn insert(&mut self, id: u32) -> bool {
        if id >= N_UNITS {
            return false;
        }
        let word = (id / 64) as usize;
        if word >= self.words.len() {
            self.words.resize(word + 1, 0);
        }
        self.words[word] |= 1 << (id % 64);
        true
    }

    /// Adds all units of another set.
    pub fn extend(&mut self, other: &Self) {
        if self.words.len() < other.words.len() {
            self.words.resize(other.words.len(), 0);
        }
        for (word, more) in self.words.iter_mut().zip(&other.words) {
            *word |= more;
        }
    }

    /// Whether the unit is in the set.
    pub fn contains(&self, id: u32) -> bool {
        let word = self.words.get((id / 64) as usize);
        word.is_some_and(|word| word & 1 << (id % 64) != 0)
    }

    /// Whether nothing is in the set.
    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    /// How many units are in the set.
    pub fn len(&self) -> usize {
        let counts = self.words.iter().map(|word| word.count_ones() as usize);
        counts.sum()
    }

    /// The ids, ascending.
    pub fn iter(&self) -> impl Iterator<Item = u32> {
        let words = (0..).step_by(64).zip(&self.words);
        words.flat_map(|(first, word)| bits(*word).map(move |bit| first + bit))
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
        assert!(set.contains(64) && !set.contains(65) && !set.contains(u32::MAX));
    }

    #[test]
    fn an_id_beyond_the_last_is_refused() {
        let mut set = UnitSet::default();
        assert!(!set.insert(N_UNITS));
        assert!(set.is_empty());
        assert!(set.insert(N_UNITS - 1));
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
        let mut set = UnitSet::from_iter([1]);
        set.extend(&UnitSet::from_iter([200]));
        set.extend(&UnitSet::default());
        assert_eq!(set, UnitSet::from_iter([1, 200]));
    }
}
