//! The instructions of a method, all decoded, and found by their offset.

use super::MAX_CODE_LENGTH;
use crate::error::{Error, Result};
use crate::instruction::{Instruction, instructions};

/// Decoded code.
pub(super) struct Body<'c> {
    /// The instructions in their order.
    pub(super) instructions: Vec<Instruction<'c>>,
    /// The number of bytes.
    pub(super) length: u32,
}

impl<'c> Body<'c> {
    pub(super) fn decode(code: &'c [u8]) -> Result<Self> {
        if code.is_empty() || code.len() > MAX_CODE_LENGTH {
            let message = format!("a method has {} bytes of code", code.len());
            return Err(Error::malformed(None, message));
        }
        let mut decoded = Vec::with_capacity(code.len() / 2);
        for instruction in instructions(code) {
            let instruction = instruction?;
            if instruction.is_subroutine() {
                let message = "the code has subroutines (jsr, ret)";
                return Err(Error::unsupported(instruction.offset as usize, message));
            }
            decoded.push(instruction);
        }
        Ok(Self {
            instructions: decoded,
            length: code.len() as u32,
        })
    }

    /// For each offset, the end of the code included, the number of the instruction that stands
    /// there or is the next one; the end counts as one more instruction.
    pub(super) fn numbers(&self) -> Vec<u32> {
        let mut numbers = Vec::with_capacity(self.length as usize + 1);
        numbers.push(0);
        for (number, instruction) in (1..).zip(&self.instructions) {
            numbers.resize(instruction.end() as usize + 1, number);
        }
        numbers
    }
}
