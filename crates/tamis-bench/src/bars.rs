//! The bars: what Tamis must reach to be called fast. Missing one is a result, not an error.

use serde::Serialize;

use crate::contender::{RISTRETTO_BORROWED, RISTRETTO_OWNED, TAMIS_PROBE, TAMIS_SMART};
use crate::measure::{Measured, median};

#[derive(Debug, Serialize)]
pub(crate) struct Bar {
    pub(crate) name: String,
    pub(crate) wanted: f64,
    pub(crate) measured: f64,
    pub(crate) is_passed: bool,
}

/// The bars whose contenders were measured.
pub(crate) fn bars(measured: &[Measured]) -> Vec<Bar> {
    let find = |name: &str| measured.iter().find(|measured| measured.name == name);
    let probe = find(TAMIS_PROBE).map(|probe| {
        let name = format!("{TAMIS_PROBE}: classes per second");
        bar(name, 150_000.0, median(&probe.rates))
    });
    let ratio = |rival: &str| {
        let name = format!("{TAMIS_SMART}: times as fast as {rival}");
        Some(bar(name, 3.0, ratio(find(TAMIS_SMART)?, find(rival)?)))
    };
    let bars = [probe, ratio(RISTRETTO_BORROWED), ratio(RISTRETTO_OWNED)];
    bars.into_iter().flatten().collect()
}

fn bar(name: String, wanted: f64, measured: f64) -> Bar {
    Bar {
        name,
        wanted,
        measured,
        is_passed: measured >= wanted,
    }
}

/// How many times as fast, round by round: the machine was the same for both.
fn ratio(ours: &Measured, theirs: &Measured) -> f64 {
    let rounds = ours.rates.iter().zip(&theirs.rates);
    median(&rounds.map(|(a, b)| a / b).collect::<Vec<_>>())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn measured(name: &'static str, rates: &[f64]) -> Measured {
        Measured {
            name,
            what: "",
            rates: rates.to_vec(),
            n_refused: 0,
        }
    }

    #[test]
    fn ratios_are_taken_within_a_round() {
        // In the second round the machine was half as fast, for both.
        let smart = measured(TAMIS_SMART, &[300.0, 150.0, 310.0]);
        let ristretto = measured(RISTRETTO_OWNED, &[100.0, 50.0, 100.0]);
        let bars = bars(&[smart, ristretto]);
        assert_eq!(bars.len(), 1);
        assert!(bars[0].is_passed);
        assert!((bars[0].measured - 3.0).abs() < 1e-9);
    }
}
