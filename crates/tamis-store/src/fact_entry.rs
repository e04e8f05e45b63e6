//! A fact among others about the same class: number, kind, value, and what its subject has behind the name of the class.
//!
//! So they lie on disk, and so they stay in memory until somebody asks for one.

use tamis_facts::{Checksum, ClassName, Fact, SubjectKind};

use crate::encode::{encode, kind};
use crate::error::StoreError;
use crate::varint;

/// In front of the name of a group of facts that are about no class; no class has such a name (JVMS 4.4.7).
pub(crate) const NO_CLASS: u8 = 0;

/// Set in the kind of a fact that has a value.
const HAS_VALUE: u8 = 0x80;

/// A fact in its group.
#[derive(Clone, Copy)]
pub(crate) struct Entry<'g> {
    pub(crate) number: u32,
    /// All behind the number.
    pub(crate) tail: &'g [u8],
    pub(crate) kind: SubjectKind,
    pub(crate) value: Option<Checksum>,
    /// What the subject has behind the name of the class.
    pub(crate) rest: &'g [u8],
}

/// The facts of a group, one after the other.
pub(crate) fn entries(mut bytes: &[u8]) -> impl Iterator<Item = Result<Entry<'_>, StoreError>> {
    std::iter::from_fn(move || {
        if bytes.is_empty() {
            return None;
        }
        let entry = take_entry(&mut bytes).ok_or(StoreError::Damaged { what: "a fact" });
        if entry.is_err() {
            bytes = &[];
        }
        Some(entry)
    })
}

/// Takes a fact off the front; none if there is none, or one that is not well formed.
#[inline]
pub(crate) fn take_entry<'g>(bytes: &mut &'g [u8]) -> Option<Entry<'g>> {
    let (number, behind) = bytes.split_first_chunk()?;
    let (first, mut rest) = behind.split_first()?;
    let value = if first & HAS_VALUE == 0 {
        None
    } else {
        let (value, behind) = rest.split_first_chunk()?;
        rest = behind;
        Some(Checksum(*value))
    };
    let of_subject = varint::take_bytes(&mut rest)?;
    *bytes = rest;
    Some(Entry {
        number: u32::from_le_bytes(*number),
        tail: &behind[..behind.len() - rest.len()],
        kind: kind(first & !HAS_VALUE)?,
        value,
        rest: of_subject,
    })
}

/// Appends a fact that is in its group already.
pub(crate) fn push_entry(bytes: &mut Vec<u8>, entry: &Entry<'_>) {
    bytes.extend(entry.number.to_le_bytes());
    bytes.extend(entry.tail);
}

/// The name of the group of a fact, and the fact in it, without its number.
pub(crate) fn encode_entry(fact: &Fact) -> (Vec<u8>, Vec<u8>) {
    let (kind, subject) = encode(&fact.subject);
    let (name, rest) = match fact.subject.class().map(ClassName::as_bytes) {
        Some(class) => (class.to_vec(), &subject[..]),
        None => ([&[NO_CLASS, kind], &subject[..]].concat(), &[][..]),
    };
    let mut entry = Vec::with_capacity(20 + rest.len());
    match &fact.value {
        Some(Checksum(value)) => {
            entry.push(kind | HAS_VALUE);
            entry.extend(value);
        }
        None => entry.push(kind),
    }
    varint::push(&mut entry, rest.len() as u64);
    entry.extend(rest);
    (name, entry)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use tamis_facts::Subject;

    #[test]
    fn an_entry_is_taken_as_it_was_pushed() {
        let values = [None, Some(Checksum([7; 16]))];
        for value in values {
            let subject = Subject::Supertypes("a/B".into(), vec!["a/A".into()]);
            let (name, tail) = encode_entry(&Fact { subject, value });
            assert_eq!(name, b"a/B");
            let bytes = [&9_u32.to_le_bytes(), &tail[..], b"more"].concat();
            let mut left = &bytes[..];
            let entry = take_entry(&mut left).unwrap();
            assert_eq!(left, b"more");
            assert_eq!((entry.number, entry.kind), (9, SubjectKind::Supertypes));
            assert_eq!((entry.value, entry.rest), (value, &b"\0a/A"[..]));
            let mut again = Vec::new();
            push_entry(&mut again, &entry);
            assert!(bytes.starts_with(&again) && again.len() + 4 == bytes.len());
        }
    }

    #[test]
    fn a_group_of_no_class_is_named_by_kind_and_subject() {
        let subject = Subject::Variable("HOME".into());
        let (name, tail) = encode_entry(&Fact {
            subject,
            value: None,
        });
        assert_eq!(name, b"\x00\x12HOME");
        assert_eq!(tail, b"\x12\x00");
    }

    proptest! {
        #[test]
        fn any_bytes_are_entries_or_damage(bytes: Vec<u8>) {
            drop(entries(&bytes).collect::<Vec<_>>());
        }
    }
}
