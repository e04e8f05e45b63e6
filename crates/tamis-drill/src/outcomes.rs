//! How the tests of a suite ended, and which end otherwise.

use std::collections::{BTreeMap, BTreeSet};

use tamis_testkit::suite_results::TestResult;

/// A test: its identifier, and which of that name.
pub(crate) type TestKey = (String, usize);

/// Status and type of the failure, of each test.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Outcomes(BTreeMap<TestKey, (String, String)>);

/// Where a test is found.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct TestName {
    pub(crate) class: String,
    /// What it is called in its class, with the nested classes before it and its number behind; may be empty.
    pub(crate) path: String,
}

/// A test that ended otherwise.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ChangedTest {
    pub(crate) name: TestName,
    /// `name: passed, then failed with E`.
    pub(crate) text: String,
    /// Whether it did not end at all.
    pub(crate) is_gone: bool,
}

impl Outcomes {
    pub(crate) fn new(results: &[TestResult]) -> Self {
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        let mut outcomes = BTreeMap::new();
        for result in results {
            let count = counts.entry(&result.identifier).or_default();
            let ending = &result.ending;
            outcomes.insert(
                (result.identifier.clone(), *count),
                (ending.status.clone(), ending.failure.clone()),
            );
            *count += 1;
        }
        Self(outcomes)
    }

    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    /// The test classes.
    pub(crate) fn classes(&self) -> BTreeSet<String> {
        self.0
            .keys()
            .map(|(identifier, _)| class_of(identifier))
            .collect()
    }

    /// All tests, the unstable and the repeated ones too.
    pub(crate) fn names(&self) -> impl Iterator<Item = TestName> {
        self.0.keys().map(|(identifier, _)| name_of(identifier))
    }

    /// Those of one test class.
    pub(crate) fn of_class(&self, class: &str) -> Self {
        let own = self
            .0
            .iter()
            .filter(|((test, _), _)| class_of(test) == class);
        Self(
            own.map(|(key, ending)| (key.clone(), ending.clone()))
                .collect(),
        )
    }

    /// Adds other tests.
    pub(crate) fn add(&mut self, other: Self) {
        self.0.extend(other.0);
    }

    /// The tests that do not end in the same way in both.
    pub(crate) fn differences(&self, other: &Self) -> BTreeSet<TestKey> {
        let keys = self.0.keys().chain(other.0.keys());
        let different = keys.filter(|key| self.0.get(*key) != other.0.get(*key));
        different.cloned().collect()
    }

    /// How a test ended here and there.
    pub(crate) fn changed(&self, key: &TestKey, other: &Self) -> ChangedTest {
        let text = |outcomes: &Self| match outcomes.0.get(key) {
            None => "not there".to_owned(),
            Some((status, failure)) if failure.is_empty() => status.clone(),
            Some((status, failure)) => format!("{status} with {failure}"),
        };
        ChangedTest {
            name: name_of(&key.0),
            text: format!("{}: {}, then {}", key.0, text(self), text(other)),
            is_gone: !other.0.contains_key(key),
        }
    }
}

fn class_of(identifier: &str) -> String {
    name_of(identifier).class
}

/// The name of `[engine:e]/[class:a.BTest]/[method:m()]`, of `m[1](a.BTest)`, or of `a.BTest`.
fn name_of(identifier: &str) -> TestName {
    let (class, path) = if let Some((_, rest)) = identifier.split_once("[class:") {
        let (class, rest) = rest.split_once(']').unwrap_or((rest, ""));
        let segments = rest.split("/[").filter_map(|segment| {
            let (_, value) = segment.strip_suffix(']')?.split_once(':')?;
            Some(value)
        });
        (class, segments.collect::<Vec<_>>().join("/"))
    } else if let Some((test, class)) = identifier
        .strip_suffix(')')
        .and_then(|it| it.rsplit_once('('))
    {
        let method = test.split('[').next().unwrap_or(test);
        (class, method.to_owned())
    } else {
        (identifier, String::new())
    };
    TestName {
        class: class.to_owned(),
        path,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tamis_testkit::suite_results::TestEnding;

    fn outcomes(results: &[(&str, &str, &str)]) -> Outcomes {
        let results: Vec<TestResult> = results
            .iter()
            .map(|(identifier, status, failure)| TestResult {
                identifier: (*identifier).to_owned(),
                ending: TestEnding {
                    status: (*status).to_owned(),
                    failure: (*failure).to_owned(),
                    message: "changes".to_owned(),
                },
            })
            .collect();
        Outcomes::new(&results)
    }

    #[test]
    fn names_of_tests() {
        for (identifier, expected) in [
            (
                "[engine:junit-jupiter]/[class:a.BTest]/[nested-class:C]/[method:m()]",
                "C/m()",
            ),
            (
                "[engine:junit-jupiter]/[class:a.BTest]/[test-template:m(int)]/[test-template-invocation:#1]",
                "m(int)/#1",
            ),
            ("[engine:junit-jupiter]/[class:a.BTest]", ""),
            ("m(a.BTest)", "m"),
            ("m[1: f(x)](a.BTest)", "m"),
            ("a.BTest", ""),
        ] {
            let expected = TestName {
                class: "a.BTest".to_owned(),
                path: expected.to_owned(),
            };
            assert_eq!(name_of(identifier), expected);
        }
    }

    #[test]
    fn status_and_type_of_failure_count() {
        let before = outcomes(&[
            ("m(A)", "passed", ""),
            ("n(A)", "failed", "E"),
            ("n(A)", "passed", ""),
        ]);
        assert_eq!(before.differences(&before).len(), 0);
        let after = outcomes(&[
            ("m(A)", "passed", ""),
            ("n(A)", "failed", "F"),
            ("o(B)", "passed", ""),
        ]);
        let texts: Vec<String> = before
            .differences(&after)
            .iter()
            .map(|key| before.changed(key, &after).text)
            .collect();
        assert_eq!(
            texts,
            [
                "n(A): failed with E, then failed with F",
                "n(A): passed, then not there",
                "o(B): not there, then passed",
            ]
        );
    }
}
