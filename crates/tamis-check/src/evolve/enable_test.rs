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
