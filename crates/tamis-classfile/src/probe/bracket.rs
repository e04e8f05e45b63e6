//! The initialiser bracket: `owner.begin(id)` first and `owner.end(id)` last in `<clinit>`.
//!
//! What runs in between is what initialising the class touched. `end` is called on every way out:
//! in front of each return, and in a handler for everything that is thrown.

use super::{Probed, Unit, parse, push_class, push_method};
use crate::attribute::{Code, ExceptionHandler, FrameKind, VerificationType};
use crate::class_file::ClassFile;
use crate::constant_pool::{Constant, ConstantPool};
use crate::error::{Error, Result};
use crate::instruction::{instructions, opcode};
use crate::relocate::{Insertion, Layout, Runs, relocate_method};

/// What the calls of a bracket name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bracket<'o> {
    /// The class, in internal form, with the static methods `begin(int)` and `end(int)`.
    pub owner: &'o str,
    /// What they are given.
    pub id: u32,
}

const NAME: &[u8] = b"<clinit>";
const DESCRIPTOR: &[u8] = b"()V";

/// Puts a bracket into the initialiser of a class; nothing if the class has none.
pub fn bracket(bytes: &[u8], bracket: &Bracket<'_>) -> Result<Option<Probed<'static>>> {
    let mut class = parse(bytes)?;
    let Some((method, code)) = find_initialiser(&class) else {
        return Ok(None);
    };
    let end_of_code = code.instructions.len() as u32;
    let returns = find_returns(code)?;
    let calls = Calls::new(bracket, &mut class.constant_pool)?;
    let insertions = calls.insertions(&returns, end_of_code);
    relocate_method(
        &mut class,
        usize::from(method),
        &insertions,
        |code, layout| {
            // A return does not need an empty stack; the handler has the exception and the id.
            let max_stack = code.max_stack.checked_add(1);
            code.max_stack = max_stack
                .ok_or_else(|| Error::too_large("the operand stack"))?
                .max(2);
            add_handler(code, layout, end_of_code)
        },
    )?;
    let unit = Unit {
        id: bracket.id,
        method,
        name: NAME,
        descriptor: DESCRIPTOR,
    };
    Ok(Some(Probed {
        bytes: class.encode()?,
        units: vec![unit],
    }))
}

fn find_initialiser<'c, 'a>(class: &'c ClassFile<'a>) -> Option<(u16, &'c Code<'a>)> {
    let pool = &class.constant_pool;
    let is_text = |index, text: &[u8]| pool.utf8(index).is_ok_and(|found| found == text);
    let mut methods = (0..).zip(&class.methods);
    methods.find_map(|(position, method)| {
        let is_initialiser = is_text(method.name, NAME) && is_text(method.descriptor, DESCRIPTOR);
        Some((position, method.code().filter(|_| is_initialiser)?))
    })
}

fn find_returns(code: &Code<'_>) -> Result<Vec<u32>> {
    let mut returns = Vec::new();
    for instruction in instructions(&code.instructions) {
        let instruction = instruction?;
        if instruction.opcode == opcode::RETURN {
            returns.push(instruction.offset);
        }
    }
    Ok(returns)
}

/// Covers all that is left of the old code with a handler that takes what no other one takes.
fn add_handler(code: &mut Code<'_>, layout: &Layout, end_of_code: u32) -> Result<()> {
    let places = (layout.label(0), layout.insertions(end_of_code));
    let (Some(start), Some(handler)) = places else {
        return Err(Error::malformed(None, "the initialiser has no code"));
    };
    code.exception_table.push(&ExceptionHandler {
        start: start as u16,
        end: handler as u16,
        handler: handler as u16,
        catch_type: 0,
    });
    Ok(())
}

/// The inserted code.
struct Calls {
    begin: Vec<u8>,
    end: Vec<u8>,
    handler: Vec<u8>,
    /// The frame at the handler: no local is known, the stack holds the exception.
    handler_frame: FrameKind,
}

impl Calls {
    fn new(bracket: &Bracket<'_>, pool: &mut ConstantPool<'_>) -> Result<Self> {
        let id = pool.push(Constant::Integer(bracket.id.cast_signed()))?;
        let owner = push_class(pool, bracket.owner)?;
        let begin = call(id, push_method(pool, owner, "begin", "(I)V")?);
        let end = call(id, push_method(pool, owner, "end", "(I)V")?);
        let handler = [&end[..], &[opcode::ATHROW]].concat();
        let throwable = push_class(pool, "java/lang/Throwable")?;
        let handler_frame = FrameKind::Full {
            locals: Vec::new(),
            stack: vec![VerificationType::Object(throwable)],
        };
        Ok(Self {
            begin,
            end,
            handler,
            handler_frame,
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

/// `ldc_w id; invokestatic method`
fn call(id: u16, method: u16) -> Vec<u8> {
    let ([i1, i0], [m1, m0]) = (id.to_be_bytes(), method.to_be_bytes());
    vec![opcode::LDC_W, i1, i0, opcode::INVOKESTATIC, m1, m0]
}
