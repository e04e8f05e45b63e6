//! What a build says of the tests that it is about to run, and what it may be told in return.

use std::path::PathBuf;

use tamis_facts::Checksum;

/// A goal that is about to run tests, with all that decides what they see, apart from the files themselves.
///
/// Paths are absolute. Settings and properties come as checksums alone: their values may be secret.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TestTask {
    /// The module, as `group:artifact`.
    pub module: String,
    /// The execution of the plug-in.
    pub execution: String,
    /// The plug-in's goal: `test` of Surefire, `integration-test` of Failsafe.
    pub goal: String,
    /// The launcher of the test JVMs.
    pub java: PathBuf,
    /// The directory of the module.
    pub base: PathBuf,
    /// What the build makes, of every module of the reactor.
    pub build_directories: Vec<PathBuf>,
    /// What compilers read, for production and for tests, of every module of the reactor.
    pub source_directories: Vec<PathBuf>,
    /// The module's own classes.
    pub classes: PathBuf,
    /// Where tests are looked for.
    pub test_classes: PathBuf,
    /// Whether tests are looked for in dependencies too (`dependenciesToScan`).
    pub scans_dependencies: bool,
    /// The class path of the tests, in order; then what is taken out of it again, as `exclude=…` and `exclude-scope=…`.
    /// Equal lists mean the same places.
    pub class_path: Vec<String>,
    /// Whether the user asked for some tests only, as `-Dtest` does.
    pub is_filtered: bool,
    /// Whether the build fails if this goal runs a JVM and no test in it.
    pub fails_without_tests: bool,
    /// The settings of the plug-in that can change what a test sees; `-Dtest` is none.
    pub configuration: Checksum,
    /// The system properties that it hands to tests, those apart that choose tests.
    pub properties: Vec<(String, Checksum)>,
}

/// What is to happen to a task.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TaskAnswer {
    /// Its JVMs start, with the agent.
    Run,
    /// No JVM starts: the plug-in is told to skip its tests.
    Skip,
}

/// Who decides about tasks, from several threads at a time.
pub trait TaskHost: Sync {
    /// A task is about to run. Maven waits a minute for the answer and then takes it for [`TaskAnswer::Run`].
    fn before(&self, task: TestTask) -> TaskAnswer;

    /// The goal of a task has ended. A task of which this is never told has not ended well: Maven was killed, or its
    /// words were lost.
    fn after(&self, module: &str, execution: &str, is_green: bool);

    /// Whether no test is to run, not even those that nobody can be asked about.
    fn only_asks(&self) -> bool {
        false
    }
}
