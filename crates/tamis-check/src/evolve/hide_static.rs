//! *hide-static*: a subclass declares a static method or field that its superclass has too.
//!
//! ## What changes
//! A static method with another constant, or a static field with another value, is added to a class
//! below the one that declares it.
//!
//! ## Why tools get it wrong
//! Static members are chosen by the compiler, but the class file of a caller may still name the
//! subclass (`B.m()`), so that the JVM finds the new member without any change of the caller.
//!
//! ## Example
//! ```java
//! class A { static int m() { return 1; } }  class B extends A { }
//! class A { static int m() { return 1; } }  class B extends A { static int m() { return 91; } }
//! ```

use crate::program::{Body, Kind, Program};

pub(super) fn add(program: &Program) -> Vec<Program> {
    let mut changed = Vec::new();
    for (upper, part) in program.types.iter().enumerate() {
        let all = 0..program.types.len();
        let lower: Vec<_> = all
            .filter(|at| *at != upper && program.is_subtype(*at, upper))
            .filter(|_| part.kind != Kind::Interface)
            .collect();
        for at in lower {
            for method in part.methods.iter().filter(|method| method.is_static) {
                let mut after = program.clone();
                let mut hiding = method.clone();
                hiding.body = Some(Body::returning(method.result.constant(91)));
                after.types[at].methods.push(hiding);
                changed.push(after);
            }
            for field in part.fields.iter().filter(|field| field.is_static) {
                let mut after = program.clone();
                let mut hiding = field.clone();
                hiding.initial = Some(field.value_type.constant(91));
                after.types[at].fields.push(hiding);
                changed.push(after);
            }
        }
    }
    changed
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evolve::difference::differences;
    use crate::program::sample::sample;

    #[test]
    fn added() {
        let changes = differences(&sample(), &add(&sample()));
        insta::assert_snapshot!(changes, @r#"
        places: 1
        0
          p/sub/B.java
            + public static int g = 91;
        "#);
    }
}
