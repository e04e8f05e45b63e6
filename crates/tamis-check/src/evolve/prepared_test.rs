//! *change-prepared-test*: code changes that is run by a test which needs what an earlier one of its class has left.
//!
//! ## What changes
//! A method, and not what it returns. One test sets a static field, a later one of the same class adds the
//! method's result to it.
//!
//! ## Why tools get it wrong
//! A tool that selects single tests runs the second one alone, which then fails: nobody has prepared
//! anything. Whole classes do not show it, and a class that needs another one is left out of the check.
//!
//! ## Example
//! ```java
//! @Test void test1() { Prepared.prepare(); }
//! @Test void test2() { assertEquals(6, Prepared.finish()); }   // 5 + Task.value()
//! ```

use super::graft::Gadget;
use super::{Evolution, Source, TestGraft};

const GADGET: Gadget = Gadget {
    same: &[(
        "Prepared",
        "public class Prepared {
    private static int value;
    public static int prepare() {
        value = 5;
        return 0;
    }
    public static int finish() {
        return value + Task.value();
    }
}",
    )],
    before: &[(
        "Task",
        "public class Task {
    public static int value() {
        return 1;
    }
}",
    )],
    after: &[(
        "Task",
        "public class Task {
    public static int value() {
        return \"1\".length();
    }
}",
    )],
    number: "Prepared.finish()",
};

/// In each test class, with each test after the first.
pub(super) fn evolutions(source: Source<'_>) -> Vec<Evolution> {
    let graft = |class, method, java: &str| TestGraft {
        class,
        method,
        java: java.to_owned(),
    };
    let classes = 0..source.bounds.n_test_classes;
    let places = classes.flat_map(|class| {
        let later = 1..source.bounds.n_test_methods;
        later.map(move |method| (class, method))
    });
    places
        .map(|(class, method)| Evolution {
            test_grafts: vec![
                graft(class, 0, "Prepared.prepare()"),
                graft(class, method, GADGET.number),
            ],
            ..GADGET.evolution(source.program())
        })
        .collect()
}
