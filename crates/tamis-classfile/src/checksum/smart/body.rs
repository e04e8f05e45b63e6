//! The code of a method, copied with its constants by first use.
//!
//! Code is copied as it lies, but for `ldc_w`: whether a load needs it depends on where in the pool
//! the constant stands. So all loads are written as `ldc`, which moves what comes behind them.

use super::attributes::Others;
use super::constants::Meaning;
use super::{ATTRIBUTE, Stream, put_length};
use crate::attribute::{AttributeName as Name, Place, frame_tag};
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
            match (*opcode, FORMS[usize::from(*opcode)]) {
                (opcode::LDC, _) => position += 2,
                (opcode::LDC_W, _) => {
                    position += 3;
                    shift -= 1;
                }
                (_, form::OTHER) => {
                    let instruction = decode(code, position)?;
                    position += instruction.length as usize;
                    if instruction.switch().is_some() {
                        let moved = padding(at.wrapping_add_signed(shift));
                        shift += i32::from(moved) - i32::from(padding(at));
                    }
                }
                (_, form) => position += usize::from(form & form::LENGTH),
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
        self.out.extend_from_slice(&c.array::<4>(CODE)?);
        let length = c.u32(CODE)? as usize;
        let offset = c.offset();
        let offsets = self.put_instructions(c.take(length, CODE)?, offset)?;
        for _ in 0..self.copy_u16(c)? {
            for _ in 0..3 {
                let offset = c.u16(CODE)?;
                self.out.put_u32(offsets.of(u32::from(offset)));
            }
            self.copy_reference(c)?;
        }
        self.put_code_attributes(c, &offsets)
    }

    /// Frames are all that counts of what is known.
    fn put_code_attributes(&mut self, c: &mut Cursor<'a>, offsets: &Offsets) -> Result<()> {
        let mut others = Others::default();
        for _ in 0..c.u16(ATTRIBUTE)? {
            let (name, mut content) = c.attribute()?;
            match self.meaning(name)? {
                Meaning::Known(Name::StackMapTable) => {
                    self.out.put_u8(Name::StackMapTable as u8);
                    self.put_frames(&mut content, offsets)?;
                    content.finish(FRAMES)?;
                }
                Meaning::Known(name) if name.is_defined_at(Place::Code) => {}
                Meaning::WithoutBehaviour => {}
                _ => self.add_unknown(name, content, &mut others)?,
            }
        }
        self.put_unknown(&others);
        Ok(())
    }

    /// Copies the code, which lies at `offset` of the file, and behind it the constants that it
    /// loads, for which `ldc` has no room.
    fn put_instructions(&mut self, code: &[u8], offset: usize) -> Result<Offsets> {
        let start = self.out.len();
        put_length(code.len(), &mut self.out);
        self.put_part(offset, code.len())?;
        self.loads.clear();
        let mut offsets = Offsets { moves: Vec::new() };
        let n_operands = if let Some(n_operands) = self.find_operands(code)? {
            n_operands
        } else {
            self.out.truncate(start);
            offsets = Offsets::find(code)?;
            self.put_moved_instructions(code, &offsets)?
        };
        self.number_operands(start + 4, n_operands)?;
        for position in 0..self.loads.len() {
            self.refer(self.loads[position])?;
        }
        Ok(offsets)
    }

    /// Finds the constants that the code just copied names; gives their number, or none if there is
    /// an `ldc_w`.
    fn find_operands(&mut self, code: &[u8]) -> Result<Option<usize>> {
        let start = self.out.len() - code.len();
        // Room for one in each instruction, so that none has to be made in the loop.
        self.operands.resize(code.len().max(self.operands.len()), 0);
        let operands = &mut self.operands[..code.len()];
        let mut n_operands = 0;
        let mut position = 0;
        while let Some(opcode) = code.get(position) {
            let form = FORMS[usize::from(*opcode)];
            if form == form::OTHER {
                match *opcode {
                    opcode::LDC_W => return Ok(None),
                    opcode::LDC => {
                        let index = code.get(position + 1).ok_or_else(|| cut_off(position))?;
                        self.loads.push(u16::from(*index));
                        self.out[start + position + 1] = 0;
                        position += 2;
                    }
                    _ => position += decode(code, position)?.length as usize,
                }
            } else {
                // Whether an instruction names a constant no processor could foresee.
                operands[n_operands] = position as u32 + 1;
                n_operands += usize::from(form & form::CONSTANT != 0);
                position += usize::from(form & form::LENGTH);
            }
        }
        Ok(Some(n_operands))
    }

    /// Puts ordinals in place of the indices of the constants that the code names, which begins at
    /// `start` of the stream.
    fn number_operands(&mut self, start: usize, n_operands: usize) -> Result<()> {
        for at in &self.operands[..n_operands] {
            let operand = self.out.get_mut(start + *at as usize..);
            let Some(operand) = operand.and_then(<[u8]>::first_chunk_mut) else {
                let message = "the last instruction of the code is cut off";
                return Err(Error::malformed(None, message));
            };
            let ordinal = self.constants.ordinal(u16::from_be_bytes(*operand))?;
            *operand = ordinal.to_be_bytes();
        }
        Ok(())
    }

    /// The same for code with `ldc_w`: byte for byte what it would be without. Gives the number of
    /// constants that it names.
    fn put_moved_instructions(&mut self, code: &[u8], offsets: &Offsets) -> Result<usize> {
        put_length(offsets.of(code.len() as u32) as usize, &mut self.out);
        let start = self.out.len();
        self.loads.clear();
        let mut n_operands = 0;
        let mut n_copied = 0;
        let mut position = 0;
        while let Some(opcode) = code.get(position) {
            let form = FORMS[usize::from(*opcode)];
            if form & form::BRANCH == 0 && form != form::OTHER {
                self.operands[n_operands] =
                    (self.out.len() - start + position - n_copied + 1) as u32;
                n_operands += usize::from(form & form::CONSTANT != 0);
                position += usize::from(form & form::LENGTH);
            } else {
                self.out.extend_from_slice(&code[n_copied..position]);
                let instruction = decode(code, position)?;
                self.put_moved_instruction(&instruction, code, offsets)?;
                position += instruction.length as usize;
                n_copied = position;
            }
        }
        self.out.extend_from_slice(&code[n_copied..]);
        Ok(n_operands)
    }

    /// A load, a jump or a switch; whatever else comes is copied.
    fn put_moved_instruction(
        &mut self,
        instruction: &Instruction<'_>,
        code: &[u8],
        offsets: &Offsets,
    ) -> Result<()> {
        let from = offsets.of(instruction.offset);
        let distance = |target: u32| offsets.of(target).wrapping_sub(from);
        match instruction.operands {
            Operands::Constant { index, .. }
                if matches!(instruction.opcode, opcode::LDC | opcode::LDC_W) =>
            {
                self.loads.push(index);
                self.out.extend([opcode::LDC, 0]);
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
                    .put_u32(distance(switch.default_target(code.len())?));
                match switch.low() {
                    Some(low) => {
                        let n_cases = (switch.n_cases() as u32).cast_signed();
                        let high = low.wrapping_add(n_cases).wrapping_sub(1);
                        self.out.put_u32(low.cast_unsigned());
                        self.out.put_u32(high.cast_unsigned());
                    }
                    None => self.out.put_u32(switch.n_cases() as u32),
                }
                for case in switch.cases(code.len()) {
                    let (value, target) = case?;
                    if !switch.is_table() {
                        self.out.put_u32(value.cast_unsigned());
                    }
                    self.out.put_u32(distance(target));
                }
            }
            _ => {
                let (start, end) = (instruction.offset as usize, instruction.end() as usize);
                self.out.extend_from_slice(&code[start..end]);
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

/// How an instruction is copied: its length, and what follows its opcode.
mod form {
    /// The bits that are the length.
    pub(super) const LENGTH: u8 = 0x0f;
    /// A constant follows.
    pub(super) const CONSTANT: u8 = 0x10;
    /// A distance follows.
    pub(super) const BRANCH: u8 = 0x20;
    /// `ldc`, `ldc_w`, switches, `wide`, and what is no instruction.
    pub(super) const OTHER: u8 = 0;

    pub(super) const fn of(opcode: u8) -> u8 {
        use crate::instruction::opcode;
        match opcode {
            opcode::LDC..=opcode::LDC_W | 170..=171 | opcode::WIDE | 202.. => OTHER,
            opcode::LDC2_W | 178..=184 | 187 | 189 | 192..=193 => CONSTANT | 3,
            197 => CONSTANT | 4,
            185..=186 => CONSTANT | 5,
            153..=168 | 198..=199 => BRANCH | 3,
            200..=201 => BRANCH | 5,
            17 | 132 => 3,
            16 | 21..=25 | 54..=58 | 169 | 188 => 2,
            _ => 1,
        }
    }
}

static FORMS: [u8; 256] = {
    let mut forms = [form::OTHER; 256];
    let mut opcode = 0;
    while opcode < 256 {
        forms[opcode] = form::of(opcode as u8);
        opcode += 1;
    }
    forms
};
