//! *insert-lambda*: a method computes its result by way of a lambda.
//!
//! ## What changes
//! `return x;` becomes a call of a lambda that gives `x + 1`, or `x` if it is an object.
//!
//! ## Why tools get it wrong
//! The code moves to a synthetic method, and at run time to a hidden class that no file holds; the
//! numbers in the names of other lambdas change with it.
//!
//! ## Example
//! ```java
//! int m() { return 1; }
//! int m() { return ((Supplier<Integer>) () -> 1 + 1).get(); }
//! ```

use crate::program::{Expression, Program, Scope, ValueType};

pub(super) fn insert(program: &Program) -> Vec<Program> {
    let mut changed = Vec::new();
    for (index, part) in program.types.iter().enumerate() {
        for (number, method) in part.methods.iter().enumerate() {
            let Some(body) = &method.body else { continue };
            let Some(given) = program.type_of(&body.result, Scope::of(index, method)) else {
                continue;
            };
            let inner = match given {
                ValueType::Int | ValueType::Long => {
                    let one = Expression::Constant(ValueType::Int, 1);
                    Expression::Sum(Box::new(body.result.clone()), Box::new(one))
                }
                _ => body.result.clone(),
            };
            let mut after = program.clone();
            if let Some(body) = &mut after.types[index].methods[number].body {
                body.result = Expression::Lambda(given, Box::new(inner));
            }
            changed.push(after);
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
    fn inserted() {
        let changes = differences(&sample(), &insert(&sample()));
        insta::assert_snapshot!(changes, @r#"
        places: 6
        0
          p/A.java
            - return 1;
            + return ((java.util.function.Supplier<Integer>) () -> 1 + 1).get();
        1
          p/A.java
            - return 2;
            + return ((java.util.function.Supplier<Integer>) () -> 2 + 1).get();
        2
          p/A.java
            - return this.m(3);
            + return ((java.util.function.Supplier<Integer>) () -> this.m(3) + 1).get();
        3
          p/sub/B.java
            - return super.m();
            + return ((java.util.function.Supplier<Integer>) () -> super.m() + 1).get();
        "#);
    }
}
