//! Annotations and their values (JVMS 4.7.16), of declarations and of parameters.

use crate::cursor::{Cursor, PutBytes, put_count};
use crate::error::{Error, Result};
use crate::remap::VisitConstants;

/// An annotation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Annotation {
    /// The index of its type's descriptor.
    pub type_descriptor: u16,
    /// The elements given, in their order.
    pub elements: Vec<Element>,
}

/// An element of an annotation with its value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Element {
    /// The index of its name.
    pub name: u16,
    /// What it is set to.
    pub value: ElementValue,
}

/// The value of an element.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ElementValue {
    /// A number, a character, a boolean or a string.
    Constant {
        /// The letter of its type: one of `BCDFIJSZs`.
        tag: u8,
        /// The index of its value.
        value: u16,
    },
    /// An enum constant.
    Enum {
        /// The index of the enum's descriptor.
        type_descriptor: u16,
        /// The index of the constant's name.
        name: u16,
    },
    /// A class, by the index of its descriptor.
    Class(u16),
    /// Another annotation.
    Annotation(Annotation),
    /// Several values.
    Array(Vec<ElementValue>),
}

/// Java allows arrays of annotations of arrays …, each level another annotation type; nobody comes
/// near this, and reading must not exhaust the stack.
pub(crate) const MAX_DEPTH: usize = 64;

const WHAT: &str = "annotations";

pub(super) fn parse_list(cursor: &mut Cursor<'_>) -> Result<Vec<Annotation>> {
    let count = cursor.u16(WHAT)?;
    (0..count).map(|_| Annotation::parse(cursor)).collect()
}

pub(super) fn encode_list(annotations: &[Annotation], out: &mut Vec<u8>) -> Result<()> {
    put_count(out, annotations.len(), WHAT)?;
    annotations
        .iter()
        .try_for_each(|annotation| annotation.encode(out))
}

/// Parameters are counted in eight bits.
pub(super) fn parse_parameters(cursor: &mut Cursor<'_>) -> Result<Vec<Vec<Annotation>>> {
    let count = cursor.u8(WHAT)?;
    (0..count).map(|_| parse_list(cursor)).collect()
}

pub(super) fn encode_parameters(parameters: &[Vec<Annotation>], out: &mut Vec<u8>) -> Result<()> {
    let count = u8::try_from(parameters.len())
        .map_err(|_| Error::too_large("more than 255 annotated parameters"))?;
    out.put_u8(count);
    parameters
        .iter()
        .try_for_each(|annotations| encode_list(annotations, out))
}

/// Passes over an annotation without keeping it.
pub(crate) fn skip_annotation(cursor: &mut Cursor<'_>) -> Result<()> {
    Annotation::parse(cursor).map(drop)
}

impl Annotation {
    pub(super) fn parse(cursor: &mut Cursor<'_>) -> Result<Self> {
        Self::parse_at(cursor, 0)
    }

    fn parse_at(cursor: &mut Cursor<'_>, depth: usize) -> Result<Self> {
        let type_descriptor = cursor.u16(WHAT)?;
        let count = cursor.u16(WHAT)?;
        let elements = (0..count)
            .map(|_| {
                let name = cursor.u16(WHAT)?;
                Ok(Element {
                    name,
                    value: ElementValue::parse_at(cursor, depth + 1)?,
                })
            })
            .collect::<Result<_>>()?;
        Ok(Self {
            type_descriptor,
            elements,
        })
    }

    pub(super) fn encode(&self, out: &mut Vec<u8>) -> Result<()> {
        out.put_u16(self.type_descriptor);
        put_count(out, self.elements.len(), "annotation elements")?;
        self.elements.iter().try_for_each(|element| {
            out.put_u16(element.name);
            element.value.encode(out)
        })
    }
}

impl ElementValue {
    pub(super) fn parse(cursor: &mut Cursor<'_>) -> Result<Self> {
        Self::parse_at(cursor, 0)
    }

    fn parse_at(cursor: &mut Cursor<'_>, depth: usize) -> Result<Self> {
        let offset = cursor.offset();
        if depth > MAX_DEPTH {
            let message = format!("annotations are nested deeper than {MAX_DEPTH}");
            return Err(Error::unsupported(offset, message));
        }
        Ok(match cursor.u8(WHAT)? {
            tag @ (b'B' | b'C' | b'D' | b'F' | b'I' | b'J' | b'S' | b'Z' | b's') => {
                Self::Constant {
                    tag,
                    value: cursor.u16(WHAT)?,
                }
            }
            b'e' => Self::Enum {
                type_descriptor: cursor.u16(WHAT)?,
                name: cursor.u16(WHAT)?,
            },
            b'c' => Self::Class(cursor.u16(WHAT)?),
            b'@' => Self::Annotation(Annotation::parse_at(cursor, depth)?),
            b'[' => {
                let count = cursor.u16(WHAT)?;
                let values = (0..count)
                    .map(|_| Self::parse_at(cursor, depth + 1))
                    .collect::<Result<_>>()?;
                Self::Array(values)
            }
            tag => {
                let message = format!("an annotation value has the unknown tag {tag}");
                return Err(Error::unsupported(offset, message));
            }
        })
    }

    pub(super) fn encode(&self, out: &mut Vec<u8>) -> Result<()> {
        match self {
            Self::Constant { tag, value } => {
                out.put_u8(*tag);
                out.put_u16(*value);
            }
            Self::Enum {
                type_descriptor,
                name,
            } => {
                out.put_u8(b'e');
                out.put_u16(*type_descriptor);
                out.put_u16(*name);
            }
            Self::Class(descriptor) => {
                out.put_u8(b'c');
                out.put_u16(*descriptor);
            }
            Self::Annotation(annotation) => {
                out.put_u8(b'@');
                annotation.encode(out)?;
            }
            Self::Array(values) => {
                out.put_u8(b'[');
                put_count(out, values.len(), "values in an annotation's array")?;
                values.iter().try_for_each(|value| value.encode(out))?;
            }
        }
        Ok(())
    }
}

impl VisitConstants for Annotation {
    fn visit_constants(&mut self, visit: &mut dyn FnMut(&mut u16)) {
        visit(&mut self.type_descriptor);
        for element in &mut self.elements {
            visit(&mut element.name);
            element.value.visit_constants(visit);
        }
    }
}

impl VisitConstants for ElementValue {
    fn visit_constants(&mut self, visit: &mut dyn FnMut(&mut u16)) {
        match self {
            Self::Constant { value, .. } => visit(value),
            Self::Enum {
                type_descriptor,
                name,
            } => {
                visit(type_descriptor);
                visit(name);
            }
            Self::Class(descriptor) => visit(descriptor),
            Self::Annotation(annotation) => annotation.visit_constants(visit),
            Self::Array(values) => values.visit_constants(visit),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arrays_in_arrays_without_end_are_refused_not_followed() {
        let bytes = [b'[', 0, 1].repeat(100_000);
        let error = ElementValue::parse(&mut Cursor::new(&bytes)).unwrap_err();
        assert_eq!(
            error.to_string(),
            "annotations are nested deeper than 64 (at byte 195)"
        );
    }
}
