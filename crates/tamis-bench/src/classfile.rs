//! `cargo xtask bench classfile`: reading, checksums and probes, beside other readers.

use anyhow::Result;

use crate::agent::figure::{Figure, Unit};
use crate::agent::report::Section;
use crate::contender::{
    RISTRETTO_BORROWED, RISTRETTO_OWNED, TAMIS_PROBE, TAMIS_SMART, TAMIS_SMART_AGAIN,
};
use crate::corpus::Corpus;
use crate::journal::{Journal, Plan};
use crate::measure::{Measured, to_f64};
use crate::{asm, contender, measure};

#[derive(Debug, clap::Args)]
pub(crate) struct Options {
    /// How often each contender goes over the corpus, after warming up
    #[arg(long, default_value_t = 9, value_parser = clap::value_parser!(u32).range(1..))]
    rounds: u32,
    /// Measure only contenders whose name contains this
    #[arg(long, default_value = "")]
    only: String,
    /// Where the drawing of the intervals begins
    #[arg(long, default_value_t = 4)]
    seed: u64,
}

/// Classes per second into which entry probes are put.
const PROBE_BAR: f64 = 150_000.0;

/// How many times as fast as others a smart checksum is made.
const SMART_BAR: f64 = 3.0;

pub(crate) fn run(options: &Options, journal: &mut Journal) -> Result<()> {
    let corpus = Corpus::load()?;
    let jdk = tamis_testkit::jdks::newest_jdk()?;
    let mut contenders = contender::native();
    contenders.extend(asm::contenders(&jdk, &corpus)?);
    contenders.retain(|contender| contender.name.contains(&options.only));
    journal.begin(&Plan {
        jdk: &jdk,
        other_jdks: &[],
        n_rounds: options.rounds as usize,
        seed: options.seed,
    })?;
    let measured = measure::measure(&mut contenders, &corpus, options.rounds)?;
    journal.add(&section(&corpus, &measured))
}

fn section(corpus: &Corpus, measured: &[Measured]) -> Section {
    let mut notes = vec![format!(
        "{:.1} MB of {} jars, in memory; classes per second of processor time, on one core; for each class:",
        to_f64(corpus.n_bytes()) / 1e6,
        corpus.n_jars,
    )];
    notes.extend(measured.iter().map(note));
    let mut figures: Vec<Figure> = measured.iter().map(rate).collect();
    figures.extend(ratios(measured));
    Section {
        name: format!("class files ({} classes)", corpus.classes.len()),
        notes,
        figures,
        series: Vec::new(),
    }
}

fn note(measured: &Measured) -> String {
    let Measured {
        name,
        what,
        n_refused,
        ..
    } = measured;
    let refused = match n_refused {
        0 => String::new(),
        some => format!("; {some} classes refused"),
    };
    format!("{name:<26}  {what}{refused}")
}

/// Classes per second. Nothing is compared, so that there is no noise to compare with.
fn rate(measured: &Measured) -> Figure {
    Figure {
        name: measured.name.to_owned(),
        unit: Unit::PerSecond,
        values: measured.rates.clone(),
        noise: Vec::new(),
        bar: (measured.name == TAMIS_PROBE).then_some(PROBE_BAR),
    }
}

/// How many times as fast, round by round: the machine was the same for both.
fn ratios(measured: &[Measured]) -> Vec<Figure> {
    let rates = |name: &str| {
        let found = measured.iter().find(|measured| measured.name == name);
        found.map(|measured| measured.rates.as_slice())
    };
    let times = |ours: &[f64], theirs: &[f64]| {
        let rounds = ours.iter().zip(theirs);
        rounds.map(|(a, b)| a / b).collect::<Vec<_>>()
    };
    let ratio = |rival: &str| {
        let ours = rates(TAMIS_SMART)?;
        Some(Figure {
            name: format!("{TAMIS_SMART} beside {rival}"),
            unit: Unit::Times,
            values: times(ours, rates(rival)?),
            noise: rates(TAMIS_SMART_AGAIN).map_or(Vec::new(), |again| times(again, ours)),
            bar: Some(SMART_BAR),
        })
    };
    let ratios = [RISTRETTO_BORROWED, RISTRETTO_OWNED].map(ratio);
    ratios.into_iter().flatten().collect()
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
        // In the second round the machine was half as fast, for all.
        let ratios = ratios(&[
            measured(TAMIS_SMART, &[300.0, 150.0]),
            measured(TAMIS_SMART_AGAIN, &[300.0, 150.0]),
            measured(RISTRETTO_OWNED, &[100.0, 50.0]),
        ]);
        assert_eq!(ratios.len(), 1, "the other rival was not measured");
        assert_eq!(ratios[0].values, [3.0, 3.0]);
        assert_eq!(ratios[0].noise, [1.0, 1.0]);
    }

    #[test]
    fn only_probes_have_a_rate_to_reach() {
        assert_eq!(rate(&measured(TAMIS_PROBE, &[1.0])).bar, Some(PROBE_BAR));
        assert_eq!(rate(&measured(TAMIS_SMART, &[1.0])).bar, None);
    }
}
