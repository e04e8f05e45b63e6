//! Where everything comes to stand: instructions, insertions, and longer ways for branches.
//!
//! Most branches have 16 bits of distance. When the code grows, a `goto` that no longer reaches
//! becomes a `goto_w`. A conditional branch has no long form; it goes to a *trampoline* instead, a
//! `goto_w` to its target that stands where nobody falls into it: behind a jump, return or throw.
//! Both make the code longer still, so this is repeated until nothing changes.

use std::collections::BTreeMap;

use super::body::Body;
use super::{Insertion, MAX_CODE_LENGTH, Runs};
use crate::error::{Error, Result};
use crate::instruction::{Instruction, Operands, opcode};

/// The places of all instructions in the new code.
pub(crate) struct Layout {
    /// By instruction, and one for the end of the code.
    places: Vec<Place>,
    /// By old offset: which instruction stands there, or comes next.
    numbers: Vec<u32>,
    /// By instruction: how it reaches its target.
    ways: Vec<Way>,
    trampolines: Vec<Trampoline>,
    /// The numbers of the trampolines by the instruction that they stand in front of.
    trampolines_at: BTreeMap<u32, Vec<usize>>,
    /// The numbers of the trampolines by the old offset that they go to.
    trampolines_to: BTreeMap<u32, Vec<usize>>,
    length: u32,
}

/// Where an instruction comes to stand.
#[derive(Clone, Copy, Default)]
struct Place {
    /// The offset in the old code.
    old: u32,
    /// Where the instruction before it ends; trampolines come next.
    edge: u32,
    /// Where the insertions begin.
    insertions: u32,
    /// Where branches to the instruction go.
    label: u32,
    /// The instruction itself.
    instruction: u32,
}

/// How a branch reaches its target.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Way {
    /// In the form it has; or it is no branch.
    Direct,
    /// As `goto_w`.
    Wide,
    /// By a trampoline, given by its number.
    By(usize),
}

/// A `goto_w` on behalf of conditional branches.
pub(super) struct Trampoline {
    /// The old offset that it goes to.
    pub(super) target: u32,
    /// Where it stands in the new code.
    pub(super) at: u32,
}

/// The length of a `goto_w`.
pub(super) const TRAMPOLINE_LENGTH: u32 = 5;
/// How far a branch reaches in either direction.
const REACH: u32 = i16::MAX as u32;
/// How far a trampoline may be when it is chosen: later rounds may push it away some more.
const NEAR: u32 = REACH - 2048;
/// Real code needs three or four; code made to need more is refused, so that time is bounded.
const MAX_ROUNDS: usize = 100;

impl Layout {
    pub(super) fn settle(body: &Body<'_>, insertions: &[&Insertion<'_>]) -> Result<Self> {
        let n_instructions = body.instructions.len();
        let mut layout = Self {
            places: vec![Place::default(); n_instructions + 1],
            numbers: body.numbers(),
            ways: vec![Way::Direct; n_instructions],
            trampolines: Vec::new(),
            trampolines_at: BTreeMap::new(),
            trampolines_to: BTreeMap::new(),
            length: 0,
        };
        let shelters = shelters(body);
        for _ in 0..MAX_ROUNDS {
            layout.place(body, insertions)?;
            if layout.length as usize > MAX_CODE_LENGTH {
                let message = format!("the code would have {} bytes", layout.length);
                return Err(Error::too_large(message));
            }
            if layout.length <= REACH || !layout.lengthen(body, &shelters)? {
                return Ok(layout);
            }
        }
        Err(Error::unsupported(
            None,
            "the lengths of the code's branches do not settle",
        ))
    }

    /// Gives everything its place, branches having the forms they have now.
    fn place(&mut self, body: &Body<'_>, insertions: &[&Insertion<'_>]) -> Result<()> {
        let mut insertions = insertions.iter().peekable();
        let mut at = 0;
        for (number, instruction) in body.instructions.iter().enumerate() {
            let edge = at;
            at = self.place_trampolines(number, at);
            let mut place = Place::new(instruction.offset, edge, at);
            while let Some(insertion) = insertions.next_if(|i| i.at == place.old) {
                place.insert(insertion);
            }
            at = place.instruction + length_at(instruction, self.ways[number], place.instruction);
            self.places[number] = place;
        }
        let mut end = Place::new(body.length, at, at);
        while let Some(insertion) = insertions.next_if(|i| i.at == end.old) {
            end.insert(insertion);
        }
        self.places[self.ways.len()] = end;
        self.length = self.place_trampolines(self.ways.len(), end.instruction);
        match insertions.next() {
            None => Ok(()),
            Some(insertion) => Err(Error::malformed(
                insertion.at as usize,
                "no instruction of the code stands where one is to be put in front",
            )),
        }
    }

    fn place_trampolines(&mut self, number: usize, mut at: u32) -> u32 {
        for trampoline in self
            .trampolines_at
            .get(&(number as u32))
            .into_iter()
            .flatten()
        {
            self.trampolines[*trampoline].at = at;
            at += TRAMPOLINE_LENGTH;
        }
        at
    }

    /// Lengthens the ways of the branches that do not reach their target; false if all do.
    fn lengthen(&mut self, body: &Body<'_>, shelters: &[u32]) -> Result<bool> {
        let mut has_changed = false;
        for (number, instruction) in body.instructions.iter().enumerate() {
            let Operands::Branch(target) = instruction.operands else {
                continue;
            };
            let to = match self.ways[number] {
                Way::Direct if instruction.opcode == opcode::GOTO_W => continue,
                Way::Wide => continue,
                Way::Direct => self.target(target)?,
                Way::By(trampoline) => self.trampolines[trampoline].at,
            };
            if self.places[number].instruction.abs_diff(to) <= REACH {
                continue;
            }
            has_changed = true;
            self.ways[number] = if instruction.opcode == opcode::GOTO {
                Way::Wide
            } else {
                Way::By(self.find_trampoline(number as u32, target, shelters)?)
            };
        }
        Ok(has_changed)
    }

    /// A trampoline to `target` that instruction `number` reaches: one that is there, or a new one.
    fn find_trampoline(&mut self, number: u32, target: u32, shelters: &[u32]) -> Result<usize> {
        let from = self.places[number as usize].instruction;
        let is_near = |at: u32| from.abs_diff(at) <= NEAR;
        let present = self.trampolines_to.get(&target).into_iter().flatten();
        if let Some(near) = present.copied().find(|t| is_near(self.trampolines[*t].at)) {
            return Ok(near);
        }
        let next = shelters.partition_point(|shelter| *shelter <= number);
        let nearest = shelters[next.saturating_sub(1)..]
            .iter()
            .take(2)
            .map(|shelter| (*shelter, self.places[*shelter as usize].edge))
            .filter(|(_, at)| is_near(*at))
            .min_by_key(|(_, at)| from.abs_diff(*at));
        let Some((shelter, at)) = nearest else {
            let message = "a branch of the code has no room for a longer way";
            return Err(Error::unsupported(
                self.places[number as usize].old as usize,
                message,
            ));
        };
        let trampoline = self.trampolines.len();
        self.trampolines.push(Trampoline { target, at });
        self.trampolines_at
            .entry(shelter)
            .or_default()
            .push(trampoline);
        self.trampolines_to
            .entry(target)
            .or_default()
            .push(trampoline);
        Ok(trampoline)
    }

    /// The number of bytes of the new code.
    pub(super) fn length(&self) -> u32 {
        self.length
    }

    pub(super) fn way(&self, number: usize) -> Way {
        self.ways[number]
    }

    pub(super) fn trampolines(&self) -> &[Trampoline] {
        &self.trampolines
    }

    /// The trampolines in front of instruction `number`, or behind the end of the code.
    pub(super) fn trampolines_at(&self, number: usize) -> impl Iterator<Item = &Trampoline> {
        let numbers = self.trampolines_at.get(&(number as u32));
        numbers
            .into_iter()
            .flatten()
            .map(|number| &self.trampolines[*number])
    }

    /// The stretches between instructions that hold nothing but trampolines, in order.
    pub(super) fn gaps(&self) -> impl Iterator<Item = (u32, u32)> {
        let n_instructions = self.ways.len();
        self.trampolines_at
            .keys()
            .map(|number| *number as usize)
            .filter(move |number| *number < n_instructions)
            .map(|number| (self.places[number].edge, self.places[number].insertions))
    }

    fn exact(&self, offset: u32) -> Option<&Place> {
        let place = self.at_or_after(offset)?;
        (place.old == offset).then_some(place)
    }

    fn at_or_after(&self, offset: u32) -> Option<&Place> {
        self.places
            .get(*self.numbers.get(offset as usize)? as usize)
    }

    /// Where branches to the instruction at an old offset go; the end of the code has a label too.
    pub(crate) fn label(&self, offset: u32) -> Option<u32> {
        self.exact(offset).map(|place| place.label)
    }

    /// Where the instruction in front of an old offset ends.
    pub(super) fn edge(&self, offset: u32) -> Option<u32> {
        self.exact(offset).map(|place| place.edge)
    }

    /// Where the instruction at an old offset itself stands.
    pub(super) fn instruction(&self, offset: u32) -> Option<u32> {
        let end = self.numbers.len() - 1;
        let place = self.exact(offset).filter(|_| (offset as usize) < end)?;
        Some(place.instruction)
    }

    /// Where the insertions at an old offset begin.
    pub(crate) fn insertions(&self, offset: u32) -> Option<u32> {
        self.exact(offset).map(|place| place.insertions)
    }

    /// Where debug tables say that something ends: an offset inside an instruction, which some
    /// compilers write and no JVM minds, stands for the next one.
    pub(super) fn debug_end(&self, offset: u32) -> Option<u32> {
        self.at_or_after(offset).map(|place| place.label)
    }

    /// Where debug tables say that something begins: at the start of the method, it stays there.
    pub(super) fn debug_start(&self, offset: u32) -> Option<u32> {
        if offset == 0 {
            Some(0)
        } else {
            self.debug_end(offset)
        }
    }

    /// Where a branch to an old offset goes.
    pub(super) fn target(&self, offset: u32) -> Result<u32> {
        self.label(offset).ok_or_else(|| {
            let message = "control goes into the middle of an instruction of the code";
            Error::malformed(offset as usize, message)
        })
    }
}

impl Place {
    fn new(old: u32, edge: u32, at: u32) -> Self {
        Self {
            old,
            edge,
            insertions: at,
            label: at,
            instruction: at,
        }
    }

    fn insert(&mut self, insertion: &Insertion<'_>) {
        self.instruction += insertion.code.len() as u32;
        if insertion.runs == Runs::OnFallThrough {
            self.label = self.instruction;
        }
    }
}

/// The numbers of the instructions into which control cannot fall, the end of the code included.
fn shelters(body: &Body<'_>) -> Vec<u32> {
    (1..)
        .zip(&body.instructions)
        .filter(|(_, before)| before.is_unconditional())
        .map(|(number, _)| number)
        .collect()
}

/// The length of an instruction when it stands at `at`.
fn length_at(instruction: &Instruction<'_>, way: Way, at: u32) -> u32 {
    if instruction.switch().is_some() {
        return instruction.length - padding(instruction.offset) + padding(at);
    }
    match way {
        Way::Wide => TRAMPOLINE_LENGTH,
        Way::Direct | Way::By(_) => instruction.length,
    }
}

/// The bytes between the opcode of a switch and its operands.
pub(super) fn padding(offset: u32) -> u32 {
    3 - offset % 4
}
