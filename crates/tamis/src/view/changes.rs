//! What changed between two places, as `tamis class diff` shows it.

use std::collections::BTreeMap;

use serde::Serialize;
use tamis_build::ReadError;
use tamis_classfile::checksum::DebugInfo;
use tamis_facts::{ChangeKind, ClassName, ModifiedUtf8};
use tamis_select::{By, Change, ChangedBlocks, ChangedLookUp, Member, Subject};

use super::fact::{LookUpView, class_text};
use super::{DebugInfoView, UnreadableView};
use crate::escape;

/// The document that `tamis class diff --format json` prints.
#[derive(Debug, Serialize)]
pub(crate) struct DiffReport {
    format: &'static str,
    debug_info: DebugInfoView,
    pub(crate) old: String,
    pub(crate) new: String,
    /// Sorted by path.
    pub(crate) changed: Vec<ChangedClassView>,
    /// What cannot be decided, because one side is not known. Sorted by path.
    pub(crate) not_compared: Vec<NotComparedView>,
    /// What finds something else than before: calls on objects, and code that names statics and fields. Sorted by member and
    /// class.
    pub(crate) look_ups: Vec<ChangedLookUpView>,
    /// Classes whose look-ups cannot be told, sorted.
    pub(crate) look_ups_unknown: Vec<UnknownLookUpsView>,
    /// What could not be read on either side.
    unreadable: Vec<UnreadableView>,
    pub(crate) summary: DiffSummary,
}

/// The numbers.
#[derive(Debug, Default, Serialize)]
pub(crate) struct DiffSummary {
    /// The classes of both places together.
    pub(crate) n_classes: usize,
    pub(crate) n_changed: usize,
    pub(crate) n_not_compared: usize,
    /// Classes, and places that may hold some.
    pub(crate) n_unreadable: usize,
    pub(crate) n_look_ups: usize,
    /// How often each kind of change occurs, in the order of the specification.
    #[serde(serialize_with = "by_code")]
    pub(crate) kinds: BTreeMap<ChangeKind, usize>,
}

/// A class with changes.
#[derive(Debug, Serialize)]
pub(crate) struct ChangedClassView {
    pub(crate) path: String,
    /// Not there when neither side is understood.
    pub(crate) name: Option<String>,
    /// Why the class counts as a whole, if it does for want of understanding.
    #[serde(skip_serializing_if = "NotUnderstoodView::is_empty")]
    pub(crate) not_understood: NotUnderstoodView,
    pub(crate) changes: Vec<ChangeView>,
}

/// Why a side is not understood; nothing for a side that is.
#[derive(Debug, Serialize)]
pub(crate) struct NotUnderstoodView {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) old: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) new: Option<String>,
}

/// A look-up that finds something else.
#[derive(Debug, Serialize)]
pub(crate) struct ChangedLookUpView {
    /// The class by which it is looked for.
    pub(crate) class: String,
    pub(crate) by: LookUpByView,
    #[serde(flatten)]
    pub(crate) subject: SubjectView,
    #[serde(flatten)]
    pub(crate) look_up: LookUpView,
}

/// By what a member is looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum LookUpByView {
    /// The class of an object.
    Receiver,
    /// The class that code names.
    Name,
}

/// A class of which nobody knows what look-ups find.
#[derive(Debug, Serialize)]
pub(crate) struct UnknownLookUpsView {
    pub(crate) class: String,
    pub(crate) reason: String,
}

/// A class of which one side cannot be read.
#[derive(Debug, Serialize)]
pub(crate) struct NotComparedView {
    pub(crate) path: String,
    pub(crate) reason: String,
}

/// A change.
#[derive(Debug, Serialize)]
pub(crate) struct ChangeView {
    #[serde(serialize_with = "code")]
    pub(crate) kind: ChangeKind,
    words: &'static str,
    #[serde(flatten)]
    pub(crate) subject: SubjectView,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) blocks: Option<ChangedBlocksView>,
}

/// What a change concerns.
#[derive(Debug, Serialize)]
#[serde(tag = "subject", rename_all = "snake_case")]
pub(crate) enum SubjectView {
    Class,
    Field { name: String, descriptor: String },
    Method { name: String, descriptor: String },
}

/// The blocks of the old body that changed.
#[derive(Debug, Serialize)]
#[serde(tag = "marked", rename_all = "snake_case")]
pub(crate) enum ChangedBlocksView {
    Some { numbers: Vec<u32> },
    All { reason: String },
}

impl DiffReport {
    pub(crate) fn new(debug_info: DebugInfo, old: String, new: String) -> Self {
        Self {
            format: "tamis.class.diff/1",
            debug_info: debug_info.into(),
            old,
            new,
            changed: Vec::new(),
            not_compared: Vec::new(),
            look_ups: Vec::new(),
            look_ups_unknown: Vec::new(),
            unreadable: Vec::new(),
            summary: DiffSummary::default(),
        }
    }

    /// Adds a class with its changes.
    pub(crate) fn push_changed(&mut self, class: ChangedClassView) {
        self.summary.n_changed += 1;
        for change in &class.changes {
            *self.summary.kinds.entry(change.kind).or_default() += 1;
        }
        self.changed.push(class);
    }

    /// Adds something that could not be read.
    pub(crate) fn push_unreadable(&mut self, error: &ReadError) {
        self.summary.n_unreadable += 1;
        self.unreadable.push(error.into());
    }

    /// Adds a look-up that finds something else.
    pub(crate) fn push_look_up(&mut self, changed: &ChangedLookUp) {
        self.summary.n_look_ups += 1;
        self.look_ups.push(changed.into());
    }

    /// Adds a class of which that cannot be told.
    pub(crate) fn push_unknown_look_ups(&mut self, class: &ClassName, reason: String) {
        let class = class_text(class);
        let unknown = UnknownLookUpsView { class, reason };
        self.look_ups_unknown.push(unknown);
    }

    /// Adds a class that cannot be compared.
    pub(crate) fn push_not_compared(&mut self, class: NotComparedView) {
        self.summary.n_not_compared += 1;
        self.not_compared.push(class);
    }
}

impl NotUnderstoodView {
    pub(crate) fn is_empty(&self) -> bool {
        self.old.is_none() && self.new.is_none()
    }
}

impl From<Change> for ChangeView {
    fn from(change: Change) -> Self {
        Self {
            kind: change.kind,
            words: change.kind.words(),
            subject: SubjectView::from(&change.subject),
            blocks: change.blocks.map(ChangedBlocksView::from),
        }
    }
}

impl From<&ChangedLookUp> for ChangedLookUpView {
    fn from(changed: &ChangedLookUp) -> Self {
        Self {
            class: class_text(&changed.class),
            by: match changed.by {
                By::Receiver => LookUpByView::Receiver,
                By::Name => LookUpByView::Name,
            },
            subject: match &changed.member {
                Member::Method(id) => SubjectView::from(&Subject::Method(id.clone())),
                Member::Field(id) => SubjectView::from(&Subject::Field(id.clone())),
            },
            look_up: LookUpView::new(&changed.change),
        }
    }
}

impl From<&Subject> for SubjectView {
    fn from(subject: &Subject) -> Self {
        let shown = |name: &ModifiedUtf8| escape::name(name.as_bytes());
        match subject {
            Subject::Class => Self::Class,
            Subject::Field(id) => Self::Field {
                name: shown(&id.name),
                descriptor: shown(&id.descriptor),
            },
            Subject::Method(id) => Self::Method {
                name: shown(&id.name),
                descriptor: shown(&id.descriptor),
            },
        }
    }
}

impl From<ChangedBlocks> for ChangedBlocksView {
    fn from(blocks: ChangedBlocks) -> Self {
        match blocks {
            ChangedBlocks::Some(numbers) => Self::Some {
                numbers: numbers.into_iter().collect(),
            },
            ChangedBlocks::All { reason } => Self::All { reason },
        }
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for it")]
fn code<S: serde::Serializer>(kind: &ChangeKind, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(kind.code())
}

fn by_code<S: serde::Serializer>(
    kinds: &BTreeMap<ChangeKind, usize>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.collect_map(kinds.iter().map(|(kind, count)| (kind.code(), count)))
}
