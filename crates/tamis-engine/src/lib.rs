//! Puts the layers below together: a command runs with the agent in its JVMs, and what they ran comes
//! back as values. Nothing is printed here.

mod class_files;
mod conversation;
mod listener;
mod trace;

pub use class_files::RanMethod;
pub use conversation::{Ending, EntityRun, ToldEntity, ToldFork, WatchedJvm};
pub use tamis_build::FileMatch;
pub use trace::{ClassTrace, JvmTrace, Trace, TraceError, Watching, trace};
