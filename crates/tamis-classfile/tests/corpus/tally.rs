//! What was seen: counts, refusals by reason, differences.

use std::collections::BTreeMap;
use std::time::Instant;

/// The numbers of one test.
pub(crate) struct Tally {
    name: String,
    started: Instant,
    pub(crate) n_classes: usize,
    pub(crate) n_linked: usize,
    /// Probed classes by kind of probe.
    probed: BTreeMap<&'static str, usize>,
    /// Refused classes by kind of probe and reason.
    refused: BTreeMap<(&'static str, String), usize>,
    differences: Vec<String>,
}

/// What may be refused; anything else is a failure.
const KNOWN_REFUSALS: [&str; 2] = [
    "the code has subroutines (jsr, ret)",
    "a probe does not fit",
];

/// More differences than these are counted, not shown.
const N_SHOWN: usize = 20;

impl Tally {
    pub(crate) fn new(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            started: Instant::now(),
            n_classes: 0,
            n_linked: 0,
            probed: BTreeMap::new(),
            refused: BTreeMap::new(),
            differences: Vec::new(),
        }
    }

    pub(crate) fn probed(&mut self, probe: &'static str) {
        *self.probed.entry(probe).or_default() += 1;
    }

    pub(crate) fn refused(&mut self, probe: &'static str, error: &tamis_classfile::Error) {
        let reason = error.message().to_owned();
        *self.refused.entry((probe, reason)).or_default() += 1;
    }

    pub(crate) fn differs(&mut self, what: &str) {
        self.differences.push(what.to_owned());
    }

    /// Prints the numbers; fails on a difference and on a refusal that nobody knows.
    pub(crate) fn finish(self) {
        let seconds = self.started.elapsed().as_secs();
        println!("{}: {} classes, {seconds} s", self.name, self.n_classes);
        if self.n_linked > 0 {
            println!("  {} linked", self.n_linked);
        }
        for (probe, count) in &self.probed {
            println!("  {probe}: {count} probed");
        }
        for ((probe, reason), count) in &self.refused {
            println!("  {probe}: {count} refused: {reason}");
        }
        println!("  {} differences", self.differences.len());
        for difference in self.differences.iter().take(N_SHOWN) {
            println!("{difference}");
        }
        assert!(
            self.differences.is_empty(),
            "{}: see the differences above",
            self.name
        );
        for (probe, reason) in self.refused.keys() {
            let is_known = KNOWN_REFUSALS.iter().any(|known| reason.contains(known));
            assert!(is_known, "{}: {probe} refused: {reason}", self.name);
        }
    }
}
