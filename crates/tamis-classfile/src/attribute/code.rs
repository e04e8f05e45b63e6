//! `Code` (JVMS 4.7.3): instructions stay bytes; `instruction` decodes them for whoever asks.

use std::borrow::Cow;

use super::{
    Attribute, AttributeContent, Place, StackMapFrame, encode_attributes, own_attributes,
    parse_attributes,
};
use crate::constant_pool::ConstantPool;
use crate::cursor::{Cursor, PutBytes};
use crate::error::{Error, Result};
use crate::remap::VisitConstants;
use crate::table::{Table, row};

/// The body of a method.
#[derive(Clone, Debug, PartialEq)]
pub struct Code<'a> {
    /// The greatest depth of the operand stack.
    pub max_stack: u16,
    /// The number of local variable slots.
    pub max_locals: u16,
    /// The instructions.
    pub instructions: Cow<'a, [u8]>,
    /// The handlers; of two that fit, the first one takes the exception.
    pub exception_table: Table<'a, ExceptionHandler>,
    /// Frames and debug tables.
    pub attributes: Vec<Attribute<'a>>,
}

row! {
    /// One row of the exception table.
    ExceptionHandler {
        /// The first offset covered.
        start,
        /// The first offset no longer covered.
        end,
        /// Where the handler begins.
        handler,
        /// The index of the class caught; 0 for everything.
        catch_type: index,
    }
}

const WHAT: &str = "Code";

impl<'a> Code<'a> {
    pub(super) fn parse(cursor: &mut Cursor<'a>, pool: &ConstantPool<'a>) -> Result<Self> {
        let max_stack = cursor.u16(WHAT)?;
        let max_locals = cursor.u16(WHAT)?;
        let length = cursor.u32(WHAT)? as usize;
        Ok(Self {
            max_stack,
            max_locals,
            instructions: Cow::Borrowed(cursor.take(length, WHAT)?),
            exception_table: Table::parse_counted(cursor, WHAT)?,
            attributes: parse_attributes(cursor, pool, Place::Code)?,
        })
    }

    pub(super) fn encode(&self, out: &mut Vec<u8>) -> Result<()> {
        let length = u32::try_from(self.instructions.len())
            .map_err(|_| Error::too_large("a method has more than 4294967295 bytes of code"))?;
        out.put_u16(self.max_stack);
        out.put_u16(self.max_locals);
        out.put_u32(length);
        out.extend_from_slice(&self.instructions);
        self.exception_table
            .encode_counted(out, "exception handlers")?;
        encode_attributes(&self.attributes, out)
    }

    /// The stack map frames, if there is a `StackMapTable`.
    pub fn frames(&self) -> Option<&[StackMapFrame]> {
        self.attributes
            .iter()
            .find_map(|attribute| match &attribute.content {
                AttributeContent::StackMapTable(frames) => Some(frames.as_slice()),
                _ => None,
            })
    }

    /// The same code, borrowing nothing.
    pub fn into_owned(self) -> Code<'static> {
        Code {
            max_stack: self.max_stack,
            max_locals: self.max_locals,
            instructions: Cow::Owned(self.instructions.into_owned()),
            exception_table: self.exception_table.into_owned(),
            attributes: own_attributes(self.attributes),
        }
    }
}

impl VisitConstants for Code<'_> {
    fn visit_constants(&mut self, visit: &mut dyn FnMut(&mut u16)) {
        self.exception_table.visit_constants(visit);
        self.attributes.visit_constants(visit);
    }
}
