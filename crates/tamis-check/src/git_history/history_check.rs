//! A check of tools along a history: what it is given, and who is told.

use std::path::PathBuf;

use tamis_build::path_text;

use super::conditions::Conditions;
use super::course::Course;
use super::error::HistoryError;
use super::record::{Opening, RevisionRecord};
use super::repository::{Range, Repository};
use super::summary::HistoryResult;
use crate::process::Stop;

/// A history, and what goes through it.
#[derive(Debug, Clone)]
pub struct HistoryCheck {
    pub repository: PathBuf,
    pub range: Range,
    /// Paths, as git takes them; of the revisions after the first only those count that touch one. None: all count.
    pub touching: Vec<String>,
    pub conditions: Conditions,
}

/// Who is told as the check goes on.
pub trait Audience {
    /// Before the first revision.
    fn begun(&mut self, opening: &Opening) -> std::io::Result<()>;

    /// A revision is done with.
    fn done(&mut self, record: &RevisionRecord) -> std::io::Result<()>;
}

impl HistoryCheck {
    /// Goes through the history. If the user stops it, what was done is the result.
    pub fn run(
        &self,
        stop: &Stop,
        audience: &mut dyn Audience,
    ) -> Result<HistoryResult, HistoryError> {
        let repository = Repository::new(&self.repository);
        let revisions = repository.revisions(&self.range, &self.touching)?;
        if revisions.len() < 2 {
            return Err(HistoryError::TooShort(revisions.len()));
        }
        let opening = self.opening(revisions.len());
        audience.begun(&opening).map_err(HistoryError::Write)?;
        let mut course = Course::prepare(&self.conditions, &repository, stop)?;
        let mut records: Vec<RevisionRecord> = Vec::new();
        for revision in &revisions {
            for record in course.visit(revision)? {
                audience.done(&record).map_err(HistoryError::Write)?;
                records.push(record);
            }
            if stop.is_wanted() {
                break;
            }
        }
        if !stop.is_wanted() && records.iter().all(|record| record.skipped.is_some()) {
            let last = records.pop().and_then(|record| record.skipped);
            return Err(HistoryError::NothingBuilt(last.unwrap_or_default()));
        }
        Ok(HistoryResult::of(
            &records,
            &opening.tools,
            stop.is_wanted(),
        ))
    }

    fn opening(&self, n_revisions: usize) -> Opening {
        Opening {
            format: "tamis.check-history/1",
            repository: path_text(&self.repository),
            n_revisions,
            jdk: self.conditions.jdk.version.clone(),
            maven_options: self.conditions.maven_options.clone(),
            build: self.conditions.build.clone(),
            test: self.conditions.test.clone(),
            tools: self.conditions.tools(),
        }
    }
}
