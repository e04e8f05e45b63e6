//! What is shown, as plain values: the same ones become text and JSON.
//!
//! The types that are serialized are the JSON formats that `docs/reference` describes: a
//! field renamed or removed here breaks other people's programs, and needs a new format number.

mod changes;
mod check;
mod check_defects;
mod check_history;
mod classes;
mod configuration;
mod entity;
mod fact;
mod java_release;
mod kind;
mod knowledge;
mod members;
mod method_body;
mod modifiers;
mod selection;
mod trace;

pub(crate) use changes::{
    ChangeView, ChangedBlocksView, ChangedClassView, DiffReport, DiffSummary, LookUpByView,
    NotComparedView, NotUnderstoodView, SubjectView,
};
pub(crate) use check::{
    CheckReport, EfficiencyView, FileDifference, Line, ReducedView, ReplayReport, ViolationView,
    all_files,
};
pub(crate) use check_defects::DefectsReport;
pub(crate) use check_history::HistoryReport;
pub(crate) use classes::{ClassReport, ClassView, Content, SourceView, Understood, UnreadableView};
pub(crate) use configuration::{ConfigReport, OriginView, SettingView};
pub(crate) use entity::{
    AccessKindView, AccessView, EntityKindView, EntityView, FoundView, OutcomeView, RelianceView,
    ReliedClassView, ReliedMethodView,
};
pub(crate) use fact::{
    BrokenFactView, ComparisonView, DifferenceView, FactView, LookUpView, SetterView, TargetView,
    VerdictView,
};
pub(crate) use knowledge::{
    DependencyView, DependentView, DiagnosisView, DoctorReport, ForgetReport, RealmStatusView,
    StatusDocument, WhatReport,
};
pub(crate) use members::{
    MethodView, call_in_source, class_in_source, method_in_source, type_in_source,
};
pub(crate) use method_body::{BlockView, BodyView, EdgeView, LabelView, ReferenceView, UsesView};
pub(crate) use selection::{
    CoarseView, DecidedEntityView, DecisionView, EntityRunView, OptionsView, Question, RealmName,
    RealmView, SelectionReport,
};
pub(crate) use trace::{EndingView, FileView, JvmView, TraceReport, TracedClassView};

use serde::Serialize;
use tamis_classfile::checksum::DebugInfo;

/// What to look at.
#[derive(Debug, Clone, Default)]
pub(crate) struct ViewOptions {
    /// Whether debug info counts.
    pub(crate) debug_info: DebugInfo,
    /// Whether each block is described, not only counted.
    pub(crate) with_blocks: bool,
    /// Whether what each method uses is listed.
    pub(crate) with_uses: bool,
}

/// Whether debug info was counted in, in JSON.
#[derive(Debug, Clone, Copy, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum DebugInfoView {
    Ignored,
    Counted,
}

impl From<DebugInfo> for DebugInfoView {
    fn from(debug_info: DebugInfo) -> Self {
        match debug_info {
            DebugInfo::Ignored => Self::Ignored,
            DebugInfo::Counted => Self::Counted,
        }
    }
}
