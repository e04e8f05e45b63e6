//! Maven: how the agent gets into the test JVMs of a build that knows nothing of Tamis.
//!
//! A core extension, a few Java classes, is given to Maven on its command line. Before Surefire or Failsafe
//! run tests, it puts the agent first into their `argLine`; before that it may ask the process that started Maven
//! whether to run them at all. `docs/design/maven.md` says why so.

mod project;

mod command_line;
mod extension;
mod notes;
mod run;

mod task;
mod task_message;
mod task_server;

pub use command_line::is_maven;
pub use notes::{MavenNote, MavenNoteKind};
pub use project::{MavenProject, find_maven};
pub use run::{MavenAgent, MavenRun, MavenRunError, MavenRunErrorKind};
pub use task::{TaskAnswer, TaskHost, TestTask};
pub use task_server::TaskServer;
