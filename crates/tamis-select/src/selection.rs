//! The rule of selection: for each test, the newest record that knows it and whose facts are all true today decides.
//!
//! All of them passed: the entity is skipped. Anything else, or a test without such a record: it runs. A record that
//! did not pass speaks for all tests of the entity. Nothing in here knows where records come from or how facts are
//! compared with today.
//!
//! A record of some tests, which the user had chosen, is no reason to run the others again as long as an older record of
//! theirs is true; and it never speaks for them.

use std::collections::BTreeSet;
use std::time::Duration;

use tamis_facts::{
    Checksum, EntityId, Mesh, ModifiedUtf8, Record, RunVerdict, SubjectKind, TestList,
};

/// What is to be done with an entity, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Decision {
    /// The record of this position shows that it would pass again.
    Skip(usize),
    /// It is to run.
    Run(Reason),
}

/// Why an entity runs. Positions are those of records, the newest first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// There is no record of it.
    New,
    /// The user wants it to run each time.
    Always,
    /// It leaves something for this one, which runs.
    Companion(Box<EntityId>),
    /// All records are older than is allowed.
    Old,
    /// No record is true today.
    Broken,
    /// The newest record that is true today did not pass.
    NotPassed(usize, RunVerdict),
    /// No record that is true today covers these tests; the position is that of the newest that is true. Without
    /// names: only records of chosen tests are true.
    NotCovered(usize, Vec<ModifiedUtf8>),
}

/// What decides beside the records.
#[derive(Clone, Copy)]
pub struct Today<'t> {
    /// The tests that the framework found in the entity. If nobody has asked it: what it would find is made of facts
    /// too, so a record of all tests that is true knows them.
    pub tests: Option<&'t BTreeSet<ModifiedUtf8>>,
    /// The time, in seconds since 1970.
    pub now: u64,
    /// Older records do not count.
    pub max_age: Duration,
}

/// Decides about an entity.
///
/// `records` come newest first; `is_true` says of a record whether all its facts are true today.
pub fn decide<F, T: TestList>(
    records: &[Record<F, T>],
    today: &Today<'_>,
    mut is_true: impl FnMut(&Record<F, T>) -> bool,
) -> Decision {
    if records.is_empty() {
        return Decision::Run(Reason::New);
    }
    let mut reason = Reason::Old;
    let mut coverage = Coverage::default();
    for (position, record) in records.iter().enumerate() {
        if today.is_too_old(record) {
            continue;
        }
        if !is_true(record) {
            if coverage.newest.is_none() {
                reason = Reason::Broken;
            }
            continue;
        }
        if record.verdict != RunVerdict::Passed {
            return Decision::Run(Reason::NotPassed(position, record.verdict));
        }
        reason = match coverage.add(position, record, today) {
            Ok(()) => return Decision::Skip(position),
            Err(not_covered) => not_covered,
        };
    }
    Decision::Run(reason)
}

/// The tests that records cover which are true today.
#[derive(Default)]
struct Coverage {
    newest: Option<usize>,
    tests: BTreeSet<ModifiedUtf8>,
}

impl Coverage {
    /// Whether all tests of today are covered with this record, or else why not.
    fn add<F, T: TestList>(
        &mut self,
        position: usize,
        record: &Record<F, T>,
        today: &Today<'_>,
    ) -> Result<(), Reason> {
        let newest = *self.newest.get_or_insert(position);
        let Some(tests) = today.tests else {
            if record.is_whole {
                return Ok(());
            }
            return Err(Reason::NotCovered(newest, Vec::new()));
        };
        self.tests.extend(record.tests.names());
        let missing = tests.iter().filter(|test| !self.tests.contains(test));
        let missing: Vec<ModifiedUtf8> = missing.cloned().collect();
        if missing.is_empty() {
            return Ok(());
        }
        Err(Reason::NotCovered(newest, missing))
    }
}

impl Today<'_> {
    /// A record that did not pass never grows too old: red stays red.
    fn is_too_old<F, T>(&self, record: &Record<F, T>) -> bool {
        let age = Duration::from_secs(self.now.saturating_sub(record.ended));
        // A record from the future says nothing about its age.
        let is_from_future = record.ended > self.now;
        record.verdict == RunVerdict::Passed && (age > self.max_age || is_from_future)
    }
}

/// Whether a fact of this kind and value counts under a mesh. Of what is seen of a class, the coarse mesh looks at its checksum,
/// the finer ones at its parts: all of them are in each record (`docs/design/meshes.md`).
pub fn counts(kind: SubjectKind, value: Option<Checksum>, mesh: Mesh) -> bool {
    match kind {
        // That there was no such class is as fine as it gets.
        SubjectKind::Class => mesh == Mesh::File || value.is_none(),
        SubjectKind::Head => mesh == Mesh::Method,
        SubjectKind::Method
        | SubjectKind::Field
        | SubjectKind::Members
        | SubjectKind::Resolution
        | SubjectKind::Dispatch
        | SubjectKind::Callbacks => mesh >= Mesh::Method,
        SubjectKind::Declaration | SubjectKind::Fields | SubjectKind::Signatures => {
            mesh >= Mesh::Dispatch
        }
        SubjectKind::Block => mesh >= Mesh::Block,
        // Heads and declarations have the supertypes too: these are kept to know which classes are above which. That all setters
        // are elsewhere tells which facts about single fields need not be looked at.
        SubjectKind::Supertypes | SubjectKind::AllSettersElsewhere => false,
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tamis_facts::{ClassName, Fact, Subject, TestOutcome, TestRecord};

    const DAY: u64 = 86_400;

    fn record(
        verdict: RunVerdict,
        tests: &[&str],
        facts: &'static str,
        ended: u64,
    ) -> Record<&'static str> {
        let tests = tests.iter().map(|name| TestRecord {
            name: (*name).into(),
            outcome: TestOutcome::Passed,
            microseconds: 1,
        });
        Record {
            verdict,
            tests: tests.collect(),
            is_whole: true,
            facts,
            inherited: "",
            companions: BTreeSet::new(),
            doubts: Vec::new(),
            microseconds: 1,
            ended,
        }
    }

    fn check(records: &[Record<&'static str>], tests: &[&str], expected: &Decision) {
        let tests = tests.iter().map(|test| (*test).into()).collect();
        check_found(records, Some(&tests), expected);
    }

    fn check_found(
        records: &[Record<&'static str>],
        tests: Option<&BTreeSet<ModifiedUtf8>>,
        expected: &Decision,
    ) {
        let today = Today {
            tests,
            now: 100 * DAY,
            max_age: Duration::from_secs(30 * DAY),
        };
        let decision = decide(records, &today, |record| record.facts == "true");
        assert_eq!(&decision, expected);
    }

    #[test]
    fn the_newest_record_that_is_true_decides() {
        use RunVerdict::{Failed, Passed};
        let passed = |facts| record(Passed, &["a"], facts, 99 * DAY);
        let failed = |facts| record(Failed, &["a"], facts, 99 * DAY);
        check(&[], &["a"], &Decision::Run(Reason::New));
        check(&[passed("true")], &["a"], &Decision::Skip(0));
        check(&[passed("false")], &["a"], &Decision::Run(Reason::Broken));
        // A precedent: what is newer was seen under other circumstances.
        check(
            &[failed("false"), passed("true")],
            &["a"],
            &Decision::Skip(1),
        );
        check(
            &[failed("true"), passed("true")],
            &["a"],
            &Decision::Run(Reason::NotPassed(0, Failed)),
        );
        check(
            &[passed("true"), failed("true")],
            &["a"],
            &Decision::Skip(0),
        );
    }

    #[test]
    fn all_tests_of_today_have_to_be_covered() {
        let both = record(RunVerdict::Passed, &["a", "b"], "true", 99 * DAY);
        check(std::slice::from_ref(&both), &["a"], &Decision::Skip(0));
        let missing = Reason::NotCovered(0, vec!["c".into()]);
        check(&[both], &["a", "c"], &Decision::Run(missing));
    }

    #[test]
    fn a_record_of_chosen_tests_speaks_for_no_others() {
        let whole = |facts| record(RunVerdict::Passed, &["a", "b"], facts, 98 * DAY);
        let chosen = |verdict, facts| Record {
            is_whole: false,
            ..record(verdict, &["a"], facts, 99 * DAY)
        };
        let passed = chosen(RunVerdict::Passed, "true");
        let both = ["a", "b"];
        // An older record may know the others, and is true.
        let records = [passed.clone(), whole("true")];
        check(&records, &both, &Decision::Skip(1));
        check_found(&records, None, &Decision::Skip(1));
        let records = [passed, whole("false")];
        let missing = Reason::NotCovered(0, vec!["b".into()]);
        check(&records, &both, &Decision::Run(missing));
        check(&records, &["a"], &Decision::Skip(0));
        // Nobody knows which tests there are.
        let missing = Reason::NotCovered(0, Vec::new());
        check_found(&records, None, &Decision::Run(missing));
        // A failure speaks for all.
        let failed = chosen(RunVerdict::Failed, "true");
        let red = Reason::NotPassed(0, RunVerdict::Failed);
        check(&[failed, whole("true")], &both, &Decision::Run(red));
    }

    #[test]
    fn passing_records_grow_old_and_red_stays_red() {
        let old = record(RunVerdict::Passed, &["a"], "true", 69 * DAY);
        check(
            std::slice::from_ref(&old),
            &["a"],
            &Decision::Run(Reason::Old),
        );
        let future = record(RunVerdict::Passed, &["a"], "true", 101 * DAY);
        check(&[future], &["a"], &Decision::Run(Reason::Old));
        let red = record(RunVerdict::Flaky, &["a"], "true", DAY);
        check(
            &[red, old],
            &["a"],
            &Decision::Run(Reason::NotPassed(0, RunVerdict::Flaky)),
        );
    }

    #[test]
    fn each_mesh_has_its_facts() {
        let class = || ClassName::from("a/B");
        let fact = |subject, value| Fact { subject, value };
        let value = Some(Checksum([1; 16]));
        let whole = fact(Subject::Class(class()), value);
        let absent = fact(Subject::Class(class()), None);
        let head = fact(Subject::Head(class()), value);
        let unread = fact(Subject::Whole(class()), value);
        let shown = |mesh| {
            [&whole, &absent, &head, &unread]
                .map(|fact| counts(fact.subject.kind(), fact.value, mesh))
        };
        assert_eq!(shown(Mesh::File), [true, true, false, true]);
        assert_eq!(shown(Mesh::Method), [false, true, true, true]);
        assert_eq!(shown(Mesh::Dispatch), [false, true, false, true]);
    }
}
