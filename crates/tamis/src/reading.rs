//! Reads the classes that the user named, and goes on where something cannot be read.

use std::path::{Path, PathBuf};

use tamis_build::{ClassSource, ListedClass, ReadError, path_text};

use crate::cli_error::CliError;
use crate::view::{ClassView, SourceView, UnreadableView, ViewOptions};

/// What was read, and what could not be.
#[derive(Debug, Default)]
pub(crate) struct Reading {
    pub(crate) sources: Vec<SourceView>,
    pub(crate) errors: Vec<CliError>,
}

impl Reading {
    /// Looks at every class of every path.
    pub(crate) fn of(paths: &[PathBuf], options: &ViewOptions) -> Self {
        let mut reading = Self::default();
        for path in paths {
            reading.add(path, options);
        }
        reading
    }

    fn add(&mut self, path: &Path, options: &ViewOptions) {
        match ClassSource::open(path) {
            Err(error) => self.add_source(path, Vec::new(), vec![error]),
            Ok(source) if source.classes().is_empty() => {
                let places = vec![path.to_path_buf()];
                self.errors.push(CliError::NoClasses { places });
            }
            Ok(source) => {
                let (classes, errors) = look_at(source.classes(), options);
                self.add_source(path, classes, errors);
            }
        }
    }

    fn add_source(&mut self, path: &Path, classes: Vec<ClassView>, errors: Vec<ReadError>) {
        self.sources.push(SourceView {
            source: path_text(path),
            classes,
            unreadable: errors.iter().map(UnreadableView::from).collect(),
        });
        self.errors.extend(errors.into_iter().map(CliError::from));
    }
}

fn look_at(listed: &[ListedClass], options: &ViewOptions) -> (Vec<ClassView>, Vec<ReadError>) {
    let mut classes = Vec::new();
    let mut errors = Vec::new();
    for class in listed {
        match class.read() {
            Ok(entry) => classes.push(ClassView::of(entry, options)),
            Err(error) => errors.push(error),
        }
    }
    // A class before those nested in it.
    classes.sort_by(|a, b| stem(&a.path).cmp(stem(&b.path)));
    (classes, errors)
}

/// A path without the suffix that all classes have.
pub(crate) fn stem(path: &str) -> &str {
    path.strip_suffix(".class").unwrap_or(path)
}
