//! Chance from a seed that is printed: the same seed, the same programs.

/// The generator `SplitMix64`.
#[derive(Debug, Clone)]
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// From a seed and a text, so that each program and operator has chances of its own.
    pub(crate) fn of(seed: u64, text: &str) -> Self {
        // FNV-1a: short, and the same everywhere.
        let mut hash = 0xcbf2_9ce4_8422_2325_u64;
        for byte in text.bytes() {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
        let mut random = Self(seed ^ hash);
        random.next();
        random
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below `end`, or 0 if there is none.
    pub(crate) fn below(&mut self, end: usize) -> usize {
        let end = (end as u64).max(1);
        usize::try_from(self.next() % end).unwrap_or(0)
    }

    /// One of the items, if there are any.
    pub(crate) fn choose<'a, T>(&mut self, items: &'a [T]) -> Option<&'a T> {
        items.get(self.below(items.len()))
    }

    /// In another order.
    pub(crate) fn shuffle<T>(&mut self, items: &mut [T]) {
        for end in (1..items.len()).rev() {
            items.swap(end, self.below(end + 1));
        }
    }
}

/// The numbers below a size in another order, one at a time and without a table: the number is
/// mixed by steps that can be undone (xor, shift, odd multiplication) within the next power of two,
/// and mixed again until it is below the size.
#[derive(Debug, Clone)]
pub(crate) struct Permutation {
    size: u128,
    mask: u128,
    half: u32,
    keys: [u128; 3],
}

impl Permutation {
    pub(crate) fn new(size: u128, random: &mut Random) -> Self {
        let n_bits = (u128::BITS - size.saturating_sub(1).leading_zeros()).max(1);
        let mut key = || u128::from(random.next()) << 64 | u128::from(random.next());
        Self {
            size,
            mask: u128::MAX >> (u128::BITS - n_bits),
            half: n_bits.div_ceil(2),
            keys: [key(), key() | 1, key() | 1],
        }
    }

    /// Where `number` goes, if it is below the size.
    pub(crate) fn apply(&self, number: u128) -> Option<u128> {
        if number >= self.size {
            return None;
        }
        let mut mixed = self.mix(number);
        while mixed >= self.size {
            mixed = self.mix(mixed);
        }
        Some(mixed)
    }

    fn mix(&self, number: u128) -> u128 {
        let mut mixed = (number ^ self.keys[0]) & self.mask;
        for factor in &self.keys[1..] {
            mixed = mixed.wrapping_mul(*factor) & self.mask;
            mixed ^= mixed >> self.half;
        }
        mixed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_gives_one_order_with_all_items() {
        let shuffled = |seed| {
            let mut items: Vec<u32> = (0..20).collect();
            Random::new(seed).shuffle(&mut items);
            items
        };
        assert_eq!(shuffled(1), shuffled(1));
        assert_ne!(shuffled(1), shuffled(2));
        let mut sorted = shuffled(1);
        sorted.sort_unstable();
        assert_eq!(sorted, (0..20).collect::<Vec<_>>());
    }

    #[test]
    fn a_permutation_reaches_each_number_once() {
        for size in [1, 2, 3, 100, 128, 1000] {
            let permutation = Permutation::new(size, &mut Random::new(7));
            let mut reached: Vec<_> = (0..size).map_while(|n| permutation.apply(n)).collect();
            if size == 1000 {
                assert_ne!(reached[..20], (0..20).collect::<Vec<_>>()[..]);
            }
            reached.sort_unstable();
            assert_eq!(reached, (0..size).collect::<Vec<_>>());
            assert_eq!(permutation.apply(size), None);
        }
    }

    #[test]
    fn a_permutation_of_many() {
        let permutation = Permutation::new(u128::MAX, &mut Random::new(7));
        let reached: Vec<_> = (0..3).map_while(|n| permutation.apply(n)).collect();
        assert_eq!(reached.len(), 3);
    }
}
