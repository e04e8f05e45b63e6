//! Going round: every watcher once a round, each round beginning with another one, so that whatever
//! disturbs the machine or follows an order disturbs all alike.

use std::collections::BTreeMap;

use anyhow::{Context, Result};

use super::measured::{Usage, Watcher};
use crate::measure::median;

/// What each watcher's runs used, round by round.
#[derive(Debug)]
pub(crate) struct Rounds<K>(BTreeMap<K, Vec<Usage>>);

/// Runs everything `n_rounds` times, after one round that does not count: it fills the caches of files,
/// and puts the agent in place.
pub(crate) fn go_round<K: Copy + Ord>(
    contestants: &[K],
    n_rounds: usize,
    mut run: impl FnMut(K) -> Result<Usage>,
) -> Result<Rounds<K>> {
    let mut rounds = Rounds::default();
    for round in 0..=n_rounds {
        for position in 0..contestants.len() {
            let contestant = contestants[(round + position) % contestants.len()];
            let usage = run(contestant).with_context(|| format!("round {round}"))?;
            if round > 0 {
                rounds.add(contestant, usage);
            }
        }
    }
    Ok(rounds)
}

/// A number of a run, with its name.
pub(crate) type Number = (&'static str, fn(&Usage) -> f64);

pub(crate) const CPU: Number = ("CPU", |usage| usage.cpu.as_secs_f64());
pub(crate) const WALL: Number = ("wall", |usage| usage.wall.as_secs_f64());

impl<K> Default for Rounds<K> {
    fn default() -> Self {
        Self(BTreeMap::new())
    }
}

impl<K: Copy + Ord> Rounds<K> {
    /// The run of a contestant in the next round.
    pub(crate) fn add(&mut self, contestant: K, usage: Usage) {
        self.0.entry(contestant).or_default().push(usage);
    }

    /// One number of each run.
    pub(crate) fn values(&self, contestant: K, number: impl Fn(&Usage) -> f64) -> Vec<f64> {
        let usages = self.0.get(&contestant).into_iter().flatten();
        usages.map(number).collect()
    }

    pub(crate) fn median(&self, contestant: K, number: impl Fn(&Usage) -> f64) -> f64 {
        median(&self.values(contestant, number))
    }

    /// A number, compared with that of another contestant's run of the same round.
    pub(crate) fn compared(
        &self,
        contestant: K,
        to: K,
        number: fn(&Usage) -> f64,
        compare: fn(f64, f64) -> f64,
    ) -> Vec<f64> {
        let ours = self.values(contestant, number);
        let theirs = self.values(to, number);
        let pairs = ours.into_iter().zip(theirs);
        pairs.map(|(ours, theirs)| compare(ours, theirs)).collect()
    }
}

impl Rounds<Watcher> {
    /// Processor time, divided by that of the plain run of the same round.
    pub(crate) fn ratios(&self, watcher: Watcher) -> Vec<f64> {
        let cpu = |usage: &Usage| usage.cpu.as_secs_f64();
        self.compared(watcher, Watcher::Plain, cpu, |a, b| a / b)
    }

    /// A number, less that of the plain run of the same round.
    pub(crate) fn differences(&self, watcher: Watcher, number: fn(&Usage) -> f64) -> Vec<f64> {
        self.compared(watcher, Watcher::Plain, number, |a, b| a - b)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    fn usage(cpu: u64) -> Usage {
        Usage {
            cpu: Duration::from_millis(cpu),
            ..Usage::default()
        }
    }

    #[test]
    fn each_round_begins_with_another_one_and_the_first_does_not_count() {
        let mut order = String::new();
        let rounds = go_round(&['a', 'b', 'c'], 3, |contestant| {
            order.push(contestant);
            Ok(usage(order.len() as u64))
        });
        assert_eq!(order, "abcbcacababc");
        let a = rounds
            .unwrap()
            .values('a', |usage| usage.cpu.as_secs_f64() * 1e3);
        assert_eq!(a, [6.0, 8.0, 10.0]);
    }

    #[test]
    fn ratios_and_differences_are_taken_within_a_round() {
        let mut n_runs = 0;
        // The machine slows down: every round takes twice as long as the one before.
        let rounds = go_round(&[Watcher::Plain, Watcher::Jacoco], 2, |watcher| {
            n_runs += 1;
            let slowness = 1 << ((n_runs + 1) / 2);
            let time = if watcher == Watcher::Plain {
                1000
            } else {
                1500
            };
            Ok(usage(time * slowness))
        });
        let rounds = rounds.unwrap();
        assert_eq!(rounds.ratios(Watcher::Jacoco), [1.5, 1.5]);
        let differences =
            rounds.differences(Watcher::Jacoco, |usage| usage.cpu.as_secs_f64() * 1e3);
        assert_eq!(differences, [2000.0, 4000.0]);
    }
}
