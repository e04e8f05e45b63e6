//! What came out of a course, and how figures are taken from it.

use std::collections::BTreeMap;

use super::contestant::{Contestant, PLAIN, PLAIN_AGAIN, SKIP_TESTS};
use super::invocation::JVM_OPTIONS;
use crate::agent::figure::{Figure, Unit};
use crate::agent::measured::Usage;
use crate::agent::rounds::{CPU, Number, Rounds, WALL};

pub(crate) struct Measurements {
    pub(crate) contestants: Vec<Contestant>,
    pub(super) rounds: Rounds<Contestant>,
    /// How many tests each ran in the last round.
    pub(super) n_tests: BTreeMap<Contestant, usize>,
    /// What readers have to know beside numbers.
    pub(super) remarks: Vec<String>,
}

impl Measurements {
    /// A line for each contestant, and what else is to be said.
    pub(crate) fn notes(&self) -> Vec<String> {
        let runs = self.contestants.iter().map(|&it| self.note(it));
        let maven = format!("Maven runs with {JVM_OPTIONS}");
        let remarks = self.remarks.iter().cloned();
        runs.chain(remarks).chain([maven]).collect()
    }

    fn note(&self, contestant: Contestant) -> String {
        let [cpu, wall] = [CPU, WALL].map(|(_, number)| self.rounds.median(contestant, number));
        let n_tests = self.n_tests.get(&contestant).copied().unwrap_or_default();
        let name = contestant.to_string();
        format!("{name:<34} {cpu:6.2} s CPU {wall:6.2} s wall {n_tests:6} tests")
    }

    /// A ratio to the plain run after the same change; none if one of the two was not measured.
    pub(crate) fn to_plain(
        &self,
        contestant: Contestant,
        number: Number,
        bar: Option<f64>,
    ) -> Option<Figure> {
        let name = format!("{contestant}: {} ratio", number.0);
        self.ratio(name, (contestant, contestant.plain()), number, bar)
    }

    /// A ratio to another contestant's run of the same round.
    pub(crate) fn ratio(
        &self,
        name: String,
        (contestant, to): (Contestant, Contestant),
        (_, number): Number,
        bar: Option<f64>,
    ) -> Option<Figure> {
        let values = |it, to| self.rounds.compared(it, to, number, |a, b| a / b);
        self.has(&[contestant, to]).then(|| Figure {
            name,
            unit: Unit::Ratio,
            values: values(contestant, to),
            noise: values(PLAIN_AGAIN, PLAIN),
            bar,
        })
    }

    /// Wall time beyond that of a build that skips all tests.
    pub(crate) fn added_to_skipping(
        &self,
        contestant: Contestant,
        bar: Option<f64>,
    ) -> Option<Figure> {
        let wall = |usage: &Usage| usage.wall.as_secs_f64() * 1e3;
        let values = |it, to| self.rounds.compared(it, to, wall, |a, b| a - b);
        self.has(&[contestant, SKIP_TESTS]).then(|| Figure {
            name: format!("{contestant}: added wall"),
            unit: Unit::Milliseconds,
            values: values(contestant, SKIP_TESTS),
            noise: values(PLAIN_AGAIN, PLAIN),
            bar,
        })
    }

    /// What a contestant takes beyond a plain run, as a part of what another one takes beyond it, round by round.
    pub(crate) fn share_of_extra(
        &self,
        contestant: Contestant,
        of: Contestant,
        bar: f64,
    ) -> Option<Figure> {
        let extra = |it| self.rounds.compared(it, PLAIN, CPU.1, |a, b| a - b);
        let shares = |it| {
            let pairs = extra(it).into_iter().zip(extra(of));
            pairs.map(|(ours, theirs)| ours / theirs).collect()
        };
        self.has(&[contestant, of, PLAIN]).then(|| Figure {
            name: format!("{}: share of {}'s extra CPU", contestant.tool, of.tool),
            unit: Unit::Share,
            values: shares(contestant),
            noise: shares(PLAIN_AGAIN),
            bar: Some(bar),
        })
    }

    fn has(&self, contestants: &[Contestant]) -> bool {
        contestants.iter().all(|it| self.contestants.contains(it))
    }

    /// Made-up runs of one round, each as long as said, in milliseconds; processors take twice the time.
    #[cfg(test)]
    pub(crate) fn of(runs: &[(Contestant, u64)]) -> Self {
        use std::time::Duration;
        let times: BTreeMap<Contestant, u64> = runs.iter().copied().collect();
        let contestants: Vec<Contestant> = runs.iter().map(|(it, _)| *it).collect();
        let rounds = crate::agent::rounds::go_round(&contestants, 1, |contestant| {
            let time = Duration::from_millis(times[&contestant]);
            Ok(Usage {
                cpu: 2 * time,
                wall: time,
                ..Usage::default()
            })
        });
        Self {
            contestants,
            rounds: rounds.unwrap(),
            n_tests: BTreeMap::new(),
            remarks: Vec::new(),
        }
    }
}
