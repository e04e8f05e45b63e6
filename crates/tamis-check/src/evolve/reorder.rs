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
