//! What a user may ask for: a source file, a class file, another file, a class, or a member of one.

use std::collections::BTreeSet;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{self, Path};

use globset::{Glob, GlobMatcher};
use tamis_facts::{FilePath, Subject};

use crate::escape;
use crate::view::call_in_source;

/// Languages whose compilers make classes of source files.
const SOURCES: &[&str] = &["java", "kt", "groovy", "scala"];

/// What is asked for.
#[derive(Debug)]
pub(super) enum Wanted {
    /// A source file, without its extension.
    Source(String),
    /// A class file, without its extension.
    ClassFile(String),
    /// A file that no class is made of.
    OtherFile,
    /// A class by its name, with slashes, and perhaps a member of it.
    Class(String, Option<String>),
    /// Classes by a pattern, with slashes.
    Pattern(String, GlobMatcher),
}

impl Wanted {
    pub(super) fn new(wanted: &str) -> Self {
        if let Some((class, member)) = wanted.split_once('#') {
            return Self::Class(class.replace('.', "/"), Some(member.to_owned()));
        }
        let path = Path::new(wanted);
        let stem = || path.with_extension("").to_string_lossy().into_owned();
        match path.extension().and_then(|extension| extension.to_str()) {
            Some("class") => return Self::ClassFile(stem()),
            Some(extension) if SOURCES.contains(&extension) => return Self::Source(stem()),
            _ if path.is_file() => return Self::OtherFile,
            _ => {}
        }
        let name = wanted.replace('.', "/");
        let glob = wanted.contains(['*', '?']).then(|| Glob::new(&name).ok());
        match glob.flatten() {
            Some(glob) => Self::Pattern(name, glob.compile_matcher()),
            None => Self::Class(name, None),
        }
    }

    /// Whether it is a file that no class is made of.
    pub(super) fn is_other_file(&self) -> bool {
        matches!(self, Self::OtherFile)
    }

    /// Whether a member is asked for.
    pub(super) fn has_member(&self) -> bool {
        matches!(self, Self::Class(_, Some(_)))
    }

    /// The name of the class, as far as there is one.
    pub(super) fn class_name(&self) -> &str {
        match self {
            Self::Source(stem) | Self::ClassFile(stem) => {
                stem.rsplit('/').next().unwrap_or_default()
            }
            Self::Class(name, _) | Self::Pattern(name, _) => name,
            Self::OtherFile => "",
        }
    }

    /// The classes that are meant, of those that are known.
    pub(super) fn classes(&self, known: &BTreeSet<String>) -> BTreeSet<String> {
        let chosen: BTreeSet<&String> = match self {
            Self::OtherFile => BTreeSet::new(),
            Self::Class(name, _) => known.iter().filter(|class| ends_in(class, name)).collect(),
            Self::Pattern(_, glob) => known.iter().filter(|class| is_like(class, glob)).collect(),
            Self::ClassFile(stem) => longest(known, |class| ends_in(stem, class).then_some(class)),
            Self::Source(stem) => longest(known, |class| {
                let outer = class.split('$').next().unwrap_or(class);
                // Kotlin keeps the functions of a file in a class of its name and `Kt`.
                let outer = [outer, outer.strip_suffix("Kt").unwrap_or(outer)];
                outer.into_iter().find(|outer| ends_in(stem, outer))
            }),
        };
        chosen.into_iter().cloned().collect()
    }

    /// Whether a fact about one of the classes is about what is asked for.
    pub(super) fn is_member(&self, subject: &Subject) -> bool {
        // Who ran a block depends on its method too.
        if matches!(subject, Subject::Block(..)) {
            return false;
        }
        let Self::Class(_, Some(wanted)) = self else {
            return true;
        };
        match subject {
            Subject::Whole(_) => true,
            Subject::Field(_, field) => escape::name(field.name.as_bytes()) == *wanted,
            Subject::Method(_, method)
            | Subject::Resolution(_, method)
            | Subject::Dispatch(_, method) => {
                let name = escape::name(method.name.as_bytes());
                let descriptor = escape::name(method.descriptor.as_bytes());
                let spaced = call_in_source(&name, &descriptor);
                [
                    spaced.replace(", ", ","),
                    format!("{name}{descriptor}"),
                    name,
                    spaced,
                ]
                .contains(wanted)
            }
            _ => false,
        }
    }
}

/// A file by its path: as it was seen, and as builds copy it.
#[derive(Debug)]
pub(super) struct WantedFile {
    path: FilePath,
    /// The directory that it lies in.
    directory: FilePath,
    /// What stands behind `/resources/`, with a slash: builds copy resources to the classes.
    copied: Option<Vec<u8>>,
}

impl WantedFile {
    /// The file of a path that a user typed, in a build with this root.
    pub(super) fn new(wanted: &str, root: &Path) -> Self {
        const RESOURCES: &[u8] = b"/resources/";
        let path = path::absolute(wanted).unwrap_or_else(|_| wanted.into());
        let bytes = path.as_os_str().as_bytes();
        let named =
            |path: &Path| FilePath::new(path.as_os_str().as_bytes(), root.as_os_str().as_bytes());
        let mut places = bytes.windows(RESOURCES.len());
        let begin = places.position(|place| place == RESOURCES);
        Self {
            path: named(&path),
            directory: named(path.parent().unwrap_or(&path)),
            copied: begin.map(|begin| bytes[begin + RESOURCES.len() - 1..].to_vec()),
        }
    }

    /// Whether a fact is about the file.
    pub(super) fn is_subject(&self, subject: &Subject) -> bool {
        let is_copy = |path: &FilePath| {
            let copied = self.copied.as_ref();
            copied.is_some_and(|copied| path.as_bytes().ends_with(copied))
        };
        match subject {
            Subject::File(path) | Subject::Presence(path) => *path == self.path || is_copy(path),
            Subject::Link(path) => *path == self.path,
            Subject::Listing(path) => *path == self.path || *path == self.directory,
            _ => false,
        }
    }
}

/// Whether a fact about a class tells more than that it is used.
pub(super) fn is_telling(subject: &Subject) -> bool {
    !matches!(
        subject,
        Subject::Declaration(_)
            | Subject::Supertypes(..)
            | Subject::Aspect(..)
            | Subject::Fields(_)
            | Subject::Signatures(_)
            | Subject::Callbacks(_)
            | Subject::Setters(..)
            | Subject::SettersElsewhere(..)
    )
}

/// The name of the member that a fact is about.
pub(super) fn member_name(subject: &Subject) -> Option<String> {
    match subject {
        Subject::Field(_, field) => Some(escape::name(field.name.as_bytes())),
        Subject::Method(_, method)
        | Subject::Resolution(_, method)
        | Subject::Dispatch(_, method) => Some(escape::name(method.name.as_bytes())),
        _ => None,
    }
}

/// Whether a path or name ends in another, whole parts of it.
fn ends_in(path: &str, end: &str) -> bool {
    match path.strip_suffix(end) {
        Some(before) => before.is_empty() || before.ends_with('/'),
        None => false,
    }
}

fn is_like(class: &str, glob: &GlobMatcher) -> bool {
    let simple = class.rsplit('/').next().unwrap_or(class);
    glob.is_match(class) || glob.is_match(simple)
}

/// The classes whose package has most in common with a path.
fn longest<'k>(
    known: &'k BTreeSet<String>,
    matched: impl Fn(&'k str) -> Option<&'k str>,
) -> BTreeSet<&'k String> {
    let matching: Vec<(usize, &String)> = known
        .iter()
        .filter_map(|class| Some((matched(class)?.matches('/').count(), class)))
        .collect();
    let deepest = matching.iter().map(|(depth, _)| *depth).max();
    let chosen = matching.into_iter();
    let chosen = chosen.filter(|(depth, _)| Some(*depth) == deepest);
    chosen.map(|(_, class)| class).collect()
}

#[cfg(test)]
mod tests {
    use tamis_facts::{ClassName, MethodId};

    use super::*;

    fn check(wanted: &str, expected: &[&str]) {
        let known = [
            "Cart",
            "shop/Cart",
            "shop/Cart$Line",
            "shop/CartKt",
            "shop/Shop",
            "shop/sub/Cart",
        ];
        let known = known.map(str::to_owned).into();
        let classes: Vec<String> = Wanted::new(wanted).classes(&known).into_iter().collect();
        assert_eq!(classes, expected, "{wanted}");
    }

    #[test]
    fn source_files_are_found_by_the_end_of_their_path() {
        check(
            "src/main/java/shop/Cart.java",
            &["shop/Cart", "shop/Cart$Line", "shop/CartKt"],
        );
        check("src/main/java/Cart.java", &["Cart"]);
        check("Cart.java", &["Cart"]);
        check("a/shop/sub/Cart.java", &["shop/sub/Cart"]);
        check("src/shop/Other.java", &[]);
        check("src/workshop/Shop.java", &[]);
    }

    #[test]
    fn class_files_are_one_class() {
        check("target/classes/shop/Cart.class", &["shop/Cart"]);
        check("target/classes/shop/Cart$Line.class", &["shop/Cart$Line"]);
    }

    #[test]
    fn classes_by_name() {
        check("shop.Cart", &["shop/Cart"]);
        check("shop/Cart", &["shop/Cart"]);
        check("Cart", &["Cart", "shop/Cart", "shop/sub/Cart"]);
        check("shop.Cart#add", &["shop/Cart"]);
        check(
            "shop.Cart*",
            &["shop/Cart", "shop/Cart$Line", "shop/CartKt"],
        );
        check("Sh*", &["shop/Shop"]);
    }

    #[test]
    fn members_by_name() {
        let class = || ClassName::from("a/B");
        let method = Subject::Method(
            class(),
            MethodId {
                name: "add".into(),
                descriptor: "(IJ)V".into(),
            },
        );
        for wanted in [
            "B#add",
            "B#add(int, long)",
            "B#add(int,long)",
            "B#add(IJ)V",
            "B",
        ] {
            assert!(Wanted::new(wanted).is_member(&method), "{wanted}");
        }
        let other = Wanted::new("B#add(int)");
        assert!(!other.is_member(&method));
        assert!(other.is_member(&Subject::Whole(class())));
        assert!(!other.is_member(&Subject::Head(class())));
    }
}
