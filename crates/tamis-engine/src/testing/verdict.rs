//! How a run of an entity counts: what its tests did, what became of its JVM and its build.

use std::collections::BTreeMap;

use tamis_facts::{ModifiedUtf8, RunVerdict, TestOutcome, TestRecord};
use tamis_wire::{EntityEnd, Outcome};

use crate::conversation::{Ending, ToldEntity};

/// What is known of an entity's run beside its own words.
#[derive(Debug, Clone, Copy)]
pub(super) struct Aftermath {
    /// Whether its JVM said a good-bye, complete or not.
    pub(super) jvm_ended_well: bool,
    /// Whether the build, or the command, turned red although no test of it failed.
    pub(super) is_red_without_failure: bool,
    /// Whether something that it saw is not known.
    pub(super) is_doubtful: bool,
}

/// How a run counts (P3: red stays red).
pub(super) fn verdict(entity: &ToldEntity, aftermath: Aftermath) -> RunVerdict {
    let ends = || entity.runs.iter().map(|run| &run.end);
    let has_failed = ends().any(is_failed);
    let last_passed = entity.runs.last().is_some_and(|run| !is_failed(&run.end));
    if has_failed && last_passed && !entity.is_open {
        return RunVerdict::Flaky;
    }
    if has_failed || !aftermath.jvm_ended_well || aftermath.is_red_without_failure {
        return RunVerdict::Failed;
    }
    if entity.is_open || entity.runs.is_empty() || aftermath.is_doubtful {
        return RunVerdict::Incomplete;
    }
    RunVerdict::Passed
}

/// Whether it, or a test of it, failed.
pub(super) fn is_failed(end: &EntityEnd) -> bool {
    end.outcome == Outcome::Failed || end.tests.iter().any(|test| test.outcome == Outcome::Failed)
}

/// Whether a JVM said a good-bye.
pub(super) fn ended_well(ending: &Ending) -> bool {
    matches!(ending, Ending::Complete | Ending::Incomplete(_))
}

/// The tests that came to an end, with the worst that happened to each. Those of a class that was given up before its first
/// test were given up with it.
pub(super) fn tests(entity: &ToldEntity) -> Vec<TestRecord> {
    let mut tests: BTreeMap<&[u8], (Outcome, u64)> = BTreeMap::new();
    let is_given_up = |end: &EntityEnd| end.outcome == Outcome::Aborted && end.tests.is_empty();
    if entity.runs.iter().any(|run| is_given_up(&run.end)) {
        let given_up = entity.discovered.tests.iter();
        tests.extend(given_up.map(|name| (&name[..], (Outcome::Aborted, 0))));
    }
    for test in entity.runs.iter().flat_map(|run| &run.end.tests) {
        let known = tests.entry(&test.name).or_insert((test.outcome, 0));
        known.0 = known.0.max(test.outcome);
        known.1 += test.microseconds;
    }
    let records = tests
        .into_iter()
        .map(|(name, (outcome, microseconds))| TestRecord {
            name: ModifiedUtf8::from(name),
            outcome: test_outcome(outcome),
            microseconds,
        });
    records.collect()
}

fn test_outcome(outcome: Outcome) -> TestOutcome {
    match outcome {
        Outcome::Skipped => TestOutcome::Disabled,
        Outcome::Passed => TestOutcome::Passed,
        Outcome::Aborted => TestOutcome::Aborted,
        Outcome::Failed => TestOutcome::Failed,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::conversation::EntityRun;
    use std::collections::BTreeSet;
    use tamis_wire::{Discovered, EntityKind, TestEnd, UnitSet};

    const WELL: Aftermath = Aftermath {
        jvm_ended_well: true,
        is_red_without_failure: false,
        is_doubtful: false,
    };

    /// An entity whose only test went so, run by run.
    fn entity(outcomes: &[Outcome]) -> ToldEntity {
        let runs = outcomes
            .iter()
            .enumerate()
            .map(|(order, outcome)| EntityRun {
                end: EntityEnd {
                    entity: 1,
                    outcome: Outcome::Passed,
                    microseconds: 1,
                    tests: vec![TestEnd {
                        name: b"t".to_vec(),
                        outcome: *outcome,
                        microseconds: 1,
                    }],
                },
                n_ambient: 0,
                n_built: 0,
                n_classes: 0,
                n_accesses: 0,
                n_sightings: 0,
                order,
            });
        ToldEntity {
            discovered: Discovered {
                entity: 1,
                parent: None,
                kind: EntityKind::Class,
                framework: b"junit4".to_vec(),
                name: b"T".to_vec(),
                tests: vec![b"t".to_vec()],
            },
            parents: BTreeSet::new(),
            is_skipped: false,
            runs: runs.collect(),
            own: UnitSet::default(),
            carried: UnitSet::default(),
            is_open: false,
            first_begin: None,
        }
    }

    #[test]
    fn only_a_clean_run_has_passed() {
        use Outcome::{Aborted, Failed, Passed, Skipped};
        let check = |outcomes: &[Outcome], aftermath: Aftermath, expected| {
            assert_eq!(
                verdict(&entity(outcomes), aftermath),
                expected,
                "{outcomes:?} {aftermath:?}"
            );
        };
        check(&[Passed], WELL, RunVerdict::Passed);
        check(&[Skipped], WELL, RunVerdict::Passed);
        check(&[Aborted], WELL, RunVerdict::Passed);
        check(&[Failed], WELL, RunVerdict::Failed);
        check(&[Failed, Passed], WELL, RunVerdict::Flaky);
        check(&[Passed, Failed], WELL, RunVerdict::Failed);
        check(&[], WELL, RunVerdict::Incomplete);
        let doubtful = Aftermath {
            is_doubtful: true,
            ..WELL
        };
        check(&[Passed], doubtful, RunVerdict::Incomplete);
        check(&[Failed, Passed], doubtful, RunVerdict::Flaky);
        let lost = Aftermath {
            jvm_ended_well: false,
            ..WELL
        };
        check(&[Passed], lost, RunVerdict::Failed);
        let red = Aftermath {
            is_red_without_failure: true,
            ..WELL
        };
        check(&[Passed], red, RunVerdict::Failed);
    }

    #[test]
    fn an_entity_that_has_not_ended_has_not_passed() {
        let mut open = entity(&[Outcome::Passed]);
        open.is_open = true;
        assert_eq!(verdict(&open, WELL), RunVerdict::Incomplete);
    }

    #[test]
    fn the_tests_of_a_class_that_was_given_up_are_known() {
        let mut given_up = entity(&[Outcome::Passed]);
        given_up.runs[0].end.tests.clear();
        assert_eq!(tests(&given_up), []);
        given_up.runs[0].end.outcome = Outcome::Aborted;
        assert_eq!(tests(&given_up)[0].outcome, TestOutcome::Aborted);
        assert_eq!(verdict(&given_up, WELL), RunVerdict::Passed);
    }

    #[test]
    fn the_worst_of_a_test_counts() {
        let tests = tests(&entity(&[Outcome::Failed, Outcome::Passed]));
        assert_eq!(tests[0].outcome, TestOutcome::Failed);
        assert_eq!(tests[0].microseconds, 2);
    }
}
