//! E6 *next program*: the program becomes the one that is generated after it.
//!
//! ## What changes
//! The last choice of the generator: as a rule the body of the last method, at the end of its
//! choices the signature of a method.
//!
//! ## Why tools get it wrong
//! It is a change that nobody chose for what it shows.

use super::Source;
use crate::program::Program;

/// E6: the next few that hold the same constraint.
pub(super) fn next(source: Source<'_>) -> Vec<Program> {
    let is_wanted = |program: &Program| source.constraint.holds(program);
    let next = source.space.next(source.base, is_wanted);
    next.into_iter().map(|base| base.program).collect()
}
