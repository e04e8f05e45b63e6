//! Every kind of change of SPEC 2.4, under each mesh: which tests are selected; and what counting the kind as a change of
//! the file does (SPEC 3.6).
//!
//! The project is built and recorded once, with blocks; then each change is compiled beside it, put in its place, and asked about.

use std::collections::BTreeSet;
use std::fs;

use rusqlite::Connection;

use crate::workshop::{Change, MESHES, Named, Workshop, change};

/// The program. What is changed stands in braces, to be replaced.
const CLASSES: &[Named] = &[
    (
        "Base",
        "public class Base {
            static int count = 1;
            int size = 2;
            public Base() { size = 3; }
            public int a() { return 1; }
            public int b() { return 2; }
            public static int s() { return 4; }
            int p() { return 5; }
        }",
    ),
    (
        "Sub",
        "public class Sub extends Base { public int c() { return 6; } }",
    ),
    ("Face", "public interface Face { int f(); }"),
    (
        "Faced",
        "public class Faced implements Face { public int f() { return 7; } }",
    ),
    (
        "Other",
        "public class Other {
            int spare;
            int first; int second;
            public Other() {}
            Other(long unused) {}
            public static int o() { return 8; }
            static int never() { return 11; }
        }",
    ),
    (
        "Made",
        "public class Made {
            public Made() {}
            public Made(int n) {}
            public static int s() { return 12; }
            public static int t() { return 13; }
        }",
    ),
    (
        "Finds",
        "public class Finds {
            static int plugin() {
                try { Class.forName(\"shop.Plugin\"); return 1; } catch (ClassNotFoundException e) { return 2; }
            }
        }",
    ),
    (
        "First",
        "@java.lang.annotation.Retention(java.lang.annotation.RetentionPolicy.RUNTIME) public @interface First {}",
    ),
    (
        "Then",
        "@java.lang.annotation.Retention(java.lang.annotation.RetentionPolicy.RUNTIME) public @interface Then {}",
    ),
    (
        "Shown",
        "@First @Then public class Shown {
            int one; int second;
            static final int LIMIT = 15;
            @Then @First static void marked() {}
            static int o() { return 14; }
        }",
    ),
    (
        "Late",
        "public class Late { static int n; static int o() { return n; } static int p() { return n; } }",
    ),
    (
        "Once",
        "public class Once {
            static int n = Helps.h();
            static int o() { return n; }
            static int p() { return n; }
        }",
    ),
    (
        "Helps",
        "public class Helps { static int h() { return 16; } }",
    ),
];

/// Tests, in the order of their names: each runs what its name says.
const TESTS: &[Named] = &[
    ("ATest", "new Base().a()"),
    ("BTest", "new Base().b()"),
    ("STest", "Base.s()"),
    ("SubTest", "new Sub().c()"),
    ("HidTest", "Sub.s()"),
    ("FaceTest", "((Face) new Faced()).f()"),
    ("OtherTest", "Other.o()"),
    ("MadeTest", "new Made(1) == null ? -1 : 0"),
    ("MadeOtherTest", "new Made() == null ? -1 : 0"),
    ("MadeSTest", "Made.s()"),
    ("MadeTTest", "Made.t()"),
    ("ZPluginTest", "Finds.plugin()"),
    (
        "FieldOrderTest",
        "Shown.class.getDeclaredFields()[0].getName().length()",
    ),
    (
        "AnnotationOrderTest",
        "Shown.class.getAnnotations()[0].annotationType().getSimpleName().length()",
    ),
    (
        "MarkOrderTest",
        "Shown.class.getDeclaredMethod(\"marked\").getAnnotations()[0].annotationType().getSimpleName().length()",
    ),
    (
        "FieldMarkTest",
        "Shown.class.getDeclaredField(\"second\").getAnnotations().length",
    ),
    (
        "LimitTest",
        "Shown.class.getDeclaredField(\"LIMIT\").getInt(null)",
    ),
    ("AShownTest", "Shown.o()"),
    ("LateOTest", "Late.o()"),
    ("LatePTest", "Late.p()"),
    ("OnceOTest", "Once.o()"),
    ("OncePTest", "Once.p()"),
];

/// Who uses `Base`, by itself or as a superclass.
const OF_BASE: &[&str] = &["ATest", "BTest", "HidTest", "STest", "SubTest"];
const OF_OTHER: &[&str] = &["OtherTest"];
const OF_MADE: &[&str] = &["MadeOtherTest", "MadeSTest", "MadeTTest", "MadeTest"];
const OF_SHOWN: &[&str] = &[
    "AShownTest",
    "AnnotationOrderTest",
    "FieldMarkTest",
    "FieldOrderTest",
    "LimitTest",
    "MarkOrderTest",
];
/// Those that asked what it has; who comes later in the same JVM would be told what the JDK remembers.
const LISTING_SHOWN: &[&str] = &[
    "AnnotationOrderTest",
    "FieldMarkTest",
    "FieldOrderTest",
    "LimitTest",
    "MarkOrderTest",
];
const OF_SUB: &[&str] = &["HidTest", "SubTest"];
/// An initialiser runs once for both users of a class.
const OF_LATE: &[&str] = &["LateOTest", "LatePTest"];
const OF_ONCE: &[&str] = &["OnceOTest", "OncePTest"];

const CHANGES: &[Change] = &[
    change(
        "CIM",
        ["Base", "return 1", "return 10"],
        &["ATest"],
        OF_BASE,
    ),
    change(
        "CSM",
        ["Base", "return 4", "return 40"],
        &["HidTest", "STest"],
        OF_BASE,
    ),
    // Everybody makes a `Base` but those that call its static method.
    change(
        "CI",
        ["Base", "size = 3", "size = 30"],
        &["ATest", "BTest", "SubTest"],
        OF_BASE,
    ),
    change("CSI", ["Base", "count = 1", "count = 10"], OF_BASE, OF_BASE),
    change("DSI", ["Base", "count = 1", "count"], OF_BASE, OF_BASE),
    change(
        "ASI",
        ["Other", "public static", "static int n = 9; public static"],
        &["OtherTest"],
        &["OtherTest"],
    ),
    change(
        "ASI, of two users",
        ["Late", "int n;", "int n = 9;"],
        OF_LATE,
        OF_LATE,
    ),
    change(
        "CSI, of two users",
        ["Once", "Helps.h()", "Helps.h() + 1"],
        OF_ONCE,
        OF_ONCE,
    ),
    change(
        "DSI, of two users",
        ["Once", "= Helps.h()", ""],
        OF_ONCE,
        OF_ONCE,
    ),
    change(
        "CSM, run by an initialiser alone",
        ["Helps", "return 16", "return 160"],
        OF_ONCE,
        OF_ONCE,
    ),
    change(
        "AIM",
        ["Base", "int p()", "public int q() { return 1; } int p()"],
        OF_BASE,
        OF_BASE,
    )
    .but_by_dispatch(&[]),
    change(
        "DIM",
        ["Base", "int p() { return 5; }", ""],
        OF_BASE,
        OF_BASE,
    )
    .but_by_dispatch(&[]),
    change(
        "ASM",
        ["Base", "int p()", "static int q() { return 1; } int p()"],
        &[],
        OF_BASE,
    ),
    change(
        "AI",
        ["Base", "int p()", "Base(int x) {} int p()"],
        &[],
        OF_BASE,
    ),
    change(
        "AFD",
        ["Base", "int p()", "int more; int p()"],
        OF_BASE,
        OF_BASE,
    ),
    // Tests make each other class by its one constructor; that of `Other` nobody calls.
    change("DI", ["Other", "Other(long unused) {}", ""], &[], OF_OTHER),
    change(
        "DSM",
        ["Other", "static int never() { return 11; }", ""],
        &[],
        OF_OTHER,
    ),
    // Nobody ran an initialiser of it that could be another one now.
    change("DFD", ["Other", "int spare;", ""], OF_OTHER, OF_OTHER).but_by_dispatch(&[]),
    change(
        "AFD, of what nobody makes",
        ["Other", "int spare;", "int spare; int more;"],
        OF_OTHER,
        OF_OTHER,
    )
    .but_by_dispatch(&[]),
    change(
        "CFD, of what nobody makes",
        ["Other", "int spare;", "long spare;"],
        OF_OTHER,
        OF_OTHER,
    )
    .but_by_dispatch(&[]),
    change(
        "CM",
        ["Other", "int first; int second;", "int second; int first;"],
        &[],
        OF_OTHER,
    ),
    change("CFD", ["Base", "int size", "long size"], OF_BASE, OF_BASE),
    change(
        "CH",
        ["Base", "public class", "public abstract class"],
        OF_BASE,
        OF_BASE,
    ),
    // The head and a method; one of the two users runs that.
    change(
        "CF",
        [
            "Sub",
            "public class Sub extends Base { public int c() { return 6",
            "@Deprecated public class Sub extends Base { public int c() { return 60",
        ],
        OF_SUB,
        OF_SUB,
    ),
    change(
        "CH, by an annotation of a field",
        ["Shown", "int second;", "@Then int second;"],
        OF_SHOWN,
        OF_SHOWN,
    ),
    change(
        "CH, by a constant",
        ["Shown", "LIMIT = 15", "LIMIT = 150"],
        OF_SHOWN,
        OF_SHOWN,
    ),
    change(
        "CH by an annotation",
        ["Base", "public class", "@Deprecated public class"],
        OF_BASE,
        OF_BASE,
    ),
    change(
        "a comment",
        ["Base", "return 1", "/* one */\n return 1"],
        &[],
        &[],
    ),
    // Section 5.2 of the paper on HyRTS: to tools that compare files it is a change.
    change(
        "two methods in another order",
        [
            "Other",
            "public static int o() { return 8; }
            static int never() { return 11; }",
            "static int never() { return 11; }
            public static int o() { return 8; }",
        ],
        &[],
        &[],
    ),
    change(
        "package to private",
        ["Base", "int p()", "private int p()"],
        OF_BASE,
        OF_BASE,
    )
    .but_by_dispatch(&[]),
    change(
        "an override",
        [
            "Sub",
            "public int c()",
            "public int a() { return 0; } public int c()",
        ],
        OF_SUB,
        OF_SUB,
    )
    .but_by_dispatch(&[]),
    change(
        "a static hidden",
        [
            "Sub",
            "public int c()",
            "public static int s() { return 0; } public int c()",
        ],
        &["HidTest"],
        OF_SUB,
    ),
    change(
        "a default",
        ["Face", "int f();", "int f(); default int g() { return 1; }"],
        &["FaceTest"],
        &["FaceTest"],
    ),
    // Who ran what is deleted.
    change(
        "DI, used",
        ["Made", "public Made(int n) {}", ""],
        &["MadeTest"],
        OF_MADE,
    ),
    change(
        "DSM, used",
        ["Made", "public static int s() { return 12; }", ""],
        &["MadeSTest"],
        OF_MADE,
    ),
    change(
        "AF",
        [
            "Other",
            "public class Other",
            "class New {} public class Other",
        ],
        &[],
        &[],
    ),
    change(
        "AF, looked for in vain",
        [
            "Other",
            "public class Other",
            "class Plugin {} public class Other",
        ],
        &["ZPluginTest"],
        &["ZPluginTest"],
    ),
    change(
        "a class between two others",
        [
            "Sub",
            "public class Sub extends Base",
            "class Between extends Base { public int c() { return 60; } } public class Sub extends Between",
        ],
        OF_SUB,
        OF_SUB,
    ),
    // Reflection shows these orders (SPEC 2.1).
    change(
        "CM, the order of fields",
        ["Shown", "int one; int second;", "int second; int one;"],
        LISTING_SHOWN,
        OF_SHOWN,
    ),
    change(
        "the order of annotations of a class",
        ["Shown", "@First @Then", "@Then @First"],
        OF_SHOWN,
        OF_SHOWN,
    ),
    change(
        "the order of annotations of a method",
        ["Shown", "@Then @First static", "@First @Then static"],
        LISTING_SHOWN,
        OF_SHOWN,
    ),
];

#[test]
fn each_kind_of_change_selects_whom_it_concerns() {
    let mut workshop = Workshop::new(CLASSES, TESTS);
    workshop.check(CHANGES);
    check_as_file(&mut workshop);
    // And a class that goes away.
    let file = workshop.project.path("target/classes/shop/Faced.class");
    fs::remove_file(file).unwrap();
    let users = BTreeSet::from(["FaceTest".to_owned()]);
    for mesh in MESHES {
        assert_eq!(workshop.selected(mesh, &[]), users, "DF, {mesh}");
        assert!(workshop.named_kinds(mesh).contains("DF"), "DF, {mesh}");
    }
}

/// What is said of a class that counts as a file, and that it does where nobody knows how it changed.
fn check_as_file(workshop: &mut Workshop) {
    let of_a = CHANGES.iter().find(|change| change.name == "CIM").unwrap();
    workshop.put(of_a).unwrap();
    let why = |kind: &str| workshop.why("STest", &["--mesh", "dispatch", "--as-file", kind]);
    let counts = "CIM of shop.Base counts as a change of the file (--as-file)";
    assert!(why("CIM").contains(counts), "{}", why("CIM"));
    assert!(why("CSM").contains("would be skipped"), "{}", why("CSM"));
    let store = Connection::open(workshop.project.path(".tamis/store.sqlite")).unwrap();
    assert!(store.execute("DELETE FROM class_file", []).unwrap() > 0);
    drop(store);
    assert!(
        why("CSM").contains("how shop.Base changed is not known"),
        "{}",
        why("CSM")
    );
    let users: BTreeSet<String> = OF_BASE.iter().map(|name| (*name).to_owned()).collect();
    let selected = workshop.selected("block", &["--as-file", "CSM"]);
    assert_eq!(selected, users);
    workshop.take_back();
}
