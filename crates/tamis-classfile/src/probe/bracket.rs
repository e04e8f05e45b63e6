//! The initialiser bracket: `owner.begin(id)` first and `owner.end(id)` last in `<clinit>`.
//!
//! What runs in between is what initialising the class touched. `end` is called on every way out:
//! in front of each return, and in a handler for everything that is thrown.

use super::enclosure::Calls;
use super::{Probed, Unit, parse, push_class, push_method};
use crate::attribute::Code;
use crate::class_file::ClassFile;
use crate::constant_pool::Constant;
use crate::error::Result;
use crate::instruction::opcode;

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
    let Some((method, _)) = find_initialiser(&class) else {
        return Ok(None);
    };
    let calls = calls(&mut class, bracket)?;
    calls.put_into(&mut class, usize::from(method))?;
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

fn calls(class: &mut ClassFile<'_>, bracket: &Bracket<'_>) -> Result<Calls> {
    let pool = &mut class.constant_pool;
    let id = pool.push(Constant::Integer(bracket.id.cast_signed()))?;
    let owner = push_class(pool, bracket.owner)?;
    let begin = call(id, push_method(pool, owner, "begin", "(I)V")?);
    let end = call(id, push_method(pool, owner, "end", "(I)V")?);
    // No local is known where an exception arrives, and none is needed.
    Calls::new(begin, end, Vec::new(), pool)
}

/// `ldc_w id; invokestatic method`
fn call(id: u16, method: u16) -> Vec<u8> {
    let ([i1, i0], [m1, m0]) = (id.to_be_bytes(), method.to_be_bytes());
    vec![opcode::LDC_W, i1, i0, opcode::INVOKESTATIC, m1, m0]
}
