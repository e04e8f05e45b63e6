//! The constant pool (JVMS 4.4): reading, writing, resolving.
//!
//! References between constants are checked once, when the pool is read, as every JVM does; after
//! that a constant that points to another one of the pool can be followed without doubt. Indices
//! that come from outside the pool are checked when they are resolved.

use std::borrow::Cow;

use tamis_facts::{ClassName, ModifiedUtf8};

use crate::cursor::{Cursor, PutBytes};
use crate::error::{Error, Result};

/// The constants of a class, by their index.
#[derive(Clone, Debug, PartialEq)]
pub struct ConstantPool<'a> {
    /// Index 0 and the index after a long or double hold [`Constant::Unusable`].
    constants: Vec<Constant<'a>>,
}

/// One constant; the numbers are indices into the same pool.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Constant<'a> {
    /// No constant: index 0, or the second index of a long or double.
    Unusable,
    /// Modified UTF-8 bytes.
    Utf8(Cow<'a, [u8]>),
    /// An `int`.
    Integer(i32),
    /// The bits of a `float`.
    Float(u32),
    /// A `long`; takes two indices.
    Long(i64),
    /// The bits of a `double`; takes two indices.
    Double(u64),
    /// A class, by the index of its name.
    Class(u16),
    /// A string, by the index of its text.
    String(u16),
    /// A field.
    FieldRef(MemberIndex),
    /// A method of a class.
    MethodRef(MemberIndex),
    /// A method of an interface.
    InterfaceMethodRef(MemberIndex),
    /// A name with a descriptor.
    NameAndType {
        /// The index of the name.
        name: u16,
        /// The index of the descriptor.
        descriptor: u16,
    },
    /// A method handle.
    MethodHandle {
        /// The reference kind, 1 to 9 (JVMS 5.4.3.5).
        kind: u8,
        /// The index of the member.
        reference: u16,
    },
    /// A method type, by the index of its descriptor.
    MethodType(u16),
    /// A dynamically computed constant.
    Dynamic(DynamicIndex),
    /// A dynamically computed call site.
    InvokeDynamic(DynamicIndex),
    /// A module, by the index of its name.
    Module(u16),
    /// A package, by the index of its name.
    Package(u16),
}

/// The two indices of a field or method reference.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct MemberIndex {
    /// The index of the class through which the member is named.
    pub class: u16,
    /// The index of its name and type.
    pub name_and_type: u16,
}

/// The two indices of a dynamically computed constant or call site.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct DynamicIndex {
    /// The position in the `BootstrapMethods` attribute: no constant index.
    pub bootstrap: u16,
    /// The index of its name and type.
    pub name_and_type: u16,
}

/// A field or method reference, resolved to names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Member<'p> {
    /// The class through which the member is named.
    pub owner: &'p [u8],
    /// The member's name.
    pub name: &'p [u8],
    /// The member's descriptor.
    pub descriptor: &'p [u8],
}

/// What a constant is called in error messages.
const POOL: &str = "the constant pool";

mod tag {
    pub(super) const UTF8: u8 = 1;
    pub(super) const INTEGER: u8 = 3;
    pub(super) const FLOAT: u8 = 4;
    pub(super) const LONG: u8 = 5;
    pub(super) const DOUBLE: u8 = 6;
    pub(super) const CLASS: u8 = 7;
    pub(super) const STRING: u8 = 8;
    pub(super) const FIELD_REF: u8 = 9;
    pub(super) const METHOD_REF: u8 = 10;
    pub(super) const INTERFACE_METHOD_REF: u8 = 11;
    pub(super) const NAME_AND_TYPE: u8 = 12;
    pub(super) const METHOD_HANDLE: u8 = 15;
    pub(super) const METHOD_TYPE: u8 = 16;
    pub(super) const DYNAMIC: u8 = 17;
    pub(super) const INVOKE_DYNAMIC: u8 = 18;
    pub(super) const MODULE: u8 = 19;
    pub(super) const PACKAGE: u8 = 20;
}

impl<'a> ConstantPool<'a> {
    pub(crate) fn parse(cursor: &mut Cursor<'a>) -> Result<Self> {
        let start = *cursor;
        let count = usize::from(cursor.u16(POOL)?);
        if count == 0 {
            return Err(Error::malformed(
                start.offset(),
                "the constant pool has no index 0",
            ));
        }
        // The smallest constant has three bytes: a count alone reserves no more than the input.
        let mut constants = Vec::with_capacity(count.min(cursor.remaining() / 3 + 2));
        constants.push(Constant::Unusable);
        while constants.len() < count {
            let offset = cursor.offset();
            let constant = Constant::parse(cursor)?;
            let is_wide = constant.is_wide();
            constants.push(constant);
            if is_wide {
                if constants.len() == count {
                    return Err(Error::malformed(
                        offset,
                        "the last constant takes two indices",
                    ));
                }
                constants.push(Constant::Unusable);
            }
        }
        let pool = Self { constants };
        pool.check(start)?;
        Ok(pool)
    }

    pub(crate) fn encode(&self, out: &mut Vec<u8>) -> Result<()> {
        let count = u16::try_from(self.constants.len())
            .map_err(|_| Error::too_large("the constant pool has more than 65534 entries"))?;
        out.put_u16(count);
        self.constants
            .iter()
            .try_for_each(|constant| constant.encode(out))
    }

    /// The number of indices, the unusable index 0 included.
    pub fn len(&self) -> usize {
        self.constants.len()
    }

    /// Whether there is no constant.
    pub fn is_empty(&self) -> bool {
        self.constants.len() <= 1
    }

    /// All constants with their indices, the unusable ones too.
    pub fn iter(&self) -> impl Iterator<Item = (u16, &Constant<'a>)> {
        (0..=u16::MAX).zip(&self.constants)
    }

    /// The constant at an index.
    #[inline]
    pub fn get(&self, index: u16) -> Result<&Constant<'a>> {
        match self.constants.get(usize::from(index)) {
            Some(constant) if *constant != Constant::Unusable => Ok(constant),
            _ => Err(Error::malformed(
                None,
                format!("there is no constant #{index}"),
            )),
        }
    }

    /// The bytes of a Utf8 constant.
    #[inline]
    pub fn utf8(&self, index: u16) -> Result<&[u8]> {
        match self.constants.get(usize::from(index)) {
            Some(Constant::Utf8(bytes)) => Ok(bytes),
            _ => Err(self.is_no(index, "Utf8")),
        }
    }

    /// The name that a Class constant holds, in internal form, or an array's descriptor.
    #[inline]
    pub fn class(&self, index: u16) -> Result<&[u8]> {
        match self.constants.get(usize::from(index)) {
            Some(Constant::Class(name)) => self.utf8(*name),
            _ => Err(self.is_no(index, "Class")),
        }
    }

    /// A name and a descriptor.
    #[inline]
    pub fn name_and_type(&self, index: u16) -> Result<(&[u8], &[u8])> {
        match self.constants.get(usize::from(index)) {
            Some(Constant::NameAndType { name, descriptor }) => {
                Ok((self.utf8(*name)?, self.utf8(*descriptor)?))
            }
            _ => Err(self.is_no(index, "NameAndType")),
        }
    }

    /// A field or method reference, resolved.
    #[inline]
    pub fn member(&self, index: u16) -> Result<Member<'_>> {
        use Constant::{FieldRef, InterfaceMethodRef, MethodRef};
        match self.constants.get(usize::from(index)) {
            Some(FieldRef(member) | MethodRef(member) | InterfaceMethodRef(member)) => {
                let (name, descriptor) = self.name_and_type(member.name_and_type)?;
                Ok(Member {
                    owner: self.class(member.class)?,
                    name,
                    descriptor,
                })
            }
            _ => Err(self.is_no(index, "field or method reference")),
        }
    }

    /// A Utf8 constant as an owned name.
    pub fn name(&self, index: u16) -> Result<ModifiedUtf8> {
        self.utf8(index).map(ModifiedUtf8::from)
    }

    /// A Class constant as an owned name.
    pub fn class_name(&self, index: u16) -> Result<ClassName> {
        self.class(index).map(ClassName::from)
    }

    /// Appends a constant; never looks for an equal one.
    pub fn push(&mut self, constant: Constant<'a>) -> Result<u16> {
        let width = if constant.is_wide() { 2 } else { 1 };
        if self.constants.len() + width > usize::from(u16::MAX) {
            return Err(Error::too_large("the constant pool is full"));
        }
        let index = self.constants.len() as u16;
        self.constants.push(constant);
        if width == 2 {
            self.constants.push(Constant::Unusable);
        }
        Ok(index)
    }

    /// Replaces a constant by one of the same width.
    pub fn set(&mut self, index: u16, constant: Constant<'a>) -> Result<()> {
        self.get(index)?;
        let place = &mut self.constants[usize::from(index)];
        if place.is_wide() != constant.is_wide() {
            let message = format!("constant #{index} takes another number of indices");
            return Err(Error::unsupported(None, message));
        }
        *place = constant;
        Ok(())
    }

    /// The constants as they lie, for a renumbering of all of them.
    pub(crate) fn slots_mut(&mut self) -> &mut [Constant<'a>] {
        &mut self.constants
    }

    /// The same constants, borrowing nothing.
    pub fn into_owned(self) -> ConstantPool<'static> {
        ConstantPool {
            constants: self
                .constants
                .into_iter()
                .map(Constant::into_owned)
                .collect(),
        }
    }

    /// Whether every constant refers to constants of the right kind, as JVMS 4.4 asks.
    fn check(&self, start: Cursor<'a>) -> Result<()> {
        for (index, constant) in self.iter() {
            if let Some(message) = self.flaw(constant) {
                let offset = offset_of(start, index);
                return Err(Error::malformed(
                    offset,
                    format!("constant #{index} {message}"),
                ));
            }
        }
        Ok(())
    }

    fn flaw(&self, constant: &Constant<'a>) -> Option<&'static str> {
        let is_utf8 = |index: u16| {
            matches!(
                self.constants.get(usize::from(index)),
                Some(Constant::Utf8(_))
            )
        };
        let is_name_and_type = |index: u16| {
            matches!(
                self.constants.get(usize::from(index)),
                Some(Constant::NameAndType { .. })
            )
        };
        match constant {
            Constant::Class(name)
            | Constant::String(name)
            | Constant::MethodType(name)
            | Constant::Module(name)
            | Constant::Package(name) => {
                (!is_utf8(*name)).then_some("names a constant that is no Utf8")
            }
            Constant::NameAndType { name, descriptor } => (!is_utf8(*name)
                || !is_utf8(*descriptor))
            .then_some("names a constant that is no Utf8"),
            Constant::FieldRef(member)
            | Constant::MethodRef(member)
            | Constant::InterfaceMethodRef(member) => (!is_name_and_type(member.name_and_type)
                || self.class(member.class).is_err())
            .then_some("does not name a class and a name with type"),
            Constant::Dynamic(dynamic) | Constant::InvokeDynamic(dynamic) => {
                (!is_name_and_type(dynamic.name_and_type))
                    .then_some("names a constant that is no NameAndType")
            }
            Constant::MethodHandle { kind, reference } => (!(1..=9).contains(kind)
                || self.member(*reference).is_err())
            .then_some("is no handle of a field or method"),
            _ => None,
        }
    }

    #[cold]
    fn is_no(&self, index: u16, wanted: &str) -> Error {
        match self.get(index) {
            Ok(_) => Error::malformed(None, format!("constant #{index} is no {wanted}")),
            Err(error) => error,
        }
    }
}

impl<'a> Constant<'a> {
    fn parse(cursor: &mut Cursor<'a>) -> Result<Self> {
        let offset = cursor.offset();
        Ok(match cursor.u8(POOL)? {
            tag::UTF8 => {
                let length = cursor.u16(POOL)?;
                Self::Utf8(Cow::Borrowed(cursor.take(usize::from(length), POOL)?))
            }
            tag::INTEGER => Self::Integer(cursor.u32(POOL)?.cast_signed()),
            tag::FLOAT => Self::Float(cursor.u32(POOL)?),
            tag::LONG => Self::Long(cursor.u64(POOL)?.cast_signed()),
            tag::DOUBLE => Self::Double(cursor.u64(POOL)?),
            tag::CLASS => Self::Class(cursor.u16(POOL)?),
            tag::STRING => Self::String(cursor.u16(POOL)?),
            tag::FIELD_REF => Self::FieldRef(MemberIndex::parse(cursor)?),
            tag::METHOD_REF => Self::MethodRef(MemberIndex::parse(cursor)?),
            tag::INTERFACE_METHOD_REF => Self::InterfaceMethodRef(MemberIndex::parse(cursor)?),
            tag::NAME_AND_TYPE => Self::NameAndType {
                name: cursor.u16(POOL)?,
                descriptor: cursor.u16(POOL)?,
            },
            tag::METHOD_HANDLE => Self::MethodHandle {
                kind: cursor.u8(POOL)?,
                reference: cursor.u16(POOL)?,
            },
            tag::METHOD_TYPE => Self::MethodType(cursor.u16(POOL)?),
            tag::DYNAMIC => Self::Dynamic(DynamicIndex::parse(cursor)?),
            tag::INVOKE_DYNAMIC => Self::InvokeDynamic(DynamicIndex::parse(cursor)?),
            tag::MODULE => Self::Module(cursor.u16(POOL)?),
            tag::PACKAGE => Self::Package(cursor.u16(POOL)?),
            // The length of an unknown constant is unknown too: nothing after it can be read.
            unknown => {
                let message = format!("a constant has the unknown tag {unknown}");
                return Err(Error::unsupported(offset, message));
            }
        })
    }

    fn encode(&self, out: &mut Vec<u8>) -> Result<()> {
        match self {
            Self::Unusable => {}
            Self::Utf8(bytes) => {
                let length = u16::try_from(bytes.len())
                    .map_err(|_| Error::too_large("a Utf8 constant has more than 65535 bytes"))?;
                out.put_u8(tag::UTF8);
                out.put_u16(length);
                out.extend_from_slice(bytes);
            }
            Self::Integer(value) => put_tagged_u32(out, tag::INTEGER, value.cast_unsigned()),
            Self::Float(bits) => put_tagged_u32(out, tag::FLOAT, *bits),
            Self::Long(value) => put_tagged_u64(out, tag::LONG, value.cast_unsigned()),
            Self::Double(bits) => put_tagged_u64(out, tag::DOUBLE, *bits),
            Self::Class(name) => put_tagged_u16(out, tag::CLASS, *name),
            Self::String(text) => put_tagged_u16(out, tag::STRING, *text),
            Self::FieldRef(member) => member.encode(out, tag::FIELD_REF),
            Self::MethodRef(member) => member.encode(out, tag::METHOD_REF),
            Self::InterfaceMethodRef(member) => member.encode(out, tag::INTERFACE_METHOD_REF),
            Self::NameAndType { name, descriptor } => {
                put_tagged_u16(out, tag::NAME_AND_TYPE, *name);
                out.put_u16(*descriptor);
            }
            Self::MethodHandle { kind, reference } => {
                out.put_u8(tag::METHOD_HANDLE);
                out.put_u8(*kind);
                out.put_u16(*reference);
            }
            Self::MethodType(descriptor) => put_tagged_u16(out, tag::METHOD_TYPE, *descriptor),
            Self::Dynamic(dynamic) => dynamic.encode(out, tag::DYNAMIC),
            Self::InvokeDynamic(dynamic) => dynamic.encode(out, tag::INVOKE_DYNAMIC),
            Self::Module(name) => put_tagged_u16(out, tag::MODULE, *name),
            Self::Package(name) => put_tagged_u16(out, tag::PACKAGE, *name),
        }
        Ok(())
    }

    /// Whether the constant takes two indices.
    pub fn is_wide(&self) -> bool {
        matches!(self, Self::Long(_) | Self::Double(_))
    }

    /// The same constant, borrowing nothing.
    pub fn into_owned(self) -> Constant<'static> {
        match self {
            Self::Utf8(bytes) => Constant::Utf8(Cow::Owned(bytes.into_owned())),
            Self::Unusable => Constant::Unusable,
            Self::Integer(value) => Constant::Integer(value),
            Self::Float(bits) => Constant::Float(bits),
            Self::Long(value) => Constant::Long(value),
            Self::Double(bits) => Constant::Double(bits),
            Self::Class(name) => Constant::Class(name),
            Self::String(text) => Constant::String(text),
            Self::FieldRef(member) => Constant::FieldRef(member),
            Self::MethodRef(member) => Constant::MethodRef(member),
            Self::InterfaceMethodRef(member) => Constant::InterfaceMethodRef(member),
            Self::NameAndType { name, descriptor } => Constant::NameAndType { name, descriptor },
            Self::MethodHandle { kind, reference } => Constant::MethodHandle { kind, reference },
            Self::MethodType(descriptor) => Constant::MethodType(descriptor),
            Self::Dynamic(dynamic) => Constant::Dynamic(dynamic),
            Self::InvokeDynamic(dynamic) => Constant::InvokeDynamic(dynamic),
            Self::Module(name) => Constant::Module(name),
            Self::Package(name) => Constant::Package(name),
        }
    }
}

impl crate::remap::VisitConstants for Constant<'_> {
    fn visit_constants(&mut self, visit: &mut dyn FnMut(&mut u16)) {
        match self {
            Self::Class(index)
            | Self::String(index)
            | Self::MethodType(index)
            | Self::Module(index)
            | Self::Package(index)
            | Self::MethodHandle {
                reference: index, ..
            } => visit(index),
            Self::FieldRef(member) | Self::MethodRef(member) | Self::InterfaceMethodRef(member) => {
                visit(&mut member.class);
                visit(&mut member.name_and_type);
            }
            Self::NameAndType { name, descriptor } => {
                visit(name);
                visit(descriptor);
            }
            Self::Dynamic(dynamic) | Self::InvokeDynamic(dynamic) => {
                visit(&mut dynamic.name_and_type);
            }
            Self::Unusable
            | Self::Utf8(_)
            | Self::Integer(_)
            | Self::Float(_)
            | Self::Long(_)
            | Self::Double(_) => {}
        }
    }
}

impl MemberIndex {
    fn parse(cursor: &mut Cursor<'_>) -> Result<Self> {
        Ok(Self {
            class: cursor.u16(POOL)?,
            name_and_type: cursor.u16(POOL)?,
        })
    }

    fn encode(self, out: &mut Vec<u8>, tag: u8) {
        put_tagged_u16(out, tag, self.class);
        out.put_u16(self.name_and_type);
    }
}

impl DynamicIndex {
    fn parse(cursor: &mut Cursor<'_>) -> Result<Self> {
        Ok(Self {
            bootstrap: cursor.u16(POOL)?,
            name_and_type: cursor.u16(POOL)?,
        })
    }

    fn encode(self, out: &mut Vec<u8>, tag: u8) {
        put_tagged_u16(out, tag, self.bootstrap);
        out.put_u16(self.name_and_type);
    }
}

fn put_tagged_u16(out: &mut Vec<u8>, tag: u8, value: u16) {
    out.put_u8(tag);
    out.put_u16(value);
}

fn put_tagged_u32(out: &mut Vec<u8>, tag: u8, value: u32) {
    out.put_u8(tag);
    out.put_u32(value);
}

fn put_tagged_u64(out: &mut Vec<u8>, tag: u8, value: u64) {
    out.put_u8(tag);
    out.put_u64(value);
}

/// Where a constant begins in the file: found by reading again, since only errors ask.
#[cold]
fn offset_of(mut cursor: Cursor<'_>, wanted: u16) -> Option<usize> {
    cursor.u16(POOL).ok()?;
    let mut index = 1;
    while index < u32::from(wanted) {
        index += if Constant::parse(&mut cursor).ok()?.is_wide() {
            2
        } else {
            1
        };
    }
    Some(cursor.offset())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(bytes: &[u8], expected: &str) {
        let error = ConstantPool::parse(&mut Cursor::new(bytes)).unwrap_err();
        assert_eq!(error.to_string(), expected);
    }

    #[test]
    fn an_unknown_tag_is_refused_by_name() {
        check(
            &[0, 2, 99, 0],
            "a constant has the unknown tag 99 (at byte 2)",
        );
    }

    #[test]
    fn a_class_must_name_a_utf8() {
        check(
            &[0, 3, 3, 0, 0, 0, 0, 7, 0, 1],
            "constant #2 names a constant that is no Utf8 (at byte 7)",
        );
    }

    #[test]
    fn a_long_at_the_last_index_has_no_second_half() {
        check(
            &[0, 2, 5, 0, 0, 0, 0, 0, 0, 0, 1],
            "the last constant takes two indices (at byte 2)",
        );
    }

    #[test]
    fn a_count_of_zero_lacks_index_zero() {
        check(&[0, 0], "the constant pool has no index 0 (at byte 0)");
    }

    #[test]
    fn a_full_pool_refuses_another_constant() {
        let mut pool = ConstantPool {
            constants: vec![Constant::Unusable; 65535],
        };
        assert!(pool.push(Constant::Integer(1)).is_err());
        pool.constants.truncate(65534);
        assert!(pool.push(Constant::Long(1)).is_err());
        assert_eq!(pool.push(Constant::Integer(1)).unwrap(), 65534);
    }
}
