//! What callers find no more (SPEC 2.5, resolution errors included): a class is changed and compiled alone, so that others name what
//! is not there, not theirs, or of another kind by now. And supertypes in a library.

use crate::workshop::{Change, Named, Workshop, change};

const CLASSES: &[Named] = &[
    (
        "Top",
        "public class Top {
            public int f() { return 1; }
            public int g() { return 2; }
            public static int s() { return 3; }
        }",
    ),
    ("Low", "public class Low extends Top {}"),
    (
        "Over",
        "public class Over extends Top { public int g() { return 4; } }",
    ),
    (
        "Fields",
        "public class Fields { public int x; public int z; public static int y; static int t() { return 5; } }",
    ),
    ("LowFields", "public class LowFields extends Fields {}"),
    (
        "Greet",
        "public interface Greet { int one(); default int hello() { return 6; } default int bye() { return 7; } }",
    ),
    (
        "Greeter",
        "public class Greeter implements Greet { public int one() { return 8; } }",
    ),
    (
        "Left",
        "public interface Left { default int d() { return 9; } }",
    ),
    (
        "Right",
        "public interface Right { default int r() { return 10; } }",
    ),
    ("Both", "public class Both implements Left, Right {}"),
    (
        "Near",
        "public class Near { int p() { return 11; } public int q() { return p(); } }",
    ),
    ("depot/Far", "public class Far extends shop.Near {}"),
    (
        "depot/FarOver",
        "public class FarOver extends shop.Near { public int p() { return 12; } }",
    ),
    (
        "Single",
        "public class Single { public Single() {} public static int s() { return 13; } }",
    ),
];

const TESTS: &[Named] = &[
    ("TopFTest", "new Top().f()"),
    ("LowFTest", "((Top) new Low()).f()"),
    ("LowGTest", "new Low().g()"),
    ("LowStaticTest", "Low.s()"),
    ("OverFTest", "new Over().f()"),
    ("OverGTest", "((Top) new Over()).g()"),
    ("FieldXTest", "new LowFields().x"),
    ("FieldYTest", "LowFields.y"),
    ("FieldMadeTest", "new Fields() == null ? -1 : 0"),
    ("FieldOtherTest", "LowFields.t()"),
    ("HelloTest", "((Greet) new Greeter()).hello()"),
    ("HelloNamedTest", "new Greeter().hello()"),
    ("OneTest", "new Greeter().one()"),
    ("BothDTest", "new Both().d()"),
    ("BothLeftTest", "((Left) new Both()).d()"),
    ("BothRTest", "((Right) new Both()).r()"),
    ("NearTest", "new Near().q()"),
    ("FarTest", "new depot.Far().q()"),
    ("FarOverTest", "new depot.FarOver().q()"),
    ("FarOverPTest", "new depot.FarOver().p()"),
    ("SingleTest", "new Single() == null ? -1 : 0"),
    ("SingleSTest", "Single.s()"),
];

const OF_TOP: &[&str] = &[
    "LowFTest",
    "LowGTest",
    "LowStaticTest",
    "OverFTest",
    "OverGTest",
    "TopFTest",
];
const OF_LOW: &[&str] = &["LowFTest", "LowGTest", "LowStaticTest"];
const CALLING_F: &[&str] = &["LowFTest", "OverFTest", "TopFTest"];
const CALLING_G: &[&str] = &["LowGTest", "OverGTest"];
const OF_FIELDS: &[&str] = &[
    "FieldMadeTest",
    "FieldOtherTest",
    "FieldXTest",
    "FieldYTest",
];
/// They ran the constructor, which may set any field.
const MAKING_FIELDS: &[&str] = &["FieldMadeTest", "FieldXTest"];
const OF_GREET: &[&str] = &["HelloNamedTest", "HelloTest", "OneTest"];
const SAYING_HELLO: &[&str] = &["HelloNamedTest", "HelloTest"];
const OF_BOTH: &[&str] = &["BothDTest", "BothLeftTest", "BothRTest"];
const OF_NEAR: &[&str] = &["FarOverPTest", "FarOverTest", "FarTest", "NearTest"];
const OF_SINGLE: &[&str] = &["SingleSTest", "SingleTest"];

const CHANGES: &[Change] = &[
    change(
        "a method deleted",
        ["Top", "public int f() { return 1; }", ""],
        OF_TOP,
        OF_TOP,
    )
    .but_by_dispatch(CALLING_F)
    .alone(),
    change(
        "a method becomes private",
        ["Top", "public int f()", "private int f()"],
        OF_TOP,
        OF_TOP,
    )
    .but_by_dispatch(CALLING_F)
    .alone(),
    change(
        "a method becomes static",
        ["Top", "public int f()", "public static int f()"],
        OF_TOP,
        OF_TOP,
    )
    .but_by_dispatch(CALLING_F)
    .alone(),
    change(
        "a method that is overridden becomes private",
        ["Top", "public int g()", "private int g()"],
        OF_TOP,
        OF_TOP,
    )
    .but_by_dispatch(CALLING_G)
    .alone(),
    // A class that overrides it cannot be loaded.
    change(
        "a method becomes final",
        ["Top", "public int g()", "public final int g()"],
        OF_TOP,
        OF_TOP,
    )
    .alone(),
    change(
        "another return type",
        ["Top", "public int f()", "public long f()"],
        OF_TOP,
        OF_TOP,
    )
    .but_by_dispatch(CALLING_F)
    .alone(),
    change(
        "a static method becomes one of objects",
        ["Top", "public static int s()", "public int s()"],
        OF_TOP,
        OF_TOP,
    )
    .but_by_dispatch(&["LowStaticTest"])
    .alone(),
    change(
        "a static method becomes private",
        ["Top", "public static int s()", "private static int s()"],
        &["LowStaticTest"],
        OF_TOP,
    )
    .alone(),
    change(
        "another superclass, without the method",
        ["Low", "extends Top", ""],
        OF_LOW,
        OF_LOW,
    )
    .alone(),
    change(
        "a field becomes static",
        ["Fields", "public int x", "public static int x"],
        OF_FIELDS,
        OF_FIELDS,
    )
    .but_by_dispatch(MAKING_FIELDS)
    .alone(),
    change(
        "a static field becomes one of objects",
        ["Fields", "public static int y", "public int y"],
        OF_FIELDS,
        OF_FIELDS,
    )
    .but_by_dispatch(&["FieldMadeTest", "FieldXTest", "FieldYTest"])
    .alone(),
    change(
        "a field deleted",
        ["Fields", "public int x;", ""],
        OF_FIELDS,
        OF_FIELDS,
    )
    .but_by_dispatch(MAKING_FIELDS)
    .alone(),
    change(
        "a field becomes private",
        ["Fields", "public int x", "private int x"],
        OF_FIELDS,
        OF_FIELDS,
    )
    .but_by_dispatch(MAKING_FIELDS)
    .alone(),
    change(
        "a default becomes abstract",
        ["Greet", "default int hello() { return 6; }", "int hello();"],
        OF_GREET,
        OF_GREET,
    )
    .but_by_dispatch(SAYING_HELLO)
    .alone(),
    change(
        "two defaults",
        [
            "Right",
            "default int r()",
            "default int d() { return 90; } default int r()",
        ],
        OF_BOTH,
        OF_BOTH,
    )
    .but_by_dispatch(&["BothDTest", "BothLeftTest"])
    .alone(),
    // To the JVM the method of another package is no override (JVMS 5.4.5).
    change(
        "a method of the name in another package",
        ["depot/Far", "{}", "{ public int p() { return 110; } }"],
        &["FarTest"],
        &["FarTest"],
    )
    .alone(),
    change(
        "a method that is overridden in another package from now on",
        ["Near", "int p()", "public int p()"],
        OF_NEAR,
        OF_NEAR,
    )
    .but_by_dispatch(&["FarOverTest", "FarTest", "NearTest"])
    .alone(),
    change(
        "a constructor becomes private",
        ["Single", "public Single()", "private Single()"],
        &["SingleTest"],
        OF_SINGLE,
    )
    .alone(),
];

#[test]
fn who_finds_something_no_more_is_selected() {
    Workshop::new(CLASSES, TESTS).check(CHANGES);
}

/// A library, and classes of the project below its own.
const BELOW_LIBRARY: &[Named] = &[
    (
        "goods/Base",
        "public class Base extends Root {
            public int price() { return 1; }
            public int tax() { return 2; }
            public static int s() { return 3; }
        }",
    ),
    (
        "goods/Root",
        "public class Root { public int weight() { return 4; } public int tax() { return 5; } }",
    ),
    (
        "Item",
        "public class Item extends goods.Base { public int tax() { return 6; } }",
    ),
    ("Plain", "public class Plain extends goods.Base {}"),
];

const TESTS_OF_LIBRARY: &[Named] = &[
    ("ItemPriceTest", "((goods.Base) new Item()).price()"),
    ("ItemTaxTest", "((goods.Base) new Item()).tax()"),
    ("PlainTaxTest", "new Plain().tax()"),
    ("PlainWeightTest", "((goods.Root) new Plain()).weight()"),
    ("StaticTest", "goods.Base.s()"),
];

const OF_LIBRARY: &[&str] = &[
    "ItemPriceTest",
    "ItemTaxTest",
    "PlainTaxTest",
    "PlainWeightTest",
    "StaticTest",
];
const OF_ITEM: &[&str] = &["ItemPriceTest", "ItemTaxTest"];

const CHANGES_OF_LIBRARY: &[Change] = &[
    change(
        "a method of a library changed",
        ["goods/Base", "return 1", "return 10"],
        &["ItemPriceTest"],
        OF_LIBRARY,
    ),
    change(
        "a method of a library overridden",
        [
            "Item",
            "public int tax()",
            "public int price() { return 7; } public int tax()",
        ],
        OF_ITEM,
        OF_ITEM,
    )
    .but_by_dispatch(&["ItemPriceTest"]),
    change(
        "an override deleted below a library",
        ["Item", "public int tax() { return 6; }", ""],
        OF_ITEM,
        OF_ITEM,
    )
    .but_by_dispatch(&["ItemTaxTest"]),
    change(
        "an override in a library",
        [
            "goods/Base",
            "public int price()",
            "public int weight() { return 40; } public int price()",
        ],
        OF_LIBRARY,
        OF_LIBRARY,
    )
    .but_by_dispatch(&["PlainWeightTest"]),
    change(
        "an override deleted in a library",
        ["goods/Base", "public int tax() { return 2; }", ""],
        OF_LIBRARY,
        OF_LIBRARY,
    )
    .but_by_dispatch(&["PlainTaxTest"]),
    change(
        "a method of a library deleted",
        ["goods/Base", "public int price() { return 1; }", ""],
        OF_LIBRARY,
        OF_LIBRARY,
    )
    .but_by_dispatch(&["ItemPriceTest"]),
    change(
        "a method of a library becomes final",
        ["goods/Base", "public int tax()", "public final int tax()"],
        OF_LIBRARY,
        OF_LIBRARY,
    ),
];

#[test]
fn supertypes_in_a_library_are_looked_into() {
    Workshop::new(BELOW_LIBRARY, TESTS_OF_LIBRARY).check(CHANGES_OF_LIBRARY);
}
