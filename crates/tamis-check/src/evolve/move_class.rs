//! *move-class*: a type moves to the other package of the program.
//!
//! ## What changes
//! The package of a type, in a program that has types in both packages before and after. Sources
//! import both, so no other text changes; what is private to a package is no longer seen.
//!
//! ## Why tools get it wrong
//! A class vanishes and another appears; who finds it by reflection, or lives from access within
//! the package, is concerned, and so is who overrides a method that is private to a package.

use crate::program::{Package, Program};

pub(super) fn to_other_package(program: &Program) -> Vec<Program> {
    if !program.has_sub_package() {
        return Vec::new();
    }
    // The first type holds the main package open, for imports.
    let moved = (1..program.types.len()).map(|index| {
        let mut after = program.clone();
        let package = &mut after.types[index].package;
        *package = match package {
            Package::Main => Package::Sub,
            Package::Sub => Package::Main,
        };
        after
    });
    moved.filter(Program::has_sub_package).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evolve::difference::differences;
    use crate::program::sample::sample;

    #[test]
    fn moved() {
        let changes = differences(&sample(), &to_other_package(&sample()));
        insta::assert_snapshot!(changes, @r#"
        places: 2
        0
          - p/C.java
          + p/sub/C.java
        1
          - p/D.java
          + p/sub/D.java
        "#);
    }
}
