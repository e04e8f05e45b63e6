//! *add-annotation* and *reorder-annotations*.
//!
//! ## What changes
//! A class or a method gets an annotation, or the default of one changes, or two change places;
//! code looks at them by reflection.
//!
//! ## Why tools get it wrong
//! No code changes, and a checksum of bodies sees nothing. Where a default changes, only the
//! annotation's own class does, of which nothing runs.
//!
//! ## Example
//! ```java
//! class Marked { }
//! @Mark(5) class Marked { }   // Marked.class.getAnnotation(Mark.class)
//! ```

use super::graft::Gadget;

const MARK: (&str, &str) = (
    "Mark",
    "@java.lang.annotation.Retention(java.lang.annotation.RetentionPolicy.RUNTIME)
public @interface Mark {
    int value() default 3;
}",
);

/// Reads the annotation of the class, or else of its only method.
const MARKS: (&str, &str) = (
    "Marks",
    "public class Marks {
    public static int value() {
        Mark mark = Marked.class.getAnnotation(Mark.class);
        if (mark == null) {
            mark = Marked.class.getDeclaredMethods()[0].getAnnotation(Mark.class);
        }
        return mark == null ? 0 : mark.value();
    }
}",
);

const UNMARKED: (&str, &str) = (
    "Marked",
    "public class Marked {
    public void marked() {
    }
}",
);

const MARKED: (&str, &str) = (
    "Marked",
    "@Mark
public class Marked {
    public void marked() {
    }
}",
);

pub(super) const ADDED: &[Gadget] = &[
    Gadget {
        same: &[MARK, MARKS],
        before: &[UNMARKED],
        after: &[MARKED],
        number: "Marks.value()",
    },
    Gadget {
        same: &[MARK, MARKS],
        before: &[UNMARKED],
        after: &[(
            "Marked",
            "public class Marked {
    @Mark(5)
    public void marked() {
    }
}",
        )],
        number: "Marks.value()",
    },
    Gadget {
        same: &[MARKS, MARKED],
        before: &[MARK],
        after: &[(
            "Mark",
            "@java.lang.annotation.Retention(java.lang.annotation.RetentionPolicy.RUNTIME)
public @interface Mark {
    int value() default 4;
}",
        )],
        number: "Marks.value()",
    },
];

pub(super) const REORDERED: &[Gadget] = &[Gadget {
    same: &[
        (
            "Early",
            "@java.lang.annotation.Retention(java.lang.annotation.RetentionPolicy.RUNTIME)
public @interface Early {
}",
        ),
        (
            "Later",
            "@java.lang.annotation.Retention(java.lang.annotation.RetentionPolicy.RUNTIME)
public @interface Later {
}",
        ),
        (
            "Tags",
            "public class Tags {
    public static int first() {
        return Tagged.class.getAnnotations()[0].annotationType().getSimpleName().charAt(0);
    }
}",
        ),
    ],
    before: &[(
        "Tagged",
        "@Early
@Later
public class Tagged {
}",
    )],
    after: &[(
        "Tagged",
        "@Later
@Early
public class Tagged {
}",
    )],
    number: "Tags.first()",
}];
