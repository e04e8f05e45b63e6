//! The stack map frames of code, moved with it, and new ones in between.
//!
//! A frame is relative to the one before it. Behind a new frame that says something else about the
//! locals, the next old frame is therefore written in full.

use std::collections::BTreeSet;

use super::full_frame::{FullFrames, expand};
use super::layout::Layout;
use super::{FIRST_VERSION_WITH_FRAMES, Insertion, Surroundings};
use crate::attribute::{
    Attribute, AttributeContent, Code, FrameKind, StackMapFrame, VerificationType,
};
use crate::constant_pool::Constant;
use crate::error::{Error, Result};

/// What stands at a place of the new code.
#[derive(Clone, Copy)]
enum Source<'f> {
    /// The old frame of that number.
    Old(usize),
    /// One that came with an insertion.
    New(&'f FrameKind),
    /// A trampoline, with the frame of its target: the old one of that number.
    CopyOf(usize),
}

/// How a frame is written.
enum Form<'f> {
    /// As it is, relative to the one before or not.
    AsIs(&'f FrameKind),
    /// The old frame of that number, in full.
    Full(usize),
}

/// The longest delta of the short forms.
const MAX_SHORT_DELTA: u16 = 63;
/// The number of types in frames written in full. Each may have as many as there are locals, so
/// code made to hurt could ask for gigabytes.
const MAX_TYPES: usize = 1 << 20;

/// Puts the frames for the new code into its attributes.
pub(super) fn relocate<'a>(
    attributes: &mut Vec<Attribute<'a>>,
    code: &Code<'a>,
    insertions: &[&Insertion<'_>],
    layout: &Layout,
    method: &mut Surroundings<'_, 'a>,
) -> Result<()> {
    let old = code.frames().unwrap_or_default();
    let placed = place(old, insertions, layout, method.major_version)?;
    let forms = choose_forms(&placed, old);
    let needed: BTreeSet<_> = forms.iter().filter_map(Form::number).collect();
    let full = expand(old, &needed, method)?;
    let mut writer = Writer {
        layout,
        full,
        frames: Vec::new(),
        next: 0,
        n_types: 0,
    };
    for ((at, _), form) in placed.iter().zip(&forms) {
        writer.put(*at, form)?;
    }
    put_attribute(attributes, writer.frames, method)
}

/// All frames with their offsets in the new code, in order.
fn place<'f>(
    old: &[StackMapFrame],
    insertions: &[&'f Insertion<'_>],
    layout: &Layout,
    major_version: u16,
) -> Result<Vec<(u32, Source<'f>)>> {
    let offsets = old_offsets(old);
    let mut placed = Vec::with_capacity(old.len() + 1);
    for (number, offset) in offsets.iter().enumerate() {
        let Some(at) = layout.label(*offset) else {
            let message = "a stack map frame stands at no instruction of the code";
            return Err(Error::malformed(*offset as usize, message));
        };
        placed.push((at, Source::Old(number)));
    }
    if major_version >= FIRST_VERSION_WITH_FRAMES {
        place_new(&mut placed, insertions, layout);
        place_trampolines(&mut placed, &offsets, layout)?;
    }
    // Sorting keeps the order of equals: of two at one place, the old one stays.
    placed.sort_by_key(|(at, _)| *at);
    placed.dedup_by_key(|(at, _)| *at);
    Ok(placed)
}

fn old_offsets(frames: &[StackMapFrame]) -> Vec<u32> {
    let mut next = 0;
    let offset = |frame: &StackMapFrame| {
        let at = next + u32::from(frame.offset_delta);
        next = at + 1;
        at
    };
    frames.iter().map(offset).collect()
}

fn place_new<'f>(
    placed: &mut Vec<(u32, Source<'f>)>,
    insertions: &[&'f Insertion<'_>],
    layout: &Layout,
) {
    let (mut place, mut start) = (None, 0);
    for insertion in insertions {
        if place != Some(insertion.at) {
            place = Some(insertion.at);
            start = layout.insertions(insertion.at).unwrap_or_default();
        }
        for (offset, kind) in &insertion.frames {
            placed.push((start + u32::from(*offset), Source::New(kind)));
        }
        start += insertion.code.len() as u32;
    }
}

fn place_trampolines(
    placed: &mut Vec<(u32, Source<'_>)>,
    offsets: &[u32],
    layout: &Layout,
) -> Result<()> {
    for trampoline in layout.trampolines() {
        let Ok(number) = offsets.binary_search(&trampoline.target) else {
            let message = "the target of a branch of the code has no stack map frame";
            return Err(Error::unsupported(trampoline.target as usize, message));
        };
        placed.push((trampoline.at, Source::CopyOf(number)));
    }
    Ok(())
}

fn choose_forms<'f>(placed: &[(u32, Source<'f>)], old: &'f [StackMapFrame]) -> Vec<Form<'f>> {
    let mut are_locals_old = true;
    let choose = |(_, source): &(u32, Source<'f>)| match *source {
        Source::Old(number) => {
            let kind = &old[number].kind;
            let is_understood = std::mem::replace(&mut are_locals_old, true);
            if is_understood || is_full(kind) {
                Form::AsIs(kind)
            } else {
                Form::Full(number)
            }
        }
        Source::New(kind) => {
            are_locals_old &= !is_full(kind);
            Form::AsIs(kind)
        }
        Source::CopyOf(number) => {
            are_locals_old = false;
            Form::Full(number)
        }
    };
    placed.iter().map(choose).collect()
}

fn is_full(kind: &FrameKind) -> bool {
    matches!(kind, FrameKind::Full { .. })
}

impl Form<'_> {
    fn number(&self) -> Option<usize> {
        match self {
            Self::AsIs(_) => None,
            Self::Full(number) => Some(*number),
        }
    }
}

/// Writes frames one after the other.
struct Writer<'l> {
    layout: &'l Layout,
    full: FullFrames,
    frames: Vec<StackMapFrame>,
    /// The first offset that the next frame can have.
    next: u32,
    n_types: usize,
}

impl Writer<'_> {
    fn put(&mut self, at: u32, form: &Form<'_>) -> Result<()> {
        let kind = match form {
            Form::AsIs(kind) => (*kind).clone(),
            Form::Full(number) => {
                let frame = self.full.get(number).ok_or_else(|| {
                    Error::malformed(None, "a stack map frame has none before it")
                })?;
                self.n_types += frame.locals.len() + frame.stack.len();
                if self.n_types > MAX_TYPES {
                    return Err(Error::too_large("the stack map frames"));
                }
                FrameKind::Full {
                    locals: frame.locals.clone(),
                    stack: frame.stack.clone(),
                }
            }
        };
        let offset_delta = (at - self.next) as u16;
        self.next = at + 1;
        let mut frame = StackMapFrame {
            offset_delta,
            kind: sized(kind, offset_delta),
        };
        move_new_objects(&mut frame, self.layout)?;
        self.frames.push(frame);
        Ok(())
    }
}

/// The form of a frame that its delta fits.
fn sized(kind: FrameKind, delta: u16) -> FrameKind {
    let is_short = delta <= MAX_SHORT_DELTA;
    match kind {
        FrameKind::Same | FrameKind::SameExtended if is_short => FrameKind::Same,
        FrameKind::Same | FrameKind::SameExtended => FrameKind::SameExtended,
        FrameKind::SameLocals1(value) | FrameKind::SameLocals1Extended(value) if is_short => {
            FrameKind::SameLocals1(value)
        }
        FrameKind::SameLocals1(value) => FrameKind::SameLocals1Extended(value),
        other => other,
    }
}

/// Objects without a constructor call yet are named by their `new` instruction.
fn move_new_objects(frame: &mut StackMapFrame, layout: &Layout) -> Result<()> {
    for value in frame.types_mut() {
        if let VerificationType::Uninitialized(offset) = value {
            let at = layout.instruction((*offset).into()).ok_or_else(|| {
                let message = "a stack map frame names no instruction of the code";
                Error::malformed(usize::from(*offset), message)
            })?;
            *offset = at as u16;
        }
    }
    Ok(())
}

/// Replaces the frames there are, or adds the attribute.
fn put_attribute(
    attributes: &mut Vec<Attribute<'_>>,
    frames: Vec<StackMapFrame>,
    method: &mut Surroundings<'_, '_>,
) -> Result<()> {
    let mut tables = attributes
        .iter_mut()
        .filter_map(|attribute| match &mut attribute.content {
            AttributeContent::StackMapTable(frames) => Some(frames),
            _ => None,
        });
    match (tables.next(), tables.next()) {
        (Some(table), None) => *table = frames,
        (Some(_), Some(_)) => {
            return Err(Error::malformed(
                None,
                "a method has two StackMapTable attributes",
            ));
        }
        (None, _) if frames.is_empty() => {}
        (None, _) => {
            let name = method.pool.push(Constant::Utf8(b"StackMapTable".into()))?;
            let content = AttributeContent::StackMapTable(frames);
            attributes.push(Attribute { name, content });
        }
    }
    Ok(())
}
