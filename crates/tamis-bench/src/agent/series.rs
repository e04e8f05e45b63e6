//! How something grows: a value for each of several sizes, and the power of the size that fits them.

use std::fmt;

use super::statistics::Estimate;

/// Something measured at several sizes.
#[derive(Debug, Clone)]
pub(crate) struct Series {
    pub(crate) name: String,
    /// What sizes count, `classes` for instance.
    pub(crate) x_unit: String,
    pub(crate) y_unit: String,
    /// Sizes with their values, by size.
    pub(crate) points: Vec<(f64, f64)>,
    /// 1 where values grow as sizes do; none where it was not fitted.
    pub(crate) exponent: Option<Estimate>,
}

impl fmt::Display for Series {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "  {:<34} ", self.name)?;
        if let Some(Estimate { median, low, high }) = self.exponent {
            write!(f, "grows with power {median:.2} [{low:.2}, {high:.2}]; ")?;
        }
        let points = self.points.iter();
        let points: Vec<String> = points.map(|(x, y)| format!("{x}: {y:.3}")).collect();
        write!(
            f,
            "{} by {}: {}",
            self.y_unit,
            self.x_unit,
            points.join(", ")
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_series_tells_its_power_and_its_points() {
        let series = Series {
            name: "load".to_owned(),
            x_unit: "classes".to_owned(),
            y_unit: "ms".to_owned(),
            points: vec![(1000.0, 2.5), (10_000.0, 25.0)],
            exponent: Some(Estimate {
                median: 1.0,
                low: 0.98,
                high: 1.02,
            }),
        };
        let text = series.to_string();
        let expected =
            "grows with power 1.00 [0.98, 1.02]; ms by classes: 1000: 2.500, 10000: 25.000";
        assert!(text.ends_with(expected), "{text}");
    }
}
