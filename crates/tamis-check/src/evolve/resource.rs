//! *change-resource*: a file changes that lies beside the classes.
//!
//! ## What changes
//! A file that code reads by its class or its class loader, or looked for in vain.
//!
//! ## Why tools get it wrong
//! No class changes, and no file is opened by its path: loaders read it.
//!
//! ## Example
//! ```java
//! Reader.class.getResourceAsStream("number.txt").read()   // 1, then 2
//! ```

use super::surrounded::{Surrounded, looking};
use crate::program::Surrounding;

const READ: (&str, &str) = (
    "Reader",
    "public class Reader {
    public static int number() {
        try (java.io.InputStream in = Reader.class.getResourceAsStream(\"number.txt\")) {
            return in == null ? 0 : in.read();
        } catch (java.io.IOException closed) {
            throw new java.io.UncheckedIOException(closed);
        }
    }
}",
);

/// Once for all tests of the JVM.
const ONCE: (&str, &str) = (
    "Reader",
    "public class Reader {
    private static final int NUMBER = find();
    private static int find() {
        String path = Reader.class.getName().replace('.', '/').replace(\"Reader\", \"number.txt\");
        try (java.io.InputStream in = Reader.class.getClassLoader().getResourceAsStream(path)) {
            return in == null ? 0 : in.read();
        } catch (java.io.IOException closed) {
            throw new java.io.UncheckedIOException(closed);
        }
    }
    public static int number() {
        return NUMBER;
    }
}",
);

const ONE: Surrounding = Surrounding::Resource {
    name: "number.txt",
    text: "1",
};

const TWO: Surrounding = Surrounding::Resource {
    name: "number.txt",
    text: "2",
};

pub(super) const ALL: &[Surrounded] = &[
    Surrounded {
        gadget: looking(&[READ]),
        before: &[ONE],
        after: &[TWO],
    },
    Surrounded {
        gadget: looking(&[READ]),
        before: &[],
        after: &[ONE],
    },
    Surrounded {
        gadget: looking(&[ONCE]),
        before: &[ONE],
        after: &[TWO],
    },
];
