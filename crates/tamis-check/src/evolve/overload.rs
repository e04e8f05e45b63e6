//! *add-overload* and *remove-overload*: a method of the same name takes another parameter.
//!
//! ## What changes
//! Beside or below a method that takes a long, one that takes an int appears; beside one that takes
//! a type, one that takes a subtype. Or one of several overloads goes.
//!
//! ## Why tools get it wrong
//! Callers are compiled anew to another method although their text is the same; those that are not
//! compiled anew still call the old one.
//!
//! ## Example
//! ```java
//! class A { int m(long p) { return 1; }  int n() { return this.m(3); } }
//! class A { int m(long p) { return 1; }  int n() { return this.m(3); }  int m(int p) { return 61; } }
//! ```

use super::graft::Gadget;
use crate::program::{Body, Expression, Method, Program, TypeIndex, ValueType};

pub(super) fn add(program: &Program) -> Vec<Program> {
    let mut changed = Vec::new();
    for (owner, part) in program.types.iter().enumerate() {
        for method in &part.methods {
            for added in overloads(program, owner, method) {
                let lower = (0..program.types.len()).filter(|at| program.is_subtype(*at, owner));
                changed.extend(lower.map(|at| {
                    let mut after = program.clone();
                    after.types[at].methods.push(added.clone());
                    after
                }));
            }
        }
    }
    changed
}

/// The method with each narrower parameter, or a wider one if there is no narrower.
fn overloads(program: &Program, owner: TypeIndex, method: &Method) -> Vec<Method> {
    let parameters = match method.parameter {
        None => Vec::new(),
        Some(ValueType::Long) => vec![ValueType::Int],
        Some(ValueType::Object(upper)) => {
            let all = 0..program.types.len();
            let lower = all.filter(|lower| *lower != upper && program.is_subtype(*lower, upper));
            lower.map(ValueType::Object).collect()
        }
        Some(_) => vec![ValueType::Long],
    };
    let result = match method.result {
        ValueType::Object(_) if !method.is_static && program.is_subtype(owner, 0) => {
            Expression::This
        }
        other => other.constant(61),
    };
    let with = |parameter: ValueType| Method {
        parameter: Some(parameter),
        body: Some(Body::returning(result.clone())),
        ..method.clone()
    };
    parameters.into_iter().map(with).collect()
}

pub(super) fn remove(program: &Program) -> Vec<Program> {
    let mut changed = Vec::new();
    for (index, part) in program.types.iter().enumerate() {
        for (number, method) in part.methods.iter().enumerate() {
            let lineage = program.lineage(index);
            let mut others = lineage.iter().flat_map(|up| &program.types[*up].methods);
            let is_overload =
                |other: &Method| other.name == method.name && other.parameter != method.parameter;
            if others.any(is_overload) {
                let mut after = program.clone();
                after.types[index].methods.remove(number);
                changed.push(after);
            }
        }
    }
    changed
}

const CALLER: (&str, &str) = (
    "Caller",
    "public class Caller {
    public static int call() {
        return Picks.pick(3);
    }
}",
);

const ONE_PICK: (&str, &str) = (
    "Picks",
    "public class Picks {
    public static int pick(long value) {
        return 1;
    }
}",
);

const TWO_PICKS: (&str, &str) = (
    "Picks",
    "public class Picks {
    public static int pick(long value) {
        return 1;
    }
    public static int pick(int value) {
        return 2;
    }
}",
);

const ASKER: (&str, &str) = (
    "Asker",
    "public class Asker {
    public int pick(Object value) {
        return 1;
    }
    public static int ask() {
        return new Choosy().pick(\"text\");
    }
}",
);

const NOT_CHOOSY: (&str, &str) = (
    "Choosy",
    "public class Choosy extends Asker {
}",
);

const CHOOSY: (&str, &str) = (
    "Choosy",
    "public class Choosy extends Asker {
    public int pick(CharSequence value) {
        return 2;
    }
}",
);

pub(super) const ADDED: &[Gadget] = &[
    Gadget {
        same: &[CALLER],
        before: &[ONE_PICK],
        after: &[TWO_PICKS],
        number: "Caller.call()",
    },
    Gadget {
        same: &[ASKER],
        before: &[NOT_CHOOSY],
        after: &[CHOOSY],
        number: "Asker.ask()",
    },
];

pub(super) const REMOVED: &[Gadget] = &[
    Gadget {
        same: &[CALLER],
        before: &[TWO_PICKS],
        after: &[ONE_PICK],
        number: "Caller.call()",
    },
    Gadget {
        same: &[ASKER],
        before: &[CHOOSY],
        after: &[NOT_CHOOSY],
        number: "Asker.ask()",
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
        places: 3
        0
          p/A.java
            + public int m(int p) {
            + return 61;
            + }
        1
          p/sub/B.java
            + public int m(int p) {
            + return 61;
            + }
        2
          p/D.java
            + public static int m(long p) {
            + return 61;
            + }
        "#);
    }

    #[test]
    fn removed() {
        let changes = differences(&sample(), &remove(&sample()));
        insta::assert_snapshot!(changes, @r#"
        places: 3
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
          p/sub/B.java
            - public int m() {
            - return super.m();
            - }
        "#);
    }
}
