//! Instructions that move values or that no array goes through, and the opcodes that only this analysis names.

use tamis_classfile::instruction::{Instruction, Operands, opcode};

use super::frame::Frame;

/// The local variable that an instruction names, which has short forms from this one on.
pub(crate) fn slot(instruction: &Instruction<'_>, first_short: u8) -> Option<usize> {
    match instruction.operands {
        Operands::Raw([index]) => Some(usize::from(*index)),
        Operands::Wide([high, low]) => Some(usize::from(u16::from_be_bytes([*high, *low]))),
        _ => Some(usize::from(
            instruction.opcode.checked_sub(first_short)? % 4,
        )),
    }
}

pub(super) fn load(instruction: &Instruction<'_>, frame: &mut Frame) -> Option<()> {
    let slot = slot(instruction, opcode::ALOAD_0)?;
    let value = frame.locals.get(slot)?.clone();
    frame.push(value);
    Some(())
}

pub(super) fn store(instruction: &Instruction<'_>, frame: &mut Frame) -> Option<()> {
    let slot = slot(instruction, opcode::ISTORE_0)?;
    let kind = match instruction.opcode {
        short @ opcode::ISTORE_0.. => (short - opcode::ISTORE_0) / 4,
        long => long - opcode::ISTORE,
    };
    // Longs and doubles take two.
    let n = if matches!(kind, 1 | 3) { 2 } else { 1 };
    let values = frame.pop_many(n)?;
    frame
        .locals
        .get_mut(slot..slot + n)?
        .clone_from_slice(&values);
    Some(())
}

pub(super) fn shuffle(code: u8, frame: &mut Frame) -> Option<()> {
    match code {
        opcode::DUP..=DUP_X2 => frame.double(1, usize::from(code - opcode::DUP)),
        DUP2..=DUP2_X2 => frame.double(2, usize::from(code - DUP2)),
        _ => {
            let mut two = frame.pop_many(2)?;
            two.reverse();
            frame.stack.append(&mut two);
            Some(())
        }
    }
}

pub(super) const ACONST_NULL: u8 = 1;
pub(super) const AALOAD: u8 = 50;
const DUP_X2: u8 = 91;
const DUP2: u8 = 92;
const DUP2_X2: u8 = 94;
pub(super) const SWAP: u8 = 95;
pub(super) const ARETURN: u8 = 176;
pub(super) const MULTIANEWARRAY: u8 = 197;

/// How many slots an instruction takes and leaves that gives no array away and gets none (JVMS 6.5); nothing for those that are
/// looked at by name, and for subroutines.
pub(super) fn plain(code: u8) -> Option<(usize, usize)> {
    Some(match code {
        0 | 132 | 167 | 177 | 200 => (0, 0),
        2..=8 | 11..=13 | 16..=19 | 21 | 23 | 26..=29 | 34..=37 | 187 => (0, 1),
        9 | 10 | 14 | 15 | 20 | 22 | 24 | 30..=33 | 38..=41 => (0, 2),
        87 | 153..=158 | 170..=172 | 174 | 191 | 194 | 195 | 198 | 199 => (1, 0),
        88 | 159..=166 | 173 | 175 => (2, 0),
        96..=115 => match code % 4 {
            0 | 2 => (2, 1),
            _ => (4, 2),
        },
        116 | 118 | 134 | 139 | 145..=147 | 190 | 193 => (1, 1),
        47 | 49 | 117 | 119 | 138 | 143 => (2, 2),
        46
        | 48
        | 51..=53
        | 120
        | 122
        | 124
        | 126
        | 128
        | 130
        | 136
        | 137
        | 142
        | 144
        | 149
        | 150 => (2, 1),
        121 | 123 | 125 => (3, 2),
        127 | 129 | 131 => (4, 2),
        133 | 135 | 140 | 141 => (1, 2),
        148 | 151 | 152 => (4, 1),
        _ => return None,
    })
}
