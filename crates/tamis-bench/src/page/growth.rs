//! How something grows, as a picture: both axes are logarithmic, so that a power of the size is a straight line.

use super::axis::Axis;
use super::drawing::{Anchor, Place, dot, line, picture, text};
use super::element::{escaped, with_minus};
use crate::lines::SeriesLine;
use crate::measure::median;

/// Where the picture ends; places along are percentages of its width.
const LEFT: f64 = 12.0;
const RIGHT: f64 = 97.0;
const TOP: f64 = 12.0;
const BOTTOM: f64 = 186.0;
const HEIGHT: f64 = 214.0;

/// An axis is at least as long as a factor of this power of ten: otherwise noise would look like growth.
const MIN_LENGTH: f64 = 0.6;

/// A series with its name and power.
pub(super) fn figure(series: &SeriesLine) -> String {
    let power = series.exponent.map_or(String::new(), |it| {
        let text = format!(
            "<b>power {:.2}</b> <span class=\"aside\">[{:.2}, {:.2}]</span>",
            it.median, it.low, it.high
        );
        with_minus(&text)
    });
    format!(
        "<div class=\"growth\"><h4>{}</h4><p>{power}</p>\n{}</div>\n",
        escaped(&series.name),
        plot(series)
    )
}

/// A size and a value, both as logarithms.
type Point = (f64, f64);

fn plot(series: &SeriesLine) -> String {
    let points = series.points.iter();
    let points = points.map(|(x, y)| (x.log10(), y.log10()));
    let points: Vec<Point> = points
        .filter(|(x, y)| x.is_finite() && y.is_finite())
        .collect();
    if points.is_empty() {
        return "<p class=\"aside\">nothing that could be drawn</p>".to_owned();
    }
    let numbers = |number: fn(&Point) -> f64| points.iter().map(number).collect::<Vec<_>>();
    let plot = Plot {
        x: Axis::over(&numbers(|it| it.0), 0.06).at_least(MIN_LENGTH),
        y: Axis::over(&numbers(|it| it.1), 0.1).at_least(MIN_LENGTH),
    };
    let mut content = plot.axes(series);
    if let Some(exponent) = series.exponent {
        let at = middle(&points, exponent.median);
        content += &plot.line("straight", at, 1.0);
        content += &plot.line("fit", at, exponent.median);
    }
    content.extend(points.iter().map(|it| dot("point", plot.place(*it), 4.0)));
    let [y_unit, x_unit] = [&series.y_unit, &series.x_unit].map(|unit| escaped(unit));
    picture(HEIGHT, &format!("{y_unit} by {x_unit}"), &content)
}

/// A point of the line with this slope that has as many points above it as below.
fn middle(points: &[Point], slope: f64) -> Point {
    let x = median(&points.iter().map(|it| it.0).collect::<Vec<_>>());
    let above = points.iter().map(|it| it.1 - slope * (it.0 - x));
    (x, median(&above.collect::<Vec<_>>()))
}

struct Plot {
    x: Axis,
    y: Axis,
}

impl Plot {
    fn place(&self, (x, y): Point) -> Place {
        (
            LEFT + (RIGHT - LEFT) * self.x.place(x),
            BOTTOM - (BOTTOM - TOP) * self.y.place(y),
        )
    }

    fn axes(&self, series: &SeriesLine) -> String {
        let mut svg = String::new();
        for (number, label) in self.x.powers_of_ten() {
            let (x, _) = self.place((number, self.y.low()));
            svg += &line("grid", (x, TOP), (x, BOTTOM));
            svg += &text("tick", (x, BOTTOM + 13.0), Anchor::Middle, &label);
        }
        for (number, label) in self.y.powers_of_ten() {
            let (_, y) = self.place((self.x.low(), number));
            svg += &line("grid", (LEFT, y), (RIGHT, y));
            svg += &text("tick", (LEFT - 1.5, y + 4.0), Anchor::End, &label);
        }
        let [y_unit, x_unit] = [&series.y_unit, &series.x_unit].map(|unit| escaped(unit));
        svg += &text("unit", (LEFT, 9.0), Anchor::Start, &y_unit);
        svg + &text("unit", (RIGHT, HEIGHT - 2.0), Anchor::End, &x_unit)
    }

    /// A straight line through a point, as far as it is in the picture.
    fn line(&self, class: &str, at: Point, slope: f64) -> String {
        let x_at = |y: f64| at.0 + (y - at.1) / slope;
        let (mut from, mut to) = (self.x.low(), self.x.high());
        if slope != 0.0 {
            let (a, b) = (x_at(self.y.low()), x_at(self.y.high()));
            (from, to) = (from.max(a.min(b)), to.min(a.max(b)));
        }
        let end = |x: f64| self.place((x, at.1 + slope * (x - at.0)));
        line(class, end(from), end(to))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agent::statistics::Estimate;

    fn series(points: &[Point], exponent: f64) -> SeriesLine {
        SeriesLine {
            section: "scale".to_owned(),
            name: "load".to_owned(),
            x_unit: "classes".to_owned(),
            y_unit: "ms".to_owned(),
            points: points.to_vec(),
            exponent: Some(Estimate {
                median: exponent,
                low: exponent,
                high: exponent,
            }),
        }
    }

    #[test]
    fn straight_growth_lies_on_the_straight_line() {
        let svg = figure(&series(&[(1e3, 1.0), (1e4, 10.0), (1e5, 100.0)], 1.0));
        let ends = |class: &str| {
            let from = svg.find(&format!("class=\"{class}\"")).unwrap() + class.len() + 8;
            svg[from..].split("/>").next().unwrap().to_owned()
        };
        assert_eq!(ends("fit"), ends("straight"));
        assert_eq!(svg.matches("<circle").count(), 3);
        assert!(svg.contains(">10k<") && svg.contains("power 1.00"), "{svg}");
    }

    #[test]
    fn what_does_not_grow_is_a_level_line() {
        let svg = figure(&series(&[(10.0, 5.0), (1000.0, 5.0)], 0.0));
        assert!(
            svg.contains("y1=\"99.0\" x2=\"97.00%\" y2=\"99.0\""),
            "{svg}"
        );
    }

    #[test]
    fn what_has_no_logarithm_is_left_out() {
        let svg = figure(&series(&[(0.0, 1.0), (10.0, 0.0)], 1.0));
        assert!(svg.contains("nothing that could be drawn"), "{svg}");
    }
}
