//! E7 *increase constant*: a constant becomes larger.
//!
//! ## What changes
//! One literal, in the initialiser of a field, in a static initialiser, or in a body.
//!
//! ## Why tools get it wrong
//! The plainest change of code. A `static final` constant is compiled into its users, which then
//! change, while nobody ever touches the class that declares it; an initial value changes a
//! constructor or a static initialiser, which ran in the first test that needed it.
//!
//! ## Example
//! ```java
//! class A { int m() { return 1; } }
//! class A { int m() { return 2; } }
//! ```

use crate::program::{Body, Expression, Method, Program, ValueType};

/// E7.
pub(super) fn increase(program: &Program) -> Vec<Program> {
    let mut n_constants = 0;
    program
        .clone()
        .visit_expressions_mut(&mut |part| n_constants += usize::from(is_constant(part)));
    let changed = (0..n_constants).map(|wanted| {
        let mut after = program.clone();
        let mut number = 0;
        after.visit_expressions_mut(&mut |part| increase_one(part, wanted, &mut number));
        after
    });
    changed.collect()
}

/// The method with each constant of its body increased in turn.
pub(super) fn increased_in(method: &Method) -> Vec<Method> {
    let mut n_constants = 0;
    let expressions = method.body.iter().flat_map(Body::expressions);
    for expression in expressions {
        expression.visit(&mut |part| n_constants += usize::from(is_constant(part)));
    }
    let changed = (0..n_constants).map(|wanted| {
        let mut method = method.clone();
        let mut number = 0;
        let expressions = method.body.iter_mut().flat_map(Body::expressions_mut);
        for expression in expressions {
            expression.visit_mut(&mut |part| increase_one(part, wanted, &mut number));
        }
        method
    });
    changed.collect()
}

fn is_constant(part: &Expression) -> bool {
    match part {
        // Of two booleans, true is the larger one.
        Expression::Constant(ValueType::Boolean, value)
        | Expression::Computed(ValueType::Boolean, value) => value % 2 == 0,
        Expression::Constant(..) | Expression::Computed(..) => true,
        _ => false,
    }
}

/// Counts constants and increases the wanted one.
fn increase_one(part: &mut Expression, wanted: usize, number: &mut usize) {
    if !is_constant(part) {
        return;
    }
    if let Expression::Constant(_, value) | Expression::Computed(_, value) = part
        && *number == wanted
    {
        *value += 1;
    }
    *number += 1;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evolve::difference::differences;
    use crate::program::sample::sample;

    #[test]
    fn increased() {
        let changes = differences(&sample(), &increase(&sample()));
        insta::assert_snapshot!(changes, @r#"
        places: 7
        0
          p/A.java
            - public int f = 10;
            + public int f = 11;
        1
          p/A.java
            - public static int g = 11;
            + public static int g = 12;
        2
          p/A.java
            - A.g = 12;
            + A.g = 13;
        3
          p/A.java
            - return 1;
            + return 2;
        "#);
    }
}
