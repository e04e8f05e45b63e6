//! Base programs: every program within bounds has a number, and every number can be asked for.
//!
//! A program is a few choices: a hierarchy of types, fields, methods, and a body for each method.
//! How many there are of each is known beforehand, so that the choices are the digits of a number
//! and nothing is enumerated to find one. Programs of one size (types, fields, methods) make a
//! *stratum*; the numbers of the strata follow each other.
//!
//! Two numbers may mean one program, when the order of choices does not matter or a digit is larger
//! than what there is to choose from; the smallest is the program's own.

mod bodies;
mod hierarchy;
mod members;
mod vocabulary;
mod walk;

use crate::evolving::Bounds;
use crate::program::{Kind, Program, Type};

pub(crate) use walk::Walk;

use hierarchy::Hierarchy;
use members::{FieldChoice, MethodChoice};

/// More bodies than any method has to choose from.
const N_BODIES: u128 = 256;

/// How many numbers are tried for the next program that is wanted.
const N_TRIES: usize = 20_000;

/// Hierarchies are kept in a table, which grows fast.
const MAX_TYPES: usize = 4;

/// All base programs within bounds.
#[derive(Debug)]
pub(crate) struct Space {
    /// By the number of types.
    hierarchies: Vec<Vec<Hierarchy>>,
    strata: Vec<Stratum>,
}

/// The programs of one size.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Stratum {
    pub(crate) n_types: usize,
    pub(crate) n_fields: usize,
    pub(crate) n_methods: usize,
    /// The first number.
    pub(crate) start: u128,
    /// How many numbers.
    size: u128,
    /// How many numbers a walk has.
    pub(crate) walk_size: u128,
    radices: Radices,
}

/// How many choices a digit has, at most.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Radices {
    hierarchy: u128,
    field: u128,
    method: u128,
}

/// A base program and its number.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Base {
    pub(crate) number: u128,
    pub(crate) program: Program,
    stratum: usize,
    choices: Choices,
    /// How many bodies each method had to choose from.
    n_bodies: Vec<usize>,
}

/// The digits of a number, the most significant first.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Choices {
    hierarchy: usize,
    fields: Vec<usize>,
    methods: Vec<usize>,
    bodies: Vec<usize>,
}

impl Space {
    /// Bounds that are too large for numbers of 128 bits lose their largest strata.
    pub(crate) fn new(bounds: &Bounds) -> Self {
        let n_types = bounds.n_types.clamp(1, MAX_TYPES);
        let hierarchies: Vec<_> = (0..=n_types).map(hierarchy::all).collect();
        let mut strata: Vec<Stratum> = Vec::new();
        for (n_types, hierarchies) in hierarchies.iter().enumerate().skip(n_types.min(2)) {
            let radices = Radices::of(hierarchies);
            for n_fields in 0..=bounds.n_fields {
                for n_methods in 1..=bounds.n_methods.max(1) {
                    let start = strata.last().map_or(0, |last| last.start + last.size);
                    let size = radices.size(n_fields, n_methods);
                    let size = size.filter(|size| start.checked_add(*size).is_some());
                    let walk_size = vocabulary::size(&radices, n_types, n_fields, n_methods);
                    let (Some(size), Some(walk_size)) = (size, walk_size) else {
                        continue;
                    };
                    strata.push(Stratum {
                        n_types,
                        n_fields,
                        n_methods,
                        start,
                        size,
                        walk_size,
                        radices: radices.clone(),
                    });
                }
            }
        }
        Self {
            hierarchies,
            strata,
        }
    }

    pub(crate) fn strata(&self) -> &[Stratum] {
        &self.strata
    }

    /// The program that a number means; its own number may be smaller.
    pub(crate) fn base(&self, number: u128) -> Option<Base> {
        let holds = |s: &Stratum| (s.start..s.start + s.size).contains(&number);
        let stratum = self.strata.iter().position(holds)?;
        let choices = self.strata[stratum].choices(number);
        self.build(stratum, choices)
    }

    /// The program that a number of a walk through a stratum means.
    pub(crate) fn base_of_walk(&self, stratum: usize, number: u128) -> Option<Base> {
        let size = &self.strata[stratum];
        let choices = vocabulary::choices(size, &self.hierarchies[size.n_types], number);
        self.build(stratum, choices)
    }

    /// The next program in generation order that is wanted: the last choice that has a next one
    /// takes it, and those behind it begin anew. The size stays.
    pub(crate) fn next(&self, base: &Base, is_wanted: impl Fn(&Program) -> bool) -> Option<Base> {
        let radices = &self.strata[base.stratum].radices;
        let mut choices = base.choices.clone();
        let mut n_bodies = base.n_bodies.clone();
        for _ in 0..N_TRIES {
            choices.advance(&n_bodies, radices)?;
            let Some(next) = self.build(base.stratum, choices.clone()) else {
                // The first bodies are constants: if even they fail, other bodies do not help.
                if choices.bodies.iter().all(|digit| *digit == 0) {
                    n_bodies.fill(1);
                }
                continue;
            };
            if next.choices == choices && next.program != base.program && is_wanted(&next.program) {
                return Some(next);
            }
            n_bodies = next.n_bodies;
        }
        None
    }

    /// Makes the program of choices, and the choices its own.
    fn build(&self, stratum: usize, mut choices: Choices) -> Option<Base> {
        let size = &self.strata[stratum];
        let hierarchies = &self.hierarchies[size.n_types];
        choices.hierarchy %= hierarchies.len();
        let hierarchy = &hierarchies[choices.hierarchy];
        let fields = members::fields(hierarchy);
        let methods = members::methods(hierarchy);
        sort_into(&mut choices.fields, fields.len())?;
        sort_into(&mut choices.methods, methods.len())?;

        let mut program = Program {
            types: hierarchy::types(hierarchy),
            grafts: Vec::new(),
            surroundings: Vec::new(),
            absent: std::collections::BTreeSet::new(),
        };
        for (place, choice) in (0..).zip(&choices.fields) {
            fields[*choice].add_to(&mut program.types, place);
        }
        let places = choices.methods.iter().map(|choice| &methods[*choice]);
        let places: Vec<_> = places
            .map(|choice| choice.add_to(&mut program.types))
            .collect();
        if !program.has_sound_declarations() {
            return None;
        }
        let bodies: Vec<_> = (0..)
            .zip(&places)
            .map(|(number, place)| bodies::all(&program, place.0, place.1, number))
            .collect();
        for (digit, bodies) in choices.bodies.iter_mut().zip(&bodies) {
            *digit %= bodies.len().max(1);
        }
        for ((owner, method), (bodies, digit)) in
            places.iter().zip(bodies.iter().zip(&choices.bodies))
        {
            // Abstract methods have nothing to choose from.
            if let Some(body) = bodies.get(*digit) {
                program.types[*owner].methods[*method].body = Some(body.clone());
            }
        }
        (program.is_sound() && program.terminates()).then(|| Base {
            number: size.number(&choices),
            program,
            stratum,
            n_bodies: bodies.iter().map(|bodies| bodies.len().max(1)).collect(),
            choices,
        })
    }
}

/// Brings choices below `n` and in order; none if two are the same.
fn sort_into(choices: &mut [usize], n: usize) -> Option<()> {
    for choice in &mut *choices {
        *choice %= n.max(1);
    }
    choices.sort_unstable();
    let are_distinct = choices.windows(2).all(|pair| pair[0] != pair[1]);
    (are_distinct && (n > 0 || choices.is_empty())).then_some(())
}

impl Radices {
    fn of(hierarchies: &[Hierarchy]) -> Self {
        // Classes have the most to choose from.
        let is_largest = |hierarchy: &&Hierarchy| hierarchy.iter().all(|s| s.kind == Kind::Class);
        let largest = |count: fn(&Hierarchy) -> usize| {
            let counts = hierarchies.iter().filter(is_largest).map(count);
            counts.max().unwrap_or(0).max(1) as u128
        };
        Self {
            hierarchy: (hierarchies.len() as u128).max(1),
            field: largest(|hierarchy| members::fields(hierarchy).len()),
            method: largest(|hierarchy| members::methods(hierarchy).len()),
        }
    }

    /// How many numbers there are with so many fields and methods; none if they do not fit.
    fn size(&self, n_fields: usize, n_methods: usize) -> Option<u128> {
        let fields = self.field.checked_pow(n_fields as u32)?;
        let methods = (self.method * N_BODIES).checked_pow(n_methods as u32)?;
        self.hierarchy.checked_mul(fields)?.checked_mul(methods)
    }
}

impl Stratum {
    fn choices(&self, number: u128) -> Choices {
        let mut digits = Digits(number - self.start);
        Choices {
            bodies: digits.take(self.n_methods, N_BODIES),
            methods: digits.take(self.n_methods, self.radices.method),
            fields: digits.take(self.n_fields, self.radices.field),
            hierarchy: digits.take_one(self.radices.hierarchy),
        }
    }

    fn number(&self, choices: &Choices) -> u128 {
        let Radices { field, method, .. } = self.radices;
        let add = |number: u128, digits: &[usize], radix: u128| {
            let add = |number: u128, digit: &usize| number * radix + *digit as u128;
            digits.iter().fold(number, add)
        };
        let number = add(choices.hierarchy as u128, &choices.fields, field);
        let number = add(number, &choices.methods, method);
        self.start + add(number, &choices.bodies, N_BODIES)
    }
}

/// What is left of a number whose last digits have been taken.
#[derive(Debug)]
struct Digits(u128);

impl Digits {
    fn take_one(&mut self, radix: u128) -> usize {
        let digit = (self.0 % radix) as usize;
        self.0 /= radix;
        digit
    }

    /// The last `n` digits, the most significant first.
    fn take(&mut self, n: usize, radix: u128) -> Vec<usize> {
        let mut digits: Vec<_> = (0..n).map(|_| self.take_one(radix)).collect();
        digits.reverse();
        digits
    }
}

impl Choices {
    /// The choices after these; none after the last.
    fn advance(&mut self, n_bodies: &[usize], radices: &Radices) -> Option<()> {
        let bodies = self.bodies.iter_mut().zip(n_bodies.iter().copied());
        let method = radices.method as usize;
        let methods = self.methods.iter_mut().map(|digit| (digit, method));
        let field = radices.field as usize;
        let fields = self.fields.iter_mut().map(|digit| (digit, field));
        let hierarchy = (&mut self.hierarchy, radices.hierarchy as usize);
        let digits = bodies.rev().chain(methods.rev()).chain(fields.rev());
        for (digit, radix) in digits.chain([hierarchy]) {
            *digit += 1;
            if *digit < radix {
                return Some(());
            }
            *digit = 0;
        }
        None
    }
}

impl FieldChoice {
    /// Adds the field; its place makes its value.
    fn add_to(&self, types: &mut [Type], place: u8) {
        let owner = &mut types[self.owner];
        let (field, statement) = self.field(10 + i64::from(place));
        owner.fields.push(field);
        owner.static_initialiser.extend(statement);
    }
}

impl MethodChoice {
    /// Adds the method without a body; says where it is.
    fn add_to(&self, types: &mut [Type]) -> (usize, usize) {
        let methods = &mut types[self.owner].methods;
        methods.push(self.method());
        (self.owner, methods.len() - 1)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::sync::Arc;

    use super::*;
    use crate::constraint::Constraint;
    use crate::random::Random;

    /// So few that all can be looked at.
    fn small() -> Space {
        Space::new(&Bounds {
            n_types: 1,
            n_fields: 0,
            n_methods: 1,
            ..Bounds::default()
        })
    }

    fn own_numbers(space: &Space) -> BTreeSet<u128> {
        let last = space.strata().last().unwrap();
        let numbers = 0..last.start + last.size;
        let bases = numbers.filter_map(|number| space.base(number));
        bases.map(|base| base.number).collect()
    }

    #[test]
    fn each_program_has_one_number_that_leads_back_to_it() {
        let space = small();
        let numbers = own_numbers(&space);
        for number in &numbers {
            assert_eq!(space.base(*number).unwrap().number, *number);
        }
        let programs: Vec<_> = numbers.iter().filter_map(|n| space.base(*n)).collect();
        for (at, one) in programs.iter().enumerate() {
            let mut later = programs[at + 1..].iter();
            assert!(later.all(|other| other.program != one.program));
        }
        assert_eq!(numbers.len(), 92);
    }

    #[test]
    fn a_walk_reaches_every_program() {
        let space = Arc::new(small());
        let random = Random::new(3);
        let walk = Walk::new(Arc::clone(&space), Constraint::Unconstrained, random);
        let numbers: Vec<_> = walk.map(|base| base.number).collect();
        assert_eq!(
            numbers.iter().copied().collect::<BTreeSet<_>>(),
            own_numbers(&space)
        );
        assert!(!numbers.is_sorted());
    }

    #[test]
    fn programs_are_sound_and_hold_their_constraint() {
        let space = Arc::new(Space::new(&Bounds::default()));
        for constraint in Constraint::ALL {
            let walk = Walk::new(Arc::clone(&space), *constraint, Random::new(3));
            for base in walk.take(50) {
                assert!(base.program.is_sound() && constraint.holds(&base.program));
                assert!(base.n_bodies.iter().all(|n| (*n as u128) < N_BODIES));
                assert_eq!(space.base(base.number), Some(base));
            }
        }
    }

    #[test]
    fn the_next_program_is_later_and_wanted() {
        let space = Arc::new(Space::new(&Bounds::default()));
        let walk = Walk::new(Arc::clone(&space), Constraint::SomeCaller, Random::new(3));
        let is_wanted = |program: &Program| Constraint::SomeCaller.holds(program);
        let mut n_next = 0;
        for base in walk.take(50) {
            if let Some(next) = space.next(&base, is_wanted) {
                assert!(next.number > base.number && is_wanted(&next.program));
                n_next += 1;
            }
        }
        assert!(n_next > 40, "{n_next}");
    }

    #[test]
    fn bounds_that_do_not_fit_lose_the_largest_programs() {
        let bounds = Bounds {
            n_methods: 50,
            ..Bounds::default()
        };
        let space = Space::new(&bounds);
        let most = space.strata().iter().map(|stratum| stratum.n_methods).max();
        assert!((5..10).contains(&most.unwrap()), "{most:?}");
    }

    #[test]
    fn numbers_without_a_program() {
        assert_eq!(small().base(u128::MAX), None);
    }
}
