//! *change-cache*: what is computed once and then kept changes.
//!
//! ## What changes
//! The method that fills a static map, or a static field behind a flag.
//!
//! ## Why tools get it wrong
//! As with a singleton, but after its class is initialised: the first test that asks runs the
//! method, the others only read.
//!
//! ## Example
//! ```java
//! class Cache { static int get(int key) { return known.computeIfAbsent(key, Costly::compute); } }
//! class Costly { static int compute(int key) { return key + 1; } }   // then key + 2
//! ```

use super::graft::Gadget;

const BEFORE: (&str, &str) = (
    "Costly",
    "public class Costly {
    public static int compute(int key) {
        return key + 1;
    }
}",
);

const AFTER: (&str, &str) = (
    "Costly",
    "public class Costly {
    public static int compute(int key) {
        return key + 2;
    }
}",
);

pub(super) const GADGETS: &[Gadget] = &[
    Gadget {
        same: &[(
            "Cache",
            "public class Cache {
    private static final java.util.Map<Integer, Integer> KNOWN = new java.util.HashMap<>();
    public static int get(int key) {
        return KNOWN.computeIfAbsent(key, Costly::compute);
    }
}",
        )],
        before: &[BEFORE],
        after: &[AFTER],
        number: "Cache.get(3)",
    },
    Gadget {
        same: &[(
            "Cache",
            "public class Cache {
    private static boolean isKnown;
    private static int value;
    public static int get() {
        if (!isKnown) {
            value = Costly.compute(3);
            isKnown = true;
        }
        return value;
    }
}",
        )],
        before: &[BEFORE],
        after: &[AFTER],
        number: "Cache.get()",
    },
];
