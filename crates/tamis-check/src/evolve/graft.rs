//! Gadgets: a few types in Java that bring a construct which the generator does not make, and a
//! number that depends on what changes in them.
//!
//! A gadget is grafted onto a base program at each place in turn: its number is added to the result
//! of a method, or tests begin with it, one of the classes or all. So what surrounds it varies.

use super::{Evolution, Source, TestGraft};
use crate::evolving::Bounds;
use crate::program::{Expression, JavaType, Program, ValueType};

/// Types before and after, and the number.
#[derive(Debug, Clone, Copy)]
pub(super) struct Gadget {
    /// Name and declaration of types that stay.
    pub(super) same: &'static [(&'static str, &'static str)],
    pub(super) before: &'static [(&'static str, &'static str)],
    pub(super) after: &'static [(&'static str, &'static str)],
    /// An expression of type int.
    pub(super) number: &'static str,
}

/// Each gadget at each place.
pub(super) fn evolutions(source: Source<'_>, gadgets: &[Gadget]) -> Vec<Evolution> {
    let all = gadgets.iter();
    all.flat_map(|gadget| gadget.evolutions(source)).collect()
}

/// The ways to begin tests with a number: each class by itself, then all.
pub(super) fn test_grafts(bounds: &Bounds, java: &str) -> Vec<Vec<TestGraft>> {
    let n_methods = bounds.n_test_methods.max(1);
    let all: Vec<_> = (0..bounds.n_test_classes.max(2))
        .map(|class| TestGraft {
            class,
            // Not always the first method, which is the only one in some runs.
            method: class % n_methods,
            java: java.to_owned(),
        })
        .collect();
    let mut ways: Vec<_> = all.iter().map(|graft| vec![graft.clone()]).collect();
    ways.push(all);
    ways
}

impl Gadget {
    fn evolutions(&self, source: Source<'_>) -> Vec<Evolution> {
        let in_tests = test_grafts(source.bounds, self.number).into_iter();
        let in_tests = in_tests.map(|test_grafts| Evolution {
            test_grafts,
            ..self.evolution(source.program())
        });
        let in_methods = self.in_methods(source.program()).into_iter();
        in_tests
            .chain(in_methods.map(|program| self.evolution(&program)))
            .collect()
    }

    /// The program with the types, which then change.
    pub(super) fn evolution(&self, program: &Program) -> Evolution {
        let with = |types: &[(&str, &str)]| {
            let mut program = program.clone();
            let types = self.same.iter().chain(types);
            program.grafts.extend(types.map(|(name, text)| JavaType {
                name: (*name).to_owned(),
                text: format!("{text}\n"),
            }));
            program
        };
        Evolution::new(&with(self.before), with(self.after))
    }

    /// The program with the number added to the result of each method that returns one.
    fn in_methods(&self, program: &Program) -> Vec<Program> {
        let mut grafted = Vec::new();
        for (index, part) in program.types.iter().enumerate() {
            for (number, method) in part.methods.iter().enumerate() {
                if !matches!(method.result, ValueType::Int | ValueType::Long) {
                    continue;
                }
                let mut with = program.clone();
                if let Some(body) = &mut with.types[index].methods[number].body {
                    let number = Expression::Java(self.number.to_owned());
                    body.result = Expression::Sum(Box::new(body.result.clone()), Box::new(number));
                    grafted.push(with);
                }
            }
        }
        grafted
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evolve::difference::difference;
    use crate::program::sample::sample;

    const GADGET: Gadget = Gadget {
        same: &[("Same", "class Same {}")],
        before: &[("Changing", "class Changing { /* 1 */ }")],
        after: &[("Changing", "class Changing { /* 2 */ }")],
        number: "Same.number()",
    };

    #[test]
    fn a_gadget_is_added_and_then_changes() {
        let evolution = GADGET.evolution(&sample());
        insta::assert_snapshot!(difference(&sample(), &evolution.before), @r#"
        + p/Changing.java
        + p/Same.java
        "#);
        insta::assert_snapshot!(difference(&evolution.before, &evolution.after), @r#"
        p/Changing.java
          - class Changing { /* 1 */ }
          + class Changing { /* 2 */ }
        "#);
    }

    #[test]
    fn its_number_goes_to_each_method_that_returns_one() {
        let grafted = GADGET.in_methods(&sample());
        let changes: String = grafted
            .iter()
            .map(|program| difference(&sample(), program))
            .collect();
        insta::assert_snapshot!(changes, @r#"
        p/A.java
          - return 1;
          + return 1 + Same.number();
        p/A.java
          - return 2;
          + return 2 + Same.number();
        p/A.java
          - return this.m(3);
          + return this.m(3) + Same.number();
        p/sub/B.java
          - return super.m();
          + return super.m() + Same.number();
        p/D.java
          - return p;
          + return p + Same.number();
        "#);
    }

    #[test]
    fn its_number_goes_to_tests_of_one_class_and_of_all() {
        let ways = test_grafts(&Bounds::default(), "1");
        let places = |way: &Vec<TestGraft>| {
            let places = way.iter().map(|graft| (graft.class, graft.method));
            places.collect::<Vec<_>>()
        };
        let places: Vec<_> = ways.iter().map(places).collect();
        assert_eq!(places, [vec![(0, 0)], vec![(1, 1)], vec![(0, 0), (1, 1)]]);
    }
}
