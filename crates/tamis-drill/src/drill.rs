//! The drill on one library: mutant after mutant, up to the figures.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::Write as _;
use std::path::Path;
use std::time::Instant;

use anyhow::{Context, Result, ensure};
use tamis_build::Jdk;
use tamis_testkit::suite_library::{Library, QUICK};

use crate::baseline::Baseline;
use crate::operators::Operator;
use crate::plan::{Mutant, Plan};
use crate::selection::{MESHES, Selection};
use crate::suite_run::Suite;
use crate::summary::Summary;
use crate::trial::{Fate, Trial};
use crate::workshop::{Made, Workshop};

/// How a drill is made.
#[derive(Debug, Clone)]
pub(crate) struct Order {
    pub(crate) n_mutants: usize,
    pub(crate) seed: u64,
    pub(crate) only: Option<Operator>,
    pub(crate) replay: Option<String>,
}

/// A library that is set up.
pub(crate) struct Drill<'o> {
    name: &'static str,
    workshop: Workshop,
    suite: Suite,
    baseline: Baseline,
    output: Option<&'o mut File>,
    /// Mutants of an earlier drill that stopped, by name.
    done: BTreeMap<String, Trial>,
}

/// At least so much of the mutants of bodies must change an outcome, for the others to mean anything.
const LEAST_KILLED_SHARE: f64 = 0.4;

/// The libraries that are known.
pub(crate) fn subjects() -> &'static [Library] {
    QUICK
}

impl<'o> Drill<'o> {
    /// Sets a library up in an empty directory, and runs its suite as it is.
    pub(crate) fn new(
        library: &Library,
        jdk: &Jdk,
        place: &Path,
        output: Option<&'o mut File>,
        earlier: &[Trial],
    ) -> Result<Self> {
        let begun = Instant::now();
        let workshop = Workshop::new(library, jdk, place)?;
        let suite = Suite::new(&workshop, place)?;
        let baseline = Baseline::new(&workshop, &suite, place)?;
        let done = earlier.iter().filter(|trial| trial.subject == library.name);
        let drill = Self {
            name: library.name,
            workshop,
            suite,
            baseline,
            output,
            done: done
                .map(|trial| (trial.id.clone(), trial.clone()))
                .collect(),
        };
        drill.print_baseline(begun)?;
        Ok(drill)
    }

    fn print_baseline(&self, begun: Instant) -> Result<()> {
        let baseline = &self.baseline;
        println!(
            "{} on JDK {}: {} tests in {} classes, {:.1} s; {} entities recorded as passed; set up in {:.0} s",
            self.name,
            self.workshop.jdk.feature,
            baseline.outcomes.len(),
            baseline.outcomes.classes().len(),
            baseline.duration.as_secs_f64(),
            baseline.n_passed,
            begun.elapsed().as_secs_f64()
        );
        for (test, _) in &baseline.unstable {
            println!("  unstable, left out: {test}");
        }
        for entity in &baseline.not_passed {
            println!("  always selected: {entity}");
        }
        for (name, mesh) in MESHES {
            let selection = Selection::ask(&baseline.project, *mesh)?;
            let (n_selected, n_entities) = (selection.selected.len(), selection.n_entities);
            println!("  unchanged, mesh {name}: {n_selected} of {n_entities} entities selected");
        }
        Ok(())
    }

    /// Makes the mutants; whether all promises were kept.
    pub(crate) fn run(&mut self, order: &Order) -> Result<bool> {
        if let Some(id) = &order.replay {
            return self.replay(id);
        }
        let code = &self.workshop.code;
        let mut plan = match order.only {
            Some(operator) => Plan::only(code, operator, order.n_mutants, order.seed),
            None => Plan::new(code, order.n_mutants, order.seed),
        };
        let mut trials = Vec::new();
        while let Some(mutant) = plan.next() {
            let trial = self.trial(&mutant)?;
            if matches!(trial.fate, Fate::Survived | Fate::Killed) {
                plan.count(&mutant);
            }
            if trial.is_bad() {
                println!("{}", trial.explained());
            }
            trials.push(trial);
        }
        let summary = Summary::new(self.name, &trials);
        println!("{summary}");
        self.write(&summary)?;
        Ok(is_kept(&summary, &plan, order))
    }

    /// Tries a mutant, unless an earlier drill did.
    fn trial(&mut self, mutant: &Mutant) -> Result<Trial> {
        if let Some(done) = self.done.remove(&mutant.id()) {
            return Ok(done);
        }
        let code = &self.workshop.code;
        let trial = Trial::unmade(self.name, mutant, code, Fate::DoesNotCompile);
        let trial = match self.workshop.make(&mutant.change)? {
            Made::DoesNotCompile => trial,
            Made::IsTheSame => Trial {
                fate: Fate::IsTheSame,
                ..trial
            },
            Made::Files(files) => trial
                .run(&files, &self.workshop, &self.suite, &self.baseline)
                .with_context(|| format!("cannot try {}", mutant.id()))?,
        };
        self.write(&trial)?;
        Ok(trial)
    }

    fn replay(&mut self, id: &str) -> Result<bool> {
        let mutant = Mutant::named(&self.workshop.code, id)?;
        let trial = self.trial(&mutant)?;
        println!("{}  {:?}", trial.explained(), trial.fate);
        for test in &trial.changed {
            println!("  {test}");
        }
        for (mesh, selection) in &trial.selections {
            println!(
                "  mesh {mesh} selects {:?}, broken: {:?}",
                selection.selected, selection.kinds
            );
        }
        Ok(!trial.is_bad())
    }

    fn write<T: serde::Serialize>(&mut self, line: &T) -> Result<()> {
        if let Some(output) = &mut self.output {
            let mut text = serde_json::to_string(line)?;
            text.push('\n');
            output
                .write_all(text.as_bytes())
                .context("cannot write the output")?;
        }
        Ok(())
    }
}

/// The mutants that an earlier drill has written.
pub(crate) fn earlier_trials(output: &Path) -> Result<Vec<Trial>> {
    let text =
        fs::read_to_string(output).with_context(|| format!("cannot read {}", output.display()))?;
    // A summary is no trial, and the last line may have broken off.
    let trials = text
        .lines()
        .filter_map(|line| serde_json::from_str(line).ok());
    Ok(trials.collect())
}

/// The library of this name.
pub(crate) fn subject(name: &str) -> Result<&'static Library> {
    let names: Vec<&str> = subjects().iter().map(|library| library.name).collect();
    let found = subjects().iter().find(|library| library.name == name);
    ensure!(found.is_some(), "no subject `{name}`; there are {names:?}");
    found.context("it was found")
}

/// Whether nothing was missed, and the drill could have found something.
fn is_kept(summary: &Summary, plan: &Plan, order: &Order) -> bool {
    let mut is_kept = summary.n_missed == 0 && summary.n_beyond_coarser == 0;
    for (operator, n_missing) in plan.missing() {
        println!("  {operator}: {n_missing} mutants fewer than asked for: no more places");
        let has_any = summary.operators.contains_key(operator.name());
        is_kept &= has_any;
    }
    let has_bodies = order.only.is_none_or(Operator::is_of_bodies);
    if has_bodies && summary.killed_share_of_bodies < LEAST_KILLED_SHARE {
        println!("  too few mutants of bodies change an outcome: the suite looks at too little");
        is_kept = false;
    }
    is_kept
}
