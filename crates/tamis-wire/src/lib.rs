//! What the agent inside a JVM and the `tamis` process outside say to each other.
//!
//! Bytes in, messages out, and back: this crate does no I/O. The agent trusts the process no more
//! than the process trusts the agent: any bytes give a message or a named [`WireError`], no length is
//! believed before it is checked, and nothing panics. `docs/design/protocol.md` has the byte layout.
#![warn(missing_docs)]

mod content_hash;
mod error;
mod field;
mod frame;
mod unit_set;

mod accessed;
mod asker;
mod bye;
mod class_loaded;
mod entity;
mod hello;
mod library;
mod marks;
mod message;
mod notice;
mod sighted;
mod working;

pub use accessed::{Access, Accessed, FileStamp, Found, Sight, Unseen};
pub use asker::Asker;
pub use bye::Bye;
pub use class_loaded::{ClassLoaded, Initialiser, Probing};
pub use content_hash::ContentHash;
pub use entity::{Discovered, EntityBegin, EntityEnd, EntityKind, Outcome, TestEnd, Verdict};
pub use error::{WireError, WireErrorKind};
pub use frame::{Frame, MAX_FRAME};
pub use hello::{Granularity, Hello, Marking, Parent, Session, Token, VERSION};
pub use library::{is_harness, is_logging};
pub use marks::{Marks, Segment};
pub use message::{FromAgent, ToAgent};
pub use notice::{Forked, Unsupported};
pub use sighted::{Sighted, Sighting};
pub use unit_set::{N_ACCESSES, N_SIGHTINGS, N_UNITS, UnitSet};
pub use working::Working;
