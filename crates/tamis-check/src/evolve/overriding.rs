//! *add-override* and *remove-override*: a type declares an inherited method anew, or no longer.
//!
//! ## What changes
//! A method is added that a supertype has too: it returns another constant, adds one to what
//! `super` says, or returns a narrower type (for which the compiler adds a bridge). Or such a method
//! is removed.
//!
//! ## Why tools get it wrong
//! The method did not exist when its callers were recorded. Only who looked the call up in the
//! class, and found it further up, knows that he is concerned.
//!
//! ## Example
//! ```java
//! class A { int m() { return 1; } }  class B extends A { }
//! class A { int m() { return 1; } }  class B extends A { int m() { return super.m() + 1; } }
//! ```

use crate::program::{
    Access, Body, Expression, Kind, Method, Program, Receiver, TypeIndex, ValueType,
};

pub(super) fn add(program: &Program) -> Vec<Program> {
    let mut changed = Vec::new();
    for index in 0..program.types.len() {
        let methods = program.visible_methods(index, Some(index)).into_iter();
        let inherited = methods.filter(|(owner, m)| *owner != index && !m.is_static);
        for (_, method) in inherited {
            changed.extend(overrides(program, index, method).into_iter().map(|added| {
                let mut after = program.clone();
                after.types[index].methods.push(added);
                after
            }));
        }
    }
    changed
}

/// The methods that may override one in a type.
fn overrides(program: &Program, index: TypeIndex, method: &Method) -> Vec<Method> {
    let with = |result: ValueType, body: Expression| Method {
        access: match program.types[index].kind {
            Kind::Interface => Access::Public,
            _ => method.access,
        },
        result,
        body: Some(Body::returning(body)),
        ..method.clone()
    };
    let above = Expression::Call {
        on: Receiver::Super,
        name: method.name.clone(),
        argument: method.parameter.map(|_| Box::new(Expression::Parameter)),
    };
    let one = Expression::Constant(ValueType::Int, 1);
    match method.result {
        ValueType::Object(_) => vec![
            with(method.result, Expression::This),
            with(ValueType::Object(index), Expression::This),
            with(method.result, method.result.constant(0)),
        ],
        primitive => vec![
            with(primitive, primitive.constant(51)),
            with(primitive, Expression::Sum(Box::new(above), Box::new(one))),
        ],
    }
}

pub(super) fn remove(program: &Program) -> Vec<Program> {
    let mut changed = Vec::new();
    for (index, part) in program.types.iter().enumerate() {
        for (number, method) in part.methods.iter().enumerate() {
            let above = program.supertypes(index);
            let mut above = above.iter().flat_map(|up| &program.types[*up].methods);
            if !method.is_static && above.any(|m| m.has_signature_of(method) && !m.is_static) {
                let mut after = program.clone();
                after.types[index].methods.remove(number);
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
        places: 2
        0
          p/sub/B.java
            + public int m(long p) {
            + return 51;
            + }
        1
          p/sub/B.java
            + public int m(long p) {
            + return super.m(p) + 1;
            + }
        "#);
    }

    #[test]
    fn removed() {
        let changes = differences(&sample(), &remove(&sample()));
        insta::assert_snapshot!(changes, @r#"
        places: 2
        0
          p/sub/B.java
            - public int m() {
            - return super.m();
            - }
        1
          p/D.java
            - public A o() {
            - return new B();
            - }
        "#);
    }
}
