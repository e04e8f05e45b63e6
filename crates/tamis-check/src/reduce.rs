//! A violation on a program as small as possible: parts are taken out as long as the same tool violates the same rule.
//!
//! In each round many smaller programs share one project, as in a check: all but halves of the parts, quarters, and so on.
//! The smallest that still violates the rule is gone on with. What other tries have shown to be needless is taken out
//! together with it in the next round. In the end the smallest program is run alone, since nothing else may have had a
//! part in it.

mod part;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use crate::batch::{self, BatchPlace, BatchRun};
use crate::check::{Equipment, start_compiler, violations};
use crate::check_error::CheckError;
use crate::compiler::Compiler;
use crate::evolving::{EvolvingProgram, Plan, SourceFile};
use crate::history::History;
use crate::process::Stop;
use crate::replay::sources_of_both;
use crate::rule::{Violation, find_rule};
use crate::tool::ToolChoice;
use crate::workshop::Workshop;

use part::{Part, parts, without};

/// How long is tried.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReduceBounds {
    /// Rounds, at most.
    pub n_rounds: usize,
    /// Programs of a round, at most.
    pub n_programs: usize,
}

impl Default for ReduceBounds {
    fn default() -> Self {
        Self {
            n_rounds: 8,
            n_programs: 40,
        }
    }
}

/// A program that shows a violation with fewer parts.
#[derive(Debug)]
pub struct Reduced {
    /// Code and tests of both revisions, tests without what they expect.
    pub before: Vec<SourceFile>,
    pub after: Vec<SourceFile>,
    /// What was done with it, alone in its project.
    pub history: History,
    /// All that violates the rule there.
    pub violations: Vec<Violation>,
    /// Parts of the whole program, and those that are left.
    pub n_parts: usize,
    pub n_left: usize,
    /// Programs that were run on the way.
    pub n_tried: usize,
}

impl Equipment {
    /// Reduces the program of a violation, in this directory. Nothing, if the violation does not show when the program is
    /// alone.
    pub fn reduce(
        &self,
        plan: &Plan,
        violation: &Violation,
        bounds: ReduceBounds,
        place: &Path,
        stop: &Stop,
    ) -> Result<Option<Reduced>, CheckError> {
        let id = &violation.program;
        let whole = plan.program(id);
        let whole = whole.ok_or_else(|| CheckError::NoProgram(id.clone()))?;
        let equipment = self.for_violation(violation);
        let workshop = equipment.workshop(place, stop)?;
        let mut search = Search {
            compiler: start_compiler(&workshop)?,
            workshop: &workshop,
            violation,
            place: &place.join("reduce"),
            parts: parts(&whole),
            whole,
            n_tried: 0,
        };
        search.run(bounds)
    }

    /// With no more tools than the rule needs: one that compares tools needs all.
    fn for_violation(&self, violation: &Violation) -> Self {
        let mut equipment = self.clone();
        let compares = ["R2", "R4"].contains(&violation.rule.as_str());
        let is_ours = find_rule(&violation.rule).is_some();
        if is_ours {
            equipment.user_rules.clear();
        }
        if is_ours && !compares {
            let is_concerned = |tool: &ToolChoice| tool.has_variant(&violation.tool);
            equipment.tools.retain(is_concerned);
        }
        for tool in &mut equipment.tools {
            tool.take_no_turns();
        }
        equipment
    }
}

/// A reduction under way.
struct Search<'a> {
    workshop: &'a Workshop,
    compiler: Compiler,
    violation: &'a Violation,
    place: &'a Path,
    whole: EvolvingProgram,
    parts: Vec<Part>,
    n_tried: usize,
}

/// Which parts are taken out, by their places.
type Removed = BTreeSet<usize>;

impl Search<'_> {
    fn run(&mut self, bounds: ReduceBounds) -> Result<Option<Reduced>, CheckError> {
        let mut removed = Removed::new();
        let mut promising = Vec::new();
        for _ in 0..bounds.n_rounds {
            let candidates = self.candidates(&removed, &promising, bounds.n_programs);
            if candidates.is_empty() {
                break;
            }
            let mut shown = self.try_all(candidates)?;
            shown.sort_by_key(BTreeSet::len);
            let Some(best) = shown.pop() else {
                // What is left has been tried part by part.
                if self.parts.len() - removed.len() <= bounds.n_programs / 2 {
                    break;
                }
                promising.clear();
                continue;
            };
            removed = best;
            promising = shown;
        }
        let reduced = self.alone(&removed)?;
        match reduced {
            None if !removed.is_empty() => self.alone(&Removed::new()),
            reduced => Ok(reduced),
        }
    }

    /// What is tried next: what others have shown to be needless, then parts of what is left.
    fn candidates(&self, removed: &Removed, promising: &[Removed], most: usize) -> Vec<Removed> {
        let mut candidates = Vec::new();
        let mut add = |candidate: Removed| {
            let is_new = candidate.len() > removed.len() && !candidates.contains(&candidate);
            if is_new && candidates.len() < most {
                candidates.push(candidate);
            }
        };
        let mut together = removed.clone();
        for other in promising.iter().rev() {
            together.extend(other);
            add(together.clone());
        }
        for other in promising.iter().rev() {
            add(removed.union(other).copied().collect());
        }
        let left: Vec<usize> = (0..self.parts.len())
            .filter(|part| !removed.contains(part))
            .collect();
        let mut n_chunks = 1;
        while n_chunks < left.len() * 2 {
            for chunk in left.chunks(left.len().div_ceil(n_chunks)) {
                add(removed.iter().chain(chunk).copied().collect());
            }
            n_chunks *= 2;
        }
        candidates
    }

    /// Those of the candidates that still show the violation.
    fn try_all(&mut self, candidates: Vec<Removed>) -> Result<Vec<Removed>, CheckError> {
        let mut programs = Vec::new();
        let mut by_number = BTreeMap::new();
        for (number, removed) in (0..).zip(candidates) {
            if let Some(mut program) = self.program(&removed) {
                // A name for the time being, by which it is found again.
                program.id.place = number;
                programs.push(program);
                by_number.insert(number, removed);
            }
        }
        if programs.is_empty() {
            return Ok(Vec::new());
        }
        let (_, found) = self.run_programs(&programs)?;
        let numbers: BTreeSet<u32> = found.iter().map(|found| found.program.place).collect();
        by_number.retain(|number, _| numbers.contains(number));
        Ok(by_number.into_values().collect())
    }

    fn program(&self, removed: &Removed) -> Option<EvolvingProgram> {
        let parts: BTreeSet<&Part> = removed.iter().map(|part| &self.parts[*part]).collect();
        without(&self.whole, &parts)
    }

    /// Runs programs in one project, and looks whether the violation shows.
    fn run_programs(
        &mut self,
        programs: &[EvolvingProgram],
    ) -> Result<(BatchRun, Vec<Violation>), CheckError> {
        self.n_tried += programs.len();
        let place = BatchPlace {
            directory: self.place,
            number: 0,
        };
        let run = batch::run(self.workshop, &mut self.compiler, programs, place)?;
        let mut found = violations(self.workshop, &run)?;
        found.retain(|found| self.is_same(found));
        Ok((run, found))
    }

    /// Whether the same tool violates the same rule.
    fn is_same(&self, found: &Violation) -> bool {
        found.tool == self.violation.tool && found.rule == self.violation.rule
    }

    /// The program without these parts, alone, if it shows the violation.
    fn alone(&mut self, removed: &Removed) -> Result<Option<Reduced>, CheckError> {
        let Some(program) = self.program(removed) else {
            return Ok(None);
        };
        let (mut run, found) = self.run_programs(std::slice::from_ref(&program))?;
        let history = run.histories.pop().filter(|_| !found.is_empty());
        let [before, after] = sources_of_both(&program);
        Ok(history.map(|history| Reduced {
            before,
            after,
            history,
            violations: found,
            n_parts: self.parts.len(),
            n_left: self.parts.len() - removed.len(),
            n_tried: self.n_tried,
        }))
    }
}
