//! Maven: how the agent gets into the test JVMs of a build that knows nothing of Tamis.
//!
//! A core extension, a few Java classes, is given to Maven on its command line. Before Surefire or Failsafe
//! run tests, it puts the agent first into their `argLine`. `docs/design/maven.md` says why so.

mod command_line;
mod extension;
mod notes;
mod run;

pub use command_line::is_maven;
pub use notes::{MavenNote, MavenNoteKind};
pub use run::{MavenAgent, MavenRun, MavenRunError, MavenRunErrorKind};
