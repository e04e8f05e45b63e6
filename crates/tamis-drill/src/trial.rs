//! One mutant: what it is, what became of it, and whether anything was missed.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::Result;
use serde::{Deserialize, Serialize};

use crate::arrangement::Arrangement;
use crate::baseline::Baseline;
use crate::code_base::{Change, CodeBase};
use crate::exact_methods::ExactMethods;
use crate::jvm::Limit;
use crate::look_up_reach::{LookUpReach, OPERATORS};
use crate::outcomes::ChangedTest;
use crate::plan::Mutant;
use crate::reach::Reach;
use crate::selection::{MESHES, Selection};
use crate::suite_run::{PlainRun, Suite};
use crate::workshop::{Files, Workshop};

/// A mutant that was tried in one arrangement; a line of the output.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Trial {
    pub(crate) subject: String,
    pub(crate) arrangement: Arrangement,
    pub(crate) id: String,
    pub(crate) operator: String,
    pub(crate) is_of_bodies: bool,
    pub(crate) file: PathBuf,
    pub(crate) line: usize,
    pub(crate) diff: String,
    pub(crate) fate: Fate,
    /// Tests that end otherwise, and how.
    pub(crate) changed: Vec<String>,
    /// Test classes in which the JVM hung or ended.
    pub(crate) stopped_in: Vec<String>,
    /// Test classes of which nothing is known: too many before them stopped the JVM.
    pub(crate) not_run: Vec<String>,
    /// What would run, by mesh.
    pub(crate) selections: BTreeMap<String, Selection>,
    pub(crate) missed: Vec<Miss>,
    /// Tests that would have been missed, and ended as ever when the suite ran again, or in the same way without the mutant.
    pub(crate) not_repeated: Vec<String>,
    /// What mesh `method` selects beside what entered a changed method; only of survivors that differ in bodies alone.
    pub(crate) reach: Option<Reach>,
    /// What mesh `dispatch` selects beside what made a call that finds something else; only of mutants that change look-ups.
    #[serde(default)]
    pub(crate) look_up_reach: Option<LookUpReach>,
    /// Entities that a finer mesh selects and the next coarser one does not, with both.
    pub(crate) beyond_coarser: Vec<String>,
    pub(crate) seconds: f64,
}

/// What became of a mutant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Fate {
    DoesNotCompile,
    /// The compiler makes the same classes of it.
    IsTheSame,
    /// All tests end as before.
    Survived,
    /// A test ends otherwise.
    Killed,
}

/// A test that ends otherwise, in an entity that would not run.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Miss {
    pub(crate) mesh: String,
    pub(crate) test: String,
    /// What was said of its entity.
    pub(crate) said: String,
}

/// The suite may take so many times longer than it does without a mutant.
const PATIENCE: u32 = 10;

/// A single test may take so many times longer than the whole suite.
const PATIENCE_WITH_TEST: u32 = 2;

/// Shorter limits say more of the machine than of a mutant.
const SHORTEST_LIMIT: Duration = Duration::from_secs(20);

/// So often the suite runs without the mutant before a test counts as missed.
const N_DOUBTS: usize = 20;

/// The suite in one arrangement, and how it ends without mutants.
pub(crate) struct Arranged {
    pub(crate) suite: Suite,
    pub(crate) baseline: Baseline,
}

impl Trial {
    /// A mutant that has no classes of its own.
    pub(crate) fn unmade(
        subject: &str,
        arrangement: Arrangement,
        mutant: &Mutant,
        code: &CodeBase,
        fate: Fate,
    ) -> Self {
        let (file, line, diff) = described(&mutant.change, code);
        Self {
            subject: subject.to_owned(),
            arrangement,
            id: mutant.id(),
            operator: mutant.operator.name().to_owned(),
            is_of_bodies: mutant.operator.is_of_bodies(),
            file,
            line,
            diff,
            fate,
            changed: Vec::new(),
            stopped_in: Vec::new(),
            not_run: Vec::new(),
            selections: BTreeMap::new(),
            missed: Vec::new(),
            not_repeated: Vec::new(),
            reach: None,
            look_up_reach: None,
            beyond_coarser: Vec::new(),
            seconds: 0.0,
        }
    }

    /// Puts the files of a mutant in place, asks what would run, runs everything, and puts the files back.
    pub(crate) fn run(
        mut self,
        files: &Files,
        workshop: &Workshop,
        arranged: &Arranged,
        exact: Option<&ExactMethods>,
    ) -> Result<Self> {
        let begun = Instant::now();
        let Arranged { suite, baseline } = arranged;
        let before = workshop.exchange(files)?;
        for (name, mesh) in MESHES {
            let selection = Selection::ask(baseline, *mesh)?;
            self.selections.insert((*name).to_owned(), selection);
        }
        let limit = |patience| (baseline.longest_jvm * patience).max(SHORTEST_LIMIT);
        let limit = Limit {
            whole: limit(PATIENCE),
            one_test: limit(PATIENCE_WITH_TEST),
        };
        let run = || suite.run(workshop, limit, Some(&baseline.outcomes));
        self.compare(&run()?, baseline);
        if !self.missed.is_empty() {
            self.keep_missed(&run()?, baseline, true);
        }
        workshop.exchange(&before)?;
        for _ in 0..N_DOUBTS {
            if !self.missed.is_empty() {
                self.keep_missed(&run()?, baseline, false);
            }
        }
        if let Some(exact) = exact.filter(|_| self.is_of_bodies && self.fate == Fate::Survived) {
            let changed = workshop.changed_methods(files)?;
            let is_left_out = |name: &str| baseline.not_passed.contains_key(name);
            let selection = &self.selections["method"];
            self.reach = Some(Reach::new(&changed, exact, selection, is_left_out));
        }
        if let Some(exact) = exact.filter(|_| OPERATORS.contains(&self.operator.as_str())) {
            let calls = workshop.changed_calls(files)?;
            let is_left_out = |name: &str| baseline.not_passed.contains_key(name);
            let selection = &self.selections["dispatch"];
            let reach = LookUpReach::new(&calls, exact, selection, is_left_out);
            self.look_up_reach = Some(reach);
        }
        self.seconds = begun.elapsed().as_secs_f64();
        Ok(self)
    }

    fn compare(&mut self, run: &PlainRun, baseline: &Baseline) {
        let changed = changed_tests(run, baseline);
        self.fate = if changed.is_empty() {
            Fate::Survived
        } else {
            Fate::Killed
        };
        for (mesh, _) in MESHES {
            let selection = &self.selections[*mesh];
            let missed = changed.iter().filter_map(|test| {
                let said = selection.skips(&test.name)?;
                if is_behind_another(test, &changed, run, selection) {
                    return None;
                }
                Some(Miss {
                    mesh: (*mesh).to_owned(),
                    test: test.text.clone(),
                    said: said.to_owned(),
                })
            });
            self.missed.extend(missed);
        }
        for pair in MESHES.windows(2) {
            let [coarser, finer] = [0, 1].map(|index| &self.selections[pair[index].0]);
            let meshes = format!("mesh {} and not by mesh {}", pair[1].0, pair[0].0);
            let beyond = finer
                .beyond(coarser)
                .map(|name| format!("{meshes}: {name}"));
            self.beyond_coarser.extend(beyond);
        }
        self.changed = changed.into_iter().map(|test| test.text).collect();
        self.stopped_in.clone_from(&run.stopped_in);
        self.not_run.clone_from(&run.not_run);
    }

    /// A test that ends otherwise once and not again has not been changed by the mutant, nor has one that ends so without it: only
    /// those stay missed that end so in another run, or that do not.
    fn keep_missed(&mut self, other: &PlainRun, baseline: &Baseline, ends_so: bool) {
        let changed = changed_tests(other, baseline).into_iter();
        let changed: BTreeSet<String> = changed.map(|test| test.text).collect();
        let missed = std::mem::take(&mut self.missed).into_iter();
        let (missed, others): (Vec<Miss>, Vec<Miss>) =
            missed.partition(|miss| changed.contains(&miss.test) == ends_so);
        self.missed = missed;
        self.not_repeated
            .extend(others.into_iter().map(|miss| miss.test));
    }

    /// Whether a promise is broken.
    pub(crate) fn is_bad(&self) -> bool {
        !self.missed.is_empty() || !self.beyond_coarser.is_empty()
    }

    /// Everything about it, for a person who looks for a cause.
    pub(crate) fn explained(&self) -> String {
        let mut text = format!(
            "{} {} {} {}:{}\n{}",
            self.subject,
            self.arrangement,
            self.id,
            self.file.display(),
            self.line,
            self.diff
        );
        for miss in &self.missed {
            let Miss { mesh, test, said } = miss;
            // Writing to a string cannot fail.
            let _ = writeln!(text, "  MISSED by mesh {mesh}: {test}; {said}");
        }
        for entity in &self.beyond_coarser {
            let _ = writeln!(text, "  selected by {entity}");
        }
        text
    }
}

/// The tests that end otherwise than without the mutant, as far as it is known.
fn changed_tests(run: &PlainRun, baseline: &Baseline) -> Vec<ChangedTest> {
    let mut differences = baseline.outcomes.differences(&run.outcomes);
    differences.retain(|test| !baseline.unstable.contains(test));
    let changed = differences
        .iter()
        .map(|test| baseline.outcomes.changed(test, &run.outcomes));
    changed
        .filter(|test| !run.not_run.contains(&test.name.class))
        .collect()
}

/// Whether a test did not end because another one of its class, which would run, may have stopped the JVM. Of those of one class that
/// did not end nobody knows which it was; that all of them would be skipped is a miss.
fn is_behind_another(
    test: &ChangedTest,
    changed: &[ChangedTest],
    run: &PlainRun,
    selection: &Selection,
) -> bool {
    let class = &test.name.class;
    let mut beside = changed.iter();
    test.is_gone
        && run.stopped_in.contains(class)
        && beside.any(|other| {
            other.is_gone && other.name.class == *class && selection.skips(&other.name).is_none()
        })
}

/// The file, the line and the difference of a change.
fn described(change: &Change, code: &CodeBase) -> (PathBuf, usize, String) {
    match change {
        Change::Resource { path, edit } => (path.clone(), 1, format!("  {edit:?}\n")),
        Change::Source { file, edits } => {
            let file = &code.files[*file];
            let (line, diff) = diff(&file.source.text, &file.edited(edits));
            (file.path.clone(), line, diff)
        }
    }
}

/// The first line that differs, and the lines that do, from there to the last.
fn diff(before: &str, after: &str) -> (usize, String) {
    let (before, after): (Vec<&str>, Vec<&str>) =
        (before.lines().collect(), after.lines().collect());
    let n_same = before
        .iter()
        .zip(&after)
        .take_while(|(a, b)| a == b)
        .count();
    let (before, after) = (&before[n_same..], &after[n_same..]);
    let ends = before.iter().rev().zip(after.iter().rev());
    let n_end = ends.take_while(|(a, b)| a == b).count();
    let mut text = String::new();
    for (sign, lines) in [("-", before), ("+", after)] {
        for line in &lines[..lines.len() - n_end] {
            let _ = writeln!(text, "  {sign} {}", line.trim());
        }
    }
    (n_same + 1, text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_that_differ() {
        assert_eq!(
            diff("a\nb\nc\n", "a\nx\nc\n"),
            (2, "  - b\n  + x\n".to_owned())
        );
        assert_eq!(diff("a\nb\n", "a\nb\nc\n"), (3, "  + c\n".to_owned()));
        assert_eq!(diff("a\na\n", "a\n"), (2, "  - a\n".to_owned()));
    }
}
