//! The colours of the output. Each only repeats what the text says anyway.

use anstyle::{AnsiColor, Style};
use tamis_facts::ChangeKind;

/// The styles in use; all of them are empty where colours are off.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Palette {
    /// Names of classes.
    pub(crate) name: Style,
    /// Column headings and what is said beside.
    pub(crate) aside: Style,
    pub(crate) added: Style,
    pub(crate) deleted: Style,
    pub(crate) changed: Style,
    pub(crate) failure: Style,
    hint: Style,
}

impl Palette {
    /// No colours.
    pub(crate) fn plain() -> Self {
        Self::default()
    }

    /// Colours that are readable on dark and on light terminals.
    pub(crate) fn coloured() -> Self {
        Self {
            name: Style::new().bold(),
            aside: Style::new().dimmed(),
            added: AnsiColor::Green.on_default(),
            deleted: AnsiColor::Red.on_default(),
            changed: AnsiColor::Yellow.on_default(),
            failure: AnsiColor::Red.on_default().bold(),
            hint: AnsiColor::Cyan.on_default().bold(),
        }
    }

    /// The word that begins an error.
    pub(crate) fn error(&self, label: &str) -> String {
        paint(self.failure, label)
    }

    /// The word that begins a hint.
    pub(crate) fn hint(&self, label: &str) -> String {
        paint(self.hint, label)
    }

    /// The style of a change.
    pub(super) fn change(&self, kind: ChangeKind) -> Style {
        use ChangeKind as Kind;
        match kind {
            Kind::AddedFile
            | Kind::AddedStaticInitializer
            | Kind::AddedInstanceInitializer
            | Kind::AddedStaticMethod
            | Kind::AddedInstanceMethod
            | Kind::AddedField => self.added,
            Kind::DeletedFile
            | Kind::DeletedStaticInitializer
            | Kind::DeletedInstanceInitializer
            | Kind::DeletedStaticMethod
            | Kind::DeletedInstanceMethod
            | Kind::DeletedField => self.deleted,
            Kind::HeadChanged
            | Kind::FileChanged
            | Kind::ChangedStaticInitializer
            | Kind::ChangedInstanceInitializer
            | Kind::ChangedStaticMethod
            | Kind::ChangedInstanceMethod
            | Kind::ChangedField
            | Kind::MembersChanged => self.changed,
        }
    }
}

/// `text` in a style.
pub(super) fn paint(style: Style, text: &str) -> String {
    format!("{style}{text}{style:#}")
}
