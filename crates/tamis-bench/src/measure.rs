//! Going round: each contender once a round, so that whatever disturbs the machine disturbs all.

use anyhow::{Context, Result};

use crate::contender::Contender;
use crate::corpus::Corpus;

/// What was measured of one contender.
pub(crate) struct Measured {
    pub(crate) name: &'static str,
    pub(crate) what: &'static str,
    /// Classes per second, by round.
    pub(crate) rates: Vec<f64>,
    pub(crate) n_refused: usize,
}

/// Rounds that are not counted. ASM needs two for the JIT compiler, the others for the caches.
const N_WARM_UP_ROUNDS: u32 = 2;

pub(crate) fn measure(
    contenders: &mut [Contender],
    corpus: &Corpus,
    n_rounds: u32,
) -> Result<Vec<Measured>> {
    let mut measured: Vec<Measured> = contenders
        .iter()
        .map(|contender| Measured {
            name: contender.name,
            what: contender.what,
            rates: Vec::new(),
            n_refused: 0,
        })
        .collect();
    for round in 0..N_WARM_UP_ROUNDS + n_rounds {
        for (contender, measured) in contenders.iter_mut().zip(&mut measured) {
            let pass = (contender.run)(corpus)
                .with_context(|| format!("cannot measure {}", contender.name))?;
            measured.n_refused = pass.n_refused;
            if round >= N_WARM_UP_ROUNDS {
                let rate = to_f64(corpus.classes.len()) / pass.time.as_secs_f64();
                measured.rates.push(rate);
            }
        }
    }
    Ok(measured)
}

/// The middle one, or the mean of the two in the middle.
pub(crate) fn median(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let middle = sorted.len() / 2;
    match sorted.as_slice() {
        [] => f64::NAN,
        sorted if sorted.len() % 2 == 1 => sorted[middle],
        sorted => f64::midpoint(sorted[middle - 1], sorted[middle]),
    }
}

/// Counts of classes and bytes are far below 2^52.
#[expect(clippy::cast_precision_loss, reason = "see above")]
pub(crate) fn to_f64(count: usize) -> f64 {
    count as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_does_not_mind_a_stray_value() {
        let close = |a: f64, b: f64| (a - b).abs() < 1e-9;
        assert!(close(median(&[3.0, 1.0, 900.0]), 3.0));
        assert!(close(median(&[4.0, 1.0, 900.0, 2.0]), 3.0));
        assert!(median(&[]).is_nan());
    }
}
