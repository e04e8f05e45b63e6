//! `BootstrapMethods` (JVMS 4.7.23): how dynamic constants and call sites are linked.

use super::tables::ConstantIndex;
use crate::cursor::{Cursor, PutBytes, put_count};
use crate::error::Result;
use crate::remap::VisitConstants;
use crate::table::Table;

/// A bootstrap method with its static arguments.
#[derive(Clone, Debug, PartialEq)]
pub struct BootstrapMethod<'a> {
    /// The index of the method handle.
    pub method: u16,
    /// The indices of the arguments.
    pub arguments: Table<'a, ConstantIndex>,
}

const WHAT: &str = "BootstrapMethods";

pub(super) fn parse_list<'a>(cursor: &mut Cursor<'a>) -> Result<Vec<BootstrapMethod<'a>>> {
    let count = cursor.u16(WHAT)?;
    (0..count)
        .map(|_| {
            let method = cursor.u16(WHAT)?;
            Ok(BootstrapMethod {
                method,
                arguments: Table::parse_counted(cursor, WHAT)?,
            })
        })
        .collect()
}

pub(super) fn encode_list(methods: &[BootstrapMethod<'_>], out: &mut Vec<u8>) -> Result<()> {
    put_count(out, methods.len(), "bootstrap methods")?;
    methods.iter().try_for_each(|method| {
        out.put_u16(method.method);
        method.arguments.encode_counted(out, "bootstrap arguments")
    })
}

impl BootstrapMethod<'_> {
    /// The same method, borrowing nothing.
    pub fn into_owned(self) -> BootstrapMethod<'static> {
        BootstrapMethod {
            method: self.method,
            arguments: self.arguments.into_owned(),
        }
    }
}

impl VisitConstants for BootstrapMethod<'_> {
    fn visit_constants(&mut self, visit: &mut dyn FnMut(&mut u16)) {
        visit(&mut self.method);
        self.arguments.visit_constants(visit);
    }
}
