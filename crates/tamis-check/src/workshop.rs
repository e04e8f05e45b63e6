//! What all batches of a check share.

use std::io;
use std::path::PathBuf;
use std::time::Duration;

use crate::check_error::CheckError;
use crate::java_side::JavaSide;
use crate::process::Stop;
use crate::rule::UserRule;
use crate::tool::Tool;

pub(crate) struct Workshop {
    pub(crate) java: JavaSide,
    pub(crate) tools: Vec<Box<dyn Tool>>,
    pub(crate) user_rules: Vec<UserRule>,
    /// The work directory.
    pub(crate) place: PathBuf,
    /// How long a run may take.
    pub(crate) limit: Duration,
    pub(crate) stop: Stop,
}

impl Workshop {
    pub(crate) fn work_error(&self, cause: io::Error) -> CheckError {
        CheckError::Work {
            work: self.place.clone(),
            cause,
        }
    }

    /// The numbers are filled in by who knows them.
    pub(crate) fn stopped(&self) -> CheckError {
        CheckError::Stopped {
            n_done: 0,
            n_programs: 0,
            work: self.place.clone(),
        }
    }
}
