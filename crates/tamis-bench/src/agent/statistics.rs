//! Medians with the interval that a bootstrap gives them. The seed comes from outside and is printed.

use serde::{Deserialize, Serialize};

use crate::measure::{median, to_f64};

/// How many times values are drawn anew.
const N_RESAMPLES: usize = 10_000;

/// With fewer values no interval is one of 95 %: the widest, from the lowest to the highest, holds the
/// median of five with 94 %, see [`coverage`].
pub(crate) const MIN_VALUES: usize = 6;

/// A median, and where it lies in 95 of 100 resamples.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub(crate) struct Estimate {
    pub(crate) median: f64,
    pub(crate) low: f64,
    pub(crate) high: f64,
}

impl Estimate {
    /// The percentile bootstrap of the median. Without values nothing is known, which is no number.
    pub(crate) fn of(values: &[f64], seed: u64) -> Self {
        let mut random = Random(seed);
        let mut medians: Vec<f64> = (0..N_RESAMPLES)
            .map(|_| {
                let draw = |_| values.get(random.below(values.len())).copied();
                median(&values.iter().filter_map(draw).collect::<Vec<_>>())
            })
            .collect();
        medians.sort_by(f64::total_cmp);
        // 2.5 of 100 lie below the interval, and as many above it.
        let n_outside = N_RESAMPLES / 40;
        Self {
            median: median(values),
            low: medians[n_outside],
            high: medians[N_RESAMPLES - 1 - n_outside],
        }
    }

    /// None if nothing was measured.
    pub(crate) fn if_known(self) -> Option<Self> {
        let numbers = [self.median, self.low, self.high];
        numbers.iter().all(|it| it.is_finite()).then_some(self)
    }

    pub(crate) fn covers(&self, value: f64) -> bool {
        (self.low..=self.high).contains(&value)
    }
}

/// The chance that the true median lies between the lowest and the highest of so many values: all but that of
/// all values falling on one side of it.
pub(crate) fn coverage(n_values: usize) -> f64 {
    match n_values {
        0 => 0.0,
        n => 1.0 - 0.5_f64.powf(to_f64(n - 1)),
    }
}

/// `SplitMix64`: small, and good enough to draw some thousand times.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut value = self.0;
        value = (value ^ value >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        value = (value ^ value >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        value ^ value >> 31
    }

    /// A number less than `n`; 0 if there is none.
    pub(crate) fn below(&mut self, n: usize) -> usize {
        let product = u128::from(self.next()) * n as u128;
        (product >> 64) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(a: f64, b: f64) -> bool {
        (a - b).abs() < 1e-9
    }

    #[test]
    fn equal_values_leave_no_doubt() {
        let estimate = Estimate::of(&[1.5; 15], 1);
        assert!([estimate.median, estimate.low, estimate.high].map(|v| close(v, 1.5)) == [true; 3]);
    }

    #[test]
    fn the_same_seed_gives_the_same_interval() {
        let values: Vec<f64> = (0..15).map(|n| f64::from(n * n % 17)).collect();
        assert_eq!(Estimate::of(&values, 7), Estimate::of(&values, 7));
    }

    /// By the binomial distribution, the interval of a median of 15 runs from about the 4th to the 12th.
    #[test]
    fn the_interval_is_that_of_the_ranks() {
        let values: Vec<f64> = (1..=15).map(f64::from).collect();
        for seed in 0..5 {
            let estimate = Estimate::of(&values, seed);
            assert!(close(estimate.median, 8.0));
            assert!((4.0..=5.0).contains(&estimate.low), "{estimate:?}");
            assert!((11.0..=12.0).contains(&estimate.high), "{estimate:?}");
        }
    }

    #[test]
    fn a_stray_value_moves_neither_end() {
        let mut values: Vec<f64> = (0..15).map(|n| 1.0 + f64::from(n) / 1000.0).collect();
        values[3] = 9.0;
        assert!(Estimate::of(&values, 3).high < 1.02);
    }

    #[test]
    fn of_nothing_nothing_is_known() {
        let estimate = Estimate::of(&[], 1);
        assert!(estimate.median.is_nan() && estimate.low.is_nan());
        assert!(!estimate.covers(1.0));
        assert_eq!(estimate.if_known(), None);
    }

    #[test]
    fn the_fewest_values_that_judge_are_the_first_to_cover_95_of_100() {
        assert!(coverage(MIN_VALUES) >= 0.95);
        assert!(coverage(MIN_VALUES - 1) < 0.95);
        assert!(close(coverage(1), 0.0) && close(coverage(3), 0.75));
    }

    #[test]
    fn draws_reach_every_value() {
        let mut random = Random(9);
        let mut n_drawn = [0; 5];
        for _ in 0..5_000 {
            n_drawn[random.below(5)] += 1;
        }
        assert!(
            n_drawn.iter().all(|n| (850..1150).contains(n)),
            "{n_drawn:?}"
        );
    }
}
