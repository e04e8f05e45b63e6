//! Which mutants a drill makes: so many of each operator, from places in a random order.

use std::collections::{BTreeMap, VecDeque};

use anyhow::{Context, Result};

use crate::code_base::{Change, CodeBase};
use crate::operators::Operator;
use crate::random::Random;

/// A change that an operator makes. Its number among all places of the operator is its name: it does not depend on the
/// seed.
#[derive(Debug, Clone)]
pub(crate) struct Mutant {
    pub(crate) operator: Operator,
    number: usize,
    pub(crate) change: Change,
}

/// What is left to do.
#[derive(Debug)]
pub(crate) struct Plan {
    /// How many of each operator are still to be made.
    wanted: BTreeMap<Operator, usize>,
    /// How many were at first.
    all: BTreeMap<Operator, usize>,
    places: BTreeMap<Operator, VecDeque<Mutant>>,
}

/// One mutant in so many is made by each operator that changes more than bodies.
const SHARE: usize = 40;

impl Mutant {
    pub(crate) fn id(&self) -> String {
        format!("{}-{}", self.operator, self.number)
    }

    /// The mutant of this name.
    pub(crate) fn named(code: &CodeBase, id: &str) -> Result<Self> {
        let found = id.rsplit_once('-').and_then(|(operator, number)| {
            let (operator, number) = (Operator::named(operator)?, number.parse().ok()?);
            let change = operator.places(code).into_iter().nth(number)?;
            Some(Self {
                operator,
                number,
                change,
            })
        });
        found.with_context(|| format!("there is no mutant `{id}` here"))
    }
}

impl Plan {
    /// So many mutants: each operator that changes more than bodies makes one at least, and the others share the rest
    /// evenly.
    pub(crate) fn new(code: &CodeBase, n_mutants: usize, seed: u64) -> Self {
        let (bodies, others): (Vec<Operator>, Vec<Operator>) =
            Operator::all().partition(|operator| operator.is_of_bodies());
        let n_each = (n_mutants / SHARE).max(1);
        let mut wanted: BTreeMap<Operator, usize> = others
            .into_iter()
            .map(|operator| (operator, n_each))
            .collect();
        let rest = n_mutants.saturating_sub(n_each * wanted.len());
        for (index, operator) in bodies.iter().enumerate() {
            let n_more = usize::from(index < rest % bodies.len());
            wanted.insert(*operator, rest / bodies.len() + n_more);
        }
        Self::of(code, wanted, seed)
    }

    /// So many mutants of some operators, shared evenly.
    pub(crate) fn only(
        code: &CodeBase,
        operators: &[Operator],
        n_mutants: usize,
        seed: u64,
    ) -> Self {
        let n_each = n_mutants.div_ceil(operators.len().max(1));
        let wanted = operators.iter().map(|operator| (*operator, n_each));
        Self::of(code, wanted.collect(), seed)
    }

    fn of(code: &CodeBase, wanted: BTreeMap<Operator, usize>, seed: u64) -> Self {
        let mut random = Random::new(seed);
        let places = wanted.keys().map(|operator| {
            let places = operator.places(code).into_iter().enumerate();
            let mut mutants: Vec<Mutant> = places
                .map(|(number, change)| Mutant {
                    operator: *operator,
                    number,
                    change,
                })
                .collect();
            random.shuffle(&mut mutants);
            (*operator, mutants.into())
        });
        Self {
            places: places.collect(),
            all: wanted.clone(),
            wanted,
        }
    }

    /// The next candidate: of the operator that has made the smallest part of its mutants, so that a drill that is
    /// stopped has tried all of them.
    pub(crate) fn next(&mut self) -> Option<Mutant> {
        let places = &mut self.places;
        let left = self.wanted.iter().filter(|(operator, n_wanted)| {
            **n_wanted > 0
                && places
                    .get(operator)
                    .is_some_and(|places| !places.is_empty())
        });
        let share =
            |(operator, n_wanted): &(&Operator, &usize)| 1000 * **n_wanted / self.all[*operator];
        let (operator, _) = left.max_by_key(share)?;
        places.get_mut(operator)?.pop_front()
    }

    /// A candidate became a mutant: it compiles, and its classes are not those of before.
    pub(crate) fn count(&mut self, mutant: &Mutant) {
        if let Some(n_wanted) = self.wanted.get_mut(&mutant.operator) {
            *n_wanted = n_wanted.saturating_sub(1);
        }
    }

    /// Operators that have made fewer mutants than they should, and how many are missing.
    pub(crate) fn missing(&self) -> impl Iterator<Item = (Operator, usize)> {
        let missing = self.wanted.iter().filter(|(_, n_wanted)| **n_wanted > 0);
        missing.map(|(operator, n_wanted)| (*operator, *n_wanted))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::code_base::tests::code_base;

    fn ids(n_mutants: usize, seed: u64) -> Vec<String> {
        let code = code_base(
            "class A { int f() { return 1 + 2 + 3 + 4; } private void g() { f(5); } }",
            "",
        );
        let mut plan = Plan::new(&code, n_mutants, seed);
        let mut ids = Vec::new();
        while let Some(mutant) = plan.next() {
            plan.count(&mutant);
            assert_eq!(
                Mutant::named(&code, &mutant.id()).unwrap().change,
                mutant.change
            );
            ids.push(mutant.id());
        }
        ids
    }

    #[test]
    fn a_seed_gives_one_choice_with_every_operator_that_has_a_place() {
        let chosen = ids(20, 1);
        assert_eq!(chosen, ids(20, 1));
        assert_ne!(chosen, ids(20, 3));
        for operator in [
            "literal",
            "call",
            "return",
            "access",
            "add-override",
            "resource",
        ] {
            assert!(
                chosen.iter().any(|id| id.starts_with(operator)),
                "{operator} {chosen:?}"
            );
        }
    }

    #[test]
    fn what_does_not_compile_is_replaced() {
        let code = code_base("class A { private void f() { } }", "");
        let operator = Operator::named("access").unwrap();
        let mut plan = Plan::only(&code, &[operator], 1, 1);
        assert!(plan.next().is_some());
        assert!(plan.next().is_some());
        assert!(plan.next().is_none());
        assert_eq!(plan.missing().collect::<Vec<_>>(), [(operator, 1)]);
    }

    #[test]
    fn the_first_mutants_are_of_all_operators() {
        let code = code_base(
            "class A { int f() { return 1 + 2 + 3 + 4; } private void g() { } }",
            "",
        );
        let mut plan = Plan::new(&code, 400, 1);
        let mut first = Vec::new();
        for _ in 0..7 {
            let mutant = plan.next().unwrap();
            plan.count(&mutant);
            first.push(mutant.operator.name());
        }
        first.sort_unstable();
        assert_eq!(
            first,
            [
                "access",
                "add-override",
                "annotation",
                "hierarchy",
                "literal",
                "resource",
                "return"
            ]
        );
    }

    #[test]
    fn names_that_are_none() {
        let code = code_base("class A { }", "");
        for id in ["access", "access-0", "nothing-0", "access-x"] {
            assert!(Mutant::named(&code, id).is_err(), "{id}");
        }
    }
}
