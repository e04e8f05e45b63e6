//! One evolving program in a project of its own, with all that is needed to understand what a tool did.

use std::path::Path;

use crate::batch::{self, BatchPlace, Dropped, FailedTool};
use crate::check::{Equipment, start_compiler, violations};
use crate::check_error::CheckError;
use crate::evolving::{EvolvingProgram, Plan, ProgramId, Side, SourceFile};
use crate::history::History;
use crate::process::Stop;
use crate::program::Surrounding;
use crate::revisions::Sources;
use crate::rule::Violation;

/// The package that a program has when it is alone.
const PACKAGE: &str = "p00000";

/// A program that was run again.
#[derive(Debug)]
pub struct Replay {
    pub program: ProgramId,
    /// Code and tests of both revisions. Tests are shown without what they expect.
    pub before: Vec<SourceFile>,
    pub after: Vec<SourceFile>,
    /// Nothing, if the program was dropped.
    pub history: Option<History>,
    pub dropped: Option<Dropped>,
    pub violations: Vec<Violation>,
    pub failures: Vec<FailedTool>,
}

impl Equipment {
    /// Runs one program of a plan through all steps, in this directory, which is left as it is then.
    pub fn replay(
        &self,
        plan: &Plan,
        id: &ProgramId,
        place: &Path,
        stop: &Stop,
    ) -> Result<Replay, CheckError> {
        let program = plan.program(id);
        let program = program.ok_or_else(|| CheckError::NoProgram(id.clone()))?;
        let workshop = self.workshop(place, stop)?;
        let mut compiler = start_compiler(&workshop)?;
        let mut run = batch::run_and_keep(
            &workshop,
            &mut compiler,
            std::slice::from_ref(&program),
            BatchPlace {
                directory: &place.join("replay"),
                number: 0,
            },
        )?;
        let violations = violations(&workshop, &run)?;
        let [before, after] = sources_of_both(&program);
        Ok(Replay {
            program: id.clone(),
            before,
            after,
            history: run.histories.pop(),
            dropped: run.dropped.pop(),
            violations,
            failures: run.failures,
        })
    }
}

/// Code and tests of both revisions, and what surrounds them, as files; tests without what they expect.
pub(crate) fn sources_of_both(program: &EvolvingProgram) -> [Vec<SourceFile>; 2] {
    [Side::Before, Side::After].map(|side| {
        let sources = Sources::new(program, PACKAGE, side, None);
        let surroundings = program.surroundings(side).iter();
        let surroundings = surroundings.filter_map(|one| surrounding(*one));
        let mut files = [sources.code, sources.tests].concat();
        files.extend(surroundings);
        files
    })
}

/// Something beside the code, as if it were a file; what comes in a library is among the code.
fn surrounding(one: Surrounding) -> Option<SourceFile> {
    let (path, text) = (one.name(PACKAGE), one.text(PACKAGE));
    match one {
        Surrounding::LibraryType { .. } => None,
        Surrounding::Property { .. } => Some(SourceFile {
            path: format!("-D{path}"),
            text: format!("-D{path}={text}\n"),
        }),
        Surrounding::Resource { .. } | Surrounding::Service { .. } | Surrounding::File { .. } => {
            Some(SourceFile { path, text })
        }
    }
}
