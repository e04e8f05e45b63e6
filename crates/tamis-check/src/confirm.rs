//! What batches found, one program per project: a violation that shows there is the tool's own doing, not that of the
//! company in which a program was.
//!
//! A kind of violation is a tool, a rule and an operator. Of each kind some programs are run alone, with no more tools than
//! the rule needs. What is known of a program is kept beside the batches, so that a check that was stopped goes on.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Instant;

use serde::Serialize;

use crate::batch::{self, BatchPlace};
use crate::check::{Check, Checked, Progress, start_compiler, violations};
use crate::check_error::CheckError;
use crate::compiler::Compiler;
use crate::evolving::ProgramId;
use crate::process::Stop;
use crate::resume::{OpenError, WorkPlace};
use crate::rule::{Violation, Weight, find_rule};
use crate::tool::ToolChoice;

/// What became of the violations of batches.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Confirmed {
    /// By rule, tool and operator.
    pub kinds: Vec<ConfirmedKind>,
    /// Programs that were run alone, each with the tools and rules that it was run for, and what showed of that.
    tried: BTreeMap<Found, bool>,
}

/// A kind of violation, in numbers of programs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ConfirmedKind {
    pub rule: String,
    pub weight: Weight,
    pub tool: String,
    pub operator: String,
    /// Found in batches.
    pub n_found: usize,
    /// Of these, run alone.
    pub n_tried: usize,
    /// Of these, still violating the rule.
    pub n_shown: usize,
}

/// That a tool violates a rule on a program.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Found {
    program: ProgramId,
    tool: String,
    rule: String,
}

impl Found {
    fn of(violation: &Violation) -> Self {
        Self {
            program: violation.program.clone(),
            tool: violation.tool.clone(),
            rule: violation.rule.clone(),
        }
    }
}

impl Confirmed {
    /// Whether a violation shows when its program is alone; nothing, if that was not tried.
    pub fn shows(&self, violation: &Violation) -> Option<bool> {
        self.tried.get(&Found::of(violation)).copied()
    }

    /// Whether a tool is wrong for sure.
    pub fn has_bugs(&self) -> bool {
        let mut kinds = self.kinds.iter();
        kinds.any(|kind| kind.weight == Weight::Bug && kind.n_shown > 0)
    }

    fn of(violations: &[Violation], tried: BTreeMap<Found, bool>) -> Self {
        let mut kinds: Vec<ConfirmedKind> = Vec::new();
        for (kind, found) in by_kind(violations) {
            let outcomes = found.iter().filter_map(|one| tried.get(one));
            let outcomes: Vec<bool> = outcomes.copied().collect();
            kinds.push(ConfirmedKind {
                rule: kind.rule.to_owned(),
                weight: kind.weight,
                tool: kind.tool.to_owned(),
                operator: kind.operator.to_owned(),
                n_found: found.len(),
                n_tried: outcomes.len(),
                n_shown: outcomes.iter().filter(|shows| **shows).count(),
            });
        }
        Self { kinds, tried }
    }
}

/// Bugs come first, `R10` after `R1`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Kind<'a> {
    weight: Weight,
    length: usize,
    rule: &'a str,
    tool: &'a str,
    operator: &'a str,
}

/// What was found of each kind, a program once, in the order of the programs.
fn by_kind(violations: &[Violation]) -> BTreeMap<Kind<'_>, Vec<Found>> {
    let mut kinds: BTreeMap<Kind<'_>, Vec<Found>> = BTreeMap::new();
    for violation in violations {
        let kind = Kind {
            weight: violation.weight,
            length: violation.rule.len(),
            rule: &violation.rule,
            tool: &violation.tool,
            operator: &violation.operator,
        };
        let (all, found) = (kinds.entry(kind).or_default(), Found::of(violation));
        if !all.contains(&found) {
            all.push(found);
        }
    }
    kinds
}

/// So many of each kind; programs that are run anyway come first.
fn chosen(violations: &[Violation], n_of_kind: usize) -> BTreeMap<ProgramId, Vec<Found>> {
    let mut chosen: BTreeMap<ProgramId, Vec<Found>> = BTreeMap::new();
    for mut found in by_kind(violations).into_values() {
        found.sort_by_key(|one| !chosen.contains_key(&one.program));
        for one in found.into_iter().take(n_of_kind) {
            chosen.entry(one.program.clone()).or_default().push(one);
        }
    }
    chosen
}

impl Check {
    /// Runs programs alone on which a tool violates a rule, so many of each kind.
    pub fn confirm(
        &self,
        checked: &Checked,
        n_of_kind: usize,
        stop: &Stop,
        progress: &(dyn Fn(Progress) + Sync),
    ) -> Result<Confirmed, CheckError> {
        let begun = Instant::now();
        let found = &checked.result.violations;
        let chosen = chosen(found, n_of_kind);
        let mut trial = Trial::open(self, &checked.work, stop)?;
        let mut tried: BTreeMap<Found, bool> = BTreeMap::new();
        let n_programs = chosen.len();
        for (n_done, (program, wanted)) in chosen.into_iter().enumerate() {
            progress(Progress {
                n_done,
                n_programs,
                n_violations: tried.values().filter(|shows| **shows).count(),
                elapsed: begun.elapsed(),
            });
            let shown = trial
                .alone(&program, &wanted)
                .map_err(|error| match error {
                    CheckError::Stopped { work, .. } => CheckError::Stopped {
                        n_done,
                        n_programs,
                        work,
                    },
                    error => error,
                })?;
            let shown: BTreeSet<Found> = shown.iter().map(Found::of).collect();
            tried.extend(wanted.into_iter().map(|one| {
                let shows = shown.contains(&one);
                (one, shows)
            }));
        }
        Ok(Confirmed::of(found, tried))
    }
}

/// Where programs are run alone.
struct Trial<'a> {
    check: &'a Check,
    stop: &'a Stop,
    place: &'a Path,
    compiler: Option<Compiler>,
    /// Nobody else works here meanwhile.
    _work: WorkPlace,
}

impl<'a> Trial<'a> {
    fn open(check: &'a Check, place: &'a Path, stop: &'a Stop) -> Result<Self, CheckError> {
        let work = WorkPlace::open(place, false).map_err(|error| match error {
            OpenError::Locked => CheckError::Locked(place.to_path_buf()),
            OpenError::Io(cause) => work_error(place, cause),
        })?;
        let kept = kept_in(place);
        if check.is_fresh && kept.exists() {
            fs::remove_dir_all(&kept).map_err(|cause| work_error(place, cause))?;
        }
        fs::create_dir_all(kept).map_err(|cause| work_error(place, cause))?;
        Ok(Self {
            check,
            stop,
            place,
            compiler: None,
            _work: work,
        })
    }

    /// All that violates a rule when the program is alone, with the tools that are wanted.
    fn alone(&mut self, id: &ProgramId, wanted: &[Found]) -> Result<Vec<Violation>, CheckError> {
        let tools = tools_for(&self.check.equipment.tools, wanted);
        let file = kept_in(self.place).join(file_name(id, &tools));
        if let Some(known) = fs::read(&file).ok().and_then(|text| parse(&text)) {
            return Ok(known);
        }
        let mut equipment = self.check.equipment.clone();
        equipment.tools = tools;
        let workshop = equipment.workshop(self.place, self.stop)?;
        let compiler = match &mut self.compiler {
            Some(compiler) => compiler,
            None => self.compiler.insert(start_compiler(&workshop)?),
        };
        let program = self.check.plan.program(id);
        let program = program.ok_or_else(|| CheckError::NoProgram(id.clone()))?;
        let place = BatchPlace {
            directory: &self.place.join("running/alone"),
            number: 0,
        };
        let run = batch::run(&workshop, compiler, std::slice::from_ref(&program), place)?;
        let violations = violations(&workshop, &run)?;
        save(&file, &violations).map_err(|cause| workshop.work_error(cause))?;
        Ok(violations)
    }
}

/// No more tools than the rules need: one that compares tools, or is not ours, needs all.
fn tools_for(all: &[ToolChoice], wanted: &[Found]) -> Vec<ToolChoice> {
    let compares = |rule: &str| ["R2", "R4"].contains(&rule) || find_rule(rule).is_none();
    let needs_all = wanted.iter().any(|one| compares(&one.rule));
    let is_needed = |tool: &&ToolChoice| {
        let mut wanted = wanted.iter();
        needs_all || wanted.any(|one| tool.has_variant(&one.tool))
    };
    let mut tools: Vec<ToolChoice> = all.iter().filter(is_needed).cloned().collect();
    for tool in &mut tools {
        tool.take_no_turns();
    }
    tools
}

fn kept_in(place: &Path) -> PathBuf {
    place.join("alone")
}

fn file_name(id: &ProgramId, tools: &[ToolChoice]) -> String {
    let key = blake3::hash(format!("{id} {tools:?}").as_bytes()).to_hex();
    format!("{}.json", &key[..32])
}

/// What cannot be read is not known.
fn parse(text: &[u8]) -> Option<Vec<Violation>> {
    serde_json::from_slice(text).ok()
}

/// As a whole or not at all.
fn save(file: &Path, violations: &[Violation]) -> io::Result<()> {
    let place = file.parent().unwrap_or(Path::new("."));
    let mut temporary = tempfile::NamedTempFile::new_in(place)?;
    serde_json::to_writer(&mut temporary, violations)?;
    temporary.persist(file).map_err(|error| error.error)?;
    Ok(())
}

fn work_error(place: &Path, cause: io::Error) -> CheckError {
    CheckError::Work {
        work: place.to_path_buf(),
        cause,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::git_history::Peer;

    /// `R1 ekstazi JD1-0-E7-0`
    fn violation(text: &str) -> Violation {
        let words: Vec<&str> = text.split(' ').collect();
        let program: ProgramId = words[2].parse().unwrap();
        Violation {
            rule: words[0].to_owned(),
            weight: find_rule(words[0]).map_or(Weight::Bug, |rule| rule.weight),
            tool: words[1].to_owned(),
            operator: program.operator.to_string(),
            program,
            step: None,
            tests: Vec::new(),
            text: String::new(),
        }
    }

    fn all(texts: &[&str]) -> Vec<Violation> {
        texts.iter().map(|text| violation(text)).collect()
    }

    #[test]
    fn so_many_of_each_kind_in_as_few_programs_as_there_are() {
        let found = all(&[
            "R5 starts JD1-0-E7-0",
            "R5 starts JD1-1-E7-0",
            "R1 starts JD1-1-E7-0",
            "R1 starts JD1-1-E7-0",
            "R1 starts JD1-2-E5-0",
        ]);
        let programs = |n_of_kind| -> Vec<String> {
            let chosen = chosen(&found, n_of_kind).into_iter();
            chosen
                .map(|(program, wanted)| format!("{program}: {}", wanted.len()))
                .collect()
        };
        assert_eq!(programs(1), ["JD1-1-E7-0: 2", "JD1-2-E5-0: 1"]);
        assert_eq!(programs(9).len(), 3);
        assert!(programs(0).is_empty());
    }

    #[test]
    fn what_shows_alone_is_counted_and_what_was_not_tried_is_neither() {
        let found = all(&[
            "R3 starts JD1-0-E7-0",
            "R1 starts JD1-0-E7-0",
            "R1 starts JD1-1-E7-0",
            "R1 starts JD1-2-E7-0",
        ]);
        let tried = [(0, true), (1, true), (2, false)];
        let tried = tried.map(|(at, shows)| (Found::of(&found[at]), shows));
        let confirmed = Confirmed::of(&found, BTreeMap::from(tried));
        let kinds = confirmed.kinds.iter();
        let kinds: Vec<_> = kinds
            .map(|kind| (kind.rule.as_str(), kind.n_found, kind.n_tried, kind.n_shown))
            .collect();
        assert_eq!(kinds, [("R1", 3, 2, 1), ("R3", 1, 1, 1)]);
        let shows: Vec<_> = found.iter().map(|one| confirmed.shows(one)).collect();
        assert_eq!(shows, [Some(true), Some(true), Some(false), None]);
        assert!(confirmed.has_bugs());
        let suspicion = Confirmed::of(&found[..1], confirmed.tried);
        assert!(!suspicion.has_bugs());
    }

    #[test]
    fn a_rule_that_compares_tools_needs_all() {
        let tools = [Peer::Starts, Peer::Ekstazi].map(ToolChoice::Peer);
        let names = |texts: &[&str]| -> Vec<String> {
            let wanted: Vec<Found> = all(texts).iter().map(Found::of).collect();
            let tools = tools_for(&tools, &wanted).into_iter();
            tools.map(|tool| tool.name().to_owned()).collect()
        };
        assert_eq!(names(&["R1 starts JD1-0-E7-0"]), ["starts"]);
        for rule in ["R2", "R4", "mine"] {
            assert_eq!(names(&[&format!("{rule} starts JD1-0-E7-0")]).len(), 2);
        }
    }
}
