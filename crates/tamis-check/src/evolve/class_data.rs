//! *change-class-data*: a class changes of which code reads the file and runs nothing.
//!
//! ## What changes
//! A class file that code reads as data, by its class or its class loader, once for all tests or each time;
//! or one that it looked for in vain.
//!
//! ## Why tools get it wrong
//! Tools know classes by what runs of them. A class that is only data has no code that anybody runs, and
//! who looks for its file asks for no class.
//!
//! ## Example
//! ```java
//! Reader.class.getResourceAsStream("Data.class").readAllBytes()
//! ```

use super::graft::Gadget;

/// The sum of all bytes of the file.
const READ: (&str, &str) = (
    "Reader",
    "public class Reader {
    public static int number() {
        try (java.io.InputStream in = Reader.class.getResourceAsStream(\"Data.class\")) {
            int sum = 0;
            for (int next = in.read(); next >= 0; next = in.read()) {
                sum = 31 * sum + next;
            }
            return sum;
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
        String path = Reader.class.getName().replace('.', '/').replace(\"Reader\", \"Data.class\");
        try (java.io.InputStream in = Reader.class.getClassLoader().getResourceAsStream(path)) {
            int sum = 0;
            for (int next = in.read(); next >= 0; next = in.read()) {
                sum = 31 * sum + next;
            }
            return sum;
        } catch (java.io.IOException closed) {
            throw new java.io.UncheckedIOException(closed);
        }
    }
    public static int number() {
        return NUMBER;
    }
}",
);

/// Whether there is such a file.
const FIND: (&str, &str) = (
    "Reader",
    "public class Reader {
    public static int number() {
        return Reader.class.getResource(\"Data.class\") == null ? 0 : 1;
    }
}",
);

const ONE: (&str, &str) = (
    "Data",
    "public class Data {
    public int value() {
        return 1;
    }
}",
);

const TWO: (&str, &str) = (
    "Data",
    "public class Data {
    public int value() {
        return 2;
    }
}",
);

pub(super) const GADGETS: &[Gadget] = &[
    Gadget {
        same: &[READ],
        before: &[ONE],
        after: &[TWO],
        number: "Reader.number()",
    },
    Gadget {
        same: &[ONCE],
        before: &[ONE],
        after: &[TWO],
        number: "Reader.number()",
    },
    Gadget {
        same: &[FIND],
        before: &[],
        after: &[ONE],
        number: "Reader.number()",
    },
    Gadget {
        same: &[FIND],
        before: &[ONE],
        after: &[],
        number: "Reader.number()",
    },
];
