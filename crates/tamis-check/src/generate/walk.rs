//! The base programs of a constraint in an order that a seed fixes, one at a time.
//!
//! Strata take turns, so that small and large programs are mixed. Within a stratum numbers are
//! permuted by a formula, so that nothing but a counter is kept.

use std::sync::Arc;

use super::{Base, Space};
use crate::constraint::Constraint;
use crate::random::{Permutation, Random};

/// An endless-looking iterator: it ends when every number has been tried.
#[derive(Debug)]
pub(crate) struct Walk {
    space: Arc<Space>,
    constraint: Constraint,
    ways: Vec<Way>,
    turn: usize,
}

/// The way through one stratum.
#[derive(Debug)]
struct Way {
    stratum: usize,
    permutation: Permutation,
    next: u128,
}

impl Walk {
    pub(crate) fn new(space: Arc<Space>, constraint: Constraint, mut random: Random) -> Self {
        let strata = space.strata().iter().enumerate();
        let fitting = strata.filter(|(_, s)| constraint.fits(s.n_fields, s.n_methods));
        let mut ways: Vec<_> = fitting
            .map(|(stratum, size)| Way {
                stratum,
                permutation: Permutation::new(size.walk_size, &mut random),
                next: 0,
            })
            .collect();
        random.shuffle(&mut ways);
        Self {
            space,
            constraint,
            ways,
            turn: 0,
        }
    }
}

impl Iterator for Walk {
    type Item = Base;

    fn next(&mut self) -> Option<Base> {
        while !self.ways.is_empty() {
            self.turn %= self.ways.len();
            let way = &mut self.ways[self.turn];
            let found = way.find(|base| self.constraint.holds(&base.program), &self.space);
            match found {
                Some(base) => {
                    self.turn += 1;
                    return Some(base);
                }
                None => {
                    self.ways.remove(self.turn);
                }
            }
        }
        None
    }
}

impl Way {
    /// The next program of the stratum that is wanted.
    fn find(&mut self, is_wanted: impl Fn(&Base) -> bool, space: &Space) -> Option<Base> {
        loop {
            let number = self.permutation.apply(self.next)?;
            self.next += 1;
            let base = space.base_of_walk(self.stratum, number);
            if let Some(base) = base.filter(&is_wanted) {
                return Some(base);
            }
        }
    }
}
