//! The attributes that count, in a fixed order, with their constants by first use.

use super::constants::Meaning;
use super::{ATTRIBUTE, Stream, put_length};
use crate::access_flags::AccessFlags;
use crate::attribute::{AttributeName as Name, MAX_ANNOTATION_DEPTH, Place};
use crate::cursor::{Cursor, PutBytes};
use crate::error::{Error, Result};

/// An attribute that is known and counts, and where its content lies in the file.
#[derive(Clone, Copy)]
pub(super) struct FoundAttribute {
    name: Name,
    start: u32,
    end: u32,
}

/// What else there was among the attributes of one thing.
#[derive(Default)]
pub(super) struct Others<'a> {
    /// Those that nobody knows, sorted.
    unknown: Vec<(&'a [u8], &'a [u8])>,
    is_synthetic: bool,
}

const ANNOTATIONS: &str = "annotations";
const INNER_CLASSES: &str = "InnerClasses";

/// What stands behind the last known attribute, in place of a name: nothing follows, or those unknown.
const END: u8 = 0xff;
const UNKNOWN: u8 = 0xfe;

impl<'a> Stream<'a> {
    /// The flags and everything that counts of the attributes that begin at `c` with their count.
    pub(super) fn put_attributes(
        &mut self,
        flags: AccessFlags,
        c: &mut Cursor<'a>,
        place: Place,
    ) -> Result<()> {
        let start = self.found.len();
        let others = self.find_attributes(c, place)?;
        // The attribute is the old spelling of the flag.
        let synthetic = if others.is_synthetic {
            AccessFlags::SYNTHETIC.0
        } else {
            0
        };
        self.out.put_u16(flags.0 | synthetic);
        for position in start..self.found.len() {
            let FoundAttribute { name, start, end } = self.found[position];
            let mut content = self.part(start, end);
            self.out.put_u8(name as u8);
            // Nearly all are code, which the processor learns.
            if name == Name::Code {
                self.put_code(&mut content)?;
            } else {
                self.put_known(name, &mut content)?;
            }
            content.finish(ATTRIBUTE)?;
        }
        self.found.truncate(start);
        self.put_unknown(&others);
        Ok(())
    }

    /// Puts those that are known and count on the stack, sorted by name.
    fn find_attributes(&mut self, c: &mut Cursor<'a>, place: Place) -> Result<Others<'a>> {
        let first = self.found.len();
        let mut others = Others::default();
        for _ in 0..c.u16(ATTRIBUTE)? {
            let (index, content) = c.attribute()?;
            match self.meaning(index)? {
                Meaning::Known(Name::Synthetic) if Name::Synthetic.is_defined_at(place) => {
                    others.is_synthetic = true;
                }
                Meaning::Known(name) if name.is_defined_at(place) => {
                    if counts(name) && (name != Name::InnerClasses || self.has_own_row(content)?) {
                        self.found.push(FoundAttribute {
                            name,
                            start: content.offset() as u32,
                            end: c.offset() as u32,
                        });
                    }
                }
                Meaning::WithoutBehaviour => {}
                _ => self.add_unknown(index, content, &mut others)?,
            }
        }
        // Most things have one attribute that counts.
        if self.found.len() > first + 1 {
            self.found[first..].sort_by_key(|found| found.name);
        }
        others.unknown.sort_unstable();
        Ok(others)
    }

    #[cold]
    pub(super) fn add_unknown(
        &self,
        name: u16,
        mut content: Cursor<'a>,
        others: &mut Others<'a>,
    ) -> Result<()> {
        others.unknown.push((self.text(name)?, content.rest()));
        Ok(())
    }

    /// Attributes that nobody knows count as they are.
    #[inline]
    pub(super) fn put_unknown(&mut self, others: &Others<'_>) {
        if others.unknown.is_empty() {
            self.out.put_u8(END);
            return;
        }
        self.out.put_u8(UNKNOWN);
        self.out.put_u16(others.unknown.len() as u16);
        for bytes in others
            .unknown
            .iter()
            .flat_map(|(name, content)| [name, content])
        {
            put_length(bytes.len(), &mut self.out);
            self.out.extend_from_slice(bytes);
        }
    }

    fn put_known(&mut self, name: Name, c: &mut Cursor<'a>) -> Result<()> {
        match name {
            Name::BootstrapMethods => self.constants.set_bootstrap_methods(c),
            Name::RuntimeVisibleAnnotations => self.put_annotations(c),
            Name::RuntimeVisibleTypeAnnotations => self.put_type_annotations(c),
            Name::RuntimeVisibleParameterAnnotations => {
                let count = self.copy_u8(c)?;
                (0..count).try_for_each(|_| self.put_annotations(c))
            }
            Name::AnnotationDefault => self.put_element_value(c, 0),
            Name::MethodParameters => {
                let count = self.copy_u8(c)?;
                (0..count).try_for_each(|_| self.refer_and_copy_flags(c))
            }
            Name::InnerClasses => self.put_inner_classes(c),
            Name::Record => self.put_record(c),
            Name::Module => self.put_module(c),
            Name::ModuleHashes => self.put_module_hashes(c),
            Name::ModuleResolution => self.copy_u16(c).map(drop),
            Name::EnclosingMethod => {
                self.copy_reference(c)?;
                self.copy_reference(c)
            }
            Name::Exceptions
            | Name::NestMembers
            | Name::PermittedSubclasses
            | Name::ModulePackages => self.put_references(c, ATTRIBUTE),
            // The others that count are one constant each.
            _ => self.copy_reference(c),
        }
    }

    /// Whether a row is about the class itself or its member classes; the others concern nobody.
    fn has_own_row(&self, mut c: Cursor<'a>) -> Result<bool> {
        for _ in 0..c.u16(INNER_CLASSES)? {
            let mut row = c.split(8, INNER_CLASSES)?;
            if self.is_own(row.u16(INNER_CLASSES)?, row.u16(INNER_CLASSES)?)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn is_own(&self, inner: u16, outer: u16) -> Result<bool> {
        Ok(self.pool.class(inner)? == self.this_name
            || (outer != 0 && self.pool.class(outer)? == self.this_name))
    }

    fn put_inner_classes(&mut self, c: &mut Cursor<'a>) -> Result<()> {
        for _ in 0..c.u16(INNER_CLASSES)? {
            let mut row = c.split(8, INNER_CLASSES)?;
            let (inner, outer) = (row.u16(INNER_CLASSES)?, row.u16(INNER_CLASSES)?);
            if self.is_own(inner, outer)? {
                self.out.put_u8(1);
                self.refer(inner)?;
                self.refer(outer)?;
                self.refer_and_copy_flags(&mut row)?;
            }
        }
        self.out.put_u8(0);
        Ok(())
    }

    fn put_record(&mut self, c: &mut Cursor<'a>) -> Result<()> {
        for _ in 0..self.copy_u16(c)? {
            self.copy_reference(c)?;
            self.copy_reference(c)?;
            self.put_attributes(AccessFlags::default(), c, Place::RecordComponent)?;
        }
        Ok(())
    }

    fn put_module(&mut self, c: &mut Cursor<'a>) -> Result<()> {
        self.refer_and_copy_flags(c)?;
        self.copy_reference(c)?;
        for _ in 0..self.copy_u16(c)? {
            self.refer_and_copy_flags(c)?;
            self.copy_reference(c)?;
        }
        // Exports, then opens.
        for _ in 0..2 {
            for _ in 0..self.copy_u16(c)? {
                self.refer_and_copy_flags(c)?;
                self.put_references(c, "Module")?;
            }
        }
        self.put_references(c, "Module")?;
        for _ in 0..self.copy_u16(c)? {
            self.copy_reference(c)?;
            self.put_references(c, "Module")?;
        }
        Ok(())
    }

    fn put_module_hashes(&mut self, c: &mut Cursor<'a>) -> Result<()> {
        self.copy_reference(c)?;
        for _ in 0..self.copy_u16(c)? {
            self.copy_reference(c)?;
            let length = self.copy_u16(c)?;
            self.out
                .extend_from_slice(c.take(usize::from(length), "ModuleHashes")?);
        }
        Ok(())
    }

    fn put_annotations(&mut self, c: &mut Cursor<'a>) -> Result<()> {
        let count = self.copy_u16(c)?;
        (0..count).try_for_each(|_| self.put_annotation(c, 0))
    }

    fn put_annotation(&mut self, c: &mut Cursor<'a>, depth: usize) -> Result<()> {
        self.copy_reference(c)?;
        for _ in 0..self.copy_u16(c)? {
            self.copy_reference(c)?;
            self.put_element_value(c, depth + 1)?;
        }
        Ok(())
    }

    fn put_element_value(&mut self, c: &mut Cursor<'a>, depth: usize) -> Result<()> {
        if depth > MAX_ANNOTATION_DEPTH {
            let message = format!("annotations are nested deeper than {MAX_ANNOTATION_DEPTH}");
            return Err(Error::unsupported(c.offset(), message));
        }
        match self.copy_u8(c)? {
            b'e' => {
                self.copy_reference(c)?;
                self.copy_reference(c)
            }
            b'@' => self.put_annotation(c, depth),
            b'[' => {
                let count = self.copy_u16(c)?;
                (0..count).try_for_each(|_| self.put_element_value(c, depth + 1))
            }
            b'B' | b'C' | b'D' | b'F' | b'I' | b'J' | b'S' | b'Z' | b's' | b'c' => {
                self.copy_reference(c)
            }
            tag => {
                let message = format!("an annotation value has the unknown tag {tag}");
                Err(Error::unsupported(c.offset(), message))
            }
        }
    }

    fn put_type_annotations(&mut self, c: &mut Cursor<'a>) -> Result<()> {
        for _ in 0..self.copy_u16(c)? {
            let kind = self.copy_u8(c)?;
            let target = match kind {
                0x00 | 0x01 | 0x16 => 1,
                0x10..=0x12 | 0x17 | 0x42..=0x46 => 2,
                0x13..=0x15 => 0,
                0x47..=0x4b => 3,
                0x40 | 0x41 => 6 * usize::from(self.copy_u16(c)?),
                _ => {
                    let message = format!("a type annotation has the unknown target {kind}");
                    return Err(Error::unsupported(c.offset(), message));
                }
            };
            self.out.extend_from_slice(c.take(target, ANNOTATIONS)?);
            let n_steps = self.copy_u8(c)?;
            self.out
                .extend_from_slice(c.take(2 * usize::from(n_steps), ANNOTATIONS)?);
            self.put_annotation(c, 0)?;
        }
        Ok(())
    }

    #[inline]
    pub(super) fn copy_reference(&mut self, c: &mut Cursor<'a>) -> Result<()> {
        self.refer(c.u16(ATTRIBUTE)?)
    }

    fn refer_and_copy_flags(&mut self, c: &mut Cursor<'a>) -> Result<()> {
        self.copy_reference(c)?;
        self.copy_u16(c).map(drop)
    }

    pub(super) fn copy_u8(&mut self, c: &mut Cursor<'a>) -> Result<u8> {
        let value = c.u8(ATTRIBUTE)?;
        self.out.put_u8(value);
        Ok(value)
    }

    pub(super) fn copy_u16(&mut self, c: &mut Cursor<'a>) -> Result<u16> {
        let value = c.u16(ATTRIBUTE)?;
        self.out.put_u16(value);
        Ok(value)
    }
}

/// Whether an attribute counts as behaviour; bootstrap methods are written out by what names them.
fn counts(name: Name) -> bool {
    !matches!(
        name,
        Name::Deprecated
            | Name::LineNumberTable
            | Name::LocalVariableTable
            | Name::LocalVariableTypeTable
            | Name::RuntimeInvisibleAnnotations
            | Name::RuntimeInvisibleParameterAnnotations
            | Name::RuntimeInvisibleTypeAnnotations
            | Name::SourceDebugExtension
            | Name::SourceFile
    )
}
