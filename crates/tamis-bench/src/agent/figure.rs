//! A figure, and whether it clears its bar. Whoever cannot tell says so.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::statistics::{Estimate, MIN_VALUES};

/// Something that was measured round by round, each value within one round.
#[derive(Debug)]
pub(crate) struct Figure {
    pub(crate) name: String,
    pub(crate) unit: Unit,
    /// With what is measured, against plain.
    pub(crate) values: Vec<f64>,
    /// Plain against plain: what the machine makes of no difference at all. Empty where nothing is compared.
    pub(crate) noise: Vec<f64>,
    /// The worst value that is good enough; the unit knows the direction.
    pub(crate) bar: Option<f64>,
}

/// What a value counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Unit {
    /// One value divided by the other.
    Ratio,
    /// A part of a difference; none of it is no difference.
    Share,
    Milliseconds,
    Microseconds,
    Megabytes,
    /// How often in a second.
    PerSecond,
    /// How many times as fast.
    Times,
}

/// On which side of its bar a value is good enough.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Direction {
    AtMost,
    AtLeast,
}

/// What came out.
#[derive(Debug)]
pub(crate) struct Judged<'f> {
    pub(crate) figure: &'f Figure,
    pub(crate) estimate: Estimate,
    pub(crate) noise: Estimate,
    /// None where there is no bar.
    pub(crate) verdict: Option<Verdict>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Verdict {
    Pass,
    Missed,
    NotResolved,
}

impl Unit {
    /// The value that means no difference.
    pub(crate) fn neutral(self) -> f64 {
        match self {
            Self::Ratio | Self::Times => 1.0,
            _ => 0.0,
        }
    }

    pub(crate) fn direction(self) -> Direction {
        match self {
            Self::PerSecond | Self::Times => Direction::AtLeast,
            _ => Direction::AtMost,
        }
    }

    pub(crate) fn text(self) -> &'static str {
        match self {
            Self::Ratio | Self::Share => "",
            Self::Milliseconds => " ms",
            Self::Microseconds => " µs",
            Self::Megabytes => " MB",
            Self::PerSecond => "/s",
            Self::Times => "×",
        }
    }

    pub(crate) fn n_digits(self) -> usize {
        match self {
            Self::Ratio => 3,
            Self::Microseconds | Self::Times | Self::Share => 2,
            Self::Milliseconds | Self::Megabytes => 1,
            Self::PerSecond => 0,
        }
    }

    /// A bar as it is read: `≤ 10 ms`.
    pub(crate) fn bar_text(self, bar: f64) -> String {
        let sign = match self.direction() {
            Direction::AtMost => '≤',
            Direction::AtLeast => '≥',
        };
        let number = match self {
            Self::Ratio | Self::Share => format!("{bar:.2}"),
            _ => bar.to_string(),
        };
        format!("{sign} {}{}", with_commas(&number), self.text())
    }

    /// A value with as many digits as are worth reading.
    pub(crate) fn number(self, value: f64) -> String {
        let text = format!("{value:.*}", self.n_digits());
        // Less than nothing, but not by a digit that is shown.
        let is_nothing = text.bytes().all(|byte| matches!(byte, b'-' | b'0' | b'.'));
        with_commas(if is_nothing {
            text.trim_start_matches('-')
        } else {
            &text
        })
    }

    /// A median with its interval; a dash where nothing is known.
    pub(crate) fn interval_text(self, estimate: Option<Estimate>) -> String {
        let Some(Estimate { median, low, high }) = estimate else {
            return "–".to_owned();
        };
        let [median, low, high] = [median, low, high].map(|it| self.number(it));
        format!("{median}{} [{low}, {high}]", self.text())
    }
}

/// A number with its thousands told apart.
pub(crate) fn with_commas(number: &str) -> String {
    let n_whole = number.find('.').unwrap_or(number.len());
    let mut text = String::new();
    for (at, c) in number.char_indices() {
        let is_third = at < n_whole && (n_whole - at).is_multiple_of(3);
        if is_third && text.ends_with(|before: char| before.is_ascii_digit()) {
            text.push(',');
        }
        text.push(c);
    }
    text
}

impl Verdict {
    pub(crate) fn text(self) -> &'static str {
        match self {
            Self::Pass => "pass",
            Self::Missed => "missed",
            Self::NotResolved => "not resolved",
        }
    }
}

impl Figure {
    pub(crate) fn judge(&self, seed: u64) -> Judged<'_> {
        let estimate = Estimate::of(&self.values, seed);
        let noise = Estimate::of(&self.noise, seed);
        Judged {
            figure: self,
            estimate,
            noise,
            verdict: self.bar.map(|bar| self.verdict(bar, estimate, noise)),
        }
    }

    /// A run whose noise is as large as the bar cannot judge, and neither can one whose interval has the
    /// bar in it, or comes from too few values. Where the bar leaves no room for noise, as *not above another one*
    /// does, the figure has to be farther from it than noise is wide.
    fn verdict(&self, bar: f64, estimate: Estimate, noise: Estimate) -> Verdict {
        let neutral = self.unit.neutral();
        let worst_noise = (noise.high - neutral).max(neutral - noise.low);
        let room = if bar > neutral {
            bar - neutral
        } else {
            (estimate.median - bar).abs()
        };
        let is_quiet = self.noise.is_empty() || worst_noise <= room;
        let Estimate { low, high, .. } = estimate;
        let (is_cleared, is_missed) = match self.unit.direction() {
            Direction::AtMost => (high <= bar, low > bar),
            Direction::AtLeast => (low >= bar, high < bar),
        };
        match self.values.len() >= MIN_VALUES && is_quiet {
            true if is_cleared => Verdict::Pass,
            true if is_missed => Verdict::Missed,
            _ => Verdict::NotResolved,
        }
    }
}

impl Judged<'_> {
    /// Whether the cost can be told from nothing. To clear a bar is another thing.
    pub(crate) fn is_resolved(&self) -> bool {
        let neutral = self.figure.unit.neutral();
        !self.noise.covers(self.estimate.median) && !self.estimate.covers(neutral)
    }
}

impl fmt::Display for Judged<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let unit = self.figure.unit;
        let bar = self.figure.bar.map(|bar| unit.bar_text(bar));
        write!(
            f,
            "  {:<34} {:<31} {:<28} {:<12} {}",
            self.figure.name,
            unit.interval_text(self.estimate.if_known()),
            unit.interval_text(self.noise.if_known()),
            bar.unwrap_or_default(),
            self.verdict.map_or("", Verdict::text),
        )?;
        if !self.is_resolved() {
            write!(f, "; no difference resolved")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn figure(values: &[f64], noise: &[f64]) -> Figure {
        Figure {
            name: "agent".to_owned(),
            unit: Unit::Ratio,
            values: values.to_vec(),
            noise: noise.to_vec(),
            bar: Some(1.05),
        }
    }

    fn check(values: &[f64], noise: &[f64], expected: Verdict) {
        assert_eq!(figure(values, noise).judge(1).verdict, Some(expected));
    }

    const QUIET: [f64; 6] = [0.99, 1.0, 1.0, 1.01, 1.0, 1.0];

    #[test]
    fn a_bar_is_cleared_or_missed_by_the_whole_interval() {
        check(&[1.01, 1.02, 1.03, 1.02, 1.02, 1.02], &QUIET, Verdict::Pass);
        check(
            &[1.11, 1.12, 1.13, 1.12, 1.12, 1.12],
            &QUIET,
            Verdict::Missed,
        );
        check(
            &[1.01, 1.02, 1.09, 1.08, 1.04, 1.06],
            &QUIET,
            Verdict::NotResolved,
        );
    }

    #[test]
    fn a_noisy_run_judges_nothing() {
        let noisy = [0.8, 1.2, 1.0, 1.3, 0.9, 1.1];
        check(&[1.01; 6], &noisy, Verdict::NotResolved);
        check(&[1.5; 6], &noisy, Verdict::NotResolved);
    }

    #[test]
    fn five_values_are_too_few_to_judge() {
        check(&[1.01; 5], &QUIET, Verdict::NotResolved);
        check(&[1.01; 6], &QUIET, Verdict::Pass);
    }

    #[test]
    fn what_is_compared_with_nothing_has_no_noise_to_fear() {
        check(&[1.01; 6], &[], Verdict::Pass);
    }

    #[test]
    fn not_above_another_one_is_told_from_noise() {
        let noise = [0.98, 1.0, 1.02, 0.98, 1.0, 1.02];
        let check = |bar, value: f64, expected| {
            let figure = Figure {
                bar: Some(bar),
                ..figure(&[value; 6], &noise)
            };
            assert_eq!(figure.judge(1).verdict, Some(expected));
        };
        check(1.0, 0.91, Verdict::Pass);
        check(1.0, 1.11, Verdict::Missed);
        check(1.0, 0.99, Verdict::NotResolved);
        check(0.5, 0.31, Verdict::Pass);
    }

    #[test]
    fn of_rates_the_greater_are_good_enough() {
        let rate = |rate: f64| Figure {
            unit: Unit::PerSecond,
            bar: Some(150_000.0),
            ..figure(&[rate; 6], &[])
        };
        assert_eq!(rate(600_000.0).judge(1).verdict, Some(Verdict::Pass));
        assert_eq!(rate(100_000.0).judge(1).verdict, Some(Verdict::Missed));
    }

    #[test]
    fn nothing_measured_is_nothing_resolved() {
        check(&[], &[], Verdict::NotResolved);
    }

    #[test]
    fn numbers_are_easy_to_read() {
        assert_eq!(Unit::PerSecond.number(1_234_567.8), "1,234,568");
        assert_eq!(Unit::Milliseconds.number(-123_456.0), "-123,456.0");
        assert_eq!(Unit::Milliseconds.number(-999.0), "-999.0");
        assert_eq!(Unit::Milliseconds.number(-0.01), "0.0");
        assert_eq!(Unit::PerSecond.bar_text(150_000.0), "≥ 150,000/s");
        assert_eq!(Unit::Ratio.bar_text(1.1), "≤ 1.10");
        assert_eq!(Unit::Share.bar_text(1.0 / 3.0), "≤ 0.33");
    }

    #[test]
    fn a_figure_within_the_noise_says_so() {
        let figure = figure(
            &[1.0, 1.01, 1.0, 1.0, 1.0, 1.0],
            &[0.98, 1.0, 1.02, 1.0, 0.99, 1.01],
        );
        let text = figure.judge(1).to_string();
        assert!(text.ends_with("pass; no difference resolved"), "{text}");
    }
}
