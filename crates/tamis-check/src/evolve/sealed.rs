//! *extend-permits*: a sealed interface permits a further class. From Java 17.
//!
//! ## What changes
//! The list of permitted classes, and the class that is new in it; code asks for the list, or gets
//! an object of the new class.
//!
//! ## Why tools get it wrong
//! The list is an attribute of a class without code.
//!
//! ## Example
//! ```java
//! sealed interface Shape permits Round { }
//! sealed interface Shape permits Round, Flat { }
//! ```

use super::graft::Gadget;

const ROUND: (&str, &str) = (
    "Round",
    "public final class Round implements Shape {
}",
);

const FLAT: (&str, &str) = (
    "Flat",
    "public final class Flat implements Shape {
}",
);

const OF_ONE: (&str, &str) = (
    "Shape",
    "public sealed interface Shape permits Round {
}",
);

const OF_TWO: (&str, &str) = (
    "Shape",
    "public sealed interface Shape permits Round, Flat {
}",
);

pub(super) const GADGETS: &[Gadget] = &[
    Gadget {
        same: &[ROUND],
        before: &[OF_ONE],
        after: &[OF_TWO, FLAT],
        number: "Shape.class.getPermittedSubclasses().length",
    },
    Gadget {
        same: &[
            ROUND,
            (
                "Shapes",
                "public class Shapes {
    public static int kind(Shape shape) {
        return shape instanceof Round ? 1 : 2;
    }
}",
            ),
        ],
        before: &[
            OF_ONE,
            (
                "Maker",
                "public class Maker {
    public static Shape make() {
        return new Round();
    }
}",
            ),
        ],
        after: &[
            OF_TWO,
            FLAT,
            (
                "Maker",
                "public class Maker {
    public static Shape make() {
        return new Flat();
    }
}",
            ),
        ],
        number: "Shapes.kind(Maker.make())",
    },
];
