//! *change-lazy-singleton*: what the only object of a class is made with changes.
//!
//! ## What changes
//! A method that the constructor of a singleton calls. The object is made when it is first asked
//! for: by a test for null, by a holder class, or as a constant of an enum.
//!
//! ## Why tools get it wrong
//! The changed method runs in one test only, whichever comes first; all the others have its value.
//!
//! ## Example
//! ```java
//! class Single { static Single get() { if (only == null) only = new Single(); return only; } }
//! class Settings { static int value() { return 1; } }   // then 2
//! ```

use super::graft::Gadget;

const BEFORE: (&str, &str) = (
    "Settings",
    "public class Settings {
    public static int value() {
        return 1;
    }
}",
);

const AFTER: (&str, &str) = (
    "Settings",
    "public class Settings {
    public static int value() {
        return 2;
    }
}",
);

pub(super) const GADGETS: &[Gadget] = &[
    Gadget {
        same: &[(
            "Single",
            "public class Single {
    private static Single only;
    private final int value;
    private Single() {
        value = Settings.value();
    }
    public static Single get() {
        if (only == null) {
            only = new Single();
        }
        return only;
    }
    public int value() {
        return value;
    }
}",
        )],
        before: &[BEFORE],
        after: &[AFTER],
        number: "Single.get().value()",
    },
    Gadget {
        same: &[(
            "Single",
            "public class Single {
    private final int value;
    private Single() {
        value = Settings.value();
    }
    private static class Holder {
        static final Single ONLY = new Single();
    }
    public static Single get() {
        return Holder.ONLY;
    }
    public int value() {
        return value;
    }
}",
        )],
        before: &[BEFORE],
        after: &[AFTER],
        number: "Single.get().value()",
    },
    Gadget {
        same: &[(
            "Single",
            "public enum Single {
    ONLY;
    private final int value = Settings.value();
    public int value() {
        return value;
    }
}",
        )],
        before: &[BEFORE],
        after: &[AFTER],
        number: "Single.ONLY.value()",
    },
];
