//! What a test saw, and what has become of it.

use serde::Serialize;
use tamis_engine::{AsFile, BrokenFact, Comparison, Difference, Setter};
use tamis_facts::{ChangeKind, ClassName, ModifiedUtf8, RunVerdict, Subject};
use tamis_select::{Found, LookUpChange};

use crate::escape;

/// What a fact is about.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(tag = "subject", rename_all = "snake_case")]
pub(crate) enum FactView {
    Class {
        class: String,
    },
    Whole {
        class: String,
    },
    Head {
        class: String,
    },
    Declaration {
        class: String,
    },
    Supertypes {
        class: String,
    },
    Aspect {
        class: String,
    },
    Members {
        class: String,
    },
    Fields {
        class: String,
    },
    Signatures {
        class: String,
    },
    Resolution {
        class: String,
        name: String,
        descriptor: String,
    },
    Dispatch {
        class: String,
        name: String,
        descriptor: String,
    },
    Callbacks {
        class: String,
    },
    Method {
        class: String,
        name: String,
        descriptor: String,
    },
    Field {
        class: String,
        name: String,
        descriptor: String,
    },
    Setters {
        class: String,
        name: String,
        descriptor: String,
    },
    SettersElsewhere {
        class: String,
        name: String,
        descriptor: String,
    },
    AllSettersElsewhere,
    Block {
        class: String,
        name: String,
        descriptor: String,
        block: u32,
        /// The source line that it began at, if that is known.
        line: Option<u16>,
    },
    ClassNames,
    Resource {
        name: String,
    },
    Archives,
    File {
        path: String,
    },
    Presence {
        path: String,
    },
    Listing {
        path: String,
    },
    Link {
        path: String,
    },
    Files,
    Configuration,
    Property {
        name: String,
    },
    Properties,
    Variable {
        name: String,
    },
    Environment,
    Outside {
        what: &'static str,
    },
    Jvm,
    Semantics,
}

/// A fact that is not true today.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub(crate) struct BrokenFactView {
    #[serde(flatten)]
    pub(crate) fact: FactView,
    #[serde(flatten)]
    pub(crate) difference: DifferenceView,
    /// The short code of the kind of change, if it is known.
    pub(crate) kind: Option<&'static str>,
    /// Whether it counts only because of what earlier tests may have left.
    pub(crate) is_inherited: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(tag = "difference", rename_all = "snake_case")]
pub(crate) enum DifferenceView {
    Changed,
    /// A class changed in a way that was to count as a change of its file.
    AsFile {
        /// The short codes of its changes that were; nothing if it is not known how it changed.
        changes: Option<Vec<&'static str>>,
    },
    Gone,
    Appeared,
    Unknown {
        reason: String,
    },
    LookUp(LookUpView),
    /// Other code sets a static field.
    Setters {
        /// The methods that did not, as far as that can be told.
        new: Vec<SetterView>,
    },
}

/// A method that sets a static field.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub(crate) struct SetterView {
    pub(crate) class: String,
    pub(crate) name: String,
    pub(crate) descriptor: String,
}

/// A look-up that finds something else.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub(crate) struct LookUpView {
    /// The short code of what changed, and the class in which.
    pub(crate) change: Option<&'static str>,
    pub(crate) changed_class: Option<String>,
    pub(crate) before: Option<TargetView>,
    pub(crate) now: TargetView,
}

/// What is found.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(tag = "found", rename_all = "snake_case")]
pub(crate) enum TargetView {
    Method { class: String },
    Abstract,
    Ambiguous { classes: Vec<String> },
    Nothing,
}

/// A record compared with today.
#[derive(Debug, Serialize)]
pub(crate) struct ComparisonView {
    pub(crate) verdict: VerdictView,
    /// Seconds since 1970.
    pub(crate) ended: u64,
    /// Why it could not be relied on.
    pub(crate) doubts: Vec<String>,
    pub(crate) n_facts: usize,
    pub(crate) broken: Vec<BrokenFactView>,
}

/// Whether a run can be relied on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum VerdictView {
    Passed,
    Failed,
    Flaky,
    Incomplete,
}

impl FactView {
    #[expect(clippy::too_many_lines, reason = "one arm for each kind of fact")]
    pub(crate) fn new(subject: &Subject) -> Self {
        match subject {
            Subject::Class(class) => Self::Class {
                class: class_text(class),
            },
            Subject::Whole(class) => Self::Whole {
                class: class_text(class),
            },
            Subject::Head(class) => Self::Head {
                class: class_text(class),
            },
            Subject::Declaration(class) => Self::Declaration {
                class: class_text(class),
            },
            Subject::Supertypes(class, _) => Self::Supertypes {
                class: class_text(class),
            },
            Subject::Aspect(class, _) => Self::Aspect {
                class: class_text(class),
            },
            Subject::Members(class) => Self::Members {
                class: class_text(class),
            },
            Subject::Fields(class) => Self::Fields {
                class: class_text(class),
            },
            Subject::Signatures(class) => Self::Signatures {
                class: class_text(class),
            },
            Subject::Resolution(class, method) => Self::Resolution {
                class: class_text(class),
                name: text(&method.name),
                descriptor: text(&method.descriptor),
            },
            Subject::Dispatch(class, method) => Self::Dispatch {
                class: class_text(class),
                name: text(&method.name),
                descriptor: text(&method.descriptor),
            },
            Subject::Callbacks(class) => Self::Callbacks {
                class: class_text(class),
            },
            Subject::Method(class, method) => Self::Method {
                class: class_text(class),
                name: text(&method.name),
                descriptor: text(&method.descriptor),
            },
            Subject::Field(class, field) => Self::Field {
                class: class_text(class),
                name: text(&field.name),
                descriptor: text(&field.descriptor),
            },
            Subject::Setters(class, field) => Self::Setters {
                class: class_text(class),
                name: text(&field.name),
                descriptor: text(&field.descriptor),
            },
            Subject::SettersElsewhere(class, field) => Self::SettersElsewhere {
                class: class_text(class),
                name: text(&field.name),
                descriptor: text(&field.descriptor),
            },
            Subject::AllSettersElsewhere => Self::AllSettersElsewhere,
            Subject::Block(class, method, block) => Self::Block {
                class: class_text(class),
                name: text(&method.name),
                descriptor: text(&method.descriptor),
                block: *block,
                line: None,
            },
            Subject::ClassNames => Self::ClassNames,
            Subject::Resource(name) => Self::Resource {
                name: name.to_string(),
            },
            Subject::Archives => Self::Archives,
            Subject::File(path) => Self::File {
                path: path.to_string(),
            },
            Subject::Presence(path) => Self::Presence {
                path: path.to_string(),
            },
            Subject::Listing(path) => Self::Listing {
                path: path.to_string(),
            },
            Subject::Link(path) => Self::Link {
                path: path.to_string(),
            },
            Subject::Files => Self::Files,
            Subject::Configuration => Self::Configuration,
            Subject::Property(name) => Self::Property {
                name: name.to_string(),
            },
            Subject::Properties => Self::Properties,
            Subject::Variable(name) => Self::Variable {
                name: name.to_string(),
            },
            Subject::Environment => Self::Environment,
            Subject::Outside(outside) => Self::Outside {
                what: outside.name(),
            },
            Subject::Jvm => Self::Jvm,
            Subject::Semantics => Self::Semantics,
        }
    }
}

impl BrokenFactView {
    pub(crate) fn new(broken: &BrokenFact) -> Self {
        let mut fact = FactView::new(&broken.subject);
        if let FactView::Block { line, .. } = &mut fact {
            *line = broken.line;
        }
        Self {
            fact,
            difference: DifferenceView::new(&broken.difference),
            kind: broken.kind.map(ChangeKind::code),
            is_inherited: broken.is_inherited,
        }
    }
}

impl DifferenceView {
    fn new(difference: &Difference) -> Self {
        match difference {
            Difference::Changed => Self::Changed,
            Difference::AsFile(AsFile::Kinds(kinds)) => Self::AsFile {
                changes: Some(kinds.iter().map(|kind| kind.code()).collect()),
            },
            Difference::AsFile(AsFile::Unknown) => Self::AsFile { changes: None },
            Difference::Gone => Self::Gone,
            Difference::Appeared => Self::Appeared,
            Difference::Unknown(reason) => Self::Unknown {
                reason: reason.clone(),
            },
            Difference::LookUp(look_up) => Self::LookUp(LookUpView::new(look_up)),
            Difference::Setters(new) => Self::Setters {
                new: new.iter().map(SetterView::new).collect(),
            },
        }
    }
}

impl SetterView {
    fn new(setter: &Setter) -> Self {
        Self {
            class: class_text(&setter.class),
            name: text(&setter.method.name),
            descriptor: text(&setter.method.descriptor),
        }
    }
}

impl LookUpView {
    pub(super) fn new(look_up: &LookUpChange) -> Self {
        let change = look_up.change.as_ref();
        Self {
            change: change.map(|(kind, _)| kind.code()),
            changed_class: change.map(|(_, class)| class_text(class)),
            before: look_up.before.as_ref().map(TargetView::new),
            now: TargetView::new(&look_up.now),
        }
    }
}

impl TargetView {
    fn new(found: &Found) -> Self {
        match found {
            Found::Method(class) => Self::Method {
                class: class_text(class),
            },
            Found::Abstract => Self::Abstract,
            Found::Ambiguous(classes) => Self::Ambiguous {
                classes: classes.iter().map(class_text).collect(),
            },
            Found::Nothing => Self::Nothing,
        }
    }
}

impl ComparisonView {
    pub(super) fn new(comparison: &Comparison) -> Self {
        Self {
            verdict: VerdictView::new(comparison.verdict),
            ended: comparison.ended,
            doubts: comparison.doubts.clone(),
            n_facts: comparison.n_facts,
            broken: comparison.broken.iter().map(BrokenFactView::new).collect(),
        }
    }
}

impl VerdictView {
    pub(super) fn new(verdict: RunVerdict) -> Self {
        match verdict {
            RunVerdict::Passed => Self::Passed,
            RunVerdict::Failed => Self::Failed,
            RunVerdict::Flaky => Self::Flaky,
            RunVerdict::Incomplete => Self::Incomplete,
        }
    }
}

/// The name of a class, to be shown.
pub(super) fn class_text(class: &ClassName) -> String {
    escape::name(class.as_bytes())
}

/// A name of the JVM's, to be shown.
pub(super) fn text(name: &ModifiedUtf8) -> String {
    escape::name(name.as_bytes())
}
