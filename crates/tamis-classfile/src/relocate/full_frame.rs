//! Frames in full: what a relative frame says when all those before it are taken into account.

use std::collections::{BTreeMap, BTreeSet};

use super::Surroundings;
use crate::access_flags::AccessFlags;
use crate::attribute::{FrameKind, StackMapFrame, VerificationType};
use crate::constant_pool::{Constant, ConstantPool};
use crate::error::{Error, Result};

/// All locals and the whole operand stack.
pub(super) struct FullFrame {
    pub(super) locals: Vec<VerificationType>,
    pub(super) stack: Vec<VerificationType>,
}

/// Frames by their number.
pub(super) type FullFrames = BTreeMap<usize, FullFrame>;

/// The frames with these numbers, in full.
pub(super) fn expand(
    frames: &[StackMapFrame],
    needed: &BTreeSet<usize>,
    method: &mut Surroundings<'_, '_>,
) -> Result<FullFrames> {
    let mut full = FullFrames::new();
    let Some(last) = needed.last() else {
        return Ok(full);
    };
    let mut locals = initial_locals(method)?;
    for (number, frame) in frames.iter().enumerate().take(last + 1) {
        let stack = step(&mut locals, &frame.kind)?;
        if needed.contains(&number) {
            full.insert(
                number,
                FullFrame {
                    locals: locals.clone(),
                    stack: stack.to_vec(),
                },
            );
        }
    }
    Ok(full)
}

/// The type of a variable at the start of a method, if it has the same one in every frame.
pub(super) fn held_type(
    frames: &[StackMapFrame],
    slot: u16,
    method: &mut Surroundings<'_, '_>,
) -> Result<Option<VerificationType>> {
    let mut locals = initial_locals(method)?;
    let Some(first) = type_in(&locals, slot) else {
        return Ok(None);
    };
    let class = class_of(first, method.pool)?.map(<[u8]>::to_vec);
    for frame in frames {
        step(&mut locals, &frame.kind)?;
        let is_same = match type_in(&locals, slot) {
            Some(found) => class_of(found, method.pool)? == class.as_deref(),
            None => false,
        };
        if !is_same {
            return Ok(None);
        }
    }
    Ok(class.map(|_| first))
}

/// The type in a slot; longs and doubles take two.
fn type_in(locals: &[VerificationType], slot: u16) -> Option<VerificationType> {
    let mut position = 0;
    for local in locals {
        if position == slot {
            return Some(*local);
        }
        let is_wide = matches!(local, VerificationType::Long | VerificationType::Double);
        position += 1 + u16::from(is_wide);
    }
    None
}

/// The class of a reference.
fn class_of<'p>(found: VerificationType, pool: &'p ConstantPool<'_>) -> Result<Option<&'p [u8]>> {
    match found {
        VerificationType::Object(class) => pool.class(class).map(Some),
        _ => Ok(None),
    }
}

/// Changes the locals as a frame says, and gives its stack.
fn step<'f>(
    locals: &mut Vec<VerificationType>,
    kind: &'f FrameKind,
) -> Result<&'f [VerificationType]> {
    let stack: &[_] = match kind {
        FrameKind::Same | FrameKind::SameExtended => &[],
        FrameKind::SameLocals1(value) | FrameKind::SameLocals1Extended(value) => {
            std::slice::from_ref(value)
        }
        FrameKind::Chop(n_locals) => {
            let left = locals
                .len()
                .checked_sub(usize::from(*n_locals))
                .ok_or_else(|| {
                    Error::malformed(None, "a stack map frame removes more locals than there are")
                })?;
            locals.truncate(left);
            &[]
        }
        FrameKind::Append(more) => {
            locals.extend_from_slice(more);
            &[]
        }
        FrameKind::Full { locals: all, stack } => {
            locals.clone_from(all);
            stack
        }
    };
    if locals.len() > usize::from(u16::MAX) {
        return Err(Error::malformed(
            None,
            "stack map frames have more than 65535 locals",
        ));
    }
    Ok(stack)
}

/// The locals at the start of a method (JVMS 4.10.1.6): the receiver and the parameters.
fn initial_locals(method: &mut Surroundings<'_, '_>) -> Result<Vec<VerificationType>> {
    let name = method.pool.utf8(method.name)?;
    // Before version 51 an initialiser is static without saying so.
    let is_static = method.access_flags.contains(AccessFlags::STATIC) || name == b"<clinit>";
    let is_object = method.pool.class(method.this_class)? == b"java/lang/Object";
    let mut locals = Vec::new();
    if name == b"<init>" && !is_object {
        locals.push(VerificationType::UninitializedThis);
    } else if !is_static {
        locals.push(VerificationType::Object(method.this_class));
    }
    let descriptor = method.pool.utf8(method.descriptor)?.to_vec();
    for parameter in parameters(&descriptor) {
        locals.push(local(parameter?, method.pool)?);
    }
    Ok(locals)
}

fn local(parameter: &[u8], pool: &mut ConstantPool<'_>) -> Result<VerificationType> {
    let class = match parameter {
        b"F" => return Ok(VerificationType::Float),
        b"J" => return Ok(VerificationType::Long),
        b"D" => return Ok(VerificationType::Double),
        [b'[', ..] => parameter,
        [b'L', class @ .., b';'] => class,
        _ => return Ok(VerificationType::Integer),
    };
    let name = pool.push(Constant::Utf8(class.to_vec().into()))?;
    Ok(VerificationType::Object(pool.push(Constant::Class(name))?))
}

/// The descriptors of the parameters in a method's descriptor, ending with the first flaw.
pub(crate) fn parameters(descriptor: &[u8]) -> impl Iterator<Item = Result<&[u8]>> {
    let mut rest = descriptor.strip_prefix(b"(").unwrap_or_default();
    std::iter::from_fn(move || {
        if rest.first() == Some(&b')') {
            return None;
        }
        let Some(length) = first_length(rest) else {
            rest = b")";
            return Some(Err(Error::malformed(
                None,
                "a method's descriptor is malformed",
            )));
        };
        let (parameter, others) = rest.split_at(length);
        rest = others;
        Some(Ok(parameter))
    })
}

/// The length of the field descriptor that `text` begins with.
fn first_length(text: &[u8]) -> Option<usize> {
    let n_dimensions = text.iter().take_while(|byte| **byte == b'[').count();
    let element = match text.get(n_dimensions)? {
        b'B' | b'C' | b'D' | b'F' | b'I' | b'J' | b'S' | b'Z' => 1,
        b'L' => text[n_dimensions..].iter().position(|byte| *byte == b';')? + 1,
        _ => return None,
    };
    Some(n_dimensions + element)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(descriptor: &str) -> Vec<String> {
        let show = |parameter: Result<&[u8]>| match parameter {
            Ok(text) => String::from_utf8_lossy(text).into_owned(),
            Err(error) => error.to_string(),
        };
        parameters(descriptor.as_bytes()).map(show).collect()
    }

    #[test]
    fn parameters_of_all_sorts() {
        assert_eq!(
            shown("(I[[JLa/B;[La/C;D)V"),
            ["I", "[[J", "La/B;", "[La/C;", "D"]
        );
        assert!(shown("()V").is_empty());
    }

    #[test]
    fn malformed_descriptors_end_with_an_error() {
        let flaw = "a method's descriptor is malformed";
        assert_eq!(shown(""), [flaw]);
        assert_eq!(shown("(IX)V"), ["I", flaw]);
        assert_eq!(shown("(La/B"), [flaw]);
        assert_eq!(shown("([[[["), [flaw]);
    }
}
