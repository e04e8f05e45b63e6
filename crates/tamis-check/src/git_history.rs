//! `EvoEP`: consecutive revisions of a real git history, each run with every test and with each tool (SPEC 7.6).
//!
//! Each tool has a checkout of its own, with its data, and they take turns on one stage: a checkout is renamed to the
//! same path whenever it is run. So one build serves all of them, although builds and tools remember whole paths.

mod cause;
mod conditions;
mod contestant;
mod course;
mod declared;
mod error;
mod explanation;
mod ground;
mod history_check;
mod hyrts;
mod measured;
mod record;
mod reports;
mod repository;
mod rules;
mod stage;
mod summary;

pub use conditions::Conditions;
pub use contestant::{Contestant, Peer};
pub use error::HistoryError;
pub use explanation::{Explanations, Extra, Pair};
pub use ground::{Build, Ground};
pub use history_check::{Audience, HistoryCheck};
pub use hyrts::HyrtsCore;
pub use record::{Cost, Finding, HistoryStep, LeftOut, Opening, RevisionRecord, ToolRecord};
pub use repository::{ParseRangeError, Range};
pub use summary::{ExtraSummary, HistoryResult, ToolSummary};

// Bugs of a database are histories of two revisions.
pub(crate) use course::{Course, RETEST_ALL};
pub(crate) use repository::{Repository, Revision, check_out, commit_patch};
pub(crate) use stage::temporary_place;
pub(crate) use summary::summary;
