//! Follows the code of a method, block by block, until nothing new is seen.

use std::collections::BTreeSet;

use tamis_classfile::attribute::Code;
use tamis_classfile::flow::{Block, EdgeLabel, FlowGraph};
use tamis_classfile::instruction::{Instruction, Operands, instructions, opcode};
use tamis_classfile::{AccessFlags, Constant, Member, Method};

use super::frame::{Frame, Origin, Value};
use super::jdk::{Effect, effect, n_dimensions, n_slots, signature};
use super::stack::{
    AALOAD, ACONST_NULL, ARETURN, MULTIANEWARRAY, SWAP, load, plain, shuffle, store,
};
use super::{Keeping, Loss};

/// Follows a method; nothing if its code is not understood.
pub(super) fn follow(
    keeping: &mut Keeping<'_>,
    number: usize,
    method: &Method<'_>,
) -> tamis_classfile::Result<Option<()>> {
    let Some(code) = method.code() else {
        return Ok(Some(()));
    };
    let pool = &keeping.class.constant_pool;
    let Ok(graph) = FlowGraph::of(code, pool) else {
        return Ok(None);
    };
    let descriptor = pool.utf8(method.descriptor)?;
    let name = pool.utf8(method.name)?;
    let receiver = match name {
        _ if method.access_flags.contains(AccessFlags::STATIC) => None,
        b"<init>" => Some(Value::of(Origin::Own, 0)),
        _ => Some(Value::other()),
    };
    let (Some(entry), Some((_, returned))) =
        (entry(code, descriptor, receiver), signature(descriptor))
    else {
        return Ok(None);
    };
    let mut following = Following {
        keeping,
        number,
        is_initialising: name == b"<clinit>",
        n_returned: n_dimensions(returned),
    };
    following.blocks(code, &graph.blocks, entry)
}

/// What is there when a method begins; nothing if its parameters do not fit.
fn entry(code: &Code<'_>, descriptor: &[u8], receiver: Option<Value>) -> Option<Frame> {
    let mut locals = Vec::from_iter(receiver);
    for parameter in signature(descriptor)?.0 {
        let slot = u16::try_from(locals.len()).ok()?;
        match n_dimensions(parameter) {
            0 => locals.extend(vec![Value::other(); n_slots(parameter)]),
            n => locals.push(Value::of(Origin::Parameter(slot), n)),
        }
    }
    let n_locals = usize::from(code.max_locals);
    if locals.len() > n_locals {
        return None;
    }
    locals.resize(n_locals, Value::other());
    Some(Frame {
        locals,
        stack: Vec::new(),
    })
}

/// A method that is followed.
struct Following<'f, 'k> {
    keeping: &'f mut Keeping<'k>,
    number: usize,
    is_initialising: bool,
    /// The dimensions of what it returns.
    n_returned: u8,
}

impl Following<'_, '_> {
    fn blocks(
        &mut self,
        code: &Code<'_>,
        blocks: &[Block<'_>],
        entry: Frame,
    ) -> tamis_classfile::Result<Option<()>> {
        let mut frames: Vec<Option<Frame>> = vec![None; blocks.len()];
        let mut next = BTreeSet::from([0]);
        frames[0] = Some(entry);
        while let Some(number) = next.pop_first() {
            let Some(frame) = frames[number].clone() else {
                return Ok(None);
            };
            let Some(arrivals) = self.block(code, &blocks[number], frame)? else {
                return Ok(None);
            };
            for (target, frame) in arrivals {
                let is_new = match &mut frames[target] {
                    Some(known) => known.merge(&frame),
                    none => {
                        *none = Some(frame);
                        Some(true)
                    }
                };
                match is_new {
                    Some(true) => {
                        next.insert(target);
                    }
                    Some(false) => {}
                    None => return Ok(None),
                }
            }
        }
        Ok(Some(()))
    }

    /// What arrives at other blocks. A handler may be reached before and after each instruction.
    fn block(
        &mut self,
        code: &Code<'_>,
        block: &Block<'_>,
        mut frame: Frame,
    ) -> tamis_classfile::Result<Option<Vec<(usize, Frame)>>> {
        let is_caught = |label: &EdgeLabel<'_>| matches!(label, EdgeLabel::Caught { .. });
        let has_handlers = block.edges.iter().any(|edge| is_caught(&edge.label));
        let mut thrown = caught(&frame);
        for instruction in instructions(&code.instructions).from_offset(block.start) {
            let instruction = instruction?;
            if instruction.offset >= block.end {
                break;
            }
            if self.step(&instruction, &mut frame)?.is_none() {
                return Ok(None);
            }
            if has_handlers {
                thrown.merge(&caught(&frame));
            }
        }
        let arrivals = block.edges.iter().map(|edge| {
            let arriving = if is_caught(&edge.label) {
                &thrown
            } else {
                &frame
            };
            (edge.target as usize, arriving.clone())
        });
        Ok(Some(arrivals.collect()))
    }

    /// Runs an instruction; nothing if the stack does not fit it.
    fn step(
        &mut self,
        instruction: &Instruction<'_>,
        frame: &mut Frame,
    ) -> tamis_classfile::Result<Option<()>> {
        let code = instruction.opcode;
        let done = match code {
            opcode::GETSTATIC..=opcode::PUTFIELD => return self.field(instruction, frame),
            opcode::INVOKEVIRTUAL..=opcode::INVOKEDYNAMIC => return self.call(instruction, frame),
            opcode::ANEWARRAY | MULTIANEWARRAY => return self.make_array(instruction, frame),
            opcode::NEWARRAY => frame.pop().map(|_| {
                frame.push(Value::of(Origin::Made(instruction.offset), 1));
            }),
            ACONST_NULL => {
                frame.push(Value::default());
                Some(())
            }
            opcode::ALOAD | opcode::ALOAD_0..=opcode::ALOAD_3 => load(instruction, frame),
            opcode::ISTORE..=opcode::ASTORE_3 => store(instruction, frame),
            AALOAD => frame
                .pop_many(2)
                .map(|popped| frame.push(popped[0].element())),
            opcode::AASTORE => self.store_reference(frame),
            opcode::IASTORE..=opcode::SASTORE => {
                let n = if matches!(code, opcode::LASTORE | opcode::DASTORE) {
                    4
                } else {
                    3
                };
                let popped = frame.pop_many(n);
                popped.map(|popped| self.change(&popped[0]))
            }
            opcode::DUP..=SWAP => shuffle(code, frame),
            ARETURN => frame.pop().map(|value| self.give_back(&value, frame)),
            // It stays what it is.
            opcode::CHECKCAST => Some(()),
            _ => plain(code).and_then(|(n_popped, n_pushed)| {
                frame.pop_many(n_popped)?;
                frame.push_others(n_pushed);
                Some(())
            }),
        };
        Ok(done)
    }

    fn make_array(
        &mut self,
        instruction: &Instruction<'_>,
        frame: &mut Frame,
    ) -> tamis_classfile::Result<Option<()>> {
        let Operands::Constant { index, rest } = instruction.operands else {
            return Ok(None);
        };
        let of_elements = n_dimensions(self.keeping.class.constant_pool.class(index)?);
        let (n_counts, depth) = match (instruction.opcode, rest) {
            (opcode::ANEWARRAY, _) => (1, of_elements.checked_add(1)),
            (_, [n_counts]) => (usize::from(*n_counts), Some(of_elements)),
            _ => return Ok(None),
        };
        let made = frame.pop_many(n_counts).zip(depth);
        Ok(made.map(|(_, depth)| frame.push(Value::of(Origin::Made(instruction.offset), depth))))
    }

    fn field(
        &mut self,
        instruction: &Instruction<'_>,
        frame: &mut Frame,
    ) -> tamis_classfile::Result<Option<()>> {
        let Operands::Constant { index, .. } = instruction.operands else {
            return Ok(None);
        };
        let class = self.keeping.class;
        let member = class.constant_pool.member(index)?;
        let is_own = member.owner == class.name()?;
        let candidate = self.keeping.candidate(member.name, member.descriptor);
        let on_object = matches!(instruction.opcode, opcode::GETFIELD | opcode::PUTFIELD);
        let n_slots = n_slots(member.descriptor);
        let done = if matches!(instruction.opcode, opcode::GETSTATIC | opcode::GETFIELD) {
            let popped = frame.pop_many(usize::from(on_object));
            popped.map(|popped| match candidate {
                Some(field) => {
                    let depth = self.keeping.candidates[field].n_dimensions;
                    let mut value = Value::of(origin_in(popped.first(), field), depth);
                    // By another class it is most likely a field of that one.
                    value.is_other = !is_own;
                    frame.push(value);
                }
                None => frame.push_others(n_slots),
            })
        } else {
            let popped = frame.pop_many(n_slots + usize::from(on_object));
            popped.and_then(|mut popped| {
                let value = popped.pop()?;
                match candidate {
                    Some(field) if is_own => {
                        self.set(field, origin_in(popped.first(), field), &value, frame);
                    }
                    Some(field) => {
                        self.keeping.lose(field, Loss::Named);
                        self.hand_out(&value, frame);
                    }
                    None => self.hand_out(&value, frame),
                }
                Some(())
            })
        };
        Ok(done)
    }

    /// A field is set. What was made here belongs to the field from now on.
    fn set(&mut self, field: usize, set: Origin, value: &Value, frame: &mut Frame) {
        let n_dimensions = self.keeping.candidates[field].n_dimensions;
        let is_plain = value
            .origins
            .iter()
            .all(|(_, depth)| *depth == n_dimensions);
        if value.is_other || !is_plain {
            self.keeping.lose(field, Loss::SetToOther);
        }
        for (origin, _) in &value.origins {
            match *origin {
                Origin::Made(made) => {
                    frame.rename(made, |depth| Value::of(set, depth));
                }
                Origin::Field(other) | Origin::OwnField(other) => {
                    self.keeping.sharing.insert((field, other));
                }
                Origin::Parameter(_) | Origin::Own => {
                    self.keeping.lose(field, Loss::SetToOther);
                    self.keeping.hand_out(self.number, *origin);
                }
            }
        }
    }

    /// Others may have it from now on.
    fn hand_out(&mut self, value: &Value, frame: &mut Frame) {
        for (origin, _) in &value.origins {
            self.keeping.hand_out(self.number, *origin);
            if let Origin::Made(made) = *origin {
                frame.rename(made, |_| Value::other());
            }
        }
    }

    /// Elements of it are set.
    fn change(&mut self, value: &Value) {
        for (origin, _) in &value.origins {
            self.keeping
                .change(self.number, *origin, self.is_initialising);
        }
    }

    /// A reference is put in an array. An array that was made here becomes a part of one that was made here.
    fn store_reference(&mut self, frame: &mut Frame) -> Option<()> {
        let popped = frame.pop_many(3)?;
        let (array, value) = (&popped[0], &popped[2]);
        self.change(array);
        let takes_in = |(origin, depth): &(Origin, u8), inner: u8| {
            let is_ours = match *origin {
                Origin::Made(_) | Origin::OwnField(_) => true,
                Origin::Field(field) => {
                    self.is_initialising && self.keeping.candidates[field].is_static
                }
                Origin::Parameter(_) | Origin::Own => false,
            };
            is_ours && inner.checked_add(1) == Some(*depth)
        };
        let is_part = !array.is_other
            && !value.is_other
            && value.origins.iter().all(|(origin, inner)| {
                let is_made = matches!(origin, Origin::Made(_));
                let is_another = array.origins.iter().all(|(outer, _)| outer != origin);
                is_made && is_another && array.origins.iter().all(|outer| takes_in(outer, *inner))
            });
        if !is_part {
            self.hand_out(value, frame);
            // Others have what is in it.
            if array.is_deep() {
                self.hand_out(array, frame);
            }
            return Some(());
        }
        for (origin, _) in &value.origins {
            if let Origin::Made(made) = *origin {
                frame.rename(made, |depth| Value {
                    origins: array
                        .origins
                        .iter()
                        .map(|(outer, _)| (*outer, depth))
                        .collect(),
                    is_other: false,
                });
            }
        }
        Some(())
    }

    /// What the method returns.
    fn give_back(&mut self, value: &Value, frame: &mut Frame) {
        let is_made = |(origin, depth): &(Origin, u8)| {
            matches!(origin, Origin::Made(_)) && *depth == self.n_returned
        };
        if value.is_other || !value.origins.iter().all(is_made) {
            self.keeping.return_other(self.number);
        }
        self.hand_out(value, frame);
    }

    fn call(
        &mut self,
        instruction: &Instruction<'_>,
        frame: &mut Frame,
    ) -> tamis_classfile::Result<Option<()>> {
        let Operands::Constant { index, .. } = instruction.operands else {
            return Ok(None);
        };
        let class = self.keeping.class;
        let pool = &class.constant_pool;
        if let Constant::InvokeDynamic(dynamic) = pool.get(index)? {
            let (_, descriptor) = pool.name_and_type(dynamic.name_and_type)?;
            return Ok(self.call_unknown(descriptor, false, frame));
        }
        let member = pool.member(index)?;
        let on_object = instruction.opcode != opcode::INVOKESTATIC;
        if member.owner == class.name()?
            && instruction.opcode != opcode::INVOKEINTERFACE
            && let Some(callee) = self.keeping.sole_method(member.name, member.descriptor)
        {
            return Ok(self.call_own(callee, &member, on_object, instruction.offset, frame));
        }
        let effect = effect(member.owner, member.name, member.descriptor);
        if effect == Effect::Unknown {
            return Ok(self.call_unknown(member.descriptor, on_object, frame));
        }
        Ok(self.call_jdk(effect, &member, on_object, instruction.offset, frame))
    }

    fn call_unknown(
        &mut self,
        descriptor: &[u8],
        on_object: bool,
        frame: &mut Frame,
    ) -> Option<()> {
        let (parameters, returned) = signature(descriptor)?;
        for argument in pop_arguments(&parameters, on_object, frame)? {
            self.hand_out(&argument, frame);
        }
        frame.push_others(n_slots(returned));
        Some(())
    }

    /// A method of the class does with its arguments what it does with its parameters.
    fn call_own(
        &mut self,
        callee: usize,
        member: &Member<'_>,
        on_object: bool,
        offset: u32,
        frame: &mut Frame,
    ) -> Option<()> {
        let (parameters, returned) = signature(member.descriptor)?;
        let arguments = pop_arguments(&parameters, on_object, frame)?;
        let types = on_object
            .then_some(&b"L;"[..])
            .into_iter()
            .chain(parameters);
        let mut slot = 0;
        for (argument, declared) in arguments.iter().zip(types) {
            let known = &self.keeping.methods[callee];
            let is_changed = known.changed.contains(&slot);
            let fits = |(_, depth): &(Origin, u8)| *depth == n_dimensions(declared);
            let is_handed_out =
                known.handed_out.contains(&slot) || !argument.origins.iter().all(fits);
            if is_changed {
                self.change(argument);
            }
            if is_handed_out {
                self.hand_out(argument, frame);
            }
            slot += n_slots(declared) as u16;
        }
        let depth = n_dimensions(returned);
        if depth > 0 && !self.keeping.methods[callee].returns_other {
            frame.push(Value::of(Origin::Made(offset), depth));
        } else {
            frame.push_others(n_slots(returned));
        }
        Some(())
    }

    fn call_jdk(
        &mut self,
        effect: Effect,
        member: &Member<'_>,
        on_object: bool,
        offset: u32,
        frame: &mut Frame,
    ) -> Option<()> {
        let (parameters, returned) = signature(member.descriptor)?;
        let arguments = pop_arguments(&parameters, on_object, frame)?;
        let first = arguments.first().cloned().unwrap_or_default();
        let n_followed = match effect {
            Effect::Reads => arguments.len(),
            Effect::Transfers => 3,
            Effect::Unknown | Effect::Makes => 0,
            Effect::Sets | Effect::Copies | Effect::Returns => 1,
        };
        // Elements that are arrays may be passed on, unless the copy counts as what it was made of.
        let passes_on = !matches!(effect, Effect::Copies | Effect::Returns);
        for (at, argument) in arguments.iter().enumerate() {
            if at >= n_followed || passes_on && argument.is_deep() {
                self.hand_out(argument, frame);
            }
        }
        match effect {
            Effect::Sets => self.change(&first),
            Effect::Transfers => self.change(arguments.get(2)?),
            _ => {}
        }
        let is_copy = effect == Effect::Copies && !first.is_deep() && is_flat(member);
        if is_copy || effect == Effect::Makes {
            frame.push(Value::of(Origin::Made(offset), 1));
        } else if matches!(effect, Effect::Copies | Effect::Returns) {
            frame.push(first);
        } else {
            frame.push_others(n_slots(returned));
        }
        Some(())
    }
}

/// Where what a field of an object holds comes from; of a static one there is no object.
fn origin_in(object: Option<&Value>, field: usize) -> Origin {
    if object == Some(&Value::of(Origin::Own, 0)) {
        Origin::OwnField(field)
    } else {
        Origin::Field(field)
    }
}

/// Whether the type of what is copied has no arrays in the array.
fn is_flat(member: &Member<'_>) -> bool {
    let copied = match signature(member.descriptor) {
        Some((parameters, _)) if !parameters.is_empty() => parameters[0],
        _ => member.owner,
    };
    n_dimensions(copied) == 1
}

/// What a handler sees.
fn caught(frame: &Frame) -> Frame {
    Frame {
        locals: frame.locals.clone(),
        stack: vec![Value::other()],
    }
}

/// The arguments of a call, the object first, each as one value.
fn pop_arguments(parameters: &[&[u8]], on_object: bool, frame: &mut Frame) -> Option<Vec<Value>> {
    let mut arguments = Vec::new();
    for parameter in parameters.iter().rev() {
        let mut slots = frame.pop_many(n_slots(parameter))?;
        arguments.push(slots.pop()?);
    }
    if on_object {
        arguments.push(frame.pop()?);
    }
    arguments.reverse();
    Some(arguments)
}
