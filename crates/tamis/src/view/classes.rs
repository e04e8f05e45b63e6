//! The classes of some places, as `tamis class` shows them.

use serde::Serialize;
use tamis_build::{ClassEntry, ReadError};
use tamis_classfile::{ClassFile, Error};
use tamis_select::{ClassState, Parts};

use super::java_release::java_release;
use super::kind::ClassKind;
use super::members::{FieldView, MethodView, fields, methods};
use super::{DebugInfoView, ViewOptions, modifiers};
use crate::escape;

/// The document that `tamis class --format json` prints.
#[derive(Debug, Serialize)]
pub(crate) struct ClassReport {
    format: &'static str,
    debug_info: DebugInfoView,
    pub(crate) sources: Vec<SourceView>,
}

/// A file, archive or directory that was named.
#[derive(Debug, Serialize)]
pub(crate) struct SourceView {
    pub(crate) source: String,
    /// What was read, sorted by path.
    pub(crate) classes: Vec<ClassView>,
    /// What could not be read.
    pub(crate) unreadable: Vec<UnreadableView>,
}

/// A class file.
#[derive(Debug, Serialize)]
pub(crate) struct ClassView {
    pub(crate) location: String,
    pub(crate) path: String,
    pub(crate) n_bytes: usize,
    pub(crate) plain: String,
    #[serde(flatten)]
    pub(crate) content: Content,
}

/// What became of the bytes.
#[derive(Debug, Serialize)]
#[serde(tag = "status", rename_all = "snake_case")]
pub(crate) enum Content {
    Understood(Box<Understood>),
    /// The class counts as a whole.
    NotUnderstood {
        reason: String,
    },
}

/// A class that is understood.
#[derive(Debug, Serialize)]
pub(crate) struct Understood {
    pub(crate) name: String,
    pub(crate) version: VersionView,
    pub(crate) kind: ClassKind,
    pub(crate) modifiers: Vec<&'static str>,
    pub(crate) superclass: Option<String>,
    pub(crate) interfaces: Vec<String>,
    pub(crate) smart: String,
    pub(crate) head: String,
    pub(crate) signatures: String,
    pub(crate) members: String,
    pub(crate) fields: Vec<FieldView>,
    pub(crate) methods: Vec<MethodView>,
}

/// A class-file version.
#[derive(Debug, Serialize)]
pub(crate) struct VersionView {
    pub(crate) major: u16,
    pub(crate) minor: u16,
    /// The Java release, as it was called.
    pub(crate) java: String,
    /// Whether the class uses preview features of that release.
    pub(crate) is_preview: bool,
    /// Whether Tamis knows all that a class of this version may hold.
    pub(crate) is_known: bool,
}

/// A place that could not be read.
#[derive(Debug, Serialize)]
pub(crate) struct UnreadableView {
    pub(crate) location: String,
    pub(crate) reason: String,
}

impl ClassReport {
    pub(crate) fn new(options: &ViewOptions, sources: Vec<SourceView>) -> Self {
        Self {
            format: "tamis.class/1",
            debug_info: options.debug_info.into(),
            sources,
        }
    }

    /// All classes of all sources.
    pub(crate) fn classes(&self) -> impl Iterator<Item = &ClassView> {
        self.sources.iter().flat_map(|source| &source.classes)
    }
}

impl ClassView {
    /// Takes a class apart and looks at the pieces.
    pub(crate) fn of(entry: ClassEntry, options: &ViewOptions) -> Self {
        let state = ClassState::of(&entry.bytes, options.debug_info);
        let understood = match &state.parts {
            Ok(parts) => Understood::of(parts, options).map_err(|error| error.to_string()),
            Err(opaque) => Err(opaque.reason.clone()),
        };
        let content = match understood {
            Ok(understood) => Content::Understood(Box::new(understood)),
            Err(reason) => Content::NotUnderstood { reason },
        };
        Self {
            n_bytes: entry.bytes.len(),
            plain: state.plain.to_string(),
            content,
            location: entry.location,
            path: entry.path,
        }
    }

    /// The class, if it is understood.
    pub(crate) fn understood(&self) -> Option<&Understood> {
        match &self.content {
            Content::Understood(class) => Some(class),
            Content::NotUnderstood { .. } => None,
        }
    }
}

impl Understood {
    fn of(parts: &Parts<'_>, options: &ViewOptions) -> Result<Self, Error> {
        let Parts { class, checksums } = parts;
        let kind = ClassKind::of(class);
        Ok(Self {
            name: escape::name(class.name()?),
            version: VersionView::of(class),
            kind,
            modifiers: modifiers::of_class(class.access_flags, kind),
            superclass: class.super_name()?.map(escape::name),
            interfaces: interfaces(class)?,
            smart: checksums.smart.to_string(),
            head: checksums.head.to_string(),
            signatures: checksums.signatures.to_string(),
            members: checksums.members.to_string(),
            fields: fields(checksums),
            methods: methods(parts, options)?,
        })
    }
}

fn interfaces(class: &ClassFile<'_>) -> Result<Vec<String>, Error> {
    let names = class.interfaces.iter();
    names
        .map(|index| Ok(escape::name(class.constant_pool.class(*index)?)))
        .collect()
}

impl VersionView {
    /// The minor version of classes that use preview features (JVMS 4.1).
    const PREVIEW: u16 = u16::MAX;

    fn of(class: &ClassFile<'_>) -> Self {
        let (major, minor) = (class.major_version, class.minor_version);
        Self {
            major,
            minor,
            java: java_release(major, minor),
            is_preview: minor == Self::PREVIEW,
            is_known: !class.is_newer_than_known(),
        }
    }
}

impl From<&ReadError> for UnreadableView {
    fn from(error: &ReadError) -> Self {
        Self {
            location: error.location.clone(),
            reason: reason(&error.kind),
        }
    }
}

/// An error and its causes on one line.
fn reason(error: &dyn std::error::Error) -> String {
    match error.source() {
        None => error.to_string(),
        Some(cause) => format!("{error}: {}", reason(cause)),
    }
}
