//! What test frameworks tell through their doors, as entities that are shown, begin and end.
//!
//! Objects of a framework are known again by the numbers put on them (JVMTI tags), so that most
//! boundaries cost no call into the framework.

mod junit4;
mod platform;
