//! The words of the specification as types: names, paths, checksums, change kinds, entities, facts, records.
//!
//! Every other crate speaks in these. There is no logic here beyond spelling a word for a person,
//! and there are no dependencies, because the agent inside other people's JVMs uses them too.
#![warn(missing_docs)]

mod change;
mod checksum;
mod entity;
mod fact;
mod name;
mod outside;
mod path;
mod raw_text;
mod record;

pub use change::{ChangeKind, Mesh};
pub use checksum::Checksum;
pub use entity::{EntityId, Realm};
pub use fact::{Fact, Subject, SubjectKind};
pub use name::{ClassName, FieldId, MethodId, ModifiedUtf8};
pub use outside::Outside;
pub use path::FilePath;
pub use raw_text::RawText;
pub use record::{Record, RunVerdict, TestList, TestOutcome, TestRecord};
