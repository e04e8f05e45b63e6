//! *change-library-class*: one class of a library changes.
//!
//! ## What changes
//! A method of a class in an archive on the class path: a newer release of a library. What else is in
//! the archive stays.
//!
//! ## Why tools get it wrong
//! Many look at the classes of the project only, or compare the path of an archive and not what is in
//! it. Those that compare whole archives run all tests that use any class of it.
//!
//! ## Example
//! ```java
//! class Reader { static int number() { return Library.value(); } }   // library.jar: 1, then 2
//! ```

use super::graft::Gadget;
use super::surrounded::{Surrounded, looking};
use crate::program::Surrounding;

const CALLER: Gadget = looking(&[(
    "Reader",
    "public class Reader {
    public static int number() {
        return Library.value();
    }
}",
)]);

/// The class of the library is called by nobody: what it does comes by inheritance.
const HEIR: Gadget = looking(&[
    (
        "Heir",
        "public class Heir extends Library {
}",
    ),
    (
        "Reader",
        "public class Reader {
    public static int number() {
        return new Heir().own();
    }
}",
    ),
]);

const STAYS: Surrounding = Surrounding::LibraryType {
    name: "Companion",
    text: "public class Companion {
    public static int value() {
        return 3;
    }
}",
};

const BEFORE: Surrounding = Surrounding::LibraryType {
    name: "Library",
    text: "public class Library {
    public static int value() {
        return 1;
    }
    public int own() {
        return value() + Companion.value();
    }
}",
};

const AFTER: Surrounding = Surrounding::LibraryType {
    name: "Library",
    text: "public class Library {
    public static int value() {
        return 2;
    }
    public int own() {
        return value() + Companion.value();
    }
}",
};

pub(super) const ALL: &[Surrounded] = &[
    Surrounded {
        gadget: CALLER,
        before: &[STAYS, BEFORE],
        after: &[STAYS, AFTER],
    },
    Surrounded {
        gadget: HEIR,
        before: &[STAYS, BEFORE],
        after: &[STAYS, AFTER],
    },
];
