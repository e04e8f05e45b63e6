//! What changed between two states of a class, in the change kinds of SPEC 2.4; and which tests to run.
//!
//! No I/O, no clock, no environment: whoever asks brings the bytes.
#![warn(missing_docs)]

mod class_state;
mod diff;
mod digest;
mod look_up;
mod selection;

pub use class_state::{ClassState, Opaque, Parts};
pub use diff::{Change, ChangedBlocks, Subject, blocks_changed, diff, kinds};
pub use digest::{Blake3, plain};
pub use look_up::{
    By, ByPackage, ChangedLookUp, Chosen, Classes, Declared, Found, Hierarchy, LookUpChange,
    Member, Resolution, Target, changed_look_ups,
};
pub use selection::{Decision, Reason, Today, counts, decide};
