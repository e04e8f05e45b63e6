//! The change kinds of SPEC 2.4 and the meshes of DESIGN 1.

use std::fmt;

/// What changed in a class, in the words of SPEC 2.4. `Display` gives the papers' short codes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ChangeKind {
    /// `AF`: the class file is new.
    AddedFile,
    /// `DF`: the class file is gone.
    DeletedFile,
    /// `CH`: the head changed and nothing else did.
    HeadChanged,
    /// `CF`: any other change of the file.
    FileChanged,
    /// `ASI`: there is a `<clinit>` now.
    AddedStaticInitializer,
    /// `DSI`: the `<clinit>` is gone.
    DeletedStaticInitializer,
    /// `CSI`: the `<clinit>` changed.
    ChangedStaticInitializer,
    /// `AI`: a constructor is new.
    AddedInstanceInitializer,
    /// `DI`: a constructor is gone.
    DeletedInstanceInitializer,
    /// `CI`: a constructor changed.
    ChangedInstanceInitializer,
    /// `ASM`: a static method is new.
    AddedStaticMethod,
    /// `DSM`: a static method is gone.
    DeletedStaticMethod,
    /// `CSM`: a static method changed.
    ChangedStaticMethod,
    /// `AIM`: an instance method is new.
    AddedInstanceMethod,
    /// `DIM`: an instance method is gone.
    DeletedInstanceMethod,
    /// `CIM`: an instance method changed.
    ChangedInstanceMethod,
    /// `AFD`: a field is new. (HyRTS does not trace fields; SPEC 2.4 does.)
    AddedField,
    /// `DFD`: a field is gone.
    DeletedField,
    /// `CFD`: a field has another type, other flags or another generic signature.
    ChangedField,
    /// `CM`: what only a listing by reflection shows changed: the order of fields or of methods of one
    /// name, the member classes, the nest members.
    MembersChanged,
}

/// How fine a sieve selection uses; each finer mesh selects a subset of the coarser one's tests.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Mesh {
    /// Any change of a used file (Ekstazi).
    File,
    /// Heads, methods, fields (HyRTSf); the default.
    Method,
    /// Added and deleted methods through look-up changes (HyRTS).
    Dispatch,
    /// Changed methods block by block (HyRTSb).
    Block,
}

impl ChangeKind {
    /// All of them, in the order of the specification.
    pub const ALL: &[Self] = &[
        Self::AddedFile,
        Self::DeletedFile,
        Self::HeadChanged,
        Self::FileChanged,
        Self::AddedStaticInitializer,
        Self::DeletedStaticInitializer,
        Self::ChangedStaticInitializer,
        Self::AddedInstanceInitializer,
        Self::DeletedInstanceInitializer,
        Self::ChangedInstanceInitializer,
        Self::AddedStaticMethod,
        Self::DeletedStaticMethod,
        Self::ChangedStaticMethod,
        Self::AddedInstanceMethod,
        Self::DeletedInstanceMethod,
        Self::ChangedInstanceMethod,
        Self::AddedField,
        Self::DeletedField,
        Self::ChangedField,
        Self::MembersChanged,
    ];

    /// The papers' short code.
    pub fn code(self) -> &'static str {
        match self {
            Self::AddedFile => "AF",
            Self::DeletedFile => "DF",
            Self::HeadChanged => "CH",
            Self::FileChanged => "CF",
            Self::AddedStaticInitializer => "ASI",
            Self::DeletedStaticInitializer => "DSI",
            Self::ChangedStaticInitializer => "CSI",
            Self::AddedInstanceInitializer => "AI",
            Self::DeletedInstanceInitializer => "DI",
            Self::ChangedInstanceInitializer => "CI",
            Self::AddedStaticMethod => "ASM",
            Self::DeletedStaticMethod => "DSM",
            Self::ChangedStaticMethod => "CSM",
            Self::AddedInstanceMethod => "AIM",
            Self::DeletedInstanceMethod => "DIM",
            Self::ChangedInstanceMethod => "CIM",
            Self::AddedField => "AFD",
            Self::DeletedField => "DFD",
            Self::ChangedField => "CFD",
            Self::MembersChanged => "CM",
        }
    }

    /// The kind in words, for people.
    pub fn words(self) -> &'static str {
        match self {
            Self::AddedFile => "class added",
            Self::DeletedFile => "class deleted",
            Self::HeadChanged => "head changed",
            Self::FileChanged => "class changed",
            Self::AddedStaticInitializer => "static initializer added",
            Self::DeletedStaticInitializer => "static initializer deleted",
            Self::ChangedStaticInitializer => "static initializer changed",
            Self::AddedInstanceInitializer => "constructor added",
            Self::DeletedInstanceInitializer => "constructor deleted",
            Self::ChangedInstanceInitializer => "constructor changed",
            Self::AddedStaticMethod => "static method added",
            Self::DeletedStaticMethod => "static method deleted",
            Self::ChangedStaticMethod => "static method changed",
            Self::AddedInstanceMethod => "method added",
            Self::DeletedInstanceMethod => "method deleted",
            Self::ChangedInstanceMethod => "method changed",
            Self::AddedField => "field added",
            Self::DeletedField => "field deleted",
            Self::ChangedField => "field changed",
            Self::MembersChanged => "member order or member classes changed",
        }
    }
}

impl fmt::Display for ChangeKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.code())
    }
}

impl Mesh {
    /// The name that options and reports use.
    pub fn name(self) -> &'static str {
        match self {
            Self::File => "file",
            Self::Method => "method",
            Self::Dispatch => "dispatch",
            Self::Block => "block",
        }
    }
}

impl fmt::Display for Mesh {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
