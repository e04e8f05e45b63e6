//! Writing the instructions at their new places.

use super::Insertion;
use super::body::Body;
use super::layout::{Layout, Way, padding};
use crate::cursor::PutBytes;
use crate::error::{Error, Result};
use crate::instruction::{Instruction, Operands, Switch, opcode};

/// The new code.
pub(super) fn instructions(
    body: &Body<'_>,
    code: &[u8],
    insertions: &[&Insertion<'_>],
    layout: &Layout,
) -> Result<Vec<u8>> {
    let mut insertions = insertions.iter().peekable();
    let mut out = Vec::with_capacity(layout.length() as usize);
    for (number, instruction) in body.instructions.iter().enumerate() {
        put_trampolines(&mut out, layout, number)?;
        while let Some(insertion) = insertions.next_if(|i| i.at == instruction.offset) {
            out.extend_from_slice(insertion.code);
        }
        put_instruction(&mut out, instruction, code, layout.way(number), layout)?;
    }
    for insertion in insertions {
        out.extend_from_slice(insertion.code);
    }
    put_trampolines(&mut out, layout, body.instructions.len())?;
    debug_assert_eq!(out.len(), layout.length() as usize);
    Ok(out)
}

fn put_trampolines(out: &mut Vec<u8>, layout: &Layout, number: usize) -> Result<()> {
    for trampoline in layout.trampolines_at(number) {
        let target = layout.target(trampoline.target)?;
        put_long_branch(out, opcode::GOTO_W, target);
    }
    Ok(())
}

fn put_instruction(
    out: &mut Vec<u8>,
    instruction: &Instruction<'_>,
    code: &[u8],
    way: Way,
    layout: &Layout,
) -> Result<()> {
    let target = match instruction.operands {
        Operands::Branch(target) => layout.target(target)?,
        Operands::Switch(switch) => return put_switch(out, instruction, &switch, code, layout),
        Operands::Raw(_) | Operands::Wide(_) | Operands::Constant { .. } => {
            out.extend_from_slice(&code[instruction.offset as usize..instruction.end() as usize]);
            return Ok(());
        }
    };
    match way {
        Way::Wide => put_long_branch(out, opcode::GOTO_W, target),
        Way::Direct if instruction.opcode == opcode::GOTO_W => {
            put_long_branch(out, opcode::GOTO_W, target);
        }
        Way::Direct => put_short_branch(out, instruction.opcode, target)?,
        Way::By(number) => {
            let trampoline = &layout.trampolines()[number];
            put_short_branch(out, instruction.opcode, trampoline.at)?;
        }
    }
    Ok(())
}

fn put_short_branch(out: &mut Vec<u8>, opcode: u8, target: u32) -> Result<()> {
    let distance = i16::try_from(distance(out.len(), target))
        .map_err(|_| Error::too_large("a branch of the code does not reach its target"))?;
    out.put_u8(opcode);
    out.put_u16(distance.cast_unsigned());
    Ok(())
}

fn put_long_branch(out: &mut Vec<u8>, opcode: u8, target: u32) {
    let distance = distance(out.len(), target);
    out.put_u8(opcode);
    out.put_u32(distance.cast_unsigned());
}

/// Targets change, values and the order of cases do not.
fn put_switch(
    out: &mut Vec<u8>,
    instruction: &Instruction<'_>,
    switch: &Switch<'_>,
    code: &[u8],
    layout: &Layout,
) -> Result<()> {
    let at = out.len();
    let code_length = code.len();
    let to = |target: u32| Ok::<u32, Error>(distance(at, layout.target(target)?).cast_unsigned());
    out.put_u8(instruction.opcode);
    out.resize(out.len() + padding(at as u32) as usize, 0);
    out.put_u32(to(switch.default_target(code_length)?)?);
    // Low and high, or the number of cases.
    let fixed = (instruction.offset + 1 + padding(instruction.offset) + 4) as usize;
    let n_fixed = if switch.is_table() { 8 } else { 4 };
    out.extend_from_slice(&code[fixed..fixed + n_fixed]);
    for case in switch.cases(code_length) {
        let (value, target) = case?;
        if !switch.is_table() {
            out.put_u32(value.cast_unsigned());
        }
        out.put_u32(to(target)?);
    }
    Ok(())
}

/// From an instruction at `from`; code is far too short for this to overflow.
fn distance(from: usize, to: u32) -> i32 {
    to.cast_signed() - (from as u32).cast_signed()
}
