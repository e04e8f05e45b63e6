//! What tests leave where no static field of the program's leads to it.

use std::fs;

use crate::plain_program::{PlainProgram, assert_calc_concerns};

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

/// An extension keeps an object in Jupiter's store; the JDK keeps a bundle.
#[test]
fn what_others_keep_for_later_tests_is_not_missed() {
    let one_is_one = "if (one != 1) throw new Error();";
    let stored = resolver(
        "return c.getRoot().getStore(org.junit.jupiter.api.extension.ExtensionContext.Namespace.GLOBAL)
            .getOrComputeIfAbsent(\"one\", key -> Calc.one());",
    );
    let stored_test = |name: &str| {
        format!(
            "@org.junit.jupiter.api.extension.ExtendWith(Stored.class) public class {name} {{
                @Test void reads(Integer one) {{ {one_is_one} }} }}"
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
        ("Stored", format!("public class Stored {stored} }}")),
        (
            "Words",
            "public class Words extends java.util.ListResourceBundle {
                protected Object[][] getContents() { return new Object[][] {{ \"one\", Calc.one() }}; } }"
                .to_owned(),
        ),
        ("CStoredTest", stored_test("CStoredTest")),
        ("DStoredTest", stored_test("DStoredTest")),
        ("EWordsTest", worded("EWordsTest")),
        ("FWordsTest", worded("FWordsTest")),
        (
            "GCalmTest",
            "public class GCalmTest { @Test void runs() { } }".to_owned(),
        ),
    ];
    let classes = classes
        .each_ref()
        .map(|(name, text)| (*name, text.as_str()));
    assert_calc_concerns(
        &classes,
        |_| {},
        &[
            ("CStoredTest", "failed"),
            ("DStoredTest", "failed"),
            ("EWordsTest", "failed"),
            ("FWordsTest", "failed"),
        ],
    );
}

/// Lambdas are call sites; those of `User` are then linked by `Linker` in the place of the JDK's own code.
#[test]
fn what_linked_a_call_counts_for_all_who_call() {
    let linker = "import java.lang.invoke.*; import java.util.function.IntSupplier; public class Linker {
        public static CallSite link(MethodHandles.Lookup lookup, String name, MethodType type, MethodType all,
            MethodHandle body, MethodType own) { int one = Calc.one(); IntSupplier supplier = () -> one;
            return new ConstantCallSite(MethodHandles.constant(IntSupplier.class, supplier)); } }";
    let user = "public class User { public static int one() {
        java.util.function.IntSupplier one = () -> 0; return one.getAsInt(); } }";
    let reader = |name: &str| {
        format!(
            "public class {name} {{ @Test void reads() {{ if (User.one() != 1) throw new Error(); }} }}"
        )
    };
    let (first, second) = (reader("AReadsTest"), reader("BReadsTest"));
    let sources = [
        ("Linker", linker),
        ("User", user),
        ("AReadsTest", &first),
        ("BReadsTest", &second),
        (
            "CCalmTest",
            "public class CCalmTest { @Test void runs() { Runnable calm = () -> { }; calm.run(); } }",
        ),
    ];
    let link_otherwise = |program: &PlainProgram| {
        let path = program.project.path("classes/shop/User.class");
        let mut class = fs::read(&path).unwrap();
        for (from, to) in [
            ("java/lang/invoke/LambdaMetafactory", "shop/Linker"),
            ("metafactory", "link"),
        ] {
            class = with_other_text(&class, from, to);
        }
        fs::write(&path, class).unwrap();
    };
    let verdicts = [("AReadsTest", "failed"), ("BReadsTest", "failed")];
    assert_calc_concerns(&sources, link_otherwise, &verdicts);
}

/// A class file with another text in its constant pool.
fn with_other_text(class: &[u8], from: &str, to: &str) -> Vec<u8> {
    const UTF_8: u8 = 1;
    let entry = |text: &str| {
        let length = u16::try_from(text.len()).unwrap().to_be_bytes();
        [&[UTF_8], &length[..], text.as_bytes()].concat()
    };
    let from = entry(from);
    let mut windows = class.windows(from.len());
    let at = windows.position(|window| window == from).unwrap();
    [&class[..at], &entry(to), &class[at + from.len()..]].concat()
}
