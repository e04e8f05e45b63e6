//! E2 *copy field* and E3 *copy field and replace*: a field appears in another type.
//!
//! ## What changes
//! E2 copies a field to each other type that has none of that name; E3 gives the copy another
//! initial value, if it is primitive.
//!
//! ## Why tools get it wrong
//! The copy may hide the field of a superclass, so that unchanged code in the class reads it
//! instead, and the state of objects grows. A copied constant is compiled into its users.
//!
//! ## Example
//! ```java
//! class A { int f = 1; }  class B extends A { int m() { return this.f; } }             // 1
//! class A { int f = 1; }  class B extends A { int f = 2; int m() { return this.f; } }  // 2
//! ```

use crate::program::{Expression, Field, Program};

/// E2.
pub(super) fn copy(program: &Program) -> Vec<Program> {
    copy_with(program, |field| Some(field.clone()))
}

/// E3.
pub(super) fn copy_and_replace(program: &Program) -> Vec<Program> {
    copy_with(program, replaced)
}

fn copy_with(program: &Program, make: fn(&Field) -> Option<Field>) -> Vec<Program> {
    let mut changed = Vec::new();
    for (from, part) in program.types.iter().enumerate() {
        for copy in part.fields.iter().filter_map(make) {
            let others = (0..program.types.len()).filter(|to| *to != from);
            changed.extend(others.map(|to| {
                let mut after = program.clone();
                after.types[to].fields.push(copy.clone());
                after
            }));
        }
    }
    changed
}

fn replaced(field: &Field) -> Option<Field> {
    let initial = match &field.initial {
        Some(Expression::Constant(value_type, value)) => {
            Expression::Constant(*value_type, value + 31)
        }
        Some(Expression::Computed(value_type, value)) => {
            Expression::Computed(*value_type, value + 31)
        }
        None if field.value_type.is_primitive() => field.value_type.constant(31),
        _ => return None,
    };
    Some(Field {
        initial: Some(initial),
        ..field.clone()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evolve::difference::differences;
    use crate::program::sample::sample;

    #[test]
    fn copied() {
        let changes = differences(&sample(), &copy(&sample()));
        insta::assert_snapshot!(changes, @r#"
        places: 9
        0
          p/sub/B.java
            + public int f = 10;
        1
          p/C.java
            + public int f = 10;
        2
          p/D.java
            + public int f = 10;
        3
          p/sub/B.java
            + public static int g = 11;
        "#);
    }

    #[test]
    fn copied_and_replaced() {
        let changes = differences(&sample(), &copy_and_replace(&sample()));
        insta::assert_snapshot!(changes, @r#"
        places: 9
        0
          p/sub/B.java
            + public int f = 41;
        1
          p/C.java
            + public int f = 41;
        2
          p/D.java
            + public int f = 41;
        3
          p/sub/B.java
            + public static int g = 42;
        "#);
    }
}
