//! The order of a plan: operators take turns, then constraints, then base programs, then places.
//!
//! Each pair of operator and constraint has a *lane*: a walk of its own over base programs. A lane
//! keeps a few base programs open and shows one place of each before a second place of any, so that
//! the beginning of a plan is varied and every place has its turn.

use std::collections::VecDeque;
use std::sync::Arc;

use super::{EvolvingProgram, Plan, ProgramId};
use crate::constraint::Constraint;
use crate::evolve::{self, Evolution, Source};
use crate::generate::{Base, Space, Walk};
use crate::operator::Operator;
use crate::random::Random;

/// The programs of a plan with repetitions.
pub(super) struct Order<'a> {
    plan: &'a Plan,
    space: Arc<Space>,
    /// One for each pair, the operator changing first.
    lanes: Vec<Option<Lane>>,
    turn: usize,
    /// How often all lanes had their turn.
    round: usize,
}

/// The way of one pair of operator and constraint through base programs and places.
struct Lane {
    operator: Operator,
    /// Of an operator that has its turn in few rounds: which of [`LONER_ROUNDS`] it is.
    round: Option<usize>,
    constraint: Constraint,
    walk: Walk,
    random: Random,
    /// Programs with places left, in the order of their next turn.
    open: VecDeque<(Base, Vec<u32>)>,
}

/// How many base programs take turns in a lane before one shows its second place.
const N_OPEN: usize = 16;

/// An operator whose programs each need a project of their own, which takes 40 runs, shows one program in so many rounds of
/// all pairs: with one in each round these runs took a quarter of all time.
const LONER_PAUSE: usize = 4;

/// It shows its programs by one constraint after the other; then it begins anew.
const LONER_ROUNDS: usize = LONER_PAUSE * Constraint::ALL.len();

/// How many base programs without a place a lane looks at before it gives up.
const N_FRUITLESS: usize = 5_000;

impl<'a> Order<'a> {
    pub(super) fn new(plan: &'a Plan) -> Self {
        let space = Arc::new(Space::new(&plan.bounds));
        let mut random = Random::new(plan.seed);
        let mut operators = plan.operators.clone();
        random.shuffle(&mut operators);
        let n_constraints = plan.constraints.len();
        let mut lanes = Vec::new();
        for turn in 0..n_constraints {
            for (place, operator) in operators.iter().enumerate() {
                // Neighbours begin with different constraints.
                let constraint = plan.constraints[(turn + place) % n_constraints];
                let random = Random::of(plan.seed, &format!("{constraint} {operator}"));
                lanes.push(Some(Lane {
                    operator: *operator,
                    round: operator.outlives_tests().then_some(turn * LONER_PAUSE),
                    constraint,
                    walk: Walk::new(Arc::clone(&space), constraint, random.clone()),
                    random,
                    open: VecDeque::new(),
                }));
            }
        }
        Self {
            plan,
            space,
            lanes,
            turn: 0,
            round: 0,
        }
    }

    /// The number of the next lane.
    fn next_turn(&mut self) -> usize {
        let turn = self.turn;
        self.turn += 1;
        if self.turn == self.lanes.len() {
            self.turn = 0;
            self.round += 1;
        }
        turn
    }
}

impl Iterator for Order<'_> {
    type Item = EvolvingProgram;

    fn next(&mut self) -> Option<EvolvingProgram> {
        while self.lanes.iter().any(Option::is_some) {
            let round = self.round % LONER_ROUNDS;
            let turn = self.next_turn();
            let is_due = |lane: &&mut Lane| lane.round.is_none_or(|due| due == round);
            let Some(lane) = self.lanes[turn].as_mut().filter(is_due) else {
                continue;
            };
            match lane.next(self.plan, &self.space) {
                Some(program) => return Some(program),
                None => self.lanes[turn] = None,
            }
        }
        None
    }
}

impl Lane {
    /// The next program whose tests compile.
    fn next(&mut self, plan: &Plan, space: &Space) -> Option<EvolvingProgram> {
        let mut n_fruitless = 0;
        while n_fruitless < N_FRUITLESS {
            let (base, mut places) = self.next_base(plan, space)?;
            n_fruitless += 1;
            let Some(place) = places.pop() else { continue };
            let evolution = self
                .evolutions(&base, plan, space)
                .into_iter()
                .nth(place as usize);
            let id = ProgramId {
                constraint: self.constraint,
                base: base.number,
                operator: self.operator,
                place,
            };
            self.open.push_back((base, places));
            let program = evolution.and_then(|e| EvolvingProgram::new(id, e, plan));
            if program.is_some() {
                return program;
            }
        }
        None
    }

    /// A base program and the places that are left there: a new one as long as few are open.
    fn next_base(&mut self, plan: &Plan, space: &Space) -> Option<(Base, Vec<u32>)> {
        if self.open.len() < N_OPEN
            && let Some(base) = self.walk.next()
        {
            let n_places = self.evolutions(&base, plan, space).len();
            let mut places: Vec<_> = (0..n_places as u32).collect();
            self.random.shuffle(&mut places);
            return Some((base, places));
        }
        self.open.pop_front()
    }

    fn evolutions(&self, base: &Base, plan: &Plan, space: &Space) -> Vec<Evolution> {
        let source = Source {
            base,
            space,
            constraint: self.constraint,
            bounds: &plan.bounds,
        };
        evolve::evolutions(self.operator, source)
    }
}
