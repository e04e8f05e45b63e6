//! Puts the layers below together: a command runs with the agent in its JVMs, and what they ran comes
//! back as values. Nothing is printed here.

mod attribution;
mod audience;
mod class_files;
mod class_info;
mod class_shape;
mod conversation;
mod examined;
mod listener;
mod report;
mod today;
mod trace;
mod watched_command;

pub use attribution::Reliance;
pub use class_files::RanMethod;
pub use conversation::{Ending, EntityRun, ToldEntity, ToldFork, WatchedJvm};
pub use examined::ClassTrace;
pub use report::{
    BrokenFact, Comparison, Difference, EntityOutcome, EntityReport, Explanation, RealmReport,
    RunReport, Untracked,
};
pub use tamis_build::FileMatch;
pub use tamis_wire::{Discovered, EntityKind, Granularity, Outcome, TestEnd};
pub use today::{Circumstances, ClassParts, ClassStates, ClassSums, State, broken, files, value};
pub use trace::{EntityTrace, JvmTrace, ReliedClass, ReliedMethod, Trace, Watching, trace};
pub use watched_command::TraceError;
