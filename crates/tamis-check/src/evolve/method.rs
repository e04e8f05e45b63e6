//! E4 *copy method*, E5 *copy method and replace* and E9 *remove method*.
//!
//! ## What changes
//! E4 copies a method to each other type; E5 changes a constant in the body of the copy; E9 removes
//! a method.
//!
//! ## Why tools get it wrong
//! A copy in a subclass overrides, one in a type between takes over calls, one beside others is an
//! overload; a removal gives the calls back. Callers and tests stay as they are.
//!
//! ## Example
//! ```java
//! class A { int m() { return 1; } }  class B extends A { }                        // new B().m() is 1
//! class A { int m() { return 1; } }  class B extends A { int m() { return 9; } }  // E5: 9
//! ```

use super::constant;
use crate::program::{Method, Program};

/// E4.
pub(super) fn copy(program: &Program) -> Vec<Program> {
    copy_with(program, |method| vec![method.clone()])
}

/// E5.
pub(super) fn copy_and_replace(program: &Program) -> Vec<Program> {
    copy_with(program, constant::increased_in)
}

/// E9.
pub(super) fn remove(program: &Program) -> Vec<Program> {
    let mut changed = Vec::new();
    for (index, part) in program.types.iter().enumerate() {
        changed.extend((0..part.methods.len()).map(|method| {
            let mut after = program.clone();
            after.types[index].methods.remove(method);
            after
        }));
    }
    changed
}

fn copy_with(program: &Program, make: fn(&Method) -> Vec<Method>) -> Vec<Program> {
    let mut changed = Vec::new();
    for (from, part) in program.types.iter().enumerate() {
        for copy in part.methods.iter().flat_map(make) {
            let others = (0..program.types.len()).filter(|to| *to != from);
            changed.extend(others.map(|to| {
                let mut after = program.clone();
                after.types[to].methods.push(copy.clone());
                after
            }));
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
    fn copied() {
        let changes = differences(&sample(), &copy(&sample()));
        insta::assert_snapshot!(changes, @r#"
        places: 21
        0
          p/sub/B.java
            + public int m() {
            + return 1;
            + }
        1
          p/C.java
            + public default int m() {
            + return 1;
            + }
        2
          p/D.java
            + public int m() {
            + return 1;
            + }
        3
          p/sub/B.java
            + public int m(long p) {
            + this.f = 20;
            + return 2;
            + }
        "#);
    }

    #[test]
    fn copied_and_replaced() {
        let changes = differences(&sample(), &copy_and_replace(&sample()));
        insta::assert_snapshot!(changes, @r#"
        places: 12
        0
          p/sub/B.java
            + public int m() {
            + return 2;
            + }
        1
          p/C.java
            + public default int m() {
            + return 2;
            + }
        2
          p/D.java
            + public int m() {
            + return 2;
            + }
        3
          p/sub/B.java
            + public int m(long p) {
            + this.f = 21;
            + return 2;
            + }
        "#);
    }

    #[test]
    fn removed() {
        let changes = differences(&sample(), &remove(&sample()));
        insta::assert_snapshot!(changes, @r#"
        places: 7
        0
          p/A.java
            - public int m() {
            - return 1;
            - }
        1
          p/A.java
            - public int m(long p) {
            - this.f = 20;
            - return 2;
            - }
        2
          p/A.java
            - private long n() {
            - return this.m(3);
            - }
        3
          p/sub/B.java
            - public int m() {
            - return super.m();
            - }
        "#);
    }
}
