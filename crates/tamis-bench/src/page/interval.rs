//! A figure as a picture: its interval, its bar and the noise on one scale, and a dot for each round.

use super::axis::Axis;
use super::drawing::{Anchor, area, dot, line, picture, text};
use super::element::with_minus;
use crate::agent::figure::{Direction, with_commas};
use crate::agent::statistics::Estimate;
use crate::lines::FigureLine;

/// Where values and their noise lie, from above, and where the scale is.
const LANE: f64 = 30.0;
const NOISE_LANE: f64 = 54.0;
const TOP: f64 = 15.0;

/// What of the width is left on both sides, in percent.
const SIDE: f64 = 2.5;

/// A value so far away, in lengths of all that matters, is only hinted at.
const STRAY: f64 = 0.5;

/// The least share of a common scale that each figure on it must take.
const MIN_SHARE: f64 = 0.15;

/// Pictures of figures, in their order. Those of one unit share a scale, so that they can be compared at a glance, unless one of
/// them could not be read on it.
pub(super) fn plots(figures: &[FigureLine]) -> Vec<String> {
    let own: Vec<Option<Axis>> = figures.iter().map(axis).collect();
    let axis = |figure: &FigureLine| {
        let others = figures.iter().zip(&own);
        let same = others.filter(|(other, _)| other.unit == figure.unit);
        let same: Vec<Axis> = same.filter_map(|(_, axis)| *axis).collect();
        Axis::common(&same, MIN_SHARE)
    };
    let drawn = figures.iter().zip(&own).map(|(figure, own)| {
        let axis = axis(figure).or(*own);
        axis.map_or(String::new(), |axis| plot(figure, axis))
    });
    drawn.collect()
}

/// All that matters is on the axis, and values that are not too far from it. None if nothing was measured.
fn axis(figure: &FigureLine) -> Option<Axis> {
    let estimates = [Some(figure.estimate?), figure.noise_estimate];
    let estimates = estimates.into_iter().flatten();
    let estimates = estimates.flat_map(|it| [it.low, it.high]);
    let others = figure.bar.into_iter().chain([figure.unit.neutral()]);
    let mut numbers: Vec<f64> = estimates.chain(others).collect();
    let near = Axis::over(&numbers, STRAY);
    let values = figure.values.iter().chain(&figure.noise).flatten();
    numbers.extend(values.filter(|value| near.covers(**value)));
    Some(Axis::over(&numbers, 0.03))
}

fn plot(figure: &FigureLine, axis: Axis) -> String {
    let Some(estimate) = figure.estimate else {
        return String::new();
    };
    let bottom = match figure.noise_estimate {
        Some(_) => NOISE_LANE + 14.0,
        None => LANE + 14.0,
    };
    let plot = Plot { axis, bottom };
    let noise = figure.noise_estimate;
    let noise = noise.map(|noise| plot.lane("noise", NOISE_LANE, noise, &figure.noise));
    let content = [
        plot.good_side(figure),
        plot.scale(),
        plot.vertical("neutral", figure.unit.neutral()),
        noise.unwrap_or_default(),
        plot.lane(class(figure), LANE, estimate, &figure.values),
        plot.bar(figure),
    ];
    picture(bottom + 16.0, &title(figure, estimate), &content.concat())
}

fn class(figure: &FigureLine) -> &'static str {
    use crate::agent::figure::Verdict::{Missed, NotResolved, Pass};
    match figure.verdict {
        Some(Pass) => "met",
        Some(Missed) => "missed",
        Some(NotResolved) => "open",
        None => "free",
    }
}

/// The picture in words.
fn title(figure: &FigureLine, estimate: Estimate) -> String {
    let unit = figure.unit;
    let noise = figure.noise_estimate;
    let noise = noise.map(|it| format!("plain against plain {}", unit.interval_text(Some(it))));
    let bar = figure.bar.map(|bar| format!("bar {}", unit.bar_text(bar)));
    let parts = [Some(unit.interval_text(Some(estimate))), noise, bar];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    with_minus(&parts.join("; "))
}

struct Plot {
    axis: Axis,
    bottom: f64,
}

impl Plot {
    /// Where a number lies, in percent of the width.
    fn x(&self, number: f64) -> f64 {
        SIDE + (100.0 - 2.0 * SIDE) * self.axis.place(number)
    }

    /// The part of the scale that is good enough.
    fn good_side(&self, figure: &FigureLine) -> String {
        let Some(bar) = figure.bar.map(|bar| self.x(bar)) else {
            return String::new();
        };
        let (from, to) = match figure.direction {
            Direction::AtMost => (0.0, bar),
            Direction::AtLeast => (bar, 100.0),
        };
        area("enough", (from, TOP), (to, self.bottom))
    }

    fn scale(&self) -> String {
        let mut svg = line("grid", (0.0, self.bottom), (100.0, self.bottom));
        for (number, label) in self.axis.ticks() {
            let label = with_minus(&with_commas(&label));
            let at = (self.x(number), self.bottom + 12.0);
            svg += &self.vertical("grid", number);
            svg += &text("tick", at, Anchor::Middle, &label);
        }
        svg
    }

    fn vertical(&self, class: &str, number: f64) -> String {
        let x = self.x(number);
        line(class, (x, TOP), (x, self.bottom))
    }

    fn bar(&self, figure: &FigureLine) -> String {
        let Some(bar) = figure.bar else {
            return String::new();
        };
        let x = self.x(bar);
        let anchor = match x {
            85.0.. => Anchor::End,
            15.0.. => Anchor::Middle,
            _ => Anchor::Start,
        };
        let label = text("bar-text", (x, 10.0), anchor, &figure.unit.bar_text(bar));
        self.vertical("bar", bar) + &label
    }

    /// Dots, the interval and the median, at a height.
    fn lane(&self, class: &str, y: f64, estimate: Estimate, values: &[Option<f64>]) -> String {
        let upright = |class, number: f64, reach: f64| {
            let x = self.x(number);
            line(class, (x, y - reach), (x, y + reach))
        };
        let Estimate { median, low, high } = estimate;
        let content = [
            line("interval", (self.x(low), y), (self.x(high), y)),
            upright("end", low, 5.0),
            upright("end", high, 5.0),
            self.dots(y, values),
            upright("median", median, 9.0),
        ];
        format!("<g class=\"{class}\">{}</g>", content.concat())
    }

    /// A dot for each round, in turn a little above and below each other; those off the scale are counted at its ends.
    fn dots(&self, y: f64, values: &[Option<f64>]) -> String {
        let mut svg = String::new();
        let (mut n_below, mut n_above) = (0, 0);
        for (round, value) in values.iter().flatten().enumerate() {
            if *value < self.axis.low() {
                n_below += 1;
            } else if *value > self.axis.high() {
                n_above += 1;
            } else {
                let shift = [0.0, 4.0, -4.0, 2.0, -2.0][round % 5];
                svg += &dot("value", (self.x(*value), y + shift), 2.2);
            }
        }
        if n_below > 0 {
            let label = format!("‹{n_below}");
            svg += &text("stray", (0.0, y + 4.0), Anchor::Start, &label);
        }
        if n_above > 0 {
            let label = format!("{n_above}›");
            svg += &text("stray", (100.0, y + 4.0), Anchor::End, &label);
        }
        svg
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agent::figure::{Figure, Unit};
    use crate::agent::report::Section;
    use crate::lines::Line;

    /// Figures of these values, with bars.
    fn drawn(figures: &[(&[f64], Option<f64>)], noise: &[f64]) -> Vec<String> {
        let figures = figures.iter().map(|(values, bar)| Figure {
            name: String::new(),
            unit: Unit::Milliseconds,
            values: values.to_vec(),
            noise: noise.to_vec(),
            bar: *bar,
        });
        let section = Section {
            figures: figures.collect(),
            ..Section::default()
        };
        let lines = Line::of_section(&section, 4, String::new());
        let figures = lines.into_iter().filter_map(|line| match line {
            Line::Figure(figure) => Some(figure),
            _ => None,
        });
        plots(&figures.collect::<Vec<_>>())
    }

    #[test]
    fn a_dot_for_each_round_and_a_count_for_those_far_away() {
        let values = [1.0, 2.0, 3.0, 2.0, 2.0, 2.0, 900.0];
        let svg = &drawn(&[(&values, Some(10.0))], &[0.0; 7])[0];
        assert_eq!(svg.matches("<circle").count(), 13);
        assert!(svg.contains(">1›<"), "{svg}");
        let title = "2.0 ms [2.0, 3.0]; plain against plain 0.0 ms [0.0, 0.0]; bar ≤ 10 ms";
        assert!(svg.contains(&format!("<title>{title}</title>")), "{svg}");
    }

    #[test]
    fn without_bar_and_noise_there_are_none_in_the_picture() {
        let svg = &drawn(&[(&[1.0; 6], None)], &[])[0];
        assert!(
            !svg.contains("\"bar\"") && !svg.contains("\"noise\""),
            "{svg}"
        );
        assert!(svg.contains("class=\"free\""), "{svg}");
    }

    #[test]
    fn figures_share_a_scale_if_all_can_be_read_on_it() {
        let has_200 = |svgs: Vec<String>| [0, 1].map(|at| svgs[at].contains(">200<"));
        let near = drawn(&[(&[60.0; 6], None), (&[220.0; 6], None)], &[]);
        assert_eq!(has_200(near), [true, true]);
        let far = drawn(&[(&[6.0; 6], None), (&[220.0; 6], None)], &[]);
        assert_eq!(has_200(far), [false, true]);
    }
}
