//! *add-record-component*: a record gets a component, or an accessor of its own. From Java 16.
//!
//! ## What changes
//! The declaration of a record; code asks for its text and its components.
//!
//! ## Why tools get it wrong
//! `toString`, `equals` and `hashCode` of a record have the same code before and after: what they do
//! comes from the `Record` attribute and from arguments of a bootstrap method.
//!
//! ## Example
//! ```java
//! record Point(int x) { }
//! record Point(int x, int y) { Point(int x) { this(x, 4); } }   // new Point(3).toString()
//! ```

use super::graft::Gadget;

const POINT: (&str, &str) = (
    "Point",
    "public record Point(int x) {
}",
);

pub(super) const GADGETS: &[Gadget] = &[
    Gadget {
        same: &[],
        before: &[POINT],
        after: &[(
            "Point",
            "public record Point(int x, int y) {
    public Point(int x) {
        this(x, 4);
    }
}",
        )],
        number: "new Point(3).toString().length()",
    },
    Gadget {
        same: &[],
        before: &[POINT],
        after: &[(
            "Point",
            "public record Point(int x, int y) {
    public Point(int x) {
        this(x, 4);
    }
}",
        )],
        number: "Point.class.getRecordComponents().length",
    },
    Gadget {
        same: &[],
        before: &[POINT],
        after: &[(
            "Point",
            "public record Point(int x) {
    public int x() {
        return x + 1;
    }
}",
        )],
        number: "new Point(3).x()",
    },
];
