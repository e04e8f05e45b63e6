//! Classes of the programs that run tests, whose own state no test relies on.
//!
//! Every test shares the static fields of its framework. If they counted as state that tests leave for each
//! other, each would rely on all before it. What a framework remembers of a test class (its methods, their
//! annotations) is covered by facts about that class.

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
    }
}
