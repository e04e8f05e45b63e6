//! What tests leave in objects that others get without naming a static field which leads to them.

use crate::plain_program::PlainProgram;

const CALC: (&str, &str) = (
    "Calc",
    "public class Calc { public static int one() { return 1; } }",
);

/// One object has two names, or is held by two singletons; a constant is looked up by its name. The last test has an object of its own.
const ALIASES: &[(&str, &str)] = &[
    CALC,
    ("Node", "public class Node { public int n; }"),
    (
        "Names",
        "public class Names { public static final Node HEAD = new Node(); public static final Node TAIL = HEAD; }",
    ),
    (
        "Registry",
        "public class Registry { private static Registry made;
            private final java.util.Map<String, Integer> known = new java.util.HashMap<>();
            public static Registry get() { if (made == null) made = new Registry(); return made; }
            public void put(int value) { known.put(\"a\", value); }
            public int value() { return known.get(\"a\"); } }",
    ),
    (
        "Service",
        "public class Service { private static Service made; public final Registry registry;
            private Service(Registry registry) { this.registry = registry; }
            public static Service get() { if (made == null) made = new Service(Registry.get()); return made; } }",
    ),
    ("Color", "public enum Color { RED; public int v; }"),
    (
        "AFillsTest",
        "public class AFillsTest { @Test void fills() { Names.HEAD.n = Calc.one(); } }",
    ),
    (
        "BReadsTest",
        "public class BReadsTest { @Test void reads() { if (Names.TAIL.n != 1) throw new Error(); } }",
    ),
    (
        "CMakesTest",
        "public class CMakesTest { @Test void makes() { if (Service.get() == null) throw new Error(); } }",
    ),
    (
        "DFillsTest",
        "public class DFillsTest { @Test void fills() { Registry.get().put(Calc.one()); } }",
    ),
    (
        "EReadsTest",
        "public class EReadsTest { @Test void reads() { if (Service.get().registry.value() != 1) throw new Error(); } }",
    ),
    (
        "FFillsTest",
        "public class FFillsTest { @Test void fills() { Color.RED.v = Calc.one(); } }",
    ),
    (
        "GReadsTest",
        "public class GReadsTest { @Test void reads() { if (Color.valueOf(\"RED\").v != 1) throw new Error(); } }",
    ),
    (
        "HCalmTest",
        "public class HCalmTest { @Test void reads() { if (new Node().n != 0) throw new Error(); } }",
    ),
];

#[test]
fn an_object_that_is_reached_in_two_ways_is_one() {
    let mut program = PlainProgram::of_jupiter(ALIASES);
    program.run().assert_ran(&program.tests());
    program.run().assert_ran(&[]);
    program.compile(&[["Calc", "return 1", "return 2"]]);
    for mesh in MESHES {
        let changed = program.run_with(&["--mesh", mesh, "--no-record"], &[]);
        changed.assert_verdicts(&[
            ("AFillsTest", "passed"),
            ("BReadsTest", "failed"),
            ("DFillsTest", "passed"),
            ("EReadsTest", "failed"),
            ("FFillsTest", "passed"),
            ("GReadsTest", "failed"),
        ]);
    }
}

const MESHES: &[&str] = &["file", "method", "dispatch", "block"];

/// A parameter of a test is what such an extension says.
fn resolver(body: &str) -> String {
    format!(
        "implements org.junit.jupiter.api.extension.ParameterResolver {{
        public boolean supportsParameter(org.junit.jupiter.api.extension.ParameterContext p,
            org.junit.jupiter.api.extension.ExtensionContext c) {{ return true; }}
        public Object resolveParameter(org.junit.jupiter.api.extension.ParameterContext p,
            org.junit.jupiter.api.extension.ExtensionContext c) {{ {body} }}"
    )
}

/// An extension is one object for several test classes, or keeps one in Jupiter's store; the JDK keeps a bundle.
#[test]
fn what_others_keep_for_later_tests_is_not_missed() {
    let one_is_one = "if (one != 1) throw new Error();";
    let lazy = resolver("if (value == null) value = Calc.one(); return value;");
    let stored = resolver(
        "return c.getRoot().getStore(org.junit.jupiter.api.extension.ExtensionContext.Namespace.GLOBAL)
            .getOrComputeIfAbsent(\"one\", key -> Calc.one());",
    );
    let test = |name: &str, about: &str| {
        let [before, after] = match about {
            "lazy" => ["", "extends WithLazy"],
            _ => [
                "@org.junit.jupiter.api.extension.ExtendWith(Stored.class)",
                "",
            ],
        };
        format!(
            "{before} public class {name} {after} {{ @Test void reads(Integer one) {{ {one_is_one} }} }}"
        )
    };
    let worded = |name: &str| {
        let bundle = "java.util.ResourceBundle.getBundle(\"shop.Words\")";
        format!(
            "public class {name} {{ @Test void reads() {{
                int one = (Integer) {bundle}.getObject(\"one\"); {one_is_one} }} }}"
        )
    };
    let classes = [
        (
            "Lazy",
            format!("public class Lazy {lazy} private Integer value; }}"),
        ),
        (
            "WithLazy",
            "public abstract class WithLazy {
                @org.junit.jupiter.api.extension.RegisterExtension static final Lazy LAZY = new Lazy(); }"
                .to_owned(),
        ),
        ("Stored", format!("public class Stored {stored} }}")),
        (
            "Words",
            "public class Words extends java.util.ListResourceBundle {
                protected Object[][] getContents() { return new Object[][] {{ \"one\", Calc.one() }}; } }"
                .to_owned(),
        ),
        ("ALazyTest", test("ALazyTest", "lazy")),
        ("BLazyTest", test("BLazyTest", "lazy")),
        ("CStoredTest", test("CStoredTest", "stored")),
        ("DStoredTest", test("DStoredTest", "stored")),
        ("EWordsTest", worded("EWordsTest")),
        ("FWordsTest", worded("FWordsTest")),
        (
            "GCalmTest",
            "public class GCalmTest { @Test void runs() { } }".to_owned(),
        ),
    ];
    let mut sources = vec![CALC];
    sources.extend(classes.iter().map(|(name, text)| (*name, text.as_str())));
    let mut program = PlainProgram::of_jupiter(&sources);
    program.run().assert_ran(&program.tests());
    program.run().assert_ran(&[]);
    program.compile(&[["Calc", "return 1", "return 2"]]);
    for mesh in MESHES {
        let changed = program.run_with(&["--mesh", mesh, "--no-record"], &[]);
        changed.assert_verdicts(&[
            ("ALazyTest", "failed"),
            ("BLazyTest", "failed"),
            ("CStoredTest", "failed"),
            ("DStoredTest", "failed"),
            ("EWordsTest", "failed"),
            ("FWordsTest", "failed"),
        ]);
    }
}
