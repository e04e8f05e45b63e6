//! *change-file*: a file changes that code reads by its path.
//!
//! ## What changes
//! What is in a file of the project; or there is one that there was not, which code asked for, or
//! counted by listing the folder.
//!
//! ## Why tools get it wrong
//! Few look at files that are no classes, fewer at files that are not there.
//!
//! ## Example
//! ```java
//! new FileInputStream("data/number.txt").read()   // 1, then 2
//! ```

use super::graft::Gadget;
use super::surrounded::{Surrounded, looking};
use crate::program::Surrounding;

const STREAM: Gadget = looking(&[(
    "Reader",
    "public class Reader {
    public static int number() {
        String path = \"data/\" + Reader.class.getName().replace(\".Reader\", \"/number.txt\");
        try (java.io.InputStream in = new java.io.FileInputStream(path)) {
            return in.read();
        } catch (java.io.FileNotFoundException absent) {
            return 0;
        } catch (java.io.IOException closed) {
            throw new java.io.UncheckedIOException(closed);
        }
    }
}",
)]);

/// Once for all tests of the JVM.
const ONCE: Gadget = looking(&[(
    "Reader",
    "public class Reader {
    private static final byte[] CONTENT = read();
    private static byte[] read() {
        String path = \"data/\" + Reader.class.getName().replace(\".Reader\", \"/number.txt\");
        try {
            return java.nio.file.Files.readAllBytes(java.nio.file.Paths.get(path));
        } catch (java.io.IOException absent) {
            return new byte[1];
        }
    }
    public static int number() {
        return CONTENT[0];
    }
}",
)]);

const EXISTS: Gadget = looking(&[(
    "Reader",
    "public class Reader {
    public static int number() {
        String path = \"data/\" + Reader.class.getName().replace(\".Reader\", \"/number.txt\");
        return new java.io.File(path).exists() ? 1 : 0;
    }
}",
)]);

const LIST: Gadget = looking(&[(
    "Reader",
    "public class Reader {
    public static int number() {
        String path = \"data/\" + Reader.class.getName().replace(\".Reader\", \"\");
        String[] names = new java.io.File(path).list();
        return names == null ? -1 : names.length;
    }
}",
)]);

const ONE: Surrounding = Surrounding::File {
    name: "number.txt",
    text: "1",
};

const TWO: Surrounding = Surrounding::File {
    name: "number.txt",
    text: "2",
};

const OTHER: Surrounding = Surrounding::File {
    name: "other.txt",
    text: "1",
};

pub(super) const ALL: &[Surrounded] = &[
    Surrounded {
        gadget: STREAM,
        before: &[ONE],
        after: &[TWO],
    },
    Surrounded {
        gadget: STREAM,
        before: &[],
        after: &[ONE],
    },
    Surrounded {
        gadget: ONCE,
        before: &[ONE],
        after: &[TWO],
    },
    Surrounded {
        gadget: EXISTS,
        before: &[],
        after: &[ONE],
    },
    Surrounded {
        gadget: LIST,
        before: &[ONE],
        after: &[ONE, OTHER],
    },
];
