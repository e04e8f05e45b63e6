//! *rename*: a type, or all methods or fields of a name, get another one.
//!
//! ## What changes
//! The name and everything in the code that uses it; tests do not change, so they must not use it.
//!
//! ## Why tools get it wrong
//! Nothing should fail that does not look at names; a tool that takes the new class for unrelated
//! to the old one must still run whoever used the old one, and keep its data in order.

use std::collections::BTreeSet;

use crate::program::{Expression, Program};

/// No generated program has these.
const TYPE: &str = "Renamed";
const MEMBER: &str = "renamed";

pub(super) fn all(program: &Program) -> Vec<Program> {
    let mut changed: Vec<_> = (0..program.types.len())
        .map(|index| {
            let mut after = program.clone();
            TYPE.clone_into(&mut after.types[index].name);
            after
        })
        .collect();
    let methods = program.types.iter().flat_map(|part| &part.methods);
    let methods: BTreeSet<_> = methods.map(|method| &method.name).collect();
    changed.extend(methods.iter().map(|name| rename_methods(program, name)));
    let fields = program.types.iter().flat_map(|part| &part.fields);
    let fields: BTreeSet<_> = fields.map(|field| &field.name).collect();
    changed.extend(fields.iter().map(|name| rename_fields(program, name)));
    changed
}

fn rename_methods(program: &Program, old: &str) -> Program {
    let mut after = program.clone();
    let methods = after.types.iter_mut().flat_map(|part| &mut part.methods);
    for method in methods.filter(|method| method.name == old) {
        MEMBER.clone_into(&mut method.name);
    }
    after.visit_expressions_mut(&mut |part| match part {
        Expression::Call { name, .. } if name == old => MEMBER.clone_into(name),
        _ => {}
    });
    after
}

fn rename_fields(program: &Program, old: &str) -> Program {
    let mut after = program.clone();
    let fields = after.types.iter_mut().flat_map(|part| &mut part.fields);
    for field in fields.filter(|field| field.name == old) {
        MEMBER.clone_into(&mut field.name);
    }
    after.visit_field_names_mut(&mut |name| {
        if name == old {
            MEMBER.clone_into(name);
        }
    });
    after
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evolve::difference::differences;
    use crate::program::sample::sample;

    #[test]
    fn renamed() {
        let changes = differences(&sample(), &all(&sample()));
        insta::assert_snapshot!(changes, @r#"
        places: 9
        0
          - p/A.java
          + p/Renamed.java
          p/C.java
            - public A o();
            + public Renamed o();
          p/D.java
            - public A o() {
            + public Renamed o() {
          p/sub/B.java
            - public class B extends A {
            + public class B extends Renamed {
        1
          - p/sub/B.java
          + p/sub/Renamed.java
          p/D.java
            - return new B();
            + return new Renamed();
        2
          - p/C.java
          + p/Renamed.java
          p/D.java
            - public class D implements C {
            + public class D implements Renamed {
        3
          - p/D.java
          + p/Renamed.java
        "#);
    }
}
