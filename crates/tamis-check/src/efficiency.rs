//! How long tools take from end to end, against all tests without a tool (SPEC 7.3).

use serde::{Deserialize, Serialize};

/// A run of a step, and all tests of that step without the tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct TimedRun {
    pub milliseconds: u64,
    pub retest_all_milliseconds: u64,
}

/// All runs of a variant of a tool together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Efficiency {
    pub n_runs: usize,
    pub milliseconds: u64,
    pub retest_all_milliseconds: u64,
    /// Of a run, half of the runs taking longer.
    pub median_milliseconds: u64,
    pub median_retest_all_milliseconds: u64,
    /// A run in hundredths of all tests, half of the runs being above it.
    pub median_percent: u64,
}

impl Efficiency {
    /// Nothing, if there was no run.
    pub fn of(runs: &[TimedRun]) -> Option<Self> {
        let own = runs.iter().map(|run| run.milliseconds);
        let without = runs.iter().map(|run| run.retest_all_milliseconds);
        let percents = runs
            .iter()
            .map(|run| run.milliseconds.saturating_mul(100) / run.retest_all_milliseconds.max(1));
        Some(Self {
            n_runs: runs.len(),
            milliseconds: own.clone().sum(),
            retest_all_milliseconds: without.clone().sum(),
            median_milliseconds: median(own.collect())?,
            median_retest_all_milliseconds: median(without.collect())?,
            median_percent: median(percents.collect())?,
        })
    }
}

/// The lower one of the two in the middle.
fn median(mut numbers: Vec<u64>) -> Option<u64> {
    numbers.sort_unstable();
    let middle = numbers.len().checked_sub(1)? / 2;
    numbers.get(middle).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_and_medians() {
        let run = |milliseconds, retest_all_milliseconds| TimedRun {
            milliseconds,
            retest_all_milliseconds,
        };
        let all = Efficiency::of(&[run(10, 100), run(300, 100), run(50, 200)]).unwrap();
        assert_eq!((all.n_runs, all.milliseconds), (3, 360));
        assert_eq!(all.retest_all_milliseconds, 400);
        assert_eq!(all.median_milliseconds, 50);
        assert_eq!(all.median_percent, 25);
        assert_eq!(Efficiency::of(&[run(5, 0)]).unwrap().median_percent, 500);
        assert_eq!(Efficiency::of(&[]), None);
    }
}
