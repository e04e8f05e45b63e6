//! Moving code: instructions are put in between, and everything that points into the code follows.
//!
//! Branches, switches, the exception table, frames, line and variable tables and type annotations
//! are rewritten. A branch that no longer reaches its target becomes longer: see `layout`. Inserted
//! code leaves operand stack and locals as it finds them, so old frames stay true and no data flow
//! has to be computed. Subroutines (`jsr`, `ret`) are refused by name.

mod body;
mod emit;
mod frames;
mod full_frame;
mod layout;
mod tables;

use std::borrow::Cow;

use crate::access_flags::AccessFlags;
use crate::attribute::{Code, FrameKind, VerificationType};
use crate::class_file::{ClassFile, Method};
use crate::constant_pool::ConstantPool;
use crate::error::Result;

use body::Body;
use full_frame::held_type;
pub(crate) use full_frame::parameters;
pub(crate) use layout::Layout;

/// Instructions to be put in front of an instruction.
#[derive(Clone, Debug)]
pub(crate) struct Insertion<'c> {
    /// The offset of that instruction; the length of the code for what is put behind all.
    pub(crate) at: u32,
    /// Who comes to run them.
    pub(crate) runs: Runs,
    /// The instructions. Their branches stay among themselves. They leave the operand stack as it
    /// was, and control goes on behind them, except behind the end of the code, where it must not.
    pub(crate) code: &'c [u8],
    /// Frames at offsets in `code`, its length included. They count from class version 50 on, and
    /// give way to one that is there already. Only these kinds: same, and full.
    pub(crate) frames: Vec<(u16, FrameKind)>,
}

impl<'c> Insertion<'c> {
    /// An insertion without frames.
    pub(crate) fn new(at: u32, runs: Runs, code: &'c [u8]) -> Self {
        Self {
            at,
            runs,
            code,
            frames: Vec::new(),
        }
    }
}

/// Who runs inserted code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Runs {
    /// Only who comes from the instruction before, or calls the method: branches, exception ranges
    /// and frames stay with the instruction. Debug tables that begin at offset 0 still do.
    OnFallThrough,
    /// Everybody who comes to the instruction: branches, exception ranges and frames go to the
    /// inserted code.
    Always,
}

/// What has to be known about the method that the code belongs to.
pub(crate) struct Surroundings<'p, 'a> {
    /// The class-file version: from 50 on, frames count.
    pub(crate) major_version: u16,
    /// The index of the class.
    pub(crate) this_class: u16,
    /// The flags of the method.
    pub(crate) access_flags: AccessFlags,
    /// The index of the method's name.
    pub(crate) name: u16,
    /// The index of the method's descriptor.
    pub(crate) descriptor: u16,
    /// The constants; the names of new frames and types are appended.
    pub(crate) pool: &'p mut ConstantPool<'a>,
}

/// The longest code that a JVM accepts (JVMS 4.7.3).
const MAX_CODE_LENGTH: usize = 65535;
/// The first class-file version whose code has frames.
const FIRST_VERSION_WITH_FRAMES: u16 = 50;

/// Puts the insertions into the code; several at one instruction run in the order given.
///
/// The greatest stack depth is left to the caller. Also gives what tells new offsets.
pub(crate) fn relocate<'a>(
    code: &Code<'a>,
    insertions: &[Insertion<'_>],
    method: &mut Surroundings<'_, 'a>,
) -> Result<(Code<'a>, Layout)> {
    let body = Body::decode(&code.instructions)?;
    let insertions = in_order(insertions);
    let layout = Layout::settle(&body, &insertions)?;
    let instructions = emit::instructions(&body, &code.instructions, &insertions, &layout)?;
    let (exception_table, handlers) = tables::exception_table(code, &layout)?;
    let mut attributes = tables::attributes(code, &layout, &handlers)?;
    frames::relocate(&mut attributes, code, &insertions, &layout, method)?;
    let code = Code {
        max_stack: code.max_stack,
        max_locals: code.max_locals,
        instructions: Cow::Owned(instructions),
        exception_table,
        attributes,
    };
    Ok((code, layout))
}

/// By place; at one place, those that only run on falling through come first.
fn in_order<'i, 'c>(insertions: &'i [Insertion<'c>]) -> Vec<&'i Insertion<'c>> {
    let mut ordered: Vec<_> = insertions.iter().collect();
    ordered.sort_by_key(|insertion| (insertion.at, insertion.runs == Runs::Always));
    ordered
}

/// Gives a method of a class new code, with everything that [`relocate`] needs to know.
pub(crate) fn relocate_method<'a>(
    class: &mut ClassFile<'a>,
    method: usize,
    insertions: &[Insertion<'_>],
    finish: impl FnOnce(&mut Code<'a>, &Layout) -> Result<()>,
) -> Result<()> {
    let Some((method, mut surroundings)) = surroundings(class, method) else {
        return Ok(());
    };
    if let Some(code) = method.code_mut() {
        let (mut moved, layout) = relocate(code, insertions, &mut surroundings)?;
        finish(&mut moved, &layout)?;
        *code = moved;
    }
    Ok(())
}

/// The type of the value that a method was called with in a variable, if every frame has it there.
///
/// What stores into the variable between frames is not looked for.
pub(crate) fn type_always_held(
    class: &mut ClassFile<'_>,
    method: usize,
    slot: u16,
) -> Result<Option<VerificationType>> {
    let Some((method, mut surroundings)) = surroundings(class, method) else {
        return Ok(None);
    };
    let frames = method.code().and_then(Code::frames).unwrap_or_default();
    held_type(frames, slot, &mut surroundings)
}

/// A method, and what has to be known about it.
fn surroundings<'c, 'a>(
    class: &'c mut ClassFile<'a>,
    method: usize,
) -> Option<(&'c mut Method<'a>, Surroundings<'c, 'a>)> {
    let method = class.methods.get_mut(method)?;
    let surroundings = Surroundings {
        major_version: class.major_version,
        this_class: class.this_class,
        access_flags: method.access_flags,
        name: method.name,
        descriptor: method.descriptor,
        pool: &mut class.constant_pool,
    };
    Some((method, surroundings))
}

#[cfg(test)]
mod tests;
