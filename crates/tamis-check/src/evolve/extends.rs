//! E1 *add extends* and E8 *remove extends*: the superclass of a class changes.
//!
//! ## What changes
//! E1 gives a class without a superclass each other class in turn. E8 takes the superclass away.
//!
//! ## Why tools get it wrong
//! Members come from above: a call, a field or an initial state may change although no class with
//! code of its own changed. A tool that looks at bodies only sees an empty class stay empty.
//!
//! ## Example
//! ```java
//! class A { int f = 1; }   class B { }            // before
//! class A { int f = 1; }   class B extends A { }  // E1: objects of B have a field
//! ```

use crate::program::{Kind, Program};

/// E1.
pub(super) fn add(program: &Program) -> Vec<Program> {
    let is_class = |index: &usize| program.types[*index].kind != Kind::Interface;
    let all = 0..program.types.len();
    let classes: Vec<_> = all.filter(is_class).collect();
    let mut changed = Vec::new();
    for lower in &classes {
        let is_possible = |upper: &&usize| !program.is_subtype(**upper, *lower);
        if program.types[*lower].superclass.is_some() {
            continue;
        }
        changed.extend(classes.iter().filter(is_possible).map(|upper| {
            let mut after = program.clone();
            after.types[*lower].superclass = Some(*upper);
            after
        }));
    }
    changed
}

/// E8.
pub(super) fn remove(program: &Program) -> Vec<Program> {
    let all = 0..program.types.len();
    let lower = all.filter(|index| program.types[*index].superclass.is_some());
    let removed = lower.map(|index| {
        let mut after = program.clone();
        after.types[index].superclass = None;
        after
    });
    removed.collect()
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
        places: 3
        0
          p/A.java
            - public class A {
            + public class A extends D {
        1
          p/D.java
            - public class D implements C {
            + public class D extends A implements C {
        2
          p/D.java
            - public class D implements C {
            + public class D extends B implements C {
        "#);
    }

    #[test]
    fn removed() {
        let changes = differences(&sample(), &remove(&sample()));
        insta::assert_snapshot!(changes, @r#"
        places: 1
        0
          p/sub/B.java
            - public class B extends A {
            + public class B {
        "#);
    }
}
