//! The classes that are below one that changed, or were when something was recorded.
//!
//! A fact that is about a class and all above it need not be looked at where nothing of that changed: each record that has it knows
//! what was above. In a project of a hundred thousand classes mostly one changed, and mostly none is below it. So names are compared
//! by their sums, which were made when facts were loaded: where two names have the same, a class is looked at in vain, and
//! none is left out.

use std::collections::{HashMap, HashSet};

use tamis_store::{ClassFacts, Facts, Link, NameSum};

/// For each class whether it changed or is below one that did, however far.
pub(super) fn concerned(
    facts: &Facts,
    classes: &[ClassFacts<'_>],
    changed: Vec<bool>,
) -> Vec<bool> {
    let mut concerned = changed;
    let sum_of = |class: usize| NameSum::of(classes[class].class());
    let positions = 0..classes.len();
    let mut next: Vec<NameSum> = positions.filter(|it| concerned[*it]).map(sum_of).collect();
    if !has_links_to(&next, facts.links()) {
        return concerned;
    }
    let mut below: HashMap<NameSum, Vec<u32>> = HashMap::new();
    for link in facts.links() {
        below.entry(link.supertype).or_default().push(link.class);
    }
    while let Some(supertype) = next.pop() {
        for class in below.remove(&supertype).into_iter().flatten() {
            let is_known = std::mem::replace(&mut concerned[class as usize], true);
            if !is_known {
                next.push(sum_of(class as usize));
            }
        }
    }
    concerned
}

/// Whether any class is right below one of these.
fn has_links_to(supertypes: &[NameSum], links: &[Link]) -> bool {
    if supertypes.is_empty() {
        return false;
    }
    let filter = Filter::of(supertypes);
    let supertypes: HashSet<NameSum> = supertypes.iter().copied().collect();
    let mut named = links.iter().map(|link| link.supertype);
    named.any(|sum| filter.may_have(sum) && supertypes.contains(&sum))
}

/// Tells of most sums that they are not among some, at once.
struct Filter(Vec<bool>);

impl Filter {
    const LENGTH: usize = 1 << 16;

    fn of(sums: &[NameSum]) -> Self {
        let mut places = vec![false; Self::LENGTH];
        for sum in sums {
            places[Self::place(*sum)] = true;
        }
        Self(places)
    }

    fn may_have(&self, sum: NameSum) -> bool {
        self.0[Self::place(sum)]
    }

    fn place(sum: NameSum) -> usize {
        sum.0 as usize % Self::LENGTH
    }
}

#[cfg(test)]
mod tests {
    use tamis_facts::{ClassName, Fact, Subject};

    use super::*;

    fn name(number: usize) -> ClassName {
        format!("a/C{number}").as_str().into()
    }

    /// A class that is below others, whichever these are.
    fn supertypes(number: usize, above: &[usize]) -> Fact {
        let above = above.iter().map(|number| name(*number)).collect();
        Fact {
            subject: Subject::Supertypes(name(number), above),
            value: None,
        }
    }

    /// Which classes are concerned if some changed.
    fn found(above: &[Vec<usize>], changed: &[bool]) -> Vec<bool> {
        let facts = above.iter().enumerate();
        let facts = facts.map(|(number, above)| supertypes(number, above));
        let facts: Facts = (0..).zip(facts).collect();
        let classes: Vec<ClassFacts<'_>> = facts.of_classes().collect();
        assert!(
            classes
                .iter()
                .map(|class| class.class().clone())
                .eq((0..above.len()).map(name))
        );
        concerned(&facts, &classes, changed.to_vec())
    }

    #[test]
    fn all_that_is_below_is_concerned() {
        let above = [vec![], vec![0], vec![1, 9], vec![9], vec![]];
        let of = |changed: usize| {
            let changed: Vec<bool> = (0..5).map(|class| class == changed).collect();
            found(&above, &changed)
        };
        assert_eq!(of(0), [true, true, true, false, false]);
        assert_eq!(of(2), [false, false, true, false, false]);
        assert_eq!(of(9), [false; 5]);
    }

    #[test]
    fn nothing_that_is_below_is_left_out() {
        let mut state = 1_u64;
        let mut below = |limit: u64| {
            state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
            (state >> 33) % limit
        };
        for _ in 0..500 {
            let above = (0..10).map(|_| (0..below(3)).map(|_| below(12) as usize).collect());
            let above: Vec<Vec<usize>> = above.collect();
            let changed: Vec<bool> = (0..10).map(|_| below(4) == 0).collect();
            let mut expected = changed.clone();
            for class in (0..10).cycle().take(100) {
                let mut above = above[class].iter();
                expected[class] |= above.any(|one| expected.get(*one) == Some(&true));
            }
            assert_eq!(found(&above, &changed), expected, "{above:?} {changed:?}");
        }
    }
}
