//! Who takes part, and what was measured, as figures: each tool against plain Maven, and Tamis against each tool.

use tamis_check::Peer;

use crate::agent::figure::Figure;
use crate::agent::report::Section;
use crate::agent::rounds::{CPU, WALL};
use crate::run::contestant::{Contestant, JACOCO, Occasion, PLAIN, PLAIN_AGAIN, Tool, of};
use crate::run::measurements::Measurements;
use crate::run::{CHANGED_BAR, Subject};

/// What Tamis adds to a first run, as a part of what others add: a third at most.
const SHARE_BAR: f64 = 1.0 / 3.0;

/// Whose extra that is.
const COLLECTING: [Contestant; 2] = [of(Tool::Peer(Peer::Ekstazi), Occasion::First), JACOCO];

/// Tamis is not to take longer than another tool.
const NOT_ABOVE: f64 = 1.0;

const OCCASIONS: [Occasion; 3] = [
    Occasion::First,
    Occasion::Unchanged,
    Occasion::MethodChanged,
];

/// Who takes part, beside plain Maven.
#[derive(Debug)]
pub(super) struct Field {
    /// Tamis by one mesh or several.
    pub(super) tamis: Vec<Tool>,
    /// Tools of others.
    pub(super) others: Vec<Tool>,
}

impl Field {
    /// In the order of the first round. The two plain ones stand apart.
    pub(super) fn contestants(&self) -> Vec<Contestant> {
        let mut contestants = vec![PLAIN];
        contestants.extend(self.tamis.iter().copied().flat_map(occasions));
        contestants.push(PLAIN_AGAIN);
        contestants.extend(self.others.iter().copied().flat_map(occasions));
        contestants.push(of(Tool::Plain, Occasion::MethodChanged));
        contestants
    }

    pub(super) fn section(&self, subject: &Subject, measurements: &Measurements) -> Section {
        Section {
            name: subject.name.clone(),
            notes: measurements.notes(),
            figures: self.figures(measurements),
            series: Vec::new(),
        }
    }

    fn figures(&self, measurements: &Measurements) -> Vec<Figure> {
        let mut figures = against_plain(measurements);
        for &tamis in &self.tamis {
            let first = of(tamis, Occasion::First);
            let collecting = COLLECTING.into_iter();
            figures.extend(
                collecting.filter_map(|other| measurements.share_of_extra(first, other, SHARE_BAR)),
            );
            for &other in self.others.iter().filter(|other| other.selects()) {
                figures.extend(against_peer(measurements, tamis, other));
            }
        }
        figures
    }
}

/// When a tool is run: one that does not select does the same each time.
fn occasions(tool: Tool) -> Vec<Contestant> {
    if !tool.selects() {
        return vec![of(tool, Occasion::Unchanged)];
    }
    OCCASIONS.map(|occasion| of(tool, occasion)).to_vec()
}

/// Every tool against the run of all tests after the same change.
fn against_plain(measurements: &Measurements) -> Vec<Figure> {
    let contestants = measurements.contestants.iter();
    let tools = contestants.filter(|it| it.tool.selects() || it.tool.is_rival());
    let figures = tools.flat_map(|&contestant| {
        let is_tamis = matches!(contestant.tool, Tool::Tamis(_));
        let is_changed = contestant.occasion == Occasion::MethodChanged;
        let bar = (is_tamis && is_changed).then_some(CHANGED_BAR);
        [
            measurements.to_plain(contestant, CPU, None),
            measurements.to_plain(contestant, WALL, bar),
        ]
    });
    figures.flatten().collect()
}

/// From end to end, with nothing changed and after a change.
fn against_peer(measurements: &Measurements, tamis: Tool, peer: Tool) -> Vec<Figure> {
    let occasions = [
        (Occasion::Unchanged, "unchanged", None),
        (Occasion::MethodChanged, "method changed", Some(NOT_ABOVE)),
    ];
    let figures = occasions.into_iter().flat_map(|(occasion, what, bar)| {
        let pair = (of(tamis, occasion), of(peer, occasion));
        [CPU, WALL].map(|number| {
            let name = format!("{tamis} / {peer}, {what}: {}", number.0);
            measurements.ratio(name, pair, number, bar)
        })
    });
    figures.flatten().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use tamis_facts::Mesh;

    const TAMIS: Tool = Tool::Tamis(Mesh::Method);
    const EKSTAZI: Tool = Tool::Peer(Peer::Ekstazi);

    /// The figures of made-up runs whose names contain this.
    fn values(runs: &[(Contestant, u64)], wanted: &str) -> Vec<(String, f64, Option<f64>)> {
        let measurements = Measurements::of(runs);
        let field = Field {
            tamis: vec![TAMIS],
            others: vec![EKSTAZI, Tool::Jacoco],
        };
        let figures = field.figures(&measurements).into_iter();
        let figures = figures.filter(|figure| figure.name.contains(wanted));
        figures
            .map(|figure| (figure.name, figure.values[0], figure.bar))
            .collect()
    }

    #[test]
    fn an_extra_is_a_part_of_anothers() {
        let runs = [
            (PLAIN, 1000),
            (PLAIN_AGAIN, 1000),
            (of(TAMIS, Occasion::First), 1050),
            (of(EKSTAZI, Occasion::First), 1200),
        ];
        let found = values(&runs, "extra");
        let [(name, share, bar)] = &found[..] else {
            panic!("{found:?}")
        };
        assert_eq!(name, "Tamis: share of Ekstazi's extra CPU");
        assert!((share - 0.25).abs() < 1e-9);
        assert_eq!(*bar, Some(SHARE_BAR));
    }

    #[test]
    fn tamis_is_compared_with_each_peer_that_was_measured() {
        let runs = [
            (PLAIN, 1000),
            (PLAIN_AGAIN, 1000),
            (of(TAMIS, Occasion::Unchanged), 200),
            (of(TAMIS, Occasion::MethodChanged), 200),
            (of(EKSTAZI, Occasion::Unchanged), 400),
            (of(EKSTAZI, Occasion::MethodChanged), 800),
        ];
        let expected = [
            ("Tamis / Ekstazi, unchanged: CPU", 0.5, None),
            ("Tamis / Ekstazi, unchanged: wall", 0.5, None),
            ("Tamis / Ekstazi, method changed: CPU", 0.25, Some(1.0)),
            ("Tamis / Ekstazi, method changed: wall", 0.25, Some(1.0)),
        ];
        let expected = expected.map(|(name, value, bar)| (name.to_owned(), value, bar));
        assert_eq!(values(&runs, " / "), expected);
    }

    #[test]
    fn the_plain_ones_stand_apart_and_everybody_comes_once() {
        let field = Field {
            tamis: vec![TAMIS, Tool::Tamis(Mesh::Block)],
            others: vec![EKSTAZI, Tool::Jacoco],
        };
        let mut all = field.contestants();
        assert_eq!(all.len(), 3 + 3 * 3 + 1);
        assert_eq!(all[0], PLAIN);
        let place = |it: Contestant| all.iter().position(|other| *other == it);
        assert!(place(PLAIN_AGAIN) > Some(1));
        let n_contestants = all.len();
        all.sort();
        all.dedup();
        assert_eq!(all.len(), n_contestants);
    }
}
