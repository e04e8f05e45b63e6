//! *change-property*: a system property changes that the JVM of the tests is started with.
//!
//! ## What changes
//! The value of a `-D` on the command line, or there is one that there was not.
//!
//! ## Why tools get it wrong
//! No file changes. A property that is read once, by an initialiser, counts for every later test.
//!
//! ## Example
//! ```java
//! class Reader { static int number() { return Integer.getInteger("number", 0); } }   // -Dnumber=1, then 2
//! ```

use super::graft::Gadget;
use super::surrounded::{Surrounded, looking};
use crate::program::Surrounding;

const READER: Gadget = looking(&[(
    "Reader",
    "public class Reader {
    public static int number() {
        return Integer.getInteger(Reader.class.getName() + \".number\", 0);
    }
}",
)]);

/// Once for all tests of the JVM.
const ONCE: Gadget = looking(&[(
    "Reader",
    "public class Reader {
    private static final String NUMBER = System.getProperty(Reader.class.getName() + \".number\", \"\");
    public static int number() {
        return NUMBER.length() + NUMBER.hashCode();
    }
}",
)]);

const ONE: Surrounding = Surrounding::Property {
    name: "Reader.number",
    value: "1",
};

const TWO: Surrounding = Surrounding::Property {
    name: "Reader.number",
    value: "2",
};

pub(super) const ALL: &[Surrounded] = &[
    Surrounded {
        gadget: READER,
        before: &[ONE],
        after: &[TWO],
    },
    Surrounded {
        gadget: READER,
        before: &[],
        after: &[ONE],
    },
    Surrounded {
        gadget: ONCE,
        before: &[ONE],
        after: &[TWO],
    },
];
