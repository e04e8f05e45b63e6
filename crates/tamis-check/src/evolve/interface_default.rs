//! *add-interface-default*: an interface gets a method with a body.
//!
//! ## What changes
//! A default method is added to an interface, alone or with a field that is computed when the
//! interface is initialised.
//!
//! ## Why tools get it wrong
//! Classes that implement the interface have a method more without being changed; it may be nearer
//! than another interface's, or a better overload. And an interface with a default method is
//! initialised together with the classes below it (JLS 12.4.1), one without is not: code that never
//! ran before runs now.
//!
//! ## Example
//! ```java
//! interface I { }                                              class A implements I { }
//! interface I { int h = Integer.valueOf(71);
//!               default int m() { return I.h; } }              class A implements I { }
//! ```

use super::graft::Gadget;
use crate::program::{
    Access, Body, Expression, Field, Kind, Method, Program, Receiver, TypeIndex, ValueType,
};

/// The name of the field, which no generated program has.
const FIELD: &str = "h";

pub(super) fn add(program: &Program) -> Vec<Program> {
    let all = 0..program.types.len();
    let interfaces = all.filter(|index| program.types[*index].kind == Kind::Interface);
    let parameters = [None, Some(ValueType::Int), Some(ValueType::Long)];
    let mut changed = Vec::new();
    for index in interfaces {
        for (name, result) in [("m", ValueType::Int), ("n", ValueType::Long)] {
            for parameter in parameters {
                let method = |body: Expression| Method {
                    name: name.to_owned(),
                    access: Access::Public,
                    is_static: false,
                    parameter,
                    result,
                    body: Some(Body::returning(body)),
                };
                changed.push(with(program, index, method(result.constant(71)), None));
                let read = Expression::Field {
                    on: Receiver::Type(index),
                    name: FIELD.to_owned(),
                };
                changed.push(with(program, index, method(read), Some(field())));
            }
        }
    }
    changed
}

fn field() -> Field {
    Field {
        name: FIELD.to_owned(),
        value_type: ValueType::Int,
        is_static: true,
        is_final: true,
        initial: Some(Expression::Computed(ValueType::Int, 71)),
    }
}

fn with(program: &Program, index: TypeIndex, method: Method, field: Option<Field>) -> Program {
    let mut after = program.clone();
    let interface = &mut after.types[index];
    interface.fields.extend(field);
    interface.methods.push(method);
    after
}

const COUNTER: (&str, &str) = (
    "Counter",
    "public class Counter {
    private static int count;
    public static int next() {
        return ++count;
    }
    public static int count() {
        return count;
    }
}",
);

const GUEST: (&str, &str) = (
    "Guest",
    "public class Guest implements Greeting {
    public static int enter() {
        return Counter.count();
    }
}",
);

pub(super) const GADGETS: &[Gadget] = &[
    // Nobody calls the method, but the interface is initialised because of it.
    Gadget {
        same: &[COUNTER, GUEST],
        before: &[(
            "Greeting",
            "public interface Greeting {
    int NUMBER = Counter.next();
}",
        )],
        after: &[(
            "Greeting",
            "public interface Greeting {
    int NUMBER = Counter.next();
    default int number() {
        return NUMBER;
    }
}",
        )],
        number: "Guest.enter()",
    },
    // The interface between others takes over.
    Gadget {
        same: &[
            (
                "Greeting",
                "public interface Greeting {
    default int greet() {
        return 1;
    }
}",
            ),
            (
                "Guest",
                "public class Guest implements Polite {
}",
            ),
        ],
        before: &[(
            "Polite",
            "public interface Polite extends Greeting {
}",
        )],
        after: &[(
            "Polite",
            "public interface Polite extends Greeting {
    default int greet() {
        return 2;
    }
}",
        )],
        number: "new Guest().greet()",
    },
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evolve::difference::differences;
    use crate::program::sample::sample;

    #[test]
    fn added() {
        let changes = differences(&sample(), &add(&sample()));
        insta::assert_snapshot!(changes, @r#"
        places: 12
        0
          p/C.java
            + public default int m() {
            + return 71;
            + }
        1
          p/C.java
            + public static final int h = Integer.valueOf(71);
            + public default int m() {
            + return C.h;
            + }
        2
          p/C.java
            + public default int m(int p) {
            + return 71;
            + }
        3
          p/C.java
            + public static final int h = Integer.valueOf(71);
            + public default int m(int p) {
            + return C.h;
            + }
        "#);
    }
}
