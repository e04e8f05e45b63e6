//! How tests ended, and where two runs of a suite differ.

use std::collections::BTreeMap;
use std::fmt;

use anyhow::{Context, Result};

/// How a test ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TestResult {
    /// As the framework names it.
    pub identifier: String,
    pub ending: TestEnding,
}

/// The status, and what was thrown.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct TestEnding {
    /// `passed`, `failed`, `aborted`, `skipped`.
    pub status: String,
    /// The class of what was thrown; empty if nothing was.
    pub failure: String,
    /// Its message, characters that make no line escaped.
    pub message: String,
}

/// A test that ended otherwise.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Difference {
    /// As the framework names it, and which of that name if there are several.
    pub identifier: String,
    /// None where the test did not end in that run.
    pub before: Option<TestEnding>,
    pub after: Option<TestEnding>,
}

impl TestResult {
    /// Reads a line of what `java/tamis/suite/Results.java` writes.
    pub(crate) fn parse(line: &str) -> Result<Self> {
        let mut fields = line.split('\t').map(str::to_owned);
        let mut next = || {
            fields
                .next()
                .with_context(|| format!("not a result: `{line}`"))
        };
        Ok(Self {
            identifier: next()?,
            ending: TestEnding {
                status: next()?,
                failure: next()?,
                message: next()?,
            },
        })
    }
}

/// The tests that ended otherwise in the second run than in the first, by identifier. Tests of the
/// same name are told apart by their order.
pub fn differences(before: &[TestResult], after: &[TestResult]) -> Vec<Difference> {
    let (mut before, mut after) = (by_identifier(before), by_identifier(after));
    let mut names: Vec<_> = before.keys().chain(after.keys()).cloned().collect();
    names.sort();
    names.dedup();
    let differences = names.into_iter().map(|(identifier, number)| {
        let key = (identifier, number);
        let (before, after) = (before.remove(&key), after.remove(&key));
        let identifier = match key {
            (identifier, 0) => identifier,
            (identifier, number) => format!("{identifier} #{}", number + 1),
        };
        Difference {
            identifier,
            before,
            after,
        }
    });
    differences.filter(|d| d.before != d.after).collect()
}

fn by_identifier(results: &[TestResult]) -> BTreeMap<(String, usize), TestEnding> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    let mut endings = BTreeMap::new();
    for result in results {
        let count = counts.entry(&result.identifier).or_default();
        endings.insert((result.identifier.clone(), *count), result.ending.clone());
        *count += 1;
    }
    endings
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.identifier)?;
        write_ending(f, self.before.as_ref())?;
        write!(f, ", then ")?;
        write_ending(f, self.after.as_ref())
    }
}

fn write_ending(f: &mut fmt::Formatter<'_>, ending: Option<&TestEnding>) -> fmt::Result {
    match ending {
        None => write!(f, "not there"),
        Some(ending) if ending.failure.is_empty() => write!(f, "{}", ending.status),
        Some(TestEnding {
            status,
            failure,
            message,
        }) => write!(f, "{status} with {failure} ({message})"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(before: &[&str], after: &[&str], expected: &[&str]) {
        let [before, after] = [before, after].map(|lines| {
            let results = lines.iter().map(|line| TestResult::parse(line).unwrap());
            results.collect::<Vec<_>>()
        });
        let found = differences(&before, &after);
        let found: Vec<_> = found.iter().map(ToString::to_string).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn status_failure_and_message_count() {
        let passed = "a\tpassed\t\t";
        check(&[passed], &[passed], &[]);
        check(&[passed], &[], &["a: passed, then not there"]);
        check(
            &[passed],
            &["a\tfailed\tError\t1"],
            &["a: passed, then failed with Error (1)"],
        );
        check(
            &["a\tfailed\tError\t1"],
            &["a\tfailed\tError\t2"],
            &["a: failed with Error (1), then failed with Error (2)"],
        );
    }

    #[test]
    fn tests_of_one_name_are_told_apart_by_order() {
        let (passed, failed) = ("a\tpassed\t\t", "a\tfailed\tError\t");
        check(
            &[passed, passed],
            &[passed, failed],
            &["a #2: passed, then failed with Error ()"],
        );
    }

    #[test]
    fn a_line_that_breaks_off_is_no_result() {
        assert!(TestResult::parse("a\tpassed").is_err());
    }
}
