//! The facts that records name, by number and by class.
//!
//! Nearly all facts are about classes, a dozen about each. What is asked of a class is asked once for all of them, so
//! they are kept together: whoever compares facts need not look at each name.

use std::collections::HashMap;
use std::ops::Index;

use tamis_facts::{ClassName, Fact, Subject};

/// Facts by their numbers.
#[derive(Debug, PartialEq, Eq)]
pub struct Facts {
    /// In the order of their numbers.
    by_number: Vec<(u32, Fact)>,
    /// Positions of facts about classes, class by class: first those about the whole, then those about parts.
    by_class: Vec<u32>,
    /// Where those about the whole of each class begin, those about its parts, and so on; at last where all end.
    begins: Vec<usize>,
    /// Positions of the others.
    of_no_class: Vec<u32>,
}

/// What is known of a class: not nothing.
#[derive(Debug, Clone, Copy)]
pub struct ClassFacts<'f> {
    all: &'f Facts,
    wholes: &'f [u32],
    parts: &'f [u32],
}

impl Facts {
    /// Facts, each with its number.
    pub fn new(mut facts: Vec<(u32, Fact)>) -> Self {
        facts.sort_by_key(|(number, _)| *number);
        let mut ids = ClassIds::default();
        let ids: Vec<Option<usize>> = facts.iter().map(|(_, fact)| ids.of(fact)).collect();
        let keys = ids.iter().zip(&facts);
        let keys = keys.map(|(id, (_, fact))| id.map(|id| 2 * id + usize::from(is_of_part(fact))));
        let keys: Vec<Option<usize>> = keys.collect();
        let n_keys = ids.iter().flatten().max().map_or(0, |last| 2 * (last + 1));
        let begins = begins(&keys, n_keys);
        let mut next = begins.clone();
        let mut by_class = vec![0; begins[n_keys]];
        let mut of_no_class = Vec::new();
        for (position, key) in (0..).zip(&keys) {
            match key {
                Some(key) => {
                    by_class[next[*key]] = position;
                    next[*key] += 1;
                }
                None => of_no_class.push(position),
            }
        }
        Self {
            by_number: facts,
            by_class,
            begins,
            of_no_class,
        }
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
    pub fn iter(&self) -> impl Iterator<Item = (u32, &Fact)> {
        self.by_number.iter().map(|(number, fact)| (*number, fact))
    }

    /// What is known of each class, in no particular order.
    pub fn of_classes(&self) -> impl Iterator<Item = ClassFacts<'_>> {
        let bounds = self.begins.windows(3).step_by(2);
        bounds.map(|bounds| ClassFacts {
            all: self,
            wholes: &self.by_class[bounds[0]..bounds[1]],
            parts: &self.by_class[bounds[1]..bounds[2]],
        })
    }

    /// Those that are not about classes.
    pub fn of_no_class(&self) -> impl Iterator<Item = (u32, &Fact)> {
        self.at(&self.of_no_class)
    }

    fn at<'f>(&'f self, positions: &'f [u32]) -> impl Iterator<Item = (u32, &'f Fact)> {
        positions.iter().map(|position| {
            let (number, fact) = &self.by_number[*position as usize];
            (*number, fact)
        })
    }
}

impl<'f> ClassFacts<'f> {
    /// Which class.
    pub fn class(&self) -> Option<&'f ClassName> {
        let position = self.wholes.first().or(self.parts.first())?;
        self.all.by_number[*position as usize].1.subject.class()
    }

    /// Facts about it as a whole.
    pub fn wholes(&self) -> impl Iterator<Item = (u32, &'f Fact)> {
        self.all.at(self.wholes)
    }

    /// Facts about parts of it.
    pub fn parts(&self) -> impl Iterator<Item = (u32, &'f Fact)> {
        self.all.at(self.parts)
    }
}

impl Default for Facts {
    /// None.
    fn default() -> Self {
        Self::new(Vec::new())
    }
}

impl Index<u32> for Facts {
    type Output = Fact;

    /// The fact of this number, which must be there: records and facts are loaded together.
    fn index(&self, number: u32) -> &Fact {
        let found = self
            .by_number
            .binary_search_by_key(&number, |(known, _)| *known);
        let position = found.expect("a record is loaded with its facts");
        &self.by_number[position].1
    }
}

impl FromIterator<(u32, Fact)> for Facts {
    fn from_iter<I: IntoIterator<Item = (u32, Fact)>>(facts: I) -> Self {
        Self::new(facts.into_iter().collect())
    }
}

/// Numbers of classes, from zero on.
#[derive(Default)]
struct ClassIds<'f> {
    known: HashMap<&'f ClassName, usize>,
    /// Facts about one class are mostly neighbours.
    last: Option<(&'f ClassName, usize)>,
}

impl<'f> ClassIds<'f> {
    fn of(&mut self, fact: &'f Fact) -> Option<usize> {
        let class = fact.subject.class()?;
        if let Some((last, id)) = self.last
            && last == class
        {
            return Some(id);
        }
        let next = self.known.len();
        let id = *self.known.entry(class).or_insert(next);
        self.last = Some((class, id));
        Some(id)
    }
}

fn is_of_part(fact: &Fact) -> bool {
    !matches!(fact.subject, Subject::Class(_) | Subject::Whole(_))
}

/// Where the things with each key begin if they are sorted by keys, and where the last end.
fn begins(keys: &[Option<usize>], n_keys: usize) -> Vec<usize> {
    let mut begins = vec![0; n_keys + 1];
    for key in keys.iter().flatten() {
        begins[key + 1] += 1;
    }
    for key in 0..n_keys {
        begins[key + 1] += begins[key];
    }
    begins
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use proptest::prelude::*;
    use tamis_facts::Checksum;

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

    proptest! {
        #[test]
        fn each_fact_is_found_once_and_with_its_class(known: BTreeSet<u32>, facts in prop::collection::vec(fact(), 0..40)) {
            let known: BTreeMap<u32, Fact> = known.into_iter().zip(facts).collect();
            let facts: Facts = known.clone().into_iter().rev().collect();
            prop_assert_eq!(facts.len(), known.len());
            prop_assert!(facts.iter().eq(known.iter().map(|(number, fact)| (*number, fact))));
            let mut found = BTreeMap::new();
            for class in facts.of_classes() {
                let name = class.class().unwrap();
                for (number, fact) in class.wholes() {
                    prop_assert!(!is_of_part(fact));
                    prop_assert_eq!(fact.subject.class(), Some(name));
                    prop_assert_eq!(found.insert(number, fact.clone()), None);
                }
                for (number, fact) in class.parts() {
                    prop_assert!(is_of_part(fact));
                    prop_assert_eq!(fact.subject.class(), Some(name));
                    prop_assert_eq!(found.insert(number, fact.clone()), None);
                }
            }
            let names: Vec<_> = facts.of_classes().map(|class| class.class()).collect();
            let n_names = names.iter().collect::<BTreeSet<_>>().len();
            prop_assert_eq!(names.len(), n_names);
            for (number, fact) in facts.of_no_class() {
                prop_assert_eq!(fact.subject.class(), None);
                prop_assert_eq!(found.insert(number, fact.clone()), None);
            }
            prop_assert_eq!(&found, &known);
            for (number, fact) in &known {
                prop_assert_eq!(&facts[*number], fact);
            }
        }
    }
}
