//! What `bench run` measured, as figures with bars.

use tamis_facts::Mesh;

use super::contestant::{Contestant, Occasion, PLAIN, PLAIN_AGAIN, SKIP_TESTS, Tool, of};
use super::measurements::Measurements;
use super::subject::Subject;
use crate::agent::figure::Figure;
use crate::agent::report::Section;
use crate::agent::rounds::{CPU, WALL};

/// Milliseconds of an unchanged run beyond one that skips all tests.
const UNCHANGED_BAR: f64 = 300.0;

/// Wall time after a change, divided by that of all tests: at least twice as fast.
pub(crate) const CHANGED_BAR: f64 = 0.5;

const TAMIS: Tool = Tool::Tamis(Mesh::Method);
const FIRST: Contestant = of(TAMIS, Occasion::First);
const UNCHANGED: Contestant = of(TAMIS, Occasion::Unchanged);
const METHOD: Contestant = of(TAMIS, Occasion::MethodChanged);
const RESOURCE: Contestant = of(TAMIS, Occasion::ResourceChanged);

/// In the order of the first round. The two plain ones stand apart.
pub(super) const CONTESTANTS: [Contestant; 9] = [
    PLAIN,
    SKIP_TESTS,
    FIRST,
    PLAIN_AGAIN,
    UNCHANGED,
    of(Tool::Plain, Occasion::MethodChanged),
    METHOD,
    of(Tool::Plain, Occasion::ResourceChanged),
    RESOURCE,
];

pub(super) fn section(subject: &Subject, measurements: &Measurements) -> Section {
    Section {
        name: subject.name.clone(),
        notes: measurements.notes(),
        figures: figures(measurements, subject.first_bar),
        series: Vec::new(),
    }
}

fn figures(measurements: &Measurements, first_bar: f64) -> Vec<Figure> {
    let ratios = [
        (FIRST, CPU, Some(first_bar)),
        (FIRST, WALL, None),
        (UNCHANGED, CPU, None),
        (METHOD, CPU, None),
        (METHOD, WALL, Some(CHANGED_BAR)),
        (RESOURCE, CPU, None),
        (RESOURCE, WALL, None),
    ];
    let ratios = ratios.into_iter();
    let ratios = ratios.filter_map(|(it, number, bar)| measurements.to_plain(it, number, bar));
    let added = measurements.added_to_skipping(UNCHANGED, Some(UNCHANGED_BAR));
    ratios.chain(added).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(runs: &[(Contestant, u64)]) -> Vec<(String, Vec<f64>)> {
        let figures = figures(&Measurements::of(runs), 1.1).into_iter();
        figures.map(|figure| (figure.name, figure.values)).collect()
    }

    #[test]
    fn each_is_compared_with_the_plain_run_of_its_occasion() {
        let runs = [
            (PLAIN, 2000),
            (PLAIN_AGAIN, 2000),
            (SKIP_TESTS, 1000),
            (UNCHANGED, 1250),
            (of(Tool::Plain, Occasion::MethodChanged), 4000),
            (METHOD, 2000),
            (of(Tool::Plain, Occasion::ResourceChanged), 2000),
            (RESOURCE, 1500),
        ];
        let expected = [
            ("Tamis, unchanged: CPU ratio", 0.625),
            ("Tamis, method changed: CPU ratio", 0.5),
            ("Tamis, method changed: wall ratio", 0.5),
            ("Tamis, resource changed: CPU ratio", 0.75),
            ("Tamis, resource changed: wall ratio", 0.75),
            ("Tamis, unchanged: added wall", 250.0),
        ];
        let expected = expected.map(|(name, value)| (name.to_owned(), vec![value]));
        assert_eq!(values(&runs), expected);
    }

    #[test]
    fn what_was_not_measured_has_no_figure() {
        assert_eq!(values(&[(PLAIN, 1), (PLAIN_AGAIN, 1), (METHOD, 1)]), []);
    }

    #[test]
    fn long_tests_have_a_lower_bar() {
        let runs = Measurements::of(&[(PLAIN, 1), (PLAIN_AGAIN, 1), (FIRST, 1)]);
        let bars = |bar| figures(&runs, bar).into_iter().map(|figure| figure.bar);
        assert_eq!(bars(1.05).collect::<Vec<_>>(), [Some(1.05), None]);
    }
}
