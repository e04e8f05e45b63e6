//! Tells how far a check of a project is, and writes a line of JSON as each part of it is done.

use std::io;
use std::path::Path;

use serde::Serialize;

use super::json_lines::JsonLines;
use crate::cli_error::{CliError, Outcome};
use crate::exit_code;
use crate::printer::{self, Waiting};

pub(super) struct Teller {
    lines: JsonLines,
    waiting: Waiting,
    /// What the parts are called.
    parts: &'static str,
    n_parts: usize,
    n_done: usize,
}

impl Teller {
    pub(super) fn new(output: Option<&Path>, parts: &'static str) -> Result<Self, CliError> {
        Ok(Self {
            lines: JsonLines::create(output)?,
            waiting: printer::wait("preparing checkouts"),
            parts,
            n_parts: 0,
            n_done: 0,
        })
    }

    /// The first line.
    pub(super) fn open(&mut self, n_parts: usize, opening: &impl Serialize) -> io::Result<()> {
        self.n_parts = n_parts;
        self.lines.write(opening)
    }

    /// A line of its own; whether a part is done with it.
    pub(super) fn add(&mut self, is_part: bool, record: &impl Serialize) -> io::Result<()> {
        self.n_done += usize::from(is_part);
        let Self {
            parts,
            n_parts,
            n_done,
            ..
        } = self;
        self.waiting
            .tell(format!("checked {n_done} of {n_parts} {parts}"));
        self.lines.write(record)
    }

    /// The last line.
    pub(super) fn finish(self, report: &impl Serialize) -> Result<(), CliError> {
        self.lines.finish(report)
    }
}

/// How a check ends that may have been stopped: what it has found by then is no verdict.
pub(super) fn outcome(has_bugs: bool, is_stopped: bool) -> Outcome {
    Outcome {
        is_different: has_bugs && !is_stopped,
        passed_through: is_stopped.then_some(exit_code::STOPPED),
        ..Outcome::default()
    }
}
