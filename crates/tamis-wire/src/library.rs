//! Libraries whose own state does not count as something that tests leave for each other. Both sides must agree on them:
//! the process leaves out what is in their static fields, so the agent must tell what they may have kept there.

/// The packages of JUnit and Surefire.
const HARNESS: &[&str] = &[
    "junit/",
    "org/junit/",
    "org/opentest4j/",
    "org/apache/maven/surefire/",
    "org/apache/maven/plugin/surefire/",
];

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

/// Whether a class, written with slashes, is called like one of a test framework or its launcher.
#[must_use]
pub fn is_harness(class: &[u8]) -> bool {
    is_in(HARNESS, class)
}

/// Whether a class, written with slashes, is called like one that logs.
#[must_use]
pub fn is_logging(class: &[u8]) -> bool {
    is_in(LOGGING, class)
}

fn is_in(packages: &[&str], class: &[u8]) -> bool {
    packages
        .iter()
        .any(|package| class.starts_with(package.as_bytes()))
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
            assert_eq!(is_harness(name.as_bytes()), expected, "{name}");
        }
        assert!(is_logging(b"org/slf4j/Logger"));
        assert!(!is_logging(b"shop/Logger"));
    }
}
