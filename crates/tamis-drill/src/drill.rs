//! The drill on one library: mutant after mutant, up to the figures.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::Path;
use std::time::Instant;

use anyhow::{Context, Result, ensure};
use tamis_build::Jdk;
use tamis_facts::Mesh;
use tamis_testkit::suite_library::{Library, QUICK, REFLECTIVE};
use tamis_wire::Granularity;

use crate::arrangement::Arrangement;
use crate::baseline::Baseline;
use crate::exact_methods::ExactMethods;
use crate::operators::Operator;
use crate::plan::{Mutant, Plan};
use crate::selection::{MESHES, Selection};
use crate::suite_run::{HASTE, Suite};
use crate::summary::{ReachSummary, Summary};
use crate::trial::{Arranged, Fate, Trial};
use crate::workshop::{Made, Workshop};

/// How a drill is made.
#[derive(Debug, Clone)]
pub(crate) struct Order {
    pub(crate) n_mutants: usize,
    pub(crate) seed: u64,
    pub(crate) arrangements: Vec<Arrangement>,
    /// Whether what is selected is measured against what the JVM's own events tell.
    pub(crate) is_exact: bool,
    /// The mesh by which the suite is recorded.
    pub(crate) mesh: Mesh,
    /// Whether single methods can be skipped.
    pub(crate) granularity: Granularity,
    /// Only these operators, if there are any.
    pub(crate) only: Vec<Operator>,
    pub(crate) replay: Option<String>,
}

/// A library that is set up.
pub(crate) struct Drill<'o> {
    name: &'static str,
    workshop: Workshop,
    arranged: Vec<Arranged>,
    exact: Option<ExactMethods>,
    output: Option<&'o mut File>,
    /// Mutants of an earlier drill that stopped, by arrangement and name.
    done: BTreeMap<(Arrangement, String), Trial>,
}

/// At least so much of the mutants of bodies must change an outcome, for the others to mean anything.
const LEAST_KILLED_SHARE: f64 = 0.4;

/// The libraries that are known.
pub(crate) fn subjects() -> impl Iterator<Item = &'static Library> {
    QUICK.iter().chain(REFLECTIVE)
}

impl<'o> Drill<'o> {
    /// Sets a library up in an empty directory, and runs its suite as it is, in each arrangement.
    pub(crate) fn new(
        library: &Library,
        jdk: &Jdk,
        place: &Path,
        order: &Order,
        output: Option<&'o mut File>,
        earlier: &[Trial],
    ) -> Result<Self> {
        let workshop = Workshop::new(library, jdk, place)?;
        let done = earlier.iter().filter(|trial| trial.subject == library.name);
        let done = done.map(|trial| ((trial.arrangement, trial.id.clone()), trial.clone()));
        let mut drill = Self {
            name: library.name,
            arranged: Vec::new(),
            exact: None,
            output,
            done: done.collect(),
            workshop,
        };
        for arrangement in &order.arrangements {
            drill.arrange(*arrangement, order, &place.join(arrangement.name()))?;
        }
        if order.is_exact {
            let arranged = drill.arranged.iter();
            let classes = arranged.flat_map(|arranged| arranged.baseline.outcomes.classes());
            drill.exact = Some(ExactMethods::load(
                &drill.workshop,
                &classes.collect(),
                place,
            )?);
        }
        Ok(drill)
    }

    fn arrange(&mut self, arrangement: Arrangement, order: &Order, place: &Path) -> Result<()> {
        let begun = Instant::now();
        fs::create_dir(place)?;
        let workshop = &self.workshop;
        let suite = Suite::new(workshop, arrangement, order.seed, place.join("runs"))?;
        let mut suite = suite.with_options(HASTE);
        let baseline = Baseline::new(workshop, &mut suite, (order.mesh, order.granularity), place)
            .with_context(|| format!("cannot set up {} {arrangement}", self.name))?;
        let arranged = Arranged { suite, baseline };
        self.print_baseline(&arranged, begun)?;
        self.arranged.push(arranged);
        Ok(())
    }

    fn print_baseline(&self, arranged: &Arranged, begun: Instant) -> Result<()> {
        let Arranged { suite, baseline } = arranged;
        println!(
            "{} {} on JDK {}: {} tests in {} classes, {:.1} s; {} entities recorded as passed; set up in {:.0} s",
            self.name,
            suite.arrangement,
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
        for (entity, why) in &baseline.not_passed {
            println!("  always selected: {entity}: {why}");
        }
        for (name, mesh) in MESHES {
            let selection = Selection::ask(baseline, *mesh)?;
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
        let mut plan = match &*order.only {
            [] => Plan::new(code, order.n_mutants, order.seed),
            operators => Plan::only(code, operators, order.n_mutants, order.seed),
        };
        let mut trials = Vec::new();
        while let Some(mutant) = plan.next() {
            let tried = self.trials(&mutant)?;
            if tried.iter().any(Trial::has_run) {
                plan.count(&mutant);
            }
            for trial in tried.iter().filter(|trial| trial.is_bad()) {
                println!("{}", trial.explained());
            }
            trials.extend(tried);
        }
        let mut are_kept = true;
        for arrangement in &order.arrangements {
            let own = trials
                .iter()
                .filter(|trial| trial.arrangement == *arrangement);
            let summary = Summary::new(self.name, *arrangement, &own.collect::<Vec<_>>());
            print!("{summary}");
            self.write(&summary)?;
            are_kept &= is_kept(&summary, &plan, order);
            println!();
        }
        Ok(are_kept)
    }

    /// Tries a mutant in each arrangement, unless an earlier drill did.
    fn trials(&mut self, mutant: &Mutant) -> Result<Vec<Trial>> {
        let id = mutant.id();
        let mut trials = Vec::new();
        let mut made = None;
        for index in 0..self.arranged.len() {
            let arrangement = self.arranged[index].suite.arrangement;
            if let Some(done) = self.done.remove(&(arrangement, id.clone())) {
                trials.push(done);
                continue;
            }
            let made = match &mut made {
                Some(made) => made,
                None => made.insert(self.workshop.make(&mutant.change)?),
            };
            let trial = self.trial(mutant, index, made)?;
            self.write(&trial)?;
            trials.push(trial);
        }
        Ok(trials)
    }

    fn trial(&self, mutant: &Mutant, index: usize, made: &Made) -> Result<Trial> {
        let arranged = &self.arranged[index];
        let arrangement = arranged.suite.arrangement;
        let unmade =
            |fate| Trial::unmade(self.name, arrangement, mutant, &self.workshop.code, fate);
        match made {
            Made::DoesNotCompile => Ok(unmade(Fate::DoesNotCompile)),
            Made::IsTheSame => Ok(unmade(Fate::IsTheSame)),
            Made::Files(files) => unmade(Fate::Survived)
                .run(files, &self.workshop, arranged, self.exact.as_ref())
                .with_context(|| format!("cannot try {} {arrangement}", mutant.id())),
        }
    }

    fn replay(&mut self, id: &str) -> Result<bool> {
        let mutant = Mutant::named(&self.workshop.code, id)?;
        let trials = self.trials(&mutant)?;
        for trial in &trials {
            println!("{}  {:?}", trial.explained(), trial.fate);
            for test in &trial.changed {
                println!("  {test}");
            }
            for (mesh, selection) in &trial.selections {
                println!("  mesh {mesh} selects {:#?}", selection.selected);
            }
        }
        Ok(!trials.iter().any(Trial::is_bad))
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

/// The mutants that an earlier drill has written, if there was one.
pub(crate) fn earlier_trials(output: &Path) -> Result<Vec<Trial>> {
    let text = match fs::read_to_string(output) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
        Err(error) => {
            return Err(error).with_context(|| format!("cannot read {}", output.display()));
        }
    };
    // A summary is no trial, and the last line may have broken off.
    let trials = text
        .lines()
        .filter_map(|line| serde_json::from_str(line).ok());
    Ok(trials.collect())
}

/// The library of this name.
pub(crate) fn subject(name: &str) -> Result<&'static Library> {
    let names: Vec<&str> = subjects().map(|library| library.name).collect();
    let found = subjects().find(|library| library.name == name);
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
    if summary.reach.as_ref().is_some_and(ReachSummary::is_too_far) {
        println!("  too much is selected beyond what entered a changed method");
        is_kept = false;
    }
    let is_any_of_bodies = order.only.iter().any(|operator| operator.is_of_bodies());
    let has_bodies = order.only.is_empty() || is_any_of_bodies;
    if has_bodies && summary.killed_share_of_bodies < LEAST_KILLED_SHARE {
        println!("  too few mutants of bodies change an outcome: the suite looks at too little");
        is_kept = false;
    }
    is_kept
}
