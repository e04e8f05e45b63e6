//! *add-static-initialiser* and *change-static-initialiser*.
//!
//! ## What changes
//! A class gets a block that assigns a static field, its own or another class's; or the value that
//! such a block assigns becomes larger; or an assignment goes.
//!
//! ## Why tools get it wrong
//! A static initialiser runs once in a JVM, in the first test that needs the class. The tests after
//! it depend on it as much, and nothing of it runs in them.
//!
//! ## Example
//! ```java
//! class A { static int f = 1; }
//! class A { static int f = 1;  static { A.f = 81; } }
//! ```

use crate::program::{Expression, Kind, Program, Receiver, Statement};

pub(super) fn add(program: &Program) -> Vec<Program> {
    let mut changed = Vec::new();
    for (index, part) in program.types.iter().enumerate() {
        if part.kind == Kind::Interface || !part.static_initialiser.is_empty() {
            continue;
        }
        for (owner, other) in program.types.iter().enumerate() {
            let fields = other.fields.iter();
            let assigned = fields.filter(|f| f.is_static && !f.is_final);
            changed.extend(assigned.map(|field| {
                let mut after = program.clone();
                let statement = Statement::Assign {
                    on: Receiver::Type(owner),
                    field: field.name.clone(),
                    value: field.value_type.constant(81),
                };
                after.types[index].static_initialiser.push(statement);
                after
            }));
        }
    }
    changed
}

pub(super) fn change(program: &Program) -> Vec<Program> {
    let mut changed = Vec::new();
    for (index, part) in program.types.iter().enumerate() {
        for number in 0..part.static_initialiser.len() {
            let mut other_value = program.clone();
            let statement = &mut other_value.types[index].static_initialiser[number];
            if let Expression::Constant(_, value) = statement.value_mut() {
                *value += 1;
            }
            let mut without = program.clone();
            without.types[index].static_initialiser.remove(number);
            changed.extend([other_value, without]);
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
    fn changed() {
        let changes = differences(&sample(), &change(&sample()));
        insta::assert_snapshot!(changes, @r#"
        places: 2
        0
          p/A.java
            - A.g = 12;
            + A.g = 13;
        1
          p/A.java
            - static {
            - A.g = 12;
            - }
        "#);
    }

    #[test]
    fn added() {
        let mut program = sample();
        program.types[0].static_initialiser.clear();
        let changes = differences(&program, &add(&program));
        insta::assert_snapshot!(changes, @r#"
        places: 3
        0
          p/A.java
            + static {
            + A.g = 81;
            + }
        1
          p/sub/B.java
            + static {
            + A.g = 81;
            + }
        2
          p/D.java
            + static {
            + A.g = 81;
            + }
        "#);
    }
}
