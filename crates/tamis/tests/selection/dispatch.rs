//! Look-up changes (SPEC 2.5): which tests are selected where a method is added or deleted, under each mesh, and what
//! is said of it.

use std::collections::BTreeSet;
use std::fs;

use serde_json::Value;

use crate::workshop::{Change, MESHES, Named, Workshop, change};

/// Figure 1 of the paper on HyRTS, then other hierarchies. What is changed stands where it is replaced.
const CLASSES: &[Named] = &[
    (
        "A",
        "public class A { A() {} int m1() { return 1; } static int m2() { return 2; } }",
    ),
    (
        "B",
        "public class B extends A { B() {} static int m2() { return 3; } }",
    ),
    // `A`, and `B` before it had `m2`.
    (
        "Ground",
        "public class Ground { Ground() {} int m1() { return 1; } static int m2() { return 2; } }",
    ),
    ("Bare", "public class Bare extends Ground { Bare() {} }"),
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
        "Counter",
        "public class Counter { public static int n = 1; static int s() { return 2; } }",
    ),
    (
        "MoreCounter",
        "public class MoreCounter extends Counter { static int t() { return 3; } }",
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
    ("Kind", "public class Kind { int f() { return 1; } }"),
    ("Idle", "public class Idle extends Kind {}"),
    (
        "Conjures",
        "public class Conjures {
            static Object by_unsafe(Class<?> type) {
                try {
                    java.lang.reflect.Field field = sun.misc.Unsafe.class.getDeclaredField(\"theUnsafe\");
                    field.setAccessible(true);
                    return ((sun.misc.Unsafe) field.get(null)).allocateInstance(type);
                } catch (ReflectiveOperationException e) {
                    return null;
                }
            }
            static Object by_factory(Class<?> type) {
                try {
                    return sun.reflect.ReflectionFactory.getReflectionFactory()
                        .newConstructorForSerialization(type, Object.class.getConstructor())
                        .newInstance();
                } catch (ReflectiveOperationException e) {
                    return null;
                }
            }
        }",
    ),
    (
        "One",
        "public interface One { int n(); default int hi() { return 1; } }",
    ),
    (
        "Two",
        "public interface Two { default int other() { return 2; } }",
    ),
    ("Twofold", "public class Twofold implements Two {}"),
    (
        "Left",
        "public interface Left { default int d() { return 1; } }",
    ),
    (
        "Right",
        "public interface Right { default int r() { return 2; } }",
    ),
    ("Both", "public class Both implements Left, Right {}"),
    (
        "Hush",
        "public interface Hush extends Greet {
            default int hello() { return 3; }
            default int hush() { return 4; }
        }",
    ),
    (
        "Husher",
        "public class Husher implements Hush { public int one() { return 1; } }",
    ),
    (
        "OwnCounter",
        "public class OwnCounter extends Counter { public static int n; static int t() { return 3; } }",
    ),
    ("Marks", "public interface Marks { int mark(); }"),
    (
        "MarkedCounter",
        "public abstract class MarkedCounter extends Counter implements Marks { static int t() { return 3; } }",
    ),
];

const TESTS: &[Named] = &[
    ("T1Test", "new A().m1()"),
    ("T2Test", "A.m2()"),
    ("T3Test", "((A) new B()).m1()"),
    ("T4Test", "B.m2()"),
    ("T3BareTest", "((Ground) new Bare()).m1()"),
    ("T4BareTest", "Bare.m2()"),
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
    ("CounterTest", "MoreCounter.n"),
    ("CounterOtherTest", "MoreCounter.t()"),
    (
        "ConjuredTest",
        "((Kind) Conjures.by_unsafe(Idle.class)).f()",
    ),
    (
        "ConjuredOtherwiseTest",
        "((Kind) Conjures.by_factory(Idle.class)).f()",
    ),
    (
        "IdleNamedTest",
        "new Kind().f() + Idle.class.getName().length()",
    ),
    ("JoinedTest", "((One & Two) () -> 1).hi()"),
    (
        "SeparateTest",
        "((One) () -> 1).hi() + new Twofold().other()",
    ),
    ("TwoTest", "new Twofold().other()"),
    ("BothTest", "((Left) new Both()).d()"),
    ("BothOtherTest", "new Both().r()"),
    ("HushTest", "((Greet) new Husher()).hello()"),
    ("HushLambdaTest", "((Hush) () -> 1).hello()"),
    ("HushOtherTest", "new Husher().hush()"),
    ("OwnCounterTest", "OwnCounter.n"),
    ("OwnCounterOtherTest", "OwnCounter.t()"),
    ("MarkedCounterTest", "MarkedCounter.n"),
    ("MarkedCounterOtherTest", "MarkedCounter.t()"),
];

const OF_A: &[&str] = &["T1Test", "T2Test", "T3Test", "T4Test"];
const OF_B: &[&str] = &["T3Test", "T4Test"];
const OF_BARE: &[&str] = &["T3BareTest", "T4BareTest"];
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
const OF_COUNTER: &[&str] = &["CounterOtherTest", "CounterTest"];
const OF_MORE_FIELDS: &[&str] = &["FieldMadeTest", "FieldStaticTest", "FieldTest"];
const OF_IDLE: &[&str] = &["ConjuredOtherwiseTest", "ConjuredTest", "IdleNamedTest"];
const OF_TWO: &[&str] = &["JoinedTest", "SeparateTest", "TwoTest"];
const OF_HUSH: &[&str] = &["HushLambdaTest", "HushOtherTest", "HushTest"];
const OF_OWN_COUNTER: &[&str] = &["OwnCounterOtherTest", "OwnCounterTest"];
const OF_MARKS: &[&str] = &["MarkedCounterOtherTest", "MarkedCounterTest"];

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
    // The text to figure 1 has `B.m2` added: a static method that hides one. The file level selects T3 for nothing.
    change(
        "figure 1, B.m2 added",
        [
            "Bare",
            "Bare() {}",
            "Bare() {} static int m2() { return 3; }",
        ],
        &["T4BareTest"],
        OF_BARE,
    ),
    change(
        "figure 1, B.m2 deleted",
        ["B", "static int m2() { return 3; }", ""],
        &["T4Test"],
        OF_B,
    ),
    // Section 3.1.1, the changes of a head.
    change(
        "3.1.1, another superclass",
        ["B", "extends A", "extends Ground"],
        OF_B,
        OF_B,
    )
    .alone(),
    change(
        "3.1.1, another interface",
        [
            "B",
            "extends A",
            "extends A implements java.io.Serializable",
        ],
        OF_B,
        OF_B,
    ),
    change(
        "3.1.1, a newer version",
        ["B", "B() {}", "B() {}"],
        OF_B,
        OF_B,
    )
    .alone()
    .for_release("11"),
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
    change(
        "a static field hidden",
        [
            "MoreCounter",
            "static int t()",
            "public static int n; static int t()",
        ],
        OF_COUNTER,
        OF_COUNTER,
    )
    .but_by_dispatch(&["CounterTest"]),
    // Nobody else sees it, but it is found before the other one.
    change(
        "a static field hidden by a private one",
        [
            "MoreCounter",
            "static int t()",
            "private static int n; static int t()",
        ],
        &["CounterTest"],
        OF_COUNTER,
    ),
    change(
        "a static field hidden no more",
        ["OwnCounter", "public static int n;", ""],
        OF_OWN_COUNTER,
        OF_OWN_COUNTER,
    )
    .but_by_dispatch(&["OwnCounterTest"]),
    // An interface is looked into before the superclass (JVMS 5.4.3.2). It has an initialiser from now on, which concerns each user.
    change(
        "a static field hidden by one of an interface",
        ["Marks", "int mark();", "int mark(); int n = Counter.s();"],
        OF_MARKS,
        OF_MARKS,
    ),
    // No code of an `Idle` ever ran. One test calls the method, and only names the class.
    change(
        "an override of what is called on an object that no constructor made",
        ["Idle", "{}", "{ int f() { return 9; } }"],
        OF_IDLE,
        OF_IDLE,
    )
    .but_by_dispatch(&["ConjuredOtherwiseTest", "ConjuredTest"]),
    // No class file shows which class has both interfaces. One test calls the method, and has them apart.
    change(
        "two defaults of a lambda",
        [
            "Two",
            "default int other()",
            "default int hi() { return 9; } default int other()",
        ],
        OF_TWO,
        OF_TWO,
    )
    .but_by_dispatch(&["JoinedTest"]),
    change(
        "two defaults",
        [
            "Right",
            "default int r()",
            "default int d() { return 9; } default int r()",
        ],
        &["BothOtherTest", "BothTest"],
        &["BothOtherTest", "BothTest"],
    )
    .but_by_dispatch(&["BothTest"])
    .alone(),
    change(
        "a default deleted, before another one",
        ["Hush", "default int hello() { return 3; }", ""],
        OF_HUSH,
        OF_HUSH,
    )
    .but_by_dispatch(&["HushLambdaTest", "HushTest"]),
    change(
        "a method of an interface added",
        ["Shape", "int area();", "int area(); int more();"],
        &["SquareTest"],
        &["SquareTest"],
    )
    .but_by_dispatch(&[])
    .alone(),
];

/// What is said of a change to a test.
const SAID: &[(&str, &str, &str)] = &[
    (
        "an override at the end",
        "LeafTest",
        "AIM shop.Leaf.f: shop.Top.f now resolves to shop.Leaf.f for shop.Leaf",
    ),
    (
        "an override deleted",
        "LeafGTest",
        "DIM shop.Mid.g: shop.Mid.g now resolves to shop.Top.g for shop.Leaf",
    ),
    (
        "figure 1, B.m2 added",
        "T4BareTest",
        "ASM method shop.Bare.m2() is new",
    ),
    (
        "two defaults",
        "BothTest",
        "AIM shop.Right.d: shop.Left.d and shop.Right.d are ambiguous for shop.Both",
    ),
];

#[test]
fn look_up_changes_select_who_calls() {
    let mut workshop = Workshop::new(CLASSES, TESTS);
    check_table_1(&workshop);
    workshop.check(CHANGES);
    for (change, test, expected) in SAID {
        workshop.put(named(change)).unwrap();
        let said = workshop.why(test, &["--mesh", "dispatch"]);
        assert!(said.contains(expected), "{change}: {said}");
        workshop.take_back();
    }
    check_transformations(&mut workshop);
}

fn named(name: &str) -> &'static Change {
    CHANGES.iter().find(|change| change.name == name).unwrap()
}

/// Table 1 of the paper on HyRTS: what its tests depend on. Here a class depends on those above it too, so that T4 has A among its
/// files (SPEC 1.2).
fn check_table_1(workshop: &Workshop) {
    for (member, expected) in [
        ("A#<init>", &["T1Test", "T3Test"][..]),
        ("A#m1", &["T1Test", "T3Test"]),
        ("A#m2", &["T2Test"]),
        ("B#<init>", &["T3Test"]),
        ("B#m2", &["T4Test"]),
    ] {
        assert_eq!(dependents(workshop, member, "method"), expected, "{member}");
    }
    assert_eq!(dependents(workshop, "A", "class"), OF_A);
    assert_eq!(dependents(workshop, "B", "class"), OF_B);
}

/// The tests of figure 1 that depend on something, by facts of one kind.
fn dependents(workshop: &Workshop, wanted: &str, kind: &str) -> Vec<String> {
    let mut command = workshop.project.tamis();
    command.args(["what", &format!("shop.{wanted}"), "--format", "json"]);
    let report = command.output().unwrap().stdout;
    let report: Value = serde_json::from_slice(&report).unwrap();
    let dependents = report["dependents"].as_array().unwrap().iter();
    let dependents = dependents.filter(|test| {
        let mut facts = test["facts"].as_array().unwrap().iter();
        facts.any(|fact| fact["subject"] == kind && fact["is_absent"] == false)
    });
    let names = dependents.map(|test| test["name"].as_str().unwrap().replace("shop.", ""));
    let mut names: Vec<String> = names.filter(|name| OF_A.contains(&&**name)).collect();
    names.sort_unstable();
    names
}

/// Definitions 3.1 and 3.2 of the paper on HyRTS, by its examples: `B.m2` changed and `B` marked, and `B` deleted.
fn check_transformations(workshop: &mut Workshop) {
    let of_b: BTreeSet<String> = OF_B.iter().map(|name| (*name).to_owned()).collect();
    workshop.put(named("figure 1, B.m2 changed")).unwrap();
    let aggressive = workshop.selected("dispatch", &["--as-file", "CSM"]);
    assert_eq!(aggressive, of_b);
    let file = workshop.project.path("target/classes/shop/B.class");
    fs::remove_file(file).unwrap();
    for mesh in MESHES {
        assert_eq!(workshop.selected(mesh, &[]), of_b, "{mesh}");
    }
}
