//! The class file itself (JVMS 4.1): what it holds, reading it, writing it.
//!
//! Reading borrows names, tables and code from the input; [`ClassFile::into_owned`] lets go of it.
//! Writing gives back the very bytes that were read, as long as nothing was changed.

use crate::access_flags::AccessFlags;
use crate::attribute::{
    Attribute, AttributeContent, BootstrapMethod, Code, Place, encode_attributes, own_attributes,
    parse_attributes,
};
use crate::constant_pool::ConstantPool;
use crate::cursor::{Cursor, PutBytes, put_count};
use crate::error::{Error, Result};

/// A class, interface, annotation type, enum, record or module declaration.
#[derive(Clone, Debug, PartialEq)]
pub struct ClassFile<'a> {
    /// 65535 in a class that uses preview features.
    pub minor_version: u16,
    /// 45 for JDK 1.1, 52 for Java 8, 69 for Java 25.
    pub major_version: u16,
    /// All constants.
    pub constant_pool: ConstantPool<'a>,
    /// The flags.
    pub access_flags: AccessFlags,
    /// The index of the class's own name.
    pub this_class: u16,
    /// The index of the superclass; 0 for `java/lang/Object` and modules.
    pub super_class: u16,
    /// The indices of the interfaces.
    pub interfaces: Vec<u16>,
    /// The fields.
    pub fields: Vec<Field<'a>>,
    /// The methods, constructors and the static initialiser.
    pub methods: Vec<Method<'a>>,
    /// The attributes.
    pub attributes: Vec<Attribute<'a>>,
}

/// A field declaration.
#[derive(Clone, Debug, PartialEq)]
pub struct Field<'a> {
    /// The flags.
    pub access_flags: AccessFlags,
    /// The index of the name.
    pub name: u16,
    /// The index of the descriptor.
    pub descriptor: u16,
    /// The attributes.
    pub attributes: Vec<Attribute<'a>>,
}

/// A method declaration.
#[derive(Clone, Debug, PartialEq)]
pub struct Method<'a> {
    /// The flags.
    pub access_flags: AccessFlags,
    /// The index of the name.
    pub name: u16,
    /// The index of the descriptor.
    pub descriptor: u16,
    /// The attributes, code among them.
    pub attributes: Vec<Attribute<'a>>,
}

const MAGIC: u32 = 0xCAFE_BABE;
const HEADER: &str = "the class header";

impl<'a> ClassFile<'a> {
    /// The oldest class-file version there is, of JDK 1.0 and 1.1; read from 45.3 on.
    pub const OLDEST_VERSION: u16 = 45;
    /// The newest class-file version whose whole meaning is known here: Java 25.
    pub const NEWEST_VERSION: u16 = 69;

    /// Reads a class file.
    pub fn parse(bytes: &'a [u8]) -> Result<Self> {
        let mut cursor = Cursor::new(bytes);
        let c = &mut cursor;
        let (minor_version, major_version) = parse_versions(c)?;
        let constant_pool = ConstantPool::parse(c)?;
        let access_flags = AccessFlags(c.u16(HEADER)?);
        let this_class = c.u16(HEADER)?;
        let super_class = c.u16(HEADER)?;
        let n_interfaces = c.u16(HEADER)?;
        let interfaces = (0..n_interfaces)
            .map(|_| c.u16(HEADER))
            .collect::<Result<_>>()?;
        let fields = parse_members(c, |c| Field::parse(c, &constant_pool))?;
        let methods = parse_members(c, |c| Method::parse(c, &constant_pool))?;
        let attributes = parse_attributes(c, &constant_pool, Place::Class)?;
        cursor.finish("the class file")?;
        Ok(Self {
            minor_version,
            major_version,
            constant_pool,
            access_flags,
            this_class,
            super_class,
            interfaces,
            fields,
            methods,
            attributes,
        })
    }

    /// Writes the class file.
    pub fn encode(&self) -> Result<Vec<u8>> {
        let mut out = Vec::with_capacity(4096);
        out.put_u32(MAGIC);
        out.put_u16(self.minor_version);
        out.put_u16(self.major_version);
        self.constant_pool.encode(&mut out)?;
        out.put_u16(self.access_flags.0);
        out.put_u16(self.this_class);
        out.put_u16(self.super_class);
        put_count(&mut out, self.interfaces.len(), "interfaces")?;
        for index in &self.interfaces {
            out.put_u16(*index);
        }
        put_count(&mut out, self.fields.len(), "fields")?;
        self.fields
            .iter()
            .try_for_each(|field| field.encode(&mut out))?;
        put_count(&mut out, self.methods.len(), "methods")?;
        self.methods
            .iter()
            .try_for_each(|method| method.encode(&mut out))?;
        encode_attributes(&self.attributes, &mut out)?;
        Ok(out)
    }

    /// The same class, borrowing nothing.
    pub fn into_owned(self) -> ClassFile<'static> {
        ClassFile {
            minor_version: self.minor_version,
            major_version: self.major_version,
            constant_pool: self.constant_pool.into_owned(),
            access_flags: self.access_flags,
            this_class: self.this_class,
            super_class: self.super_class,
            interfaces: self.interfaces,
            fields: self.fields.into_iter().map(Field::into_owned).collect(),
            methods: self.methods.into_iter().map(Method::into_owned).collect(),
            attributes: own_attributes(self.attributes),
        }
    }

    /// The class's own name.
    pub fn name(&self) -> Result<&[u8]> {
        self.constant_pool.class(self.this_class)
    }

    /// The superclass, if there is one.
    pub fn super_name(&self) -> Result<Option<&[u8]>> {
        match self.super_class {
            0 => Ok(None),
            index => self.constant_pool.class(index).map(Some),
        }
    }

    /// How dynamic constants and call sites are linked; empty if there are none.
    pub fn bootstrap_methods(&self) -> &[BootstrapMethod<'a>] {
        let found = self
            .attributes
            .iter()
            .find_map(|attribute| match &attribute.content {
                AttributeContent::BootstrapMethods(methods) => Some(methods.as_slice()),
                _ => None,
            });
        found.unwrap_or_default()
    }

    /// Whether the class comes from a Java newer than this crate knows.
    pub fn is_newer_than_known(&self) -> bool {
        self.major_version > Self::NEWEST_VERSION
    }
}

/// Reads magic number and versions, minor first.
pub(crate) fn parse_versions(cursor: &mut Cursor<'_>) -> Result<(u16, u16)> {
    let offset = cursor.offset();
    if cursor.u32(HEADER)? != MAGIC {
        return Err(Error::malformed(
            offset,
            "this is no class file: it lacks the magic number",
        ));
    }
    let offset = cursor.offset();
    let versions = (cursor.u16(HEADER)?, cursor.u16(HEADER)?);
    if versions.1 < ClassFile::OLDEST_VERSION {
        let message = format!(
            "there is no class file version {}.{}",
            versions.1, versions.0
        );
        return Err(Error::unsupported(offset, message));
    }
    // JDK 1.0 counted stack, locals and code in smaller numbers; JVMs have given up reading that.
    if versions.1 == ClassFile::OLDEST_VERSION && versions.0 < 3 {
        let message = format!(
            "class file version 45.{} lays out code as before 45.3",
            versions.0
        );
        return Err(Error::unsupported(offset, message));
    }
    Ok(versions)
}

fn parse_members<'a, M>(
    cursor: &mut Cursor<'a>,
    mut parse: impl FnMut(&mut Cursor<'a>) -> Result<M>,
) -> Result<Vec<M>> {
    let count = usize::from(cursor.u16("the members")?);
    // A member has eight bytes at least: a count alone reserves no more than the input.
    let mut members = Vec::with_capacity(count.min(cursor.remaining() / 8));
    for _ in 0..count {
        members.push(parse(cursor)?);
    }
    Ok(members)
}

impl<'a> Field<'a> {
    fn parse(cursor: &mut Cursor<'a>, pool: &ConstantPool<'a>) -> Result<Self> {
        Ok(Self {
            access_flags: AccessFlags(cursor.u16("a field")?),
            name: cursor.u16("a field")?,
            descriptor: cursor.u16("a field")?,
            attributes: parse_attributes(cursor, pool, Place::Field)?,
        })
    }

    fn encode(&self, out: &mut Vec<u8>) -> Result<()> {
        out.put_u16(self.access_flags.0);
        out.put_u16(self.name);
        out.put_u16(self.descriptor);
        encode_attributes(&self.attributes, out)
    }

    /// The same field, borrowing nothing.
    pub fn into_owned(self) -> Field<'static> {
        Field {
            access_flags: self.access_flags,
            name: self.name,
            descriptor: self.descriptor,
            attributes: own_attributes(self.attributes),
        }
    }
}

impl<'a> Method<'a> {
    fn parse(cursor: &mut Cursor<'a>, pool: &ConstantPool<'a>) -> Result<Self> {
        Ok(Self {
            access_flags: AccessFlags(cursor.u16("a method")?),
            name: cursor.u16("a method")?,
            descriptor: cursor.u16("a method")?,
            attributes: parse_attributes(cursor, pool, Place::Method)?,
        })
    }

    fn encode(&self, out: &mut Vec<u8>) -> Result<()> {
        out.put_u16(self.access_flags.0);
        out.put_u16(self.name);
        out.put_u16(self.descriptor);
        encode_attributes(&self.attributes, out)
    }

    /// The method's body, unless it is abstract or native.
    pub fn code(&self) -> Option<&Code<'a>> {
        self.attributes
            .iter()
            .find_map(|attribute| match &attribute.content {
                AttributeContent::Code(code) => Some(&**code),
                _ => None,
            })
    }

    /// The method's body, to be changed.
    pub fn code_mut(&mut self) -> Option<&mut Code<'a>> {
        self.attributes
            .iter_mut()
            .find_map(|attribute| match &mut attribute.content {
                AttributeContent::Code(code) => Some(&mut **code),
                _ => None,
            })
    }

    /// The same method, borrowing nothing.
    pub fn into_owned(self) -> Method<'static> {
        Method {
            access_flags: self.access_flags,
            name: self.name,
            descriptor: self.descriptor,
            attributes: own_attributes(self.attributes),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(bytes: &[u8], expected: &str) {
        assert_eq!(ClassFile::parse(bytes).unwrap_err().to_string(), expected);
    }

    #[test]
    fn an_empty_file() {
        check(b"", "the bytes end inside the class header (at byte 0)");
    }

    #[test]
    fn no_class_file() {
        check(
            b"PK\x03\x04",
            "this is no class file: it lacks the magic number (at byte 0)",
        );
    }

    #[test]
    fn a_version_with_the_old_layout_of_code() {
        check(
            &[0xca, 0xfe, 0xba, 0xbe, 0, 2, 0, 45],
            "class file version 45.2 lays out code as before 45.3 (at byte 4)",
        );
    }

    #[test]
    fn a_version_before_the_first() {
        check(
            &[0xca, 0xfe, 0xba, 0xbe, 0, 3, 0, 44],
            "there is no class file version 44.3 (at byte 4)",
        );
    }
}
