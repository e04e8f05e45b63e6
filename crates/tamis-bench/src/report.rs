//! The result, for people and as JSON.

use std::fmt;

use serde::Serialize;

use crate::bars::{Bar, bars};
use crate::corpus::Corpus;
use crate::machine::Machine;
use crate::measure::{Measured, median, to_f64};

/// Everything that was found out. Serialised, this is the format of version [`VERSION`].
#[derive(Debug, Serialize)]
pub(crate) struct Report {
    version: u32,
    machine: Machine,
    corpus: CorpusSize,
    n_rounds: usize,
    contenders: Vec<Line>,
    bars: Vec<Bar>,
}

#[derive(Debug, Serialize)]
struct CorpusSize {
    jars: usize,
    classes: usize,
    bytes: usize,
}

/// A contender; rates are classes per second of processor time.
#[derive(Debug, Serialize)]
struct Line {
    name: &'static str,
    what: &'static str,
    median: f64,
    lowest: f64,
    highest: f64,
    n_refused: usize,
}

const VERSION: u32 = 1;

impl Report {
    pub(crate) fn new(machine: Machine, corpus: &Corpus, measured: &[Measured]) -> Self {
        Self {
            version: VERSION,
            machine,
            corpus: CorpusSize {
                jars: corpus.n_jars,
                classes: corpus.classes.len(),
                bytes: corpus.n_bytes(),
            },
            n_rounds: measured.first().map_or(0, |first| first.rates.len()),
            bars: bars(measured),
            contenders: measured.iter().map(Line::new).collect(),
        }
    }
}

impl Line {
    fn new(measured: &Measured) -> Self {
        let rates = measured.rates.iter().copied();
        Self {
            name: measured.name,
            what: measured.what,
            median: median(&measured.rates),
            lowest: rates.clone().fold(f64::INFINITY, f64::min),
            highest: rates.fold(0.0, f64::max),
            n_refused: measured.n_refused,
        }
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Machine {
            cpu,
            n_cores,
            jdk,
            commit,
        } = &self.machine;
        let size = &self.corpus;
        writeln!(f, "machine   {cpu}, {n_cores} cores; one is used")?;
        writeln!(f, "JDK       {jdk}")?;
        writeln!(f, "commit    {commit}")?;
        writeln!(
            f,
            "corpus    {} classes of {} jars, {:.1} MB, in memory",
            size.classes,
            size.jars,
            to_f64(size.bytes) / 1e6
        )?;
        writeln!(f, "rounds    {}, alternating\n", self.n_rounds)?;
        writeln!(
            f,
            "{:<26}{:>11}{:>11}{:>11}{:>9}",
            "classes per second", "median", "lowest", "highest", "refused"
        )?;
        for line in &self.contenders {
            writeln!(f, "{line}")?;
        }
        writeln!(f, "\nA second is one of processor time. For each class:\n")?;
        for Line { name, what, .. } in &self.contenders {
            writeln!(f, "{name:<26}  {what}")?;
        }
        writeln!(f)?;
        self.bars.iter().try_for_each(|bar| writeln!(f, "{bar}"))
    }
}

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            name,
            median,
            lowest,
            highest,
            n_refused,
            ..
        } = self;
        write!(
            f,
            "{name:<26}{median:>11.0}{lowest:>11.0}{highest:>11.0}{n_refused:>9}"
        )
    }
}

impl fmt::Display for Bar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            name,
            wanted,
            measured,
            is_passed,
        } = self;
        let word = if *is_passed { "pass" } else { "miss" };
        let digits = if *wanted < 100.0 { 2 } else { 0 };
        write!(
            f,
            "{word}  {name}: {measured:.digits$}, wanted {wanted:.digits$}"
        )
    }
}
