//! `DefectsEP`: bugs of a database in the layout of Defects4J, each as two revisions, fixed and buggy (SPEC 7.5).
//!
//! A bug is a history of two revisions: the fixed one, and a commit of our own that the database's patch makes of it. So
//! all that goes along histories goes along bugs too; what is added are the tests that reveal the bug.

mod bug_name;
mod bug_record;
mod database;
mod database_error;
mod defects_check;
mod defects_result;
mod trigger;

pub use bug_name::{BugName, ParseBugNameError};
pub use bug_record::{BugRecord, DefectsOpening, NotReproduced, Obstacle, TriggerCount};
pub use database_error::{DatabaseError, DatabaseErrorKind, DefectsError};
pub use defects_check::{DefectsAudience, DefectsCheck};
pub use defects_result::{DefectsResult, DefectsTool, ProjectResult};
pub use trigger::{Trigger, TriggerRecord, TriggerState};
