//! Annotations of types (JVMS 4.7.20), which say where in a declaration or in code they stand.

use super::annotation::Annotation;
use crate::cursor::{Cursor, PutBytes, put_count};
use crate::error::{Error, Result};
use crate::remap::VisitConstants;

/// An annotation of a type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TypeAnnotation {
    /// Which type of the declaration or of the code.
    pub target: Target,
    /// Which part of that type.
    pub path: Vec<TypePathStep>,
    /// The annotation.
    pub annotation: Annotation,
}

/// One step from a type into one of its parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TypePathStep {
    /// Into an array, a nested type, a wildcard's bound or a type argument.
    pub kind: u8,
    /// Which type argument.
    pub argument: u8,
}

/// Where the annotated type stands. `kind` is the class file's own number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// A type parameter of a class (0x00) or method (0x01).
    TypeParameter {
        /// 0x00 or 0x01.
        kind: u8,
        /// Which one.
        parameter: u8,
    },
    /// The superclass (65535) or an interface.
    Supertype(u16),
    /// A bound of a type parameter of a class (0x11) or method (0x12).
    TypeParameterBound {
        /// 0x11 or 0x12.
        kind: u8,
        /// Which parameter.
        parameter: u8,
        /// Which bound of it.
        bound: u8,
    },
    /// A field (0x13), a return type (0x14), a receiver (0x15).
    Whole(u8),
    /// The type of a parameter.
    FormalParameter(u8),
    /// A type in a `throws` clause.
    Throws(u16),
    /// A local variable (0x40) or resource (0x41), by the ranges of code where it lives.
    LocalVariable {
        /// 0x40 or 0x41.
        kind: u8,
        /// Where it lives.
        ranges: Vec<LocalRange>,
    },
    /// The type that a row of the exception table catches.
    Catch(u16),
    /// `instanceof` (0x43), `new` (0x44), a method reference (0x45, 0x46).
    Instruction {
        /// 0x43 to 0x46.
        kind: u8,
        /// The offset of the instruction in the code.
        offset: u16,
    },
    /// A cast (0x47) or a type argument of a call (0x48 to 0x4b).
    TypeArgument {
        /// 0x47 to 0x4b.
        kind: u8,
        /// The offset of the instruction in the code.
        offset: u16,
        /// Which type argument.
        argument: u8,
    },
}

/// A part of the code in which a local variable lives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LocalRange {
    /// The first offset.
    pub start: u16,
    /// The number of bytes.
    pub length: u16,
    /// The slot.
    pub slot: u16,
}

const WHAT: &str = "type annotations";

pub(super) fn parse_list(cursor: &mut Cursor<'_>) -> Result<Vec<TypeAnnotation>> {
    let count = cursor.u16(WHAT)?;
    (0..count).map(|_| TypeAnnotation::parse(cursor)).collect()
}

pub(super) fn encode_list(annotations: &[TypeAnnotation], out: &mut Vec<u8>) -> Result<()> {
    put_count(out, annotations.len(), WHAT)?;
    annotations
        .iter()
        .try_for_each(|annotation| annotation.encode(out))
}

impl TypeAnnotation {
    fn parse(cursor: &mut Cursor<'_>) -> Result<Self> {
        let target = Target::parse(cursor)?;
        let n_steps = cursor.u8(WHAT)?;
        let path = (0..n_steps)
            .map(|_| {
                Ok(TypePathStep {
                    kind: cursor.u8(WHAT)?,
                    argument: cursor.u8(WHAT)?,
                })
            })
            .collect::<Result<_>>()?;
        Ok(Self {
            target,
            path,
            annotation: Annotation::parse(cursor)?,
        })
    }

    fn encode(&self, out: &mut Vec<u8>) -> Result<()> {
        self.target.encode(out)?;
        let n_steps = u8::try_from(self.path.len())
            .map_err(|_| Error::too_large("a type path has more than 255 steps"))?;
        out.put_u8(n_steps);
        for step in &self.path {
            out.put_u8(step.kind);
            out.put_u8(step.argument);
        }
        self.annotation.encode(out)
    }
}

impl Target {
    fn parse(cursor: &mut Cursor<'_>) -> Result<Self> {
        let offset = cursor.offset();
        Ok(match cursor.u8(WHAT)? {
            kind @ 0x00..=0x01 => Self::TypeParameter {
                kind,
                parameter: cursor.u8(WHAT)?,
            },
            0x10 => Self::Supertype(cursor.u16(WHAT)?),
            kind @ 0x11..=0x12 => Self::TypeParameterBound {
                kind,
                parameter: cursor.u8(WHAT)?,
                bound: cursor.u8(WHAT)?,
            },
            kind @ 0x13..=0x15 => Self::Whole(kind),
            0x16 => Self::FormalParameter(cursor.u8(WHAT)?),
            0x17 => Self::Throws(cursor.u16(WHAT)?),
            kind @ 0x40..=0x41 => {
                let count = cursor.u16(WHAT)?;
                let ranges = (0..count)
                    .map(|_| LocalRange::parse(cursor))
                    .collect::<Result<_>>()?;
                Self::LocalVariable { kind, ranges }
            }
            0x42 => Self::Catch(cursor.u16(WHAT)?),
            kind @ 0x43..=0x46 => Self::Instruction {
                kind,
                offset: cursor.u16(WHAT)?,
            },
            kind @ 0x47..=0x4b => Self::TypeArgument {
                kind,
                offset: cursor.u16(WHAT)?,
                argument: cursor.u8(WHAT)?,
            },
            kind => {
                let message = format!("a type annotation has the unknown target {kind}");
                return Err(Error::unsupported(offset, message));
            }
        })
    }

    pub(crate) fn encode(&self, out: &mut Vec<u8>) -> Result<()> {
        match self {
            Self::TypeParameter { kind, parameter } => out.extend([*kind, *parameter]),
            Self::Supertype(index) => put_kind_and_u16(out, 0x10, *index),
            Self::TypeParameterBound {
                kind,
                parameter,
                bound,
            } => {
                out.extend([*kind, *parameter, *bound]);
            }
            Self::Whole(kind) => out.put_u8(*kind),
            Self::FormalParameter(index) => out.extend([0x16, *index]),
            Self::Throws(index) => put_kind_and_u16(out, 0x17, *index),
            Self::LocalVariable { kind, ranges } => {
                out.put_u8(*kind);
                put_count(out, ranges.len(), "ranges of a local variable")?;
                for range in ranges {
                    range.encode(out);
                }
            }
            Self::Catch(index) => put_kind_and_u16(out, 0x42, *index),
            Self::Instruction { kind, offset } => put_kind_and_u16(out, *kind, *offset),
            Self::TypeArgument {
                kind,
                offset,
                argument,
            } => {
                put_kind_and_u16(out, *kind, *offset);
                out.put_u8(*argument);
            }
        }
        Ok(())
    }
}

impl LocalRange {
    fn parse(cursor: &mut Cursor<'_>) -> Result<Self> {
        Ok(Self {
            start: cursor.u16(WHAT)?,
            length: cursor.u16(WHAT)?,
            slot: cursor.u16(WHAT)?,
        })
    }

    fn encode(self, out: &mut Vec<u8>) {
        out.put_u16(self.start);
        out.put_u16(self.length);
        out.put_u16(self.slot);
    }
}

impl VisitConstants for TypeAnnotation {
    fn visit_constants(&mut self, visit: &mut dyn FnMut(&mut u16)) {
        self.annotation.visit_constants(visit);
    }
}

fn put_kind_and_u16(out: &mut Vec<u8>, kind: u8, value: u16) {
    out.put_u8(kind);
    out.put_u16(value);
}
