//! Who hears of JVMs while a command runs, and decides what they skip.

use tamis_wire::{Discovered, EntityEnd, Hello};

use crate::class_files::ClassFiles;
use crate::conversation::WatchedJvm;

/// It is called by several threads, one for each JVM. JVMs go by their numbers in the run.
pub(crate) trait Audience: Sync {
    /// A JVM has said hello and waits for the answer: nothing on its class path goes away yet.
    fn greet(&self, _jvm: u32, _hello: &Hello, _files: &ClassFiles) {}

    /// Whether a JVM is to skip an entity.
    fn is_skipped(&self, jvm: u32, discovered: &Discovered) -> bool;

    /// An entity has ended.
    fn note_end(&self, _jvm: u32, _discovered: &Discovered, _end: &EntityEnd) {}

    /// A JVM has nothing more to say.
    fn part(&self, jvm: WatchedJvm, files: ClassFiles);
}
