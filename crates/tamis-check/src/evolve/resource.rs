//! *change-resource*: a file changes that lies beside the classes.
//!
//! ## What changes
//! A file that code reads by its class or its class loader, or looked for in vain; or a class of which
//! code reads the file and runs nothing.
//!
//! ## Why tools get it wrong
//! No class changes, and no file is opened by its path: loaders read it, and the JDK may keep what it
//! has read for the next test. A class that is only data has no code that anybody runs.
//!
//! ## Example
//! ```java
//! Reader.class.getResourceAsStream("number.txt").read()   // 1, then 2
//! ```

use super::graft::Gadget;
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

/// The JDK keeps bundles.
const BUNDLE: (&str, &str) = (
    "Reader",
    "public class Reader {
    public static int number() {
        String bundle = Reader.class.getName().replace(\"Reader\", \"numbers\");
        return java.util.ResourceBundle.getBundle(bundle).getString(\"number\").length();
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

/// The sum of all bytes of a class file.
const CLASS_FILE: (&str, &str) = (
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
    Surrounded {
        gadget: looking(&[BUNDLE]),
        before: &[Surrounding::Resource {
            name: "numbers.properties",
            text: "number=a\n",
        }],
        after: &[Surrounding::Resource {
            name: "numbers.properties",
            text: "number=ab\n",
        }],
    },
    Surrounded {
        gadget: Gadget {
            same: &[CLASS_FILE],
            before: &[(
                "Data",
                "public class Data {
    public int value() {
        return 1;
    }
}",
            )],
            after: &[(
                "Data",
                "public class Data {
    public int value() {
        return 2;
    }
}",
            )],
            number: "Reader.number()",
        },
        before: &[],
        after: &[],
    },
];
