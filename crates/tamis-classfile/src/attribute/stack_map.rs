//! `StackMapTable` (JVMS 4.7.4): the verifier's frames, in the very encoding they came in.

use crate::cursor::{Cursor, PutBytes, put_count};
use crate::error::{Error, Result};
use crate::remap::VisitConstants;

/// One frame, relative to the one before it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StackMapFrame {
    /// The distance: the frame applies at the previous frame's offset + this + 1 (the first: at this).
    pub offset_delta: u16,
    /// What differs from the previous frame.
    pub kind: FrameKind,
}

/// The ways a frame is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FrameKind {
    /// Same locals, empty stack; the delta is at most 63.
    Same,
    /// Same locals, empty stack, any delta.
    SameExtended,
    /// Same locals, one value on the stack; the delta is at most 63.
    SameLocals1(VerificationType),
    /// Same locals, one value on the stack, any delta.
    SameLocals1Extended(VerificationType),
    /// The last one to three locals are gone, empty stack.
    Chop(u8),
    /// One to three more locals, empty stack.
    Append(Vec<VerificationType>),
    /// Everything anew.
    Full {
        /// The locals.
        locals: Vec<VerificationType>,
        /// The stack, bottom first.
        stack: Vec<VerificationType>,
    },
}

/// A type as the verifier sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VerificationType {
    /// Anything, so nothing.
    Top,
    /// `int` and the smaller ones.
    Integer,
    /// `float`.
    Float,
    /// `double`, one entry for two slots.
    Double,
    /// `long`, one entry for two slots.
    Long,
    /// `null`.
    Null,
    /// `this` before the constructor of the superclass has been called.
    UninitializedThis,
    /// A reference, by the index of its class.
    Object(u16),
    /// What the `new` instruction at this offset made, before its constructor was called.
    Uninitialized(u16),
}

/// The tags of frames and where their ranges begin.
pub(crate) mod tag {
    pub(crate) const SAME_LOCALS_1: u8 = 64;
    pub(crate) const RESERVED: u8 = 128;
    pub(crate) const SAME_LOCALS_1_EXTENDED: u8 = 247;
    pub(crate) const CHOP_BASE: u8 = 251;
    pub(crate) const SAME_EXTENDED: u8 = 251;
    pub(crate) const APPEND: u8 = 252;
    pub(crate) const FULL: u8 = 255;
    pub(crate) const OBJECT: u8 = 7;
    pub(crate) const UNINITIALIZED: u8 = 8;
}

const WHAT: &str = "StackMapTable";

pub(super) fn parse_frames(cursor: &mut Cursor<'_>) -> Result<Vec<StackMapFrame>> {
    let count = usize::from(cursor.u16(WHAT)?);
    let mut frames = Vec::with_capacity(count.min(cursor.remaining()));
    for _ in 0..count {
        frames.push(StackMapFrame::parse(cursor)?);
    }
    Ok(frames)
}

pub(super) fn encode_frames(frames: &[StackMapFrame], out: &mut Vec<u8>) -> Result<()> {
    put_count(out, frames.len(), "stack map frames")?;
    frames.iter().try_for_each(|frame| frame.encode(out))
}

impl StackMapFrame {
    fn parse(cursor: &mut Cursor<'_>) -> Result<Self> {
        let offset = cursor.offset();
        let tag = cursor.u8(WHAT)?;
        if tag < tag::SAME_LOCALS_1 {
            return Ok(Self {
                offset_delta: u16::from(tag),
                kind: FrameKind::Same,
            });
        }
        if tag < tag::RESERVED {
            let kind = FrameKind::SameLocals1(VerificationType::parse(cursor)?);
            return Ok(Self {
                offset_delta: u16::from(tag - tag::SAME_LOCALS_1),
                kind,
            });
        }
        if tag < tag::SAME_LOCALS_1_EXTENDED {
            let message = format!("a stack map frame has the reserved tag {tag}");
            return Err(Error::unsupported(offset, message));
        }
        let offset_delta = cursor.u16(WHAT)?;
        let kind = match tag {
            tag::SAME_LOCALS_1_EXTENDED => {
                FrameKind::SameLocals1Extended(VerificationType::parse(cursor)?)
            }
            tag::SAME_EXTENDED => FrameKind::SameExtended,
            tag::FULL => FrameKind::Full {
                locals: parse_types(cursor)?,
                stack: parse_types(cursor)?,
            },
            _ if tag < tag::SAME_EXTENDED => FrameKind::Chop(tag::CHOP_BASE - tag),
            _ => FrameKind::Append(
                (tag::APPEND..=tag)
                    .map(|_| VerificationType::parse(cursor))
                    .collect::<Result<_>>()?,
            ),
        };
        Ok(Self { offset_delta, kind })
    }

    fn encode(&self, out: &mut Vec<u8>) -> Result<()> {
        match &self.kind {
            FrameKind::Same => out.put_u8(self.short_delta()?),
            FrameKind::SameLocals1(value) => {
                out.put_u8(tag::SAME_LOCALS_1 + self.short_delta()?);
                value.encode(out);
            }
            FrameKind::SameLocals1Extended(value) => {
                self.put_tag_and_delta(tag::SAME_LOCALS_1_EXTENDED, out);
                value.encode(out);
            }
            FrameKind::SameExtended => self.put_tag_and_delta(tag::SAME_EXTENDED, out),
            FrameKind::Chop(n_locals @ 1..=3) => {
                self.put_tag_and_delta(tag::CHOP_BASE - n_locals, out);
            }
            FrameKind::Append(locals) if (1..=3).contains(&locals.len()) => {
                self.put_tag_and_delta(tag::SAME_EXTENDED + locals.len() as u8, out);
                for local in locals {
                    local.encode(out);
                }
            }
            FrameKind::Chop(_) | FrameKind::Append(_) => {
                return Err(Error::too_large(
                    "a frame chops or appends one to three locals",
                ));
            }
            FrameKind::Full { locals, stack } => {
                self.put_tag_and_delta(tag::FULL, out);
                encode_types(locals, out)?;
                encode_types(stack, out)?;
            }
        }
        Ok(())
    }

    fn short_delta(&self) -> Result<u8> {
        if self.offset_delta >= u16::from(tag::SAME_LOCALS_1) {
            return Err(Error::too_large(
                "the delta of a short stack map frame is over 63",
            ));
        }
        Ok(self.offset_delta as u8)
    }

    fn put_tag_and_delta(&self, tag: u8, out: &mut Vec<u8>) {
        out.put_u8(tag);
        out.put_u16(self.offset_delta);
    }

    /// All types that the frame mentions.
    pub(crate) fn types_mut(&mut self) -> impl Iterator<Item = &mut VerificationType> {
        let (first, second): (&mut [_], &mut [_]) = match &mut self.kind {
            FrameKind::SameLocals1(value) | FrameKind::SameLocals1Extended(value) => {
                (std::slice::from_mut(value), &mut [])
            }
            FrameKind::Append(locals) => (locals, &mut []),
            FrameKind::Full { locals, stack } => (locals, stack),
            FrameKind::Same | FrameKind::SameExtended | FrameKind::Chop(_) => (&mut [], &mut []),
        };
        first.iter_mut().chain(second)
    }
}

impl VerificationType {
    fn parse(cursor: &mut Cursor<'_>) -> Result<Self> {
        let offset = cursor.offset();
        Ok(match cursor.u8(WHAT)? {
            0 => Self::Top,
            1 => Self::Integer,
            2 => Self::Float,
            3 => Self::Double,
            4 => Self::Long,
            5 => Self::Null,
            6 => Self::UninitializedThis,
            tag::OBJECT => Self::Object(cursor.u16(WHAT)?),
            tag::UNINITIALIZED => Self::Uninitialized(cursor.u16(WHAT)?),
            tag => {
                let message = format!("a stack map frame has the unknown type {tag}");
                return Err(Error::unsupported(offset, message));
            }
        })
    }

    fn encode(self, out: &mut Vec<u8>) {
        match self {
            Self::Top => out.put_u8(0),
            Self::Integer => out.put_u8(1),
            Self::Float => out.put_u8(2),
            Self::Double => out.put_u8(3),
            Self::Long => out.put_u8(4),
            Self::Null => out.put_u8(5),
            Self::UninitializedThis => out.put_u8(6),
            Self::Object(class) => {
                out.put_u8(tag::OBJECT);
                out.put_u16(class);
            }
            Self::Uninitialized(offset) => {
                out.put_u8(tag::UNINITIALIZED);
                out.put_u16(offset);
            }
        }
    }
}

impl VisitConstants for StackMapFrame {
    fn visit_constants(&mut self, visit: &mut dyn FnMut(&mut u16)) {
        for value in self.types_mut() {
            if let VerificationType::Object(class) = value {
                visit(class);
            }
        }
    }
}

fn parse_types(cursor: &mut Cursor<'_>) -> Result<Vec<VerificationType>> {
    let count = usize::from(cursor.u16(WHAT)?);
    let mut types = Vec::with_capacity(count.min(cursor.remaining()));
    for _ in 0..count {
        types.push(VerificationType::parse(cursor)?);
    }
    Ok(types)
}

fn encode_types(types: &[VerificationType], out: &mut Vec<u8>) -> Result<()> {
    put_count(out, types.len(), "types in a stack map frame")?;
    for value in types {
        value.encode(out);
    }
    Ok(())
}
