//! Libraries whose own state does not count as something that tests leave for each other.
//!
//! Every test shares the static fields of its framework. If they counted, each would rely on all before it. What a
//! framework remembers of a test class (its methods, their annotations) is covered by facts about that class.
//!
//! So it is with logging: nearly every class asks for a logger when it is initialised, and all loggers hang together.
//! What a test changes there for later ones, levels and appenders, is not promised to be seen.

use tamis_facts::ClassName;

/// The packages of JUnit and Surefire; a class in one counts only where it comes from a library.
const PACKAGES: &[&str] = &[
    "junit/",
    "org/junit/",
    "org/opentest4j/",
    "org/apache/maven/surefire/",
    "org/apache/maven/plugin/surefire/",
];

/// Whether a class of a library belongs to a test framework or its launcher.
pub(super) fn is_harness(name: &ClassName) -> bool {
    let name = name.as_bytes();
    PACKAGES
        .iter()
        .any(|package| name.starts_with(package.as_bytes()))
}

/// The packages of logging libraries, the JDK's among them.
const LOGGING: &[&str] = &[
    "ch/qos/logback/",
    "java/util/logging/",
    "org/apache/commons/logging/",
    "org/apache/log4j/",
    "org/apache/logging/",
    "org/jboss/logging/",
    "org/slf4j/",
];

/// Whether a class of a library, if it is one, logs.
pub(super) fn is_logging(name: &ClassName) -> bool {
    let name = name.as_bytes();
    LOGGING
        .iter()
        .any(|package| name.starts_with(package.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frameworks_and_others() {
        for (name, expected) in [
            ("org/junit/runners/ParentRunner", true),
            ("junit/framework/TestCase", true),
            ("org/junitpioneer/Range", false),
            ("shop/Cart", false),
        ] {
            assert_eq!(is_harness(&ClassName::from(name)), expected, "{name}");
        }
        assert!(is_logging(&ClassName::from("org/slf4j/Logger")));
        assert!(!is_logging(&ClassName::from("shop/Logger")));
    }
}
