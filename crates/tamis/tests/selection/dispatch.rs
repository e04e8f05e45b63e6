//! Look-up changes (SPEC 2.5): which tests are selected where a method is added or deleted, under each mesh, and what
//! is said of it.

use std::collections::BTreeSet;
use std::fs;

use crate::changes::{Change, change, check, compile, recorded};
use crate::project::Project;

/// Figure 1 of the paper on HyRTS, then other hierarchies. What is changed stands where it is replaced.
const CLASSES: &[(&str, &str)] = &[
    (
        "A",
        "public class A { A() {} int m1() { return 1; } static int m2() { return 2; } }",
    ),
    (
        "B",
        "public class B extends A { B() {} static int m2() { return 3; } }",
    ),
    (
        "Top",
        "public class Top { public int f() { return 1; } public int g() { return 2; } }",
    ),
    (
        "Mid",
        "public class Mid extends Top { public int g() { return 3; } }",
    ),
    (
        "Low",
        "public class Low extends Mid { public int f() { return super.f(); } }",
    ),
    ("Leaf", "public class Leaf extends Mid {}"),
    (
        "Teller",
        "public class Teller { private int told() { return 1; } public int tell() { return told(); } }",
    ),
    (
        "BelowTeller",
        "public class BelowTeller extends Teller { public int told() { return 2; } }",
    ),
    (
        "Greet",
        "public interface Greet { int one(); default int hello() { return 1; } }",
    ),
    (
        "Loud",
        "public interface Loud extends Greet { default int bang() { return 2; } }",
    ),
    (
        "Greeter",
        "public class Greeter implements Loud { public int one() { return 1; } }",
    ),
    (
        "Key",
        "public class Key { static int s() { return 1; } public int k() { return 2; } }",
    ),
    (
        "Job",
        "public class Job implements Runnable { int n; public void run() { n = 1; } }",
    ),
    ("BigJob", "public class BigJob extends Job {}"),
    (
        "Runs",
        "public class Runs {
            static int by_jdk(Runnable job) { new Thread(job).run(); return ((Job) job).n; }
        }",
    ),
    (
        "Shape",
        "public interface Shape { int area(); int name(); }",
    ),
    (
        "Square",
        "public class Square implements Shape { public int area() { return 4; } public int name() { return 5; } }",
    ),
    (
        "Fields",
        "public class Fields { public int x = 1; static int s() { return 2; } }",
    ),
    (
        "MoreFields",
        "public class MoreFields extends Fields { static int t() { return 3; } }",
    ),
    (
        "Reflected",
        "public class Reflected {
            static int call(Object object) {
                try {
                    return (Integer) Top.class.getMethod(\"f\").invoke(object);
                } catch (ReflectiveOperationException e) {
                    return -1;
                }
            }
        }",
    ),
];

const TESTS: &[(&str, &str)] = &[
    ("T1Test", "new A().m1()"),
    ("T2Test", "A.m2()"),
    ("T3Test", "((A) new B()).m1()"),
    ("T4Test", "B.m2()"),
    ("ToldTest", "new BelowTeller().tell()"),
    ("ToldBelowTest", "new BelowTeller().told()"),
    ("TopTest", "new Top().f()"),
    ("LowTest", "new Low().f()"),
    ("LeafTest", "((Top) new Leaf()).f()"),
    ("LeafMadeTest", "(new Leaf() == null ? -1 : 0)"),
    ("LeafGTest", "new Leaf().g()"),
    ("ReflectedTest", "Reflected.call(new Leaf())"),
    ("GreeterTest", "((Greet) new Greeter()).hello()"),
    ("GreeterOneTest", "new Greeter().one()"),
    ("LambdaTest", "((Loud) () -> 1).hello()"),
    (
        "KeyTest",
        "new java.util.HashSet<Object>(java.util.Arrays.asList(new Key(), new Key())).size()",
    ),
    ("KeySTest", "Key.s()"),
    ("KeyKTest", "new Key().k()"),
    ("JobTest", "Runs.by_jdk(new BigJob())"),
    ("SquareTest", "((Shape) new Square()).area()"),
    ("FieldTest", "new MoreFields().x"),
    ("FieldMadeTest", "(new MoreFields() == null ? -1 : 0)"),
    ("FieldStaticTest", "MoreFields.t()"),
];

const OF_A: &[&str] = &["T1Test", "T2Test", "T3Test", "T4Test"];
const OF_MID: &[&str] = &[
    "LeafGTest",
    "LeafMadeTest",
    "LeafTest",
    "LowTest",
    "ReflectedTest",
];
const OF_LEAF: &[&str] = &["LeafGTest", "LeafMadeTest", "LeafTest", "ReflectedTest"];
const OF_LOUD: &[&str] = &["GreeterOneTest", "GreeterTest", "LambdaTest"];
const OF_KEY: &[&str] = &["KeyKTest", "KeySTest", "KeyTest"];
const OF_MORE_FIELDS: &[&str] = &["FieldMadeTest", "FieldStaticTest", "FieldTest"];

const CHANGES: &[Change] = &[
    // Figure 1.
    change(
        "figure 1, A.m2 changed",
        ["A", "return 2", "return 20"],
        &["T2Test"],
        OF_A,
    ),
    change(
        "figure 1, B.m1 added",
        ["B", "B() {}", "B() {} int m1() { return 10; }"],
        &["T3Test", "T4Test"],
        &["T3Test", "T4Test"],
    )
    .but_by_dispatch(&["T3Test"]),
    change(
        "figure 1, B.m2 changed",
        ["B", "return 3", "return 30"],
        &["T4Test"],
        &["T3Test", "T4Test"],
    ),
    // The caller stays as it is but for how it calls: `tell` was `invokespecial` before.
    change(
        "private to public of a method that is overridden",
        ["Teller", "private int told()", "public int told()"],
        &["ToldBelowTest", "ToldTest"],
        &["ToldBelowTest", "ToldTest"],
    )
    .but_by_dispatch(&["ToldTest"]),
    // Whoever calls `f` on a `Leaf`, by reflection too, and by `super` from below.
    change(
        "an override between",
        [
            "Mid",
            "public int g()",
            "public int f() { return 9; } public int g()",
        ],
        OF_MID,
        OF_MID,
    )
    .but_by_dispatch(&["LeafTest", "LowTest", "ReflectedTest"]),
    change(
        "an override at the end",
        ["Leaf", "{}", "{ public int f() { return 9; } }"],
        OF_LEAF,
        OF_LEAF,
    )
    .but_by_dispatch(&["LeafTest", "ReflectedTest"]),
    change(
        "an override deleted",
        ["Mid", "public int g() { return 3; }", ""],
        OF_MID,
        OF_MID,
    )
    .but_by_dispatch(&["LeafGTest"]),
    change(
        "another method",
        [
            "Mid",
            "public int g()",
            "public int h() { return 9; } public int g()",
        ],
        OF_MID,
        OF_MID,
    )
    .but_by_dispatch(&[]),
    // Every user of an interface depends on its having any default, so it has one before.
    change(
        "a default between",
        [
            "Loud",
            "default",
            "default int hello() { return 9; } default",
        ],
        OF_LOUD,
        OF_LOUD,
    )
    .but_by_dispatch(&["GreeterTest", "LambdaTest"]),
    change(
        "a default deleted that nobody calls",
        [
            "Loud",
            "default int bang() { return 2; }",
            "default int bong() { return 2; }",
        ],
        OF_LOUD,
        OF_LOUD,
    )
    .but_by_dispatch(&[]),
    // Whoever makes a `Key`: the JDK may ask for it.
    change(
        "a method that the JDK calls",
        [
            "Key",
            "public int k()",
            "public int hashCode() { return 1; } public int k()",
        ],
        OF_KEY,
        OF_KEY,
    )
    .but_by_dispatch(&["KeyKTest", "KeyTest"]),
    change(
        "a method that the JDK does not call",
        [
            "Key",
            "public int k()",
            "public int l() { return 1; } public int k()",
        ],
        OF_KEY,
        OF_KEY,
    )
    .but_by_dispatch(&[]),
    change(
        "a method of an interface of the JDK",
        ["BigJob", "{}", "{ public void run() { n = 2; } }"],
        &["JobTest"],
        &["JobTest"],
    ),
    // Who calls it by another type finds it there, and the same code runs.
    change(
        "a method of an interface deleted",
        ["Shape", "int name();", ""],
        &["SquareTest"],
        &["SquareTest"],
    )
    .but_by_dispatch(&[]),
    // Fields concern who names them, and who ran an initialiser.
    change(
        "a field hidden",
        [
            "MoreFields",
            "static int t()",
            "public int x; static int t()",
        ],
        OF_MORE_FIELDS,
        OF_MORE_FIELDS,
    )
    .but_by_dispatch(&["FieldMadeTest", "FieldTest"]),
    change(
        "a field added",
        [
            "MoreFields",
            "static int t()",
            "public int y; static int t()",
        ],
        OF_MORE_FIELDS,
        OF_MORE_FIELDS,
    )
    .but_by_dispatch(&["FieldMadeTest", "FieldTest"]),
];

#[test]
fn look_up_changes_select_who_calls() {
    let project = recorded(CLASSES, TESTS);
    check(&project, CLASSES, CHANGES);
    let file = "src/main/java/shop/Leaf.java";
    project.edit(file, "{}", "{ public int f() { return 9; } }");
    assert!(compile(&project, CLASSES).status.success());
    let why = project
        .tamis()
        .args(["why", "LeafTest", "--mesh", "dispatch"])
        .output()
        .unwrap();
    let said = String::from_utf8(why.stdout).unwrap();
    let expected = "AIM shop.Leaf.f: shop.Top.f now resolves to shop.Leaf.f for shop.Leaf";
    assert!(said.contains(expected), "{said}");
    project.edit(file, "{ public int f() { return 9; } }", "{}");
    check_transformations(&project);
}

/// Definitions 3.1 and 3.2 of the paper on HyRTS, by its examples: `B.m2` changed and `B` marked, and `B` deleted.
fn check_transformations(project: &Project) {
    let of_b = BTreeSet::from(["T3Test", "T4Test"].map(str::to_owned));
    project.edit("src/main/java/shop/B.java", "return 3", "return 30");
    assert!(compile(project, CLASSES).status.success());
    let aggressive = project.select_with("dispatch", &["--as-file", "CSM"]);
    assert_eq!(aggressive, of_b);
    fs::remove_file(project.path("target/classes/shop/B.class")).unwrap();
    for mesh in ["file", "method", "dispatch", "block"] {
        assert_eq!(project.select(mesh), of_b, "{mesh}");
    }
}
