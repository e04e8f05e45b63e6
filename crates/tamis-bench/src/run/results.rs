//! What came out, as figures with bars.

use std::collections::BTreeMap;

use super::contestant::{
    CHANGED, Contestant, EKSTAZI_CHANGED, EKSTAZI_FIRST, EKSTAZI_UNCHANGED, FIRST, JACOCO_PLAIN,
    PLAIN, PLAIN_AGAIN, PLAIN_CHANGED, SKIP_TESTS, UNCHANGED,
};
use crate::agent::figure::{Figure, Unit};
use crate::agent::measured::Usage;
use crate::agent::report::Section;
use crate::agent::rounds::{CPU, Number, Rounds, WALL};

/// Processor time of a first run, divided by that of a plain one.
const FIRST_BAR: f64 = 1.10;

/// Milliseconds of an unchanged run beyond one that skips all tests.
const UNCHANGED_BAR: f64 = 300.0;

pub(super) struct Results<'r> {
    pub(super) contestants: &'r [Contestant],
    pub(super) rounds: &'r Rounds<Contestant>,
    /// How many tests each ran in the last round.
    pub(super) n_tests: &'r BTreeMap<Contestant, usize>,
}

impl Results<'_> {
    pub(super) fn section(&self, name: &str, left_out: impl Iterator<Item = String>) -> Section {
        let runs = self.contestants.iter().map(|&it| self.note(it));
        Section {
            name: name.to_owned(),
            notes: runs.chain(left_out).collect(),
            figures: self.figures(),
            series: Vec::new(),
        }
    }

    fn note(&self, contestant: Contestant) -> String {
        let [cpu, wall] = [CPU, WALL].map(|(_, number)| self.rounds.median(contestant, number));
        let n_tests = self.n_tests.get(&contestant).copied().unwrap_or_default();
        let name = contestant.text();
        format!("{name:<34} {cpu:6.2} s CPU {wall:6.2} s wall {n_tests:6} tests")
    }

    fn figures(&self) -> Vec<Figure> {
        let ratios = [
            (FIRST, PLAIN, CPU, Some(FIRST_BAR)),
            (FIRST, PLAIN, WALL, None),
            (UNCHANGED, PLAIN, CPU, None),
            (CHANGED, PLAIN_CHANGED, CPU, None),
            (CHANGED, PLAIN_CHANGED, WALL, None),
            (JACOCO_PLAIN, PLAIN, CPU, None),
            (EKSTAZI_FIRST, PLAIN, CPU, None),
            (EKSTAZI_UNCHANGED, PLAIN, CPU, None),
            (EKSTAZI_CHANGED, PLAIN_CHANGED, CPU, None),
        ];
        let ratios = ratios.into_iter();
        let ratios = ratios.filter_map(|(it, to, number, bar)| self.ratio(it, to, number, bar));
        let added = [(UNCHANGED, Some(UNCHANGED_BAR)), (EKSTAZI_UNCHANGED, None)];
        let added = added.into_iter();
        let added = added.filter_map(|(it, bar)| self.added_to_skipping(it, bar));
        ratios.chain(added).collect()
    }

    /// None if one of the two was not measured.
    fn ratio(
        &self,
        contestant: Contestant,
        to: Contestant,
        (what, number): Number,
        bar: Option<f64>,
    ) -> Option<Figure> {
        let values = |it, to| self.rounds.compared(it, to, number, |a, b| a / b);
        self.has(&[contestant, to]).then(|| Figure {
            name: format!("{}: {what} ratio", contestant.text()),
            unit: Unit::Ratio,
            values: values(contestant, to),
            noise: values(PLAIN_AGAIN, PLAIN),
            bar,
        })
    }

    /// Wall time beyond that of a build that skips all tests.
    fn added_to_skipping(&self, contestant: Contestant, bar: Option<f64>) -> Option<Figure> {
        let wall = |usage: &Usage| usage.wall.as_secs_f64() * 1e3;
        let values = |it, to| self.rounds.compared(it, to, wall, |a, b| a - b);
        self.has(&[contestant, SKIP_TESTS]).then(|| Figure {
            name: format!("{}: added wall", contestant.text()),
            unit: Unit::Milliseconds,
            values: values(contestant, SKIP_TESTS),
            noise: values(PLAIN_AGAIN, PLAIN),
            bar,
        })
    }

    fn has(&self, contestants: &[Contestant]) -> bool {
        contestants.iter().all(|it| self.contestants.contains(it))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agent::rounds::go_round;
    use std::time::Duration;

    /// The figures of made-up runs, each as long as said, in milliseconds.
    fn figures(runs: &[(Contestant, u64)]) -> Vec<(String, Vec<f64>)> {
        let times: BTreeMap<Contestant, u64> = runs.iter().copied().collect();
        let contestants: Vec<Contestant> = runs.iter().map(|(it, _)| *it).collect();
        let rounds = go_round(&contestants, 1, |contestant| {
            let time = Duration::from_millis(times[&contestant]);
            Ok(Usage {
                cpu: 2 * time,
                wall: time,
                ..Usage::default()
            })
        });
        let results = Results {
            contestants: &contestants,
            rounds: &rounds.unwrap(),
            n_tests: &BTreeMap::new(),
        };
        let figures = results.figures().into_iter();
        figures.map(|figure| (figure.name, figure.values)).collect()
    }

    #[test]
    fn each_is_compared_with_the_plain_run_of_its_occasion() {
        let runs = [
            (PLAIN, 2000),
            (PLAIN_AGAIN, 2000),
            (SKIP_TESTS, 1000),
            (UNCHANGED, 1250),
            (PLAIN_CHANGED, 4000),
            (CHANGED, 2000),
        ];
        let expected = [
            ("Tamis, unchanged: CPU ratio", 0.625),
            ("Tamis, changed: CPU ratio", 0.5),
            ("Tamis, changed: wall ratio", 0.5),
            ("Tamis, unchanged: added wall", 250.0),
        ];
        let expected = expected.map(|(name, value)| (name.to_owned(), vec![value]));
        assert_eq!(figures(&runs), expected);
    }

    #[test]
    fn what_was_not_measured_has_no_figure() {
        assert_eq!(figures(&[(PLAIN, 1), (PLAIN_AGAIN, 1), (CHANGED, 1)]), []);
    }
}
