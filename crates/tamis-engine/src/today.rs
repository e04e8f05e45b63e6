//! What is true today: the values that the subjects of facts have now, and which facts are broken.
//!
//! Nearly everything is as it was, so the way there is to read as little as possible: stamps before bytes,
//! checksums of whole classes before those of their parts. `docs/design/today.md` has the argument that
//! nothing is taken for true that is not.

mod as_file;
mod aspects;
mod broken;
mod changed_methods;
mod class_states;
mod class_sums;
mod concerned;
mod files;
mod paths;
mod properties;
mod setters_elsewhere;
mod variables;

use std::collections::BTreeSet;

use tamis_facts::{Checksum, Outside};

pub(crate) use self::as_file::changes;
pub use self::as_file::{AsFile, counting_as_file};
pub(crate) use self::aspects::{inner_class, nest_member};
pub use self::broken::{broken, value};
pub use self::changed_methods::KeptClasses;
pub(crate) use self::changed_methods::{ChangedMethod, changed_methods};
pub use self::class_states::ClassStates;
pub use self::class_sums::{ClassParts, ClassSums};
pub(crate) use self::class_sums::{of_names, without_number};
pub use self::files::files;
pub(crate) use self::files::files_and_changes;
pub use self::paths::Paths;
pub use self::properties::Properties;
pub(crate) use self::properties::is_single;
pub use self::variables::Variables;

/// What is known of something today.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum State<T> {
    /// There is no such thing.
    Absent,
    /// It is so.
    Known(T),
    /// It cannot be told; what stands in the way, for people. Whoever relies on it runs.
    Unknown(String),
}

/// What facts are compared with.
#[derive(Debug, Clone, Copy)]
pub struct World<'w> {
    /// The classes of a class path.
    pub classes: &'w ClassStates<'w>,
    /// Single files.
    pub paths: Paths<'w>,
    /// Single environment variables.
    pub variables: &'w Variables,
    /// Everything that is one value for a whole JVM.
    pub circumstances: &'w Circumstances,
}

/// The values of the coarse facts today.
#[derive(Debug, Clone)]
pub struct Circumstances {
    /// The files of the module.
    pub files: State<Checksum>,
    /// The configuration of the build.
    pub configuration: State<Checksum>,
    /// The properties that the build hands to tests.
    pub properties: Properties,
    /// All environment variables.
    pub environment: State<Checksum>,
    /// What of the outside the user does not trust.
    pub untrusted: BTreeSet<Outside>,
    /// The JVM.
    pub jvm: State<Checksum>,
    /// What facts mean to this Tamis.
    pub semantics: Checksum,
}

impl<T> State<T> {
    /// The same with another value.
    pub fn map<U>(self, change: impl FnOnce(T) -> U) -> State<U> {
        match self {
            Self::Absent => State::Absent,
            Self::Known(value) => State::Known(change(value)),
            Self::Unknown(why) => State::Unknown(why),
        }
    }

    /// The value, or why there is none.
    pub(crate) fn known(self) -> Result<T, String> {
        match self {
            Self::Known(value) => Ok(value),
            Self::Absent => Err("it is not there".to_owned()),
            Self::Unknown(why) => Err(why),
        }
    }
}
