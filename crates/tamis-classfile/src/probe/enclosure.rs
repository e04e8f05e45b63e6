//! Enclosing a method: one call first, another one last, on every way out.
//!
//! The last call stands in front of each return, and in a handler for everything that is thrown.

use tamis_facts::MethodId;

use super::prologue::{Argument, find, put_load, refused, slot};
use super::{parse, push_class, push_method};
use crate::attribute::{Code, ExceptionHandler, FrameKind, VerificationType};
use crate::class_file::ClassFile;
use crate::constant_pool::ConstantPool;
use crate::error::{Error, Result};
use crate::instruction::{Instruction, instructions, opcode};
use crate::relocate::{Insertion, Layout, Runs, relocate_method, type_always_held};

/// Two static methods that take an `Object` and give nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Enclosure<'c> {
    /// Their class, in internal form.
    pub owner: &'c str,
    /// The one that is called first.
    pub begin: &'c str,
    /// The one that is called last, whether the method returns or throws.
    pub end: &'c str,
    /// What both are given.
    pub argument: Argument,
}

/// Makes a method call `begin` when it begins and `end` when it ends.
///
/// Refused if the method gives the argument's variable another value.
pub fn enclose(bytes: &[u8], method: &MethodId, enclosure: &Enclosure<'_>) -> Result<Vec<u8>> {
    let mut class = parse(bytes)?;
    let position = find(&class, method)?;
    let slot = slot(&class, &class.methods[position], enclosure.argument)?;
    let Some(held) = type_held(&mut class, position, slot)? else {
        return Err(refused(method, "does not keep what it was called with"));
    };
    let pool = &mut class.constant_pool;
    let owner = push_class(pool, enclosure.owner)?;
    let mut call = |name| {
        let callee = push_method(pool, owner, name, "(Ljava/lang/Object;)V")?;
        let mut code = Vec::new();
        put_load(&mut code, slot);
        code.push(opcode::INVOKESTATIC);
        code.extend(callee.to_be_bytes());
        Ok(code)
    };
    let (begin, end) = (call(enclosure.begin)?, call(enclosure.end)?);
    let mut locals = vec![VerificationType::Top; usize::from(slot)];
    locals.push(held);
    let calls = Calls::new(begin, end, locals, pool)?;
    calls.put_into(&mut class, position)?;
    class.encode()
}

/// The type of a variable that keeps its first value all the time.
fn type_held(
    class: &mut ClassFile<'_>,
    position: usize,
    slot: u16,
) -> Result<Option<VerificationType>> {
    let Some(code) = class.methods[position].code() else {
        return Ok(None);
    };
    for instruction in instructions(&code.instructions) {
        if instruction?.stores_into(slot) {
            return Ok(None);
        }
    }
    type_always_held(class, position, slot)
}

/// The inserted code. Each piece takes one place on the operand stack.
pub(super) struct Calls {
    begin: Vec<u8>,
    end: Vec<u8>,
    handler: Vec<u8>,
    /// The frame at the handler: its stack holds the exception.
    handler_frame: FrameKind,
}

impl Calls {
    /// `locals` are those that `end` needs where an exception arrives.
    pub(super) fn new(
        begin: Vec<u8>,
        end: Vec<u8>,
        locals: Vec<VerificationType>,
        pool: &mut ConstantPool<'_>,
    ) -> Result<Self> {
        let handler = [&end[..], &[opcode::ATHROW]].concat();
        let throwable = push_class(pool, "java/lang/Throwable")?;
        let handler_frame = FrameKind::Full {
            locals,
            stack: vec![VerificationType::Object(throwable)],
        };
        Ok(Self {
            begin,
            end,
            handler,
            handler_frame,
        })
    }

    /// Puts the calls into the method at a position.
    pub(super) fn put_into(&self, class: &mut ClassFile<'_>, position: usize) -> Result<()> {
        let Some(code) = class.methods[position].code() else {
            return Ok(());
        };
        let end_of_code = code.instructions.len() as u32;
        let returns = find_returns(code)?;
        let insertions = self.insertions(&returns, end_of_code);
        relocate_method(class, position, &insertions, |code, layout| {
            // A return does not need an empty stack; the handler has the exception beside the argument.
            let max_stack = code.max_stack.checked_add(1);
            code.max_stack = max_stack
                .ok_or_else(|| Error::too_large("the operand stack"))?
                .max(2);
            add_handler(code, layout, end_of_code)
        })
    }

    fn insertions(&self, returns: &[u32], end_of_code: u32) -> Vec<Insertion<'_>> {
        let begin = Insertion::new(0, Runs::OnFallThrough, &self.begin);
        let ends = returns
            .iter()
            .map(|at| Insertion::new(*at, Runs::Always, &self.end));
        let mut handler = Insertion::new(end_of_code, Runs::Always, &self.handler);
        handler.frames.push((0, self.handler_frame.clone()));
        std::iter::once(begin)
            .chain(ends)
            .chain([handler])
            .collect()
    }
}

fn find_returns(code: &Code<'_>) -> Result<Vec<u32>> {
    let mut returns = Vec::new();
    for instruction in instructions(&code.instructions) {
        let instruction: Instruction<'_> = instruction?;
        if instruction.is_return() {
            returns.push(instruction.offset);
        }
    }
    Ok(returns)
}

/// Covers all that is left of the old code with a handler that takes what no other one takes.
fn add_handler(code: &mut Code<'_>, layout: &Layout, end_of_code: u32) -> Result<()> {
    let places = (layout.label(0), layout.insertions(end_of_code));
    let (Some(start), Some(handler)) = places else {
        return Err(Error::malformed(None, "the method has no code"));
    };
    code.exception_table.push(&ExceptionHandler {
        start: start as u16,
        end: handler as u16,
        handler: handler as u16,
        catch_type: 0,
    });
    Ok(())
}
