//! What a test saw: facts, each about something, with the value that it had then.

use std::fmt;

use crate::checksum::Checksum;
use crate::name::{ClassName, FieldId, MethodId};
use crate::outside::Outside;
use crate::path::FilePath;
use crate::raw_text::RawText;

/// Something was so. It is *true* today if today's value is the same, else *broken*.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Fact {
    /// What it is about, in the realm of the entity that saw it.
    pub subject: Subject,
    /// What was seen; none if there was no such thing. (Something that could not be read is no fact: it
    /// makes a run that cannot be recorded.)
    pub value: Option<Checksum>,
}

/// What a fact is about.
///
/// A class is looked for as the JVM would: the first one of its name on the class path of today counts,
/// so that upgrades, shadowing and another order come out right.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Subject {
    /// The smart checksum of a class of which finer facts are known too; or that there is none.
    Class(ClassName),
    /// The smart checksum of a class of which nothing finer was seen.
    Whole(ClassName),
    /// What a class declares beside its members, and what of them can be overridden or hidden.
    Head(ClassName),
    /// What a class declares beside its members, and its final methods: the head of the finer meshes.
    Declaration(ClassName),
    /// The superclass and the interfaces of a class, in order.
    Supertypes(ClassName, Vec<ClassName>),
    /// One thing that a JVM asks of a class when it links or shows another one, by its checksum: what the class extends, or that it
    /// lists that one as part of it. The value is the checksum of the whole class: while that is the same, so is this.
    Aspect(ClassName, Checksum),
    /// A method: its code and declaration.
    Method(ClassName, MethodId),
    /// A field: its declaration.
    Field(ClassName, FieldId),
    /// Which methods of the class set a static field that it declares, its initialiser aside; or that none does.
    Setters(ClassName, FieldId),
    /// Which methods of other classes in directories set it; or that none does.
    SettersElsewhere(ClassName, FieldId),
    /// A basic block of a method, by its number, with the checksum of the method. It is broken if the method changed in such
    /// a way that who ran the block may see it.
    Block(ClassName, MethodId, u32),
    /// The members of a class as reflection lists them.
    Members(ClassName),
    /// Which fields a class declares that others can see.
    Fields(ClassName),
    /// Which instance methods a class declares that can be overridden: where it is not known which are called.
    Signatures(ClassName),
    /// How a method is found that code names by a class: whether, and who may call it. Which one runs is a matter
    /// of the receiver.
    Resolution(ClassName, MethodId),
    /// Which method runs when this one is called on an object of the class.
    Dispatch(ClassName, MethodId),
    /// Which methods run when code that is not seen, as the JDK's, calls those that it knows on an object of the
    /// class.
    Callbacks(ClassName),
    /// All that code in directories sets of static fields of other classes. Nobody relies on it: while it is true, facts about who sets a single
    /// field elsewhere are.
    AllSettersElsewhere,
    /// The names of all classes on the class path: where it was not seen which were looked for.
    ClassNames,
    /// Everything of this name on the class path, in the order of the search; or that there is nothing.
    Resource(RawText),
    /// All archives on the class path: where all members were asked for, or it was not seen which.
    Archives,
    /// The content of a file; or that there is none.
    File(FilePath),
    /// What lies under a path: a file, a directory, something else; or nothing.
    Presence(FilePath),
    /// The names in a directory; or that there is none.
    Listing(FilePath),
    /// Where a path leads over links, and what it says itself if it is one.
    Link(FilePath),
    /// All files of the module that a test might read, their paths included: where it was not seen which it read.
    Files,
    /// The configuration of the build for these tests.
    Configuration,
    /// A system property that the build hands to tests; or that it hands over no such one.
    Property(RawText),
    /// All of these: where all were asked for, or it was not seen which.
    Properties,
    /// An environment variable; or that there is none.
    Variable(RawText),
    /// All environment variables: where all were asked for, or it was not seen which.
    Environment,
    /// Something that no fact covers. It has no value: it is true where the user trusts what is outside.
    Outside(Outside),
    /// The JVM: which JDK, with which arguments.
    Jvm,
    /// What facts mean: another version of Tamis may see more.
    Semantics,
}

/// The kind of a subject, as it is stored and counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(missing_docs, reason = "each is the subject of the same name")]
pub enum SubjectKind {
    Class,
    Whole,
    Head,
    Declaration,
    Supertypes,
    Aspect,
    Method,
    Field,
    Setters,
    SettersElsewhere,
    Block,
    Members,
    Fields,
    Signatures,
    Resolution,
    Dispatch,
    Callbacks,
    AllSettersElsewhere,
    ClassNames,
    Resource,
    Archives,
    File,
    Presence,
    Listing,
    Link,
    Files,
    Configuration,
    Property,
    Properties,
    Variable,
    Environment,
    Outside,
    Jvm,
    Semantics,
}

impl Subject {
    /// Its kind.
    pub fn kind(&self) -> SubjectKind {
        match self {
            Self::Class(_) => SubjectKind::Class,
            Self::Whole(_) => SubjectKind::Whole,
            Self::Head(_) => SubjectKind::Head,
            Self::Declaration(_) => SubjectKind::Declaration,
            Self::Supertypes(..) => SubjectKind::Supertypes,
            Self::Aspect(..) => SubjectKind::Aspect,
            Self::Method(..) => SubjectKind::Method,
            Self::Field(..) => SubjectKind::Field,
            Self::Setters(..) => SubjectKind::Setters,
            Self::SettersElsewhere(..) => SubjectKind::SettersElsewhere,
            Self::Block(..) => SubjectKind::Block,
            Self::Members(_) => SubjectKind::Members,
            Self::Fields(_) => SubjectKind::Fields,
            Self::Signatures(_) => SubjectKind::Signatures,
            Self::Resolution(..) => SubjectKind::Resolution,
            Self::Dispatch(..) => SubjectKind::Dispatch,
            Self::Callbacks(_) => SubjectKind::Callbacks,
            Self::AllSettersElsewhere => SubjectKind::AllSettersElsewhere,
            Self::ClassNames => SubjectKind::ClassNames,
            Self::Resource(_) => SubjectKind::Resource,
            Self::Archives => SubjectKind::Archives,
            Self::File(_) => SubjectKind::File,
            Self::Presence(_) => SubjectKind::Presence,
            Self::Listing(_) => SubjectKind::Listing,
            Self::Link(_) => SubjectKind::Link,
            Self::Files => SubjectKind::Files,
            Self::Configuration => SubjectKind::Configuration,
            Self::Property(_) => SubjectKind::Property,
            Self::Properties => SubjectKind::Properties,
            Self::Variable(_) => SubjectKind::Variable,
            Self::Environment => SubjectKind::Environment,
            Self::Outside(_) => SubjectKind::Outside,
            Self::Jvm => SubjectKind::Jvm,
            Self::Semantics => SubjectKind::Semantics,
        }
    }

    /// The class it is about, if it is about one.
    pub fn class(&self) -> Option<&ClassName> {
        match self {
            Self::Class(class)
            | Self::Whole(class)
            | Self::Head(class)
            | Self::Declaration(class)
            | Self::Supertypes(class, _)
            | Self::Aspect(class, _)
            | Self::Method(class, _)
            | Self::Field(class, _)
            | Self::Setters(class, _)
            | Self::SettersElsewhere(class, _)
            | Self::Block(class, ..)
            | Self::Members(class)
            | Self::Fields(class)
            | Self::Signatures(class)
            | Self::Resolution(class, _)
            | Self::Dispatch(class, _)
            | Self::Callbacks(class) => Some(class),
            _ => None,
        }
    }

    /// The path it is about, if it is about one.
    pub fn path(&self) -> Option<&FilePath> {
        match self {
            Self::File(path) | Self::Presence(path) | Self::Listing(path) | Self::Link(path) => {
                Some(path)
            }
            _ => None,
        }
    }

    /// The name of the resource, property or variable it is about, if it is about one.
    pub fn name(&self) -> Option<&RawText> {
        match self {
            Self::Resource(name) | Self::Property(name) | Self::Variable(name) => Some(name),
            _ => None,
        }
    }
}

impl SubjectKind {
    /// Whether it is about a class together with its supertypes.
    pub fn is_of_hierarchy(self) -> bool {
        matches!(self, Self::Resolution | Self::Dispatch | Self::Callbacks)
    }

    /// All of them, in the order of their numbers.
    pub const ALL: &[Self] = &[
        Self::Class,
        Self::Whole,
        Self::Head,
        Self::Declaration,
        Self::Supertypes,
        Self::Aspect,
        Self::Method,
        Self::Field,
        Self::Setters,
        Self::SettersElsewhere,
        Self::Block,
        Self::Members,
        Self::Fields,
        Self::Signatures,
        Self::Resolution,
        Self::Dispatch,
        Self::Callbacks,
        Self::AllSettersElsewhere,
        Self::ClassNames,
        Self::Resource,
        Self::Archives,
        Self::File,
        Self::Presence,
        Self::Listing,
        Self::Link,
        Self::Files,
        Self::Configuration,
        Self::Property,
        Self::Properties,
        Self::Variable,
        Self::Environment,
        Self::Outside,
        Self::Jvm,
        Self::Semantics,
    ];
}

impl fmt::Display for SubjectKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Class => "class",
            Self::Whole => "whole class",
            Self::Head => "head",
            Self::Declaration => "declaration",
            Self::Supertypes => "supertypes",
            Self::Aspect => "aspect",
            Self::Method => "method",
            Self::Field => "field",
            Self::Setters => "setters",
            Self::SettersElsewhere => "setters elsewhere",
            Self::Block => "block",
            Self::Members => "members",
            Self::Fields => "fields",
            Self::Signatures => "signatures",
            Self::Resolution => "resolution",
            Self::Dispatch => "dispatch",
            Self::Callbacks => "callbacks",
            Self::AllSettersElsewhere => "all setters elsewhere",
            Self::ClassNames => "class names",
            Self::Resource => "resource",
            Self::Archives => "archives",
            Self::File => "file",
            Self::Presence => "path",
            Self::Listing => "directory",
            Self::Link => "link",
            Self::Files => "files",
            Self::Configuration => "configuration",
            Self::Property => "property",
            Self::Properties => "properties",
            Self::Variable => "variable",
            Self::Environment => "environment",
            Self::Outside => "outside",
            Self::Jvm => "JVM",
            Self::Semantics => "meaning of facts",
        })
    }
}

impl fmt::Display for Subject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = self.kind();
        match self {
            Self::Block(class, method, block) => write!(f, "{kind} {block} of {class}.{method}"),
            Self::Method(class, method) | Self::Resolution(class, method) => {
                write!(f, "{kind} {class}.{method}")
            }
            Self::Dispatch(class, method) => write!(f, "{kind} {class}, {method}"),
            Self::Field(class, field)
            | Self::Setters(class, field)
            | Self::SettersElsewhere(class, field) => {
                write!(f, "{kind} {class}.{}", field.name)
            }
            Self::Class(class)
            | Self::Whole(class)
            | Self::Head(class)
            | Self::Declaration(class)
            | Self::Supertypes(class, _)
            | Self::Aspect(class, _)
            | Self::Members(class)
            | Self::Fields(class)
            | Self::Signatures(class)
            | Self::Callbacks(class) => write!(f, "{kind} {class}"),
            Self::File(path) | Self::Presence(path) | Self::Listing(path) | Self::Link(path) => {
                write!(f, "{kind} {path}")
            }
            Self::Resource(name) | Self::Property(name) | Self::Variable(name) => {
                write!(f, "{kind} {name}")
            }
            Self::Outside(outside) => write!(f, "{kind}: {outside}"),
            _ => kind.fmt(f),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn subjects_are_shown_with_their_kind() {
        let class = || ClassName::from("a/B");
        let method = MethodId {
            name: "m".into(),
            descriptor: "(I)V".into(),
        };
        let block = Subject::Block(class(), method.clone(), 3);
        assert_eq!(block.to_string(), "block 3 of a/B.m(I)V");
        assert_eq!(block.class(), Some(&class()));
        let subject = Subject::Method(class(), method);
        assert_eq!(subject.to_string(), "method a/B.m(I)V");
        assert_eq!(subject.class(), Some(&class()));
        assert_eq!(Subject::Members(class()).to_string(), "members a/B");
        assert_eq!(Subject::Files.to_string(), "files");
        assert_eq!(Subject::Files.class(), None);
        let file = Subject::File("a/b.txt".into());
        assert_eq!(file.to_string(), "file a/b.txt");
        assert_eq!(file.path(), Some(&FilePath::from("a/b.txt")));
        let variable = Subject::Variable("HOME".into());
        assert_eq!(variable.to_string(), "variable HOME");
        assert_eq!(variable.name(), Some(&RawText::from("HOME")));
    }

    #[test]
    fn kinds_are_listed_in_order() {
        assert!(SubjectKind::ALL.is_sorted());
        assert_eq!(SubjectKind::ALL.len(), 34);
    }
}
