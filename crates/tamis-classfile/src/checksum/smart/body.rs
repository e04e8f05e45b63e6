//! The code of a method, copied with its constants by first use.
//!
//! Code is copied as it lies, but for `ldc_w`: whether a load needs it depends on where in the pool
//! the constant stands. So all loads are written as `ldc`, which moves what comes behind them.

use super::{Stream, put_length};
use crate::attribute::{Place, frame_tag};
use crate::cursor::{Cursor, PutBytes};
use crate::error::{Error, Result};
use crate::instruction::{Instruction, Operands, instructions, opcode};

/// Where offsets come to stand when every `ldc_w` is an `ldc`.
struct Offsets {
    /// What becomes shorter or longer, in the order of the code.
    moves: Vec<Move>,
}

/// A load or a switch behind which offsets move.
struct Move {
    /// The offset of the instruction.
    at: u32,
    /// The offset behind it.
    end: u32,
    /// By how much everything behind it has moved, this move included.
    shift: i32,
}

const CODE: &str = "Code";
const FRAMES: &str = "StackMapTable";

impl Offsets {
    /// Where an offset comes to stand. One inside a moved instruction stays, told apart by a bit:
    /// tables may be wrong where the JVM does not look.
    fn of(&self, offset: u32) -> u32 {
        let n_before = self.moves.partition_point(|moved| moved.at < offset);
        match n_before
            .checked_sub(1)
            .map(|position| &self.moves[position])
        {
            None => offset,
            Some(last) if offset < last.end => offset | 1 << 31,
            Some(last) => offset.wrapping_add_signed(last.shift),
        }
    }

    /// Finds the loads that become shorter, and the switches whose padding changes by that.
    fn find(code: &[u8]) -> Result<Self> {
        let mut moves = Vec::new();
        let mut shift = 0;
        let mut position = 0;
        while let Some(opcode) = code.get(position) {
            let at = position as u32;
            let before = shift;
            match FORMS[usize::from(*opcode)] {
                Form::Plain(length) | Form::Constant(length) => position += usize::from(length),
                Form::Load => position += 2,
                Form::WideLoad => {
                    position += 3;
                    shift -= 1;
                }
                Form::Other => {
                    let instruction = decode(code, position)?;
                    position += instruction.length as usize;
                    if instruction.switch().is_some() {
                        let moved = padding(at.wrapping_add_signed(shift));
                        shift += i32::from(moved) - i32::from(padding(at));
                    }
                }
            }
            if shift != before {
                moves.push(Move {
                    at,
                    end: position as u32,
                    shift,
                });
            }
        }
        Ok(Self { moves })
    }
}

impl<'a> Stream<'a> {
    pub(super) fn put_code(&mut self, c: &mut Cursor<'a>) -> Result<()> {
        let limits = c.take(4, CODE)?;
        self.out.extend_from_slice(limits);
        let length = c.u32(CODE)? as usize;
        let offsets = self.put_instructions(c.take(length, CODE)?)?;
        for _ in 0..self.copy_u16(c)? {
            for _ in 0..3 {
                let offset = c.u16(CODE)?;
                self.out.put_u32(offsets.of(u32::from(offset)));
            }
            self.copy_reference(c)?;
        }
        self.put_code_attributes(c, &offsets)
    }

    fn put_code_attributes(&mut self, c: &mut Cursor<'a>, offsets: &Offsets) -> Result<()> {
        let found = self.find_attributes(c, Place::Code)?;
        self.out.put_u16(found.known.len() as u16);
        for position in found.known.clone() {
            // Frames are all that counts of what is known.
            let (_, mut frames) = self.found[position];
            self.put_frames(&mut frames, offsets)?;
            frames.finish(FRAMES)?;
        }
        self.found.truncate(found.known.start);
        self.put_unknown(&found.unknown);
        Ok(())
    }

    /// Copies the code, and behind it the constants that it loads, for which `ldc` has no room.
    fn put_instructions(&mut self, code: &[u8]) -> Result<Offsets> {
        put_length(code.len(), &mut self.out);
        let start = self.out.len();
        self.out.extend_from_slice(code);
        self.loads.clear();
        let mut position = 0;
        while let Some(opcode) = code.get(position) {
            match FORMS[usize::from(*opcode)] {
                Form::Plain(length) => position += usize::from(length),
                Form::Constant(length) => {
                    let operand = code.get(position + 1..).and_then(<[u8]>::first_chunk);
                    let index = *operand.ok_or_else(|| cut_off(position))?;
                    let ordinal = self.ordinal(u16::from_be_bytes(index))?;
                    let at = start + position + 1;
                    self.out[at..at + 2].copy_from_slice(&ordinal.to_be_bytes());
                    position += usize::from(length);
                }
                Form::Load => {
                    let index = *code.get(position + 1).ok_or_else(|| cut_off(position))?;
                    let ordinal = self.ordinal(u16::from(index))?;
                    self.loads.push(ordinal);
                    self.out[start + position + 1] = 0;
                    position += 2;
                }
                Form::WideLoad => {
                    self.out.truncate(start - 4);
                    return self.put_moved_instructions(code);
                }
                Form::Other => position += decode(code, position)?.length as usize,
            }
        }
        self.put_loads();
        Ok(Offsets { moves: Vec::new() })
    }

    fn put_loads(&mut self) {
        put_length(self.loads.len(), &mut self.out);
        for ordinal in &self.loads {
            self.out.put_u16(*ordinal);
        }
    }

    /// The same for code with `ldc_w`: byte for byte what it would be without.
    fn put_moved_instructions(&mut self, code: &[u8]) -> Result<Offsets> {
        let offsets = Offsets::find(code)?;
        put_length(offsets.of(code.len() as u32) as usize, &mut self.out);
        self.loads.clear();
        let mut position = 0;
        while let Some(opcode) = code.get(position) {
            if let Form::Plain(length @ 1..3) = FORMS[usize::from(*opcode)] {
                let end = code.len().min(position + usize::from(length));
                self.out.extend_from_slice(&code[position..end]);
                position = end;
            } else {
                let instruction = decode(code, position)?;
                self.put_moved_instruction(&instruction, code.len(), &offsets)?;
                position += instruction.length as usize;
            }
        }
        self.put_loads();
        Ok(offsets)
    }

    fn put_moved_instruction(
        &mut self,
        instruction: &Instruction<'_>,
        code_length: usize,
        offsets: &Offsets,
    ) -> Result<()> {
        let from = offsets.of(instruction.offset);
        let distance = |target: u32| offsets.of(target).wrapping_sub(from);
        match instruction.operands {
            Operands::Raw(bytes) => {
                self.out.put_u8(instruction.opcode);
                self.out.extend_from_slice(bytes);
            }
            Operands::Wide(bytes) => {
                self.out.extend([opcode::WIDE, instruction.opcode]);
                self.out.extend_from_slice(bytes);
            }
            Operands::Constant { index, .. }
                if matches!(instruction.opcode, opcode::LDC | opcode::LDC_W) =>
            {
                let ordinal = self.ordinal(index)?;
                self.loads.push(ordinal);
                self.out.extend([opcode::LDC, 0]);
            }
            Operands::Constant { index, rest } => {
                self.out.put_u8(instruction.opcode);
                self.refer(index)?;
                self.out.extend_from_slice(rest);
            }
            Operands::Branch(target) => {
                self.out.put_u8(instruction.opcode);
                match instruction.length {
                    5 => self.out.put_u32(distance(target)),
                    _ => self.out.put_u16(distance(target) as u16),
                }
            }
            Operands::Switch(switch) => {
                self.out.put_u8(instruction.opcode);
                self.out
                    .extend(std::iter::repeat_n(0, usize::from(padding(from))));
                self.out
                    .put_u32(distance(switch.default_target(code_length)?));
                match switch.low() {
                    Some(low) => {
                        let n_cases = (switch.n_cases() as u32).cast_signed();
                        let high = low.wrapping_add(n_cases).wrapping_sub(1);
                        self.out.put_u32(low.cast_unsigned());
                        self.out.put_u32(high.cast_unsigned());
                    }
                    None => self.out.put_u32(switch.n_cases() as u32),
                }
                for case in switch.cases(code_length) {
                    let (value, target) = case?;
                    if !switch.is_table() {
                        self.out.put_u32(value.cast_unsigned());
                    }
                    self.out.put_u32(distance(target));
                }
            }
        }
        Ok(())
    }

    fn put_frames(&mut self, c: &mut Cursor<'a>, offsets: &Offsets) -> Result<()> {
        let mut next = 0;
        for _ in 0..self.copy_u16(c)? {
            let tag = c.u8(FRAMES)?;
            let (kind, delta) = if tag < frame_tag::SAME_LOCALS_1 {
                (frame_tag::SAME_EXTENDED, u16::from(tag))
            } else if tag < frame_tag::RESERVED {
                (
                    frame_tag::SAME_LOCALS_1_EXTENDED,
                    u16::from(tag - frame_tag::SAME_LOCALS_1),
                )
            } else if tag < frame_tag::SAME_LOCALS_1_EXTENDED {
                let message = format!("a stack map frame has the reserved tag {tag}");
                return Err(Error::unsupported(c.offset(), message));
            } else {
                (tag, c.u16(FRAMES)?)
            };
            let offset = next + u32::from(delta);
            next = offset + 1;
            self.out.put_u8(kind);
            self.out.put_u32(offsets.of(offset));
            match kind {
                frame_tag::SAME_LOCALS_1_EXTENDED => self.put_types(c, 1, offsets)?,
                frame_tag::FULL => {
                    for _ in 0..2 {
                        let n_types = self.copy_u16(c)?;
                        self.put_types(c, n_types, offsets)?;
                    }
                }
                frame_tag::APPEND.. => {
                    self.put_types(c, u16::from(kind - frame_tag::SAME_EXTENDED), offsets)?;
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn put_types(&mut self, c: &mut Cursor<'a>, n_types: u16, offsets: &Offsets) -> Result<()> {
        for _ in 0..n_types {
            match self.copy_u8(c)? {
                0..frame_tag::OBJECT => {}
                frame_tag::OBJECT => self.copy_reference(c)?,
                frame_tag::UNINITIALIZED => {
                    let offset = c.u16(FRAMES)?;
                    self.out.put_u32(offsets.of(u32::from(offset)));
                }
                tag => {
                    let message = format!("a stack map frame has the unknown type {tag}");
                    return Err(Error::unsupported(c.offset(), message));
                }
            }
        }
        Ok(())
    }
}

fn decode(code: &[u8], position: usize) -> Result<Instruction<'_>> {
    let instruction = instructions(code).from_offset(position as u32).next();
    instruction.unwrap_or_else(|| Err(cut_off(position)))
}

/// The bytes between a switch and its operands.
fn padding(offset: u32) -> u8 {
    3 - (offset % 4) as u8
}

#[cold]
fn cut_off(position: usize) -> Error {
    Error::truncated(position, "an instruction of the code")
}

/// How an instruction is copied.
#[derive(Clone, Copy)]
enum Form {
    /// As it is; so many bytes.
    Plain(u8),
    /// As it is but for its constant; so many bytes.
    Constant(u8),
    /// `ldc`.
    Load,
    /// `ldc_w`.
    WideLoad,
    /// Switches, `wide`, and what is no instruction.
    Other,
}

static FORMS: [Form; 256] = {
    let mut forms = [Form::Other; 256];
    let mut opcode = 0;
    while opcode < 256 {
        forms[opcode] = form(opcode as u8);
        opcode += 1;
    }
    forms
};

const fn form(opcode: u8) -> Form {
    match opcode {
        opcode::LDC => Form::Load,
        opcode::LDC_W => Form::WideLoad,
        opcode::TABLESWITCH | opcode::LOOKUPSWITCH | opcode::WIDE | 202.. => Form::Other,
        opcode::LDC2_W | 178..=184 | 187 | 189 | 192..=193 => Form::Constant(3),
        197 => Form::Constant(4),
        185..=186 => Form::Constant(5),
        153..=168 | 198..=199 | 17 | 132 => Form::Plain(3),
        200..=201 => Form::Plain(5),
        16 | 21..=25 | 54..=58 | 169 | 188 => Form::Plain(2),
        _ => Form::Plain(1),
    }
}
