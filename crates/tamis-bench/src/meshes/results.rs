//! What came out, mesh by mesh.

use std::collections::BTreeMap;

use tamis_drill::Ran;

use super::contest::{CONTESTANTS, Contestant, Run};
use crate::agent::figure::{Figure, Unit};
use crate::agent::report::Section;
use crate::agent::rounds::{CPU, Number, Rounds, WALL};
use crate::measure::median;

pub(super) struct Results {
    subject: &'static str,
    /// What the whole suite comes to.
    all: Ran,
    rounds: Rounds<Contestant>,
    /// What each ran in each revision.
    ran: BTreeMap<Contestant, Vec<Ran>>,
}

impl Results {
    pub(super) fn new(subject: &'static str, all: Ran) -> Self {
        Self {
            subject,
            all,
            rounds: Rounds::default(),
            ran: BTreeMap::new(),
        }
    }

    /// Takes what all contestants did with a revision.
    pub(super) fn add(&mut self, runs: Vec<Run>) {
        for run in runs {
            self.rounds.add(run.contestant, run.usage);
            self.ran.entry(run.contestant).or_default().push(run.ran);
        }
    }

    pub(super) fn section(&self) -> Section {
        let n_revisions = self.ran_by(Contestant::Plain).len();
        let Ran { n_classes, n_tests } = self.all;
        let subject = self.subject;
        let name =
            format!("{subject}: {n_classes} classes, {n_tests} tests, {n_revisions} changes");
        let meshes = CONTESTANTS.into_iter();
        let meshes = meshes.filter(|it| matches!(it, Contestant::Tamis(_)));
        let figures = meshes
            .clone()
            .flat_map(|it| [CPU, WALL].map(|n| self.ratio(it, n)));
        Section {
            name,
            notes: meshes.clone().map(|it| self.note(it)).collect(),
            figures: figures.collect(),
            series: Vec::new(),
        }
    }

    fn note(&self, mesh: Contestant) -> String {
        let shares = |number: fn(&Ran) -> usize| -> Vec<f64> {
            let ran = self.ran_by(mesh).iter();
            ran.map(|ran| percentage(number(ran), number(&self.all)))
                .collect()
        };
        let classes = shares(|ran| ran.n_classes);
        let tests = shares(|ran| ran.n_tests);
        let name = mesh.to_string();
        format!(
            "{name:<14} selects {:5.1} % of classes (median {:5.1} %), {:5.1} % of tests; {:.3} of the CPU in all",
            mean(&classes),
            median(&classes),
            mean(&tests),
            self.ratio_of_sums(mesh)
        )
    }

    /// Processor time of all revisions together.
    fn ratio_of_sums(&self, mesh: Contestant) -> f64 {
        let sum = |it| -> f64 { self.rounds.values(it, CPU.1).iter().sum() };
        sum(mesh) / sum(Contestant::Plain)
    }

    fn ratio(&self, mesh: Contestant, (what, number): Number) -> Figure {
        let compared = |it| {
            self.rounds
                .compared(it, Contestant::Plain, number, |a, b| a / b)
        };
        Figure {
            name: format!("{mesh}: {what} ratio"),
            unit: Unit::Ratio,
            values: compared(mesh),
            noise: compared(Contestant::PlainAgain),
            bar: None,
        }
    }

    fn ran_by(&self, contestant: Contestant) -> &[Ran] {
        self.ran.get(&contestant).map_or(&[], Vec::as_slice)
    }
}

#[expect(clippy::cast_precision_loss, reason = "a library has few tests")]
fn percentage(part: usize, all: usize) -> f64 {
    100.0 * part as f64 / all.max(1) as f64
}

#[expect(clippy::cast_precision_loss, reason = "there are few revisions")]
fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len().max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agent::measured::Usage;
    use std::time::Duration;
    use tamis_facts::Mesh;

    fn run(contestant: Contestant, n_classes: usize, milliseconds: u64) -> Run {
        Run {
            contestant,
            revision: "literal-1".to_owned(),
            usage: Usage {
                cpu: Duration::from_millis(milliseconds),
                wall: Duration::from_millis(milliseconds),
                ..Usage::default()
            },
            ran: Ran {
                n_classes,
                n_tests: 10 * n_classes,
            },
        }
    }

    #[test]
    fn each_mesh_is_compared_with_the_plain_run_of_the_same_revision() {
        let all = Ran {
            n_classes: 8,
            n_tests: 80,
        };
        let mut results = Results::new("shop", all);
        let method = Contestant::Tamis(Mesh::Method);
        for (plain, n_classes, time) in [(1000, 2, 500), (4000, 8, 4000)] {
            results.add(vec![
                run(Contestant::Plain, 8, plain),
                run(Contestant::PlainAgain, 8, plain),
                run(method, n_classes, time),
            ]);
        }
        assert_eq!(results.ratio(method, CPU).values, [0.5, 1.0]);
        assert_eq!(
            results.note(method),
            "mesh method    selects  62.5 % of classes (median  62.5 %),  62.5 % of tests; 0.900 of the CPU in all"
        );
    }
}
