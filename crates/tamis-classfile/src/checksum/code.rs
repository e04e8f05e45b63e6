//! The body of a method: instructions, handlers, frames.
//!
//! Offsets stand as ordinals of instructions, and `ldc_w` as `ldc`: a constant pool that grows past
//! index 255 makes code longer without making it different.

use super::DebugInfo;
use super::context::{Context, put_bytes, put_length};
use crate::attribute::{
    Attribute, AttributeContent, Code, FrameKind, StackMapFrame, VerificationType,
};
use crate::class_file::Method;
use crate::cursor::PutBytes;
use crate::error::{Error, Result};
use crate::flow::Block;
use crate::instruction::{Instruction, Operands, instructions, opcode};

/// By offset in the code: the ordinal of the instruction that begins there.
struct Ordinals {
    by_offset: Vec<u32>,
}

/// No instruction begins here.
const NONE: u32 = u32::MAX;

impl Ordinals {
    fn of(code: &[u8]) -> Result<Self> {
        let mut by_offset = vec![NONE; code.len() + 1];
        let mut ordinal = 0;
        for instruction in instructions(code) {
            by_offset[instruction?.offset as usize] = ordinal;
            ordinal += 1;
        }
        by_offset[code.len()] = ordinal;
        Ok(Self { by_offset })
    }

    fn target(&self, offset: u32) -> Result<u32> {
        match self.by_offset.get(offset as usize) {
            Some(ordinal) if *ordinal != NONE => Ok(*ordinal),
            _ => Err(Error::malformed(
                offset as usize,
                "control goes into the middle of an instruction of the code",
            )),
        }
    }

    /// The ordinal, or, of an offset inside an instruction, the offset, told apart by a bit: tables
    /// may be wrong where the JVM does not look.
    fn anywhere(&self, offset: u32) -> u32 {
        self.target(offset).unwrap_or(offset | 1 << 31)
    }
}

impl Context<'_> {
    /// The code of a method, if it has any.
    pub(super) fn put_body(&self, method: &Method<'_>, out: &mut Vec<u8>) -> Result<()> {
        match method.code() {
            None => out.put_u8(0),
            Some(code) => {
                out.put_u8(1);
                self.put_code(code, out)?;
            }
        }
        Ok(())
    }

    fn put_code(&self, code: &Code<'_>, out: &mut Vec<u8>) -> Result<()> {
        let ordinals = Ordinals::of(&code.instructions)?;
        out.put_u16(code.max_stack);
        out.put_u16(code.max_locals);
        put_length(ordinals.by_offset[code.instructions.len()] as usize, out);
        for instruction in instructions(&code.instructions) {
            self.put_instruction(&instruction?, code.instructions.len(), Some(&ordinals), out)?;
        }
        put_length(code.exception_table.len(), out);
        for handler in code.exception_table.iter() {
            for offset in [handler.start, handler.end, handler.handler] {
                out.put_u32(ordinals.anywhere(u32::from(offset)));
            }
            self.put_optional_class(handler.catch_type, out)?;
        }
        for attribute in &code.attributes {
            if let AttributeContent::StackMapTable(frames) = &attribute.content {
                self.put_frames(frames, &ordinals, out)?;
            }
        }
        if self.debug_info == DebugInfo::Counted {
            self.put_debug_tables(&code.attributes, &ordinals, out)?;
        }
        self.put_unknown(&code.attributes, out)
    }

    /// The instructions of a block, without the targets of jumps: those are the graph's edges.
    pub(super) fn put_block(
        &self,
        code: &Code<'_>,
        block: &Block<'_>,
        out: &mut Vec<u8>,
    ) -> Result<()> {
        for instruction in instructions(&code.instructions).from_offset(block.start) {
            let instruction = instruction?;
            if instruction.offset >= block.end {
                break;
            }
            self.put_instruction(&instruction, code.instructions.len(), None, out)?;
        }
        Ok(())
    }

    #[inline]
    fn put_instruction(
        &self,
        instruction: &Instruction<'_>,
        code_length: usize,
        targets: Option<&Ordinals>,
        out: &mut Vec<u8>,
    ) -> Result<()> {
        let opcode = match instruction.opcode {
            opcode::LDC_W => opcode::LDC,
            opcode::GOTO_W => opcode::GOTO,
            opcode => opcode,
        };
        match instruction.operands {
            Operands::Raw(bytes) => {
                out.put_u8(opcode);
                out.extend_from_slice(bytes);
            }
            Operands::Wide(bytes) => {
                out.extend([opcode::WIDE, opcode]);
                out.extend_from_slice(bytes);
            }
            Operands::Constant { index, rest } => {
                out.put_u8(opcode);
                self.put_constant(index, out)?;
                out.extend_from_slice(rest);
            }
            Operands::Branch(target) => {
                out.put_u8(opcode);
                if let Some(ordinals) = targets {
                    out.put_u32(ordinals.target(target)?);
                }
            }
            Operands::Switch(switch) => {
                out.put_u8(opcode);
                if let Some(ordinals) = targets {
                    out.put_u32(ordinals.target(switch.default_target(code_length)?)?);
                    put_length(switch.n_cases(), out);
                    for case in switch.cases(code_length) {
                        let (value, target) = case?;
                        out.put_u32(value.cast_unsigned());
                        out.put_u32(ordinals.target(target)?);
                    }
                }
            }
        }
        Ok(())
    }

    /// The frames: what the verifier is told decides whether the class links at all.
    fn put_frames(
        &self,
        frames: &[StackMapFrame],
        ordinals: &Ordinals,
        out: &mut Vec<u8>,
    ) -> Result<()> {
        out.put_u8(b'F');
        put_length(frames.len(), out);
        let mut next = 0;
        for frame in frames {
            let offset = next + u32::from(frame.offset_delta);
            next = offset + 1;
            out.put_u32(ordinals.anywhere(offset));
            match &frame.kind {
                FrameKind::Same | FrameKind::SameExtended => out.put_u8(0),
                FrameKind::SameLocals1(value) | FrameKind::SameLocals1Extended(value) => {
                    out.put_u8(1);
                    self.put_type(*value, ordinals, out)?;
                }
                FrameKind::Chop(n_locals) => out.extend([2, *n_locals]),
                FrameKind::Append(locals) => {
                    out.put_u8(3);
                    self.put_types(locals, ordinals, out)?;
                }
                FrameKind::Full { locals, stack } => {
                    out.put_u8(4);
                    self.put_types(locals, ordinals, out)?;
                    self.put_types(stack, ordinals, out)?;
                }
            }
        }
        Ok(())
    }

    fn put_types(
        &self,
        types: &[VerificationType],
        ordinals: &Ordinals,
        out: &mut Vec<u8>,
    ) -> Result<()> {
        put_length(types.len(), out);
        types
            .iter()
            .try_for_each(|value| self.put_type(*value, ordinals, out))
    }

    fn put_type(
        &self,
        value: VerificationType,
        ordinals: &Ordinals,
        out: &mut Vec<u8>,
    ) -> Result<()> {
        match value {
            VerificationType::Top => out.put_u8(0),
            VerificationType::Integer => out.put_u8(1),
            VerificationType::Float => out.put_u8(2),
            VerificationType::Double => out.put_u8(3),
            VerificationType::Long => out.put_u8(4),
            VerificationType::Null => out.put_u8(5),
            VerificationType::UninitializedThis => out.put_u8(6),
            VerificationType::Object(class) => {
                out.put_u8(7);
                self.put_class(class, out)?;
            }
            VerificationType::Uninitialized(offset) => {
                out.put_u8(8);
                out.put_u32(ordinals.anywhere(u32::from(offset)));
            }
        }
        Ok(())
    }

    fn put_debug_tables(
        &self,
        attributes: &[Attribute<'_>],
        ordinals: &Ordinals,
        out: &mut Vec<u8>,
    ) -> Result<()> {
        let mut tables = Vec::new();
        for attribute in attributes {
            let mut table = Vec::new();
            match &attribute.content {
                AttributeContent::LineNumberTable(lines) => {
                    table.put_u8(b'L');
                    for row in lines.iter() {
                        table.put_u32(ordinals.anywhere(u32::from(row.start)));
                        table.put_u16(row.line);
                    }
                }
                AttributeContent::LocalVariableTable(variables)
                | AttributeContent::LocalVariableTypeTable(variables) => {
                    table.put_u8(b'V');
                    for row in variables.iter() {
                        let end = u32::from(row.start) + u32::from(row.length);
                        table.put_u32(ordinals.anywhere(u32::from(row.start)));
                        table.put_u32(ordinals.anywhere(end));
                        self.put_utf8(row.name, &mut table)?;
                        self.put_utf8(row.descriptor, &mut table)?;
                        table.put_u16(row.slot);
                    }
                }
                _ => continue,
            }
            tables.push(table);
        }
        tables.sort();
        put_length(tables.len(), out);
        for table in &tables {
            put_bytes(table, out);
        }
        Ok(())
    }
}
