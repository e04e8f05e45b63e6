//! *reorder-fields*: two fields of a class change places.
//!
//! ## What changes
//! The order of declaration; a test asks for the name of the first declared field by reflection.
//!
//! ## Why tools get it wrong
//! A checksum that sorts members does not see it. Initialisers run in another order too.
//!
//! ## Example
//! ```java
//! class A { int f; int g; }
//! class A { int g; int f; }   // A.class.getDeclaredFields()[0].getName()
//! ```

use super::{Evolution, Source, graft};

pub(super) fn fields(source: Source<'_>) -> Vec<Evolution> {
    let program = source.program();
    let mut evolutions = Vec::new();
    for (index, part) in program.types.iter().enumerate() {
        let java = format!(
            "{}.class.getDeclaredFields()[0].getName().hashCode()",
            part.name
        );
        for second in 1..part.fields.len() {
            let mut after = program.clone();
            after.types[index].fields.swap(0, second);
            let grafts = graft::test_grafts(source.bounds, &java).into_iter();
            evolutions.extend(grafts.map(|test_grafts| Evolution {
                test_grafts,
                ..Evolution::new(program, after.clone())
            }));
        }
    }
    evolutions
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::constraint::Constraint;
    use crate::evolving::Bounds;
    use crate::generate::{Space, Walk};
    use crate::program::Program;
    use crate::random::Random;

    #[test]
    fn the_first_field_changes_places_and_tests_look() {
        let bounds = Bounds::default();
        let space = Arc::new(Space::new(&bounds));
        let constraint = Constraint::SomeField;
        let walk = Walk::new(Arc::clone(&space), constraint, Random::new(1));
        let evolutions = walk.take(50).flat_map(|base| {
            fields(Source {
                base: &base,
                space: &space,
                constraint,
                bounds: &bounds,
            })
        });
        let evolutions: Vec<_> = evolutions.collect();
        assert!(evolutions.len() >= 3);
        for evolution in evolutions {
            let first = |program: &Program| {
                let types = program.types.iter();
                types
                    .filter_map(|part| Some(part.fields.first()?.name.clone()))
                    .collect::<Vec<_>>()
            };
            assert_ne!(first(&evolution.before), first(&evolution.after));
            assert!(!evolution.test_grafts.is_empty());
        }
    }
}
