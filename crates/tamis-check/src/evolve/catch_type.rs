//! *change-catch-type*: another handler catches.
//!
//! ## What changes
//! The type that a handler catches, or the superclass of the exception that is thrown.
//!
//! ## Why tools get it wrong
//! A handler's type stands beside the code, in a table. And in the second case the code that
//! catches is the same: the JVM asks the exception's class, of which nothing runs but a
//! constructor.
//!
//! ## Example
//! ```java
//! try { Risk.run(); } catch (IllegalStateException e) { return 1; } catch (RuntimeException e) { return 2; }
//! class Problem extends RuntimeException { }   // then extends IllegalStateException
//! ```

use super::graft::Gadget;

const RISK: (&str, &str) = (
    "Risk",
    "public class Risk {
    public static int run() {
        throw new Problem();
    }
}",
);

const PROBLEM: (&str, &str) = (
    "Problem",
    "public class Problem extends RuntimeException {
}",
);

const GUARD: (&str, &str) = (
    "Guard",
    "public class Guard {
    public static int run() {
        try {
            return Risk.run();
        } catch (IllegalStateException problem) {
            return 1;
        } catch (RuntimeException problem) {
            return 2;
        }
    }
}",
);

pub(super) const GADGETS: &[Gadget] = &[
    Gadget {
        same: &[RISK, PROBLEM],
        before: &[GUARD],
        after: &[(
            "Guard",
            "public class Guard {
    public static int run() {
        try {
            return Risk.run();
        } catch (Problem problem) {
            return 1;
        } catch (RuntimeException problem) {
            return 2;
        }
    }
}",
        )],
        number: "Guard.run()",
    },
    Gadget {
        same: &[RISK, GUARD],
        before: &[PROBLEM],
        after: &[(
            "Problem",
            "public class Problem extends IllegalStateException {
}",
        )],
        number: "Guard.run()",
    },
];
