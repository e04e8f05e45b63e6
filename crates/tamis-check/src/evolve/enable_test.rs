//! *enable-test*: a test that was switched off is switched on.
//!
//! ## What changes
//! `@Disabled` (JUnit 4: `@Ignore`) goes from a test method; then it passes or fails. The code under
//! test stays.
//!
//! ## Why tools get it wrong
//! The test never ran, so nothing is known of it; its class did run, and only an annotation of it
//! changes, which a checksum of bodies does not see.

use super::{EnabledTest, Evolution, Source};

pub(super) fn evolutions(source: Source<'_>) -> Vec<Evolution> {
    let mut evolutions = Vec::new();
    for class in 0..source.bounds.n_test_classes.max(2) {
        for method in 0..source.bounds.n_test_methods.max(1) {
            evolutions.extend([false, true].map(|fails| Evolution {
                enabled: Some(EnabledTest {
                    class,
                    method,
                    fails,
                }),
                ..Evolution::new(source.program(), source.program().clone())
            }));
        }
    }
    evolutions
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::constraint::Constraint;
    use crate::evolving::Bounds;
    use crate::generate::Space;

    #[test]
    fn each_test_once_to_pass_and_once_to_fail() {
        let bounds = Bounds::default();
        let space = Space::new(&bounds);
        let base = (0..).find_map(|number| space.base(number)).unwrap();
        let found = evolutions(Source {
            base: &base,
            space: &space,
            constraint: Constraint::Unconstrained,
            bounds: &bounds,
        });
        assert_eq!(found.len(), 2 * 3 * 2);
        assert!(
            found
                .iter()
                .all(|evolution| evolution.before == evolution.after)
        );
    }
}
