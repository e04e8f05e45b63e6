//! The world around a build: which JDKs there are, and where class files lie.
//!
//! This crate looks and reads, and puts the agent where JVMs load it; it never decides what to run. What it reads is untrusted: a damaged
//! file becomes an error that names it, and the others are still read.

mod agent_file;
mod jdk;
mod maven;

mod archive;
mod checksum;
mod class_path;
mod class_source;
mod directory;
mod module_files;
mod parallel;
mod path_state;
mod path_text;
mod read_error;
mod stamp;

pub use agent_file::{
    AgentFileError, AgentLibrary, CachePlaces, PlaceError, PlaceErrorKind, launchers_of,
};
pub use class_path::{
    Archives, ClassCandidate, ClassListing, ClassPath, FileMatch, FoundFile, JvmOptions, Launch,
    PackageFiles, RootPaths, Winner, WinningClass,
};
pub use class_source::{ClassEntry, ClassSource, ListedClass};
pub use jdk::{FoundJdks, Jdk, JdkError, JdkErrorKind, JdkPlaces};
pub use maven::{
    MavenAgent, MavenNote, MavenNoteKind, MavenProject, MavenRun, MavenRunError, MavenRunErrorKind,
    TaskAnswer, TaskHost, TaskServer, TestTask, find_maven, is_maven,
};
pub use module_files::{ContentChecksums, FileScope};
pub use parallel::map as map_in_parallel;
pub use path_state::{PathState, content_checksum, names_checksum};
pub use path_text::path_text;
pub use read_error::{MAX_CLASS_SIZE, ReadError, ReadErrorKind};
pub use stamp::Stamp;
