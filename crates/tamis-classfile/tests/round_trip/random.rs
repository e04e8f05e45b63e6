//! Numbers that look random and are the same for the same seed on every machine.

/// A generator: the one that is called `SplitMix64`.
#[derive(Clone)]
pub(crate) struct Random(u64);

impl Random {
    /// For a class: by its bytes, so that it does not matter which classes came before.
    pub(crate) fn for_bytes(seed: u64, bytes: &[u8]) -> Self {
        let mixed = bytes
            .iter()
            .fold(seed ^ 0xcbf2_9ce4_8422_2325, |sum, byte| {
                (sum ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
            });
        Self(mixed)
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `limit`, which is not 0.
    pub(crate) fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit as u64) as usize
    }

    pub(crate) fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last + 1));
        }
    }
}
