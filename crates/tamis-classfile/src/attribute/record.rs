//! `Record` (JVMS 4.7.30): the components of a record class.

use super::{Attribute, Place, encode_attributes, own_attributes, parse_attributes};
use crate::constant_pool::ConstantPool;
use crate::cursor::{Cursor, PutBytes, put_count};
use crate::error::Result;
use crate::remap::VisitConstants;

/// One component of a record.
#[derive(Clone, Debug, PartialEq)]
pub struct RecordComponent<'a> {
    /// The index of the name.
    pub name: u16,
    /// The index of the descriptor.
    pub descriptor: u16,
    /// Its signature and annotations.
    pub attributes: Vec<Attribute<'a>>,
}

const WHAT: &str = "Record";

pub(super) fn parse_components<'a>(
    cursor: &mut Cursor<'a>,
    pool: &ConstantPool<'a>,
) -> Result<Vec<RecordComponent<'a>>> {
    let count = cursor.u16(WHAT)?;
    (0..count)
        .map(|_| {
            let name = cursor.u16(WHAT)?;
            let descriptor = cursor.u16(WHAT)?;
            let attributes = parse_attributes(cursor, pool, Place::RecordComponent)?;
            Ok(RecordComponent {
                name,
                descriptor,
                attributes,
            })
        })
        .collect()
}

pub(super) fn encode_components(
    components: &[RecordComponent<'_>],
    out: &mut Vec<u8>,
) -> Result<()> {
    put_count(out, components.len(), "record components")?;
    components.iter().try_for_each(|component| {
        out.put_u16(component.name);
        out.put_u16(component.descriptor);
        encode_attributes(&component.attributes, out)
    })
}

impl RecordComponent<'_> {
    /// The same component, borrowing nothing.
    pub fn into_owned(self) -> RecordComponent<'static> {
        RecordComponent {
            name: self.name,
            descriptor: self.descriptor,
            attributes: own_attributes(self.attributes),
        }
    }
}

impl VisitConstants for RecordComponent<'_> {
    fn visit_constants(&mut self, visit: &mut dyn FnMut(&mut u16)) {
        visit(&mut self.name);
        visit(&mut self.descriptor);
        self.attributes.visit_constants(visit);
    }
}
