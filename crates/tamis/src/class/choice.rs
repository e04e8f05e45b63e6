//! Which classes and methods `tamis class` looks at.

use clap::Args;

use crate::cli_error::CliError;
use crate::reading::{Reading, stem};
use crate::similar::similar;
use crate::view::{ClassView, Content, SourceView, Understood};

/// Which classes and methods are looked at.
#[derive(Debug, Args)]
#[command(next_help_heading = "What to look at")]
pub(super) struct Choice {
    /// Only the class of this name; the package may be left out
    #[arg(long, value_name = "NAME")]
    pub(super) class: Option<String>,

    /// Only methods of this name and no fields, with or without descriptor: `add`, `add(I)V`, `<init>`
    #[arg(long, value_name = "NAME")]
    pub(super) method: Option<String>,

    /// Count line numbers, names of variables and source files, which stack traces show
    #[arg(long)]
    pub(super) debug_info: bool,
}

impl Choice {
    /// Leaves what was asked for; that something is not there is added to what went wrong.
    pub(super) fn apply(&self, reading: &mut Reading) {
        let mut missing = None;
        if let Some(name) = &self.class {
            missing = choose_class(name, &mut reading.sources).err();
        }
        if let (Some(name), None) = (&self.method, &missing) {
            missing = choose_method(name, &mut reading.sources).err();
        }
        reading.errors.extend(missing);
    }
}

fn choose_class(wanted: &str, sources: &mut [SourceView]) -> Result<(), CliError> {
    let names = names_of_classes(sources);
    let path = wanted.replace('.', "/");
    for source in &mut *sources {
        source.classes.retain(|class| is_called(class, &path));
    }
    if sources.iter().any(|source| !source.classes.is_empty()) {
        return Ok(());
    }
    Err(CliError::NoSuchClass {
        name: wanted.to_owned(),
        similar: similar(wanted, names.iter().map(String::as_str)),
    })
}

/// Whether a class has this name, with or without its package; what is not understood has that of
/// its file.
fn is_called(class: &ClassView, wanted: &str) -> bool {
    let name = match &class.content {
        Content::Understood(class) => &class.name,
        Content::NotUnderstood { .. } => stem(&class.path),
    };
    match name.strip_suffix(wanted) {
        Some(package) => package.is_empty() || package.ends_with('/'),
        None => false,
    }
}

fn names_of_classes(sources: &[SourceView]) -> Vec<String> {
    let classes = sources.iter().flat_map(|source| &source.classes);
    let understood = classes.filter_map(ClassView::understood);
    understood
        .map(|class| class.name.replace('/', "."))
        .collect()
}

/// Leaves the classes that have such a method, and those that may have one.
fn choose_method(wanted: &str, sources: &mut [SourceView]) -> Result<(), CliError> {
    let names = names_of_methods(sources);
    let mut is_found = false;
    for source in &mut *sources {
        source.classes.retain_mut(|class| match &mut class.content {
            Content::NotUnderstood { .. } => true,
            Content::Understood(class) => {
                let has_some = leave_methods(wanted, class);
                is_found |= has_some;
                has_some
            }
        });
    }
    if is_found {
        return Ok(());
    }
    Err(CliError::NoSuchMethod {
        name: wanted.to_owned(),
        similar: similar(wanted, names.iter().map(String::as_str)),
    })
}

/// Leaves the methods of this name and nothing else; whether there are some.
fn leave_methods(wanted: &str, class: &mut Understood) -> bool {
    class.fields.clear();
    class.methods.retain(|method| method.is_called(wanted));
    !class.methods.is_empty()
}

fn names_of_methods(sources: &[SourceView]) -> Vec<String> {
    let classes = sources.iter().flat_map(|source| &source.classes);
    let methods = classes
        .filter_map(ClassView::understood)
        .flat_map(|class| &class.methods);
    methods.map(|method| method.name.clone()).collect()
}
