//! A figure, and whether it clears its bar. Whoever cannot tell says so.

use std::fmt;

use super::statistics::Estimate;

/// Something that was measured round by round, each value within one round.
#[derive(Debug)]
pub(crate) struct Figure {
    pub(crate) name: String,
    pub(crate) unit: Unit,
    /// With what is measured, against plain.
    pub(crate) values: Vec<f64>,
    /// Plain against plain: what the machine makes of no difference at all.
    pub(crate) noise: Vec<f64>,
    /// The greatest value that is good enough.
    pub(crate) bar: Option<f64>,
}

/// What a value counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unit {
    /// One value divided by the other.
    Ratio,
    /// A part of a difference; none of it is no difference.
    Share,
    Milliseconds,
    Microseconds,
    Megabytes,
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

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Verdict {
    Pass,
    Missed,
    NotResolved,
}

impl Unit {
    /// The value that means no difference.
    fn neutral(self) -> f64 {
        if self == Self::Ratio { 1.0 } else { 0.0 }
    }

    fn text(self) -> &'static str {
        match self {
            Self::Ratio | Self::Share => "",
            Self::Milliseconds => " ms",
            Self::Microseconds => " µs",
            Self::Megabytes => " MB",
        }
    }

    fn n_digits(self) -> usize {
        match self {
            Self::Ratio => 3,
            Self::Microseconds | Self::Share => 2,
            Self::Milliseconds | Self::Megabytes => 1,
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
    /// bar in it. Where the bar leaves no room for noise, as *not above another one* does, the figure has to be
    /// farther from it than noise is wide.
    fn verdict(&self, bar: f64, estimate: Estimate, noise: Estimate) -> Verdict {
        let neutral = self.unit.neutral();
        let worst_noise = (noise.high - neutral).max(neutral - noise.low);
        let room = if bar > neutral {
            bar - neutral
        } else {
            (estimate.median - bar).abs()
        };
        let is_quiet = worst_noise <= room;
        match estimate {
            Estimate { high, .. } if is_quiet && high <= bar => Verdict::Pass,
            Estimate { low, .. } if is_quiet && low > bar => Verdict::Missed,
            _ => Verdict::NotResolved,
        }
    }
}

impl fmt::Display for Judged<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let unit = self.figure.unit;
        let interval = |estimate: &Estimate| {
            let Estimate { median, low, high } = estimate;
            let (digits, unit) = (unit.n_digits(), unit.text());
            format!("{median:.digits$}{unit} [{low:.digits$}, {high:.digits$}]")
        };
        let verdict = match self.verdict {
            Some(Verdict::Pass) => "pass",
            Some(Verdict::Missed) => "missed",
            Some(Verdict::NotResolved) => "not resolved",
            None => "",
        };
        let bar = self.figure.bar.map(|bar| format!("≤ {bar}{}", unit.text()));
        write!(
            f,
            "  {:<34} {:<28} {:<28} {:<10} {verdict}",
            self.figure.name,
            interval(&self.estimate),
            interval(&self.noise),
            bar.unwrap_or_default(),
        )?;
        // To clear a bar and to be told from nothing are two things.
        if self.noise.covers(self.estimate.median) || self.estimate.covers(unit.neutral()) {
            write!(f, "; no difference resolved")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(values: &[f64], noise: &[f64], expected: Verdict) {
        check_bar(1.05, values, noise, expected);
    }

    fn check_bar(bar: f64, values: &[f64], noise: &[f64], expected: Verdict) {
        let figure = Figure {
            name: String::new(),
            unit: Unit::Ratio,
            values: values.to_vec(),
            noise: noise.to_vec(),
            bar: Some(bar),
        };
        assert_eq!(figure.judge(1).verdict, Some(expected));
    }

    #[test]
    fn a_bar_is_cleared_or_missed_by_the_whole_interval() {
        let quiet = [0.99, 1.0, 1.0, 1.01, 1.0];
        check(&[1.01, 1.02, 1.03, 1.02, 1.02], &quiet, Verdict::Pass);
        check(&[1.11, 1.12, 1.13, 1.12, 1.12], &quiet, Verdict::Missed);
        check(
            &[1.01, 1.02, 1.09, 1.08, 1.04],
            &quiet,
            Verdict::NotResolved,
        );
    }

    #[test]
    fn a_noisy_run_judges_nothing() {
        let noisy = [0.8, 1.2, 1.0, 1.3, 0.9];
        check(&[1.01; 5], &noisy, Verdict::NotResolved);
        check(&[1.5; 5], &noisy, Verdict::NotResolved);
    }

    #[test]
    fn not_above_another_one_is_told_from_noise() {
        let noise = [0.98, 1.0, 1.02];
        check_bar(1.0, &[0.90, 0.91, 0.92], &noise, Verdict::Pass);
        check_bar(1.0, &[1.10, 1.11, 1.12], &noise, Verdict::Missed);
        check_bar(1.0, &[0.98, 0.99, 0.99], &noise, Verdict::NotResolved);
        check_bar(0.5, &[0.30, 0.31, 0.32], &noise, Verdict::Pass);
    }

    #[test]
    fn nothing_measured_is_nothing_resolved() {
        check(&[], &[], Verdict::NotResolved);
    }

    #[test]
    fn a_figure_within_the_noise_says_so() {
        let figure = Figure {
            name: "agent".into(),
            unit: Unit::Ratio,
            values: vec![1.0, 1.01, 1.0],
            noise: vec![0.98, 1.0, 1.02],
            bar: Some(1.05),
        };
        let text = figure.judge(1).to_string();
        assert!(text.ends_with("pass; no difference resolved"), "{text}");
    }
}
