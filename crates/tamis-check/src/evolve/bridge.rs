//! *add-bridge*: a class names the type argument of a supertype, or returns a narrower type.
//!
//! ## What changes
//! The compiler adds a bridge method to the class. Callers go through the supertype.
//!
//! ## Why tools get it wrong
//! What runs first is a method that stands in no source; it calls the one that does.
//!
//! ## Example
//! ```java
//! class Fixed implements Origin { public Object get() { return 1; } }
//! class Fixed implements Origin<Integer> { public Integer get() { return 2; } }
//! ```

use super::graft::Gadget;

pub(super) const GADGETS: &[Gadget] = &[
    Gadget {
        same: &[
            (
                "Origin",
                "public interface Origin<T> {
    T get();
}",
            ),
            (
                "Origins",
                "public class Origins {
    public static int value() {
        Origin<?> origin = new Fixed();
        return (Integer) origin.get();
    }
}",
            ),
        ],
        before: &[(
            "Fixed",
            "@SuppressWarnings(\"rawtypes\")
public class Fixed implements Origin {
    public Object get() {
        return 1;
    }
}",
        )],
        after: &[(
            "Fixed",
            "public class Fixed implements Origin<Integer> {
    public Integer get() {
        return 2;
    }
}",
        )],
        number: "Origins.value()",
    },
    Gadget {
        same: &[(
            "Wide",
            "public class Wide {
    public Wide self() {
        return this;
    }
    public int value() {
        return 1;
    }
    public static int ask(Wide wide) {
        return wide.self().value();
    }
}",
        )],
        before: &[(
            "Narrow",
            "public class Narrow extends Wide {
}",
        )],
        after: &[(
            "Narrow",
            "public class Narrow extends Wide {
    public Narrow self() {
        return new Narrow() {
            public int value() {
                return 2;
            }
        };
    }
}",
        )],
        number: "Wide.ask(new Narrow())",
    },
];
