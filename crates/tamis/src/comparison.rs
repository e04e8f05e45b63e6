//! Compares the classes of two places.
//!
//! Classes are matched by their path inside the place, so that the variants of a multi-release jar are
//! classes of their own. *Deleted* and *unreadable* must never be confused: a class that lacks its
//! counterpart is not called added or deleted while the other side has a place above it that could not
//! be read, such as a directory without permission or the damaged end of an archive.

mod look_ups;

use std::collections::BTreeMap;
use std::path::Path;

use tamis_build::{ClassEntry, ClassSource, ListedClass, ReadError, path_text};
use tamis_classfile::checksum::DebugInfo;
use tamis_select::{ClassState, diff};

use crate::escape;
use crate::reading::stem;
use crate::view::{ChangedClassView, DiffReport, NotComparedView, NotUnderstoodView};

/// One of the places compared.
#[derive(Debug)]
pub(crate) struct Side<'p> {
    path: &'p Path,
    source: ClassSource,
}

/// What came of a comparison.
#[derive(Debug)]
pub(crate) struct Comparison {
    pub(crate) report: DiffReport,
    pub(crate) errors: Vec<ReadError>,
}

/// Classes by what is matched: the stem of the path, so that a class comes before those nested in it; the
/// path; and the position among those of equal path, since an archive may hold several.
type Pairs<'s> = BTreeMap<(&'s str, &'s str, usize), Pair<&'s ListedClass>>;

/// Something on the old and on the new side.
#[derive(Debug, Clone, Copy)]
struct Pair<T> {
    old: Option<T>,
    new: Option<T>,
}

impl<T> Default for Pair<T> {
    fn default() -> Self {
        Self {
            old: None,
            new: None,
        }
    }
}

impl<'s> Pair<&'s ListedClass> {
    /// The path of the class; two class files by themselves may have different ones.
    fn path(self) -> &'s str {
        self.new.or(self.old).map_or("", ListedClass::path)
    }
}

/// What is known of a pair.
enum Finding {
    Unchanged,
    Changed(ChangedClassView),
    /// It cannot be read on at least one side.
    Unreadable(Pair<ReadError>),
}

impl<'p> Side<'p> {
    pub(crate) fn open(path: &'p Path) -> Result<Self, ReadError> {
        let source = ClassSource::open(path)?;
        Ok(Self { path, source })
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.source.classes().is_empty()
    }

    /// Whether this is a class file by itself, and no place that holds some.
    pub(crate) fn is_class_file(&self) -> bool {
        match self.source.classes() {
            [class] => !class.path().is_empty() && class.location() == path_text(self.path),
            _ => false,
        }
    }
}

/// Compares two places with classes, or two class files whatever their names. Look-ups lead from both sides into the
/// libraries.
pub(crate) fn compare(
    old: &Side<'_>,
    new: &Side<'_>,
    libraries: &[Side<'_>],
    debug_info: DebugInfo,
) -> Comparison {
    let pairs: Vec<_> = pairs(old, new).into_values().collect();
    let findings: Vec<Finding> = pairs
        .iter()
        .map(|pair| compare_pair(*pair, debug_info))
        .collect();
    let unreadable = Unreadable::among(&pairs, &findings);
    let mut comparison = Comparison {
        report: DiffReport::new(debug_info, path_text(old.path), path_text(new.path)),
        errors: Vec::new(),
    };
    for (pair, finding) in pairs.into_iter().zip(findings) {
        comparison.add(pair, finding, &unreadable);
    }
    look_ups::add(&mut comparison, old, new, libraries);
    comparison
}

fn pairs<'s>(old: &'s Side<'_>, new: &'s Side<'_>) -> Pairs<'s> {
    let are_class_files = old.is_class_file() && new.is_class_file();
    let mut pairs = Pairs::new();
    for (key, class) in keyed(&old.source, are_class_files) {
        pairs.entry(key).or_default().old = Some(class);
    }
    for (key, class) in keyed(&new.source, are_class_files) {
        pairs.entry(key).or_default().new = Some(class);
    }
    pairs
}

/// The classes with their keys; a class file by itself needs no name to find its counterpart.
fn keyed(
    source: &ClassSource,
    is_class_file: bool,
) -> impl Iterator<Item = ((&str, &str, usize), &ListedClass)> {
    let mut before = ("", 0);
    source.classes().iter().map(move |class| {
        let path = if is_class_file { "" } else { class.path() };
        let n_before = if before.0 == path { before.1 } else { 0 };
        before = (path, n_before + 1);
        ((stem(path), path, n_before), class)
    })
}

fn compare_pair(pair: Pair<&ListedClass>, debug_info: DebugInfo) -> Finding {
    let read = |class: Option<&ListedClass>| class.map(ListedClass::read).transpose();
    match (read(pair.old), read(pair.new)) {
        (Ok(old), Ok(new)) => compare_entries(old.as_ref(), new.as_ref(), debug_info),
        (old, new) => Finding::Unreadable(Pair {
            old: old.err(),
            new: new.err(),
        }),
    }
}

fn compare_entries(
    old: Option<&ClassEntry>,
    new: Option<&ClassEntry>,
    debug_info: DebugInfo,
) -> Finding {
    if let (Some(old), Some(new)) = (old, new)
        && old.bytes == new.bytes
    {
        return Finding::Unchanged;
    }
    let old = old.map(|entry| ClassState::of(&entry.bytes, debug_info));
    let new = new.map(|entry| ClassState::of(&entry.bytes, debug_info));
    let changes = diff(old.as_ref(), new.as_ref());
    if changes.is_empty() {
        return Finding::Unchanged;
    }
    Finding::Changed(ChangedClassView {
        path: String::new(),
        name: name(new.as_ref()).or_else(|| name(old.as_ref())),
        not_understood: NotUnderstoodView {
            old: not_understood(old.as_ref()),
            new: not_understood(new.as_ref()),
        },
        changes: changes.into_iter().map(Into::into).collect(),
    })
}

fn name(state: Option<&ClassState<'_>>) -> Option<String> {
    let parts = state?.parts.as_ref().ok()?;
    Some(escape::name(parts.checksums.name.as_bytes()))
}

fn not_understood(state: Option<&ClassState<'_>>) -> Option<String> {
    let opaque = state?.parts.as_ref().err()?;
    Some(opaque.reason.clone())
}

/// The paths that could not be read, on each side.
struct Unreadable<'s> {
    old: Vec<&'s str>,
    new: Vec<&'s str>,
}

impl<'s> Unreadable<'s> {
    fn among(pairs: &[Pair<&'s ListedClass>], findings: &[Finding]) -> Self {
        let mut unreadable = Self {
            old: Vec::new(),
            new: Vec::new(),
        };
        for (pair, finding) in pairs.iter().zip(findings) {
            if let Finding::Unreadable(errors) = finding {
                let path = pair.path();
                unreadable.old.extend(errors.old.is_some().then_some(path));
                unreadable.new.extend(errors.new.is_some().then_some(path));
            }
        }
        unreadable
    }

    /// Why a class that is missing on one side may be there all the same.
    fn hides(&self, pair: Pair<&ListedClass>) -> Option<String> {
        let (places, side) = match pair {
            Pair { old: None, .. } => (&self.old, "old"),
            Pair { new: None, .. } => (&self.new, "new"),
            Pair { .. } => return None,
        };
        let place = places.iter().find(|place| is_below(pair.path(), place))?;
        Some(match *place {
            "" => format!("the {side} side cannot be read to its end"),
            place => format!("`{place}` cannot be read on the {side} side"),
        })
    }
}

fn is_below(path: &str, place: &str) -> bool {
    match path.strip_prefix(place) {
        Some(rest) => place.is_empty() || rest.starts_with('/'),
        None => false,
    }
}

impl Comparison {
    fn add(&mut self, pair: Pair<&ListedClass>, finding: Finding, unreadable: &Unreadable<'_>) {
        let path = pair.path().to_owned();
        let is_place = matches!(finding, Finding::Unreadable(_)) && stem(&path) == path;
        self.report.summary.n_classes += usize::from(!is_place);
        match finding {
            Finding::Unchanged => {}
            Finding::Changed(class) => match unreadable.hides(pair) {
                Some(reason) => self.add_not_compared(path, reason),
                None => self.report.push_changed(ChangedClassView { path, ..class }),
            },
            Finding::Unreadable(errors) => {
                if !is_place {
                    self.add_not_compared(path, unreadable_side(&errors).to_owned());
                }
                let errors = [errors.old, errors.new].into_iter().flatten();
                errors.for_each(|error| self.add_error(error));
            }
        }
    }

    fn add_error(&mut self, error: ReadError) {
        self.report.push_unreadable(&error);
        self.errors.push(error);
    }

    fn add_not_compared(&mut self, path: String, reason: String) {
        let class = NotComparedView { path, reason };
        self.report.push_not_compared(class);
    }
}

fn unreadable_side(errors: &Pair<ReadError>) -> &'static str {
    match (&errors.old, &errors.new) {
        (Some(_), Some(_)) => "neither side can be read",
        (Some(_), None) => "the old side cannot be read",
        (None, _) => "the new side cannot be read",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_hides_what_is_below_it_and_nothing_beside_it() {
        assert!(is_below("a/B.class", ""));
        assert!(is_below("a/B.class", "a"));
        assert!(!is_below("ab/B.class", "a"));
        assert!(!is_below("a/B.class", "a/B.class"));
    }
}
