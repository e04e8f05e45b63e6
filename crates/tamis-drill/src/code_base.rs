//! The sources of a library and of its tests, and what a change to them is.

use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use tamis_testkit::suite_library::CompiledLibrary;

use crate::java::{Member, MemberKind, SourceText, TypeDeclaration, declarations};

/// All source files.
#[derive(Debug)]
pub(crate) struct CodeBase {
    pub(crate) files: Vec<SourceFile>,
    /// Other files that come with the classes, by their paths below a class folder.
    pub(crate) resources: Vec<PathBuf>,
}

#[derive(Debug)]
pub(crate) struct SourceFile {
    /// From the directory of the library.
    pub(crate) path: PathBuf,
    pub(crate) part: Part,
    pub(crate) source: SourceText,
    pub(crate) types: Vec<TypeDeclaration>,
}

/// Whose sources: each part is compiled at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Part {
    Main,
    Tests,
}

/// What a mutant is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Change {
    /// A source file is edited; the edits do not overlap.
    Source { file: usize, edits: Vec<Edit> },
    /// A file beside the classes is another one, everywhere.
    Resource { path: PathBuf, edit: ResourceEdit },
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Edit {
    /// Bytes of the text.
    pub(crate) range: Range<usize>,
    pub(crate) text: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ResourceEdit {
    /// The second half of the file is gone.
    Halve,
    Delete,
    Create,
}

/// A type and its file.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TypeIn<'c> {
    pub(crate) number: usize,
    pub(crate) file: &'c SourceFile,
    pub(crate) declaration: &'c TypeDeclaration,
}

/// A method with a body, and its file.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Body<'c> {
    pub(crate) number: usize,
    pub(crate) source: &'c SourceText,
    pub(crate) member: &'c Member,
    /// The brackets around it.
    pub(crate) open: usize,
    pub(crate) close: usize,
}

impl CodeBase {
    /// Reads the sources of a library.
    pub(crate) fn load(library: &CompiledLibrary, dir: &Path) -> Result<Self> {
        let mut files = Vec::new();
        for (part, paths) in [Part::Main, Part::Tests]
            .into_iter()
            .zip(library.source_files()?)
        {
            for path in paths {
                let text = fs::read_to_string(&path)
                    .with_context(|| format!("cannot read {}", path.display()))?;
                files.push(SourceFile::new(path.strip_prefix(dir)?, part, text));
            }
        }
        let mut resources = Vec::new();
        for folder in library.class_folders() {
            list_resources(&folder, &folder, &mut resources)?;
        }
        resources.sort();
        resources.dedup();
        Ok(Self { files, resources })
    }

    /// The types of all files.
    pub(crate) fn types(&self) -> impl Iterator<Item = TypeIn<'_>> {
        let files = self.files.iter().enumerate();
        files.flat_map(|(number, file)| {
            file.types.iter().map(move |declaration| TypeIn {
                number,
                file,
                declaration,
            })
        })
    }

    /// Those of the library itself.
    pub(crate) fn main_types(&self) -> impl Iterator<Item = TypeIn<'_>> {
        self.types().filter(|found| found.file.part == Part::Main)
    }

    /// The methods of the library itself that have a body.
    pub(crate) fn bodies(&self) -> impl Iterator<Item = Body<'_>> {
        self.main_types().flat_map(|found| {
            let members = found.declaration.members.iter();
            members.filter_map(move |member| {
                let (open, close) = member.body()?;
                Some(Body {
                    number: found.number,
                    source: &found.file.source,
                    member,
                    open,
                    close,
                })
            })
        })
    }

    /// The superclasses of a type that are part of the code, the nearest first.
    pub(crate) fn superclasses<'c>(&'c self, found: TypeIn<'c>) -> Vec<TypeIn<'c>> {
        let mut all: Vec<TypeIn<'c>> = Vec::new();
        let mut at = found;
        while let Some(name) = at.declaration.superclass_name(&at.file.source) {
            let mut named = self.types().filter(|other| other.declaration.name == name);
            let (Some(next), None) = (named.next(), named.next()) else {
                break;
            };
            // A class with a superclass of its own name, from elsewhere.
            if next.declaration.name == found.declaration.name || all.len() > 20 {
                break;
            }
            all.push(next);
            at = next;
        }
        all
    }
}

impl SourceFile {
    pub(crate) fn new(path: &Path, part: Part, text: String) -> Self {
        let source = SourceText::new(text);
        Self {
            path: path.to_path_buf(),
            part,
            types: declarations(&source),
            source,
        }
    }

    /// The text after edits.
    pub(crate) fn edited(&self, edits: &[Edit]) -> String {
        let mut edits: Vec<&Edit> = edits.iter().collect();
        edits.sort_by_key(|edit| (edit.range.start, edit.range.end));
        let mut text = self.source.text.clone();
        for edit in edits.into_iter().rev() {
            text.replace_range(edit.range.clone(), &edit.text);
        }
        text
    }
}

impl Change {
    /// One edit of a source file.
    pub(crate) fn edit(file: usize, range: Range<usize>, text: impl Into<String>) -> Self {
        let text = text.into();
        Self::Source {
            file,
            edits: vec![Edit { range, text }],
        }
    }

    /// Another text for a token.
    pub(crate) fn token(
        file: usize,
        source: &SourceText,
        number: usize,
        text: impl Into<String>,
    ) -> Self {
        Self::edit(file, source.start(number)..source.end(number), text)
    }

    /// Two declarations change places.
    pub(crate) fn swap(file: usize, source: &SourceText, a: &Member, b: &Member) -> Self {
        let range = |member: &Member| source.start(member.first)..source.end(member.last);
        let (a, b) = (range(a), range(b));
        let edit = |range: &Range<usize>, from: &Range<usize>| Edit {
            range: range.clone(),
            text: source.text[from.clone()].to_owned(),
        };
        Self::Source {
            file,
            edits: vec![edit(&a, &b), edit(&b, &a)],
        }
    }

    /// A member more at the end of a type.
    pub(crate) fn add_member(found: TypeIn<'_>, text: &str) -> Self {
        let at = found.file.source.start(found.declaration.close);
        Self::edit(found.number, at..at, format!("{text} "))
    }
}

/// What an expression of this type may be, and most of the time is not.
pub(crate) fn constant_of(declared: &str) -> &'static str {
    match declared {
        "boolean" => "false",
        "byte" | "short" | "char" | "int" | "long" | "float" | "double" => "0",
        _ => "null",
    }
}

/// The declaration of a method as another class would have it, with another body.
pub(crate) fn copy_of_method(
    source: &SourceText,
    member: &Member,
    left_out: &[&str],
    body: &str,
) -> Option<String> {
    let MemberKind::Method {
        declared,
        name_at,
        parameters,
        body: old,
    } = &member.kind
    else {
        return None;
    };
    let modifiers = member.modifiers.iter().map(|number| source.token(*number));
    let modifiers: Vec<&str> = modifiers.filter(|word| !left_out.contains(word)).collect();
    let after = parameters.1 + 1..old.map_or(member.last, |(open, _)| open);
    Some(format!(
        "{} {} {}{} {} {{ {body} }}",
        modifiers.join(" "),
        source.between(declared.start, declared.end),
        source.token(*name_at),
        source.between(parameters.0, parameters.1 + 1),
        source.between(after.start, after.end),
    ))
}

fn list_resources(root: &Path, dir: &Path, found: &mut Vec<PathBuf>) -> Result<()> {
    for entry in fs::read_dir(dir).with_context(|| format!("cannot list {}", dir.display()))? {
        let path = entry?.path();
        if path.is_dir() {
            list_resources(root, &path, found)?;
        } else if path
            .extension()
            .is_none_or(|extension| extension != "class")
        {
            found.push(path.strip_prefix(root)?.to_path_buf());
        }
    }
    Ok(())
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// A library of one file and a test of one file.
    pub(crate) fn code_base(main: &str, test: &str) -> CodeBase {
        CodeBase {
            files: vec![
                SourceFile::new(Path::new("A.java"), Part::Main, main.to_owned()),
                SourceFile::new(Path::new("ATest.java"), Part::Tests, test.to_owned()),
            ],
            resources: Vec::new(),
        }
    }

    /// What the files look like after each change.
    pub(crate) fn texts(code: &CodeBase, changes: &[Change]) -> Vec<String> {
        let texts = changes.iter().map(|change| match change {
            Change::Source { file, edits } => code.files[*file].edited(edits),
            Change::Resource { path, edit } => format!("{edit:?} {}", path.display()),
        });
        texts.collect()
    }

    #[test]
    fn superclasses_within_the_code() {
        let code = code_base("class A extends B { } class B extends C { }", "");
        let first = code.types().next().unwrap();
        let names: Vec<_> = code
            .superclasses(first)
            .iter()
            .map(|found| found.declaration.name.clone())
            .collect();
        assert_eq!(names, ["B"]);
    }

    #[test]
    fn a_circle_of_superclasses_ends() {
        let code = code_base(
            "class A extends B { } class B extends C { } class C extends B { }",
            "",
        );
        assert!(code.superclasses(code.types().next().unwrap()).len() < 30);
    }
}
