//! A check of tools on the bugs of a database: what it is given, and how a bug is gone through.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::{Path, PathBuf};

use tamis_build::path_text;

use super::bug_name::BugName;
use super::bug_record::{BugRecord, DefectsOpening, NotReproduced, Obstacle, TriggerCount};
use super::database::{Bug, Database};
use super::database_error::DefectsError;
use super::defects_result::DefectsResult;
use super::trigger::{TriggerRecord, TriggerState};
use crate::git_history::{
    Conditions, Course, HistoryError, RETEST_ALL, Repository, Revision, check_out, commit_patch,
    temporary_place,
};
use crate::outcome::ClassOutcomes;
use crate::process::Stop;

/// Bugs of a database, and what goes through them.
#[derive(Debug, Clone)]
pub struct DefectsCheck {
    /// A directory in the layout of Defects4J.
    pub database: PathBuf,
    /// By project; others may be in the database's own place for them.
    pub repositories: BTreeMap<String, PathBuf>,
    /// All bugs of these.
    pub projects: Vec<String>,
    /// These bugs. No project and no bug named: all of the database that have a repository.
    pub bugs: Vec<BugName>,
    /// So many bugs of each project at most, the first ones.
    pub n_per_project: Option<usize>,
    pub conditions: Conditions,
}

/// Who is told as the check goes on.
pub trait DefectsAudience {
    /// Before the first bug.
    fn begun(&mut self, opening: &DefectsOpening) -> io::Result<()>;

    /// A bug is done with.
    fn done(&mut self, record: &BugRecord) -> io::Result<()>;
}

/// A bug with the repository that its revisions are in.
type Chosen = (Bug, PathBuf);

impl DefectsCheck {
    /// Goes through the bugs. If the user stops it, what was done is the result.
    pub fn run(
        &self,
        stop: &Stop,
        audience: &mut dyn DefectsAudience,
    ) -> Result<DefectsResult, DefectsError> {
        let chosen = self.choose()?;
        let opening = self.opening(chosen.len());
        audience.begun(&opening).map_err(HistoryError::Write)?;
        let mut records: Vec<BugRecord> = Vec::new();
        for (bug, repository) in &chosen {
            let record = self.visit(bug, repository, stop)?;
            if stop.is_wanted() {
                break;
            }
            audience.done(&record).map_err(HistoryError::Write)?;
            records.push(record);
        }
        let result = DefectsResult::of(&records, &opening.tools, stop.is_wanted());
        match records.last().and_then(|last| last.not_reproduced.as_ref()) {
            Some(last) if !stop.is_wanted() && records.iter().all(is_not_run) => {
                Err(DefectsError::NothingRun(last.because.clone()))
            }
            _ => Ok(result),
        }
    }

    fn opening(&self, n_bugs: usize) -> DefectsOpening {
        DefectsOpening {
            format: "tamis.check-defects/1",
            database: path_text(&self.database),
            n_bugs,
            jdk: self.conditions.jdk.version.clone(),
            maven_options: self.conditions.maven_options.clone(),
            build: self.conditions.build.clone(),
            test: self.conditions.test.clone(),
            tools: self.conditions.tools(),
        }
    }

    fn choose(&self) -> Result<Vec<Chosen>, DefectsError> {
        let database = Database::new(&self.database);
        let known = database.projects()?;
        let named = self.bugs.iter().map(|bug| &bug.project);
        let named: BTreeSet<&String> = named.chain(&self.projects).collect();
        let mut chosen = Vec::new();
        for project in &known {
            let Some(repository) = self.repository(&database, project) else {
                continue;
            };
            if named.is_empty() || named.contains(project) {
                let bugs = self.bugs_of(&database, project)?;
                chosen.extend(bugs.into_iter().map(|bug| (bug, repository.clone())));
            }
        }
        let has_any = |project: &str| chosen.iter().any(|(bug, _)| bug.name.project == project);
        if let Some(missing) = named.into_iter().find(|project| !has_any(project)) {
            return Err(self.missing(&known, missing));
        }
        if chosen.is_empty() {
            return Err(DefectsError::NothingChosen);
        }
        Ok(chosen)
    }

    /// Why there is nothing of a project that was named.
    fn missing(&self, known: &[String], project: &String) -> DefectsError {
        let mut bugs = self.bugs.iter();
        match bugs.find(|bug| bug.project == *project) {
            Some(bug) if !known.contains(project) => DefectsError::NoBug(bug.clone()),
            _ if known.contains(project) => DefectsError::NoRepository(project.clone()),
            _ => DefectsError::NoProject(project.clone()),
        }
    }

    fn repository(&self, database: &Database, project: &str) -> Option<PathBuf> {
        let named = self.repositories.get(project).cloned();
        named.or_else(|| database.repository(project))
    }

    fn bugs_of(&self, database: &Database, project: &String) -> Result<Vec<Bug>, DefectsError> {
        let mut bugs = database.bugs(project)?;
        let named: Vec<&BugName> = self
            .bugs
            .iter()
            .filter(|bug| bug.project == *project)
            .collect();
        let is_there = |name: &BugName| bugs.iter().any(|bug| bug.name == *name);
        if let Some(missing) = named.iter().find(|name| !is_there(name)) {
            return Err(DefectsError::NoBug((*missing).clone()));
        }
        if !named.is_empty() && !self.projects.contains(project) {
            bugs.retain(|bug| named.contains(&&bug.name));
        }
        bugs.truncate(self.n_per_project.unwrap_or(usize::MAX));
        Ok(bugs)
    }

    /// A bug, from its fixed revision to its buggy one. What comes of it counts only if the user did not stop.
    fn visit(&self, bug: &Bug, repository: &Path, stop: &Stop) -> Result<BugRecord, HistoryError> {
        let mut record = empty(bug);
        let place = temporary_place(self.conditions.scratch.as_deref())?;
        let checkout = place.path().join("bug");
        let revisions = match prepare(bug, repository, &checkout) {
            Ok(revisions) => revisions,
            Err(error @ HistoryError::Git { .. }) => {
                record.fails(Obstacle::NotPrepared, error.to_string());
                return Ok(record);
            }
            Err(error) => return Err(error),
        };
        let mut course = Course::prepare(&self.conditions, &Repository::new(&checkout), stop)?;
        let mut fixed = ClassOutcomes::new();
        for revision in &revisions {
            fixed = every_test(&course);
            record.steps.extend(course.visit(revision)?);
            let skipped = record.steps.last().and_then(|step| step.skipped.clone());
            if let Some(because) = skipped {
                let because = format!("{}: {because}", revision.subject);
                record.fails(Obstacle::NotBuilt, because);
                return Ok(record);
            }
        }
        record.judge(bug, &fixed, &course);
        Ok(record)
    }
}

/// The fixed revision, and a buggy one that is made of it in a checkout.
fn prepare(bug: &Bug, repository: &Path, checkout: &Path) -> Result<[Revision; 2], HistoryError> {
    Repository::new(repository).clone_to(checkout)?;
    check_out(checkout, &bug.fixed)?;
    let buggy = commit_patch(checkout, &bug.patch, "the buggy revision")?;
    Ok([
        Revision {
            id: bug.fixed.clone(),
            subject: "the fixed revision".to_owned(),
        },
        Revision {
            id: buggy,
            subject: "the buggy revision".to_owned(),
        },
    ])
}

fn every_test(course: &Course<'_>) -> ClassOutcomes {
    let outcomes = course
        .outcomes()
        .and_then(|outcomes| outcomes.get(RETEST_ALL));
    outcomes.cloned().unwrap_or_default()
}

fn empty(bug: &Bug) -> BugRecord {
    BugRecord {
        bug: bug.name.to_string(),
        project: bug.name.project.clone(),
        fixed: bug.fixed.clone(),
        not_reproduced: None,
        triggers: Vec::new(),
        tools: BTreeMap::new(),
        steps: Vec::new(),
    }
}

/// Whether not even the tests of both revisions ran.
fn is_not_run(record: &BugRecord) -> bool {
    let obstacle = record.not_reproduced.as_ref().map(|not| not.obstacle);
    matches!(obstacle, Some(Obstacle::NotPrepared | Obstacle::NotBuilt))
}

impl BugRecord {
    fn fails(&mut self, obstacle: Obstacle, because: String) {
        self.not_reproduced = Some(NotReproduced { obstacle, because });
    }

    /// What the trigger tests did, after both revisions.
    fn judge(&mut self, bug: &Bug, fixed: &ClassOutcomes, course: &Course<'_>) {
        let buggy = every_test(course);
        let mut revealing = Vec::new();
        for trigger in &bug.triggers {
            let state = trigger.state(fixed, &buggy, course.flaky_tests());
            if state == TriggerState::Reveals {
                revealing.push(trigger);
            }
            self.triggers.push(TriggerRecord {
                test: trigger.to_string(),
                state,
            });
        }
        if revealing.is_empty() {
            let states = self.triggers.iter();
            let states = states.map(|trigger| format!("`{}` {}", trigger.test, trigger.state));
            let because = states.collect::<Vec<_>>().join(", ");
            self.fails(Obstacle::NotRevealed, because);
            return;
        }
        for (tool, ran) in course.outcomes().into_iter().flatten() {
            if tool == RETEST_ALL {
                continue;
            }
            let missed = revealing
                .iter()
                .filter(|trigger| !trigger.is_selected(&buggy, ran));
            let missed: Vec<String> = missed.map(ToString::to_string).collect();
            let count = TriggerCount {
                n_triggers: revealing.len(),
                n_selected: revealing.len() - missed.len(),
                missed,
            };
            self.tools.insert(tool.clone(), count);
        }
    }
}
