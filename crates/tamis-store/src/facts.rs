//! The facts that records name, by number and by class.
//!
//! Nearly all facts are about classes, a dozen about each. What is asked of a class is asked once for all of them, so
//! they are kept together: whoever compares facts need not look at each name. Few of them are ever asked for what they are
//! about, since of a class that is as it was only the facts about the whole are looked at. So they stay in the bytes that were read, and
//! what a fact is about is made of these when somebody asks.

use std::collections::HashMap;
use std::ops::Range;

use tamis_facts::{Checksum, ClassName, Fact, Subject, SubjectKind};

use crate::encode::{is_of_class, parse, split_supertypes};
use crate::error::StoreError;
use crate::fact_entry::{Entry, NO_CLASS, encode_entry, entries, push_entry, take_entry};
use crate::kept_set::Marks;
use crate::seal::sum;

/// Facts by their numbers.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Facts {
    /// All of them. Each was seen to be well formed: a subject can be made of it.
    entries: Vec<u8>,
    classes: Vec<Class>,
    /// Those about no class.
    others: Vec<Other>,
    /// In the order of their numbers, of which no two are the same.
    by_number: Vec<Place>,
    /// What is known to be above classes.
    links: Vec<Link>,
}

/// A class, and where facts about it are.
#[derive(Debug, PartialEq, Eq)]
struct Class {
    name: ClassName,
    wholes: Range<usize>,
    parts: Range<usize>,
}

/// A fact about no class: where it is, and its subject.
#[derive(Debug, PartialEq, Eq)]
struct Other {
    at: usize,
    subject: Subject,
}

/// Where a fact is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Place {
    number: u32,
    at: usize,
    group: GroupId,
}

/// Positions of groups.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum GroupId {
    Class(u32),
    Other(u32),
}

/// That one class was below another one when something was recorded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Link {
    /// The position of the lower one in [`Facts::of_classes`].
    pub class: u32,
    /// Which is above.
    pub supertype: NameSum,
}

/// A sum of the name of a class. Two names may have the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct NameSum(pub u64);

impl NameSum {
    /// That of a name.
    pub fn of(name: &ClassName) -> Self {
        Self::of_bytes(name.as_bytes())
    }

    fn of_bytes(name: &[u8]) -> Self {
        Self(sum(b"", name))
    }
}

/// What is known of a class: not nothing.
#[derive(Debug, Clone, Copy)]
pub struct ClassFacts<'f> {
    all: &'f Facts,
    class: &'f Class,
}

/// A fact as it is kept.
#[derive(Debug, Clone, Copy)]
pub struct KnownFact<'f> {
    /// Its number.
    pub number: u32,
    /// The kind of its subject.
    pub kind: SubjectKind,
    /// Its value then; none if there was no such thing.
    pub value: Option<Checksum>,
    about: About<'f>,
}

#[derive(Debug, Clone, Copy)]
enum About<'f> {
    /// A class, and what a subject has behind its name.
    Class(&'f ClassName, &'f [u8]),
    Other(&'f Subject),
}

impl Facts {
    /// Facts, each with its number.
    ///
    /// # Panics
    ///
    /// If two have the same number, or a name has a zero byte, which none has in a class file.
    pub fn new(mut facts: Vec<(u32, Fact)>) -> Self {
        facts.sort_by_key(|(number, _)| *number);
        let named: Marks = facts.iter().map(|(number, _)| *number).collect();
        let mut groups: Vec<(Vec<u8>, Vec<u8>)> = Vec::new();
        let mut positions = HashMap::new();
        for (number, fact) in &facts {
            let (name, entry) = encode_entry(fact);
            let position = *positions.entry(name.clone()).or_insert(groups.len());
            if position == groups.len() {
                groups.push((name, Vec::new()));
            }
            let entries = &mut groups[position].1;
            entries.extend(number.to_le_bytes());
            entries.extend(entry);
        }
        let mut gathering = Gathering::default();
        for (name, entries) in &groups {
            let added = gathering.add(name, entries, &named);
            added.expect("what was encoded is well formed");
        }
        gathering.finish().expect("each has a number of its own")
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.by_number.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.by_number.is_empty()
    }

    /// All of them, in the order of their numbers.
    pub fn iter(&self) -> impl Iterator<Item = KnownFact<'_>> {
        self.by_number.iter().map(|place| self.at(*place))
    }

    /// The fact of this number.
    ///
    /// # Panics
    ///
    /// If it is not there. What a record names is: records and facts are loaded together.
    pub fn fact(&self, number: u32) -> KnownFact<'_> {
        let found = self
            .by_number
            .binary_search_by_key(&number, |place| place.number);
        let position = found.expect("a record is loaded with its facts");
        self.at(self.by_number[position])
    }

    /// What is known of each class, in no particular order.
    pub fn of_classes(&self) -> impl Iterator<Item = ClassFacts<'_>> {
        let classes = self.classes.iter();
        classes.map(|class| ClassFacts { all: self, class })
    }

    /// Which classes were below which, by the facts about the supertypes of classes.
    pub fn links(&self) -> &[Link] {
        &self.links
    }

    /// Those that are not about classes.
    pub fn of_no_class(&self) -> impl Iterator<Item = KnownFact<'_>> {
        let others = self.others.iter();
        others.map(|other| KnownFact::new(self.entry(other.at), About::Other(&other.subject)))
    }

    fn at(&self, place: Place) -> KnownFact<'_> {
        let entry = self.entry(place.at);
        let about = match place.group {
            GroupId::Class(class) => About::Class(&self.classes[class as usize].name, entry.rest),
            GroupId::Other(other) => About::Other(&self.others[other as usize].subject),
        };
        KnownFact::new(entry, about)
    }

    fn entry(&self, at: usize) -> Entry<'_> {
        take_entry(&mut &self.entries[at..]).expect("it was well formed when it was added")
    }
}

impl<'f> ClassFacts<'f> {
    /// Which class.
    pub fn class(&self) -> &'f ClassName {
        &self.class.name
    }

    /// Facts about it as a whole, and those that are true while it is the same as a whole.
    pub fn wholes(&self) -> impl Iterator<Item = KnownFact<'f>> {
        self.within(&self.class.wholes)
    }

    /// Facts about parts of it.
    pub fn parts(&self) -> impl Iterator<Item = KnownFact<'f>> {
        self.within(&self.class.parts)
    }

    fn within(&self, range: &Range<usize>) -> impl Iterator<Item = KnownFact<'f>> {
        let name = self.class();
        let mut entries = &self.all.entries[range.clone()];
        std::iter::from_fn(move || {
            let entry = take_entry(&mut entries)?;
            let about = About::Class(name, entry.rest);
            Some(KnownFact::new(entry, about))
        })
    }
}

impl<'f> KnownFact<'f> {
    fn new(entry: Entry<'f>, about: About<'f>) -> Self {
        Self {
            number: entry.number,
            kind: entry.kind,
            value: entry.value,
            about,
        }
    }

    /// The class it is about, if it is about one.
    pub fn class(&self) -> Option<&'f ClassName> {
        match self.about {
            About::Class(class, _) => Some(class),
            About::Other(_) => None,
        }
    }

    /// What it is about.
    ///
    /// # Panics
    ///
    /// Never: what no subject can be made of is damage, and was not added.
    pub fn subject(&self) -> Subject {
        match self.about {
            About::Class(class, rest) => {
                let subject = parse(self.kind, Some(class), rest);
                subject.expect("it was well formed when it was added")
            }
            About::Other(subject) => subject.clone(),
        }
    }

    /// The fact itself.
    pub fn to_fact(&self) -> Fact {
        Fact {
            subject: self.subject(),
            value: self.value,
        }
    }
}

impl FromIterator<(u32, Fact)> for Facts {
    fn from_iter<I: IntoIterator<Item = (u32, Fact)>>(facts: I) -> Self {
        Self::new(facts.into_iter().collect())
    }
}

/// Facts that are put together, group by group.
#[derive(Default)]
pub(crate) struct Gathering(Facts);

impl Gathering {
    /// Adds those of a group that have one of these numbers.
    pub(crate) fn add(
        &mut self,
        name: &[u8],
        group: &[u8],
        named: &Marks,
    ) -> Result<(), StoreError> {
        match name {
            [NO_CLASS, ..] => self.add_others(name, group, named),
            class => self.add_class(class, group, named),
        }
    }

    fn add_class(&mut self, name: &[u8], group: &[u8], named: &Marks) -> Result<(), StoreError> {
        let begin = self.0.entries.len();
        self.add_entries(group, named, is_of_whole)?;
        let middle = self.0.entries.len();
        self.add_entries(group, named, |kind| !is_of_whole(kind))?;
        let end = self.0.entries.len();
        if begin < end {
            self.0.classes.push(Class {
                name: name.into(),
                wholes: begin..middle,
                parts: middle..end,
            });
        }
        Ok(())
    }

    /// Adds those of certain kinds to a class that is not there yet.
    fn add_entries(
        &mut self,
        group: &[u8],
        named: &Marks,
        is_wanted: impl Fn(SubjectKind) -> bool,
    ) -> Result<(), StoreError> {
        let class = self.0.classes.len() as u32;
        for entry in entries(group) {
            let entry = entry?;
            if !is_wanted(entry.kind) || !named.contains(entry.number) {
                continue;
            }
            if !is_of_class(entry.kind, entry.rest) {
                return Err(damaged());
            }
            if entry.kind == SubjectKind::Supertypes {
                let names = split_supertypes(entry.rest).into_iter().flatten();
                let supertypes = names.map(NameSum::of_bytes);
                let links = supertypes.map(|supertype| Link { class, supertype });
                self.0.links.extend(links);
            }
            self.push(&entry, GroupId::Class(class));
        }
        Ok(())
    }

    fn add_others(&mut self, name: &[u8], group: &[u8], named: &Marks) -> Result<(), StoreError> {
        for entry in entries(group) {
            let entry = entry?;
            if !named.contains(entry.number) {
                continue;
            }
            // The kind stands there twice, the subject in the name alone.
            let subject = name.get(2..).filter(|_| entry.rest.is_empty());
            let subject = subject.and_then(|bytes| parse(entry.kind, None, bytes));
            let other = Other {
                at: self.0.entries.len(),
                subject: subject.ok_or(damaged())?,
            };
            self.push(&entry, GroupId::Other(self.0.others.len() as u32));
            self.0.others.push(other);
        }
        Ok(())
    }

    fn push(&mut self, entry: &Entry<'_>, group: GroupId) {
        self.0.by_number.push(Place {
            number: entry.number,
            at: self.0.entries.len(),
            group,
        });
        push_entry(&mut self.0.entries, entry);
    }

    /// All that were added; an error if two have the same number.
    pub(crate) fn finish(mut self) -> Result<Facts, StoreError> {
        let by_number = &mut self.0.by_number;
        by_number.sort_by_key(|place| place.number);
        let mut pairs = by_number.windows(2);
        if pairs.any(|pair| pair[0].number == pair[1].number) {
            return Err(damaged());
        }
        Ok(self.0)
    }
}

fn is_of_whole(kind: SubjectKind) -> bool {
    matches!(
        kind,
        SubjectKind::Class | SubjectKind::Whole | SubjectKind::Aspect
    )
}

fn damaged() -> StoreError {
    StoreError::Damaged { what: "a fact" }
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use proptest::prelude::*;

    use super::*;

    fn fact() -> impl Strategy<Value = Fact> {
        let name = prop::sample::select(vec!["a/A", "a/B", "a/C"]);
        let value = prop::option::of(any::<[u8; 16]>().prop_map(Checksum));
        (name, 0..6, value).prop_map(|(name, kind, value)| {
            let class = ClassName::from(name);
            let subject = match kind {
                0 => Subject::Class(class),
                1 => Subject::Whole(class),
                2 => Subject::Head(class),
                3 => Subject::Members(class),
                4 => Subject::Files,
                _ => Subject::Jvm,
            };
            Fact { subject, value }
        })
    }

    #[test]
    fn classes_are_linked_with_what_was_above_them() {
        let supertypes = |class: &str, above: &[&str]| Fact {
            subject: Subject::Supertypes(
                class.into(),
                above.iter().map(|it| (*it).into()).collect(),
            ),
            value: None,
        };
        let facts = [
            supertypes("a/A", &[]),
            supertypes("a/B", &["a/A", "a/I"]),
            supertypes("a/B", &["a/C"]),
        ];
        let facts: Facts = (0..).zip(facts).collect();
        let classes: Vec<_> = facts.of_classes().map(|class| class.class()).collect();
        assert_eq!(classes, [&"a/A".into(), &"a/B".into()]);
        let link = |supertype: &str| Link {
            class: 1,
            supertype: NameSum::of(&supertype.into()),
        };
        assert_eq!(facts.links(), ["a/A", "a/I", "a/C"].map(link));
    }

    #[test]
    fn what_is_no_fact_about_its_group_is_damage() {
        let all: Marks = (0..9).collect();
        let added = |name: &[u8], tail: &[u8]| {
            let entry = [&7_u32.to_le_bytes(), tail].concat();
            Gathering::default().add(name, &entry, &all)
        };
        assert!(added(b"a/B", b"\x01\x00").is_ok());
        assert!(added(b"\x00\x08", b"\x08\x00").is_ok());
        for (name, tail) in [
            (&b"a/B"[..], &b"\x00\x00"[..]),
            (b"a/B", b"\x08\x00"),
            (b"a/B", b"\x01\x01a"),
            (b"a/B", b"\x81\x00"),
            (b"\x00", b"\x08\x00"),
            (b"\x00\x08", b"\x01\x00"),
            (b"\x00\x08", b"\x08\x01a"),
        ] {
            assert!(added(name, tail).is_err(), "{name:?} {tail:?}");
        }
    }

    #[test]
    fn a_number_that_two_facts_have_is_damage() {
        let all: Marks = (0..9).collect();
        let mut gathering = Gathering::default();
        for name in [b"a/A", b"a/B"] {
            gathering.add(name, b"\x07\0\0\0\x01\x00", &all).unwrap();
        }
        assert!(gathering.finish().is_err());
    }

    proptest! {
        #[test]
        fn each_fact_is_found_once_and_with_its_class(known: BTreeSet<u32>, facts in prop::collection::vec(fact(), 0..40)) {
            let known = known.into_iter().map(|number| number % 1_000_000);
            let known: BTreeMap<u32, Fact> = known.zip(facts).collect();
            let facts: Facts = known.clone().into_iter().rev().collect();
            prop_assert_eq!(facts.len(), known.len());
            let numbered = |fact: KnownFact<'_>| (fact.number, fact.to_fact());
            prop_assert!(facts.iter().map(numbered).eq(known.clone()));
            let mut found = BTreeMap::new();
            for class in facts.of_classes() {
                for fact in class.wholes() {
                    prop_assert!(is_of_whole(fact.kind));
                    prop_assert!(fact.subject().class() == Some(class.class()));
                    prop_assert_eq!(found.insert(fact.number, fact.to_fact()), None);
                }
                for fact in class.parts() {
                    prop_assert!(!is_of_whole(fact.kind));
                    prop_assert!(fact.subject().class() == Some(class.class()));
                    prop_assert_eq!(found.insert(fact.number, fact.to_fact()), None);
                }
            }
            let names: Vec<_> = facts.of_classes().map(|class| class.class()).collect();
            let n_names = names.iter().collect::<BTreeSet<_>>().len();
            prop_assert_eq!(names.len(), n_names);
            for fact in facts.of_no_class() {
                prop_assert_eq!(fact.class(), None);
                prop_assert_eq!(found.insert(fact.number, fact.to_fact()), None);
            }
            prop_assert_eq!(&found, &known);
            for (number, fact) in known {
                prop_assert_eq!(facts.fact(number).to_fact(), fact);
            }
        }
    }
}
