//! Small attributes that are rows of numbers: inner classes, enclosing method, parameters.

use crate::cursor::{Cursor, PutBytes};
use crate::error::{Error, Result};
use crate::remap::VisitConstants;
use crate::table::{Row, Table, row};

row! {
    /// A bare index: a class, a package, a bootstrap argument.
    ConstantIndex { index: index }
}

row! {
    /// One row of `InnerClasses` (JVMS 4.7.6).
    InnerClass {
        /// The class.
        inner: index,
        /// The class it is a member of; 0 for local and anonymous classes.
        outer: index,
        /// Its simple name; 0 for anonymous classes.
        name: index,
        /// Its flags as declared in the source.
        access_flags,
    }
}

row! {
    /// One row of `MethodParameters` (JVMS 4.7.24).
    MethodParameter {
        /// The index of the name; 0 for none.
        name: index,
        /// Final, synthetic, mandated.
        access_flags,
    }
}

/// Where a local or anonymous class was declared (JVMS 4.7.7).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EnclosingMethod {
    /// The index of the enclosing class.
    pub class: u16,
    /// The index of the enclosing method's name and type; 0 for none.
    pub method: u16,
}

impl EnclosingMethod {
    pub(super) fn parse(cursor: &mut Cursor<'_>) -> Result<Self> {
        let what = "EnclosingMethod";
        Ok(Self {
            class: cursor.u16(what)?,
            method: cursor.u16(what)?,
        })
    }

    pub(super) fn encode(self, out: &mut Vec<u8>) {
        out.put_u16(self.class);
        out.put_u16(self.method);
    }
}

impl VisitConstants for EnclosingMethod {
    fn visit_constants(&mut self, visit: &mut dyn FnMut(&mut u16)) {
        visit(&mut self.class);
        visit(&mut self.method);
    }
}

/// `MethodParameters` is the one table whose count has eight bits.
pub(super) fn parse_method_parameters<'a>(
    cursor: &mut Cursor<'a>,
) -> Result<Table<'a, MethodParameter>> {
    let count = cursor.u8("MethodParameters")?;
    Table::parse(cursor, u16::from(count), "MethodParameters")
}

pub(super) fn encode_method_parameters(
    table: &Table<'_, MethodParameter>,
    out: &mut Vec<u8>,
) -> Result<()> {
    let count = u8::try_from(table.len())
        .map_err(|_| Error::too_large("more than 255 method parameters"))?;
    out.put_u8(count);
    for parameter in table.iter() {
        parameter.to_numbers()[..MethodParameter::WIDTH]
            .iter()
            .for_each(|n| out.put_u16(*n));
    }
    Ok(())
}
