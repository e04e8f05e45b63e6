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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::constraint::Constraint;
    use crate::evolve::difference::differences;
    use crate::evolving::Bounds;
    use crate::generate::Space;

    #[test]
    fn the_last_choice_that_has_a_next_one() {
        let bounds = Bounds::default();
        let space = Space::new(&bounds);
        let base = (0..).find_map(|number| space.base(number)).unwrap();
        let source = Source {
            base: &base,
            space: &space,
            constraint: Constraint::Unconstrained,
            bounds: &bounds,
        };
        let changes = differences(&base.program, &next(source));
        insta::assert_snapshot!(changes, @r#"
        places: 1
        0
          p/A.java
            - public int m() {
            + int m() {
        "#);
    }
}
