//! What is known of earlier runs, on disk: entities, records and the facts they rest on.
//!
//! An embedded SQLite database, since it survives crashes, is open to anybody's queries and to several
//! processes at once. The layout makes it fast: a fact is kept once, a record is a compact set of
//! numbers. `docs/design/store.md` has the tables and the argument that nothing wrong is ever read.
#![warn(missing_docs)]

mod blob;
mod class_files;
mod encode;
mod error;
mod fact_entry;
mod fact_groups;
mod facts;
mod in_turns;
mod kept_set;
mod known;
mod load;
mod open;
mod records;
mod schema;
mod seal;
mod settings;
mod slice;
mod stat_cache;
mod test_list;
mod varint;

pub use error::{OpenError, OpenErrorKind, StoreError};
pub use facts::{ClassFacts, Facts, KnownFact, Link, NameSum};
pub use kept_set::{KeptSet, Marks};
pub use known::{Entities, Entity, KeptRecord, Known};
pub use open::{Opened, SetAside, Store};
pub use records::{Counts, FactSet};
pub use stat_cache::{FileKey, FileStamp, StatCache, SumKind};
pub use test_list::{KeptTests, Tests};
