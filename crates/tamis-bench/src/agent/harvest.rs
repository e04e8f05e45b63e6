//! The harvest alone, without a JVM: all marks of 160,000 units are looked at, and the few that are set
//! are taken.

use anyhow::Result;
use tamis_agent::drain_slice;

use super::figure::{Figure, Unit};
use super::report::Section;
use crate::contender::processor_time;
use crate::measure::to_f64;

/// As many arrays as 160,000 units need, each of the length that a holder's has.
const N_ARRAYS: usize = 5;
const N_MARKS: usize = 32_768;

const N_UNITS: usize = 160_000;

/// How many units a short test runs.
const N_SET: usize = 50;

const N_HARVESTS: usize = 2_000;

/// Microseconds.
const BAR: f64 = 20.0;

pub(crate) fn measure(n_rounds: usize) -> Result<Section> {
    let mut arrays = vec![vec![0; N_MARKS]; N_ARRAYS];
    let mut times = |_| harvest(&mut arrays);
    let pairs = (0..n_rounds).map(|round| Ok((times(round)?, times(round)?)));
    let pairs: Vec<(f64, f64)> = pairs.collect::<Result<_>>()?;
    let figure = Figure {
        name: "one harvest".to_owned(),
        unit: Unit::Microseconds,
        values: pairs.iter().map(|pair| pair.0).collect(),
        noise: pairs.iter().map(|pair| pair.1 - pair.0).collect(),
        bar: Some(BAR),
    };
    Ok(Section {
        name: format!("harvest ({N_UNITS} units, {N_SET} of them set, without a JVM)"),
        notes: vec![format!(
            "{N_HARVESTS} harvests a round, one after the other"
        )],
        figures: vec![figure],
        series: Vec::new(),
    })
}

/// Microseconds of processor time.
fn harvest(arrays: &mut [Vec<u8>]) -> Result<f64> {
    let start = processor_time()?;
    let mut n_found = 0_usize;
    for harvest in 0..N_HARVESTS {
        for set in 0..N_SET {
            let unit = (set * 3_191 + harvest) % N_UNITS;
            arrays[unit / N_MARKS][unit % N_MARKS] = 1;
        }
        let mut left = N_UNITS;
        for array in &mut *arrays {
            let n_used = left.min(array.len());
            drain_slice(&mut array[..n_used], |_| n_found += 1);
            left -= n_used;
        }
    }
    let time = processor_time()?.saturating_sub(start);
    assert_eq!(n_found, N_SET * N_HARVESTS, "every mark is found once");
    Ok(time.as_secs_f64() * 1e6 / to_f64(N_HARVESTS))
}
