//! Times over sizes, and the exponent by which they grow.

use anyhow::{Result, ensure};

use crate::agent::figure::{Figure, Unit};
use crate::agent::report::Section;
use crate::agent::series::Series;
use crate::agent::statistics::Estimate;
use crate::measure::median;

/// More than this is no straight line.
const BAR: f64 = 1.05;

/// Sizes of which the greatest is no more than so many times as large are the larger ones.
const LARGER: f64 = 10.0;

/// Exponents are drawn anew from here for their intervals.
const SEED: u64 = 4;

/// A phase and how long it took.
pub(crate) type Phase = (&'static str, f64);

/// Times of phases, by size and round.
pub(crate) struct Growth {
    /// What sizes count.
    unit: &'static str,
    sizes: Vec<f64>,
    phases: Vec<Times>,
}

/// The times of a phase: of each size those of all rounds.
struct Times {
    name: &'static str,
    by_size: Vec<Vec<f64>>,
}

impl Growth {
    pub(crate) fn new(unit: &'static str) -> Self {
        Self {
            unit,
            sizes: Vec::new(),
            phases: Vec::new(),
        }
    }

    /// Measures a size that is greater than those before; once before it counts.
    pub(crate) fn add(
        &mut self,
        size: u32,
        n_rounds: u32,
        mut measure: impl FnMut() -> Result<Vec<Phase>>,
    ) -> Result<()> {
        measure()?;
        let rounds = (0..n_rounds).map(|_| measure());
        let rounds: Vec<Vec<Phase>> = rounds.collect::<Result<_>>()?;
        if self.phases.is_empty() {
            let names = rounds.iter().take(1).flatten().map(|(name, _)| *name);
            let times = names.map(|name| Times {
                name,
                by_size: Vec::new(),
            });
            self.phases.extend(times);
        }
        self.sizes.push(f64::from(size));
        for (position, phase) in self.phases.iter_mut().enumerate() {
            let times = rounds.iter().map(|round| round[position]);
            ensure!(
                times.clone().all(|(name, _)| name == phase.name),
                "phases come in one order"
            );
            phase.by_size.push(times.map(|(_, time)| time).collect());
        }
        Ok(())
    }

    /// A figure for each exponent, and a series for each phase.
    pub(crate) fn section(&self, name: String, time_unit: &str) -> Section {
        let largest = self.sizes.last().copied().unwrap_or_default();
        let is_larger = |size: f64| size * LARGER >= largest;
        let figures = self.phases.iter().flat_map(|phase| {
            [
                self.figure(phase, "all sizes", |_| true),
                self.figure(phase, "larger sizes", is_larger),
            ]
        });
        let series = self.phases.iter().map(|phase| Series {
            name: phase.name.to_owned(),
            x_unit: self.unit.to_owned(),
            y_unit: time_unit.to_owned(),
            points: self.medians(phase),
            exponent: Some(Estimate::of(&self.exponents(phase, |_| true), SEED)),
        });
        Section {
            name,
            notes: vec![format!(
                "exponents, by least squares; {} sizes up to {largest} {}; the larger ones are those from {} on",
                self.sizes.len(),
                self.unit,
                largest / LARGER
            )],
            figures: figures.collect(),
            series: series.collect(),
        }
    }

    fn figure(&self, phase: &Times, which: &str, is_counted: impl Fn(f64) -> bool) -> Figure {
        let values = self.exponents(phase, is_counted);
        Figure {
            name: format!("{}, {which}", phase.name),
            unit: Unit::Ratio,
            // What is fitted is compared with nothing.
            noise: vec![1.0; values.len()],
            values,
            bar: Some(BAR),
        }
    }

    fn medians(&self, phase: &Times) -> Vec<(f64, f64)> {
        let medians = phase.by_size.iter().map(|times| median(times));
        self.sizes.iter().copied().zip(medians).collect()
    }

    /// That of each round.
    fn exponents(&self, phase: &Times, is_counted: impl Fn(f64) -> bool) -> Vec<f64> {
        let n_rounds = phase.by_size.first().map_or(0, Vec::len);
        let exponents = (0..n_rounds).map(|round| {
            let times = phase.by_size.iter().map(|times| times[round]);
            let points = self.sizes.iter().copied().zip(times);
            let points: Vec<(f64, f64)> = points.filter(|(size, _)| is_counted(*size)).collect();
            slope(&points)
        });
        exponents.collect()
    }
}

/// The slope of the line that fits best, where both axes count in powers. Without two sizes nothing is known.
fn slope(points: &[(f64, f64)]) -> f64 {
    let n_points = points.iter().map(|_| 1.0).sum::<f64>();
    let logs = || points.iter().map(|(x, y)| (x.ln(), y.ln()));
    let mean_x = logs().map(|(x, _)| x).sum::<f64>() / n_points;
    let mean_y = logs().map(|(_, y)| y).sum::<f64>() / n_points;
    let product = logs()
        .map(|(x, y)| (x - mean_x) * (y - mean_y))
        .sum::<f64>();
    let square = logs().map(|(x, _)| (x - mean_x).powi(2)).sum::<f64>();
    product / square
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agent::figure::Verdict::{Missed, Pass};

    fn close(a: f64, b: f64) -> bool {
        (a - b).abs() < 1e-9
    }

    #[test]
    fn powers_are_found() {
        for power in [0.0, 0.5, 1.0, 2.0] {
            let points = [1.0, 10.0, 25.0, 1000.0].map(|x: f64| (x, 3.0 * x.powf(power)));
            assert!(close(slope(&points), power), "{power}");
        }
        assert!(slope(&[(1.0, 1.0)]).is_nan());
    }

    #[test]
    fn what_grows_with_the_square_misses_the_bar_and_a_line_does_not() {
        let mut growth = Growth::new("classes");
        for size in [100_u32, 500, 1_000, 2_500, 5_000, 10_000] {
            let x = f64::from(size);
            let mut round = 0.0;
            growth
                .add(size, 6, || {
                    round += 1.0;
                    Ok(vec![("line", x + round), ("square", x * x + round)])
                })
                .unwrap();
        }
        let section = growth.section("growth".to_owned(), "ms");
        let verdicts = section.figures.iter().map(|figure| {
            let judged = figure.judge(1);
            (figure.name.as_str(), judged.verdict.unwrap())
        });
        assert_eq!(
            verdicts.collect::<Vec<_>>(),
            [
                ("line, all sizes", Pass),
                ("line, larger sizes", Pass),
                ("square, all sizes", Missed),
                ("square, larger sizes", Missed),
            ]
        );
        assert_eq!(section.series[0].points.len(), 6);
    }

    /// What every run costs once hides how it grows.
    #[test]
    fn the_larger_sizes_show_what_all_of_them_hide() {
        let mut growth = Growth::new("tests");
        for size in [100_u32, 500, 1_000, 5_000, 10_000, 50_000] {
            let x = f64::from(size);
            growth
                .add(size, 1, || Ok(vec![("both", 1e8 + x * x)]))
                .unwrap();
        }
        let section = growth.section("growth".to_owned(), "ms");
        let [all, larger] = [0, 1].map(|number| section.figures[number].values[0]);
        assert!(all < 1.05 && larger > 1.05, "{all} {larger}");
    }
}
