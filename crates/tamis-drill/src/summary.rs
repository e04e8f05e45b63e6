//! What all mutants of a library came to, as figures.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use serde::Serialize;

use crate::arrangement::Arrangement;
use crate::look_up_reach::LookUpReach;
use crate::reach::Reach;
use crate::selection::MESHES;
use crate::trial::{Fate, Trial};

#[derive(Debug, Serialize)]
pub(crate) struct Summary {
    pub(crate) subject: String,
    pub(crate) arrangement: Arrangement,
    pub(crate) n_tried: usize,
    pub(crate) n_not_compiled: usize,
    pub(crate) n_same: usize,
    pub(crate) n_survived: usize,
    pub(crate) n_killed: usize,
    /// Of the mutants that differ in bodies alone, those that change an outcome.
    pub(crate) killed_share_of_bodies: f64,
    /// How many mutants of each operator ran, and how many of those were killed.
    pub(crate) operators: BTreeMap<String, (usize, usize)>,
    pub(crate) meshes: BTreeMap<String, MeshSummary>,
    pub(crate) n_missed: usize,
    pub(crate) n_not_repeated: usize,
    /// Only where it was measured.
    pub(crate) reach: Option<ReachSummary>,
    /// What mesh `dispatch` selects of mutants that change look-ups, by operator; only where it was measured.
    pub(crate) look_ups: BTreeMap<String, LookUpSummary>,
    pub(crate) n_beyond_coarser: usize,
    pub(crate) n_stopped: usize,
    pub(crate) n_not_run: usize,
    pub(crate) seconds: f64,
}

#[derive(Debug, Serialize)]
pub(crate) struct MeshSummary {
    /// The mean share of entities that would run.
    pub(crate) selected_of_all: f64,
    pub(crate) selected_of_survivors: f64,
    pub(crate) selected_of_bodies: f64,
    /// Broken facts of selected entities, by kind.
    pub(crate) kinds: BTreeMap<String, usize>,
    pub(crate) n_missed: usize,
}

/// What mesh `method` selects of survivors that differ in bodies alone.
#[derive(Debug, Serialize)]
pub(crate) struct ReachSummary {
    pub(crate) n_mutants: usize,
    /// Entities that enter a changed method, and those that are selected, over all these mutants.
    pub(crate) n_entered: usize,
    pub(crate) n_selected: usize,
    /// Entities that are selected and enter none, by mutant and by what is not so any more.
    pub(crate) extra: Vec<Extra>,
}

/// What mesh `dispatch` selects of mutants that change look-ups.
#[derive(Debug, Default, Serialize)]
pub(crate) struct LookUpSummary {
    pub(crate) n_mutants: usize,
    pub(crate) reach: LookUpReach,
}

/// Entities that a mutant selects although they do not enter what it changes.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub(crate) struct Extra {
    pub(crate) mutant: String,
    pub(crate) facts: BTreeSet<String>,
    pub(crate) entities: BTreeSet<String>,
}

/// Mesh `method` may select so many times the entities that enter a changed method.
pub(crate) const MAX_REACH: f64 = 2.0;

impl Summary {
    pub(crate) fn new(subject: &str, arrangement: Arrangement, trials: &[&Trial]) -> Self {
        let n_of = |fate: Fate| trials.iter().filter(|trial| trial.fate == fate).count();
        let ran = trials.iter().copied().filter(|trial| trial.has_run());
        let ran: Vec<&Trial> = ran.collect();
        let bodies: Vec<&&Trial> = ran.iter().filter(|trial| trial.is_of_bodies).collect();
        let n_killed_bodies = bodies
            .iter()
            .filter(|trial| trial.fate == Fate::Killed)
            .count();
        let mut operators: BTreeMap<String, (usize, usize)> = BTreeMap::new();
        for trial in &ran {
            let (n_ran, n_killed) = operators.entry(trial.operator.clone()).or_default();
            *n_ran += 1;
            *n_killed += usize::from(trial.fate == Fate::Killed);
        }
        let meshes = MESHES.iter().map(|(mesh, _)| {
            let summary = MeshSummary::new(mesh, &ran);
            ((*mesh).to_owned(), summary)
        });
        Self {
            subject: subject.to_owned(),
            arrangement,
            n_tried: trials.len(),
            n_not_compiled: n_of(Fate::DoesNotCompile),
            n_same: n_of(Fate::IsTheSame),
            n_survived: n_of(Fate::Survived),
            n_killed: n_of(Fate::Killed),
            killed_share_of_bodies: ratio(n_killed_bodies, bodies.len()),
            operators,
            meshes: meshes.collect(),
            n_missed: ran.iter().map(|trial| trial.missed.len()).sum(),
            n_not_repeated: ran.iter().map(|trial| trial.not_repeated.len()).sum(),
            reach: ReachSummary::new(&ran),
            look_ups: LookUpSummary::by_operator(&ran),
            n_beyond_coarser: ran.iter().map(|trial| trial.beyond_coarser.len()).sum(),
            n_stopped: ran
                .iter()
                .filter(|trial| !trial.stopped_in.is_empty())
                .count(),
            n_not_run: ran.iter().filter(|trial| !trial.not_run.is_empty()).count(),
            seconds: trials.iter().map(|trial| trial.seconds).sum(),
        }
    }
}

impl ReachSummary {
    /// Nothing if it was not measured for any of them.
    fn new(ran: &[&Trial]) -> Option<Self> {
        let measured: Vec<(&Trial, &Reach)> = ran
            .iter()
            .filter_map(|trial| Some((*trial, trial.reach.as_ref()?)))
            .collect();
        let extra = measured.iter().flat_map(|(trial, reach)| {
            let mut extra: BTreeMap<&BTreeSet<String>, BTreeSet<String>> = BTreeMap::new();
            for (entity, facts) in &reach.extra {
                extra.entry(facts).or_default().insert(entity.clone());
            }
            extra.into_iter().map(|(facts, entities)| Extra {
                mutant: trial.id.clone(),
                facts: facts.clone(),
                entities,
            })
        });
        (!measured.is_empty()).then(|| Self {
            n_mutants: measured.len(),
            n_entered: measured.iter().map(|(_, reach)| reach.n_entered).sum(),
            n_selected: measured.iter().map(|(_, reach)| reach.n_selected).sum(),
            extra: extra.collect(),
        })
    }

    /// Whether more is selected than may be.
    pub(crate) fn is_too_far(&self) -> bool {
        self.ratio() > MAX_REACH
    }

    fn ratio(&self) -> f64 {
        ratio(self.n_selected, self.n_entered)
    }
}

impl LookUpSummary {
    fn by_operator(ran: &[&Trial]) -> BTreeMap<String, Self> {
        let mut all: BTreeMap<String, Self> = BTreeMap::new();
        for trial in ran {
            if let Some(reach) = &trial.look_up_reach {
                let summary = all.entry(trial.operator.clone()).or_default();
                summary.add(1, reach);
            }
        }
        all
    }

    fn all<'s>(rows: impl Iterator<Item = &'s Self>) -> Self {
        let mut all = Self::default();
        for row in rows {
            all.add(row.n_mutants, &row.reach);
        }
        all
    }

    fn add(&mut self, n_mutants: usize, reach: &LookUpReach) {
        self.n_mutants += n_mutants;
        self.reach.n_concerned += reach.n_concerned;
        self.reach.n_selected += reach.n_selected;
        self.reach.n_left_out += reach.n_left_out;
    }
}

impl fmt::Display for LookUpSummary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let LookUpReach {
            n_concerned,
            n_selected,
            n_left_out,
        } = self.reach;
        write!(
            f,
            "{} mutants: {n_concerned} entities call what is found elsewhere or enter a changed method, mesh dispatch selects {n_selected}",
            self.n_mutants
        )?;
        if n_concerned > 0 {
            let times = ratio(n_selected, n_concerned);
            write!(f, ", {times:.2} times as many")?;
        }
        write!(f, "; not selected of the first: {n_left_out}")
    }
}

impl Trial {
    pub(crate) fn has_run(&self) -> bool {
        matches!(self.fate, Fate::Survived | Fate::Killed)
    }
}

impl MeshSummary {
    fn new(mesh: &str, ran: &[&Trial]) -> Self {
        let share = |is_counted: &dyn Fn(&Trial) -> bool| {
            let counted = ran.iter().filter(|trial| is_counted(trial));
            let shares: Vec<f64> = counted.map(|trial| trial.selections[mesh].share).collect();
            mean(&shares)
        };
        let mut kinds: BTreeMap<String, usize> = BTreeMap::new();
        for trial in ran {
            for (kind, n) in &trial.selections[mesh].kinds {
                *kinds.entry(kind.clone()).or_default() += n;
            }
        }
        let missed = ran.iter().flat_map(|trial| &trial.missed);
        Self {
            selected_of_all: share(&|_| true),
            selected_of_survivors: share(&|trial| trial.fate == Fate::Survived),
            selected_of_bodies: share(&|trial| trial.is_of_bodies),
            kinds,
            n_missed: missed.filter(|miss| miss.mesh == mesh).count(),
        }
    }
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let n_ran = self.n_survived + self.n_killed;
        writeln!(
            f,
            "{} {}: {} tried: {} did not compile, {} gave the same classes; {n_ran} ran: {} survived, {} killed; {:.0} s",
            self.subject,
            self.arrangement,
            self.n_tried,
            self.n_not_compiled,
            self.n_same,
            self.n_survived,
            self.n_killed,
            self.seconds
        )?;
        let operators: Vec<String> = self
            .operators
            .iter()
            .map(|(name, (n_ran, n_killed))| format!("{name} {n_killed}/{n_ran}"))
            .collect();
        writeln!(f, "  killed by operator: {}", operators.join(", "))?;
        writeln!(
            f,
            "  body mutants that change an outcome: {:.0} %; stopped the JVM: {}; not compared in full: {}",
            100.0 * self.killed_share_of_bodies,
            self.n_stopped,
            self.n_not_run
        )?;
        for (mesh, summary) in &self.meshes {
            writeln!(f, "  mesh {mesh:<8} {summary}")?;
        }
        if let Some(reach) = &self.reach {
            write!(f, "{reach}")?;
        }
        if !self.look_ups.is_empty() {
            writeln!(f, "  mutants that change look-ups:")?;
            let all = LookUpSummary::all(self.look_ups.values());
            let rows = self.look_ups.iter().map(|(name, row)| (name.as_str(), row));
            for (name, row) in rows.chain([("all", &all)]) {
                writeln!(f, "    {name:<12} {row}")?;
            }
        }
        if self.n_not_repeated > 0 {
            let n = self.n_not_repeated;
            writeln!(f, "  outcomes that changed once and not again: {n}")?;
        }
        writeln!(
            f,
            "  missed: {}; selected by a finer mesh and not by a coarser one: {}",
            self.n_missed, self.n_beyond_coarser
        )
    }
}

impl fmt::Display for ReachSummary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "  {} survivors that differ in bodies: {} entities enter a changed method, mesh method selects {}: {:.2} times as many (at most {MAX_REACH:.1})",
            self.n_mutants,
            self.n_entered,
            self.n_selected,
            self.ratio()
        )?;
        for extra in &self.extra {
            let [facts, entities] = [&extra.facts, &extra.entities]
                .map(|names| names.iter().map(String::as_str).collect::<Vec<_>>());
            writeln!(
                f,
                "    extra by {}: {}, because of {}",
                extra.mutant,
                entities.join(", "),
                facts.join(", ")
            )?;
        }
        Ok(())
    }
}

impl fmt::Display for MeshSummary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kinds: Vec<String> = self
            .kinds
            .iter()
            .map(|(kind, n)| format!("{kind} {n}"))
            .collect();
        write!(
            f,
            "selects {:.1} % (survivors {:.1} %, body mutants {:.1} %); missed {}; broken: {}",
            100.0 * self.selected_of_all,
            100.0 * self.selected_of_survivors,
            100.0 * self.selected_of_bodies,
            self.n_missed,
            kinds.join(", ")
        )
    }
}

fn mean(values: &[f64]) -> f64 {
    #[expect(clippy::cast_precision_loss, reason = "a drill has few mutants")]
    let n = values.len().max(1) as f64;
    // The sum of nothing is a negative zero, which shows.
    values.iter().fold(0.0, |sum, value| sum + value) / n
}

fn ratio(n: usize, of: usize) -> f64 {
    #[expect(clippy::cast_precision_loss, reason = "a drill has few mutants")]
    let ratio = n as f64 / of.max(1) as f64;
    ratio
}
