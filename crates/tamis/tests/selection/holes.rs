//! Holes that other tools have: changes that reach a test by another way than a call. Each turns tests red, and exactly those
//! that looked are run.

use crate::project::{ALPHABETICAL, JUNIT_4, Project};

const CLASSES: &[(&str, &str)] = &[
    // Compilers copy it into other classes.
    (
        "Limits",
        "public class Limits { public static final int MAX = 1; }",
    ),
    (
        "Data",
        "public class Data { public int twice(int price) { return 2 * price; } }",
    ),
];

const TESTS: &[(&str, &str)] = &[
    ("AConstantTest", "if (Limits.MAX != 1) throw new Error();"),
    (
        "CUserTest",
        "if (new Data().twice(1) != 2) throw new Error();",
    ),
    (
        "DBundleTest",
        "if (!java.util.ResourceBundle.getBundle(\"words\", java.util.Locale.FRENCH).getString(\"price\").equals(\"1\")) throw new Error();",
    ),
    (
        "ECachedBundleTest",
        "if (!java.util.ResourceBundle.getBundle(\"words\", java.util.Locale.FRENCH).getString(\"price\").equals(\"1\")) throw new Error();",
    ),
    // The name of a parameter is in no checksum but that of all bytes.
    (
        "FBytesTest",
        "try (java.io.InputStream in = Data.class.getResourceAsStream(\"Data.class\")) {
            java.io.ByteArrayOutputStream bytes = new java.io.ByteArrayOutputStream();
            for (int next; (next = in.read()) >= 0; ) bytes.write(next);
            if (!bytes.toString(\"ISO-8859-1\").contains(\"price\")) throw new Error(); }",
    ),
];

const INHERITED: &str = "package shop; public abstract class Common {
    @org.junit.Test public void common() { if (price() != 1) throw new Error(); } abstract int price(); }";

fn project() -> Project {
    let project = Project::new(&JUNIT_4, ALPHABETICAL);
    for (name, text) in CLASSES {
        project.class(name, text);
    }
    for (name, body) in TESTS {
        project.test_class(&JUNIT_4, name, &[("looks", body)]);
    }
    project.write("src/test/java/shop/Common.java", INHERITED);
    project.write(
        "src/test/java/shop/BHeirTest.java",
        "package shop; public class BHeirTest extends Common { int price() { return 1; } }",
    );
    project.write("src/test/resources/words.properties", "price=1");
    project
}

#[test]
fn each_way_to_a_test_is_seen() {
    let project = project();
    let mut all: Vec<&str> = TESTS.iter().map(|(name, _)| *name).collect();
    all.push("BHeirTest");
    all.sort_unstable();
    project.test(&[]).assert_ran(&all);
    project.test(&[]).assert_idle(all.len());

    // What loaders find is cached, and counts for who comes later.
    let bundles = &[
        ("DBundleTest", "failed"),
        ("ECachedBundleTest", "failed"),
        ("FBytesTest", "passed"),
    ][..];
    for (file, from, to, verdicts) in [
        (
            "src/main/java/shop/Limits.java",
            "MAX = 1",
            "MAX = 2",
            &[("AConstantTest", "failed")][..],
        ),
        (
            "src/main/java/shop/Data.java",
            "price",
            "cost",
            &[("FBytesTest", "failed")],
        ),
        (
            "src/test/java/shop/Common.java",
            "!= 1",
            "!= 2",
            &[("BHeirTest", "failed")],
        ),
        ("src/test/resources/words.properties", "=1", "=2", bundles),
    ] {
        project.edit(file, from, to);
        // Maven does not compile tests again for a constant that another class has.
        assert!(project.maven(&["clean"]).status.success());
        project.test(&[]).assert_verdicts(verdicts);
        project.edit(file, to, from);
    }
    // A bundle that was not there comes before the one that was found.
    project.write("src/test/resources/words_fr.properties", "price=2");
    project.test(&[]).assert_verdicts(bundles);
}
