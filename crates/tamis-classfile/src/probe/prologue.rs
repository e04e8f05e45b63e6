//! Prologues: a static method is called first thing in another method, with its arguments.
//!
//! *Call out* tells that the method begins. *Early return* asks whether it shall run at all: a
//! runner's method whose call is answered with true returns at once.

use tamis_facts::MethodId;

use super::{parse, push_class, push_method};
use crate::access_flags::AccessFlags;
use crate::attribute::{Code, FrameKind};
use crate::class_file::{ClassFile, Method};
use crate::error::{Error, Result};
use crate::instruction::opcode;
use crate::relocate::{Insertion, Runs, parameters, relocate_method};

/// A static method to be called, whose parameters are all of type `Object`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Call<'c> {
    /// Its class, in internal form.
    pub owner: &'c str,
    /// Its name.
    pub name: &'c str,
    /// What it is given.
    pub arguments: &'c [Argument],
}

/// A reference that a method has when it begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Argument {
    /// `this`.
    Receiver,
    /// The parameter of that number, counted from 1.
    Parameter(u8),
}

/// Makes a method call `call`, which returns nothing, when it begins.
pub fn call(bytes: &[u8], method: &MethodId, call: &Call<'_>) -> Result<Vec<u8>> {
    let mut class = parse(bytes)?;
    let position = find(&class, method)?;
    let code = call_code(&mut class, position, call, "V")?;
    let depth = call.arguments.len();
    insert(
        class,
        position,
        depth,
        Insertion::new(0, Runs::OnFallThrough, &code),
    )
}

/// Makes a method that returns nothing return at once if `call`, which returns a boolean, says so.
pub fn skip(bytes: &[u8], method: &MethodId, call: &Call<'_>) -> Result<Vec<u8>> {
    let mut class = parse(bytes)?;
    let position = find(&class, method)?;
    if method.name.as_bytes() == b"<init>" {
        return Err(refused(method, "is a constructor and cannot return early"));
    }
    if !method.descriptor.as_bytes().ends_with(b")V") {
        return Err(refused(method, "returns a value and cannot return early"));
    }
    let mut code = call_code(&mut class, position, call, "Z")?;
    // Over itself and the return.
    code.extend([opcode::IFEQ, 0, 4, opcode::RETURN]);
    let mut insertion = Insertion::new(0, Runs::OnFallThrough, &code);
    insertion.frames.push((code.len() as u16, FrameKind::Same));
    insert(class, position, call.arguments.len().max(1), insertion)
}

pub(super) fn find(class: &ClassFile<'_>, wanted: &MethodId) -> Result<usize> {
    let pool = &class.constant_pool;
    let is_text = |index, text: &[u8]| pool.utf8(index).is_ok_and(|found| found == text);
    let is_wanted = |method: &Method<'_>| {
        method.code().is_some()
            && is_text(method.name, wanted.name.as_bytes())
            && is_text(method.descriptor, wanted.descriptor.as_bytes())
    };
    let position = class.methods.iter().position(is_wanted);
    position.ok_or_else(|| refused(wanted, "has no code in this class"))
}

/// Loads the arguments and calls the method.
fn call_code(
    class: &mut ClassFile<'_>,
    position: usize,
    call: &Call<'_>,
    returned: &str,
) -> Result<Vec<u8>> {
    let method = &class.methods[position];
    let mut code = Vec::new();
    for argument in call.arguments {
        put_load(&mut code, slot(class, method, *argument)?);
    }
    let pool = &mut class.constant_pool;
    let owner = push_class(pool, call.owner)?;
    let parameters = "Ljava/lang/Object;".repeat(call.arguments.len());
    let descriptor = format!("({parameters}){returned}");
    let callee = push_method(pool, owner, call.name, &descriptor)?;
    code.push(opcode::INVOKESTATIC);
    code.extend(callee.to_be_bytes());
    Ok(code)
}

/// The local variable that holds an argument when the method begins.
pub(super) fn slot(class: &ClassFile<'_>, method: &Method<'_>, argument: Argument) -> Result<u16> {
    let pool = &class.constant_pool;
    let this = MethodId {
        name: pool.name(method.name)?,
        descriptor: pool.name(method.descriptor)?,
    };
    let is_static = method.access_flags.contains(AccessFlags::STATIC);
    match argument {
        Argument::Receiver if is_static => Err(refused(&this, "is static: it has no receiver")),
        Argument::Receiver if this.name.as_bytes() == b"<init>" => Err(refused(
            &this,
            "is a constructor: its receiver is no object yet",
        )),
        Argument::Receiver => Ok(0),
        Argument::Parameter(number) => {
            let first = u16::from(!is_static);
            let slot = parameter_slot(this.descriptor.as_bytes(), number)?;
            slot.map(|slot| slot + first)
                .ok_or_else(|| refused(&this, "has no such parameter, or it is no reference"))
        }
    }
}

/// The slot of a parameter among all parameters, if it is a reference.
fn parameter_slot(descriptor: &[u8], number: u8) -> Result<Option<u16>> {
    let mut slot: u16 = 0;
    for (position, parameter) in (1..=number).zip(parameters(descriptor)) {
        let parameter = parameter?;
        if position == number {
            let is_reference = matches!(parameter.first(), Some(b'L' | b'['));
            return Ok(is_reference.then_some(slot));
        }
        slot += if matches!(parameter, b"J" | b"D") {
            2
        } else {
            1
        };
    }
    Ok(None)
}

pub(super) fn put_load(code: &mut Vec<u8>, slot: u16) {
    match u8::try_from(slot) {
        Ok(slot @ 0..=3) => code.push(opcode::ALOAD_0 + slot),
        Ok(slot) => code.extend([opcode::ALOAD, slot]),
        Err(_) => {
            code.extend([opcode::WIDE, opcode::ALOAD]);
            code.extend(slot.to_be_bytes());
        }
    }
}

fn insert(
    mut class: ClassFile<'_>,
    position: usize,
    stack_depth: usize,
    insertion: Insertion<'_>,
) -> Result<Vec<u8>> {
    // A method has at most 255 parameters (JVMS 4.3.3).
    let depth = u8::try_from(stack_depth)
        .map_err(|_| Error::too_large("a call with more than 255 arguments"))?;
    relocate_method(
        &mut class,
        position,
        &[insertion],
        |code: &mut Code<'_>, _| {
            code.max_stack = code.max_stack.max(u16::from(depth));
            Ok(())
        },
    )?;
    class.encode()
}

pub(super) fn refused(method: &MethodId, why: &str) -> Error {
    Error::unsupported(None, format!("{method} {why}"))
}
