//! What is selected: a test class or a test method, wherever and whenever it runs.

use std::fmt;

use crate::name::ModifiedUtf8;

/// A test entity. The same class run by two executions of a plug-in, with other properties perhaps, is
/// two entities.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct EntityId {
    /// Where and how it runs.
    pub realm: Realm,
    /// Whose test it is: `junit4`, or the id of an engine of the JUnit Platform.
    pub framework: ModifiedUtf8,
    /// As the framework calls it: `a.BTest`, `a.BTest#adds()`.
    pub test: ModifiedUtf8,
}

/// Where entities run: all of one realm have the same class path and configuration.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Realm {
    /// The module of the build: `group:artifact`, or empty for a plain command.
    pub module: String,
    /// The execution of the plug-in that runs tests: `default-test`, or empty.
    pub execution: String,
}

impl fmt::Display for EntityId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.test.fmt(f)
    }
}

impl fmt::Display for Realm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.module.as_str(), self.execution.as_str()) {
            (module, "") => f.write_str(module),
            (module, execution) => write!(f, "{module} ({execution})"),
        }
    }
}
