//! *change-used-by-initialiser*: what a static initialiser uses changes.
//!
//! ## What changes
//! A method, a static initialiser or an instance initialiser of a class that the static initialiser
//! of another uses, directly or by way of a third, or that of an interface.
//!
//! ## Why tools get it wrong
//! As with a static initialiser, and the class that changes need not be used by the later tests at
//! all: they only read what its neighbour kept.
//!
//! ## Example
//! ```java
//! class Front { static final int VALUE = Back.value(); }
//! class Back { static int value() { return 1; } }   // then 2
//! ```

use super::graft::Gadget;

const FRONT: (&str, &str) = (
    "Front",
    "public class Front {
    private static final int VALUE = Middle.value();
    public static int get() {
        return VALUE;
    }
}",
);

const BEFORE: (&str, &str) = (
    "Back",
    "public class Back {
    public static int value() {
        return 1;
    }
}",
);

const AFTER: (&str, &str) = (
    "Back",
    "public class Back {
    public static int value() {
        return 2;
    }
}",
);

pub(super) const GADGETS: &[Gadget] = &[
    Gadget {
        same: &[(
            "Front",
            "public class Front {
    private static final int VALUE = Back.value();
    public static int get() {
        return VALUE;
    }
}",
        )],
        before: &[BEFORE],
        after: &[AFTER],
        number: "Front.get()",
    },
    Gadget {
        same: &[
            FRONT,
            (
                "Middle",
                "public class Middle {
    private static int value;
    static {
        value = Back.value() + 1;
    }
    public static int value() {
        return value;
    }
}",
            ),
        ],
        before: &[BEFORE],
        after: &[AFTER],
        number: "Front.get()",
    },
    Gadget {
        same: &[
            FRONT,
            (
                "Middle",
                "public class Middle {
    private final int value = Limits.LARGEST;
    public static int value() {
        return new Middle().value;
    }
}",
            ),
        ],
        before: &[(
            "Limits",
            "public interface Limits {
    int LARGEST = Integer.parseInt(\"7\");
}",
        )],
        after: &[(
            "Limits",
            "public interface Limits {
    int LARGEST = Integer.parseInt(\"8\");
}",
        )],
        number: "Front.get()",
    },
];
