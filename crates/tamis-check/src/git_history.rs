//! `EvoEP`: consecutive revisions of a real git history, each run with every test and with each tool (SPEC 7.6).
//!
//! Each tool has a checkout of its own, with its data, and they take turns on one stage: a checkout is renamed to the
//! same path whenever it is run. So one build serves all of them, although builds and tools remember whole paths.

mod contestant;
mod course;
mod error;
mod explanation;
mod hyrts;
mod measured;
mod record;
mod repository;
mod rules;
mod stage;
mod summary;

pub use contestant::{Contestant, Peer};
pub use course::{Audience, HistoryCheck};
pub use error::HistoryError;
pub use explanation::{Extra, Pair};
pub use record::{Cost, Finding, HistoryStep, LeftOut, Opening, RevisionRecord, ToolRecord};
pub use repository::{ParseRangeError, Range};
pub use summary::{ExtraSummary, HistoryResult, ToolSummary};
