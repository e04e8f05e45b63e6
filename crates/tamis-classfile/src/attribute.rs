//! Attributes (JVMS 4.7): which ones exist, where they count, and reading and writing them.
//!
//! An attribute counts only where the specification defines it: a `Code` attribute of a field is
//! as unknown as one that nobody has heard of. Unknown attributes are carried as bytes.

mod annotation;
mod bootstrap;
mod code;
mod debug;
mod module;
mod name;
mod record;
mod stack_map;
mod tables;
mod type_annotation;

use std::borrow::Cow;

pub use annotation::{Annotation, Element, ElementValue};
pub use bootstrap::BootstrapMethod;
pub use code::{Code, ExceptionHandler};
pub use debug::{LineNumber, LocalVariable};
pub use module::{Exports, Module, ModuleHash, ModuleHashes, Provides, Requires};
pub use record::RecordComponent;
pub use stack_map::{FrameKind, StackMapFrame, VerificationType};
pub use tables::{ConstantIndex, EnclosingMethod, InnerClass, MethodParameter};
pub use type_annotation::{LocalRange, Target, TypeAnnotation, TypePathStep};

pub(crate) use annotation::{MAX_DEPTH as MAX_ANNOTATION_DEPTH, skip_annotation};
pub(crate) use name::AttributeName;
pub(crate) use stack_map::tag as frame_tag;

use crate::constant_pool::ConstantPool;
use crate::cursor::{Cursor, PutBytes, put_count};
use crate::error::{Error, Result};
use crate::remap::VisitConstants;
use crate::table::Table;

/// An attribute with its name.
#[derive(Clone, Debug, PartialEq)]
pub struct Attribute<'a> {
    /// The index of the name.
    pub name: u16,
    /// What it says.
    pub content: AttributeContent<'a>,
}

/// What an attribute says, by its name in the specification.
#[derive(Clone, Debug, PartialEq)]
#[allow(
    missing_docs,
    reason = "each variant is the attribute of that name in JVMS 4.7"
)]
pub enum AttributeContent<'a> {
    AnnotationDefault(ElementValue),
    BootstrapMethods(Vec<BootstrapMethod<'a>>),
    Code(Box<Code<'a>>),
    ConstantValue(u16),
    Deprecated,
    EnclosingMethod(EnclosingMethod),
    Exceptions(Table<'a, ConstantIndex>),
    InnerClasses(Table<'a, InnerClass>),
    LineNumberTable(Table<'a, LineNumber>),
    LocalVariableTable(Table<'a, LocalVariable>),
    LocalVariableTypeTable(Table<'a, LocalVariable>),
    MethodParameters(Table<'a, MethodParameter>),
    Module(Box<Module<'a>>),
    ModuleHashes(ModuleHashes<'a>),
    ModuleMainClass(u16),
    ModulePackages(Table<'a, ConstantIndex>),
    ModuleResolution(u16),
    ModuleTarget(u16),
    NestHost(u16),
    NestMembers(Table<'a, ConstantIndex>),
    PermittedSubclasses(Table<'a, ConstantIndex>),
    Record(Vec<RecordComponent<'a>>),
    RuntimeInvisibleAnnotations(Vec<Annotation>),
    RuntimeInvisibleParameterAnnotations(Vec<Vec<Annotation>>),
    RuntimeInvisibleTypeAnnotations(Vec<TypeAnnotation>),
    RuntimeVisibleAnnotations(Vec<Annotation>),
    RuntimeVisibleParameterAnnotations(Vec<Vec<Annotation>>),
    RuntimeVisibleTypeAnnotations(Vec<TypeAnnotation>),
    Signature(u16),
    SourceDebugExtension(Cow<'a, [u8]>),
    SourceFile(u16),
    StackMapTable(Vec<StackMapFrame>),
    Synthetic,
    /// An attribute that is not defined for its place, or not known at all.
    Unknown(Cow<'a, [u8]>),
}

/// The places that have attributes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    Class,
    Field,
    Method,
    Code,
    RecordComponent,
}

const ATTRIBUTE: &str = "an attribute";

/// A 16-bit count and then that many attributes.
pub(crate) fn parse_attributes<'a>(
    cursor: &mut Cursor<'a>,
    pool: &ConstantPool<'a>,
    place: Place,
) -> Result<Vec<Attribute<'a>>> {
    let count = usize::from(cursor.u16(ATTRIBUTE)?);
    // An attribute has six bytes at least: a count alone reserves no more than the input.
    let mut attributes = Vec::with_capacity(count.min(cursor.remaining() / 6));
    for _ in 0..count {
        attributes.push(Attribute::parse(cursor, pool, place)?);
    }
    Ok(attributes)
}

pub(crate) fn encode_attributes(attributes: &[Attribute<'_>], out: &mut Vec<u8>) -> Result<()> {
    put_count(out, attributes.len(), "attributes")?;
    attributes
        .iter()
        .try_for_each(|attribute| attribute.encode(out))
}

pub(crate) fn own_attributes(attributes: Vec<Attribute<'_>>) -> Vec<Attribute<'static>> {
    attributes.into_iter().map(Attribute::into_owned).collect()
}

impl<'a> Attribute<'a> {
    fn parse(cursor: &mut Cursor<'a>, pool: &ConstantPool<'a>, place: Place) -> Result<Self> {
        let offset = cursor.offset();
        let name = cursor.u16(ATTRIBUTE)?;
        let Ok(text) = pool.utf8(name) else {
            let message = format!("an attribute's name is constant #{name}, which is no Utf8");
            return Err(Error::malformed(offset, message));
        };
        let length = cursor.u32(ATTRIBUTE)? as usize;
        let mut inside = cursor.split(length, ATTRIBUTE)?;
        let content = match AttributeName::of(text).filter(|name| name.is_defined_at(place)) {
            Some(name) => AttributeContent::parse(name, &mut inside, pool)?,
            None => AttributeContent::Unknown(Cow::Borrowed(inside.rest())),
        };
        inside.finish(ATTRIBUTE)?;
        Ok(Self { name, content })
    }

    fn encode(&self, out: &mut Vec<u8>) -> Result<()> {
        out.put_u16(self.name);
        let length_at = out.len();
        out.put_u32(0);
        self.content.encode(out)?;
        let length = u32::try_from(out.len() - length_at - 4)
            .map_err(|_| Error::too_large("an attribute has more than 4294967295 bytes"))?;
        out[length_at..length_at + 4].copy_from_slice(&length.to_be_bytes());
        Ok(())
    }

    /// The same attribute, borrowing nothing.
    pub fn into_owned(self) -> Attribute<'static> {
        Attribute {
            name: self.name,
            content: self.content.into_owned(),
        }
    }
}

impl<'a> AttributeContent<'a> {
    fn parse(name: AttributeName, c: &mut Cursor<'a>, pool: &ConstantPool<'a>) -> Result<Self> {
        use AttributeName as Name;
        Ok(match name {
            Name::AnnotationDefault => Self::AnnotationDefault(ElementValue::parse(c)?),
            Name::BootstrapMethods => Self::BootstrapMethods(bootstrap::parse_list(c)?),
            Name::Code => Self::Code(Box::new(Code::parse(c, pool)?)),
            Name::ConstantValue => Self::ConstantValue(c.u16("ConstantValue")?),
            Name::Deprecated => Self::Deprecated,
            Name::EnclosingMethod => Self::EnclosingMethod(EnclosingMethod::parse(c)?),
            Name::Exceptions => Self::Exceptions(Table::parse_counted(c, "Exceptions")?),
            Name::InnerClasses => Self::InnerClasses(Table::parse_counted(c, "InnerClasses")?),
            Name::LineNumberTable => {
                Self::LineNumberTable(Table::parse_counted(c, "LineNumberTable")?)
            }
            Name::LocalVariableTable => {
                Self::LocalVariableTable(Table::parse_counted(c, "LocalVariableTable")?)
            }
            Name::LocalVariableTypeTable => {
                Self::LocalVariableTypeTable(Table::parse_counted(c, "LocalVariableTypeTable")?)
            }
            Name::MethodParameters => Self::MethodParameters(tables::parse_method_parameters(c)?),
            Name::Module => Self::Module(Box::new(Module::parse(c)?)),
            Name::ModuleHashes => Self::ModuleHashes(ModuleHashes::parse(c)?),
            Name::ModuleMainClass => Self::ModuleMainClass(c.u16("ModuleMainClass")?),
            Name::ModulePackages => {
                Self::ModulePackages(Table::parse_counted(c, "ModulePackages")?)
            }
            Name::ModuleResolution => Self::ModuleResolution(c.u16("ModuleResolution")?),
            Name::ModuleTarget => Self::ModuleTarget(c.u16("ModuleTarget")?),
            Name::NestHost => Self::NestHost(c.u16("NestHost")?),
            Name::NestMembers => Self::NestMembers(Table::parse_counted(c, "NestMembers")?),
            Name::PermittedSubclasses => {
                Self::PermittedSubclasses(Table::parse_counted(c, "PermittedSubclasses")?)
            }
            Name::Record => Self::Record(record::parse_components(c, pool)?),
            Name::RuntimeInvisibleAnnotations => {
                Self::RuntimeInvisibleAnnotations(annotation::parse_list(c)?)
            }
            Name::RuntimeInvisibleParameterAnnotations => {
                Self::RuntimeInvisibleParameterAnnotations(annotation::parse_parameters(c)?)
            }
            Name::RuntimeInvisibleTypeAnnotations => {
                Self::RuntimeInvisibleTypeAnnotations(type_annotation::parse_list(c)?)
            }
            Name::RuntimeVisibleAnnotations => {
                Self::RuntimeVisibleAnnotations(annotation::parse_list(c)?)
            }
            Name::RuntimeVisibleParameterAnnotations => {
                Self::RuntimeVisibleParameterAnnotations(annotation::parse_parameters(c)?)
            }
            Name::RuntimeVisibleTypeAnnotations => {
                Self::RuntimeVisibleTypeAnnotations(type_annotation::parse_list(c)?)
            }
            Name::Signature => Self::Signature(c.u16("Signature")?),
            Name::SourceDebugExtension => Self::SourceDebugExtension(Cow::Borrowed(c.rest())),
            Name::SourceFile => Self::SourceFile(c.u16("SourceFile")?),
            Name::StackMapTable => Self::StackMapTable(stack_map::parse_frames(c)?),
            Name::Synthetic => Self::Synthetic,
        })
    }

    fn encode(&self, out: &mut Vec<u8>) -> Result<()> {
        match self {
            Self::AnnotationDefault(value) => value.encode(out),
            Self::BootstrapMethods(methods) => bootstrap::encode_list(methods, out),
            Self::Code(code) => code.encode(out),
            Self::EnclosingMethod(enclosing) => {
                enclosing.encode(out);
                Ok(())
            }
            Self::Exceptions(table) => table.encode_counted(out, "exceptions"),
            Self::InnerClasses(table) => table.encode_counted(out, "inner classes"),
            Self::LineNumberTable(table) => table.encode_counted(out, "line numbers"),
            Self::LocalVariableTable(table) | Self::LocalVariableTypeTable(table) => {
                table.encode_counted(out, "local variables")
            }
            Self::MethodParameters(table) => tables::encode_method_parameters(table, out),
            Self::Module(module) => module.encode(out),
            Self::ModuleHashes(hashes) => hashes.encode(out),
            Self::ModulePackages(table)
            | Self::NestMembers(table)
            | Self::PermittedSubclasses(table) => table.encode_counted(out, "classes"),
            Self::Record(components) => record::encode_components(components, out),
            Self::RuntimeInvisibleAnnotations(list) | Self::RuntimeVisibleAnnotations(list) => {
                annotation::encode_list(list, out)
            }
            Self::RuntimeInvisibleParameterAnnotations(lists)
            | Self::RuntimeVisibleParameterAnnotations(lists) => {
                annotation::encode_parameters(lists, out)
            }
            Self::RuntimeInvisibleTypeAnnotations(list)
            | Self::RuntimeVisibleTypeAnnotations(list) => type_annotation::encode_list(list, out),
            Self::StackMapTable(frames) => stack_map::encode_frames(frames, out),
            Self::ConstantValue(number)
            | Self::ModuleMainClass(number)
            | Self::ModuleResolution(number)
            | Self::ModuleTarget(number)
            | Self::NestHost(number)
            | Self::Signature(number)
            | Self::SourceFile(number) => {
                out.put_u16(*number);
                Ok(())
            }
            Self::SourceDebugExtension(bytes) | Self::Unknown(bytes) => {
                out.extend_from_slice(bytes);
                Ok(())
            }
            Self::Deprecated | Self::Synthetic => Ok(()),
        }
    }

    /// The same content, borrowing nothing.
    pub fn into_owned(self) -> AttributeContent<'static> {
        use AttributeContent as Owned;
        match self {
            Self::AnnotationDefault(value) => Owned::AnnotationDefault(value),
            Self::BootstrapMethods(methods) => Owned::BootstrapMethods(
                methods
                    .into_iter()
                    .map(BootstrapMethod::into_owned)
                    .collect(),
            ),
            Self::Code(code) => Owned::Code(Box::new(code.into_owned())),
            Self::ConstantValue(index) => Owned::ConstantValue(index),
            Self::Deprecated => Owned::Deprecated,
            Self::EnclosingMethod(enclosing) => Owned::EnclosingMethod(enclosing),
            Self::Exceptions(table) => Owned::Exceptions(table.into_owned()),
            Self::InnerClasses(table) => Owned::InnerClasses(table.into_owned()),
            Self::LineNumberTable(table) => Owned::LineNumberTable(table.into_owned()),
            Self::LocalVariableTable(table) => Owned::LocalVariableTable(table.into_owned()),
            Self::LocalVariableTypeTable(table) => {
                Owned::LocalVariableTypeTable(table.into_owned())
            }
            Self::MethodParameters(table) => Owned::MethodParameters(table.into_owned()),
            Self::Module(module) => Owned::Module(Box::new(module.into_owned())),
            Self::ModuleHashes(hashes) => Owned::ModuleHashes(hashes.into_owned()),
            Self::ModuleMainClass(index) => Owned::ModuleMainClass(index),
            Self::ModulePackages(table) => Owned::ModulePackages(table.into_owned()),
            Self::ModuleResolution(flags) => Owned::ModuleResolution(flags),
            Self::ModuleTarget(index) => Owned::ModuleTarget(index),
            Self::NestHost(index) => Owned::NestHost(index),
            Self::NestMembers(table) => Owned::NestMembers(table.into_owned()),
            Self::PermittedSubclasses(table) => Owned::PermittedSubclasses(table.into_owned()),
            Self::Record(components) => Owned::Record(
                components
                    .into_iter()
                    .map(RecordComponent::into_owned)
                    .collect(),
            ),
            Self::RuntimeInvisibleAnnotations(list) => Owned::RuntimeInvisibleAnnotations(list),
            Self::RuntimeInvisibleParameterAnnotations(lists) => {
                Owned::RuntimeInvisibleParameterAnnotations(lists)
            }
            Self::RuntimeInvisibleTypeAnnotations(list) => {
                Owned::RuntimeInvisibleTypeAnnotations(list)
            }
            Self::RuntimeVisibleAnnotations(list) => Owned::RuntimeVisibleAnnotations(list),
            Self::RuntimeVisibleParameterAnnotations(lists) => {
                Owned::RuntimeVisibleParameterAnnotations(lists)
            }
            Self::RuntimeVisibleTypeAnnotations(list) => Owned::RuntimeVisibleTypeAnnotations(list),
            Self::Signature(index) => Owned::Signature(index),
            Self::SourceDebugExtension(bytes) => {
                Owned::SourceDebugExtension(Cow::Owned(bytes.into_owned()))
            }
            Self::SourceFile(index) => Owned::SourceFile(index),
            Self::StackMapTable(frames) => Owned::StackMapTable(frames),
            Self::Synthetic => Owned::Synthetic,
            Self::Unknown(bytes) => Owned::Unknown(Cow::Owned(bytes.into_owned())),
        }
    }
}

impl VisitConstants for Attribute<'_> {
    fn visit_constants(&mut self, visit: &mut dyn FnMut(&mut u16)) {
        visit(&mut self.name);
        self.content.visit_constants(visit);
    }
}

impl VisitConstants for AttributeContent<'_> {
    /// Visits everything but instructions (their operands may be one byte: see `remap`) and
    /// unknown attributes (their layout is unknown).
    fn visit_constants(&mut self, visit: &mut dyn FnMut(&mut u16)) {
        match self {
            Self::AnnotationDefault(value) => value.visit_constants(visit),
            Self::BootstrapMethods(methods) => methods.visit_constants(visit),
            Self::Code(code) => code.visit_constants(visit),
            Self::EnclosingMethod(enclosing) => enclosing.visit_constants(visit),
            Self::InnerClasses(table) => table.visit_constants(visit),
            Self::LocalVariableTable(table) | Self::LocalVariableTypeTable(table) => {
                table.visit_constants(visit);
            }
            Self::MethodParameters(table) => table.visit_constants(visit),
            Self::Module(module) => module.visit_constants(visit),
            Self::ModuleHashes(hashes) => hashes.visit_constants(visit),
            Self::Exceptions(table)
            | Self::ModulePackages(table)
            | Self::NestMembers(table)
            | Self::PermittedSubclasses(table) => table.visit_constants(visit),
            Self::Record(components) => components.visit_constants(visit),
            Self::RuntimeInvisibleAnnotations(list) | Self::RuntimeVisibleAnnotations(list) => {
                list.visit_constants(visit);
            }
            Self::RuntimeInvisibleParameterAnnotations(lists)
            | Self::RuntimeVisibleParameterAnnotations(lists) => lists.visit_constants(visit),
            Self::RuntimeInvisibleTypeAnnotations(list)
            | Self::RuntimeVisibleTypeAnnotations(list) => list.visit_constants(visit),
            Self::StackMapTable(frames) => frames.visit_constants(visit),
            Self::ConstantValue(index)
            | Self::ModuleMainClass(index)
            | Self::ModuleTarget(index)
            | Self::NestHost(index)
            | Self::Signature(index)
            | Self::SourceFile(index) => visit(index),
            Self::ModuleResolution(_)
            | Self::Deprecated
            | Self::LineNumberTable(_)
            | Self::SourceDebugExtension(_)
            | Self::Synthetic
            | Self::Unknown(_) => {}
        }
    }
}
