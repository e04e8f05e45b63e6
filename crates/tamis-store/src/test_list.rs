//! The tests of a record as bytes. Names of one class begin alike, so each is kept as how much of the one before it begins with,
//! and the rest.

use tamis_facts::{ModifiedUtf8, TestOutcome, TestRecord};

use crate::error::StoreError;
use crate::seal::{check_seal, sealed};
use crate::varint;

const WHAT: &str = "a list of tests";

/// The tests as they are kept.
pub(crate) fn pack(tests: &[TestRecord]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut before: &[u8] = &[];
    for test in tests {
        let name = test.name.as_bytes();
        let n_shared = n_shared(before, name);
        bytes.push(outcome_number(test.outcome));
        varint::push(&mut bytes, test.microseconds);
        varint::push(&mut bytes, n_shared as u64);
        varint::push(&mut bytes, (name.len() - n_shared) as u64);
        bytes.extend(&name[n_shared..]);
        before = name;
    }
    sealed(b"", bytes)
}

/// What [`pack`] has made bytes of.
pub(crate) fn unpack(bytes: &[u8]) -> Result<Vec<TestRecord>, StoreError> {
    let length = check_seal(b"", bytes, WHAT)?;
    parse(&bytes[..length]).ok_or(StoreError::Damaged { what: WHAT })
}

fn parse(mut rest: &[u8]) -> Option<Vec<TestRecord>> {
    let mut tests: Vec<TestRecord> = Vec::new();
    while let Some((outcome, behind)) = rest.split_first() {
        rest = behind;
        let outcome = parse_outcome(*outcome)?;
        let microseconds = varint::take(&mut rest)?;
        let n_shared = usize::try_from(varint::take(&mut rest)?).ok()?;
        let own = varint::take_bytes(&mut rest)?;
        let before = tests.last().map_or(&[][..], |test| test.name.as_bytes());
        let name = [before.get(..n_shared)?, own].concat();
        tests.push(TestRecord {
            name: ModifiedUtf8(name),
            outcome,
            microseconds,
        });
    }
    Some(tests)
}

fn n_shared(before: &[u8], name: &[u8]) -> usize {
    let pairs = before.iter().zip(name);
    pairs.take_while(|(one, other)| one == other).count()
}

/// Part of the format.
fn outcome_number(outcome: TestOutcome) -> u8 {
    match outcome {
        TestOutcome::Disabled => 0,
        TestOutcome::Passed => 1,
        TestOutcome::Aborted => 2,
        TestOutcome::Failed => 3,
    }
}

fn parse_outcome(number: u8) -> Option<TestOutcome> {
    Some(match number {
        0 => TestOutcome::Disabled,
        1 => TestOutcome::Passed,
        2 => TestOutcome::Aborted,
        3 => TestOutcome::Failed,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn test() -> impl Strategy<Value = TestRecord> {
        let outcomes = [
            TestOutcome::Disabled,
            TestOutcome::Passed,
            TestOutcome::Aborted,
            TestOutcome::Failed,
        ];
        // Few different bytes, so that names begin alike.
        let name = prop::collection::vec(prop::sample::select(vec![b'a', b'b', 0xff]), 0..8);
        (name, prop::sample::select(outcomes.to_vec()), any::<u64>()).prop_map(
            |(name, outcome, microseconds)| TestRecord {
                name: ModifiedUtf8(name),
                outcome,
                microseconds,
            },
        )
    }

    #[test]
    fn what_is_sealed_and_no_list_is_damage() {
        let cases: [&[u8]; 4] = [
            b"\x04\x00\x00\x00",
            b"\x01",
            b"\x01\x00\x01\x00",
            b"\x01\x00\x00\x01",
        ];
        for case in cases {
            assert!(unpack(&sealed(b"", case.to_vec())).is_err(), "{case:?}");
        }
        assert!(unpack(b"").is_err());
    }

    proptest! {
        #[test]
        fn what_is_kept_comes_back(tests in prop::collection::vec(test(), 0..20)) {
            prop_assert_eq!(unpack(&pack(&tests)).unwrap(), tests);
        }

        #[test]
        fn any_bytes_are_a_list_or_damage(bytes: Vec<u8>) {
            drop(unpack(&sealed(b"", bytes)));
        }
    }
}
