//! *change-access*: a method gets another access modifier.
//!
//! ## What changes
//! Private, package, protected and public in turn, where it still compiles.
//!
//! ## Why tools get it wrong
//! No body changes. But a private method cannot be overridden: when it becomes public, a method of
//! that name in a subclass takes over its calls; the same when a method that is private to a
//! package is opened to a subclass elsewhere.
//!
//! ## Example
//! ```java
//! class A { private int m() { return 1; }  int n() { return this.m(); } }  // new B().n() is 1
//! class A { public int m() { return 1; }  int n() { return this.m(); } }   // now it is 2
//! class B extends A { public int m() { return 2; } }
//! ```

use super::graft::Gadget;
use crate::program::{Access, Program};

pub(super) fn change(program: &Program) -> Vec<Program> {
    let all = [
        Access::Private,
        Access::Package,
        Access::Protected,
        Access::Public,
    ];
    let mut changed = Vec::new();
    for (index, part) in program.types.iter().enumerate() {
        for (number, method) in part.methods.iter().enumerate() {
            let others = all.into_iter().filter(|access| *access != method.access);
            changed.extend(others.map(|access| {
                let mut after = program.clone();
                after.types[index].methods[number].access = access;
                after
            }));
        }
    }
    changed
}

const LOWER: (&str, &str) = (
    "Lower",
    "public class Lower extends Upper {
    public int secret() {
        return 2;
    }
}",
);

const HIDDEN: (&str, &str) = (
    "Upper",
    "public class Upper {
    private int secret() {
        return 1;
    }
    public int tell() {
        return this.secret();
    }
}",
);

const OPEN: (&str, &str) = (
    "Upper",
    "public class Upper {
    public int secret() {
        return 1;
    }
    public int tell() {
        return this.secret();
    }
}",
);

pub(super) const GADGETS: &[Gadget] = &[
    Gadget {
        same: &[LOWER],
        before: &[HIDDEN],
        after: &[OPEN],
        number: "new Lower().tell()",
    },
    Gadget {
        same: &[LOWER],
        before: &[OPEN],
        after: &[HIDDEN],
        number: "new Lower().tell()",
    },
    // Only reflection sees it.
    Gadget {
        same: &[],
        before: &[(
            "Upper",
            "public class Upper {
    int secret;
}",
        )],
        after: &[(
            "Upper",
            "public class Upper {
    public int secret;
}",
        )],
        number: "Upper.class.getFields().length",
    },
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evolve::difference::differences;
    use crate::program::sample::sample;

    #[test]
    fn changed() {
        let changes = differences(&sample(), &change(&sample()));
        insta::assert_snapshot!(changes, @r#"
        places: 21
        0
          p/A.java
            - public int m() {
            + private int m() {
        1
          p/A.java
            - public int m() {
            + int m() {
        2
          p/A.java
            - public int m() {
            + protected int m() {
        3
          p/A.java
            - public int m(long p) {
            + private int m(long p) {
        "#);
    }
}
