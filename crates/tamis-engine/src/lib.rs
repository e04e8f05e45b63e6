//! Puts the layers below together: a command runs with the agent in its JVMs, and what they ran comes
//! back as values. Nothing is printed here.

mod attribution;
mod audience;
mod circumstances;
mod class_files;
mod class_info;
mod class_shape;
mod collect;
mod common_part;
mod conversation;
mod declared;
mod examined;
mod held;
mod interruptions;
mod kept;
mod knowledge;
mod listener;
mod mingled;
mod report;
mod sabotage;
mod setters;
mod setting;
mod tags;
mod testing;
mod today;
mod trace;
mod watched_command;

pub use attribution::Reliance;
pub use class_files::RanMethod;
pub use conversation::{Ending, EntityRun, ToldEntity, ToldFork, WatchedJvm};
pub use examined::ClassTrace;
pub use knowledge::{Dependent, Knowledge, RealmStatus, StatusReport};
pub use report::{
    BrokenFact, Coarse, CoarseKind, Comparison, Difference, EntityOutcome, EntityReport,
    Explanation, RealmReport, RunReport, Untracked,
};
pub use setters::Setter;
pub use tamis_build::FileMatch;
pub use tamis_wire::{
    Access, Accessed, Discovered, EntityKind, Found, Granularity, Marking, Outcome, TestEnd,
};
pub use testing::{
    BuildCommand, Progress, Project, TestError, TestOptions, are_true, seconds_now, select, test,
};
pub use today::{
    AsFile, Circumstances, ClassParts, ClassStates, ClassSums, KeptClasses, Paths, Properties,
    State, Variables, World, broken, counting_as_file, files, value,
};
pub use trace::{
    EntityTrace, JvmTrace, ReliedAccess, ReliedClass, ReliedMethod, Trace, Watching, trace,
};
pub use watched_command::{TraceError, jdks_without_agent};
