//! The tests of a record as bytes. Names of one class begin alike, so each is kept as how much of the one before it begins with,
//! and the rest.
//!
//! Who decides whether a class is skipped rarely asks for its tests. So they stay as they are kept, and are made of it when
//! somebody asks.

use tamis_facts::{ModifiedUtf8, TestList, TestOutcome, TestRecord};

use crate::error::StoreError;
use crate::seal::{check_seal, sealed};
use crate::slice::Slice;
use crate::varint;

const WHAT: &str = "a list of tests";

/// The tests of a record.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KeptTests {
    /// As [`encode`] makes them. It was seen to be well formed.
    bytes: Slice,
}

impl KeptTests {
    /// The tests that were kept as these bytes, with their sum.
    pub(crate) fn of(mut bytes: Slice) -> Result<Self, StoreError> {
        let length = check_seal(b"", &bytes, WHAT)?;
        bytes.truncate(length);
        if is_well_formed(&bytes) {
            return Ok(Self { bytes });
        }
        Err(StoreError::Damaged { what: WHAT })
    }

    /// The tests, in the order in which they were kept.
    pub fn iter(&self) -> Tests<'_> {
        Tests {
            rest: &self.bytes,
            name: Vec::new(),
        }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        entries(&self.bytes).count()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }
}

impl<'t> IntoIterator for &'t KeptTests {
    type Item = TestRecord;
    type IntoIter = Tests<'t>;

    fn into_iter(self) -> Tests<'t> {
        self.iter()
    }
}

impl TestList for KeptTests {
    fn names(&self) -> impl Iterator<Item = ModifiedUtf8> {
        self.iter().map(|test| test.name)
    }
}

impl FromIterator<TestRecord> for KeptTests {
    fn from_iter<I: IntoIterator<Item = TestRecord>>(tests: I) -> Self {
        let tests: Vec<TestRecord> = tests.into_iter().collect();
        Self {
            bytes: encode(&tests).into(),
        }
    }
}

/// The tests of a record, one after the other.
#[derive(Debug)]
pub struct Tests<'t> {
    rest: &'t [u8],
    /// That of the test before.
    name: Vec<u8>,
}

impl Iterator for Tests<'_> {
    type Item = TestRecord;

    fn next(&mut self) -> Option<TestRecord> {
        let entry = take_entry(&mut self.rest)?;
        self.name.truncate(entry.n_shared);
        self.name.extend(entry.own);
        Some(TestRecord {
            name: ModifiedUtf8(self.name.clone()),
            outcome: entry.outcome,
            microseconds: entry.microseconds,
        })
    }
}

/// The tests as they are kept.
pub(crate) fn pack(tests: &[TestRecord]) -> Vec<u8> {
    sealed(b"", encode(tests))
}

fn encode(tests: &[TestRecord]) -> Vec<u8> {
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
    bytes
}

/// A test in its list.
struct Entry<'t> {
    outcome: TestOutcome,
    microseconds: u64,
    /// How many bytes its name has in common with the one before.
    n_shared: usize,
    /// The others.
    own: &'t [u8],
}

/// All entries, up to the first that is not well formed.
fn entries(mut bytes: &[u8]) -> impl Iterator<Item = Entry<'_>> {
    std::iter::from_fn(move || take_entry(&mut bytes))
}

fn take_entry<'t>(bytes: &mut &'t [u8]) -> Option<Entry<'t>> {
    let (outcome, mut rest) = bytes.split_first()?;
    let entry = Entry {
        outcome: parse_outcome(*outcome)?,
        microseconds: varint::take(&mut rest)?,
        n_shared: usize::try_from(varint::take(&mut rest)?).ok()?,
        own: varint::take_bytes(&mut rest)?,
    };
    *bytes = rest;
    Some(entry)
}

/// Whether there is nothing but entries, each of which begins as the one before does.
fn is_well_formed(mut bytes: &[u8]) -> bool {
    let mut length = 0;
    while let Some(entry) = take_entry(&mut bytes) {
        if entry.n_shared > length {
            return false;
        }
        length = entry.n_shared + entry.own.len();
    }
    bytes.is_empty()
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

    fn unpack(bytes: Vec<u8>) -> Result<Vec<TestRecord>, StoreError> {
        let tests = KeptTests::of(bytes.into())?;
        assert_eq!(tests.len(), tests.iter().count());
        Ok(tests.iter().collect())
    }

    #[test]
    fn what_is_sealed_and_no_list_is_damage() {
        let cases: [&[u8]; 5] = [
            b"\x04\x00\x00\x00",
            b"\x01",
            b"\x01\x00\x01\x00",
            b"\x01\x00\x00\x01",
            b"\x01\x00\x00\x01a\x01\x00\x02\x00",
        ];
        for case in cases {
            assert!(unpack(sealed(b"", case.to_vec())).is_err(), "{case:?}");
        }
        assert!(unpack(Vec::new()).is_err());
    }

    proptest! {
        #[test]
        fn what_is_kept_comes_back(tests in prop::collection::vec(test(), 0..20)) {
            prop_assert_eq!(unpack(pack(&tests)).unwrap(), &tests[..]);
            let kept: KeptTests = tests.iter().cloned().collect();
            prop_assert_eq!(kept.is_empty(), tests.is_empty());
            prop_assert!(kept.iter().eq(tests));
        }

        #[test]
        fn any_bytes_are_a_list_or_damage(bytes: Vec<u8>) {
            drop(unpack(sealed(b"", bytes)));
        }
    }
}
