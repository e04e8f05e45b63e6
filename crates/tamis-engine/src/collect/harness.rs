//! Libraries whose own state does not count as something that tests leave for each other.
//!
//! Every test shares the static fields of its framework. If they counted, each would rely on all before it. What a
//! framework remembers of a test class (its methods, their annotations) is covered by facts about that class.
//!
//! So it is with logging: nearly every class asks for a logger when it is initialised, and all loggers hang together.
//! What a test changes there for later ones, levels and appenders, is not promised to be seen.
//!
//! What these libraries themselves ask for counts for all later tests (`Asker` of `tamis-wire`).

use tamis_facts::ClassName;

/// Whether a class of a library belongs to a test framework or its launcher.
pub(super) fn is_harness(name: &ClassName) -> bool {
    tamis_wire::is_harness(name.as_bytes())
}

/// Whether a class of a library, if it is one, logs.
pub(super) fn is_logging(name: &ClassName) -> bool {
    tamis_wire::is_logging(name.as_bytes())
}
