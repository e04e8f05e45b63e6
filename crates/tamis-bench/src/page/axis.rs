//! Where a number lies on an axis, and which numbers are written at it.

/// An axis from `low` to `high`, which are never the same.
#[derive(Debug, Clone, Copy)]
pub(super) struct Axis {
    low: f64,
    high: f64,
}

/// A number at an axis, with its text.
pub(super) type Tick = (f64, String);

/// How many ticks an axis has, about.
const N_TICKS: f64 = 5.0;

impl Axis {
    /// An axis on which all of these numbers lie, with `margin` of its length left on both sides.
    pub(super) fn over(numbers: &[f64], margin: f64) -> Self {
        // Halves, so that no difference is too large.
        let low = numbers.iter().copied().fold(f64::INFINITY, f64::min) / 2.0;
        let high = numbers.iter().copied().fold(f64::NEG_INFINITY, f64::max) / 2.0;
        let room = match high - low {
            length if length > 0.0 => margin * length,
            // All are the same, or there are none.
            _ => (high.abs() / 2.0).max(0.5),
        };
        if low > high {
            return Self {
                low: 0.0,
                high: 1.0,
            };
        }
        Self {
            low: (2.0 * (low - room)).max(f64::MIN),
            high: (2.0 * (high + room)).min(f64::MAX),
        }
    }

    /// One axis for all, if each takes at least this share of it.
    pub(super) fn common(axes: &[Self], share: f64) -> Option<Self> {
        let low = axes.iter().map(|axis| axis.low).reduce(f64::min)?;
        let high = axes.iter().map(|axis| axis.high).reduce(f64::max)?;
        let common = Self { low, high };
        let is_readable = |axis: &Self| axis.length() >= share * common.length();
        axes.iter().all(is_readable).then_some(common)
    }

    /// Halved, so that it is never too large.
    fn length(self) -> f64 {
        self.high / 2.0 - self.low / 2.0
    }

    /// The same axis, at least so long, around the same middle.
    pub(super) fn at_least(self, length: f64) -> Self {
        let missing = (length - (self.high - self.low)).max(0.0) / 2.0;
        Self {
            low: self.low - missing,
            high: self.high + missing,
        }
    }

    pub(super) fn covers(self, number: f64) -> bool {
        (self.low..=self.high).contains(&number)
    }

    /// Between 0 and 1 on the axis.
    pub(super) fn place(self, number: f64) -> f64 {
        (number / 2.0 - self.low / 2.0) / self.length()
    }

    pub(super) fn low(self) -> f64 {
        self.low
    }

    pub(super) fn high(self) -> f64 {
        self.high
    }

    /// Some round numbers.
    pub(super) fn ticks(self) -> Vec<Tick> {
        let step = round_step(self.high / N_TICKS - self.low / N_TICKS);
        if !step.is_normal() {
            return Vec::new();
        }
        let text = |number: f64| format!("{number:.*}", n_digits(step));
        let first = (self.low / step).ceil();
        let numbers = (0..=20).map(|n| (first + f64::from(n)) * step + 0.0);
        let numbers = numbers.take_while(|number| *number <= self.high);
        numbers.map(|number| (number, text(number))).collect()
    }

    /// Powers of ten, if the axis has logarithms to the base of ten; with few of them also twice and five times these.
    pub(super) fn powers_of_ten(self) -> Vec<Tick> {
        let powers = self.low.floor() as i32..=self.high.ceil() as i32;
        let ticks = |factors: &[f64]| -> Vec<Tick> {
            let numbers = powers.clone().flat_map(|power| {
                let factors = factors.iter().copied();
                factors.map(move |factor| factor * 10_f64.powi(power))
            });
            let numbers = numbers.filter(|number| self.covers(number.log10()));
            numbers
                .map(|number| (number.log10(), short(number)))
                .collect()
        };
        match ticks(&[1.0]) {
            few if few.len() < 2 => ticks(&[1.0, 2.0, 5.0]),
            enough => enough,
        }
    }
}

/// 1, 2 or 5 with some zeros, about as large as `length`.
fn round_step(length: f64) -> f64 {
    let power = 10_f64.powf(length.log10().floor());
    let factors = [1.0, 2.0, 5.0];
    let enough = factors.into_iter().find(|factor| factor * power >= length);
    enough.unwrap_or(10.0) * power
}

/// How many digits behind the point show the first one that is not zero.
fn n_digits(number: f64) -> usize {
    let shown = (0..9_u8).find(|digits| number > 0.99 * 0.1_f64.powi(i32::from(*digits)));
    usize::from(shown.unwrap_or(9))
}

/// A number in few letters: `20k`.
fn short(number: f64) -> String {
    match number {
        1e9.. => format!("{number:.0e}"),
        999_999.5.. => format!("{:.0}M", number / 1e6),
        999.5.. => format!("{:.0}k", number / 1e3),
        0.95.. => format!("{number:.0}"),
        0.001.. => format!("{number:.*}", n_digits(number)),
        _ => format!("{number:.0e}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(ticks: &[Tick]) -> String {
        let texts: Vec<&str> = ticks.iter().map(|tick| tick.1.as_str()).collect();
        texts.join(" ")
    }

    #[test]
    fn ticks_are_round() {
        let check = |low, high, expected: &str| {
            assert_eq!(texts(&Axis { low, high }.ticks()), expected);
        };
        check(-0.7, 10.6, "0 5 10");
        check(0.96, 1.13, "1.00 1.05 1.10");
        check(-2.0, 2.0, "-2 -1 0 1 2");
        check(0.0, 690_000.0, "0 200000 400000 600000");
    }

    #[test]
    fn logarithms_have_powers_of_ten_or_more() {
        let check = |low: f64, high: f64, expected: &str| {
            let (low, high) = (low.log10(), high.log10());
            assert_eq!(texts(&Axis { low, high }.powers_of_ten()), expected);
        };
        check(900.0, 120_000.0, "1k 10k 100k");
        check(0.004, 2.0, "0.01 0.1 1");
        check(15.0, 90.0, "20 50");
    }

    #[test]
    fn numbers_that_are_all_the_same_lie_in_the_middle() {
        for number in [0.0, 5.0, -3.0] {
            let axis = Axis::over(&[number, number], 0.05);
            assert!((axis.place(number) - 0.5).abs() < 1e-9, "{axis:?}");
        }
        assert!(Axis::over(&[], 0.05).covers(0.5));
    }
}
