//! Constants by value: names, numbers, and how dynamic ones are made.

use tamis_facts::Checksum;

use super::context::{Context, put_length};
use crate::constant_pool::{Constant, DynamicIndex, MemberIndex};
use crate::cursor::PutBytes;
use crate::error::{Error, Result};

/// Dynamic constants may take dynamic constants as arguments. Compilers nest them two or three deep.
const MAX_DEPTH: usize = 32;

/// What a constant is, in canonical bytes. Never renumbered: stored checksums depend on it.
mod kind {
    pub(super) const UTF8: u8 = 1;
    pub(super) const INTEGER: u8 = 2;
    pub(super) const FLOAT: u8 = 3;
    pub(super) const LONG: u8 = 4;
    pub(super) const DOUBLE: u8 = 5;
    pub(super) const CLASS: u8 = 6;
    pub(super) const STRING: u8 = 7;
    pub(super) const FIELD: u8 = 8;
    pub(super) const METHOD: u8 = 9;
    pub(super) const INTERFACE_METHOD: u8 = 10;
    pub(super) const METHOD_BY_CONTENT: u8 = 11;
    pub(super) const METHOD_HANDLE: u8 = 12;
    pub(super) const METHOD_TYPE: u8 = 13;
    pub(super) const DYNAMIC: u8 = 14;
    pub(super) const INVOKE_DYNAMIC: u8 = 15;
    pub(super) const MODULE: u8 = 16;
    pub(super) const PACKAGE: u8 = 17;
    pub(super) const NAME_AND_TYPE: u8 = 18;
}

impl Context<'_> {
    /// A constant with everything that it refers to.
    #[inline]
    pub(super) fn put_constant(&self, index: u16, out: &mut Vec<u8>) -> Result<()> {
        self.put_constant_at(index, 0, out)
    }

    fn put_constant_at(&self, index: u16, depth: usize, out: &mut Vec<u8>) -> Result<()> {
        match self.pool().get(index)? {
            Constant::Unusable => Ok(()),
            Constant::Utf8(_) => self.put_text(kind::UTF8, index, out),
            Constant::Integer(value) => {
                out.put_u8(kind::INTEGER);
                out.put_u32(value.cast_unsigned());
                Ok(())
            }
            Constant::Float(bits) => {
                out.put_u8(kind::FLOAT);
                out.put_u32(*bits);
                Ok(())
            }
            Constant::Long(value) => {
                out.put_u8(kind::LONG);
                out.put_u64(value.cast_unsigned());
                Ok(())
            }
            Constant::Double(bits) => {
                out.put_u8(kind::DOUBLE);
                out.put_u64(*bits);
                Ok(())
            }
            Constant::Class(name) => self.put_text(kind::CLASS, *name, out),
            Constant::String(text) => self.put_text(kind::STRING, *text, out),
            Constant::MethodType(descriptor) => self.put_text(kind::METHOD_TYPE, *descriptor, out),
            Constant::Module(name) => self.put_text(kind::MODULE, *name, out),
            Constant::Package(name) => self.put_text(kind::PACKAGE, *name, out),
            Constant::FieldRef(field) => self.put_member(kind::FIELD, *field, out),
            Constant::MethodRef(method) => {
                self.put_method_reference(kind::METHOD, index, *method, out)
            }
            Constant::InterfaceMethodRef(method) => {
                self.put_method_reference(kind::INTERFACE_METHOD, index, *method, out)
            }
            Constant::NameAndType { .. } => {
                out.put_u8(kind::NAME_AND_TYPE);
                self.put_name_and_type(index, out)
            }
            Constant::MethodHandle { kind, reference } => {
                out.put_u8(kind::METHOD_HANDLE);
                out.put_u8(*kind);
                self.put_constant_at(*reference, depth, out)
            }
            Constant::Dynamic(dynamic) => self.put_dynamic(kind::DYNAMIC, *dynamic, depth, out),
            Constant::InvokeDynamic(dynamic) => {
                self.put_dynamic(kind::INVOKE_DYNAMIC, *dynamic, depth, out)
            }
        }
    }

    fn put_text(&self, kind: u8, index: u16, out: &mut Vec<u8>) -> Result<()> {
        out.put_u8(kind);
        self.put_utf8(index, out)
    }

    fn put_member(&self, kind: u8, member: MemberIndex, out: &mut Vec<u8>) -> Result<()> {
        out.put_u8(kind);
        self.put_class(member.class, out)?;
        self.put_name_and_type(member.name_and_type, out)
    }

    fn put_method_reference(
        &self,
        kind: u8,
        index: u16,
        method: MemberIndex,
        out: &mut Vec<u8>,
    ) -> Result<()> {
        if !self.contents.is_empty() {
            let member = self.pool().member(index)?;
            if let Some(content) = self.contents.of_reference(self.name, member) {
                out.extend([kind::METHOD_BY_CONTENT, kind]);
                out.extend_from_slice(&content.0);
                return Ok(());
            }
        }
        self.put_member(kind, method, out)
    }

    fn put_dynamic(
        &self,
        kind: u8,
        dynamic: DynamicIndex,
        depth: usize,
        out: &mut Vec<u8>,
    ) -> Result<()> {
        out.put_u8(kind);
        self.put_name_and_type(dynamic.name_and_type, out)?;
        out.extend_from_slice(&self.bootstrap_checksum(dynamic.bootstrap, depth)?.0);
        Ok(())
    }

    /// A bootstrap method with its arguments stands by its checksum, computed once: written out, a
    /// few constants that name each other twice would fill the memory.
    fn bootstrap_checksum(&self, position: u16, depth: usize) -> Result<Checksum> {
        if depth > MAX_DEPTH {
            let message = format!("dynamic constants are nested deeper than {MAX_DEPTH}");
            return Err(Error::unsupported(None, message));
        }
        let bootstrap = self.bootstrap_method(position)?;
        let known = self.bootstrap_checksums.borrow()[usize::from(position)];
        if let Some(checksum) = known {
            return Ok(checksum);
        }
        let mut bytes = Vec::new();
        self.put_constant_at(bootstrap.method, depth + 1, &mut bytes)?;
        put_length(bootstrap.arguments.len(), &mut bytes);
        for argument in bootstrap.arguments.iter() {
            self.put_constant_at(argument.index, depth + 1, &mut bytes)?;
        }
        let checksum = self.digest.digest(&bytes);
        self.bootstrap_checksums.borrow_mut()[usize::from(position)] = Some(checksum);
        Ok(checksum)
    }
}
