//! Resources in class directories: a change concerns who asked for one. What the JDK or a logging library asks for and may
//! keep concerns all that come later.

use std::fs;

use crate::project::{ALPHABETICAL, JUNIT_4, JUPITER, Project};

const CLASSES: &[(&str, &str)] = &[
    (
        "shop/Text",
        "package shop; public class Text {
            public static String of(String name) throws java.io.IOException {
                try (java.io.InputStream in = Text.class.getResourceAsStream(name)) { return of(in); }
            }
            static String of(java.io.InputStream in) { return new java.util.Scanner(in).next(); }
        }",
    ),
    (
        "shop/Lazy",
        "package shop; public class Lazy {
            private static String text;
            public static String text() throws java.io.IOException {
                if (text == null) text = Text.of(\"/lazy.txt\");
                return text;
            }
        }",
    ),
    (
        "shop/Initial",
        "package shop; public class Initial {
            private static final Object TEXT;
            static { try { TEXT = Text.of(\"/initial.txt\"); } catch (java.io.IOException e) { throw new Error(e); } }
            public static Object text() { return TEXT; }
        }",
    ),
    (
        "shop/FromFile",
        "package shop; public class FromFile extends java.util.ResourceBundle.Control {
            public java.util.ResourceBundle newBundle(String name, java.util.Locale locale, String format, ClassLoader loader,
                    boolean reload) throws java.io.IOException {
                return new java.util.PropertyResourceBundle(FromFile.class.getResourceAsStream(\"/control.txt\"));
            }
        }",
    ),
    (
        "shop/Service",
        "package shop; public class Service implements Runnable { public void run() { } }",
    ),
    // Like a library that logs: what it keeps in static fields is left out.
    (
        "org/slf4j/Levels",
        "package org.slf4j; public class Levels {
            public static String level() throws java.io.IOException { return shop.Text.of(\"/levels.txt\"); }
        }",
    ),
];

/// In the order in which they run. Each wants to find the digit 1.
const TESTS: &[(&str, &str)] = &[
    ("AReadTest", "want(Text.of(\"/read.txt\"));"),
    ("BLazyTest", "want(Lazy.text());"),
    ("CLazyUserTest", "want(Lazy.text());"),
    ("DInitialTest", "want(Initial.text());"),
    ("EInitialUserTest", "want(Initial.text());"),
    ("FCalmTest", ""),
    (
        "GBundleTest",
        "want(java.util.ResourceBundle.getBundle(\"bundle\").getString(\"price\"));",
    ),
    (
        "HBundleUserTest",
        "want(java.util.ResourceBundle.getBundle(\"bundle\").getString(\"price\"));",
    ),
    (
        "IControlTest",
        "want(java.util.ResourceBundle.getBundle(\"shop\", new FromFile()).getString(\"price\"));",
    ),
    (
        "JControlUserTest",
        "want(java.util.ResourceBundle.getBundle(\"shop\", new FromFile()).getString(\"price\"));",
    ),
    (
        "KServiceTest",
        "for (Runnable service : java.util.ServiceLoader.load(Runnable.class)) service.run();",
    ),
    (
        "LServiceUserTest",
        "for (Runnable service : java.util.ServiceLoader.load(Runnable.class)) service.run();",
    ),
    ("MLoggingTest", "want(org.slf4j.Levels.level());"),
    ("NReadTest", "want(Text.of(\"/read.txt\"));"),
    (
        "OAbsentTest",
        "if (Text.class.getResource(\"/absent.txt\") != null) throw new AssertionError();",
    ),
    ("ZLaterTest", ""),
];

const RESOURCES: &[(&str, &str)] = &[
    ("read.txt", "1"),
    ("lazy.txt", "1"),
    ("initial.txt", "1"),
    ("bundle.properties", "price=1"),
    ("control.txt", "price=1"),
    ("META-INF/services/java.lang.Runnable", "shop.Service"),
    ("levels.txt", "1"),
];

#[test]
fn a_resource_concerns_who_asked_for_it() {
    for combination in [JUNIT_4, JUPITER] {
        let project = Project::new(&combination, ALPHABETICAL);
        for (name, text) in CLASSES {
            project.write(&format!("src/main/java/{name}.java"), text);
        }
        let want = "java.util.function.Consumer<Object> wanting = got -> { if (!got.equals(\"1\")) throw new AssertionError(got); };";
        for (name, body) in TESTS {
            let body = format!("{want} {}", body.replace("want(", "wanting.accept("));
            project.test_class(&combination, name, &[("asks", &body)]);
        }
        for (name, text) in RESOURCES {
            project.write(&format!("src/test/resources/{name}"), text);
        }
        let all: Vec<&str> = TESTS.iter().map(|(name, _)| *name).collect();
        project.test(&[]).assert_ran(&all);
        let after = |name: &str| all[all.iter().position(|one| *one == name).unwrap()..].to_vec();
        for (resource, expected) in [
            ("read.txt", vec!["AReadTest", "NReadTest"]),
            ("lazy.txt", vec!["BLazyTest", "CLazyUserTest"]),
            ("initial.txt", vec!["DInitialTest", "EInitialUserTest"]),
            ("bundle.properties", after("GBundleTest")),
            ("control.txt", after("IControlTest")),
            (
                "META-INF/services/java.lang.Runnable",
                after("KServiceTest"),
            ),
            ("levels.txt", after("MLoggingTest")),
        ] {
            let (_, text) = RESOURCES
                .iter()
                .find(|(name, _)| *name == resource)
                .unwrap();
            let place = format!("target/test-classes/{resource}");
            project.write(&place, &text.replace('1', "2").replace("Service", "Other"));
            let selected = project.select("method");
            let selected: Vec<&str> = selected.iter().map(String::as_str).collect();
            assert_eq!(selected, expected, "{resource}");
            fs::remove_file(project.path(&place)).unwrap();
            let selected = project.select("method");
            let selected: Vec<&str> = selected.iter().map(String::as_str).collect();
            assert_eq!(selected, expected, "{resource} is gone");
            project.write(&place, text);
        }
        project.write("src/test/resources/lazy.txt", "2");
        project.write("src/test/resources/absent.txt", "1");
        let ran = project.test(&[]);
        ran.assert_verdicts(&[
            ("BLazyTest", "failed"),
            ("CLazyUserTest", "failed"),
            ("OAbsentTest", "failed"),
        ]);
    }
}
