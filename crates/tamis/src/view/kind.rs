//! What sort of type a class file declares.

use serde::Serialize;
use tamis_classfile::attribute::AttributeContent;
use tamis_classfile::{AccessFlags, ClassFile};

/// The sorts of types that Java has words for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum ClassKind {
    Class,
    Interface,
    Enum,
    Record,
    Annotation,
    Module,
}

const ANNOTATION: AccessFlags = AccessFlags(0x2000);
const ENUM: AccessFlags = AccessFlags(0x4000);
const MODULE: AccessFlags = AccessFlags(0x8000);

impl ClassKind {
    pub(super) fn of(class: &ClassFile<'_>) -> Self {
        let flags = class.access_flags;
        if flags.contains(MODULE) {
            Self::Module
        } else if flags.contains(ANNOTATION) {
            Self::Annotation
        } else if flags.contains(AccessFlags::INTERFACE) {
            Self::Interface
        } else if flags.contains(ENUM) {
            Self::Enum
        } else if is_record(class) {
            Self::Record
        } else {
            Self::Class
        }
    }

    /// The word for it.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Class => "class",
            Self::Interface => "interface",
            Self::Enum => "enum",
            Self::Record => "record",
            Self::Annotation => "annotation",
            Self::Module => "module",
        }
    }

    /// Whether its supertypes are all interfaces.
    pub(crate) fn is_interface(self) -> bool {
        matches!(self, Self::Interface | Self::Annotation)
    }
}

fn is_record(class: &ClassFile<'_>) -> bool {
    let mut contents = class.attributes.iter().map(|attribute| &attribute.content);
    contents.any(|content| matches!(content, AttributeContent::Record(_)))
}
