//! Decoding instructions (JVMS 6.5), one at a time, from the bytes of a method's code.
//!
//! Only what somebody needs is taken apart: constants, branch targets, switches. Everything else
//! stays a number of operand bytes. Offsets are those of the instruction in the code.

use crate::error::{Error, Result};

/// One instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Instruction<'c> {
    /// Where it stands in the code.
    pub offset: u32,
    /// Its opcode; that of the widened instruction where `wide` stands before it.
    pub opcode: u8,
    /// What follows the opcode.
    pub operands: Operands<'c>,
    /// Its length in bytes, padding and `wide` included.
    pub length: u32,
}

/// What follows an opcode.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operands<'c> {
    /// Nothing, a number, a slot, a type code: bytes that stay as they are.
    Raw(&'c [u8]),
    /// Slot, and increment for `iinc`, of an instruction with `wide` before it.
    Wide(&'c [u8]),
    /// A constant, and the bytes after it (`invokeinterface`, `invokedynamic`, `multianewarray`).
    Constant {
        /// The index.
        index: u16,
        /// What follows.
        rest: &'c [u8],
    },
    /// The offset in the code that a branch goes to.
    Branch(u32),
    /// A switch.
    Switch(Switch<'c>),
}

/// The targets of a `tableswitch` or `lookupswitch`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Switch<'c> {
    /// The offset of the switch, which all its targets are relative to.
    offset: u32,
    default: i32,
    /// The first value, of a `tableswitch`.
    low: Option<i32>,
    /// The distances, or pairs of value and distance, each of four bytes.
    cases: &'c [u8],
}

/// The opcodes that somebody mentions by name.
#[allow(
    missing_docs,
    reason = "each is the instruction of that name in the specification"
)]
pub mod opcode {
    pub const NOP: u8 = 0;
    pub const ICONST_0: u8 = 3;
    pub const ICONST_1: u8 = 4;
    pub const SIPUSH: u8 = 17;
    pub const LDC: u8 = 18;
    pub const LDC_W: u8 = 19;
    pub const LDC2_W: u8 = 20;
    pub const ALOAD: u8 = 25;
    pub const ALOAD_0: u8 = 42;
    pub const ALOAD_3: u8 = 45;
    pub const ISTORE: u8 = 54;
    pub const ASTORE: u8 = 58;
    pub const ISTORE_0: u8 = 59;
    pub const ASTORE_0: u8 = 75;
    pub const ASTORE_3: u8 = 78;
    pub const IASTORE: u8 = 79;
    pub const LASTORE: u8 = 80;
    pub const FASTORE: u8 = 81;
    pub const DASTORE: u8 = 82;
    pub const AASTORE: u8 = 83;
    pub const BASTORE: u8 = 84;
    pub const CASTORE: u8 = 85;
    pub const SASTORE: u8 = 86;
    pub const POP: u8 = 87;
    pub const POP2: u8 = 88;
    pub const DUP: u8 = 89;
    pub const IINC: u8 = 132;
    pub const IFEQ: u8 = 153;
    pub const GOTO: u8 = 167;
    pub const JSR: u8 = 168;
    pub const RET: u8 = 169;
    pub const TABLESWITCH: u8 = 170;
    pub const LOOKUPSWITCH: u8 = 171;
    pub const IRETURN: u8 = 172;
    pub const RETURN: u8 = 177;
    pub const GETSTATIC: u8 = 178;
    pub const PUTSTATIC: u8 = 179;
    pub const GETFIELD: u8 = 180;
    pub const PUTFIELD: u8 = 181;
    pub const INVOKEVIRTUAL: u8 = 182;
    pub const INVOKESPECIAL: u8 = 183;
    pub const INVOKESTATIC: u8 = 184;
    pub const INVOKEINTERFACE: u8 = 185;
    pub const INVOKEDYNAMIC: u8 = 186;
    pub const NEW: u8 = 187;
    pub const NEWARRAY: u8 = 188;
    pub const ANEWARRAY: u8 = 189;
    pub const ATHROW: u8 = 191;
    pub const CHECKCAST: u8 = 192;
    pub const WIDE: u8 = 196;
    pub const GOTO_W: u8 = 200;
    pub const JSR_W: u8 = 201;
}

/// How the bytes after an opcode are laid out.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Layout {
    /// That many bytes.
    Raw(u8),
    /// A constant index of one byte.
    Constant1,
    /// A constant index of two bytes, and that many more.
    Constant2(u8),
    /// A distance of two bytes.
    Branch2,
    /// A distance of four bytes.
    Branch4,
    TableSwitch,
    LookupSwitch,
    Wide,
    /// There is no such instruction.
    Undefined,
}

const fn layout(opcode: u8) -> Layout {
    match opcode {
        0..=15 | 26..=53 | 59..=131 | 133..=152 | 172..=177 | 190..=191 | 194..=195 => {
            Layout::Raw(0)
        }
        16 | 21..=25 | 54..=58 | 169 | 188 => Layout::Raw(1),
        17 | 132 => Layout::Raw(2),
        18 => Layout::Constant1,
        19..=20 | 178..=184 | 187 | 189 | 192..=193 => Layout::Constant2(0),
        185 | 186 => Layout::Constant2(2),
        197 => Layout::Constant2(1),
        153..=168 | 198..=199 => Layout::Branch2,
        200..=201 => Layout::Branch4,
        170 => Layout::TableSwitch,
        171 => Layout::LookupSwitch,
        196 => Layout::Wide,
        202..=255 => Layout::Undefined,
    }
}

/// The layouts of all opcodes, looked up instead of matched: decoding is a hot path.
static LAYOUTS: [Layout; 256] = {
    let mut layouts = [Layout::Undefined; 256];
    let mut opcode = 0;
    while opcode < 256 {
        layouts[opcode] = layout(opcode as u8);
        opcode += 1;
    }
    layouts
};

/// The instructions of some code, in their order; ends after the first error.
#[derive(Clone)]
pub struct Instructions<'c> {
    code: &'c [u8],
    position: usize,
}

/// The instructions of `code`, from the first one on.
pub fn instructions(code: &[u8]) -> Instructions<'_> {
    Instructions { code, position: 0 }
}

impl<'c> Iterator for Instructions<'c> {
    type Item = Result<Instruction<'c>>;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        let opcode = *self.code.get(self.position)?;
        let decoded = self.decode(opcode);
        self.position = match &decoded {
            Ok(instruction) => self.position + instruction.length as usize,
            Err(_) => self.code.len(),
        };
        Some(decoded)
    }
}

impl<'c> Instructions<'c> {
    /// The instructions from the one at `offset` on.
    #[must_use]
    pub fn from_offset(self, offset: u32) -> Self {
        Self {
            position: offset as usize,
            ..self
        }
    }

    #[inline]
    fn decode(&self, opcode: u8) -> Result<Instruction<'c>> {
        let (operands, n_operand_bytes) = match LAYOUTS[usize::from(opcode)] {
            Layout::Raw(n) => (
                Operands::Raw(self.operands(usize::from(n))?),
                usize::from(n),
            ),
            Layout::Constant1 => {
                let index = u16::from(self.operands(1)?[0]);
                (Operands::Constant { index, rest: &[] }, 1)
            }
            Layout::Constant2(n_more) => {
                let n = 2 + usize::from(n_more);
                let bytes = self.operands(n)?;
                let index = u16::from_be_bytes([bytes[0], bytes[1]]);
                (
                    Operands::Constant {
                        index,
                        rest: &bytes[2..],
                    },
                    n,
                )
            }
            Layout::Branch2 => {
                let bytes = self.operands(2)?;
                let distance = i32::from(i16::from_be_bytes([bytes[0], bytes[1]]));
                (Operands::Branch(self.target(distance)?), 2)
            }
            Layout::Branch4 => {
                let distance = number(self.operands(4)?, 0);
                (Operands::Branch(self.target(distance)?), 4)
            }
            Layout::TableSwitch | Layout::LookupSwitch => self.decode_switch(opcode)?,
            Layout::Wide => return self.decode_wide(),
            Layout::Undefined => {
                let message = format!("there is no instruction {opcode} in the code");
                return Err(Error::unsupported(self.position, message));
            }
        };
        let offset = self.position as u32;
        Ok(Instruction {
            offset,
            opcode,
            operands,
            length: 1 + n_operand_bytes as u32,
        })
    }

    fn decode_wide(&self) -> Result<Instruction<'c>> {
        let opcode = self.operands(1)?[0];
        let n = match opcode {
            opcode::IINC => 4,
            21..=25 | 54..=58 | opcode::RET => 2,
            _ => {
                let message = format!("instruction {opcode} cannot be wide in the code");
                return Err(Error::malformed(self.position, message));
            }
        };
        let operands = Operands::Wide(&self.operands(1 + n)?[1..]);
        Ok(Instruction {
            offset: self.position as u32,
            opcode,
            operands,
            length: 2 + n as u32,
        })
    }

    fn decode_switch(&self, opcode: u8) -> Result<(Operands<'c>, usize)> {
        // Operands begin at a multiple of four from the start of the code.
        let padding = 3 - self.position % 4;
        let header = if opcode == opcode::TABLESWITCH { 12 } else { 8 };
        let fixed = &self.operands(padding + header)?[padding..];
        let default = number(fixed, 0);
        let (low, n_cases, case_size) = if opcode == opcode::TABLESWITCH {
            let (low, high) = (number(fixed, 1), number(fixed, 2));
            (Some(low), i64::from(high) - i64::from(low) + 1, 4)
        } else {
            (None, i64::from(number(fixed, 1)), 8)
        };
        let n_bytes = usize::try_from(n_cases)
            .ok()
            .and_then(|n| n.checked_mul(case_size))
            .and_then(|n| n.checked_add(padding + header))
            .ok_or_else(|| {
                Error::malformed(
                    self.position,
                    "a switch in the code has fewer than no cases",
                )
            })?;
        let cases = &self.operands(n_bytes)?[padding + header..];
        let switch = Switch {
            offset: self.position as u32,
            default,
            low,
            cases,
        };
        Ok((Operands::Switch(switch), n_bytes))
    }

    /// The `n` bytes after the opcode.
    #[inline]
    fn operands(&self, n: usize) -> Result<&'c [u8]> {
        self.code
            .get(self.position + 1..)
            .and_then(|rest| rest.get(..n))
            .ok_or_else(|| Error::truncated(self.position, "an instruction of the code"))
    }

    #[inline]
    fn target(&self, distance: i32) -> Result<u32> {
        target(self.position as u32, distance, self.code.len())
    }
}

impl<'c> Instruction<'c> {
    /// The offset after it.
    pub fn end(&self) -> u32 {
        self.offset + self.length
    }

    /// Whether control never goes on to the next instruction: a jump, a return, a throw, a switch.
    pub fn is_unconditional(&self) -> bool {
        use opcode::{ATHROW, GOTO, GOTO_W, LOOKUPSWITCH, RET, TABLESWITCH};
        self.is_return()
            || matches!(
                self.opcode,
                GOTO | RET | TABLESWITCH | LOOKUPSWITCH | ATHROW | GOTO_W
            )
    }

    /// Whether it is part of a subroutine, as compilers before Java 6 made them for `finally`.
    pub fn is_subroutine(&self) -> bool {
        matches!(self.opcode, opcode::JSR | opcode::RET | opcode::JSR_W)
    }

    /// Whether it gives the local variable another value, or half of one.
    pub fn stores_into(&self, slot: u16) -> bool {
        let (kind, first) = match (self.opcode, &self.operands) {
            (opcode::ISTORE..=opcode::ASTORE, Operands::Raw([index])) => {
                (self.opcode - opcode::ISTORE, u16::from(*index))
            }
            (opcode::ISTORE..=opcode::ASTORE, Operands::Wide([high, low])) => (
                self.opcode - opcode::ISTORE,
                u16::from_be_bytes([*high, *low]),
            ),
            (opcode::ISTORE_0..=opcode::ASTORE_3, _) => {
                let short = self.opcode - opcode::ISTORE_0;
                (short / 4, u16::from(short % 4))
            }
            _ => return false,
        };
        // Longs and doubles take two.
        let is_wide = matches!(kind, 1 | 3);
        first == slot || (is_wide && first.checked_add(1) == Some(slot))
    }

    /// Whether it ends the method normally.
    pub fn is_return(&self) -> bool {
        (opcode::IRETURN..=opcode::RETURN).contains(&self.opcode)
    }

    /// The constant it names.
    pub fn constant(&self) -> Option<u16> {
        match self.operands {
            Operands::Constant { index, .. } => Some(index),
            _ => None,
        }
    }

    /// Visits every offset it may jump to; all are checked to lie inside the code.
    pub fn targets(&self, code_length: usize, mut visit: impl FnMut(u32)) -> Result<()> {
        match self.operands {
            Operands::Branch(target) => visit(target),
            Operands::Switch(switch) => {
                visit(switch.default_target(code_length)?);
                for (_, distance) in switch.distances() {
                    visit(target(switch.offset, distance, code_length)?);
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// The operands of a switch.
    pub fn switch(&self) -> Option<Switch<'c>> {
        match self.operands {
            Operands::Switch(switch) => Some(switch),
            _ => None,
        }
    }
}

impl<'c> Switch<'c> {
    /// Whether it is a `tableswitch`.
    pub fn is_table(&self) -> bool {
        self.low.is_some()
    }

    /// The first value of a `tableswitch`.
    pub fn low(&self) -> Option<i32> {
        self.low
    }

    /// Where it goes when no case fits.
    pub fn default_target(&self, code_length: usize) -> Result<u32> {
        target(self.offset, self.default, code_length)
    }

    /// The number of cases.
    pub fn n_cases(&self) -> usize {
        self.cases.len() / if self.is_table() { 4 } else { 8 }
    }

    /// The values with the offsets they go to.
    pub fn cases(&self, code_length: usize) -> impl Iterator<Item = Result<(i32, u32)>> + 'c {
        let offset = self.offset;
        self.distances()
            .map(move |(value, distance)| Ok((value, target(offset, distance, code_length)?)))
    }

    /// The values with the distances they go.
    fn distances(&self) -> impl Iterator<Item = (i32, i32)> + use<'c> {
        let low = self.low;
        self.cases
            .chunks_exact(if low.is_some() { 4 } else { 8 })
            .zip(0..)
            .map(move |(case, position)| match low {
                Some(low) => (low.wrapping_add(position), number(case, 0)),
                None => (number(case, 0), number(case, 1)),
            })
    }
}

#[inline]
fn target(offset: u32, distance: i32, code_length: usize) -> Result<u32> {
    match offset.checked_add_signed(distance) {
        Some(target) if (target as usize) < code_length => Ok(target),
        _ => Err(Error::malformed(
            offset as usize,
            "a branch leaves the code",
        )),
    }
}

/// The `n`-th big-endian 32-bit number in `bytes`.
#[inline]
fn number(bytes: &[u8], n: usize) -> i32 {
    bytes[n * 4..]
        .first_chunk()
        .map_or(0, |chunk| i32::from_be_bytes(*chunk))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(code: &[u8], expected: &str) {
        let error = instructions(code).find_map(Result::err).unwrap();
        assert_eq!(error.to_string(), expected);
    }

    fn lengths(code: &[u8]) -> Vec<u32> {
        instructions(code).map(|i| i.unwrap().length).collect()
    }

    #[test]
    fn wide_instructions_are_one_instruction() {
        assert_eq!(
            lengths(&[196, 132, 0, 1, 0, 2, 196, 21, 0, 1, 177]),
            [6, 4, 1]
        );
    }

    #[test]
    fn switch_padding_depends_on_the_offset() {
        let (tableswitch, default_low_high_and_one_case) = ([170], [0; 16]);
        let at_0 = [&tableswitch[..], &[0; 3], &default_low_high_and_one_case].concat();
        let at_1 = [
            &[0],
            &tableswitch[..],
            &[0; 2],
            &default_low_high_and_one_case,
        ]
        .concat();
        assert_eq!(lengths(&at_0), [20]);
        assert_eq!(lengths(&at_1), [1, 19]);
    }

    #[test]
    fn a_switch_that_promises_more_than_there_is() {
        let mut code = vec![170, 0, 0, 0, 0, 0, 0, 0];
        code.extend(i32::MIN.to_be_bytes());
        code.extend(i32::MAX.to_be_bytes());
        check(
            &code,
            "the bytes end inside an instruction of the code (at byte 0)",
        );
    }

    #[test]
    fn a_switch_with_fewer_than_no_cases() {
        let mut code = vec![171, 0, 0, 0, 0, 0, 0, 0];
        code.extend((-1i32).to_be_bytes());
        check(
            &code,
            "a switch in the code has fewer than no cases (at byte 0)",
        );
    }

    #[test]
    fn a_branch_out_of_the_code() {
        check(&[167, 0, 9], "a branch leaves the code (at byte 0)");
        check(&[167, 255, 0], "a branch leaves the code (at byte 0)");
    }

    #[test]
    fn an_undefined_instruction() {
        check(
            &[0, 203],
            "there is no instruction 203 in the code (at byte 1)",
        );
    }
}
